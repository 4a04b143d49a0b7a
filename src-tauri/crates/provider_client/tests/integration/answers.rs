//! Decoding of answers of every shape, valid and invalid.

use model::send::SendMessage;
use model::template::{CreateTemplate, EditTemplate, Template};
use model::vocabulary::{Category, TemplateStatus};
use provider_client::{ConnectionCheck, Error, ListFilter};
use serde_json::{Value, json};

use crate::provider::{Provider, Reply, json as reply, raw};

fn creation() -> CreateTemplate {
    CreateTemplate {
        waba_ids: vec![model::Id::text("1")],
        template: Template { name: "a".into(), ..Template::default() },
    }
}

#[tokio::test]
async fn the_uuid_of_a_creation_is_found_in_every_shape() {
    for (body, uuid, id) in [
        (json!({"uuid": "u"}), "u", None),
        (json!({"data": {"uuid": "u"}}), "u", None),
        (json!({"id": "i"}), "i", None),
        (json!({"id": 77}), "77", None),
        (json!({"data": {"id": "i"}}), "i", None),
        (json!({"id": "9", "data": {"uuid": "u"}}), "u", Some("9")),
        (json!({"data": [{"uuid": "u", "waba_id": 1}, {"uuid": "u", "waba_id": 2}]}), "u", None),
        (json!({"message": "created", "template": {"uuid": "u", "id": 5}}), "u", Some("5")),
        (json!({"uuid": "", "id": "i"}), "i", None),
    ] {
        let provider = Provider::start([reply(201, &body)]).await;
        let created = provider.client().create_template(&creation()).await.unwrap();
        assert_eq!((created.uuid.as_str(), created.id.as_deref()), (uuid, id), "{body}");
        assert_eq!(created.body, body.to_string());
    }
    let body = json!({"id": "1", "status": "PENDING", "category": "MARKETING"});
    let provider = Provider::start([reply(200, &body)]).await;
    let created = provider.client().create_template(&creation()).await.unwrap();
    assert_eq!((created.status, created.category), (Some(TemplateStatus::Pending), Some(Category::Marketing)));
}

#[tokio::test]
async fn the_message_id_is_found_in_every_shape() {
    for (body, expected) in [
        (
            json!({"messaging_product": "m", "contacts": [{"input": "1", "wa_id": "2"}], "messages": [{"id": "w", "message_status": "accepted"}]}),
            Some("w"),
        ),
        (json!({"data": {"messages": [{"id": "w"}]}}), Some("w")),
        (json!({"message_id": "w"}), Some("w")),
        (json!({"data": {"message_id": "w", "id": "other"}}), Some("w")),
        (json!({"id": "w"}), Some("w")),
        (json!({"status": "queued"}), None),
        (json!([]), None),
    ] {
        let provider = Provider::start([reply(200, &body)]).await;
        let sent = provider.client().send_message("1", &SendMessage::default()).await.unwrap();
        assert_eq!(sent.message_id.as_deref(), expected, "{body}");
        assert_eq!(sent.body, body.to_string());
    }
    let provider = Provider::start([raw(202, "text/plain", "")]).await;
    assert_eq!(provider.client().send_message("1", &SendMessage::default()).await.unwrap().message_id, None);
}

#[tokio::test]
async fn answers_to_edits_are_read() {
    for body in [
        json!({"data": {"uuid": "u", "category": "UTILITY", "components": [{"type": "BODY", "text": "x"}], "later": 1}}),
        json!({"uuid": "u", "category": "utility", "components": "[{\"type\":\"BODY\",\"text\":\"x\"}]"}),
    ] {
        let provider = Provider::start([reply(200, &body)]).await;
        let edited = provider.client().edit_template("u", &EditTemplate::default()).await.unwrap();
        assert_eq!(edited.uuid.as_deref(), Some("u"));
        assert_eq!(edited.category, Some(Category::Utility));
        assert_eq!(json!(edited.components), json!([{"type": "BODY", "text": "x"}]));
    }
}

#[tokio::test]
async fn any_acknowledgement_except_a_web_page_is_accepted() {
    for good in [
        raw(204, "text/plain", ""),
        reply(200, &json!({"success": true})),
        raw(200, "text/plain; charset=utf-8", "OK"),
        reply(200, &json!("done")),
    ] {
        let provider = Provider::start([good.clone()]).await;
        provider.client().archive_template("u").await.unwrap_or_else(|error| panic!("{good:?}: {error}"));
    }
    for bad in [raw(200, "text/html", "<html>log in</html>"), raw(200, "application/json", "{\"data\":")] {
        let provider = Provider::start([bad.clone()]).await;
        let error = provider.client().delete_template("u").await.unwrap_err();
        assert!(matches!(error, Error::Unreadable { maybe_received: true, .. }), "{bad:?}: {error:?}");
    }
    let provider = Provider::start([reply(200, &json!({"success": false, "message": "It is archived already"}))]).await;
    let error = provider.client().archive_template("u").await.unwrap_err();
    assert!(matches!(&error, Error::Refused(refusal) if refusal.message == "It is archived already"), "{error:?}");
}

#[tokio::test]
async fn an_unreadable_answer_is_reported_with_endpoint_and_body() {
    for body in ["", "<html>hello</html>", "{\"data\":[", "null", "7", "{}", "{\"data\":{\"message\":\"ok\"}}"] {
        let provider = Provider::start([raw(200, "application/json", body), raw(200, "application/json", body)]).await;
        let listing = provider.client().list_templates(&ListFilter::default()).await.unwrap_err();
        let Error::Unreadable { endpoint, status: 200, body: shown, maybe_received: false, .. } = &listing else {
            panic!("{body}: {listing:?}")
        };
        assert_eq!((endpoint.as_str(), shown.as_str()), ("GET /messaging/provider/workspace-templates", body));
        assert!(listing.to_string().contains("GET /messaging/provider/workspace-templates"), "{listing}");

        let created = provider.client().create_template(&creation()).await.unwrap_err();
        assert!(matches!(&created, Error::Unreadable { maybe_received: true, .. }), "{body}: {created:?}");
        assert!(created.to_string().contains("Check before you repeat"), "{created}");
    }
    // Invalid UTF-8, and a byte order mark.
    let provider = Provider::start([raw(200, "application/json", "\u{feff}[]")]).await;
    assert_eq!(provider.client().check().await.unwrap(), ConnectionCheck { templates: 0, more: false });
}

#[tokio::test]
async fn every_status_becomes_an_error_with_the_providers_message() {
    let contract = json!({"message": "Authentication required", "details": "You must supply a Bearer Token"});
    let graph = json!({"error": {"message": "(#100) Invalid parameter", "code": 100, "error_subcode": 2_388_039, "error_data": {"details": "name is taken"}}});
    for (status, body, message, details, code) in [
        (401, &contract, "Authentication required", "You must supply a Bearer Token", None),
        (403, &contract, "Authentication required", "You must supply a Bearer Token", None),
        (404, &contract, "Authentication required", "You must supply a Bearer Token", None),
        (400, &graph, "(#100) Invalid parameter", "name is taken", Some(100)),
        (422, &graph, "(#100) Invalid parameter", "name is taken", Some(100)),
        (429, &graph, "(#100) Invalid parameter", "name is taken", Some(100)),
        (500, &graph, "(#100) Invalid parameter", "name is taken", Some(100)),
        (200, &graph, "(#100) Invalid parameter", "name is taken", Some(100)),
    ] {
        let provider = Provider::start([reply(status, body)]).await;
        let error = provider.client().create_template(&creation()).await.unwrap_err();
        let kind = match &error {
            Error::Unauthorized(_) => status == 401,
            Error::Forbidden(_) => status == 403,
            Error::NotFound(_) => status == 404,
            Error::RateLimited(_) => status == 429,
            Error::Server(_) => status == 500,
            Error::Refused(_) => matches!(status, 200 | 400 | 422),
            _ => false,
        };
        assert!(kind, "{status}: {error:?}");
        let refusal = error.refusal().unwrap();
        assert_eq!((refusal.status, refusal.message.as_str(), refusal.code), (status, message, code));
        assert_eq!(refusal.details_text(), details);
        assert_eq!(refusal.endpoint, "POST /messaging/provider/workspace-templates");
        assert_eq!(refusal.body, body.to_string());
        let shown = error.to_string();
        assert!(shown.contains(message) && shown.contains(details), "the provider's words are shown: {shown}");
    }
}

#[tokio::test]
async fn an_endless_body_is_not_read() {
    for (endless, limit) in [(Reply::Announce(1 << 40), 33_554_432), (Reply::Flood, 33_554_432)] {
        let provider = Provider::start([endless.clone()]).await;
        let error = provider.client().check().await.unwrap_err();
        assert!(matches!(error, Error::TooLarge { limit: told, .. } if told == limit), "{endless:?}: {error:?}");
    }
}

#[tokio::test]
async fn the_stored_part_of_a_body_is_bounded() {
    let body: Value = json!({"message": "é".repeat(200_000)});
    let provider = Provider::start([reply(400, &body)]).await;
    let error = provider.client().archive_template("u").await.unwrap_err();
    assert!(error.refusal().unwrap().body.len() <= provider_client::MAX_STORED_BODY);
}
