//! `tdesk send` against the sandbox.

use sandbox::Profile;
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::provider::{PROFILES, Provider, run, stdout};
use crate::receiving::{TIMEOUT, stderr};

const NUMBER: &str = "106540352242922";

async fn with_template(profile: Profile) -> (Provider, tempfile::TempDir) {
    let provider = Provider::start_as(profile, false).await;
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
async fn a_template_is_sent_with_values_and_the_answer_printed() {
    for profile in PROFILES {
        fill_and_send(profile).await;
    }
}

async fn fill_and_send(profile: Profile) {
    let (provider, folder) = with_template(profile).await;
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

    // The same message as a full payload.
    let payload = folder.path().join("payload.json");
    std::fs::write(&payload, stdout(&dry)).unwrap();
    let sent = provider
        .run("send", &["--number", NUMBER, "--payload", payload.to_str().unwrap(), "--to", "5511999990001"])
        .await;
    assert_eq!(sent.status.code(), Some(0), "{}", stderr(&sent));
    assert_eq!(reached(&provider, "5511999990001").await, "Olá Bia, seu pedido 77 está pronto.");
}

#[tokio::test]
async fn a_number_of_an_account_without_the_template_needs_an_override() {
    let (provider, folder) = with_template(Profile::Whatsapp).await;
    let values = folder.path().join("values.json");
    std::fs::write(&values, json!({"body.1": "Bia", "body.2": "77"}).to_string()).unwrap();
    let send = async |more: &[&str]| {
        let base = ["--number", NUMBER, "--to", "5511999990000", "--template", "order_update", "--language", "pt_BR"];
        let arguments = [&base, more, &["--values", values.to_str().unwrap(), "--dry-run"]].concat();
        provider.run("send", &arguments).await
    };
    let refused = send(&["--waba", "2"]).await;
    assert_eq!(refused.status.code(), Some(1), "{}", stdout(&refused));
    assert!(stderr(&refused).contains("it exists only in 1."), "{}", stderr(&refused));
    for more in [["--waba", "1"].as_slice(), &[], &["--waba", "2", "--override", "number.account"]] {
        let sent = send(more).await;
        assert_eq!(sent.status.code(), Some(0), "{more:?} {}", stderr(&sent));
    }
}

#[tokio::test]
async fn values_are_sent_unchanged() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, content: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, content).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let template = json!({
        "name": "list", "language": "en", "category": "marketing",
        "components": [
            {"type": "HEADER", "format": "TEXT", "text": "Picks"},
            {"type": "BODY", "text": "Ours for {{1}} from {{2}} on."},
            {"type": "BUTTONS", "buttons": [{"type": "MPM", "text": "View items"}]}
        ]
    });
    let template = file("template.json", &template.to_string());
    let dry = async |values: &str| {
        let values = file("values.json", values);
        let arguments =
            ["--number", NUMBER, "--to", "5511999990000", "--template-file", &template, "--values", &values];
        run("http://127.0.0.1:9", "send", &[arguments.as_slice(), &["--dry-run"]].concat()).await
    };
    let sections = json!([{"title": "A", "product_items": [{"product_retailer_id": "p1"}]}]);
    // Numbers that must keep their spelling, and JSON values that need no quotes.
    let output = dry(&format!(
        r#"{{"body.1": 12345678901234567890123, "body.2": 10.50,
            "button.0.thumbnail_product_retailer_id": "p1", "button.0.sections": {sections}}}"#
    ))
    .await;
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let message: Value = serde_json::from_str(&stdout(&output)).unwrap();
    let components = &message["template"]["components"];
    assert_eq!(components[0]["parameters"][0]["text"], "12345678901234567890123");
    assert_eq!(components[0]["parameters"][1]["text"], "10.50");
    assert_eq!(components[1]["parameters"][0]["action"]["sections"], sections);
    // Values of other types are not converted to text.
    for (value, code, printed) in [
        (r#"{"a": 1}"#, 1, "error at body.1 (value.invalid)"),
        ("[1]", 1, "error at body.1 (value.invalid)"),
        ("true", 2, "`body.1`"),
        ("null", 2, "`body.1`"),
    ] {
        let output = dry(&format!(
            r#"{{"body.1": {value}, "body.2": "5", "button.0.thumbnail_product_retailer_id": "p1",
                "button.0.sections": {sections}}}"#
        ))
        .await;
        assert_eq!(output.status.code(), Some(code), "{value}: {}", stderr(&output));
        assert!(stderr(&output).contains(printed), "{value}: {}", stderr(&output));
    }
}

/// The text that a recipient sees, once a message has arrived.
async fn reached(provider: &Provider, recipient: &str) -> String {
    let arrival = async {
        while phones(provider).await.iter().all(|phone| !phone.to_string().contains(recipient)) {
            crate::receiving::next_poll().await;
        }
    };
    timeout(TIMEOUT, arrival).await.expect("the message arrives in time");
    let phone = provider.get(&format!("/sandbox/phones/{recipient}")).await;
    let runs = phone["data"]["items"][0]["bubble"]["body"][0]["runs"].as_array().unwrap();
    runs.iter().map(|run| run["text"].as_str().unwrap()).collect()
}

async fn phones(provider: &Provider) -> Vec<Value> {
    let answer = provider.get("/sandbox/phones").await;
    answer["data"].as_array().or(answer.as_array()).unwrap().clone()
}

#[tokio::test]
async fn problems_are_printed_and_nothing_is_sent() {
    let (provider, folder) = with_template(Profile::Whatsapp).await;
    let file = |name: &str, content: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, content).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let full = file("full.json", r#"{"body.1": "Bia", "body.2": "77"}"#);
    let half = file("half.json", r#"{"body.1": "Bia"}"#);
    let odd = file("odd.json", r#"{"body.1": "Bia", "body.2": "77", "body.3": "?"}"#);
    let list = file("list.json", "[1]");
    let twice = file("twice.json", r#"{"body.1": "Bia", "body.2": "77", "body.1": "Ana"}"#);
    for (template, language, values, code, printed) in [
        ("order_update", "pt_BR", &half, 1, "body.2"),
        ("order_update", "pt_BR", &odd, 1, "no part `body.3`"),
        ("order_update", "en_US", &full, 1, "It exists in pt_BR"),
        ("order_updat", "pt_BR", &full, 1, "no template `order_updat`"),
        ("order_update", "pt_BR", &list, 2, "must be an object"),
        ("order_update", "pt_BR", &twice, 2, "the key `body.1` appears twice"),
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
        assert!(stderr(&output).contains(printed), "{printed}: {}", stderr(&output));
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

#[tokio::test]
async fn a_recipient_without_country_code_needs_its_country() {
    let (provider, _folder) = with_template(Profile::Whatsapp).await;
    let base = ["--number", NUMBER, "--text", "Oi", "--dry-run"];
    let with = |more: &[&'static str]| base.iter().copied().chain(more.iter().copied()).collect::<Vec<_>>();
    for (arguments, recipient) in [
        (&["--to", "(33) 98765-4321", "--country", "BR"][..], "5533987654321"),
        (&["--to", "(33) 98765-4321", "--country", "br"], "5533987654321"),
        (&["--to", "33987654321", "--country", "BR"], "5533987654321"),
        (&["--to", "33987654321"], "33987654321"),
        (&["--to", "+33 9 87 65 43 21", "--country", "BR"], "33987654321"),
    ] {
        let output = provider.run("send", &with(arguments)).await;
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", stderr(&output));
        let message: Value = serde_json::from_str(&stdout(&output)).unwrap();
        assert_eq!(message["to"], recipient, "{arguments:?}");
    }
    for (arguments, problem) in [
        (&["--to", "(33) 98765-4321"][..], "to.countryUnknown"),
        (&["--to", "+62 812-3456-789 (2)"], "to.invalid"),
        (&["--to", "1. 310 234 5678", "--country", "CO"], "to.invalid"),
        (&["--to", "98765-4321 (11)", "--country", "BR"], "to.invalid"),
    ] {
        let output = provider.run("send", &with(arguments)).await;
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {}", stdout(&output));
        assert!(stderr(&output).contains(&format!("error at to ({problem})")), "{}", stderr(&output));
    }
    for country in ["XX", "Brazil"] {
        let arguments = ["--number", NUMBER, "--text", "Oi", "--to", "(33) 98765-4321", "--country", country];
        let output = provider.run("send", &arguments).await;
        assert_eq!(output.status.code(), Some(2), "{country}: {}", stderr(&output));
    }
}

#[tokio::test]
async fn template_files_and_texts_are_sent_after_the_same_checks() {
    let (provider, folder) = with_template(Profile::Whatsapp).await;
    let template = folder.path().join("order_update.json");
    let template = template.to_str().unwrap();
    let values = folder.path().join("values.json");
    // With a byte-order mark, as some editors write it.
    std::fs::write(&values, format!("\u{feff}{}", json!({"body.1": "Bia", "body.2": "77"}))).unwrap();
    let values = values.to_str().unwrap();
    let base = ["--number", NUMBER, "--template-file", template, "--values", values];
    let with = |more: &[&'static str]| base.iter().copied().chain(more.iter().copied()).collect::<Vec<_>>();

    let dry = provider.run("send", &with(&["--to", "5511999990002", "--dry-run"])).await;
    assert_eq!(dry.status.code(), Some(0), "{}", stderr(&dry));
    let message: Value = serde_json::from_str(&stdout(&dry)).unwrap();
    assert_eq!(message["template"]["name"], "order_update");
    assert!(phones(&provider).await.is_empty());
    let sent = provider.run("send", &with(&["--to", "5511999990002"])).await;
    assert_eq!(sent.status.code(), Some(0), "{}", stderr(&sent));
    assert_eq!(reached(&provider, "5511999990002").await, "Olá Bia, seu pedido 77 está pronto.");

    // A landline number is a warning, which can be overridden; an invalid number is an error, which can't.
    let fixed = provider.run("send", &with(&["--to", "+55 11 3071 0000"])).await;
    assert_eq!(fixed.status.code(), Some(1));
    assert!(stderr(&fixed).contains("warning at to (to.kind)"), "{}", stderr(&fixed));
    let fixed = provider.run("send", &with(&["--to", "+55 11 3071 0000", "--override", "to.kind"])).await;
    assert_eq!(fixed.status.code(), Some(0), "{}", stderr(&fixed));
    let none = provider.run("send", &with(&["--to", "12", "--override", "to.invalid"])).await;
    assert_eq!(none.status.code(), Some(1));
    assert!(stderr(&none).contains("error at to (to.invalid)"), "{}", stderr(&none));
    let unknown = provider.run("send", &with(&["--to", "5511999990002", "--override", "to.nonsense"])).await;
    assert_eq!(unknown.status.code(), Some(2));

    let text = ["--number", NUMBER, "--to", "5511999990003", "--text", "Oi *Bia*"];
    let sent = provider.run("send", &text).await;
    assert_eq!(sent.status.code(), Some(0), "{}", stderr(&sent));
    // Accepted by the provider; the closed reply window is reported by a status.
    let answer: Value = serde_json::from_str(&stdout(&sent)).unwrap();
    assert!(answer["messages"][0]["id"].is_string(), "{answer}");
    let empty = provider.run("send", &["--number", NUMBER, "--to", "5511999990003", "--text", " "]).await;
    assert_eq!(empty.status.code(), Some(1));
    assert!(stderr(&empty).contains("text.missing"), "{}", stderr(&empty));
}

#[tokio::test]
async fn an_unlisted_template_file_is_not_sent() {
    let (provider, folder) = with_template(Profile::Whatsapp).await;
    let file = |name: &str, content: &Value| {
        let path = folder.path().join(name);
        std::fs::write(&path, content.to_string()).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let picture = json!({"name": "order_update", "language": "pt_BR", "category": "utility",
        "components": [{"type": "HEADER", "format": "IMAGE"}, {"type": "BODY", "text": "Olá"}]});
    let other = json!({"name": "other", "language": "pt_BR", "category": "utility",
        "components": [{"type": "BODY", "text": "Olá"}]});
    let no_template = folder.path().join("broken.json");
    std::fs::write(&no_template, "{").unwrap();
    let link = file("link.json", &json!({"header.link": "file:///etc/passwd"}));
    let unreachable = file("unreachable.json", &json!({"header.link": "http://127.0.0.1:9/a.png"}));
    let nothing = file("nothing.json", &json!({}));
    for (template, values, code, printed) in [
        (file("other.json", &other), &nothing, 1, "no template `other`"),
        (file("picture.json", &picture), &nothing, 1, "error at header.link (value.missing)"),
        (file("picture.json", &picture), &link, 1, "error at header.link (value.link)"),
        (file("picture.json", &picture), &unreachable, 1, "warning at header.link (media.unreachable)"),
        (no_template.to_str().unwrap().to_owned(), &nothing, 2, "is not a template"),
        ("/nowhere/template.json".to_owned(), &nothing, 3, "could not read"),
    ] {
        let arguments = ["--number", NUMBER, "--to", "5511999990000", "--template-file", &template, "--values", values];
        let output = provider.run("send", &arguments).await;
        assert_eq!(output.status.code(), Some(code), "{template} {values}: {}", stderr(&output));
        assert!(stderr(&output).contains(printed), "{printed}: {}", stderr(&output));
        assert_eq!(stdout(&output), "");
    }
    assert!(phones(&provider).await.is_empty());
}
