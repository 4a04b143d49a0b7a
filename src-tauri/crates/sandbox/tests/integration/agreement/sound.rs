//! Valid templates of every kind.

use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Map, Value, json};

/// Kind of a file of a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Image,
    Video,
    Pdf,
}

impl Kind {
    pub(crate) fn bytes(self) -> &'static [u8] {
        match self {
            Self::Image => crate::bench::PNG,
            Self::Video => b"\0\0\0\x18ftypisom\0\0\0\0",
            Self::Pdf => b"%PDF-1.7\n",
        }
    }

    pub(crate) fn mime(self) -> &'static str {
        match self {
            Self::Image => "image/png",
            Self::Video => "video/mp4",
            Self::Pdf => "application/pdf",
        }
    }
}

/// A template and its files.
#[derive(Clone, Debug)]
pub(crate) struct Sample {
    pub(crate) template: Value,
    pub(crate) header_file: Option<Kind>,
    /// One for each card, in the same order.
    pub(crate) card_files: Vec<Option<Kind>>,
}

impl Sample {
    fn of(template: Value) -> Self {
        Self { template, header_file: None, card_files: Vec::new() }
    }
}

fn words() -> impl Strategy<Value = String> {
    "[A-Z][a-zà-ü]{2,7}( [a-zà-ü]{2,7}){2,4}"
}

fn label() -> impl Strategy<Value = String> {
    "[A-Z][a-z]{2,10}( [a-z]{2,10})?"
}

/// A text with this many variables, each between words, and its samples.
fn text(variables: usize, named: bool) -> impl Strategy<Value = (String, Vec<(String, String)>)> {
    (prop::collection::vec(words(), variables + 1), prop::collection::vec("[A-Za-z0-9]{1,9}", variables)).prop_map(
        move |(words, samples)| {
            let name = |index: usize| {
                if named { format!("value_{}", char::from(b'a' + index as u8)) } else { (index + 1).to_string() }
            };
            let samples: Vec<_> = samples.into_iter().enumerate().map(|(at, sample)| (name(at), sample)).collect();
            let mut text = words[0].clone();
            for (words, (name, _)) in words[1..].iter().zip(&samples) {
                text.push_str(&format!(" {{{{{name}}}}} {words}"));
            }
            (text, samples)
        },
    )
}

fn body(variables: usize, named: bool) -> impl Strategy<Value = Value> {
    text(variables, named).prop_map(move |(text, samples)| {
        let mut body = json!({ "type": "BODY", "text": text });
        if named && !samples.is_empty() {
            let samples: Vec<Value> =
                samples.iter().map(|(name, sample)| json!({ "param_name": name, "example": sample })).collect();
            body["example"] = json!({ "body_text_named_params": samples });
        } else if !samples.is_empty() {
            body["example"] = json!({ "body_text": [samples.iter().map(|(_, sample)| sample).collect::<Vec<_>>()] });
        }
        body
    })
}

fn any_body(named: bool) -> impl Strategy<Value = Value> {
    (0..4_usize).prop_flat_map(move |variables| body(variables, named))
}

/// A media header: its file is in the request, or its sample was uploaded before.
fn media(kinds: &'static [(&'static str, Kind)]) -> impl Strategy<Value = (Value, Option<Kind>)> {
    (select(kinds), any::<bool>()).prop_map(|((format, kind), sent)| {
        let handle = if sent { "UPLOAD_PENDING" } else { "4::aGFuZGxl" };
        let header = json!({ "type": "HEADER", "format": format, "example": { "header_handle": [handle] } });
        (header, sent.then_some(kind))
    })
}

const MEDIA: &[(&str, Kind)] = &[("IMAGE", Kind::Image), ("VIDEO", Kind::Video), ("DOCUMENT", Kind::Pdf)];

fn header(named: bool) -> BoxedStrategy<(Option<Value>, Option<Kind>)> {
    let line = (0..2_usize).prop_flat_map(move |variables| text(variables, named)).prop_map(move |(text, samples)| {
        let mut header = json!({ "type": "HEADER", "format": "TEXT", "text": text });
        if let Some((name, sample)) = samples.first() {
            header["example"] = if named {
                json!({ "header_text_named_params": [{ "param_name": name, "example": sample }] })
            } else {
                json!({ "header_text": [sample] })
            };
        }
        // Words have at most eight letters: six of them and a variable fit.
        (Some(header), None)
    });
    prop_oneof![
        Just((None, None)),
        line.prop_filter("a header has 60 characters", |(header, _)| {
            header.as_ref().is_some_and(|header| header["text"].as_str().is_some_and(|text| text.chars().count() <= 60))
        }),
        media(MEDIA).prop_map(|(header, file)| (Some(header), file)),
        Just((Some(json!({ "type": "HEADER", "format": "LOCATION" })), None)),
    ]
    .boxed()
}

fn url_button() -> impl Strategy<Value = Value> {
    (label(), any::<bool>()).prop_map(|(text, variable)| {
        let mut button = json!({ "type": "URL", "text": text, "url": "https://x.example/offers" });
        if variable {
            button["url"] = json!("https://x.example/offers?code={{1}}");
            button["example"] = json!(["https://x.example/offers?code=summer"]);
        }
        button
    })
}

fn action_button() -> impl Strategy<Value = Value> {
    prop_oneof![
        (label(), "[+]?[1-9][0-9]{7,13}")
            .prop_map(|(text, number)| json!({ "type": "PHONE_NUMBER", "text": text, "phone_number": number })),
        "[A-Z0-9]{1,15}".prop_map(|code| json!({ "type": "COPY_CODE", "example": code })),
        (label(), "[0-9]{5,12}").prop_map(|(text, id)| json!({
            "type": "FLOW", "text": text, "flow_id": id, "flow_action": "navigate", "navigate_screen": "START"
        })),
        (label().prop_filter("a label has 20 characters", |text| text.len() <= 20), 1_440..43_200_u64)
            .prop_map(|(text, minutes)| json!({ "type": "VOICE_CALL", "text": text, "ttl_minutes": minutes })),
        Just(json!({ "type": "REQUEST_CONTACT_INFO" })),
    ]
}

fn buttons() -> impl Strategy<Value = Option<Value>> {
    let quick = label().prop_map(|text| json!({ "type": "QUICK_REPLY", "text": text }));
    let quick = prop::collection::vec(quick, 0..4);
    let other = (prop::collection::vec(url_button(), 0..3), prop::option::of(action_button()));
    (quick, other, any::<bool>()).prop_map(|(quick, (urls, action), quick_first)| {
        let other: Vec<Value> = urls.into_iter().chain(action).collect();
        let row: Vec<Value> = if quick_first { [quick, other].concat() } else { [other, quick].concat() };
        (!row.is_empty()).then(|| json!({ "type": "BUTTONS", "buttons": row }))
    })
}

fn footer() -> impl Strategy<Value = Option<Value>> {
    prop::option::of(words()).prop_map(|text| text.map(|text| json!({ "type": "FOOTER", "text": text })))
}

fn template(category: &str, components: impl IntoIterator<Item = Value>) -> Value {
    let components: Vec<Value> = components.into_iter().collect();
    json!({ "name": "sound", "language": "pt_BR", "category": category, "components": components })
}

fn ordinary() -> impl Strategy<Value = Sample> {
    let category = select(vec!["marketing", "utility"]);
    (category, any::<bool>()).prop_flat_map(|(category, named)| {
        (header(named), any_body(named), footer(), buttons()).prop_map(
            move |((header, file), body, footer, buttons)| {
                let mut made = template(category, header.into_iter().chain([body]).chain(footer).chain(buttons));
                if named {
                    made["parameter_format"] = json!("NAMED");
                }
                Sample { header_file: file, ..Sample::of(made) }
            },
        )
    })
}

/// A carousel whose cards have the same components, with different texts and files.
fn carousel() -> impl Strategy<Value = Sample> {
    let formats: Vec<&'static [(&str, Kind)]> = vec![&[("IMAGE", Kind::Image)], &[("VIDEO", Kind::Video)]];
    (2..=10_usize, any::<bool>(), 0..3_usize, select(formats)).prop_flat_map(|(cards, bodies, variables, format)| {
        let short = |text: &Value| text["text"].as_str().is_some_and(|text| text.chars().count() <= 160);
        let card = (
            media(format),
            body(variables.min(1), false).prop_filter("a card has 160 characters", short),
            label(),
            url_button(),
        );
        (any_body(false), prop::collection::vec(card, cards)).prop_map(move |(body, cards)| {
            let mut files = Vec::new();
            let cards: Vec<Value> = cards
                .into_iter()
                .map(|((header, file), body, label, url)| {
                    files.push(file);
                    let row = json!({ "type": "BUTTONS", "buttons": [{ "type": "QUICK_REPLY", "text": label }, url] });
                    let components: Vec<Value> =
                        [Some(header), bodies.then_some(body), Some(row)].into_iter().flatten().collect();
                    json!({ "components": components })
                })
                .collect();
            let made = template("marketing", [body, json!({ "type": "CAROUSEL", "cards": cards })]);
            Sample { card_files: files, ..Sample::of(made) }
        })
    })
}

fn product_cards() -> impl Strategy<Value = Sample> {
    (any_body(false), 2..=10_usize, prop::option::of(url_button())).prop_map(|(body, cards, url)| {
        let button = url.unwrap_or_else(|| json!({ "type": "SPM", "text": "View" }));
        let card = json!({ "components": [
            { "type": "HEADER", "format": "PRODUCT" },
            { "type": "BUTTONS", "buttons": [button] },
        ] });
        Sample::of(template("marketing", [body, json!({ "type": "CAROUSEL", "cards": vec![card; cards] })]))
    })
}

fn offer() -> impl Strategy<Value = Sample> {
    const FORMATS: &[(&str, Kind)] = &[("IMAGE", Kind::Image), ("VIDEO", Kind::Video)];
    (prop::option::of(media(FORMATS)), any_body(false), "[A-Z][a-z]{2,14}", "[A-Z0-9]{1,15}", url_button()).prop_map(
        |(header, body, heading, code, url)| {
            let (header, file) = header.map_or((None, None), |(header, file)| (Some(header), file));
            let offer = json!({
                "type": "LIMITED_TIME_OFFER",
                "limited_time_offer": { "text": heading, "has_expiration": true },
            });
            let row = json!({ "type": "BUTTONS", "buttons": [{ "type": "COPY_CODE", "example": code }, url] });
            Sample {
                header_file: file,
                ..Sample::of(template("marketing", header.into_iter().chain([offer, body, row])))
            }
        },
    )
}

fn authentication() -> impl Strategy<Value = Sample> {
    (select(vec!["COPY_CODE", "ONE_TAP", "ZERO_TAP"]), prop::option::of(1..=90_u32), 1..=5_usize, any::<bool>())
        .prop_map(|(kind, minutes, apps, advice)| {
            let mut button = json!({ "type": "OTP", "otp_type": kind, "text": "Copy code" });
            if kind != "COPY_CODE" {
                let app = json!({ "package_name": "com.example.app", "signature_hash": "K8a/AINcGX7" });
                button["autofill_text"] = json!("Autofill");
                button["supported_apps"] = json!(vec![app; apps]);
            }
            if kind == "ZERO_TAP" {
                button["zero_tap_terms_accepted"] = json!(true);
            }
            let body = json!({ "type": "BODY", "add_security_recommendation": advice });
            let footer = minutes.map(|minutes| json!({ "type": "FOOTER", "code_expiration_minutes": minutes }));
            let row = json!({ "type": "BUTTONS", "buttons": [button] });
            let mut made = template("authentication", [Some(body), footer, Some(row)].into_iter().flatten());
            made["message_send_ttl_seconds"] = json!(60);
            Sample::of(made)
        })
}

/// Templates with a single special button: products, orders, call permission.
fn special() -> impl Strategy<Value = Sample> {
    let button = |kind: &str, text: &str| json!({ "type": "BUTTONS", "buttons": [{ "type": kind, "text": text }] });
    let short = |body: &Value| body["text"].as_str().is_some_and(|text| text.chars().count() <= 160);
    (0..5_usize, any_body(false).prop_filter("a product has 160 characters", short), footer()).prop_map(
        move |(kind, body, footer)| {
            let with = |category: &str, header: Option<Value>, row: Value| {
                template(category, header.into_iter().chain([body.clone()]).chain(footer.clone()).chain([row]))
            };
            Sample::of(match kind {
                0 => with("marketing", None, button("CATALOG", "View catalog")),
                1 => with(
                    "marketing",
                    Some(json!({ "type": "HEADER", "format": "TEXT", "text": "Our choice" })),
                    button("MPM", "View items"),
                ),
                2 => with("marketing", Some(json!({ "type": "HEADER", "format": "PRODUCT" })), button("SPM", "View")),
                3 => {
                    let mut made = with("utility", None, button("ORDER_DETAILS", "Copy Pix code"));
                    made["display_format"] = json!("ORDER_DETAILS");
                    made["order_data"] = json!({ "reference_id": "ord-1" });
                    made["pix_data"] = json!("{\"key\":\"39580525000189\"}");
                    made
                }
                _ => template("utility", [body.clone(), json!({ "type": "CALL_PERMISSION_REQUEST" })]),
            })
        },
    )
}

/// Fields above the components that are valid with any content.
fn headings() -> impl Strategy<Value = Map<String, Value>> {
    let words =
        [("type", json!("cloud_api")), ("sub_category", json!("CUSTOM")), ("x_unknown", json!({ "kept": [1] }))];
    prop::sample::subsequence(words.to_vec(), 0..=3)
        .prop_map(|chosen| chosen.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
}

/// Any valid template.
pub(crate) fn sound() -> impl Strategy<Value = Sample> {
    let kinds = prop_oneof![
        4 => ordinary(),
        3 => carousel(),
        1 => product_cards(),
        1 => offer(),
        1 => authentication(),
        2 => special(),
    ];
    (kinds, headings(), "[a-z][a-z0-9_]{0,12}", select(vec!["pt_BR", "en_US", "es", "ar"])).prop_map(
        |(mut sample, headings, name, language)| {
            let template = sample.template.as_object_mut().expect("a template is an object");
            template.extend(headings);
            template["name"] = json!(name);
            template["language"] = json!(language);
            sample
        },
    )
}
