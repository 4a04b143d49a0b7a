//! The canary: the token is in no error, no debug text, and goes to no host it is not meant for.

use model::send::SendMessage;
use model::template::{CreateTemplate, Template};
use secrecy::SecretString;
use serde_json::json;
use service::{Client, Credentials, Endpoint, Error, ListFilter, MAX_DOWNLOAD};

use crate::provider::{Provider, Reply, TOKEN, endpoint, json as reply, quick, raw};

fn clean(text: &str, context: &str) {
    assert!(!text.contains(TOKEN) && !text.to_lowercase().contains("bearer canary"), "{context}: {text}");
}

#[tokio::test]
async fn the_token_is_in_no_error_even_if_the_provider_echoes_it() {
    let echo = json!({"message": format!("token {TOKEN} is unknown"), "details": {"authorization": format!("Bearer {TOKEN}")}});
    let mut answers: Vec<Reply> =
        [400, 401, 403, 404, 410, 422, 429, 500].iter().map(|status| reply(*status, &echo)).collect();
    answers.push(reply(200, &json!({"error": {"message": format!("bad {TOKEN}")}})));
    answers.push(raw(200, "text/html", &format!("<html>{TOKEN}</html>")));
    answers.push(raw(401, "text/plain", TOKEN));
    answers.push(raw(302, "text/plain", "").with("location", &format!("http://example.com/?token={TOKEN}")));
    answers.extend([Reply::Hangup, Reply::Cut]);
    for answer in answers {
        let provider = Provider::start(vec![answer.clone(); 8]).await;
        let client = provider.client();
        let creation = CreateTemplate { waba_ids: vec![model::Id::text("1")], template: Template::default() };
        let errors = [
            client.check().await.unwrap_err(),
            client.list_templates(&ListFilter::default()).await.unwrap_err(),
            client.create_template(&creation).await.unwrap_err(),
            client.send_message("1", &SendMessage::default()).await.unwrap_err(),
            client.archive_template("u").await.unwrap_err(),
        ];
        for error in errors {
            clean(&error.to_string(), "Display");
            clean(&format!("{error:?}"), "Debug");
        }
    }
}

#[tokio::test]
async fn the_token_is_in_no_debug_text() {
    let provider = Provider::start([]).await;
    let client = provider.client();
    clean(&format!("{client:?}"), "Client");
    clean(&format!("{:?}", endpoint("https://example.com")), "Endpoint");
    let credentials = Credentials::Client { id: TOKEN.into(), secret: SecretString::from(TOKEN) };
    clean(&format!("{credentials:?}"), "Credentials");
    let bad = Endpoint {
        credentials: Credentials::Bearer(SecretString::from(format!("{TOKEN} {TOKEN}"))),
        ..endpoint("https://example.com")
    };
    let error = Client::new(bad, quick()).unwrap_err();
    clean(&format!("{error:?} {error}"), "InvalidInput");
}

#[tokio::test]
async fn downloads_media_with_the_token_and_nothing_else_of_ours() {
    let media = Provider::start([raw(200, "image/png", "picture")]).await;
    let provider = Provider::start([]).await;
    let download = provider.client().download(&format!("{}/media?hash=k", media.base()), 1_000).await.unwrap();
    assert_eq!((download.bytes.as_ref(), download.content_type.as_deref()), (b"picture".as_slice(), Some("image/png")));
    let request = media.request();
    assert_eq!((request.method.as_str(), request.target.as_str()), ("GET", "/media?hash=k"));
    assert_eq!(request.header("authorization"), Some(format!("Bearer {TOKEN}").as_str()));
    assert_eq!(request.header("x-workspace-uuid"), None);
}

#[tokio::test]
async fn a_download_is_bounded_and_goes_nowhere_else() {
    let media = Provider::start([
        Reply::Announce(2_000),
        Reply::Flood,
        raw(302, "text/plain", "").with("location", "http://other.example.com/?k=v"),
        reply(404, &json!({"error": {"message": "expired", "code": 100}})),
    ])
    .await;
    let client = Provider::start([]).await.client();
    let url = format!("{}/media?hash=key", media.base());
    for _ in 0..2 {
        let error = client.download(&url, 1_000).await.unwrap_err();
        assert!(matches!(error, Error::TooLarge { limit: 1_000, .. }), "{error:?}");
    }
    let error = client.download(&url, MAX_DOWNLOAD).await.unwrap_err();
    assert!(matches!(error, Error::Redirected { .. }), "{error:?}");
    let error = client.download(&url, MAX_DOWNLOAD).await.unwrap_err();
    assert!(matches!(error, Error::NotFound(_)), "{error:?}");
    assert!(!format!("{error:?} {error}").contains("hash=key"), "the address can hold a key: {error}");
    for url in ["http://media.example.com/x", "ftp://127.0.0.1/x", "file:///etc/passwd", "nonsense"] {
        let error = client.download(url, MAX_DOWNLOAD).await.unwrap_err();
        assert!(matches!(error, Error::InvalidInput { field: "url", .. }), "{url}: {error:?}");
    }
    let credentials = Credentials::Client { id: "i".into(), secret: SecretString::from("s") };
    let client = Client::new(Endpoint { credentials, ..endpoint(&media.base()) }, quick()).unwrap();
    let error = client.download(&url, MAX_DOWNLOAD).await.unwrap_err();
    assert!(matches!(error, Error::InvalidInput { field: "credentials", .. }), "{error:?}");
}
