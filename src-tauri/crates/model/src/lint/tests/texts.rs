//! Findings of bodies and footers.

use super::*;

#[test]
fn bodies() {
    let named = |text: &str, samples: Value| {
        template(json!([{"type": "BODY", "text": text, "example": {"body_text_named_params": samples}}]))
    };
    const TEXT: &str = "/components/0/text";
    assert_eq!(found(&with_body(&"é".repeat(1024), json!([]))), [""; 0]);
    table(vec![
        (with_body(&"a".repeat(1025), json!([])), &["E body.too_long /components/0/text"]),
        (with_body("Hi {{1}}, your order {{2}} is on its way.", json!(["Ana", "860198"])), &[]),
        (
            with_body("Hi {{1}}, your order {{2}} is on its way.", json!(["Ana"])),
            &["W body.sample_missing /components/0/example/body_text/0/1"],
        ),
        (
            with_body("Hi {{1}}, your order {{2}} is on its way.", json!(["Ana", " "])),
            &["W body.sample_missing /components/0/example/body_text/0/1"],
        ),
        (
            with_body("Hi {{1}}, your order is here.", json!(["Ana", "b"])),
            &["W body.sample_extra /components/0/example/body_text/0"],
        ),
        (named("Hi {{first_name}}, your order is here.", json!([{"param_name": "first_name", "example": "Ana"}])), &[]),
        (
            named("Hi {{first_name}}, your order is here.", json!([{"param_name": "other", "example": "Ana"}])),
            &[
                "W body.sample_missing /components/0/example/body_text_named_params/1/example",
                "W body.sample_extra /components/0/example/body_text_named_params",
            ],
        ),
        (with_body("{{1}} is here for you now", json!(["Ana"])), &["E variable.at_edge /components/0/text"]),
        (with_body("Here for you now is {{1}} ", json!(["Ana"])), &["E variable.at_edge /components/0/text"]),
        (with_body("Here for you now is {{1}}.", json!(["Ana"])), &["W variable.near_end /components/0/text"]),
        (
            with_body("Here for you now is {{1}}{{2}} and all", json!(["a", "b"])),
            &["E variable.adjacent /components/0/text"],
        ),
        (
            with_body("Here for you is {{1}} and {{3}} and all", json!(["a", "b", "c"])),
            &["E variable.numbering /components/0/text"],
        ),
        (with_body("Here for you is {{0}} and all", json!(["a"])), &["E variable.numbering /components/0/text"]),
        (with_body("Here is {{1} for you", json!([])), &["E variable.malformed /components/0/text"]),
        (with_body("Here is 1}} for you", json!([])), &["E variable.malformed /components/0/text"]),
        (with_body("Here is {1} for you", json!([])), &["W variable.single_brace /components/0/text"]),
        // Empty braces are one finding: no sample, format or position is missing as long as they have no name.
        (
            with_body("Hi {{1}}, here for you is {{2}}{{}} and all {{ }}", json!(["a", "b"])),
            &["E variable.name /components/0/text"],
        ),
        (
            named("Here for you is {{first#}} and all", json!([{"param_name": "first#", "example": "a"}])),
            &["E variable.name /components/0/text"],
        ),
        (
            named("Here for you is {{First}} and all", json!([{"param_name": "First", "example": "a"}])),
            &["E variable.name /components/0/text"],
        ),
        (
            named("Here for you is {{code2}} and all", json!([{"param_name": "code2", "example": "a"}])),
            &["W variable.name_digits /components/0/text"],
        ),
        (with_body("Here for you is {{ 1 }} and all", json!(["a"])), &["W variable.spaces /components/0/text"]),
        (
            with_body("Here for you is {{1}} and {{1}} and all of it", json!(["a"])),
            &["W variable.repeated /components/0/text"],
        ),
        (
            named("Here for you is {{a}} and {{a}} and all of it", json!([{"param_name": "a", "example": "x"}])),
            &["E variable.repeated /components/0/text"],
        ),
        (
            with(with_body("Here for you is {{1}} and all", json!(["a"])), "parameter_format", json!("named")),
            &["E variable.format /components/0/text"],
        ),
        (
            with(
                named("Here for you is {{a}} and all", json!([{"param_name": "a", "example": "x"}])),
                "parameter_format",
                json!("POSITIONAL"),
            ),
            &["E variable.format /components/0/text"],
        ),
        (with_body("Hi {{1}} and {{2}} bye", json!(["a", "b"])), &["W body.too_few_words /components/0/text"]),
        (with_body("今日{{1}}到了", json!(["a"])), &[]),
        (with_body("a\tb", json!([])), &["W body.tab /components/0/text"]),
        (with_body("a     b", json!([])), &["W body.spaces /components/0/text"]),
        (with_body("a\n\n\nb", json!([])), &[]),
        (with_body("a\n\n\n\nb", json!([])), &["W body.line_breaks /components/0/text"]),
        (with_body("See https://bit.ly/x now", json!([])), &["W body.shortener /components/0/text"]),
        (with_body("See https://www.t.co now", json!([])), &["W body.shortener /components/0/text"]),
        (with_body("See https://habit.ly.example/x now", json!([])), &[]),
        (with_body("Card 4111 1111 1111 1111 was used", json!([])), &["W body.card_number /components/0/text"]),
        (with_body("Order 4111 1111 1111 1112 was used", json!([])), &[]),
        (
            with_body("Here for you is {{1}} and all", json!(["a\tb"])),
            &["W sample.characters /components/0/example/body_text/0/0"],
        ),
        (
            with_body(&format!("{}{{{{1}}}} and more words", "a b ".repeat(250)), json!(["x".repeat(40)])),
            &["W body.too_long_filled /components/0/text"],
        ),
    ]);
    assert!(found(&with_body("{{1}}", json!(["a"])))[0].ends_with(TEXT));
}

#[test]
fn footers() {
    let footer = |footer: Value| {
        let mut footer = footer;
        footer["type"] = json!("FOOTER");
        template(json!([{"type": "BODY", "text": "a"}, footer]))
    };
    table(vec![
        (footer(json!({"text": "Reply STOP to opt out"})), &[]),
        (footer(json!({})), &["E footer.text_required /components/1/text"]),
        (footer(json!({"text": "a".repeat(61)})), &["E footer.too_long /components/1/text"]),
        (footer(json!({"text": "a {{1}} b"})), &["W footer.variable /components/1/text"]),
        (footer(json!({"text": "a\nb"})), &["W footer.line_break /components/1/text"]),
        (
            footer(json!({"text": "a", "code_expiration_minutes": 5})),
            &["W footer.expiration_unused /components/1/code_expiration_minutes"],
        ),
    ]);
}

#[test]
fn braces_and_samples_that_the_review_rejects() {
    let body = |text: &str, sample: &str| with_body(text, json!([sample]));
    let (at, sample) = ("/components/0/text", "/components/0/example/body_text/0/0");
    let found_in = |template: &Value| found(template);
    for (template, expected) in [
        (
            body("Dear {1}, it is here for you now.", ""),
            vec![
                format!("W variable.single_brace {at}"),
                format!("W body.sample_extra /components/0/example/body_text/0"),
            ],
        ),
        (with_body("Dear { name }, it is here for you now.", json!([])), vec![format!("W variable.single_brace {at}")]),
        (
            with_body("See {a, b} for {2} and more of it here.", json!([])),
            vec![format!("W variable.single_brace {at}")],
        ),
        (with_body("See {a, b} and more of it here.", json!([])), vec![]),
        (body("Dear {{ 1 }}, it is here for you now.", "Ana"), vec![format!("W variable.spaces {at}")]),
        (with_body("Dear {{1}, it is here for you now.", json!([])), vec![format!("E variable.malformed {at}")]),
        (with_body("Dear {1}}, it is here for you now.", json!([])), vec![format!("E variable.malformed {at}")]),
        (body("Dear {{1}}, it is here for you now.", "{{1}}"), vec![format!("W sample.variable {sample}")]),
        (body("Dear {{1}}, it is here for you now.", " Sample "), vec![format!("W sample.placeholder {sample}")]),
        (body("Dear {{1}}, it is here for you now.", "1"), vec![]),
        (body("{{1}}", "Ana"), vec![format!("E variable.at_edge {at}"), format!("W body.too_few_words {at}")]),
        (with_body("One\n \n\n  \nTwo", json!([])), vec![format!("W body.line_breaks {at}")]),
        (with_body("One\n\n\nTwo", json!([])), vec![]),
        (
            with_body("Write to https://wa.me/15550051310 for more.", json!([])),
            vec![format!("W body.whatsapp_link {at}")],
        ),
        (with_body("Write to (wa.me/15550051310) for more.", json!([])), vec![format!("W body.whatsapp_link {at}")]),
        (with_body("Look at bit.ly/3xyz for more.", json!([])), vec![format!("W body.shortener {at}")]),
        (with_body("The site is called bit.ly. It is here.", json!([])), vec![]),
    ] {
        assert_eq!(found_in(&template), expected, "{template}");
    }
}
