//! A replaced webhook secret stays valid as the previous one until it is unused.

use command_types::keyring::KeyringProblem;
use command_types::workspace::{SaveWorkspace, SecretKind, WorkspaceId};
use serde_json::json;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpStream;

use super::endpoints::{deliver, endpoints, listening, secret, shop};
use super::harness::Harness;
use super::keyring::Script;
use super::webhooks::{Recorder, signature, wait_until};

/// Replaces the webhook secret of a workspace, and names no other.
async fn rotate(harness: &Harness, id: &str, value: &str) {
    let stored = harness.core.workspaces.get_workspace(WorkspaceId { workspace: id.to_owned() }).await.unwrap();
    let secrets = vec![secret(SecretKind::WebhookSecret, None, value)];
    let request =
        SaveWorkspace { workspace: Some(id.to_owned()), settings: stored.settings, secrets, session_only: false };
    harness.core.workspaces.save_workspace(request).await.unwrap();
}

fn shop_of(provider: &Recorder) -> SaveWorkspace {
    let mut request = shop();
    provider.origin().clone_into(&mut request.settings.base_url);
    request
}

/// Starts again, as if the secrets of these paths had been replaced and used long ago.
async fn reopen_after_days(harness: Harness, paths: &[String]) -> Harness {
    let keyring = harness.keyring.clone();
    let folder = harness.close().await;
    let desk = store::Desk::open(&folder.path().join("desk/desk.sqlite")).unwrap();
    let saved = desk.setting("endpoints.last").await.unwrap().unwrap();
    let mut records: serde_json::Value = serde_json::from_str(&saved).unwrap();
    for path in paths {
        records[path]["secrets"] = json!({"current": 1_000, "previous": 900, "replaced": 500});
    }
    desk.set_setting("endpoints.last", records.to_string()).await.unwrap();
    drop(desk);
    Harness::start_with(folder, keyring).await
}

/// The provider answers with its time, which agrees with that of this machine.
async fn state_the_time(harness: &Harness, provider: &Recorder, id: &str) {
    let date = chrono::Utc::now().format("%a, %d %b %Y %H:%M:%S GMT");
    let body = json!({"data": []}).to_string();
    let head = format!("200 OK\r\ndate: {date}\r\ncontent-type: application/json\r\ncontent-length: {}", body.len());
    provider.answer_to("GET /messaging/provider/workspace-templates", &head, body.as_bytes());
    harness.core.templates.refresh_templates(WorkspaceId { workspace: id.to_owned() }).await.unwrap();
}

#[tokio::test]
async fn a_keyring_that_deletes_nothing_keeps_no_unused_secret_valid() {
    let harness = Harness::start().await;
    let provider = Recorder::start().await;
    let id = harness.core.workspaces.save_workspace(shop_of(&provider)).await.unwrap().id;
    let mut request = SaveWorkspace { workspace: Some(id.clone()), ..shop_of(&provider) };
    request.secrets = vec![
        secret(SecretKind::PreviousWebhookSecret, None, "old of shop"),
        secret(SecretKind::PreviousWebhookSecret, Some("n/1"), "old of number"),
    ];
    harness.core.workspaces.save_workspace(request).await.unwrap();
    harness.keyring.follow(Script { deleting: Some(KeyringProblem::Failed), ..Script::default() });
    let paths = endpoints(&harness, &id).await.into_iter().map(|endpoint| endpoint.path).collect::<Vec<_>>();
    let harness = reopen_after_days(harness, &paths).await;
    listening(&harness).await;
    let urls: Vec<_> = endpoints(&harness, &id).await.into_iter().map(|endpoint| endpoint.url).collect();
    state_the_time(&harness, &provider, &id).await;
    for (url, old, current) in [(&urls[0], "old of shop", "of-shop"), (&urls[1], "old of number", "of-number")] {
        wait_until("the unused secret is rejected", async || deliver(url, old, "{}").await == 401).await;
        assert_eq!(deliver(url, current, "{}").await, 200);
    }
    assert!(harness.keyring.holds("old of shop"));
    // The next run does not use the entries that stayed.
    let folder = harness.close().await;
    let desk = store::Desk::open(&folder.path().join("desk/desk.sqlite")).unwrap();
    let stale = desk.setting("secrets.stale").await.unwrap().unwrap();
    assert_eq!(stale.matches("previousWebhookSecret").count(), 2, "{stale}");
}

#[tokio::test]
async fn a_replaced_webhook_secret_is_kept_until_it_is_unused_for_a_day() {
    let harness = Harness::start().await;
    listening(&harness).await;
    let provider = Recorder::start().await;
    let id = harness.core.workspaces.save_workspace(shop_of(&provider)).await.unwrap().id;
    let url = endpoints(&harness, &id).await[0].url.clone();
    assert_eq!(deliver(&url, "of-shop", "{}").await, 200);
    let used = endpoints(&harness, &id).await[0].secret_use.clone();
    assert!(used.current_at.is_some() && used.previous_at.is_none() && used.previous_until.is_none(), "{used:?}");

    rotate(&harness, &id, "mistyped").await;
    let used = endpoints(&harness, &id).await[0].secret_use.clone();
    assert!(used.current_at.is_none() && used.previous_at.is_some() && used.previous_until.is_some(), "{used:?}");
    // The mistyped secret signed nothing, so it does not take the place of the one that is still in use.
    rotate(&harness, &id, "new").await;
    for (secret, expected) in [("of-shop", 200), ("new", 200), ("mistyped", 401)] {
        assert_eq!(deliver(&url, secret, "{}").await, expected, "{secret}");
    }
    assert!(harness.keyring.holds("of-shop") && harness.keyring.holds("new"));

    // Closed for long, and unused for a day before that.
    let harness = reopen_after_days(harness, &[format!("/webhook/{id}")]).await;
    state_the_time(&harness, &provider, &id).await;
    wait_until("the unused secret is removed", async || !harness.keyring.holds("of-shop")).await;
    listening(&harness).await;
    let url = endpoints(&harness, &id).await[0].url.clone();
    assert_eq!(deliver(&url, "new", "{}").await, 200);
    assert_eq!(deliver(&url, "of-shop", "{}").await, 401);
    assert_eq!(endpoints(&harness, &id).await[0].secret_use.previous_until, None);
    harness.close().await;
}

#[tokio::test]
async fn a_delivery_that_began_before_a_rotation_is_no_use_of_the_new_secret() {
    let harness = Harness::start().await;
    let address = listening(&harness).await;
    let id = harness.core.workspaces.save_workspace(shop()).await.unwrap().id;
    let found = endpoints(&harness, &id).await.remove(0);
    assert_eq!(deliver(&found.url, "of-shop", "{}").await, 200);

    let mut sender = BufReader::new(TcpStream::connect(&address).await.unwrap());
    let (path, signature) = (&found.path, signature("of-shop", "{ }"));
    let head = format!(
        "POST {path} HTTP/1.1\r\nhost: {address}\r\nx-hub-signature-256: {signature}\r\ncontent-length: 3\r\n\
         expect: 100-continue\r\nconnection: close\r\n\r\n"
    );
    sender.write_all(head.as_bytes()).await.unwrap();
    let mut line = String::new();
    sender.read_line(&mut line).await.unwrap();
    assert!(line.starts_with("HTTP/1.1 100"), "the receiver waits for the body: {line}");
    rotate(&harness, &id, "mistyped").await;
    sender.write_all(b"{ }").await.unwrap();
    let mut answer = String::new();
    sender.read_to_string(&mut answer).await.unwrap();
    assert!(answer.contains("HTTP/1.1 200"), "{answer}");

    let used = endpoints(&harness, &id).await.remove(0).secret_use;
    assert!(used.current_at.is_none() && used.previous_at.is_some(), "{used:?}");
    rotate(&harness, &id, "new").await;
    for (secret, expected) in [("of-shop", 200), ("new", 200), ("mistyped", 401)] {
        assert_eq!(deliver(&found.url, secret, "{}").await, expected, "{secret}");
    }
    // What is verified with the new routes counts again.
    assert!(endpoints(&harness, &id).await[0].secret_use.current_at.is_some());
    harness.close().await;
}

#[tokio::test]
async fn a_person_removes_the_previous_secret_or_enters_another() {
    let harness = Harness::start().await;
    listening(&harness).await;
    let id = harness.core.workspaces.save_workspace(shop()).await.unwrap().id;
    let url = endpoints(&harness, &id).await[0].url.clone();
    rotate(&harness, &id, "new").await;
    for (previous, accepted) in [("entered", true), ("", false)] {
        let stored = harness.core.workspaces.get_workspace(WorkspaceId { workspace: id.clone() }).await.unwrap();
        // Also when the webhook secret is replaced at the same time.
        let secrets = vec![
            secret(SecretKind::PreviousWebhookSecret, None, previous),
            secret(SecretKind::WebhookSecret, None, &format!("new after {previous}")),
        ];
        let request =
            SaveWorkspace { workspace: Some(id.clone()), settings: stored.settings, secrets, session_only: false };
        harness.core.workspaces.save_workspace(request).await.unwrap();
        assert_eq!(deliver(&url, "entered", "{}").await == 200, accepted);
        assert_eq!(deliver(&url, "new", "{}").await, 401);
        assert_eq!(endpoints(&harness, &id).await[0].secret_use.previous_until.is_some(), accepted);
    }
    harness.close().await;
}

#[tokio::test]
async fn a_secret_with_which_every_delivery_was_rejected_is_not_kept() {
    let harness = Harness::start().await;
    listening(&harness).await;
    let mut request = shop();
    for secret in &mut request.secrets {
        if secret.kind == SecretKind::WebhookSecret {
            secret.value = "mistyped".into();
        }
    }
    let id = harness.core.workspaces.save_workspace(request).await.unwrap().id;
    let url = endpoints(&harness, &id).await[0].url.clone();
    assert_eq!(deliver(&url, "right", "{}").await, 401);
    rotate(&harness, &id, "right").await;
    assert_eq!(deliver(&url, "right", "{}").await, 200);
    assert_eq!(deliver(&url, "mistyped", "{}").await, 401);
    let used = endpoints(&harness, &id).await.remove(0).secret_use;
    assert_eq!((used.previous_at, used.previous_until), (None, None));
    harness.close().await;
}
