//! Secrets are in the keyring and nowhere else.

use std::path::Path;

use app::error::DeskError;
use app::view::Nothing;
use app::view::workspace::{KeyringState, SecretInput, SecretKind, SecretPlace, WorkspaceId};

use super::bench::Bench;
use super::connection::workspace;

const CANARY: &str = "canary-b7d1e9-token";

/// Every file below `folder` that holds `needle`.
pub(super) fn holding(folder: &Path, needle: &[u8], found: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            holding(&path, needle, found);
        } else if std::fs::read(&path).unwrap().windows(needle.len()).any(|window| window == needle) {
            found.push(path.display().to_string());
        }
    }
}

#[tokio::test]
async fn a_token_is_in_the_keyring_and_in_no_file() {
    let bench = Bench::start().await;
    let mut request = workspace("http://127.0.0.1:9", CANARY);
    request.secrets.push(SecretInput { kind: SecretKind::WebhookSecret, value: format!("{CANARY}-hook").into() });
    assert!(!format!("{request:?}").contains(CANARY));
    let saved = bench.core.save_workspace(request).await.unwrap();
    assert!(!format!("{saved:?}").contains(CANARY) && !serde_json::to_string(&saved).unwrap().contains(CANARY));
    let place = |kind| saved.secrets.iter().find(|secret| secret.kind == kind).unwrap().place;
    assert_eq!(place(SecretKind::Token), SecretPlace::Keyring);
    assert_eq!(bench.keyring.entries.lock().unwrap().len(), 2, "one entry a secret");

    // A call that fails must not carry it either.
    let id = WorkspaceId { workspace: saved.id.clone() };
    let error = bench.core.refresh_templates(id).await.unwrap_err();
    assert!(!format!("{error:?} {error}").contains(CANARY), "{error:?}");

    bench.core.delete_workspace(WorkspaceId { workspace: saved.id }).await.unwrap();
    assert!(bench.keyring.entries.lock().unwrap().is_empty(), "the keyring forgets a removed workspace");
    let folder = bench.end().await;
    let mut found = Vec::new();
    holding(folder.path(), CANARY.as_bytes(), &mut found);
    assert_eq!(found, Vec::<String>::new());
}

#[tokio::test]
async fn without_a_keyring_secrets_last_for_the_session_and_only_if_wanted() {
    let bench = Bench::start().await;
    *bench.keyring.refuses.lock().unwrap() = Some("no keyring answers");
    let state = bench.core.get_bootstrap(Nothing {}).await.unwrap().keyring;
    assert_eq!(state, KeyringState::Unavailable { reason: "no keyring answers".to_owned() });

    let refused = bench.core.save_workspace(workspace("http://127.0.0.1:9", CANARY)).await.unwrap_err();
    assert!(matches!(refused, DeskError::KeyringUnavailable { .. }), "{refused:?}");

    let mut request = workspace("http://127.0.0.1:9", CANARY);
    request.session_only = true;
    let saved = bench.core.save_workspace(request).await.unwrap();
    let token = saved.secrets.iter().find(|secret| secret.kind == SecretKind::Token).unwrap();
    assert_eq!(token.place, SecretPlace::Session);
    let folder = bench.end().await;
    let mut found = Vec::new();
    holding(folder.path(), CANARY.as_bytes(), &mut found);
    assert_eq!(found, Vec::<String>::new());
}

#[tokio::test]
async fn a_secret_that_no_keyring_holds_is_refused_at_its_field() {
    let bench = Bench::start().await;
    let refused = bench.core.save_workspace(workspace("http://127.0.0.1:9", &"x".repeat(1_281))).await.unwrap_err();
    let DeskError::InvalidInput { field, .. } = &refused else { panic!("{refused:?}") };
    assert_eq!(field, "token");
    bench.end().await;
}
