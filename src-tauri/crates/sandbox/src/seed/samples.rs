//! The sample templates.

use serde_json::{Value, json};

use super::{OTHER_WABA, SECOND_WABA, Sample, WABA, body, content, plain};

/// All kinds of templates, with common statuses. The first is the oldest.
pub(crate) fn samples(image: &str) -> Vec<Sample> {
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
    let offer = |language: &str, heading: &str, text: &str, label: &str| {
        content(
            "summer_offer",
            language,
            "marketing",
            json!([
                image_header(),
                { "type": "LIMITED_TIME_OFFER", "limited_time_offer": { "text": heading, "has_expiration": true } },
                body(text, &["Ana"]),
                { "type": "BUTTONS", "buttons": [
                    { "type": "COPY_CODE", "example": "VERAO20" },
                    { "type": "URL", "text": label, "url": "https://flores.example/o/{{1}}", "example": ["https://flores.example/o/verao20"] },
                ] },
            ]),
        )
    };
    let kit = |text: &str, samples: &[&str]| {
        json!({ "components": [
            image_header(),
            body(text, samples),
            { "type": "BUTTONS", "buttons": quick(&["Quero este"]) },
        ] })
    };
    vec![
        plain(
            "APPROVED",
            offer(
                "pt_BR",
                "Últimas horas",
                "Só hoje, {{1}}: girassóis com 20 % de desconto até a meia-noite.",
                "Aproveitar",
            ),
        ),
        plain(
            "PAUSED",
            offer(
                "es",
                "Últimas horas",
                "Solo hoy, {{1}}: girasoles con un 20 % de descuento hasta la medianoche.",
                "Aprovechar",
            ),
        ),
        Sample {
            reason: Some((
                "INVALID_FORMAT",
                "The second card has variables that touch each other.",
                "Put words between the variables of `components[1].cards[1].components[1].text` and submit the template again.",
            )),
            ..plain(
                "REJECTED",
                content(
                    "tulip_cards",
                    "pt_BR",
                    "marketing",
                    json!([
                        body("Montamos estes kits de tulipas para você, {{1}}. Qual combina com a sua casa?", &["Ana"]),
                        { "type": "CAROUSEL", "cards": [
                            kit("Kit vermelho por {{1}} reais, com vaso", &["89"]),
                            kit("Kit amarelo por {{1}}{{2}}, com vaso", &["R$", "95"]),
                            kit("Kit branco por {{1}} reais, com vaso", &["99"]),
                        ] },
                    ]),
                ),
            )
        },
        Sample {
            reason: Some(("PROMOTIONAL", "", "")),
            ..plain(
                "REJECTED",
                content(
                    "survey_thanks",
                    "en_US",
                    "utility",
                    json!([
                        { "type": "HEADER", "format": "TEXT", "text": "Thank you" },
                        body("Your answer arrived, {{1}}. Take 10 % off your next bouquet with the code we keep for you.", &["Ana"]),
                        { "type": "FOOTER", "text": "Ipê Flores" },
                    ]),
                ),
            )
        },
        plain(
            "APPROVED",
            content(
                "verify_device",
                "en_US",
                "authentication",
                json!([
                    { "type": "BODY", "add_security_recommendation": true },
                    { "type": "FOOTER", "code_expiration_minutes": 10 },
                    { "type": "BUTTONS", "buttons": [{
                        "type": "OTP",
                        "otp_type": "ONE_TAP",
                        "text": "Copy code",
                        "autofill_text": "Autofill",
                        "supported_apps": [{ "package_name": "example.flores.app", "signature_hash": "K8a/AINcGX7" }],
                    }] },
                ]),
            ),
        ),
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

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a sample that is no template is a mistake of this file")]

    use model::template::Template;

    use super::{Sample, samples};

    fn read() -> Vec<(Sample, Template)> {
        let read = |sample: Sample| (serde_json::from_value(sample.content.clone()).unwrap(), sample);
        samples("4::sample").into_iter().map(read).map(|(template, sample)| (sample, template)).collect()
    }

    /// Opening a sample must show no unexpected errors.
    #[test]
    fn samples_are_valid_unless_rejected_for_their_format() {
        for (sample, template) in read() {
            let judgement = crate::rules::judge(&template, crate::Profile::Whatsapp);
            assert_eq!(judgement.refused, [], "{}", sample.content);
            let malformed = sample.reason.is_some_and(|(reason, ..)| reason == "INVALID_FORMAT");
            assert_eq!(judgement.rejected.is_empty(), !malformed, "{judgement:?}");
        }
    }

    /// Each rejection points to a field, so that users can practise the correction.
    #[test]
    fn rejections_name_their_field() {
        let mut places = Vec::new();
        for (sample, template) in read() {
            assert_eq!(sample.status == "REJECTED", sample.reason.is_some(), "{}", sample.content);
            let Some((reason, ..)) = sample.reason else { continue };
            let info = sample.rejection_info();
            let guidance = model::rejection::guidance(&template, Some(reason), info.as_ref());
            places.push(guidance[0].path.clone());
        }
        assert_eq!(places, ["/components/1/cards/1/components/1/text", "/category", "/components/0/text"]);
    }
}
