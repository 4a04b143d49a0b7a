//! Words that are an opt-out: a received text that is nothing but one of them, or a tap on a quick reply that is one, says
//! that its author wants no marketing messages.

use std::collections::HashSet;

use icu_normalizer::DecomposingNormalizerBorrowed;

use crate::event::message::{Content, InboundMessage, Metadata};
use crate::event::revision::Revision;

/// Maximum number of opt-out words of a workspace.
pub const MAX_OPT_OUT_WORDS: usize = 100;
/// Length limit of an opt-out word, in characters.
pub const OPT_OUT_WORD_LENGTH: usize = 60;
/// Longer texts are not compared: punctuation and spaces around a word are short.
const MAX_COMPARED_BYTES: usize = 1_024;
/// Maximum length of a word as it is compared, in bytes: one that decomposes into more is too long.
const MAX_COMPARABLE_BYTES: usize = 256;

/// The opt-out words of a workspace that has not edited them, in English, Portuguese and Spanish. Words that also end a
/// chat or a paid subscription, such as “end” or “cancelar assinatura”, are not among them.
pub const PRESET_OPT_OUT_WORDS: [&str; 32] = [
    "stop",
    "stop all",
    "stopall",
    "stop promotions",
    "stop marketing",
    "unsubscribe",
    "opt out",
    "optout",
    "revoke",
    "remove me",
    "cancel",
    "sair",
    "parar",
    "pare",
    "parar promoções",
    "interromper promoções",
    "descadastrar",
    "me descadastrar",
    "remover",
    "cancelar",
    "cancelar inscrição",
    "cancelar cadastro",
    "não quero receber",
    "não quero mais receber",
    "baja",
    "dar de baja",
    "darme de baja",
    "detener",
    "detener promociones",
    "salir",
    "cancelar suscripción",
    "no quiero recibir mensajes",
];

/// On a button, these cancel an appointment or an order: only what a person writes is an opt-out.
const WRITTEN_ONLY: [&str; 2] = ["cancel", "cancelar"];

/// What is compared of a text: its words without case, accents, punctuation, emoji and invisible characters.
#[must_use]
pub fn comparable(text: &str) -> String {
    let decomposed = DecomposingNormalizerBorrowed::new_nfkd();
    let folded: String = decomposed
        .normalize_iter(text.chars().flat_map(char::to_lowercase))
        .flat_map(char::to_lowercase)
        .filter(|c| !is_mark(*c))
        .collect();
    folded.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Accents after decomposition, and invisible characters, with which keyboards and programs mark directions and joins.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36F}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{2069}'
        | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{AD}')
}

/// A received message that is short enough to be an opt-out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShortReply {
    /// The text of a message; the label and the payload of a tapped button. Comparable, and not empty.
    said: Vec<String>,
}

impl ShortReply {
    /// Whether it is a word that counts; `counts` gets it as [`comparable`] has it.
    pub fn is_word(&self, counts: impl Fn(&str) -> bool) -> bool {
        self.said.iter().any(|said| counts(said))
    }
}

impl InboundMessage {
    /// What may be an opt-out: a text, also the new one of an edit, or a tap on a quick reply. `None` for everything else,
    /// and for a message that our own number wrote.
    #[must_use]
    pub fn short_reply(&self, metadata: &Metadata) -> Option<ShortReply> {
        let ours: String = metadata.display_phone_number.chars().filter(char::is_ascii_digit).collect();
        if !ours.is_empty() && self.from == ours {
            return None;
        }
        let edited = match self.revision() {
            Some(Revision::Edit { message, .. }) => Some(message),
            Some(Revision::Deletion { .. }) => return None,
            None => None,
        };
        let (said, is_written) = match edited.as_deref().unwrap_or(self).content() {
            Content::Text(text) => (vec![text.body], true),
            Content::Button(tap) => ([Some(tap.text), tap.payload].into_iter().flatten().collect(), false),
            Content::Interactive(reply) if reply.kind == "button_reply" => {
                let reply = reply.button_reply?;
                (vec![reply.title, reply.id], false)
            }
            _ => return None,
        };
        let short = said.iter().filter(|text| text.len() <= MAX_COMPARED_BYTES).map(|text| comparable(text));
        let said: Vec<String> = short
            .filter(|text| (1..=MAX_COMPARABLE_BYTES).contains(&text.len()))
            .filter(|text| is_written || !WRITTEN_ONLY.contains(&text.as_str()))
            .collect();
        (!said.is_empty()).then_some(ShortReply { said })
    }
}

/// Why a list of opt-out words cannot be stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptOutWordFault {
    /// It has no letter or digit, which alone are compared.
    Empty(String),
    TooLong(String),
    TooMany,
}

/// The words of a list as it is stored: trimmed, each once, whatever the case and accents.
///
/// # Errors
/// The first fault.
pub fn check_opt_out_words(typed: &[String]) -> Result<Vec<String>, OptOutWordFault> {
    let mut known = HashSet::new();
    let mut words = Vec::new();
    for word in typed {
        let word = word.split_whitespace().collect::<Vec<_>>().join(" ");
        let compared = comparable(&word);
        if compared.is_empty() {
            return Err(OptOutWordFault::Empty(word));
        }
        if word.chars().count() > OPT_OUT_WORD_LENGTH || compared.len() > MAX_COMPARABLE_BYTES {
            return Err(OptOutWordFault::TooLong(word));
        }
        if known.insert(compared) {
            words.push(word);
        }
    }
    if words.len() > MAX_OPT_OUT_WORDS {
        return Err(OptOutWordFault::TooMany);
    }
    Ok(words)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test that cannot read its own input should fail")]

    use serde_json::{Value, json};

    use super::*;

    fn is_opt_out_at(message: Value, ours: &str) -> bool {
        let words: HashSet<String> = PRESET_OPT_OUT_WORDS.iter().map(|word| comparable(word)).collect();
        let message: InboundMessage = serde_json::from_value(message).unwrap();
        let metadata = Metadata { display_phone_number: ours.to_owned(), ..Metadata::default() };
        message.short_reply(&metadata).is_some_and(|reply| reply.is_word(|word| words.contains(word)))
    }

    fn is_opt_out(content: Value) -> bool {
        let mut message = json!({"from": "5511987654321", "id": "wamid.1", "timestamp": "1700000000"});
        message.as_object_mut().unwrap().extend(content.as_object().unwrap().clone());
        is_opt_out_at(message, "+1 555 010 0000")
    }

    fn text(body: &str) -> Value {
        json!({"type": "text", "text": {"body": body}})
    }

    #[test]
    fn a_text_that_is_exactly_a_word_is_an_opt_out() {
        for body in [
            "stop",
            "STOP",
            "Stop.",
            " \"STOP\" ",
            "“Stop”",
            "*stop*",
            "stop!!!",
            "STOP 🛑",
            "\u{200e}Stop\u{200f}\n",
            // Full-width letters, a letter with a combining accent, and a capital I with a dot.
            "ＳＴＯＰ",
            "na\u{303}o quero receber",
            "NÃO QUERO RECEBER",
            "nao quero receber",
            "SAİR",
            "Sair",
            "PARAR",
            "descadastrar",
            "Opt-out",
            "opt  out",
            "OPTOUT",
            "StopAll",
            "Revoke",
            "Unsubscribe",
            "¡Baja!",
            "«baja»",
            "Cancelar suscripcion",
            "cancelar",
            "CANCEL",
        ] {
            assert!(is_opt_out(text(body)), "{body:?}");
        }
    }

    /// Inputs of public reports: sentences around a word, words that continue, and a word with a value.
    #[test]
    fn a_text_that_merely_contains_a_word_is_no_opt_out() {
        for body in [
            // ProgressiveCoders/Spoke#1016
            "Count me in! We have got to STOP this terrible bill from passing!!",
            // p2pu/learning-circles#593 and #372
            "Stop. Thank you",
            "please stop sending text reminders",
            // medic/cht-core#476
            "STOP 12345",
            // ProgressiveCoders/Spoke#2184
            "stop2quit",
            "don't contact me",
            // ARPU-PLUS/Kenya_InstantWin#8
            "stop sub",
            "Não pare!",
            "quero cancelar meu pedido",
            "parada",
            "stopp",
            "nonstop",
            "s.t.o.p",
            "a baja temperatura",
            "end",
            "",
            " ",
            "🛑",
            "...",
        ] {
            assert!(!is_opt_out(text(body)), "{body:?}");
        }
        assert!(!is_opt_out(text(&format!("stop{}", "!".repeat(MAX_COMPARED_BYTES)))));
    }

    /// Taps arrive in types of their own (rapidpro/rapidpro#1430), and the payload may say more than the label
    /// (chatwoot/chatwoot#12030).
    #[test]
    fn a_tap_is_an_opt_out_by_its_label_or_payload() {
        let button =
            |text: &str, payload: &str| json!({"type": "button", "button": {"text": text, "payload": payload}});
        let reply = |title: &str, id: &str| {
            json!({"type": "interactive",
                "interactive": {"type": "button_reply", "button_reply": {"id": id, "title": title}}})
        };
        for tap in [
            button("SAIR", "SAIR"),
            button("No thanks", "STOP"),
            button("Stop promotions", "b1"),
            reply("Sair", "1"),
            reply("Não, obrigado", "unsubscribe"),
            json!({"type": "button", "button": {"text": "Sair"}}),
        ] {
            assert!(is_opt_out(tap.clone()), "{tap}");
        }
        for tap in [
            button("Yes", "yes_stop"),
            // Of an appointment: Rock and others take “CANCEL” for an opt-out.
            button("Cancelar", "cancelar"),
            reply("Cancel", "cancel"),
            json!({"type": "interactive", "interactive": {"type": "list_reply", "list_reply": {"id": "stop", "title": "Stop"}}}),
            json!({"type": "interactive", "interactive": {"type": "button_reply"}}),
        ] {
            assert!(!is_opt_out(tap.clone()), "{tap}");
        }
    }

    #[test]
    fn other_messages_are_no_opt_outs() {
        for content in [
            json!({"type": "image", "image": {"id": "1", "caption": "stop"}}),
            json!({"type": "reaction", "reaction": {"message_id": "wamid.0", "emoji": "🛑"}}),
            json!({"type": "system", "system": {"body": "stop", "type": "user_changed_number"}}),
            json!({"type": "revoke", "revoke": {"original_message_id": "wamid.0"}}),
            json!({"type": "text"}),
            json!({"type": "text", "text": {"body": 7}}),
        ] {
            assert!(!is_opt_out(content.clone()), "{content}");
        }
        let ours =
            json!({"from": "15550100000", "id": "wamid.1", "timestamp": "1", "type": "text", "text": {"body": "stop"}});
        assert!(!is_opt_out_at(ours, "+1 555 010 0000"), "our own number wrote it");
    }

    #[test]
    fn an_edit_is_read_like_the_text_it_becomes() {
        let edit = |body: &str| {
            json!({"type": "edit", "edit": {"original_message_id": "wamid.0",
                "message": {"type": "text", "text": {"body": body}}}})
        };
        assert!(is_opt_out(edit("Stop")));
        assert!(!is_opt_out(edit("Stop by at nine")));
    }

    #[test]
    fn a_list_has_each_word_once_within_the_limits() {
        let check =
            |words: &[&str]| check_opt_out_words(&words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>());
        assert_eq!(check(&PRESET_OPT_OUT_WORDS).unwrap(), PRESET_OPT_OUT_WORDS);
        assert_eq!(check(&[" Stop  all ", "STOP-ALL", "Não", "nao"]).unwrap(), ["Stop all", "Não"]);
        assert_eq!(check(&[]).unwrap(), Vec::<String>::new());
        assert_eq!(check(&["stop", " 🛑 "]), Err(OptOutWordFault::Empty("🛑".to_owned())));
        let long = "é".repeat(OPT_OUT_WORD_LENGTH + 1);
        assert_eq!(check(&[&long]), Err(OptOutWordFault::TooLong(long.clone())));
        let many: Vec<String> = (0..=MAX_OPT_OUT_WORDS).map(|word| word.to_string()).collect();
        assert_eq!(check_opt_out_words(&many), Err(OptOutWordFault::TooMany));
    }
}
