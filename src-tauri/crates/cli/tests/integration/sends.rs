//! `tdesk send` against the sandbox.

use serde_json::{Value, json};
use tokio::time::timeout;

use crate::files::{Provider, stdout};
use crate::receiving::{PATIENCE, stderr};

const NUMBER: &str = "106540352242922";

async fn with_template() -> (Provider, tempfile::TempDir) {
    let provider = Provider::start(false).await;
    let folder = tempfile::tempdir().unwrap();
    let template = json!({
        "name": "order_update", "language": "pt_BR", "category": "utility",
        "components": [
            {"type": "BODY", "text": "Olá {{1}}, seu pedido {{2}} está pronto.", "example": {"body_text": [["Ana", "42"]]}},
            {"type": "BUTTONS", "buttons": [{"type": "QUICK_REPLY", "text": "Ajuda"}]}
        ]
    });
    let path = folder.path().join("order_update.json");
    std::fs::write(&path, template.to_string()).unwrap();
    let pushed = provider.push(&[path.to_str().unwrap(), "--waba", "1"]).await;
    assert_eq!(pushed.status.code(), Some(0), "{} {}", stdout(&pushed), stderr(&pushed));
    provider.reviewed().await;
    (provider, folder)
}

#[tokio::test]
async fn sends_a_template_filled_with_values_and_prints_the_answer() {
    let (provider, folder) = with_template().await;
    let values = folder.path().join("values.json");
    std::fs::write(&values, json!({"body.1": "Bia", "body.2": 77}).to_string()).unwrap();
    let base = ["--number", NUMBER, "--to", "+55 (11) 99999-0000", "--template", "order_update", "--language", "pt-BR"];
    let mut arguments = base.to_vec();
    arguments.extend(["--values", values.to_str().unwrap(), "--callback-data", "order 77"]);

    arguments.push("--dry-run");
    let dry = provider.run("send", &arguments).await;
    let message: Value = serde_json::from_str(&stdout(&dry)).unwrap();
    assert_eq!(
        message["template"],
        json!({"name": "order_update", "language": {"code": "pt_BR"}, "components": [
            {"type": "body", "parameters": [{"type": "text", "text": "Bia"}, {"type": "text", "text": "77"}]}
        ]})
    );
    assert_eq!(message["to"], "5511999990000");
    assert_eq!(message["messaging_product"], "messaging");
    assert_eq!(message["biz_opaque_callback_data"], "order 77");
    assert!(phones(&provider).await.is_empty(), "a dry run sends nothing");

    arguments.pop();
    let sent = provider.run("send", &arguments).await;
    assert_eq!(sent.status.code(), Some(0), "{}", stderr(&sent));
    let answer: Value = serde_json::from_str(&stdout(&sent)).unwrap();
    assert!(answer["messages"][0]["id"].is_string(), "{answer}");
    assert_eq!(reached(&provider, "5511999990000").await, "Olá Bia, seu pedido 77 está pronto.");

    // The same message, whole.
    let payload = folder.path().join("payload.json");
    std::fs::write(&payload, stdout(&dry)).unwrap();
    let sent = provider
        .run("send", &["--number", NUMBER, "--payload", payload.to_str().unwrap(), "--to", "5511999990001"])
        .await;
    assert_eq!(sent.status.code(), Some(0), "{}", stderr(&sent));
    assert_eq!(reached(&provider, "5511999990001").await, "Olá Bia, seu pedido 77 está pronto.");
}

/// What a recipient reads, once something has reached them.
async fn reached(provider: &Provider, recipient: &str) -> String {
    let arrival = async {
        while phones(provider).await.iter().all(|phone| !phone.to_string().contains(recipient)) {
            tokio::task::yield_now().await;
        }
    };
    timeout(PATIENCE, arrival).await.expect("the message arrives in time");
    let phone = provider.get(&format!("/sandbox/phones/{recipient}")).await;
    let runs = phone["data"]["items"][0]["bubble"]["body"][0]["runs"].as_array().unwrap();
    runs.iter().map(|run| run["text"].as_str().unwrap()).collect()
}

async fn phones(provider: &Provider) -> Vec<Value> {
    let answer = provider.get("/sandbox/phones").await;
    answer["data"].as_array().or(answer.as_array()).unwrap().clone()
}

#[tokio::test]
async fn says_what_does_not_fit_and_sends_nothing() {
    let (provider, folder) = with_template().await;
    let file = |name: &str, content: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, content).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let full = file("full.json", r#"{"body.1": "Bia", "body.2": "77"}"#);
    let half = file("half.json", r#"{"body.1": "Bia"}"#);
    let odd = file("odd.json", r#"{"body.1": "Bia", "body.2": "77", "body.3": "?"}"#);
    let list = file("list.json", "[1]");
    for (template, language, values, code, said) in [
        ("order_update", "pt_BR", &half, 1, "body.2"),
        ("order_update", "pt_BR", &odd, 1, "no part `body.3`"),
        ("order_update", "en_US", &full, 1, "It exists in pt_BR"),
        ("order_updat", "pt_BR", &full, 1, "no template `order_updat`"),
        ("order_update", "pt_BR", &list, 2, "must be an object"),
    ] {
        let arguments = [
            "--number",
            NUMBER,
            "--to",
            "5511999990000",
            "--template",
            template,
            "--language",
            language,
            "--values",
            values,
        ];
        let output = provider.run("send", &arguments).await;
        assert_eq!(output.status.code(), Some(code), "{template} {language} {values}: {}", stderr(&output));
        assert!(stderr(&output).contains(said), "{said}: {}", stderr(&output));
    }
    let broken = file("broken.json", r#"{"to": 1}"#);
    let output = provider.run("send", &["--number", NUMBER, "--payload", &broken]).await;
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    let unknown = file(
        "unknown.json",
        r#"{"messaging_product": "messaging", "to": "5511999990000", "type": "template", "template": {"name": "nothing", "language": {"code": "en"}}}"#,
    );
    let output = provider.run("send", &["--number", NUMBER, "--payload", &unknown]).await;
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(stderr(&output).contains("132001"), "the channel's code: {}", stderr(&output));
    let output = provider.run("send", &["--number", NUMBER, "--to", "1"]).await;
    assert_eq!(output.status.code(), Some(2));
    assert!(phones(&provider).await.is_empty());
}
