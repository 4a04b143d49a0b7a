//! What a seeded sandbox starts with: two business managers, three WABAs, three numbers, and templates in every state.

use std::collections::BTreeMap;

use bytes::Bytes;
use model::envelope::RejectionInfo;
use model::template::Template;
use model::vocabulary::TemplateStatus;
use serde_json::{Value, json};

use crate::inner::Inner;
use crate::state::{Entry, Media, Number, State, Waba, now};
use crate::templates::create::{ADOPTING_BUSINESS, channel_id};
use crate::uploads::handle_of;

/// The business manager that owns [`WABA`] and [`SECOND_WABA`].
pub const BUSINESS: &str = ADOPTING_BUSINESS;
/// Another business manager.
pub const OTHER_BUSINESS: &str = "100000000000002";
/// The WABA of most samples.
pub const WABA: u64 = 200_000_000_000_001;
/// A second WABA of the same business manager.
pub const SECOND_WABA: u64 = 200_000_000_000_002;
/// A WABA of the other business manager.
pub const OTHER_WABA: u64 = 200_000_000_000_003;
/// The sending number of [`WABA`].
pub const NUMBER: &str = "300000000000001";
/// The sending number of [`SECOND_WABA`].
pub const SECOND_NUMBER: &str = "300000000000002";
/// The sending number of [`OTHER_WABA`].
pub const OTHER_NUMBER: &str = "300000000000003";

const HOUR_MS: i64 = 60 * 60 * 1000;

/// Declares the accounts; what is there already stays.
pub(crate) fn accounts(state: &mut State) {
    for (id, business_id, name) in [
        (WABA, BUSINESS, "Ipê Flores"),
        (SECOND_WABA, BUSINESS, "Ipê Flores Atacado"),
        (OTHER_WABA, OTHER_BUSINESS, "Clínica Aurora"),
    ] {
        let waba = Waba { business_id: business_id.to_owned(), name: name.to_owned() };
        state.wabas.entry(id).or_insert(waba);
    }
    for (id, waba, display, name) in [
        (NUMBER, WABA, "+55 11 5550-0101", "Ipê Flores"),
        (SECOND_NUMBER, SECOND_WABA, "+55 11 5550-0102", "Ipê Flores Atacado"),
        (OTHER_NUMBER, OTHER_WABA, "+55 21 5550-0103", "Clínica Aurora"),
    ] {
        let number = Number { waba: Some(waba), display: display.to_owned(), name: name.to_owned() };
        state.numbers.entry(id.to_owned()).or_insert(number);
    }
}

/// Adds the sample templates.
pub(crate) fn templates(inner: &Inner) -> std::io::Result<()> {
    let bytes = Bytes::from(picture(600, 314));
    let media =
        Media { mime_type: "image/png".to_owned(), filename: Some("sample.png".to_owned()), size: bytes.len() as u64 };
    let image = handle_of(&inner.store_file_blocking(bytes, media)?);
    inner.change(|state| {
        let samples = samples(&image);
        let count = i64::try_from(samples.len()).unwrap_or_default();
        for (index, sample) in samples.into_iter().enumerate() {
            let age = (count - i64::try_from(index).unwrap_or_default()) * 7 * HOUR_MS;
            add(state, sample, now() - age);
        }
    });
    Ok(())
}

/// Most templates that [`crate::Sandbox::add_templates`] adds at once.
pub(crate) const MOST_ADDED: usize = 200_000;

/// Adds `count` plain templates in many states, to see how a client copes with many.
pub(crate) fn many(state: &mut State, count: usize) {
    const STATUSES: &[&str] = &["APPROVED", "APPROVED", "APPROVED", "APPROVED", "REJECTED", "PAUSED"];
    const TOPICS: &[&str] = &["order", "offer", "visit", "invoice", "survey", "welcome", "refund"];
    const CATEGORIES: &[&str] = &["marketing", "utility"];
    const LANGUAGES: &[&str] = &["pt_BR", "en_US", "es"];
    accounts(state);
    for index in 0..count {
        let pick = |words: &'static [&'static str], step: usize| words[(index / step) % words.len()];
        let number = state.sequence + 1;
        let name = format!("{}_{number:06}", pick(TOPICS, 1));
        let text = format!("Olá {{{{1}}}}, esta é a mensagem número {number} sobre o assunto que você pediu.");
        let components = json!([body(&text, &["Ana"])]);
        let content = content(&name, pick(LANGUAGES, 3), pick(CATEGORIES, 2), components);
        let wabas: &[u64] = if index % 4 == 3 { &[SECOND_WABA] } else { &[WABA] };
        let at = now() - i64::try_from(index).unwrap_or_default() * 1000;
        add(state, Sample { wabas, archived: index % 50 == 49, ..plain(pick(STATUSES, 1), content) }, at);
    }
}

struct Sample {
    status: &'static str,
    archived: bool,
    wabas: &'static [u64],
    reason: Option<(&'static str, &'static str, &'static str)>,
    content: Value,
}

fn add(state: &mut State, sample: Sample, at: i64) {
    let template: Template = serde_json::from_value(sample.content).expect("samples are templates");
    let business_id = if sample.wabas.contains(&OTHER_WABA) { OTHER_BUSINESS } else { BUSINESS };
    let entry = Entry {
        uuid: uuid::Uuid::new_v4().to_string(),
        ids: sample.wabas.iter().map(|waba| (*waba, channel_id())).collect(),
        business_id: business_id.to_owned(),
        template,
        status: TemplateStatus::from(sample.status),
        archived_at: sample.archived.then_some(at + HOUR_MS),
        created_at: at,
        updated_at: at + HOUR_MS / 4,
        reason: sample.reason.map(|(code, ..)| code.to_owned()),
        rejection_info: sample.reason.map(|(_, reason, recommendation)| RejectionInfo {
            reason: Some(reason.to_owned()),
            recommendation: Some(recommendation.to_owned()),
            ..RejectionInfo::default()
        }),
        edits: Vec::new(),
        round: 0,
        files: BTreeMap::new(),
    };
    let sequence = state.next();
    state.templates.insert(sequence, entry);
}

fn plain(status: &'static str, content: Value) -> Sample {
    Sample { status, archived: false, wabas: &[WABA], reason: None, content }
}

fn body(text: &str, samples: &[&str]) -> Value {
    if samples.is_empty() {
        json!({ "type": "BODY", "text": text })
    } else {
        json!({ "type": "BODY", "text": text, "example": { "body_text": [samples] } })
    }
}

fn content(name: &str, language: &str, category: &str, components: Value) -> Value {
    json!({ "name": name, "language": language, "category": category, "components": components })
}

fn samples(image: &str) -> Vec<Sample> {
    let image_header = || json!({ "type": "HEADER", "format": "IMAGE", "example": { "header_handle": [image] } });
    let card = |text: &str, slug: &str| {
        json!({ "components": [
            image_header(),
            body(text, &[]),
            { "type": "BUTTONS", "buttons": [
                { "type": "QUICK_REPLY", "text": "Quero este" },
                { "type": "URL", "text": "Ver", "url": "https://flores.example/p/{{1}}", "example": [format!("https://flores.example/p/{slug}")] },
            ] },
        ] })
    };
    let quick = |labels: &[&str]| -> Vec<Value> {
        labels.iter().map(|label| json!({ "type": "QUICK_REPLY", "text": label })).collect()
    };
    let order = |language: &str, text: &str, samples: &[&str], label: &str| {
        content(
            "order_shipped",
            language,
            "utility",
            json!([
                body(text, samples),
                { "type": "BUTTONS", "buttons": [
                    { "type": "URL", "text": label, "url": "https://flores.example/t/{{1}}", "example": ["https://flores.example/t/860198"] },
                ] },
            ]),
        )
    };
    vec![
        plain(
            "APPROVED",
            order(
                "pt_BR",
                "Olá {{1}}, o pedido {{2}} saiu para entrega e chega ainda hoje.",
                &["Ana", "860198"],
                "Acompanhar",
            ),
        ),
        plain(
            "APPROVED",
            order(
                "en_US",
                "Hi {{1}}, your order {{2}} is on its way and arrives today.",
                &["Ana", "860198"],
                "Track it",
            ),
        ),
        plain(
            "PENDING",
            order("es", "Hola {{1}}, tu pedido {{2}} está en camino y llega hoy mismo.", &["Ana", "860198"], "Seguir"),
        ),
        Sample {
            wabas: &[WABA, SECOND_WABA],
            ..plain(
                "APPROVED",
                content(
                    "spring_sale",
                    "pt_BR",
                    "marketing",
                    json!([
                        image_header(),
                        body("*Primavera chegou*, {{1}}! 🌷\nTodas as orquídeas com _20 %_ de desconto até {{2}}, só nesta semana.", &["Ana", "domingo"]),
                        { "type": "FOOTER", "text": "Responda SAIR para não receber ofertas" },
                        { "type": "BUTTONS", "buttons": [
                            { "type": "URL", "text": "Ver ofertas", "url": "https://flores.example/primavera" },
                            { "type": "QUICK_REPLY", "text": "Quero saber mais" },
                            { "type": "QUICK_REPLY", "text": "SAIR" },
                        ] },
                    ]),
                ),
            )
        },
        plain(
            "APPROVED",
            content(
                "bouquets",
                "pt_BR",
                "marketing",
                json!([
                    body("Escolhemos estes buquês para você, {{1}}. Deslize para ver todos.", &["Ana"]),
                    { "type": "CAROUSEL", "cards": [
                        card("Tulipas da estação", "tulipas"),
                        card("Rosas do campo", "rosas"),
                        card("Orquídea branca", "orquidea"),
                    ] },
                ]),
            ),
        ),
        plain(
            "APPROVED",
            content(
                "visit_reminder",
                "pt_BR",
                "utility",
                json!([
                    { "type": "HEADER", "format": "TEXT", "text": "Lembrete de visita" },
                    body("Sua visita é em {{1}} às {{2}} na nossa loja. Podemos confirmar?", &["12 de maio", "10h"]),
                    { "type": "BUTTONS", "buttons": quick(&["Confirmar", "Remarcar", "Cancelar"]) },
                ]),
            ),
        ),
        plain(
            "APPROVED",
            content(
                "feedback",
                "en_US",
                "marketing",
                json!([
                    body("How did you like your flowers? One tap is enough for us.", &[]),
                    { "type": "BUTTONS", "buttons": quick(&["Loved them", "They were fine", "Not so much", "Call me"]) },
                ]),
            ),
        ),
        plain(
            "APPROVED",
            content(
                "coupon",
                "es",
                "marketing",
                json!([
                    body("Un regalo para ti, {{1}}: usa el código en tu próxima compra.", &["Ana"]),
                    { "type": "BUTTONS", "buttons": [{ "type": "COPY_CODE", "example": "FLORES15" }] },
                ]),
            ),
        ),
        Sample {
            wabas: &[OTHER_WABA],
            ..plain(
                "APPROVED",
                content(
                    "login_code",
                    "pt_BR",
                    "authentication",
                    json!([
                        { "type": "BODY", "add_security_recommendation": true },
                        { "type": "FOOTER", "code_expiration_minutes": 5 },
                        { "type": "BUTTONS", "buttons": [{ "type": "OTP", "otp_type": "COPY_CODE", "text": "Copiar código" }] },
                    ]),
                ),
            )
        },
        Sample {
            reason: Some((
                "INVALID_FORMAT",
                "The template has variables that touch each other.",
                "Put words between the variables of `components[0].text` and submit the template again.",
            )),
            ..plain(
                "REJECTED",
                content(
                    "greeting",
                    "pt_BR",
                    "marketing",
                    json!([body(
                        "Bem-vinda à nossa loja, {{1}}{{2}}, aproveite a semana de flores.",
                        &["Ana", "Souza"]
                    ),]),
                ),
            )
        },
        plain(
            "PAUSED",
            content(
                "weekly_offer",
                "pt_BR",
                "marketing",
                json!([body("A oferta desta semana é {{1}}, enquanto durar o estoque.", &["girassóis"]),]),
            ),
        ),
        plain(
            "DISABLED",
            content(
                "daily_offer",
                "pt_BR",
                "marketing",
                json!([body("Todo dia uma nova oferta: hoje é {{1}}, só até a noite.", &["lírios"]),]),
            ),
        ),
        Sample {
            archived: true,
            ..plain(
                "APPROVED",
                content(
                    "christmas_2025",
                    "pt_BR",
                    "marketing",
                    json!([body("Boas festas, {{1}}! Obrigado por um ano florido conosco.", &["Ana"]),]),
                ),
            )
        },
    ]
}

/// A soft gradient as PNG, with the pixels stored uncompressed: no encoder is worth its code for one sample.
fn picture(width: u32, height: u32) -> Vec<u8> {
    let mut rows = Vec::new();
    for y in 0..height {
        rows.push(0);
        for x in 0..width {
            let across = x * 255 / width;
            let down = y * 255 / height;
            let shade =
                |from: u32, to: u32, by: u32| u8::try_from((from * (255 - by) + to * by) / 255).unwrap_or(u8::MAX);
            rows.extend([shade(244, 96, across), shade(166, 140, down), shade(160, 190, across.midpoint(down))]);
        }
    }
    let mut stream = vec![0x78, 0x01];
    let blocks: Vec<&[u8]> = rows.chunks(0xffff).collect();
    for (index, block) in blocks.iter().enumerate() {
        let length = u16::try_from(block.len()).unwrap_or(u16::MAX);
        stream.push(u8::from(index + 1 == blocks.len()));
        stream.extend(length.to_le_bytes());
        stream.extend((!length).to_le_bytes());
        stream.extend_from_slice(block);
    }
    stream.extend(adler32(&rows).to_be_bytes());

    let mut header = Vec::new();
    header.extend(width.to_be_bytes());
    header.extend(height.to_be_bytes());
    // Eight bits a channel, RGB, no interlacing.
    header.extend([8, 2, 0, 0, 0]);
    let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
    for (name, data) in [(b"IHDR", &header), (b"IDAT", &stream), (b"IEND", &Vec::new())] {
        png.extend(u32::try_from(data.len()).unwrap_or(u32::MAX).to_be_bytes());
        let start = png.len();
        png.extend_from_slice(name);
        png.extend_from_slice(data);
        let checksum = crc32(&png[start..]);
        png.extend(checksum.to_be_bytes());
    }
    png
}

fn adler32(bytes: &[u8]) -> u32 {
    let (a, b) = bytes.iter().fold((1_u32, 0_u32), |(a, b), byte| {
        let a = (a + u32::from(*byte)) % 65_521;
        (a, (b + a) % 65_521)
    });
    (b << 16) | a
}

fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| if crc & 1 == 1 { (crc >> 1) ^ 0xedb8_8320 } else { crc >> 1 })
    })
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a sample that is no template is a mistake of this file")]

    use super::{adler32, crc32, samples};

    #[test]
    fn checksums_are_those_of_the_standards() {
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
        assert_eq!(adler32(b"Wikipedia"), 0x11e6_0398);
    }

    /// A person who opens a sample must not find errors that nobody told them of.
    #[test]
    fn samples_keep_the_rules_unless_they_are_rejected() {
        for sample in samples("4::sample") {
            let judgement = crate::rules::judge(&serde_json::from_value(sample.content.clone()).unwrap());
            assert_eq!(judgement.refused, [], "{}", sample.content);
            assert_eq!(judgement.rejected.is_empty(), sample.status != "REJECTED", "{judgement:?}");
        }
    }
}
