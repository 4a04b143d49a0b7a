//! The canary token must not appear in errors or debug output, nor be sent to any unintended host.

use model::send::SendMessage;
use model::template::{CreateTemplate, Template};
use provider_client::{Client, Credentials, Endpoint, ListFilter};
use secrecy::SecretString;
use serde_json::json;

use crate::provider::{Provider, Reply, TOKEN, endpoint, json as reply, quick, raw};

fn clean(text: &str, context: &str) {
    assert!(!text.contains(TOKEN) && !text.to_lowercase().contains("bearer canary"), "{context}: {text}");
}

#[tokio::test]
async fn errors_never_contain_the_token() {
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
async fn debug_output_never_contains_the_token() {
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
