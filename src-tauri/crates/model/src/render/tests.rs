//! Formatting, variables, buttons and direction of a rendered template.

#![expect(clippy::unwrap_used, reason = "a test that cannot read its own input should fail")]

use super::*;
use serde_json::{Value, json};

/// Blocks in a compact notation: `L`ine, `B`ullet, `N`umbered, `Q`uote, `C`ode; runs in brackets with the first letters
/// of their styles.
fn shown(blocks: &[Block]) -> String {
    let runs = |runs: &[Run]| -> String {
        runs.iter()
            .map(|run| {
                let marks: String =
                    [(run.bold, 'b'), (run.italic, 'i'), (run.strike, 's'), (run.code, 'c'), (run.variable, 'v')]
                        .into_iter()
                        .filter_map(|(set, mark)| set.then_some(mark))
                        .collect();
                format!("[{marks}:{}]", run.text)
            })
            .collect()
    };
    let lines: Vec<String> = blocks
        .iter()
        .map(|block| match block {
            Block::Line { runs: line } => format!("L{}", runs(line)),
            Block::Bullet { runs: line } => format!("B{}", runs(line)),
            Block::Numbered { number, runs: line } => format!("N{number}{}", runs(line)),
            Block::Quote { runs: line } => format!("Q{}", runs(line)),
            Block::Code { text } => format!("C({text})"),
        })
        .collect();
    lines.join("|")
}

#[test]
fn formatting() {
    for (text, expected) in [
        ("", ""),
        ("plain", "L[:plain]"),
        ("a *b* c", "L[:a ][b:b][: c]"),
        ("_i_ ~s~ `c`", "L[i:i][: ][s:s][: ][c:c]"),
        ("*b _bi_ b*", "L[b:b ][bi:bi][b: b]"),
        ("*_both_*", "L[bi:both]"),
        ("2*3*4", "L[:2*3*4]"),
        ("snake_case_name", "L[:snake_case_name]"),
        ("* not bold *", "B[:not bold *]"),
        ("a * b * c", "L[:a * b * c]"),
        ("*a*b", "L[:*a*b]"),
        ("(*a*)!", "L[:(][b:a][:)!]"),
        ("**", "L[:**]"),
        ("**a**", "L[:*][b:a][:*]"),
        ("*a\nb*", "L[:*a]|L[:b*]"),
        ("`*a*`", "L[c:*a*]"),
        ("*a `b* c`", "L[b:a `b][: c`]"),
        ("```x = 1```", "L[c:x = 1]"),
        ("say ```x``` now", "L[:say ][c:x][: now]"),
        ("a\n```\nx\ny\n```\nb", "L[:a]|C(x\ny)|L[:b]"),
        ("```x\ny```", "C(x\ny)"),
        ("```x\ny", "L[:```x]|L[:y]"),
        ("- a\n* b\n1. c\n12. d\n> e\n1.f\n-g", "B[:a]|B[:b]|N1[:c]|N12[:d]|Q[:e]|L[:1.f]|L[:-g]"),
        ("- *a*", "B[b:a]"),
        ("a\n\nb", "L[:a]|L|L[:b]"),
        ("a\r\nb", "L[:a]|L[:b]"),
        ("*é*", "L[b:é]"),
        ("é*a*", "L[:é*a*]"),
        ("*olá*, *ana*", "L[b:olá][:, ][b:ana]"),
    ] {
        assert_eq!(shown(&markup::blocks(text, &[])), expected, "{text:?}");
    }
}

fn template(json: Value) -> Template {
    serde_json::from_value(json).unwrap()
}

fn fill(json: Value) -> Fill {
    serde_json::from_value(json).unwrap()
}

#[test]
fn variables_show_the_value_then_the_sample_then_their_name() {
    let positional = template(json!({"components": [
        {"type": "HEADER", "format": "TEXT", "text": "Our {{1}} is on!", "example": {"header_text": ["Sale"]}},
        {"type": "BODY", "text": "Hi *{{1}}*, {{2}} and {{3}}.", "example": {"body_text": [["Ana", "860"]]}}]}));
    for (values, header, body) in [
        (json!({}), "Our Sale is on!", "L[:Hi ][bv:Ana][:, ][v:860][: and ][v:{{3}}][:.]"),
        (
            json!({"header": {"1": "Fair"}, "body": {"1": "Bo", "2": "", "3": "c"}}),
            "Our Fair is on!",
            "L[:Hi ][bv:Bo][:, ][v:860][: and ][v:c][:.]",
        ),
    ] {
        let bubble = render(&positional, &fill(values));
        assert_eq!(bubble.header, Some(BubbleHeader::Text { text: header.to_owned() }));
        assert_eq!(shown(&bubble.body), body);
    }
    let empty = template(json!({"components": [
        {"type": "HEADER", "format": "TEXT", "text": "Our {{1}} is on!", "example": {"header_text": [""]}}]}));
    let header = render(&empty, &Fill::default()).header;
    assert_eq!(header, Some(BubbleHeader::Text { text: "Our {{1}} is on!".to_owned() }));
    let named = template(json!({"components": [{"type": "BODY", "text": "Hi {{name}} of {{city}}",
        "example": {"body_text_named_params": [{"param_name": "city", "example": "Rio"}]}}]}));
    assert_eq!(shown(&render(&named, &fill(json!({"body": {"name": "Ana"}}))).body), "L[:Hi ][v:Ana][: of ][v:Rio]");
}

#[test]
fn buttons_have_labels_and_targets_in_previews() {
    let bubble = render(
        &template(json!({"components": [{"type": "BUTTONS", "buttons": [
            {"type": "URL", "text": "Open", "url": "https://x.example/{{1}}", "example": ["https://x.example/whole"]},
            {"type": "URL", "text": "Shop", "url": "https://x.example/{{1}}", "example": ["part"]},
            {"type": "URL", "text": "Plain", "url": "https://x.example"},
            {"type": "PHONE_NUMBER", "text": "Call", "phone_number": "155"},
            {"type": "COPY_CODE", "example": "25OFF"},
            {"type": "QUICK_REPLY", "text": "Stop"},
            {"type": "sparkle", "text": "New"}]}]})),
        &fill(json!({"urls": {"1": "typed"}, "codes": {"4": "30OFF"}})),
    );
    let buttons: Vec<_> = bubble
        .buttons
        .iter()
        .map(|button| (button.kind.as_str(), button.label.as_str(), button.target.as_deref()))
        .collect();
    assert_eq!(
        buttons,
        [
            ("URL", "Open", Some("https://x.example/whole")),
            ("URL", "Shop", Some("https://x.example/typed")),
            ("URL", "Plain", Some("https://x.example")),
            ("PHONE_NUMBER", "Call", Some("155")),
            ("COPY_CODE", "Copy offer code", Some("30OFF")),
            ("QUICK_REPLY", "Stop", None),
            ("SPARKLE", "New", None),
        ]
    );
    assert_eq!(bubble.visible_buttons, 2);
    for (count, visible) in [(0, 0), (1, 1), (3, 3), (4, 2), (10, 2)] {
        let buttons = vec![json!({"type": "QUICK_REPLY", "text": "a"}); count];
        let bubble =
            render(&template(json!({"components": [{"type": "BUTTONS", "buttons": buttons}]})), &Fill::default());
        assert_eq!((bubble.buttons.len(), bubble.visible_buttons), (count, visible));
    }
}

#[test]
fn authentication_templates_show_the_channels_text() {
    let login = template(json!({"category": "AUTHENTICATION", "components": [
        {"type": "BODY", "add_security_recommendation": true}, {"type": "FOOTER", "code_expiration_minutes": 5},
        {"type": "BUTTONS", "buttons": [{"type": "OTP", "otp_type": "ONE_TAP", "autofill_text": "Fill in"}]}]}));
    let bubble = render(&login, &fill(json!({"body": {"1": "J$Fp"}})));
    assert_eq!(
        shown(&bubble.body),
        "L[bv:J$Fp][: is your verification code. For your security, do not share this code.]"
    );
    assert_eq!(bubble.footer.as_deref(), Some("This code expires in 5 minutes."));
    assert_eq!((bubble.buttons[0].label.as_str(), bubble.buttons[0].target.as_deref()), ("Fill in", Some("J$Fp")));
}

#[test]
fn the_channels_text_is_in_the_language_of_the_template() {
    for (language, text, footer, label) in [
        ("en_GB", "L[bv:7][: is your verification code.]", "This code expires in 1 minute.", "Copy code"),
        ("pt_BR", "L[bv:7][: é seu código de verificação.]", "Este código expira em 1 minuto.", "Copiar código"),
        ("es_MX", "L[:Tu código de verificación es ][bv:7][:.]", "Este código caduca en 1 minuto.", "Copiar código"),
        // Unknown: English.
        ("sw", "L[bv:7][: is your verification code.]", "This code expires in 1 minute.", "Copy code"),
    ] {
        let login = template(json!({"language": language, "category": "AUTHENTICATION", "components": [
            {"type": "BODY"}, {"type": "FOOTER", "code_expiration_minutes": 1},
            {"type": "BUTTONS", "buttons": [{"type": "OTP", "otp_type": "COPY_CODE"}]}]}));
        let bubble = render(&login, &fill(json!({"body": {"1": "7"}})));
        assert_eq!((shown(&bubble.body).as_str(), bubble.footer.as_deref()), (text, Some(footer)), "{language}");
        assert_eq!(bubble.buttons[0].label, label, "{language}");
    }
}

#[test]
fn media_cards_offers_and_unknown_components() {
    let bubble = render(
        &template(json!({"components": [
            {"type": "LIMITED_TIME_OFFER", "limited_time_offer": {"text": "Ends soon"}},
            {"type": "SPARKLE"}, {"type": "call_permission_request"}, {},
            {"type": "CAROUSEL", "cards": [
                {"components": [{"type": "HEADER", "format": "IMAGE", "example": {"header_handle": ["https://x.example/a.png"]}},
                    {"type": "BODY", "text": "Use {{1}}", "example": {"body_text": [["15OFF"]]}}]},
                {"components": [{"type": "HEADER", "format": "VIDEO", "example": {"header_handle": ["4::aW"]}},
                    {"type": "BODY", "text": "Use {{1}}"}]}]}]})),
        &fill(json!({"cards": [{}, {"body": {"1": "20OFF"}}]})),
    );
    assert_eq!(bubble.offer.as_deref(), Some("Ends soon"));
    assert_eq!(bubble.unknown, ["SPARKLE", "CALL_PERMISSION_REQUEST", "?"]);
    let media = |format: &str, link: Option<&str>| BubbleHeader::Media {
        format: format.to_owned(),
        link: link.map(str::to_owned),
    };
    assert_eq!(bubble.cards[0].header, Some(media("IMAGE", Some("https://x.example/a.png"))));
    assert_eq!(bubble.cards[1].header, Some(media("VIDEO", None)));
    assert_eq!(shown(&bubble.cards[0].body), "L[:Use ][v:15OFF]");
    assert_eq!(shown(&bubble.cards[1].body), "L[:Use ][v:20OFF]");
}

#[test]
fn the_first_letter_decides_the_direction() {
    for (header, body, right_to_left) in [
        ("", "Hello שלום", false),
        ("", "שלום Hello", true),
        ("", "123 *مرحبا*", true),
        ("مرحبا", "123 🎉", true),
        ("مرحبا", "Hello", false),
        ("", "", false),
    ] {
        let template = template(json!({"components": [
            {"type": "HEADER", "format": "TEXT", "text": header}, {"type": "BODY", "text": body}]}));
        assert_eq!(render(&template, &Fill::default()).right_to_left, right_to_left, "{header} {body}");
    }
}
