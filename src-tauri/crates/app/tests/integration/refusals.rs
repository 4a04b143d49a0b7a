//! Rejected deliveries from the socket to the screen.

use app::{SANDBOX_ID, webhook_path};
use command_types::Nothing;
use command_types::error::DeskError;
use command_types::receiver::{ReceiverState, RefusedId, SetReceiver};
use command_types::workspace::{SaveWorkspace, SecretInput, SecretKind};
use ring::hmac;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use super::connection::workspace;
use super::harness::Harness;

const BODY: &str = r#"{"object":"o","entry":[{"text":"caf\u00e9 https:\/\/x"}]}"#;
const REWRITTEN: &str = r#"{"object":"o","entry":[{"text":"café https://x"}]}"#;

fn signature(secret: &str, body: &str) -> String {
    let tag = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes()), body.as_bytes());
    let digits: String = tag.as_ref().iter().map(|byte| format!("{byte:02x}")).collect();
    format!("X-Hub-Signature-256: sha256={digits}\r\n")
}

/// Delivers over a separate connection; returns the status of the answer.
async fn deliver(address: &str, path: &str, headers: &str, body: &str) -> u16 {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let head = format!("POST {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{headers}");
    let request = format!("{head}Content-Length: {}\r\n\r\n{body}", body.len());
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    answer.split(' ').nth(1).unwrap().parse().unwrap()
}

fn with_secret(mut request: SaveWorkspace, secret: &str) -> SaveWorkspace {
    request.secrets = vec![SecretInput { kind: SecretKind::WebhookSecret, number: None, value: secret.into() }];
    request
}

#[tokio::test]
async fn each_rejected_delivery_has_advice() {
    let harness = Harness::start().await;
    let core = &harness.core;
    let first = with_secret(workspace("http://127.0.0.1:9", "t"), "first-s3cr3t");
    let shop = core.workspaces.save_workspace(first.clone()).await.unwrap();
    let mut second = with_secret(workspace("http://127.0.0.1:9", "t"), "second-s3cr3t");
    second.settings.name = "Bakery".to_owned();
    second.settings.workspace_uuid = "5a9db0c5-0000-4000-8000-000000000002".to_owned();
    let bakery = core.workspaces.save_workspace(second).await.unwrap();
    let state = core.webhooks.set_receiver(SetReceiver { address: "127.0.0.1:0".to_owned() }).await.unwrap();
    let ReceiverState::Listening { address, .. } = state else { panic!("{state:?}") };
    let path = webhook_path(&shop.id);

    assert_eq!(deliver(&address, &path, &signature("first-s3cr3t", BODY), BODY).await, 200);
    let cases = [
        (String::new(), BODY, json!({"kind": "noHeader", "otherHeader": null, "secret": null})),
        (
            signature("first-s3cr3t", BODY).replace("sha256=", ""),
            BODY,
            json!({"kind": "wrongForm", "faults": ["missingPrefix"], "secret": "current"}),
        ),
        (
            signature("first-s3cr3t", BODY),
            REWRITTEN,
            json!({"kind": "bodyChanged", "change": "reserialised", "secret": "current"}),
        ),
        (
            signature("second-s3cr3t", BODY),
            BODY,
            json!({"kind": "otherRoute", "workspace": bakery.id, "secret": "current"}),
        ),
        (
            signature("sandbox-webhook-secret", BODY),
            BODY,
            json!({"kind": "otherRoute", "workspace": SANDBOX_ID, "secret": "current"}),
        ),
        (
            signature("first-s3cr3t\n", BODY),
            BODY,
            json!({"kind": "secretEdges", "edge": "senderNewline", "secret": "current"}),
        ),
    ];
    for (headers, body, diagnosis) in &cases {
        assert_eq!(deliver(&address, &path, &format!("Cookie: c=c4nary\r\n{headers}"), body).await, 401);
        let row = core.webhooks.list_refused_deliveries(Nothing {}).await.unwrap().remove(0);
        assert_eq!(serde_json::to_value(&row.diagnosis).unwrap(), *diagnosis);
        assert_eq!((row.workspace.as_deref(), row.path.as_str(), row.status), (Some(&*shop.id), &*path, 401));
        let detail = core.webhooks.get_refused_delivery(RefusedId { id: row.id }).await.unwrap();
        assert_eq!((detail.body.as_str(), detail.kept), (*body, body.len() as u64));
        let shown = serde_json::to_string(&detail).unwrap();
        assert!(["s3cr3t", "c4nary"].iter().all(|secret| !shown.contains(secret)), "{shown}");
    }
    assert_eq!(deliver(&address, "/elsewhere", "", BODY).await, 404);
    let rows = core.webhooks.list_refused_deliveries(Nothing {}).await.unwrap();
    assert_eq!(rows.len(), cases.len() + 1);
    assert_eq!(
        (rows[0].reason.as_str(), serde_json::to_value(&rows[0].diagnosis).unwrap()),
        ("unknownPath", json!({"kind": "plain"}))
    );

    // A person corrects the secret: the screen shows that the next delivery will be accepted, and it is.
    let wrong = signature("third-s3cr3t", BODY);
    assert_eq!(deliver(&address, &path, &wrong, BODY).await, 401);
    let diagnosis = async || -> Value {
        serde_json::to_value(&core.webhooks.list_refused_deliveries(Nothing {}).await.unwrap()[0].diagnosis).unwrap()
    };
    let found = diagnosis().await;
    assert_eq!((&found["kind"], &found["tried"]), (&json!("otherSecret"), &json!(["current"])));
    let corrected = SaveWorkspace { workspace: Some(shop.id.clone()), ..with_secret(first, "third-s3cr3t") };
    core.workspaces.save_workspace(corrected).await.unwrap();
    assert_eq!(diagnosis().await, json!({"kind": "valid", "by": "current"}));
    assert_eq!(deliver(&address, &path, &wrong, BODY).await, 200);

    let gone = core.webhooks.get_refused_delivery(RefusedId { id: "999".to_owned() }).await.unwrap_err();
    assert!(matches!(gone, DeskError::NotFound { .. }), "{gone:?}");
    harness.close().await;
}
