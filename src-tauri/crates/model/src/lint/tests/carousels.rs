//! Findings of carousels.

use super::*;

#[test]
fn carousels() {
    let card = |format: &str, body: Value, buttons: Value| {
        let mut components = vec![json!({"type": "HEADER", "format": format, "example": {"header_handle": ["4::a"]}})];
        if !body.is_null() {
            components.push(json!({"type": "BODY", "text": body}));
        }
        components.push(json!({"type": "BUTTONS", "buttons": buttons}));
        json!({"components": components})
    };
    let carousel =
        |cards: Value| template(json!([{"type": "BODY", "text": "Pick"}, {"type": "CAROUSEL", "cards": cards}]));
    let quick = json!({"type": "QUICK_REPLY", "text": "More"});
    let url = json!({"type": "URL", "text": "Shop", "url": "https://x.example"});
    let good = card("IMAGE", json!("One"), json!([quick, url]));
    let twice = card("IMAGE", json!("One"), json!([quick, quick]));
    table(vec![
        (carousel(json!([good, good])), &[]),
        (
            carousel(json!([twice, twice])),
            &[
                "W button.label_repeated /components/1/cards/0/components/2/buttons/1/text",
                "W button.label_repeated /components/1/cards/1/components/2/buttons/1/text",
            ],
        ),
        (carousel(json!([good])), &["E carousel.card_count /components/1/cards"]),
        (carousel(Value::Array(vec![good.clone(); 11])), &["E carousel.card_count /components/1/cards"]),
        (
            with(carousel(json!([good, good])), "category", json!("utility")),
            &["E carousel.marketing_only /components/1"],
        ),
        (
            carousel(json!([good, card("VIDEO", json!("b"), json!([quick, url]))])),
            &["W card.format_differs /components/1/cards/1/components"],
        ),
        (
            carousel(json!([good, card("IMAGE", Value::Null, json!([quick, url]))])),
            &["E card.components_differ /components/1/cards/1/components"],
        ),
        (
            carousel(json!([good, card("IMAGE", json!("b"), json!([url, quick]))])),
            &["W card.button_order /components/1/cards/1/components"],
        ),
        (
            carousel(json!([good, card("IMAGE", json!("b"), json!([url]))])),
            &["E card.buttons_differ /components/1/cards/1/components"],
        ),
        (
            carousel(json!([
                card("IMAGE", json!("a".repeat(161)), json!([url])),
                card("IMAGE", json!("b"), json!([url]))
            ])),
            &["E body.too_long /components/1/cards/0/components/1/text"],
        ),
        (
            carousel(json!([
                card("IMAGE", json!("a"), json!([url, quick, {"type": "QUICK_REPLY", "text": "Less"}])),
                card("IMAGE", json!("b"), json!([url, quick, {"type": "QUICK_REPLY", "text": "Less"}]))
            ])),
            &[
                "E card.button_count /components/1/cards/0/components/2/buttons",
                "E card.button_count /components/1/cards/1/components/2/buttons",
            ],
        ),
        (
            carousel(json!([{"components": []}, {"components": []}])),
            &[
                "E card.header_required /components/1/cards/0/components",
                "E card.buttons_required /components/1/cards/0/components",
                "E card.header_required /components/1/cards/1/components",
                "E card.buttons_required /components/1/cards/1/components",
            ],
        ),
        (
            template(
                json!([{"type": "BODY", "text": "Pick"}, {"type": "FOOTER", "text": "x"}, {"type": "CAROUSEL", "cards": [good, good]}]),
            ),
            &["W carousel.beside /components/1"],
        ),
        (
            carousel(json!([
                {"components": [{"type": "HEADER", "format": "PRODUCT"}, {"type": "BUTTONS", "buttons": [{"type": "SPM", "text": "View"}]}]},
                {"components": [{"type": "HEADER", "format": "PRODUCT"}, {"type": "BUTTONS", "buttons": [{"type": "SPM", "text": "View"}]}]}
            ])),
            &[],
        ),
        (
            carousel(json!([
                {"components": [{"type": "HEADER", "format": "TEXT", "text": "x"}, {"type": "FOOTER", "text": "f"}, {"type": "BUTTONS", "buttons": [{"type": "COPY_CODE", "example": "A"}]}]},
                {"components": [{"type": "HEADER", "format": "TEXT", "text": "x"}, {"type": "FOOTER", "text": "f"}, {"type": "BUTTONS", "buttons": [{"type": "COPY_CODE", "example": "A"}]}]}
            ])),
            &[
                "E card.header_format /components/1/cards/0/components/0/format",
                "E card.component /components/1/cards/0/components/1",
                "E card.button_type /components/1/cards/0/components/2/buttons/0",
                "E card.header_format /components/1/cards/1/components/0/format",
                "E card.component /components/1/cards/1/components/1",
                "E card.button_type /components/1/cards/1/components/2/buttons/0",
            ],
        ),
    ]);
}
