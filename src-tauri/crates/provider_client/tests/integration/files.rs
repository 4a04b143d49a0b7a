//! Multipart: names, order, file names and content types of the parts (contract §4.2, §4.3), streamed from disk.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use model::template::{EditTemplate, Template};
use provider_client::{Client, Endpoint, Error, TemplateFiles, Upload, WabaField};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::provider::{Provider, endpoint, json as reply, part, quick, text, with_header};

fn file(folder: &TempDir, name: &str, content: &[u8]) -> PathBuf {
    let path = folder.path().join(name);
    std::fs::write(&path, content).unwrap();
    path
}

fn components() -> Value {
    json!([
        {"type": "HEADER", "format": "IMAGE", "example": {"header_handle": ["UPLOAD_PENDING"]}},
        {"type": "BODY", "text": "Olá {{1}}, \"quoted\"\nand a second line"}
    ])
}

fn template(extra: Value) -> Template {
    let mut body =
        json!({"name": "order_update", "language": "pt_BR", "category": "utility", "components": components()});
    body.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
    serde_json::from_value(body).unwrap()
}

#[tokio::test]
async fn a_creation_has_the_parts_of_the_contract_in_order() {
    let folder = tempfile::tempdir().unwrap();
    // Windows has no quotation marks in names of files.
    let (name, sent) = if cfg!(windows) {
        ("fotografia é.png", "fotografia é.png")
    } else {
        ("fotografia \"é\".png", r#"fotografia \"é\".png"#)
    };
    let path = file(&folder, name, b"\x89PNG not really");
    let disposition = format!("Content-Disposition: form-data; name=\"header_file\"; filename=\"{sent}\"");
    for (field, field_name) in [(WabaField::WabaIds, "waba_ids"), (WabaField::WabaId, "waba_id")] {
        let provider = Provider::start([reply(201, &json!({"data": {"uuid": "u-1"}}))]).await;
        let client = Client::new(Endpoint { waba_field: field, ..endpoint(&provider.base()) }, quick()).unwrap();
        let upload = Upload::open(&path).await.unwrap();
        let created = client
            .create_template_with_files(&template(json!({})), " 102290129340398 ", with_header(upload))
            .await
            .unwrap();
        assert_eq!(created.uuid, "u-1");
        let request = provider.request();
        assert_eq!(
            (request.method.as_str(), request.target.as_str()),
            ("POST", "/messaging/provider/workspace-templates")
        );
        let content = String::from_utf8_lossy(b"\x89PNG not really").into_owned();
        let expected = [
            text(field_name, "102290129340398"),
            text("name", "order_update"),
            text("language", "pt_BR"),
            text("category", "utility"),
            part(&[&disposition, "Content-Type: image/png"], &content),
            text("components", &components().to_string()),
        ];
        assert_eq!(request.parts(), expected);
        assert_eq!(request.header("authorization").map(|value| value.starts_with("Bearer ")), Some(true));
    }
}

#[tokio::test]
async fn a_creation_keeps_fields_that_the_contract_does_not_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder, "a.mp4", b"film");
    let provider = Provider::start([reply(200, &json!({"uuid": "u"}))]).await;
    let template = template(
        json!({"type": "marketing_lite", "parameter_format": "NAMED", "message_send_ttl_seconds": 600, "later": {"a": [1]}}),
    );
    provider
        .client()
        .create_template_with_files(&template, "1", with_header(Upload::open(&path).await.unwrap()))
        .await
        .unwrap();
    let parts = provider.request().parts();
    let names: Vec<_> = parts.iter().map(|part| part.head[0].split('"').nth(1).unwrap().to_owned()).collect();
    assert_eq!(
        names,
        [
            "waba_ids",
            "name",
            "language",
            "category",
            "type",
            "parameter_format",
            "message_send_ttl_seconds",
            "later",
            "header_file",
            "components"
        ]
    );
    assert_eq!(parts[4].body, "marketing_lite");
    assert_eq!(parts[6].body, "600");
    assert_eq!(parts[7].body, r#"{"a":[1]}"#);
    assert_eq!(parts[8].head[1], "Content-Type: video/mp4");
}

#[tokio::test]
async fn an_edit_sends_every_field_and_file_with_cards_in_order() {
    let folder = tempfile::tempdir().unwrap();
    let open = async |name: &str| Upload::open(file(&folder, name, name.as_bytes())).await.unwrap();
    let files = TemplateFiles {
        header_file: Some(open("header.jpg").await),
        pix_file: Some(open("pix.pdf").await),
        order_file: Some(open("order.pdf").await),
        carousel_files: vec![open("card2.png").await, open("card1.mp4").await, open("card3.png").await],
    };
    let edit: EditTemplate = serde_json::from_value(json!({
        "category": "MARKETING", "sub_category": "promo", "components": components(), "parameter_format": "NAMED",
        "workspace_uuid": "w", "is_administrator": true, "pix_data": {"key": "k"}, "order_data": "{\"a\": 1}"
    }))
    .unwrap();
    let provider = Provider::start([reply(200, &json!({"data": {"uuid": "u"}}))]).await;
    provider.client().edit_template_with_files("u", &edit, files).await.unwrap();
    let request = provider.request();
    assert_eq!(
        (request.method.as_str(), request.target.as_str()),
        ("PUT", "/messaging/provider/workspace-templates/u")
    );
    let upload = |field: &str, name: &str, kind: &str| {
        part(
            &[
                &format!("Content-Disposition: form-data; name=\"{field}\"; filename=\"{name}\""),
                &format!("Content-Type: {kind}"),
            ],
            name,
        )
    };
    let expected = [
        text("category", "marketing"),
        text("sub_category", "promo"),
        text("parameter_format", "NAMED"),
        text("workspace_uuid", "w"),
        text("is_administrator", "true"),
        text("pix_data", r#"{"key":"k"}"#),
        text("order_data", r#"{"a": 1}"#),
        upload("header_file", "header.jpg", "image/jpeg"),
        upload("carousel_files[]", "card2.png", "image/png"),
        upload("carousel_files[]", "card1.mp4", "video/mp4"),
        upload("carousel_files[]", "card3.png", "image/png"),
        upload("pix_file", "pix.pdf", "application/pdf"),
        upload("order_file", "order.pdf", "application/pdf"),
        text("components", &components().to_string()),
    ];
    assert_eq!(request.parts(), expected);
}

#[tokio::test]
async fn a_creation_sends_every_kind_of_file_with_one_progress() {
    let folder = tempfile::tempdir().unwrap();
    let open = async |name: &str, length: usize| {
        Upload::open(file(&folder, name, &vec![name.as_bytes()[0]; length])).await.unwrap()
    };
    let card = |handle: &str| {
        json!({"components": [
            {"type": "HEADER", "format": "IMAGE", "example": {"header_handle": [handle]}},
            {"type": "BODY", "text": "A card"}]})
    };
    let components = json!([
        {"type": "HEADER", "format": "IMAGE", "example": {"header_handle": ["UPLOAD_PENDING"]}},
        {"type": "BODY", "text": "Hello"},
        {"type": "CAROUSEL", "cards": [card("UPLOAD_PENDING"), card("4::kept"), card("UPLOAD_PENDING"),
            card("UPLOAD_PENDING")]}]);
    let template = template(json!({"components": components, "pix_data": {"key": "k"}, "order_data": "{\"a\": 1}"}));
    let seen = Arc::new(Mutex::new(Vec::new()));
    let record = Arc::clone(&seen);
    let files = TemplateFiles {
        header_file: Some(open("header.jpg", 200_000).await),
        carousel_files: vec![open("first.png", 70_000).await, open("third.mp4", 5).await, open("2.png", 90_000).await],
        pix_file: Some(open("pix.pdf", 3).await),
        order_file: Some(open("order.pdf", 4).await),
    };
    let files = files.with_progress(move |now| record.lock().unwrap().push((now.sent, now.total, now.file.to_owned())));
    let provider = Provider::start([reply(201, &json!({"uuid": "u"}))]).await;
    provider.client().create_template_with_files(&template, "7", files).await.unwrap();
    let parts = provider.request().parts();
    let heads: Vec<_> = parts.iter().map(|part| part.head[0].replace("Content-Disposition: form-data; ", "")).collect();
    assert_eq!(
        heads,
        [
            "name=\"waba_ids\"",
            "name=\"name\"",
            "name=\"language\"",
            "name=\"category\"",
            "name=\"pix_data\"",
            "name=\"order_data\"",
            "name=\"header_file\"; filename=\"header.jpg\"",
            "name=\"carousel_files[]\"; filename=\"first.png\"",
            "name=\"carousel_files[]\"; filename=\"third.mp4\"",
            "name=\"carousel_files[]\"; filename=\"2.png\"",
            "name=\"pix_file\"; filename=\"pix.pdf\"",
            "name=\"order_file\"; filename=\"order.pdf\"",
            "name=\"components\"",
        ]
    );
    let lengths: Vec<_> = parts[6..12].iter().map(|part| part.body.len()).collect();
    assert_eq!(lengths, [200_000, 70_000, 5, 90_000, 3, 4]);
    assert_eq!(parts[4].body, r#"{"key":"k"}"#);
    assert_eq!(parts[5].body, r#"{"a": 1}"#);
    let sent: Value = serde_json::from_str(&parts[12].body).unwrap();
    assert_eq!(sent, components, "placeholders mark exactly the attached files");

    let seen = seen.lock().unwrap().clone();
    let total = 360_012;
    assert!(seen.windows(2).all(|pair| pair[0].0 < pair[1].0), "{seen:?}");
    assert!(seen.iter().all(|(_, all, _)| *all == total), "{seen:?}");
    assert_eq!(seen.last(), Some(&(total, total, "order.pdf".to_owned())));
    let mut names: Vec<_> = seen.into_iter().map(|(_, _, name)| name).collect();
    names.dedup();
    assert_eq!(names, ["header.jpg", "first.png", "third.mp4", "2.png", "pix.pdf", "order.pdf"]);
}

#[tokio::test]
async fn an_edit_without_files_is_json() {
    let provider = Provider::start([reply(200, &json!({"data": {"uuid": "u"}}))]).await;
    provider.client().edit_template_with_files("u", &EditTemplate::default(), TemplateFiles::default()).await.unwrap();
    assert_eq!(provider.request().header("content-type"), Some("application/json"));
}

#[tokio::test]
async fn upload_progress_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let length = 300_000;
    let path = file(&folder, "a.mp4", &vec![b'x'; length]);
    let seen = Arc::new(Mutex::new(Vec::new()));
    let record = Arc::clone(&seen);
    let upload = Upload::open(&path)
        .await
        .unwrap()
        .with_progress(Arc::new(move |sent, total| record.lock().unwrap().push((sent, total))));
    let provider = Provider::start([reply(200, &json!({"uuid": "u"}))]).await;
    provider.client().create_template_with_files(&template(json!({})), "1", with_header(upload)).await.unwrap();
    let seen = seen.lock().unwrap().clone();
    assert!(seen.len() > 2, "in pieces: {seen:?}");
    assert!(seen.is_sorted() && seen.iter().all(|(_, total)| *total == length as u64), "{seen:?}");
    assert_eq!(seen.last(), Some(&(length as u64, length as u64)));
    assert_eq!(provider.request().parts().iter().map(|part| part.body.len()).max(), Some(length));
}

#[tokio::test]
async fn missing_and_changed_files_are_reported_before_sending() {
    let folder = tempfile::tempdir().unwrap();
    for change in ["vanish", "grow", "touch"] {
        let path = file(&folder, "a.png", b"picture");
        let upload = Upload::open(&path).await.unwrap();
        match change {
            "vanish" => std::fs::remove_file(&path).unwrap(),
            "grow" => std::fs::write(&path, b"picture and more").unwrap(),
            _ => {
                let file = std::fs::File::options().write(true).open(&path).unwrap();
                file.set_modified(std::time::SystemTime::UNIX_EPOCH).unwrap();
            }
        }
        let provider = Provider::start([]).await;
        let error = provider
            .client()
            .create_template_with_files(&template(json!({})), "1", with_header(upload))
            .await
            .unwrap_err();
        let Error::File { name, message } = &error else { panic!("{change}: {error:?}") };
        assert_eq!(name, "a.png");
        assert!(message.contains("choose it again"), "{message}");
        assert!(
            !error.to_string().contains(folder.path().to_str().unwrap()),
            "the error does not show the folder: {error}"
        );
        assert!(provider.requests().is_empty());
    }
}

#[tokio::test]
async fn a_file_that_changes_during_the_upload_is_never_received() {
    let folder = tempfile::tempdir().unwrap();
    for shrink in [true, false] {
        let path = file(&folder, "a.mp4", &vec![b'x'; 4_000_000]);
        let changed = path.clone();
        let once = std::sync::Once::new();
        let upload = Upload::open(&path).await.unwrap().with_progress(Arc::new(move |_, _| {
            once.call_once(|| {
                let file = std::fs::File::options().write(true).open(&changed).unwrap();
                file.set_len(if shrink { 100_000 } else { 5_000_000 }).unwrap();
            });
        }));
        let provider = Provider::start([reply(200, &json!({"uuid": "u"}))]).await;
        let error = provider
            .client()
            .create_template_with_files(&template(json!({})), "1", with_header(upload))
            .await
            .unwrap_err();
        assert!(matches!(&error, Error::File { name, .. } if name == "a.mp4"), "{error:?}");
        assert!(provider.requests().is_empty(), "the request never became complete");
    }
}

#[tokio::test]
async fn folders_and_empty_files_are_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let empty = file(&folder, "empty.png", b"");
    for path in [empty, folder.path().to_path_buf(), folder.path().join("missing.png"), PathBuf::from("/dev/null")] {
        let error = Upload::open(&path).await.unwrap_err();
        assert!(matches!(error, Error::File { .. }), "{path:?}: {error:?}");
    }
    let odd = Upload::open(file(&folder, "a.png", b"x"))
        .await
        .unwrap()
        .with_content_type("no type")
        .with_file_name("a\r\nx: y.png");
    assert_eq!(odd.file_name(), "a__x: y.png");
    let provider = Provider::start([]).await;
    let error =
        provider.client().create_template_with_files(&template(json!({})), "1", with_header(odd)).await.unwrap_err();
    assert!(matches!(error, Error::File { .. }), "{error:?}");
    assert!(provider.requests().is_empty());
}
