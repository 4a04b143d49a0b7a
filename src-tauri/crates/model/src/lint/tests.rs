#![expect(clippy::unwrap_used, reason = "a test that cannot read its own input should fail")]

use super::*;
use crate::finding::Severity;
use crate::media::Encoding;
use serde_json::json;

/// A sound marketing template with these components.
fn template(components: Value) -> Value {
    json!({"name": "spring_sale", "language": "pt_BR", "category": "marketing", "components": components})
}

/// A sound marketing template with a body and these buttons.
fn with_buttons(buttons: Value) -> Value {
    template(json!([{"type": "BODY", "text": "Hello"}, {"type": "BUTTONS", "buttons": buttons}]))
}

fn with_body(text: &str, samples: Value) -> Value {
    template(json!([{"type": "BODY", "text": text, "example": {"body_text": [samples]}}]))
}

fn with(mut template: Value, key: &str, value: Value) -> Value {
    template[key] = value;
    template
}

fn login(components: Value) -> Value {
    with(template(components), "category", json!("authentication"))
}

/// Asserts that the window has a sentence for a finding in every language but English, which is the rule's own, and
/// that the sentence asks for no value that the finding has not.
pub(crate) fn is_translated(finding: &Finding) {
    static SENTENCES: std::sync::LazyLock<[Value; 2]> = std::sync::LazyLock::new(|| {
        [
            include_str!("../../../../../ui/src/locales/pt-BR/findings.json"),
            include_str!("../../../../../ui/src/locales/es/findings.json"),
        ]
        .map(|json| serde_json::from_str(json).unwrap())
    });
    for sentences in SENTENCES.iter() {
        let (group, name) = finding.code.split_once('.').unwrap();
        let sentence = sentences["rules"][group][name].as_str();
        let sentence = sentence.unwrap_or_else(|| panic!("no sentence for {}", finding.code));
        for variable in crate::variable::scan(sentence) {
            let value = variable.name.strip_prefix("braced_").unwrap_or(variable.name);
            assert!(finding.values.contains_key(value), "{}: {sentence}", finding.code);
        }
    }
}

/// `E`, `W` or `H`, the code and the path of every finding.
fn found(template: &Value) -> Vec<String> {
    let findings = lint_json(template);
    for finding in &findings {
        assert!(finding.message.ends_with(['.', '!']) && !finding.source.is_empty(), "{finding:?}");
        is_translated(finding);
    }
    findings
        .iter()
        .map(|finding| {
            let severity = match finding.severity {
                Severity::Error => 'E',
                Severity::Warning => 'W',
                Severity::Hint => 'H',
            };
            format!("{severity} {} {}", finding.code, finding.path)
        })
        .collect()
}

fn table(rows: Vec<(Value, &[&str])>) {
    for (template, expected) in rows {
        assert_eq!(found(&template), expected, "{template}");
    }
}

#[test]
fn heading() {
    let sound = template(json!([{"type": "BODY", "text": "Hello"}]));
    table(vec![
        (sound.clone(), &[]),
        (json!(5), &["E template.malformed "]),
        (json!({"components": 7}), &["E template.malformed "]),
        (
            json!({}),
            &[
                "E name.required /name",
                "E language.required /language",
                "E category.required /category",
                "E components.required /components",
            ],
        ),
        (with(sound.clone(), "name", json!("Spring")), &["E name.characters /name"]),
        (with(sound.clone(), "name", json!("a".repeat(512))), &[]),
        (with(sound.clone(), "name", json!("a".repeat(513))), &["E name.too_long /name"]),
        (with(sound.clone(), "language", json!("pt-BR")), &["E language.spelling /language"]),
        (with(sound.clone(), "language", json!("en")), &[]),
        (with(sound.clone(), "language", json!("xx_YY")), &["W language.unknown /language"]),
        (with(sound.clone(), "category", json!("MARKETING")), &[]),
        (with(sound.clone(), "category", json!("news")), &["E category.unknown /category"]),
        (with(sound.clone(), "type", json!("marketing_lite")), &[]),
        (
            with(with(sound.clone(), "type", json!("marketing_lite")), "category", json!("utility")),
            &["E type.marketing_only /type"],
        ),
        (with(sound.clone(), "type", json!("other")), &["E type.unknown /type"]),
        (with(sound.clone(), "parameter_format", json!("x")), &["E parameter_format.unknown /parameter_format"]),
        (
            with(with(sound.clone(), "category", json!("utility")), "message_send_ttl_seconds", json!(29)),
            &["E ttl.range /message_send_ttl_seconds"],
        ),
        (with(with(sound.clone(), "category", json!("utility")), "message_send_ttl_seconds", json!(-1)), &[]),
        (
            with(sound.clone(), "message_send_ttl_seconds", json!(43_200)),
            &["W ttl.marketing_lite_only /message_send_ttl_seconds"],
        ),
        (
            with(with(sound.clone(), "type", json!("marketing_lite")), "message_send_ttl_seconds", json!(-1)),
            &["E ttl.range /message_send_ttl_seconds"],
        ),
        (with(sound.clone(), "pix_data", json!("{}")), &[]),
        (with(sound.clone(), "pix_data", json!("{")), &["E payment.malformed /pix_data"]),
        (with(sound.clone(), "order_data", json!([1])), &["E payment.malformed /order_data"]),
        (with(sound.clone(), "waba_ids", json!([102_290_129_340_398_u64])), &[]),
        (with(sound.clone(), "waba_ids", json!(["1"])), &["E waba_ids.malformed /waba_ids"]),
        (with(sound.clone(), "waba_ids", json!([])), &["E waba_ids.malformed /waba_ids"]),
        (with(sound.clone(), "display_format", json!("ORDER_DETAILS")), &["E order.button_required /display_format"]),
    ]);
}

#[test]
fn payments() {
    let sound = template(json!([{"type": "BODY", "text": "Hello"}]));
    let amount = |value: i64| json!({"value": value, "offset": 100});
    let order = || {
        json!({"reference_id": "ord-1", "type": "digital-goods", "payment_type": "br", "currency": "BRL",
            "payment_settings": [{"type": "payment_link", "payment_link": {"uri": "https://pay.example/1"}}],
            "total_amount": amount(50_000),
            "order": {"status": "pending", "tax": amount(0), "subtotal": amount(50_000),
                "items": [{"retailer_id": "1", "name": "Cake", "amount": amount(25_000), "quantity": 2}]}})
    };
    let pix = json!({"code": "0002016304", "merchant_name": "Shop", "key": "39580525000189", "key_type": "CNPJ"});
    let with_order = |pointer: &str, value: Value| {
        let mut order = order();
        let (parent, key) = pointer.rsplit_once('/').unwrap();
        match order.pointer_mut(parent).unwrap() {
            Value::Array(values) => values[key.parse::<usize>().unwrap()] = value,
            parent => parent[key] = value,
        }
        with(sound.clone(), "order_data", order)
    };
    table(vec![
        (with(sound.clone(), "order_data", order()), &[]),
        (with(sound.clone(), "order_data", json!(order().to_string())), &[]),
        (with(sound.clone(), "order_data", json!({"order_details": order()})), &[]),
        (with(sound.clone(), "order_data", json!({"x": 1})), &["H payment.unknown /order_data"]),
        (with(sound.clone(), "pix_data", json!({})), &[]),
        (with(sound.clone(), "pix_data", pix.clone()), &["W pix.code /pix_data/code"]),
        (with(sound.clone(), "pix_data", json!(pix.to_string())), &["W pix.code /pix_data"]),
        (
            with(sound.clone(), "pix_data", json!({"pix_dynamic_code": {"key": "x", "key_type": "CPF"}})),
            &[
                "H payment.field_missing /pix_data/pix_dynamic_code/code",
                "H payment.field_missing /pix_data/pix_dynamic_code/merchant_name",
                "W pix.key /pix_data/pix_dynamic_code/key",
            ],
        ),
        (
            with(sound.clone(), "pix_data", json!({"key": "x", "key_type": "RG", "code": "", "merchant_name": "a"})),
            &["H payment.field_missing /pix_data/code", "W payment.word /pix_data/key_type"],
        ),
        (
            with(sound.clone(), "order_data", json!({"currency": "BRL"})),
            &[
                "H payment.field_missing /order_data/reference_id",
                "H payment.field_missing /order_data/type",
                "H payment.field_missing /order_data/total_amount",
                "H payment.field_missing /order_data/order",
            ],
        ),
        (with_order("/reference_id", json!("a b")), &["W order.reference_id /order_data/reference_id"]),
        (with_order("/reference_id", json!("a".repeat(61))), &["W order.reference_id /order_data/reference_id"]),
        (with_order("/currency", json!("USD")), &["W payment.word /order_data/currency"]),
        (with_order("/type", json!(5)), &["W payment.word /order_data/type"]),
        (
            with_order("/total_amount", json!({"value": 1.5, "offset": 100})),
            &["W payment.amount /order_data/total_amount"],
        ),
        (with_order("/total_amount", json!({"value": 50_000})), &["W payment.amount /order_data/total_amount"]),
        (with_order("/total_amount", amount(1)), &["W order.total /order_data/total_amount"]),
        (with_order("/order/discount", amount(1)), &["W order.total /order_data/total_amount"]),
        (
            with_order("/order/subtotal", amount(1)),
            &["W order.subtotal /order_data/order/subtotal", "W order.total /order_data/total_amount"],
        ),
        (with_order("/order/status", json!("paid")), &["W payment.word /order_data/order/status"]),
        (with_order("/order/tax", Value::Null), &["H payment.field_missing /order_data/order/tax"]),
        (
            with_order("/order/tax", json!({"value": 0, "offset": 100, "description": "a".repeat(61)})),
            &["W payment.text_too_long /order_data/order/tax/description"],
        ),
        (with_order("/order/items", json!([])), &["W order.items /order_data/order/items"]),
        (with_order("/order/items/0", json!(1)), &["W order.items /order_data/order/items/0"]),
        (with_order("/order/items/0/quantity", json!(0)), &["W order.quantity /order_data/order/items/0/quantity"]),
        (
            with_order("/order/items/0/sale_amount", amount(25_000)),
            &["W order.sale_amount /order_data/order/items/0/sale_amount"],
        ),
        (
            with_order("/order/expiration", json!({"timestamp": 5, "description": "a".repeat(121)})),
            &[
                "W payment.text_too_long /order_data/order/expiration/description",
                "W order.timestamp /order_data/order/expiration/timestamp",
            ],
        ),
        (with_order("/payment_settings", json!({})), &["W payment.settings /order_data/payment_settings"]),
        (with_order("/payment_settings/0", json!("x")), &["W payment.settings /order_data/payment_settings/0"]),
        (
            with_order("/payment_settings/0", json!({"type": "cheque"})),
            &["W payment.word /order_data/payment_settings/0/type"],
        ),
        (
            with_order("/payment_settings/0", json!({"type": "boleto"})),
            &["H payment.field_missing /order_data/payment_settings/0/boleto"],
        ),
        (
            with_order("/payment_settings/0", json!({"type": "boleto", "boleto": {"digitable_line": "12"}})),
            &["W payment.form /order_data/payment_settings/0/boleto/digitable_line"],
        ),
        (
            with_order("/payment_settings/0/payment_link/uri", json!("http://x")),
            &["W payment.form /order_data/payment_settings/0/payment_link/uri"],
        ),
    ]);
}

#[test]
fn options_of_the_channel() {
    let sound = template(json!([{"type": "BODY", "text": "Hello"}]));
    table(vec![
        (with(sound.clone(), "cta_url_link_tracking_opted_out", json!(true)), &[]),
        (
            with(sound.clone(), "cta_url_link_tracking_opted_out", json!("yes")),
            &["W link_tracking.malformed /cta_url_link_tracking_opted_out"],
        ),
        (
            with(sound.clone(), "degrees_of_freedom_spec", json!({})),
            &["H creative.marketing_lite_only /degrees_of_freedom_spec"],
        ),
        (with(sound.clone(), "display_format", json!("X")), &["H display_format.unknown /display_format"]),
        (with(sound.clone(), "sub_category", json!("")), &["W sub_category.blank /sub_category"]),
        (with(sound.clone(), "sub_category", json!("ORDER_STATUS")), &[]),
        (
            with(with_buttons(json!([{"type": "COPY_CODE", "example": "A"}])), "category", json!("utility")),
            &["H code.marketing /components/1/buttons/0"],
        ),
        (
            template(json!([{"type": "BODY", "text": "Hi", "example": {"body_text": [["a"], ["b"]]}}])),
            &[
                "W body.sample_rows /components/0/example/body_text",
                "W body.sample_extra /components/0/example/body_text/0",
            ],
        ),
    ]);
}

#[test]
fn components() {
    table(vec![
        (template(json!([{"type": "FOOTER", "text": "x"}])), &["E body.required /components"]),
        (
            template(json!([{"type": "BODY", "text": "a"}, {"type": "BODY", "text": "b"}])),
            &["E component.duplicate /components/1"],
        ),
        (template(json!([{"type": "BODY", "text": "a"}, {"type": "SPARKLE"}])), &["H component.unknown /components/1"]),
        (template(json!([{"type": "BODY", "text": "a"}, {"text": "b"}])), &["E component.malformed /components/1"]),
        (template(json!([{"type": "BODY", "text": {}}])), &["E component.malformed /components/0"]),
        (
            template(json!([{"type": "BODY", "text": "a"}, {"type": "BUTTONS", "buttons": 3}])),
            &["E component.malformed /components/1"],
        ),
        (template(json!([{"type": "BODY"}])), &["E body.text_required /components/0/text"]),
        (
            template(json!([{"type": "BODY", "text": "a", "add_security_recommendation": true}])),
            &["W body.recommendation_unused /components/0/add_security_recommendation"],
        ),
    ]);
}

#[test]
fn headers() {
    let text = |text: &str, example: Value| {
        template(
            json!([{"type": "HEADER", "format": "TEXT", "text": text, "example": example}, {"type": "BODY", "text": "a"}]),
        )
    };
    let media = |format: &str, handle: Value| {
        template(
            json!([{"type": "HEADER", "format": format, "example": {"header_handle": handle}}, {"type": "BODY", "text": "a"}]),
        )
    };
    table(vec![
        (text("Our {{1}} is on!", json!({"header_text": ["Summer Sale"]})), &[]),
        (text("Act fast, {{1}}!", json!({"header_text": ["Ana"]})), &[]),
        (
            text(
                "Sale starts {{sale_start}}!",
                json!({"header_text_named_params": [{"param_name": "sale_start", "example": "May"}]}),
            ),
            &[],
        ),
        (text("Our {{1}} is on!", json!({})), &["W header.sample_missing /components/0/example/header_text/0"]),
        (
            text("Sale {{start}} now", json!({"header_text": ["x"]})),
            &["W header.sample_missing /components/0/example/header_text_named_params/0/example"],
        ),
        (
            text("Sale {{1}} now", json!({"header_text": ["a\nb"]})),
            &["W sample.characters /components/0/example/header_text/0"],
        ),
        (text("", json!({})), &["E header.text_required /components/0/text"]),
        (text(&"é".repeat(60), json!({})), &[]),
        (text(&"é".repeat(61), json!({})), &["E header.too_long /components/0/text"]),
        (text("a\nb", json!({})), &["E header.line_break /components/0/text"]),
        (text("Sale 🎉", json!({})), &["E header.emoji /components/0/text"]),
        (text("A *bold* one", json!({})), &["E header.formatting /components/0/text"]),
        (text("order_id", json!({})), &[]),
        (text("a {{1}} b {{2}} c", json!({"header_text": ["x"]})), &["E header.too_many_variables /components/0/text"]),
        (text("Hello {{1}}", json!({"header_text": ["x"]})), &["E variable.at_edge /components/0/text"]),
        (media("IMAGE", json!(["4::aW"])), &[]),
        (media("IMAGE", json!(["UPLOAD_PENDING"])), &[]),
        (media("VIDEO", json!([])), &["W header.sample_missing /components/0/example/header_handle/0"]),
        (
            media("IMAGE", json!(["https://scontent.example/x"])),
            &["W header.handle_is_address /components/0/example/header_handle/0"],
        ),
        (media("GIF", json!(["4::aW"])), &["W header.gif /components/0/format"]),
        (media("HOLOGRAM", json!([])), &["H header.format_unknown /components/0/format"]),
        (media("PRODUCT", json!([])), &["W header.product /components/0/format"]),
        (template(json!([{"type": "HEADER", "format": "LOCATION"}, {"type": "BODY", "text": "a"}])), &[]),
        (
            template(json!([{"type": "HEADER", "format": "LOCATION", "text": "x"}, {"type": "BODY", "text": "a"}])),
            &["W header.text_unused /components/0/text"],
        ),
    ]);
}

#[test]
fn header_files() {
    let of = |format: &str| -> Template {
        let json = template(
            json!([{"type": "HEADER", "format": format, "example": {"header_handle": ["UPLOAD_PENDING"]}}, {"type": "BODY", "text": "a"}]),
        );
        serde_json::from_value(json).unwrap()
    };
    let limit = 5_242_880;
    for (format, file, expected) in [
        ("IMAGE", None, Some("header.file_missing")),
        ("IMAGE", Some((limit, "image/png")), None),
        ("IMAGE", Some((limit + 1, "image/jpeg")), Some("header.file_too_large")),
        ("IMAGE", Some((10, "image/webp")), Some("header.file_type")),
        ("IMAGE", Some((0, "image/png")), Some("header.file_empty")),
        ("VIDEO", Some((16 << 20, "video/mp4")), None),
        ("VIDEO", Some(((16 << 20) + 1, "video/mp4")), Some("header.file_too_large")),
        ("DOCUMENT", Some((10, "application/pdf")), None),
        ("DOCUMENT", Some((10, "text/plain; charset=utf-8")), Some("header.document_not_pdf")),
        ("DOCUMENT", Some((10, "application/zip")), Some("header.file_type")),
        ("TEXT", Some((10, "image/png")), Some("header.file_unused")),
    ] {
        let file = file.map(|(size, mime)| FileFacts { size, mime: Some(mime.to_owned()), encoding: None });
        let context = LintContext { files_known: true, header_file: file, card_files: Vec::new() };
        let codes: Vec<_> = lint_with(&of(format), &context)
            .into_iter()
            .map(|finding| finding.code)
            .filter(|code| *code != "header.text_required")
            .collect();
        assert_eq!(codes, expected.into_iter().collect::<Vec<_>>(), "{format} {context:?}");
    }
}

#[test]
fn encodings_of_header_files() {
    let film = |video: &str, audio: &[&str]| Encoding {
        video: Some(video.to_owned()),
        audio: audio.iter().map(|codec| (*codec).to_owned()).collect(),
        colour: None,
    };
    let picture = |colour: &str| Encoding { colour: Some(colour.to_owned()), ..Encoding::default() };
    let rows: Vec<(&str, &str, Encoding, &[&str])> = vec![
        ("VIDEO", "video/mp4", Encoding::default(), &[]),
        ("VIDEO", "video/mp4", film("H.264", &[]), &[]),
        ("VIDEO", "video/3gpp", film("H.264", &["AAC"]), &[]),
        ("VIDEO", "video/mp4", film("H.265", &["AAC"]), &["header.video_codec"]),
        ("GIF", "video/mp4", film("AV1", &[]), &["header.video_codec"]),
        ("VIDEO", "video/mp4", film("H.264", &["MP3"]), &["header.audio_codec"]),
        ("VIDEO", "video/mp4", film("H.264", &["AAC", "AAC"]), &["header.audio_streams"]),
        (
            "VIDEO",
            "video/mp4",
            film("H.263", &["AMR", "AC-3"]),
            &["header.video_codec", "header.audio_streams", "header.audio_codec"],
        ),
        // Its type says enough.
        ("VIDEO", "video/quicktime", film("H.265", &["MP3"]), &["header.file_type"]),
        ("IMAGE", "image/png", picture("RGB"), &[]),
        ("IMAGE", "image/png", picture("RGBA"), &[]),
        ("IMAGE", "image/png", picture("16-bit RGB"), &["header.picture_colour"]),
        ("IMAGE", "image/jpeg", picture("CMYK"), &["header.picture_colour"]),
    ];
    for (format, mime, encoding, expected) in rows {
        let kind = if format == "GIF" { "marketing_lite" } else { "cloud_api" };
        let header = json!({"type": "HEADER", "format": format, "example": {"header_handle": ["UPLOAD_PENDING"]}});
        let json = with(template(json!([header, {"type": "BODY", "text": "a"}])), "type", json!(kind));
        let file = FileFacts { size: 10, mime: Some(mime.to_owned()), encoding: Some(encoding) };
        let context = LintContext { files_known: true, header_file: Some(file), card_files: Vec::new() };
        let findings = lint_with(&serde_json::from_value(json).unwrap(), &context);
        findings.iter().for_each(is_translated);
        let codes: Vec<_> = findings.iter().map(|finding| finding.code).collect();
        assert_eq!(codes, expected, "{format} {context:?}");
        if mime != "video/quicktime" {
            assert!(findings.iter().all(|finding| finding.severity == Severity::Warning), "{findings:?}");
        }
    }
}

#[test]
fn files_that_nothing_shows() {
    let file = || Some(FileFacts { size: 10, mime: Some("image/png".to_owned()), encoding: None });
    let card = |header: Value| {
        let button = json!({"type": "QUICK_REPLY", "text": "More"});
        json!({"components": [header, {"type": "BUTTONS", "buttons": [button]}]})
    };
    let image = json!({"type": "HEADER", "format": "IMAGE", "example": {"header_handle": ["4::a"]}});
    let product = json!({"type": "HEADER", "format": "PRODUCT"});
    let cards = |one: Value, other: Value| {
        template(json!([{"type": "BODY", "text": "a"}, {"type": "CAROUSEL", "cards": [card(one), card(other)]}]))
    };
    let otp = json!([{"type": "OTP", "otp_type": "COPY_CODE"}]);
    let code = login(json!([{"type": "BODY"}, {"type": "BUTTONS", "buttons": otp}]));
    let plain = template(json!([{"type": "BODY", "text": "a"}]));
    type Row = (Value, Option<FileFacts>, Vec<Option<FileFacts>>, &'static [&'static str]);
    let rows: Vec<Row> = vec![
        (plain.clone(), file(), vec![], &["header.file_unused /components"]),
        (code.clone(), file(), vec![], &["header.file_unused /components"]),
        (plain.clone(), None, vec![None, None], &[]),
        (plain, None, vec![None, file(), file()], &["carousel.file_unused /components"]),
        (code, None, vec![file()], &["carousel.file_unused /components"]),
        (cards(image.clone(), image.clone()), None, vec![file(), file(), None], &[]),
        (
            cards(image.clone(), image.clone()),
            None,
            vec![None, file(), file(), file()],
            &["carousel.file_unused /components/1/cards"],
        ),
        (
            cards(product.clone(), product),
            None,
            vec![None, file()],
            &["card.file_unused /components/1/cards/1/components"],
        ),
        (
            cards(image, json!({"type": "BODY", "text": "b"})),
            None,
            vec![file(), file()],
            &["card.file_unused /components/1/cards/1/components"],
        ),
    ];
    for (json, header_file, card_files, expected) in rows {
        let context = LintContext { files_known: true, header_file, card_files };
        let findings = lint_with(&serde_json::from_value(json.clone()).unwrap(), &context);
        let unused = findings.iter().filter(|finding| finding.code.ends_with(".file_unused"));
        let found: Vec<_> = unused
            .map(|finding| {
                assert!(finding.severity == Severity::Error && !finding.fixable, "{finding:?}");
                is_translated(finding);
                format!("{} {}", finding.code, finding.path)
            })
            .collect();
        assert_eq!(found, expected, "{context:?} {json}");
    }
}

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
            named("Here for you is {{a}} and {{a}} and all of it", json!([{"param_name": "a", "example": "a"}])),
            &["E variable.repeated /components/0/text"],
        ),
        (
            with(with_body("Here for you is {{1}} and all", json!(["a"])), "parameter_format", json!("named")),
            &["E variable.format /components/0/text"],
        ),
        (
            with(
                named("Here for you is {{a}} and all", json!([{"param_name": "a", "example": "a"}])),
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
        (footer(json!({"text": "a {{1}} b"})), &["E footer.variable /components/1/text"]),
        (footer(json!({"text": "a\nb"})), &["W footer.line_break /components/1/text"]),
        (
            footer(json!({"text": "a", "code_expiration_minutes": 5})),
            &["E footer.expiration_unused /components/1/code_expiration_minutes"],
        ),
    ]);
}

#[test]
fn rows_of_buttons() {
    let url = json!({"type": "URL", "text": "Open", "url": "https://x.example"});
    let quick = json!({"type": "QUICK_REPLY", "text": "Yes"});
    let phone = json!({"type": "PHONE_NUMBER", "text": "Call", "phone_number": "15550051310"});
    let many = |button: &Value, count: usize| Value::Array(vec![button.clone(); count]);
    table(vec![
        (with_buttons(json!([])), &["E buttons.required /components/1/buttons"]),
        (with_buttons(json!([quick])), &[]),
        (with_buttons(many(&quick, 4)), &["H buttons.see_all /components/1/buttons"]),
        (with_buttons(many(&quick, 11)), &["E buttons.too_many /components/1/buttons"]),
        (with_buttons(json!([url, quick, quick])), &["H buttons.mixed /components/1/buttons"]),
        (with_buttons(json!([quick, quick, url, phone])), &["H buttons.see_all /components/1/buttons"]),
        (with_buttons(json!([quick, url, quick])), &["E buttons.grouping /components/1/buttons/2"]),
        (with_buttons(json!([url, quick, url])), &["E buttons.grouping /components/1/buttons/2"]),
        (with_buttons(many(&url, 3)), &["E buttons.too_many_of_type /components/1/buttons/2"]),
        (with_buttons(many(&phone, 2)), &["E buttons.too_many_of_type /components/1/buttons/1"]),
        (with_buttons(json!([{"type": "MPM", "text": "View items"}])), &["W products.header /components"]),
        (
            with_buttons(json!([{"type": "CATALOG", "text": "Shop"}, quick])),
            &[
                "H buttons.mixed /components/1/buttons",
                "E buttons.not_alone /components/1/buttons/0",
                "W button.fixed_label /components/1/buttons/0/text",
            ],
        ),
        (
            with(with_buttons(json!([{"type": "CATALOG", "text": "View catalog"}])), "category", json!("utility")),
            &["E button.marketing_only /components/1/buttons/0"],
        ),
        (with_buttons(json!([{"type": "SPM", "text": "View"}])), &["E product.header_required /components"]),
        (
            template(json!([{"type": "HEADER", "format": "PRODUCT"}, {"type": "BODY", "text": "a".repeat(161)},
                {"type": "BUTTONS", "buttons": [{"type": "SPM", "text": "View"}]}])),
            &["E body.too_long /components/1/text"],
        ),
    ]);
}

#[test]
fn single_buttons() {
    let url = |url: &str, example: Value| {
        with_buttons(json!([{"type": "URL", "text": "Open", "url": url, "example": example}]))
    };
    let label = |text: &str| with_buttons(json!([{"type": "QUICK_REPLY", "text": text}]));
    table(vec![
        (label(""), &["E button.label_required /components/1/buttons/0/text"]),
        (label(&"é".repeat(25)), &[]),
        (label(&"a".repeat(26)), &["E button.label_too_long /components/1/buttons/0/text"]),
        (label("Yes {{1}}"), &["E button.label_variable /components/1/buttons/0/text"]),
        (label("Yes 🎉"), &["W button.label_characters /components/1/buttons/0/text"]),
        (label("*Yes*"), &["W button.label_characters /components/1/buttons/0/text"]),
        (url("https://x.example/a?c={{1}}", json!(["https://x.example/a?c=summer"])), &[]),
        (url("https://x.example/a?c={{1}}", json!("https://x.example/a?c=summer")), &[]),
        (
            url("https://x.example/a?c={{1}}", json!(["summer"])),
            &["H url.sample_not_whole /components/1/buttons/0/example/0"],
        ),
        (url("https://x.example/a?c={{1}}", json!([])), &["W url.sample_missing /components/1/buttons/0/example/0"]),
        (url("", json!([])), &["E url.required /components/1/buttons/0/url"]),
        (
            url(&format!("https://x.example/{}", "a".repeat(2000)), json!([])),
            &["E url.too_long /components/1/buttons/0/url"],
        ),
        (url("x.example", json!([])), &["W url.incomplete /components/1/buttons/0/url"]),
        (url("https://{{1}}", json!(["https://x"])), &["W url.incomplete /components/1/buttons/0/url"]),
        (url("https://x.example/a b", json!([])), &["W url.spaces /components/1/buttons/0/url"]),
        (url("https://bit.ly/a", json!([])), &["W url.shortener /components/1/buttons/0/url"]),
        (
            url("https://x.example/{{1}}/b", json!(["https://x.example/a/b"])),
            &["E url.variable_not_last /components/1/buttons/0/url"],
        ),
        (
            url("https://x.example/{{1}}{{2}}", json!(["https://x.example/a"])),
            &["E url.too_many_variables /components/1/buttons/0/url"],
        ),
        (
            url("https://x.example/{{2}}", json!(["https://x.example/a"])),
            &["E url.variable_name /components/1/buttons/0/url"],
        ),
        (
            url("https://x.example/{{a}}", json!(["https://x.example/a"])),
            &["E url.variable_name /components/1/buttons/0/url"],
        ),
        (
            with(url("https://x.example/{{1}}", json!(["https://x.example/a"])), "parameter_format", json!("NAMED")),
            &["W url.variable_format /components/1/buttons/0/url"],
        ),
        (url("https://x.example/{{1}", json!([])), &["E variable.malformed /components/1/buttons/0/url"]),
        (
            with_buttons(json!([{"type": "PHONE_NUMBER", "text": "Call"}])),
            &["E phone.required /components/1/buttons/0/phone_number"],
        ),
        (
            with_buttons(json!([{"type": "PHONE_NUMBER", "text": "Call", "phone_number": "1".repeat(21)}])),
            &["E phone.too_long /components/1/buttons/0/phone_number"],
        ),
        (
            with_buttons(json!([{"type": "PHONE_NUMBER", "text": "Call", "phone_number": "+55 (11) 9"}])),
            &["W phone.characters /components/1/buttons/0/phone_number"],
        ),
        (with_buttons(json!([{"type": "COPY_CODE", "example": "250FF"}])), &[]),
        (with_buttons(json!([{"type": "COPY_CODE", "example": ["250FF"]}])), &[]),
        (with_buttons(json!([{"type": "COPY_CODE"}])), &["W code.sample_missing /components/1/buttons/0/example"]),
        (
            with_buttons(json!([{"type": "COPY_CODE", "example": "1234567890123456"}])),
            &["E code.too_long /components/1/buttons/0/example"],
        ),
        (
            with_buttons(json!([{"type": "COPY_CODE", "example": "A-B"}])),
            &["W code.characters /components/1/buttons/0/example"],
        ),
        (
            with_buttons(json!([{"type": "OTP", "otp_type": "COPY_CODE"}])),
            &["E button.authentication_only /components/1/buttons/0"],
        ),
        (with_buttons(json!([{"type": "FLOW", "text": "Book", "flow_id": "1"}])), &[]),
        (with_buttons(json!([{"type": "FLOW", "text": "Book"}])), &["E flow.reference /components/1/buttons/0"]),
        (
            with_buttons(json!([{"type": "FLOW", "text": "Book", "flow_id": "1", "flow_name": "b", "icon": "STAR"}])),
            &["E flow.reference /components/1/buttons/0", "W flow.word /components/1/buttons/0/icon"],
        ),
        (with_buttons(json!([{"type": "VOICE_CALL", "text": "Call now", "ttl_minutes": 1440}])), &[]),
        (
            with_buttons(json!([{"type": "VOICE_CALL", "text": "Call now and talk to us", "ttl_minutes": 1}])),
            &[
                "W button.label_long /components/1/buttons/0/text",
                "E voice_call.ttl /components/1/buttons/0/ttl_minutes",
            ],
        ),
        (with_buttons(json!([{"type": "REQUEST_CONTACT_INFO"}])), &[]),
        (
            with_buttons(json!([{"type": "REQUEST_CONTACT_INFO", "text": "x"}])),
            &["W button.fixed_label /components/1/buttons/0/text"],
        ),
        (
            with_buttons(json!([{"type": "ORDER_DETAILS", "text": "Copy Pix code"}])),
            &["W order.display_format /display_format"],
        ),
        (with_buttons(json!([{"type": "APP", "text": "x"}])), &["H button.unknown /components/1/buttons/0"]),
        (with_buttons(json!([{"text": "x"}])), &["E button.malformed /components/1/buttons/0"]),
        (with_buttons(json!([{"type": "URL", "text": ["x"]}])), &["E button.malformed /components/1/buttons/0"]),
    ]);
}

#[test]
fn offers_and_call_permission() {
    let offer = |header: Value, extra: Value, buttons: Value| {
        let mut components = vec![
            json!({"type": "LIMITED_TIME_OFFER", "limited_time_offer": {"text": "Expiring offer!", "has_expiration": true}}),
            json!({"type": "BODY", "text": "Good news"}),
            json!({"type": "BUTTONS", "buttons": buttons}),
        ];
        components.extend([header, extra].into_iter().filter(|component| !component.is_null()));
        template(Value::Array(components))
    };
    let code = json!({"type": "COPY_CODE", "example": "CARIBE25"});
    let url = json!({"type": "URL", "text": "Book now!", "url": "https://x.example"});
    let image = json!({"type": "HEADER", "format": "IMAGE", "example": {"header_handle": ["4::a"]}});
    table(vec![
        (offer(image, Value::Null, json!([code, url])), &[]),
        (
            offer(json!({"type": "HEADER", "format": "TEXT", "text": "x"}), Value::Null, json!([code, url])),
            &["E offer.header /components/3/format"],
        ),
        (
            offer(Value::Null, json!({"type": "FOOTER", "text": "x"}), json!([code, url])),
            &["E offer.footer /components/3"],
        ),
        (offer(Value::Null, Value::Null, json!([url, code])), &["E offer.button_order /components/2/buttons"]),
        (
            with(offer(Value::Null, Value::Null, json!([code])), "category", json!("utility")),
            &["H code.marketing /components/2/buttons/0", "E offer.marketing_only /components/0"],
        ),
        (
            template(
                json!([{"type": "LIMITED_TIME_OFFER", "limited_time_offer": {"text": "a".repeat(17)}}, {"type": "BODY", "text": "b".repeat(601)}]),
            ),
            &["E body.too_long /components/1/text", "E offer.too_long /components/0/limited_time_offer/text"],
        ),
        (
            template(json!([{"type": "LIMITED_TIME_OFFER"}, {"type": "BODY", "text": "b"}])),
            &["E offer.text_required /components/0/limited_time_offer/text"],
        ),
        (template(json!([{"type": "call_permission_request"}, {"type": "BODY", "text": "May we call?"}])), &[]),
        (
            template(json!([{"type": "call_permission_request"}, {"type": "BODY", "text": "May we call?"},
                {"type": "BUTTONS", "buttons": [{"type": "QUICK_REPLY", "text": "Yes"}]}])),
            &["E call_permission.not_alone /components/2"],
        ),
    ]);
}

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
    table(vec![
        (carousel(json!([good, good])), &[]),
        (carousel(json!([good])), &["E carousel.card_count /components/1/cards"]),
        (carousel(Value::Array(vec![good.clone(); 11])), &["E carousel.card_count /components/1/cards"]),
        (
            with(carousel(json!([good, good])), "category", json!("utility")),
            &["E carousel.marketing_only /components/1"],
        ),
        (
            carousel(json!([good, card("VIDEO", json!("b"), json!([quick, url]))])),
            &["E card.format_differs /components/1/cards/1/components"],
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
                card("IMAGE", json!("a"), json!([url, quick, quick])),
                card("IMAGE", json!("b"), json!([url, quick, quick]))
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

#[test]
fn authentication() {
    let otp = |button: Value| login(json!([{"type": "BODY"}, {"type": "BUTTONS", "buttons": [button]}]));
    let one_tap = |apps: Value| {
        otp(
            json!({"type": "OTP", "otp_type": "ONE_TAP", "text": "Copy", "autofill_text": "Fill", "supported_apps": apps}),
        )
    };
    table(vec![
        (
            with(
                login(
                    json!([{"type": "BODY", "add_security_recommendation": true}, {"type": "FOOTER", "code_expiration_minutes": 5},
                    {"type": "BUTTONS", "buttons": [{"type": "OTP", "otp_type": "COPY_CODE", "text": "Copy Code"}]}]),
                ),
                "message_send_ttl_seconds",
                json!(60),
            ),
            &[],
        ),
        (one_tap(json!([{"package_name": "com.example.app", "signature_hash": "K8a/AINcGX7"}])), &[]),
        (one_tap(json!([])), &["E otp.apps_required /components/1/buttons/0/supported_apps"]),
        (
            one_tap(json!([{"package_name": "app", "signature_hash": "K8a"}])),
            &[
                "E otp.package_name /components/1/buttons/0/supported_apps/0/package_name",
                "E otp.signature_hash /components/1/buttons/0/supported_apps/0/signature_hash",
            ],
        ),
        (
            one_tap(Value::Array(vec![json!({"package_name": "a.b", "signature_hash": "K8a/AINcGX7"}); 6])),
            &["E otp.too_many_apps /components/1/buttons/0/supported_apps"],
        ),
        (
            otp(json!({"type": "OTP", "otp_type": "ZERO_TAP", "package_name": "a.b", "signature_hash": "K8a/AINcGX7"})),
            &["E otp.terms /components/1/buttons/0/zero_tap_terms_accepted"],
        ),
        (otp(json!({"type": "OTP", "otp_type": "TELEPATHY"})), &["E otp.type /components/1/buttons/0/otp_type"]),
        (
            otp(json!({"type": "OTP", "otp_type": "COPY_CODE", "text": "a".repeat(26)})),
            &["E button.label_too_long /components/1/buttons/0/text"],
        ),
        (
            otp(json!({"type": "OTP"})),
            &["E authentication.buttons /components/1/buttons", "E button.malformed /components/1/buttons/0"],
        ),
        (login(json!([{"type": "BODY"}])), &["E authentication.otp_required /components"]),
        (
            login(
                json!([{"type": "HEADER", "format": "TEXT", "text": "x"}, {"type": "BODY", "text": "Your code"}, {"type": "FOOTER", "text": "x"},
                {"type": "BUTTONS", "buttons": [{"type": "URL", "text": "a", "url": "https://x.example"}]}]),
            ),
            &[
                "E authentication.component /components/0",
                "E authentication.body_text /components/1/text",
                "E authentication.footer_text /components/2/text",
                "E authentication.expiration_required /components/2/code_expiration_minutes",
                "E authentication.buttons /components/3/buttons",
            ],
        ),
        (
            login(
                json!([{"type": "BODY"}, {"type": "FOOTER", "code_expiration_minutes": 91}, {"type": "BUTTONS", "buttons": [{"type": "OTP", "otp_type": "COPY_CODE"}]}]),
            ),
            &["E authentication.expiration /components/1/code_expiration_minutes"],
        ),
    ]);
}

#[test]
fn what_nobody_composes_is_judged_too() {
    let text: String = (1..=100_000).map(|number| format!("{{{{{number}}}}}")).collect();
    let huge = template(json!([{"type": "BODY", "text": text}, {"type": "HEADER", "format": "TEXT", "text": text}]));
    assert!(found(&huge).iter().any(|finding| finding.starts_with("E body.too_long")));
    let many = template(Value::Array(vec![json!({"type": "BODY", "text": "a\tb"}); 20_000]));
    assert!(found(&many).len() >= 20_000);
    let read: Template = serde_json::from_value(huge).unwrap();
    assert_eq!(crate::variable::variables(&read).len(), 200_000);
}

#[test]
fn lengths_are_counted_where_they_are_limited() {
    let template: Template = serde_json::from_value(json!({
        "name": "sale", "language": "en_US", "category": "marketing",
        "components": [{"type": "BODY", "text": "Olá"}, {"type": "FOOTER", "text": "Bye"}],
    }))
    .unwrap();
    let (findings, counters) = inspect(&template, &LintContext::default());
    assert_eq!(findings, lint(&template));
    let counted: Vec<_> = counters.iter().map(|counter| (counter.path.as_str(), counter.used, counter.limit)).collect();
    assert_eq!(counted, [("/name", 4, 512), ("/components/0/text", 3, 1024), ("/components/1/text", 3, 60)]);
}
