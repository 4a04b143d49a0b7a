//! Secrets are stored in the keyring only.

use std::path::Path;

use api::Nothing;
use api::error::DeskError;
use api::event::DeskEvent;
use api::keyring::{KeyringProblem, KeyringState};
use api::receiver::ReceiverState;
use api::workspace::{RefreshSecrets, SaveWorkspace, SecretInput, SecretKind, SecretPlace, Workspace, WorkspaceId};

use super::bench::Bench;
use super::canaries::provider::signed_delivery;
use super::connection::workspace;
use super::keyring::Script;

const CANARY: &str = "canary-b7d1e9-token";

/// Every file below `folder` that contains `needle`.
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
    request.secrets.push(SecretInput {
        kind: SecretKind::WebhookSecret,
        number: None,
        value: format!("{CANARY}-hook").into(),
    });
    assert!(!format!("{request:?}").contains(CANARY));
    let saved = bench.core.workspaces.save_workspace(request).await.unwrap();
    assert!(!format!("{saved:?}").contains(CANARY) && !serde_json::to_string(&saved).unwrap().contains(CANARY));
    let place = |kind| saved.secrets.iter().find(|secret| secret.kind == kind).unwrap().place;
    assert_eq!(place(SecretKind::Token), SecretPlace::Keyring);
    assert_eq!(bench.keyring.entries.lock().unwrap().len(), 2, "one entry a secret");

    // A failed call must not contain it either.
    let id = WorkspaceId { workspace: saved.id.clone() };
    let error = bench.core.templates.refresh_templates(id).await.unwrap_err();
    assert!(!format!("{error:?} {error}").contains(CANARY), "{error:?}");

    bench.core.workspaces.delete_workspace(WorkspaceId { workspace: saved.id }).await.unwrap();
    assert!(bench.keyring.entries.lock().unwrap().is_empty(), "the keyring forgets a removed workspace");
    let folder = bench.end().await;
    let mut found = Vec::new();
    holding(folder.path(), CANARY.as_bytes(), &mut found);
    assert_eq!(found, Vec::<String>::new());
}

/// The locations of token and webhook secret.
fn places(saved: &Workspace) -> (SecretPlace, SecretPlace) {
    let place = |kind| saved.secrets.iter().find(|secret| secret.kind == kind).unwrap().place;
    (place(SecretKind::Token), place(SecretKind::WebhookSecret))
}

async fn place_of_token(bench: &Bench, id: &str) -> SecretPlace {
    places(&bench.core.workspaces.get_workspace(WorkspaceId { workspace: id.to_owned() }).await.unwrap()).0
}

/// The request that changes only the token of a workspace.
fn with_token(id: &str, token: &str) -> SaveWorkspace {
    SaveWorkspace { workspace: Some(id.to_owned()), ..workspace("http://127.0.0.1:9", token) }
}

async fn refusal(bench: &Bench, request: SaveWorkspace) -> (KeyringProblem, Option<String>, bool) {
    match bench.core.workspaces.save_workspace(request).await.unwrap_err() {
        DeskError::KeyringUnavailable { problem, field, stale, reason } => {
            assert!(!reason.is_empty() && !reason.contains(CANARY), "{reason}");
            (problem, field, stale)
        }
        other => panic!("{other:?}"),
    }
}

async fn nothing_of_it_is_on_the_disk(bench: Bench) {
    let folder = bench.end().await;
    let mut found = Vec::new();
    holding(folder.path(), CANARY.as_bytes(), &mut found);
    assert_eq!(found, Vec::<String>::new());
}

#[tokio::test]
async fn every_state_of_the_keyring_is_told() {
    let bench = Bench::start().await;
    let reason = |problem: KeyringProblem| format!("it is {problem:?}");
    for (problem, expected) in [
        (KeyringProblem::Missing, KeyringState::Missing { reason: reason(KeyringProblem::Missing) }),
        (KeyringProblem::Locked, KeyringState::Locked),
        (KeyringProblem::Denied, KeyringState::Unavailable { reason: reason(KeyringProblem::Denied) }),
        (KeyringProblem::Failed, KeyringState::Unavailable { reason: reason(KeyringProblem::Failed) }),
    ] {
        bench.keyring.follow(Script::all(problem));
        assert_eq!(bench.core.startup.get_bootstrap(Nothing {}).await.unwrap().keyring, expected);
        let refused = refusal(&bench, workspace("http://127.0.0.1:9", CANARY)).await;
        // After a write attempt, an entry that could not be removed is not used.
        let stale = !matches!(problem, KeyringProblem::Missing | KeyringProblem::Locked);
        assert_eq!(refused, (problem, Some("token".to_owned()), stale));
    }
    bench.keyring.follow(Script::default());
    let bootstrap = bench.core.startup.get_bootstrap(Nothing {}).await.unwrap();
    assert_eq!(bootstrap.keyring, KeyringState::Available);
    assert_eq!(bootstrap.workspaces.len(), 1, "what could not be stored was not added");
    nothing_of_it_is_on_the_disk(bench).await;
}

#[tokio::test]
async fn without_a_keyring_secrets_last_for_the_session_and_only_if_wanted() {
    let bench = Bench::start().await;
    bench.keyring.follow(Script::all(KeyringProblem::Missing));
    refusal(&bench, workspace("http://127.0.0.1:9", CANARY)).await;

    let request = SaveWorkspace { session_only: true, ..workspace("http://127.0.0.1:9", CANARY) };
    let saved = bench.core.workspaces.save_workspace(request).await.unwrap();
    assert_eq!(places(&saved), (SecretPlace::Session, SecretPlace::Unreadable), "nobody knows of the other");
    let bootstrap = bench.core.startup.get_bootstrap(Nothing {}).await.unwrap();
    assert_eq!(bootstrap.workspaces[1].credentials, SecretPlace::Session);

    // It can be deleted anyway.
    bench.core.workspaces.delete_workspace(WorkspaceId { workspace: saved.id }).await.unwrap();
    nothing_of_it_is_on_the_disk(bench).await;
}

#[tokio::test]
async fn a_secret_that_no_keyring_holds_is_refused_at_its_field() {
    let bench = Bench::start().await;
    // Windows counts UTF-16: 1,280 letters, or half as many characters beyond the basic plane, including the provider's
    // origin.
    let room = 1_280 - "http://127.0.0.1:9 ".len();
    let keys = |count: usize| "\u{1f511}".repeat(count);
    for (fits, too_long) in [("x".repeat(room), "x".repeat(room + 1)), (keys(room / 2), keys(room / 2 + 1))] {
        let saved = bench.core.workspaces.save_workspace(workspace("http://127.0.0.1:9", &fits)).await.unwrap();
        assert_eq!(places(&saved).0, SecretPlace::Keyring);
        let refused = refusal(&bench, with_token(&saved.id, &too_long)).await;
        assert_eq!(refused, (KeyringProblem::TooLong, Some("token".to_owned()), false));
        assert_eq!(place_of_token(&bench, &saved.id).await, SecretPlace::Keyring, "what was there stays");
        // Memory has no such limit, and the old keyring entry is not used again.
        let request = SaveWorkspace { session_only: true, ..with_token(&saved.id, &too_long) };
        assert_eq!(places(&bench.core.workspaces.save_workspace(request).await.unwrap()).0, SecretPlace::Session);
        assert!(bench.keyring.entries.lock().unwrap().is_empty());
    }
    bench.end().await;
}

#[tokio::test]
async fn a_full_keyring_keeps_nothing_older() {
    let bench = Bench::start().await;
    let saved = bench.core.workspaces.save_workspace(workspace("http://127.0.0.1:9", "older")).await.unwrap();
    bench.keyring.follow(Script { writing: Some(KeyringProblem::Full), ..Script::default() });
    let refused = refusal(&bench, with_token(&saved.id, CANARY)).await;
    assert_eq!(refused, (KeyringProblem::Full, Some("token".to_owned()), false));
    assert!(bench.keyring.entries.lock().unwrap().is_empty(), "the older token would come back at the next start");
    assert_eq!(place_of_token(&bench, &saved.id).await, SecretPlace::Absent);
    nothing_of_it_is_on_the_disk(bench).await;
}

#[tokio::test]
async fn an_older_secret_that_cannot_be_removed_is_not_used_also_after_a_restart() {
    let bench = Bench::start().await;
    let saved = bench.core.workspaces.save_workspace(workspace("http://127.0.0.1:9", "older")).await.unwrap();
    let denied = Some(KeyringProblem::Denied);
    bench.keyring.follow(Script { writing: denied, deleting: denied, ..Script::default() });
    let refused = refusal(&bench, with_token(&saved.id, CANARY)).await;
    assert_eq!(refused, (KeyringProblem::Denied, Some("token".to_owned()), true));
    assert_eq!(place_of_token(&bench, &saved.id).await, SecretPlace::Stale);
    let error = bench.core.templates.refresh_templates(WorkspaceId { workspace: saved.id.clone() }).await.unwrap_err();
    assert!(matches!(error, DeskError::KeyringUnavailable { stale: true, .. }), "{error:?}");

    let keyring = bench.keyring.clone();
    let bench = Bench::start_with(bench.end().await, keyring).await;
    assert_eq!(place_of_token(&bench, &saved.id).await, SecretPlace::Stale);
    bench.keyring.follow(Script::default());
    bench.core.workspaces.refresh_secrets(RefreshSecrets { unlock: false }).await.unwrap();
    assert_eq!(place_of_token(&bench, &saved.id).await, SecretPlace::Absent);
    assert!(bench.keyring.entries.lock().unwrap().is_empty(), "it is removed once that is possible");
    let saved = bench.core.workspaces.save_workspace(with_token(&saved.id, CANARY)).await.unwrap();
    assert_eq!(places(&saved).0, SecretPlace::Keyring, "and a new one is kept as any other");
    nothing_of_it_is_on_the_disk(bench).await;
}

#[tokio::test]
async fn what_replaces_a_secret_for_a_session_does_not_let_the_older_one_come_back() {
    let bench = Bench::start().await;
    let saved = bench.core.workspaces.save_workspace(workspace("http://127.0.0.1:9", "older")).await.unwrap();
    bench.keyring.follow(Script::all(KeyringProblem::Locked));
    let refused = refusal(&bench, with_token(&saved.id, CANARY)).await;
    assert_eq!(refused, (KeyringProblem::Locked, Some("token".to_owned()), false));
    let request = SaveWorkspace { session_only: true, ..with_token(&saved.id, CANARY) };
    assert_eq!(places(&bench.core.workspaces.save_workspace(request).await.unwrap()).0, SecretPlace::Session);

    let keyring = bench.keyring.clone();
    let folder = bench.end().await;
    keyring.follow(Script::default());
    let bench = Bench::start_with(folder, keyring).await;
    assert_eq!(place_of_token(&bench, &saved.id).await, SecretPlace::Absent);
    nothing_of_it_is_on_the_disk(bench).await;
}

#[tokio::test]
async fn a_locked_keyring_is_no_empty_one() {
    let bench = Bench::start().await;
    let saved = bench.core.workspaces.save_workspace(workspace("http://127.0.0.1:9", CANARY)).await.unwrap();
    let keyring = bench.keyring.clone();
    keyring.follow(Script::all(KeyringProblem::Locked));
    let bench = Bench::start_with(bench.end().await, keyring).await;
    assert_eq!(place_of_token(&bench, &saved.id).await, SecretPlace::Locked);
    let bootstrap = bench.core.startup.get_bootstrap(Nothing {}).await.unwrap();
    assert_eq!(bootstrap.workspaces[1].credentials, SecretPlace::Locked);
    let id = WorkspaceId { workspace: saved.id.clone() };
    for error in [
        bench.core.templates.refresh_templates(id.clone()).await.unwrap_err(),
        bench.core.workspaces.delete_workspace(id.clone()).await.unwrap_err(),
    ] {
        let locked = matches!(error, DeskError::KeyringUnavailable { problem: KeyringProblem::Locked, .. });
        assert!(locked, "{error:?}");
    }

    // The person dismisses the prompt, then unlocks.
    let state = bench.core.workspaces.refresh_secrets(RefreshSecrets { unlock: true }).await.unwrap();
    assert_eq!(state, KeyringState::Locked);
    bench.keyring.follow(Script { unlocks: true, ..Script::all(KeyringProblem::Locked) });
    let state = bench.core.workspaces.refresh_secrets(RefreshSecrets { unlock: false }).await.unwrap();
    assert_eq!(state, KeyringState::Locked, "nobody was asked");
    let state = bench.core.workspaces.refresh_secrets(RefreshSecrets { unlock: true }).await.unwrap();
    assert_eq!(state, KeyringState::Available);
    assert_eq!(place_of_token(&bench, &saved.id).await, SecretPlace::Keyring);
    bench.core.workspaces.delete_workspace(id).await.unwrap();
    assert!(bench.keyring.entries.lock().unwrap().is_empty());
    nothing_of_it_is_on_the_disk(bench).await;
}

#[tokio::test]
async fn webhooks_wait_for_a_locked_keyring() {
    let bench = Bench::start().await;
    let mut request = workspace("http://127.0.0.1:9", "a token");
    request.secrets.push(SecretInput { kind: SecretKind::WebhookSecret, number: None, value: CANARY.into() });
    let saved = bench.core.workspaces.save_workspace(request).await.unwrap();
    let keyring = bench.keyring.clone();
    keyring.follow(Script::all(KeyringProblem::Locked));
    let mut bench = Bench::start_with(bench.end().await, keyring).await;
    let receiver = bench
        .event(|event| match event {
            DeskEvent::ReceiverChanged { state: ReceiverState::Listening { address } } => {
                Some(address.parse().unwrap())
            }
            _ => None,
        })
        .await;
    // A permanent refusal would never be retried.
    let body = r#"{"object":"a","entry":[]}"#;
    assert_eq!(signed_delivery(receiver, &saved.webhook_path, body, CANARY.as_bytes()).await, 503);
    bench.keyring.unlock_elsewhere();
    bench.core.workspaces.refresh_secrets(RefreshSecrets { unlock: false }).await.unwrap();
    assert_eq!(signed_delivery(receiver, &saved.webhook_path, body, CANARY.as_bytes()).await, 200);
    assert_eq!(signed_delivery(receiver, &saved.webhook_path, body, b"another").await, 401);
    bench.end().await;
}

#[tokio::test]
async fn a_keyring_that_is_unlocked_elsewhere_is_picked_up() {
    let bench = Bench::start().await;
    let saved = bench.core.workspaces.save_workspace(workspace("http://127.0.0.1:9", CANARY)).await.unwrap();
    let keyring = bench.keyring.clone();
    keyring.follow(Script::all(KeyringProblem::Locked));
    let mut bench = Bench::start_with(bench.end().await, keyring).await;
    assert_eq!(place_of_token(&bench, &saved.id).await, SecretPlace::Locked);
    bench.keyring.unlock_elsewhere();
    bench
        .event(|event| matches!(event, DeskEvent::KeyringChanged { state: KeyringState::Available }).then_some(()))
        .await;
    assert_eq!(place_of_token(&bench, &saved.id).await, SecretPlace::Keyring);
    assert!(bench.keyring.script.lock().unwrap().asked <= 1, "a person is asked once, not again and again");
    nothing_of_it_is_on_the_disk(bench).await;
}
