//! Sample sets that show how a message looks with short, long, right-to-left or emoji values.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::button::Button;
use crate::component::Component;
use crate::render::Fill;
use crate::template::Template;
use crate::variable::scan;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "model.ts")]
#[serde(rename_all = "camelCase")]
pub enum SampleSet {
    /// Samples of the template.
    #[default]
    Own,
    /// One or two characters each.
    Short,
    /// Long values, one of them a single word that is longer than a line.
    Long,
    /// Hebrew and Arabic.
    RightToLeft,
    /// Emoji, some with several code points.
    Emoji,
}

/// Values of a set; variables use them in turn.
struct Values {
    texts: [&'static str; 3],
    /// Suffix of an address, percent-encoded as required for a send.
    suffix: &'static str,
    /// At most 15 characters.
    code: &'static str,
}

impl SampleSet {
    fn values(self) -> Option<Values> {
        Some(match self {
            Self::Own => return None,
            Self::Short => Values { texts: ["Al", "7", "x"], suffix: "1", code: "A1" },
            Self::Long => Values {
                texts: [
                    "Maria Aparecida do Nascimento Albuquerque de Vasconcelos Figueiredo",
                    "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft",
                    "R$ 1.234.567,89 in twelve instalments, the first one on Wednesday, 31 December 2025",
                ],
                suffix: "orders/2025/12/31/0000000000123456789?source=message&campaign=end-of-season",
                code: "SUMMERSALE25OFF",
            },
            Self::RightToLeft => Values {
                texts: ["מרים כהן", "شارع الملك فهد", "הזמנה 42"],
                suffix: "%D7%A9%D7%9C%D7%95%D7%9D",
                code: "A1",
            },
            Self::Emoji => Values {
                texts: ["🎉🎉🎉", "👩‍👩‍👧‍👦 🇧🇷", "👍🏽 OK"], suffix: "%F0%9F%8E%89", code: "A1"
            },
        })
    }
}

/// Values from `set` for every variable of the template; empty for [`SampleSet::Own`], which the preview takes from the
/// template.
#[must_use]
pub fn sample_fill(template: &Template, set: SampleSet) -> Fill {
    set.values().map_or_else(Fill::default, |values| fill(&template.components, &values))
}

fn fill(components: &[Component], values: &Values) -> Fill {
    let mut fill = Fill::default();
    let mut turn = values.texts.iter().cycle();
    let mut names = |text: Option<&str>, into: &mut std::collections::BTreeMap<String, String>| {
        for variable in scan(text.unwrap_or_default()) {
            if !into.contains_key(variable.name)
                && let Some(value) = turn.next()
            {
                into.insert(variable.name.to_owned(), (*value).to_owned());
            }
        }
    };
    for component in components {
        match component {
            Component::Header(header) => names(header.text.as_deref(), &mut fill.header),
            Component::Body(body) => names(body.text.as_deref(), &mut fill.body),
            Component::Buttons(buttons) => {
                for (at, button) in buttons.buttons.iter().enumerate() {
                    match button {
                        Button::Url(url) if scan(&url.url).next().is_some() => {
                            fill.urls.insert(at.to_string(), values.suffix.to_owned());
                        }
                        Button::CopyCode(_) => {
                            fill.codes.insert(at.to_string(), values.code.to_owned());
                        }
                        _ => {}
                    }
                }
            }
            Component::Carousel(carousel) => {
                fill.cards = carousel.cards.iter().map(|card| self::fill(&card.components, values)).collect();
            }
            _ => {}
        }
    }
    fill
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test that cannot read its own input should fail")]

    use super::*;
    use crate::render::render;
    use serde_json::json;

    #[test]
    fn every_set_fills_every_variable() {
        let template: Template = serde_json::from_value(json!({"components": [
            {"type": "HEADER", "format": "TEXT", "text": "For {{1}} now"},
            {"type": "BODY", "text": "Hi {{1}} and {{2}} and {{1}}, bye"},
            {"type": "BUTTONS", "buttons": [{"type": "COPY_CODE", "example": "OWN"},
                {"type": "URL", "text": "Go", "url": "https://x.example/{{1}}"}]},
            {"type": "CAROUSEL", "cards": [{"components": [{"type": "BODY", "text": "One {{a}} here"}]}]}
        ]}))
        .unwrap();
        assert_eq!(sample_fill(&template, SampleSet::Own), Fill::default());
        for set in [SampleSet::Short, SampleSet::Long, SampleSet::RightToLeft, SampleSet::Emoji] {
            let fill = sample_fill(&template, set);
            let bubble = serde_json::to_string(&render(&template, &fill)).unwrap();
            assert!(!bubble.contains("{{") && !bubble.contains("OWN"), "{set:?}: {bubble}");
            assert!(fill.codes["0"].chars().count() <= 15 && fill.urls["1"].is_ascii(), "{set:?}");
            assert_ne!(fill.body["1"], fill.body["2"], "{set:?}");
        }
    }
}
