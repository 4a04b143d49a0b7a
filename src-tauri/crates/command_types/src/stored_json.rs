//! Samples of JSON that the desk stores in types of this crate. A sample that can no longer be read is lost user data.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::collections::BTreeMap;
use std::fmt::Debug;

use model::finding::Severity;
use model::send::{SendProblem, SendProblemCode, SendValues};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::batch::{DateOrder, DecimalMark, ValueSource, ValueTransform};
use crate::batch_mapping::{BatchMapping, FileColumns};
use crate::composer::{Administration, Attachment, Draft};
use crate::error::DeskError;
use crate::preferences::{ColorScheme, Contrast, Density, NotificationKinds, Preferences};
use crate::send::{SendOptions, SendRequest, SendText};
use crate::storage::{RetentionKind, RetentionPolicy, RetentionRule};
use crate::template::{ListViews, SavedView};
use crate::transfer::StoredImportError;
use crate::workspace::{CredentialKind, SendingNumber, WabaField, WorkspaceSettings};

/// Checks that a value is serialized as `stored`, with the keys in that order, and that `stored` is parsed to the
/// value.
fn assert_stored<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T, stored: &Value) {
    assert_eq!(serde_json::to_string(value).unwrap(), stored.to_string());
    assert_read(stored, value);
}

/// Checks that JSON stored by an older version is parsed to the value.
fn assert_read<T: DeserializeOwned + PartialEq + Debug>(stored: &Value, value: &T) {
    assert_eq!(serde_json::from_str::<T>(&stored.to_string()).unwrap(), *value);
}

#[test]
fn drafts() {
    let file = Attachment {
        path: "/home/ana/sale.png".to_owned(),
        name: "sale.png".to_owned(),
        size: 2_048,
        mime: "image/png".to_owned(),
        ..Attachment::default()
    };
    let template = json!({
        "name": "spring_sale",
        "language": "pt_BR",
        "category": "marketing",
        "components": [{"type": "BODY", "text": "Hello {{1}}", "example": {"body_text": [["Ana"]]}}],
    });
    let draft = Draft {
        id: "d1".to_owned(),
        workspace: "w1".to_owned(),
        template: serde_json::from_value(template.clone()).unwrap(),
        waba_ids: vec!["123".to_owned()],
        header_file: Some(file),
        card_files: vec![None],
        administration: Some(Administration { workspace_uuid: Some("u".to_owned()), is_administrator: true }),
        json_text: Some("{".to_owned()),
        edits: Some("t1".to_owned()),
        translates: Some(serde_json::from_value(template.clone()).unwrap()),
        updated_at: 1_750_000_000_123,
        ..Draft::default()
    };
    let stored = json!({
        "id": "d1",
        "workspace": "w1",
        "template": template,
        "wabaIds": ["123"],
        "headerFile": {"path": "/home/ana/sale.png", "name": "sale.png", "size": 2_048, "mime": "image/png"},
        "cardFiles": [null],
        "administration": {"workspaceUuid": "u", "isAdministrator": true},
        "jsonText": "{",
        "edits": "t1",
        "translates": template,
        "updatedAt": 1_750_000_000_123_i64,
    });
    assert_stored(&draft, &stored);
    let oldest = json!({"id": "d1", "workspace": "w1", "template": draft.template});
    let read =
        Draft { id: "d1".to_owned(), workspace: "w1".to_owned(), template: draft.template.clone(), ..Draft::default() };
    assert_read(&oldest, &read);
}

/// The request of a send, and the common request of a batch's rows.
#[test]
fn requests_of_sends_and_batches() {
    let request = SendRequest {
        known_category: None,
        answers: None,
        workspace: "w1".to_owned(),
        reference: "t1".to_owned(),
        number: "100".to_owned(),
        to: "+55 11 91234-5678".to_owned(),
        country: Some("BR".to_owned()),
        values: BTreeMap::from([("body.1".to_owned(), "Ana".to_owned())]),
        options: SendOptions {
            callback_data: r#"{"order":7}"#.to_owned(),
            track: true,
            exact_callback: false,
            overrides: vec!["media.size_unknown".to_owned()],
        },
    };
    let stored = json!({
        "workspace": "w1",
        "reference": "t1",
        "number": "100",
        "to": "+55 11 91234-5678",
        "country": "BR",
        "values": {"body.1": "Ana"},
        "callbackData": r#"{"order":7}"#,
        "track": true,
        "exactCallback": false,
        "overrides": ["media.size_unknown"],
    });
    assert_stored(&request, &stored);
    // Sends of older versions are tracked.
    let oldest = json!({"workspace": "w1", "reference": "t1", "number": "100", "to": "1"});
    let read = SendRequest {
        workspace: "w1".to_owned(),
        reference: "t1".to_owned(),
        number: "100".to_owned(),
        to: "1".to_owned(),
        options: SendOptions { track: true, ..SendOptions::default() },
        ..SendRequest::default()
    };
    assert_read(&oldest, &read);
}

/// The values of a batch row, and its problem.
#[test]
fn rows_of_batches() {
    let values = SendValues::from([("body.1".to_owned(), "Ana".to_owned())]);
    assert_stored(&values, &json!({"body.1": "Ana"}));
    let problem = SendProblem {
        field: "to".to_owned(),
        code: SendProblemCode::ToMissing,
        severity: Severity::Error,
        error_code: None,
        values: BTreeMap::new(),
        message: "Enter a number.".to_owned(),
    };
    let stored = json!({
        "field": "to",
        "code": "to.missing",
        "severity": "error",
        "errorCode": null,
        "values": {},
        "message": "Enter a number.",
    });
    assert_stored(&problem, &stored);
}

/// What fills the messages of a batch.
#[test]
fn mappings_of_batches() {
    let column = |fallback: Option<&str>, transform| ValueSource::Column {
        column: "nome".to_owned(),
        fallback: fallback.map(str::to_owned),
        transform,
    };
    let money = ValueTransform::Money { currency: "BRL".to_owned(), mark: Some(DecimalMark::Comma) };
    let mapping = BatchMapping {
        file: Some(FileColumns { has_header: true, to: "telefone".to_owned(), name: None }),
        country: Some("BR".to_owned()),
        values: BTreeMap::from([
            ("body.1".to_owned(), column(Some("cliente"), Some(ValueTransform::TitleCase))),
            ("body.2".to_owned(), ValueSource::Fixed { value: "hoje".to_owned() }),
            ("body.3".to_owned(), column(None, Some(money))),
            ("body.4".to_owned(), column(None, Some(ValueTransform::Date { order: Some(DateOrder::DayFirst) }))),
            ("body.5".to_owned(), column(None, Some(ValueTransform::Number { mark: None }))),
        ]),
    };
    let stored = json!({
        "file": {"hasHeader": true, "to": "telefone", "name": null},
        "country": "BR",
        "values": {
            "body.1": {"kind": "column", "column": "nome", "fallback": "cliente", "transform": "titleCase"},
            "body.2": {"kind": "fixed", "value": "hoje"},
            "body.3": {"kind": "column", "column": "nome", "fallback": null,
                "transform": {"money": {"currency": "BRL", "mark": "comma"}}},
            "body.4": {"kind": "column", "column": "nome", "fallback": null,
                "transform": {"date": {"order": "dayFirst"}}},
            "body.5": {"kind": "column", "column": "nome", "fallback": null, "transform": {"number": {"mark": null}}},
        },
    });
    assert_stored(&mapping, &stored);
}

#[test]
fn texts() {
    let text = SendText {
        workspace: "w1".to_owned(),
        number: "100".to_owned(),
        to: "1".to_owned(),
        country: Some("+".to_owned()),
        text: "Hello".to_owned(),
        preview_url: true,
        form: None,
        options: SendOptions {
            callback_data: "own".to_owned(),
            track: false,
            exact_callback: true,
            overrides: Vec::new(),
        },
    };
    let stored = json!({
        "workspace": "w1",
        "number": "100",
        "to": "1",
        "country": "+",
        "text": "Hello",
        "previewUrl": true,
        "callbackData": "own",
        "track": false,
        "exactCallback": true,
        "overrides": [],
    });
    assert_stored(&text, &stored);
    let oldest = json!({"workspace": "w1", "number": "100", "to": "1", "text": "Hello"});
    let options = SendOptions { track: true, ..SendOptions::default() };
    let read = SendText { preview_url: false, country: None, options, ..text };
    assert_read(&oldest, &read);
}

/// The error of a send, an item, a batch or a submission.
#[test]
fn errors() {
    let service = DeskError::Service {
        status: 400,
        error_code: Some("132001".to_owned()),
        message: "Template name does not exist".to_owned(),
        details: None,
        field: Some("name".to_owned()),
        retry_after: None,
        body: "{}".to_owned(),
    };
    for (error, stored) in [
        (DeskError::MissingCredentials {}, json!({"code": "missingCredentials"})),
        (DeskError::Cancelled {}, json!({"code": "cancelled"})),
        (DeskError::Offline { reason: "refused".to_owned() }, json!({"code": "offline", "reason": "refused"})),
        (DeskError::TimedOut { seconds: 30 }, json!({"code": "timedOut", "seconds": 30})),
        (DeskError::invalid("to", "no number"), json!({"code": "invalidInput", "field": "to", "message": "no number"})),
        (DeskError::other_conflict("gone"), json!({"code": "conflict", "message": "gone"})),
        (DeskError::other_not_found("It"), json!({"code": "notFound", "what": "It"})),
        (
            DeskError::RateLimited { retry_after: Some(5), error_code: Some("130429".to_owned()) },
            json!({"code": "rateLimited", "retryAfter": 5, "errorCode": "130429"}),
        ),
        (
            service,
            json!({
                "code": "service",
                "status": 400,
                "errorCode": "132001",
                "message": "Template name does not exist",
                "details": null,
                "field": "name",
                "retryAfter": null,
                "body": "{}",
            }),
        ),
        (
            DeskError::Unreadable {
                endpoint: "POST /send-message".to_owned(),
                status: 200,
                reason: "no JSON".to_owned(),
                body: "<html>".to_owned(),
            },
            json!({
                "code": "unreadable",
                "endpoint": "POST /send-message",
                "status": 200,
                "reason": "no JSON",
                "body": "<html>",
            }),
        ),
        (DeskError::file("a.png", "it changed"), json!({"code": "file", "name": "a.png", "reason": "it changed"})),
        (
            DeskError::file_io("a.png", &std::io::ErrorKind::NotFound.into(), "it is gone"),
            json!({"code": "file", "name": "a.png", "reason": "it is gone", "problem": "notFound"}),
        ),
        (DeskError::Storage { reason: "disk full".to_owned() }, json!({"code": "storage", "reason": "disk full"})),
    ] {
        assert_stored(&error, &stored);
    }
    // Keys that older versions did not store.
    assert_read(&json!({"code": "rateLimited"}), &DeskError::RateLimited { retry_after: None, error_code: None });
}

#[test]
fn settings_of_workspaces() {
    let settings = WorkspaceSettings {
        name: "Shop".to_owned(),
        base_url: "https://api.example".to_owned(),
        channel: "messaging".to_owned(),
        credential_kind: CredentialKind::Client,
        client_id: "c1".to_owned(),
        numbers: vec![SendingNumber { id: "100".to_owned(), label: "Main".to_owned(), ..SendingNumber::default() }],
        waba_ids: vec!["123".to_owned()],
        waba_field: WabaField::WabaId,
        token_expires_on: "2026-12-31".to_owned(),
        ..WorkspaceSettings::default()
    };
    let stored = json!({
        "name": "Shop",
        "baseUrl": "https://api.example",
        "channel": "messaging",
        "messagingProduct": "",
        "workspaceUuid": "",
        "credentialKind": "client",
        "clientId": "c1",
        "numbers": [{"id": "100", "label": "Main", "wabaId": "", "ownWebhook": false}],
        "businessId": "",
        "wabaIds": ["123"],
        "wabaField": "waba_id",
        "tokenExpiresOn": "2026-12-31",
        "businessName": "",
        "wabaNames": {},
        "allowUnencrypted": false,
        "defaultCountry": "",
        "takesUserIds": false,
    });
    assert_stored(&settings, &stored);
    assert_read(&json!({}), &WorkspaceSettings::default());
}

#[test]
fn preferences() {
    let kinds = NotificationKinds { tokens: false, ..NotificationKinds::default() };
    let preferences = Preferences {
        workspace: "w1".to_owned(),
        color_scheme: ColorScheme::Dark,
        language: "pt-BR".to_owned(),
        notifications: kinds,
        workspace_notifications: BTreeMap::from([("w2".to_owned(), NotificationKinds::NONE)]),
        keep_running: true,
        tray: false,
        first_steps: false,
        density: Density::Compact,
        contrast: Contrast::High,
        text_scale: 150,
        public_address: "https://hooks.example".to_owned(),
        ..Preferences::default()
    };
    let stored = json!({
        "workspace": "w1",
        "colorScheme": "dark",
        "language": "pt-BR",
        "notify": true,
        "notifications": {
            "reviews": true, "pauses": true, "categories": true, "quality": true, "webhooks": true, "tokens": false,
            "messages": true, "accounts": true,
        },
        "workspaceNotifications": {"w2": {
            "reviews": false, "pauses": false, "categories": false, "quality": false, "webhooks": false, "tokens": false,
            "messages": false, "accounts": false,
        }},
        "keepRunning": true,
        "tray": false,
        "firstSteps": false,
        "density": "compact",
        "contrast": "high",
        "textScale": 150,
        "publicAddress": "https://hooks.example",
    });
    let written = serde_json::to_value(&preferences).unwrap();
    for (key, value) in stored.as_object().unwrap() {
        assert_eq!(written.get(key), Some(value), "{key}");
    }
    assert_read(&stored, &preferences);
    assert_read(&json!({}), &Preferences::default());
}

#[test]
fn policies_and_views() {
    let policy = RetentionPolicy { rules: vec![RetentionRule { kind: RetentionKind::Status, days: 90 }] };
    assert_stored(&policy, &json!({"rules": [{"kind": "status", "days": 90}]}));
    let saved = SavedView {
        id: "v1".to_owned(),
        name: "Paused".to_owned(),
        screen: "templates".to_owned(),
        filter: "status=PAUSED".to_owned(),
    };
    let views = ListViews { last: BTreeMap::from([("board".to_owned(), "q=a".to_owned())]), saved: vec![saved] };
    let stored = json!({
        "last": {"board": "q=a"},
        "saved": [{"id": "v1", "name": "Paused", "screen": "templates", "filter": "status=PAUSED"}],
    });
    assert_stored(&views, &stored);
    assert_read(&json!({}), &ListViews::default());
}

#[test]
fn errors_of_imported_files() {
    let error = DeskError::RateLimited { retry_after: Some(20), error_code: None };
    let stored = json!({"code": "rateLimited", "retryAfter": 20, "errorCode": null});
    assert_read(&stored, &error);
    let whole = StoredImportError { error, accepted_wabas: Vec::new(), open_wabas: Vec::new() };
    assert_read(&stored, &whole);
    let partial = StoredImportError { accepted_wabas: vec!["1".to_owned()], open_wabas: vec!["2".to_owned()], ..whole };
    let text = serde_json::to_value(&partial).unwrap();
    assert_eq!((&text["acceptedWabas"], &text["openWabas"]), (&json!(["1"]), &json!(["2"])));
    assert_read(&text, &partial);
}
