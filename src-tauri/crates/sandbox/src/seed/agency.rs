//! What the profile `agency` starts with beside the samples: templates in one, two and three accounts, and the same
//! template in accounts of two businesses.

use serde_json::json;

use super::{OTHER_WABA, SECOND_WABA, Sample, THIRD_WABA, WABA, body, content, plain};

/// A status that the channel reports for one account after the first listing, with the reason of a rejection.
pub(crate) type LaterStatus = (u64, &'static str, Option<&'static str>);

/// The first is the oldest. Each with the statuses in which its accounts come to differ.
pub(crate) fn templates(image: &str) -> Vec<(Sample, &'static [LaterStatus])> {
    let image_header = json!({ "type": "HEADER", "format": "IMAGE", "example": { "header_handle": [image] } });
    let reply = |label: &str| json!({ "type": "QUICK_REPLY", "text": label });
    let mut hours = content(
        "opening_hours",
        "pt_BR",
        "utility",
        json!([
            {
                "type": "BODY",
                "text": "Olá {{nome}}, neste feriado abrimos das {{abertura}} às {{fechamento}}.",
                "example": { "body_text_named_params": [
                    { "param_name": "nome", "example": "Ana" },
                    { "param_name": "abertura", "example": "9h" },
                    { "param_name": "fechamento", "example": "13h" },
                ] },
            },
            { "type": "FOOTER", "text": "Ipê Flores" },
        ]),
    );
    hours["parameter_format"] = json!("NAMED");
    hours["message_send_ttl_seconds"] = json!(43_200);
    let mut reminder = content(
        "visit_reminder",
        "pt_BR",
        "utility",
        json!([
            { "type": "HEADER", "format": "TEXT", "text": "Lembrete de consulta" },
            body("Sua consulta é em {{1}} às {{2}} na Clínica Aurora. Podemos confirmar?", &["12 de maio", "10h"]),
            { "type": "BUTTONS", "buttons": [
                reply("Confirmar"),
                reply("Remarcar"),
                { "type": "PHONE_NUMBER", "text": "Ligar", "phone_number": "+552155500103" },
            ] },
        ]),
    );
    reminder["type"] = json!("cloud_api");
    let mut news = content(
        "monthly_news",
        "pt_BR",
        "marketing",
        json!([
            image_header,
            body("As novidades de {{1}} chegaram, {{2}}. Veja o que separamos para a sua loja.", &["maio", "Ana"]),
            { "type": "FOOTER", "text": "Responda SAIR para não receber ofertas" },
            { "type": "BUTTONS", "buttons": [
                { "type": "URL", "text": "Ver novidades", "url": "https://flores.example/n/{{1}}", "example": ["https://flores.example/n/maio"] },
                reply("SAIR"),
            ] },
        ]),
    );
    news["type"] = json!("marketing_lite");
    let checkup = content(
        "checkup_offer",
        "pt_BR",
        "marketing",
        json!([
            body("Olá {{1}}, em {{2}} o check-up na Clínica Aurora tem 20% de desconto. Quer um horário?", &["Ana", "maio"]),
            { "type": "FOOTER", "text": "Responda SAIR para não receber ofertas" },
            { "type": "BUTTONS", "buttons": [reply("Quero um horário"), reply("SAIR")] },
        ]),
    );
    vec![
        (Sample { wabas: &[OTHER_WABA], ..plain("APPROVED", checkup) }, &[]),
        (Sample { wabas: &[WABA, SECOND_WABA, THIRD_WABA], ..plain("APPROVED", hours) }, &[]),
        (Sample { wabas: &[OTHER_WABA], ..plain("PENDING", reminder) }, &[]),
        (
            Sample {
                wabas: &[THIRD_WABA],
                ..plain(
                    "APPROVED",
                    content(
                        "wedding_quote",
                        "pt_BR",
                        "utility",
                        json!([
                            body("Olá {{1}}, o orçamento das flores do seu casamento em {{2}} está pronto.", &["Ana", "12 de maio"]),
                            { "type": "BUTTONS", "buttons": [
                                { "type": "URL", "text": "Ver orçamento", "url": "https://flores.example/q/{{1}}", "example": ["https://flores.example/q/860198"] },
                            ] },
                        ]),
                    ),
                )
            },
            &[],
        ),
        (
            Sample {
                wabas: &[SECOND_WABA],
                ..plain(
                    "APPROVED",
                    content(
                        "order_shipped",
                        "pt_BR",
                        "utility",
                        json!([body(
                            "Olá {{1}}, as {{2}} caixas do seu pedido saíram do nosso armazém hoje cedo.",
                            &["Ana", "12"]
                        )]),
                    ),
                )
            },
            &[],
        ),
        (Sample { wabas: &[WABA, THIRD_WABA], ..plain("APPROVED", news) }, &[(THIRD_WABA, "PAUSED", None)]),
        (
            Sample {
                wabas: &[WABA, SECOND_WABA, THIRD_WABA],
                ..plain(
                    "APPROVED",
                    content(
                        "loyalty_points",
                        "pt_BR",
                        "marketing",
                        json!([
                            { "type": "HEADER", "format": "TEXT", "text": "Clube Ipê" },
                            body("Olá {{1}}, você tem *{{2}} pontos* no Clube Ipê. Troque por flores até domingo.", &["Ana", "120"]),
                            { "type": "FOOTER", "text": "Responda SAIR para não receber ofertas" },
                            { "type": "BUTTONS", "buttons": [reply("Quero trocar"), reply("SAIR")] },
                        ]),
                    ),
                )
            },
            &[(SECOND_WABA, "PAUSED", None), (THIRD_WABA, "REJECTED", Some("TAG_CONTENT_MISMATCH"))],
        ),
    ]
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a sample that is no template is a mistake of this file")]

    use std::collections::BTreeSet;

    use model::template::Template;

    use super::templates;
    use crate::Profile;
    use crate::seed::{accounts, samples};

    #[test]
    fn templates_are_valid_and_in_one_two_and_three_accounts_of_one_business() {
        let mut sizes = BTreeSet::new();
        for (sample, later) in templates("4::sample") {
            let template: Template = serde_json::from_value(sample.content.clone()).unwrap();
            let judgement = crate::rules::judge(&template, Profile::Agency);
            assert_eq!((judgement.refused, judgement.rejected), (vec![], vec![]), "{}", sample.content);
            sizes.insert(sample.wabas.len());
            let business = |waba: &u64| accounts(Profile::Agency).iter().find(|of| of.waba == *waba).unwrap().business;
            let businesses: BTreeSet<_> = sample.wabas.iter().map(business).collect();
            assert_eq!(businesses.len(), 1, "{}", sample.content);
            assert!(later.iter().all(|(waba, ..)| sample.wabas[1..].contains(waba)), "{}", sample.content);
        }
        assert_eq!(sizes.into_iter().collect::<Vec<_>>(), [1, 2, 3]);
    }

    /// A name exists once in an account and language.
    #[test]
    fn names_are_unique_in_their_accounts() {
        let mut known = BTreeSet::new();
        let agency = templates("4::sample").into_iter().map(|(sample, _)| sample);
        for sample in samples("4::sample").into_iter().chain(agency) {
            for waba in sample.wabas {
                let key = (*waba, sample.content["name"].to_string(), sample.content["language"].to_string());
                assert!(known.insert(key), "{}", sample.content);
            }
        }
    }
}
