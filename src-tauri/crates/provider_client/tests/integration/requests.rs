//! Method, path, headers and JSON of every endpoint, as the contract's tables show them (§2, §4, §5).

use model::Id;
use model::send::SendMessage;
use model::template::{CreateTemplate, EditTemplate};
use provider_client::{Client, Credentials, Endpoint, Error, ListFilter, parse_base_url};
use secrecy::SecretString;
use serde_json::{Value, json};

use crate::provider::{Provider, TOKEN, WORKSPACE, endpoint, json as reply, quick};

const UUID: &str = "6a2f0c1e-0000-4000-8000-000000000001";

fn create(body: Value) -> CreateTemplate {
    serde_json::from_value(body).unwrap()
}

/// The contract's example of a creation (§2.2, §4.2).
fn creation() -> Value {
    json!({
        "waba_ids": [102_290_129_340_398_u64, 9_007_199_254_740_993_u64],
        "name": "order_update",
        "language": "pt_BR",
        "category": "utility",
        "type": "cloud_api",
        "components": [
            {"type": "HEADER", "format": "IMAGE", "example": {"header_handle": ["UPLOAD_PENDING"]}},
            {"type": "BODY", "text": "Hi {{1}}, your order {{2}} is ready."},
            {"type": "FOOTER", "text": "Thank you"},
            {"type": "BUTTONS", "buttons": [
                {"type": "URL", "text": "Track", "url": "https://example.com/{{1}}"},
                {"type": "QUICK_REPLY", "text": "Help"}
            ]}
        ]
    })
}

#[tokio::test]
async fn every_request_has_exactly_the_headers_of_the_contract() {
    let provider = Provider::start([reply(200, &json!([]))]).await;
    provider.client().list_templates(&ListFilter::default()).await.unwrap();
    let request = provider.request();
    assert_eq!((request.method.as_str(), request.target.as_str()), ("GET", "/messaging/provider/workspace-templates"));
    assert_eq!(request.header("authorization"), Some(format!("Bearer {TOKEN}").as_str()));
    assert_eq!(request.header("x-workspace-uuid"), Some(WORKSPACE));
    assert_eq!(request.header("content-type"), None, "nothing is sent, so nothing is declared");
    let mut names: Vec<_> = request.headers.iter().map(|(name, _)| name.as_str()).collect();
    names.sort_unstable();
    assert_eq!(names, ["accept", "authorization", "host", "user-agent", "x-workspace-uuid"]);
}

#[tokio::test]
async fn client_credentials_are_sent_in_two_headers() {
    let provider = Provider::start([reply(200, &json!([]))]).await;
    let credentials = Credentials::Client { id: "app-1".into(), secret: SecretString::from("s3cret") };
    let client = Client::new(Endpoint { credentials, ..endpoint(&provider.base()) }, quick()).unwrap();
    client.list_templates(&ListFilter::default()).await.unwrap();
    let request = provider.request();
    assert_eq!(request.header("x-client-id"), Some("app-1"));
    assert_eq!(request.header("x-client-secret"), Some("s3cret"));
    assert_eq!(request.header("authorization"), None);
    assert_eq!(request.header("x-workspace-uuid"), Some(WORKSPACE));
}

#[tokio::test]
async fn every_form_of_message_is_sent_as_in_the_contract() {
    let template = |components: Value| {
        json!({
            "messaging_product": "messaging", "to": "5511999999999", "type": "template",
            "template": {"name": "order_update", "language": {"code": "pt_BR"}, "components": components}
        })
    };
    let mut individual = template(json!([{
        "type": "carousel",
        "cards": [{"card_index": 0, "components": [
            {"type": "header", "parameters": [{"type": "image", "image": {"link": "https://example.com/a.png"}}]},
            {"type": "button", "sub_type": "quick_reply", "index": "0", "parameters": [{"type": "payload", "payload": "more"}]}
        ]}]
    }]));
    individual["recipient_type"] = json!("individual");
    let mut tracked = template(json!([{"type": "body", "parameters": [{"type": "text", "text": "Ana"}]}]));
    tracked["biz_opaque_callback_data"] = json!(r#"{"order":"a\"b","td":"x1"}"#);
    let messages = [
        template(json!([
            {"type": "header", "parameters": [{"type": "document", "document": {"link": "https://example.com/a.pdf", "filename": "a.pdf"}}]},
            {"type": "body", "parameters": [{"type": "text", "text": "Ana"}, {"type": "text", "text": "42"}]},
            {"type": "footer", "parameters": [{"type": "text", "text": "bye"}]}
        ])),
        template(
            json!([{"type": "header", "parameters": [{"type": "video", "video": {"link": "https://example.com/a.mp4"}}]}]),
        ),
        individual,
        tracked,
        json!({"messaging_product": "messaging", "recipient_type": "individual", "to": "5511999999999", "type": "text", "text": {"body": "Olá"}}),
    ];
    for message in messages {
        let provider = Provider::start([reply(200, &json!({"messages": [{"id": "wamid.1"}]}))]).await;
        let payload: SendMessage = serde_json::from_value(message.clone()).unwrap();
        let sent = provider.client().send_message("106540352242922", &payload).await.unwrap();
        assert_eq!(sent.message_id.as_deref(), Some("wamid.1"));
        let request = provider.request();
        assert_eq!(
            (request.method.as_str(), request.target.as_str()),
            ("POST", "/messaging/provider/106540352242922/send-message")
        );
        assert_eq!(request.header("content-type"), Some("application/json"));
        assert_eq!(request.json(), message);
    }
}

#[tokio::test]
async fn creations_send_waba_ids_as_numbers() {
    let provider = Provider::start([reply(201, &json!({"uuid": UUID}))]).await;
    let mut create = create(creation());
    // IDs that were read from text are still sent as numbers.
    create.waba_ids[0] = Id::text("102290129340398");
    let created = provider.client().create_template(&create).await.unwrap();
    assert_eq!(created.uuid, UUID);
    let request = provider.request();
    assert_eq!((request.method.as_str(), request.target.as_str()), ("POST", "/messaging/provider/workspace-templates"));
    assert_eq!(request.header("content-type"), Some("application/json"));
    assert_eq!(request.json(), creation());
    assert!(
        String::from_utf8_lossy(&request.body).starts_with(r#"{"waba_ids":[102290129340398,9007199254740993],"#),
        "no digit is lost"
    );
}

#[tokio::test]
async fn creations_without_numeric_wabas_are_rejected_before_sending() {
    for waba_ids in [json!([]), json!(["abc"]), json!([1, ""])] {
        let provider = Provider::start([]).await;
        let mut body = creation();
        body["waba_ids"] = waba_ids;
        let error = provider.client().create_template(&create(body)).await.unwrap_err();
        assert!(matches!(error, Error::InvalidInput { field: "waba_ids", .. }), "{error:?}");
        assert!(provider.requests().is_empty());
    }
}

#[tokio::test]
async fn edits_send_only_the_given_fields() {
    let cases = [
        json!({}),
        json!({"category": "marketing", "sub_category": "promo", "components": [{"type": "BODY", "text": "New"}], "parameter_format": "NAMED"}),
        json!({"workspace_uuid": WORKSPACE, "is_administrator": true, "pix_data": {"key": "k"}, "order_data": "{\"a\":1}"}),
    ];
    for body in cases {
        let provider =
            Provider::start([reply(200, &json!({"data": {"uuid": UUID, "category": "marketing", "components": []}}))])
                .await;
        let edit: EditTemplate = serde_json::from_value(body.clone()).unwrap();
        provider.client().edit_template(UUID, &edit).await.unwrap();
        let request = provider.request();
        assert_eq!(request.method, "PUT");
        assert_eq!(request.target, format!("/messaging/provider/workspace-templates/{UUID}"));
        assert_eq!(request.header("content-type"), Some("application/json"));
        assert_eq!(request.json(), body);
    }
}

#[tokio::test]
async fn archive_unarchive_and_delete_have_no_body() {
    let provider = Provider::start([reply(200, &json!({})), reply(200, &json!({})), reply(200, &json!({}))]).await;
    let client = provider.client();
    client.archive_template(UUID).await.unwrap();
    client.unarchive_template(UUID).await.unwrap();
    client.delete_template(UUID).await.unwrap();
    let seen: Vec<_> = provider
        .requests()
        .into_iter()
        .map(|request| {
            assert!(request.body.is_empty());
            assert_eq!(request.header("content-type"), None);
            (request.method, request.target)
        })
        .collect();
    let path = format!("/messaging/provider/workspace-templates/{UUID}");
    assert_eq!(
        seen,
        [
            ("POST".into(), format!("{path}/archive")),
            ("POST".into(), format!("{path}/unarchive")),
            ("DELETE".into(), path)
        ]
    );
}

#[tokio::test]
async fn listings_send_the_filters_of_the_contract() {
    let provider = Provider::start([reply(200, &json!([]))]).await;
    let filter = ListFilter {
        business_id: Some("77".into()),
        waba_id: Some("102290129340398".into()),
        status: Some("approved".into()),
        category: Some("UTILITY".into()),
        search: Some("café & co #1".into()),
    };
    provider.client().list_templates(&filter).await.unwrap();
    let expected = [
        ("business_id", "77"),
        ("waba_id", "102290129340398"),
        ("status", "APPROVED"),
        ("category", "utility"),
        ("search", "café & co #1"),
    ];
    assert_eq!(provider.request().query(), expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
}

#[tokio::test]
async fn a_path_prefix_is_kept_and_segments_are_encoded() {
    for (base, channel, uuid, expected) in [
        ("", "messaging", "a/b?c#d%2f", "/messaging/provider/workspace-templates/a%2Fb%3Fc%23d%252f"),
        ("/", "whatsapp", "é x", "/whatsapp/provider/workspace-templates/%C3%A9%20x"),
        ("/api/v1", "a/b", "1", "/api/v1/a%2Fb/provider/workspace-templates/1"),
        ("/api/v1/", "messaging", "..x", "/api/v1/messaging/provider/workspace-templates/..x"),
    ] {
        let provider = Provider::start([reply(200, &json!({}))]).await;
        let endpoint = Endpoint { channel: channel.into(), ..endpoint(&format!("{}{base}", provider.base())) };
        Client::new(endpoint, quick()).unwrap().delete_template(uuid).await.unwrap();
        assert_eq!(provider.request().target, expected);
    }
}

#[tokio::test]
async fn segments_that_change_the_path_are_rejected() {
    let provider = Provider::start([]).await;
    for uuid in ["", ".", "..", "a\nb"] {
        let error = provider.client().delete_template(uuid).await.unwrap_err();
        assert!(matches!(error, Error::InvalidInput { field: "uuid", .. }), "{uuid:?}: {error:?}");
        let error = provider.client().send_message(uuid, &SendMessage::default()).await.unwrap_err();
        assert!(matches!(error, Error::InvalidInput { field: "number", .. }), "{uuid:?}: {error:?}");
    }
    assert!(provider.requests().is_empty());
}

#[test]
fn invalid_endpoints_are_rejected() {
    for base in [
        "",
        "  ",
        "api.example.com",
        "ftp://example.com",
        "file:///etc",
        "https://",
        "https://user:pw@example.com",
        "https://example.com/?a=1",
        "https://example.com/#x",
        "data:text/plain,x",
        "https://exa mple.com",
        "https://example.com/messaging/provider/workspace-templates",
        "https://example.com/api/messaging/provider/5511/send-message/",
    ] {
        let error = parse_base_url(base).unwrap_err();
        assert!(matches!(error, Error::InvalidInput { field: "base_url", .. }), "{base}: {error:?}");
    }
    let good = || endpoint("https://example.com");
    let bearer = |token: &str| Credentials::Bearer(SecretString::from(token));
    let client = |id: &str, secret: &str| Credentials::Client { id: id.into(), secret: SecretString::from(secret) };
    for (field, endpoint) in [
        ("channel", Endpoint { channel: String::new(), ..good() }),
        ("channel", Endpoint { channel: "..".into(), ..good() }),
        ("workspace_uuid", Endpoint { workspace_uuid: " ".into(), ..good() }),
        ("workspace_uuid", Endpoint { workspace_uuid: "a\r\nb: c".into(), ..good() }),
        ("token", Endpoint { credentials: bearer(""), ..good() }),
        ("token", Endpoint { credentials: bearer("a b"), ..good() }),
        ("token", Endpoint { credentials: bearer("töken"), ..good() }),
        ("client_id", Endpoint { credentials: client("", "s"), ..good() }),
        ("client_secret", Endpoint { credentials: client("i", "a\nb"), ..good() }),
    ] {
        match Client::new(endpoint, quick()).unwrap_err() {
            Error::InvalidInput { field: named, .. } => assert_eq!(named, field),
            other => panic!("{field}: {other:?}"),
        }
    }
}
