//! Findings of headers and of their files.

use super::*;

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
        (text("Hello {{1}}", json!({"header_text": ["x"]})), &["W variable.at_edge /components/0/text"]),
        (text("{{1}} is on", json!({"header_text": ["x"]})), &["W variable.at_edge /components/0/text"]),
        (text("_x_", json!({})), &["W header.formatting /components/0/text"]),
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
        // A CSV in an old encoding: no type is known.
        ("IMAGE", Some((10, "")), Some("header.file_unknown")),
        ("VIDEO", Some((10, "")), Some("header.file_unknown")),
        ("DOCUMENT", Some((10, "")), None),
        ("IMAGE", Some((0, "image/png")), Some("header.file_empty")),
        ("VIDEO", Some((16 << 20, "video/mp4")), None),
        ("VIDEO", Some(((16 << 20) + 1, "video/mp4")), Some("header.file_too_large")),
        ("DOCUMENT", Some((10, "application/pdf")), None),
        ("DOCUMENT", Some((10, "text/plain; charset=utf-8")), Some("header.document_not_pdf")),
        ("DOCUMENT", Some((10, "application/zip")), Some("header.file_type")),
        ("TEXT", Some((10, "image/png")), Some("header.file_unused")),
    ] {
        let file = file.map(|(size, mime)| FileFacts {
            size,
            mime: Some(mime.to_owned()).filter(|mime| !mime.is_empty()),
            encoding: None,
        });
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
        ..Encoding::default()
    };
    let picture = |colour: &str| Encoding { colour: Some(colour.to_owned()), ..Encoding::default() };
    let damaged = Encoding { damaged: true, ..picture("RGB") };
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
        // The type alone is enough for the finding.
        ("VIDEO", "video/quicktime", film("H.265", &["MP3"]), &["header.file_type"]),
        ("IMAGE", "image/png", picture("RGB"), &[]),
        ("IMAGE", "image/png", picture("RGBA"), &[]),
        ("IMAGE", "image/png", picture("16-bit RGB"), &["header.picture_colour"]),
        ("IMAGE", "image/jpeg", picture("CMYK"), &["header.picture_colour"]),
        ("IMAGE", "image/jpeg", damaged, &["header.picture_damaged"]),
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
fn unused_files_are_found() {
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
