//! Secrets are stored in the keyring only.

use std::path::Path;

use command_types::Nothing;
use command_types::error::DeskError;
use command_types::event::DeskEvent;
use command_types::keyring::{KeyringProblem, KeyringState};
use command_types::receiver::ReceiverState;
use command_types::workspace::{
    RefreshSecrets, SaveWorkspace, SecretInput, SecretKind, SecretPlace, Workspace, WorkspaceId,
};

use super::connection::workspace;
use super::endpoints::deliver;
use super::harness::Harness;
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
    let harness = Harness::start().await;
    let mut request = workspace("http://127.0.0.1:9", CANARY);
    request.secrets.push(SecretInput {
        kind: SecretKind::WebhookSecret,
        number: None,
        value: format!("{CANARY}-hook").into(),
    });
    assert!(!format!("{request:?}").contains(CANARY));
    let saved = harness.core.workspaces.save_workspace(request).await.unwrap();
    assert!(!format!("{saved:?}").contains(CANARY) && !serde_json::to_string(&saved).unwrap().contains(CANARY));
    let place = |kind| saved.secrets.iter().find(|secret| secret.kind == kind).unwrap().place;
    assert_eq!(place(SecretKind::Token), SecretPlace::Keyring);
    assert_eq!(harness.keyring.entries.lock().unwrap().len(), 2, "one entry a secret");

    // A failed call must not contain it either.
    let id = WorkspaceId { workspace: saved.id.clone() };
    let error = harness.core.templates.refresh_templates(id).await.unwrap_err();
    assert!(!format!("{error:?} {error}").contains(CANARY), "{error:?}");

    harness.core.workspaces.delete_workspace(WorkspaceId { workspace: saved.id }).await.unwrap();
    assert!(harness.keyring.entries.lock().unwrap().is_empty(), "the keyring forgets a removed workspace");
    let folder = harness.close().await;
    let mut found = Vec::new();
    holding(folder.path(), CANARY.as_bytes(), &mut found);
    assert_eq!(found, Vec::<String>::new());
}

/// The locations of token and webhook secret.
fn places(saved: &Workspace) -> (SecretPlace, SecretPlace) {
    let place = |kind| saved.secrets.iter().find(|secret| secret.kind == kind).unwrap().place;
    (place(SecretKind::Token), place(SecretKind::WebhookSecret))
}

async fn place_of_token(harness: &Harness, id: &str) -> SecretPlace {
    places(&harness.core.workspaces.get_workspace(WorkspaceId { workspace: id.to_owned() }).await.unwrap()).0
}

/// The request that changes only the token of a workspace.
fn with_token(id: &str, token: &str) -> SaveWorkspace {
    SaveWorkspace { workspace: Some(id.to_owned()), ..workspace("http://127.0.0.1:9", token) }
}

async fn refusal(harness: &Harness, request: SaveWorkspace) -> (KeyringProblem, Option<String>, bool) {
    match harness.core.workspaces.save_workspace(request).await.unwrap_err() {
        DeskError::KeyringUnavailable { problem, field, stale, reason } => {
            assert!(!reason.is_empty() && !reason.contains(CANARY), "{reason}");
            (problem, field, stale)
        }
        other => panic!("{other:?}"),
    }
}

async fn assert_not_on_disk(harness: Harness) {
    let folder = harness.close().await;
    let mut found = Vec::new();
    holding(folder.path(), CANARY.as_bytes(), &mut found);
    assert_eq!(found, Vec::<String>::new());
}

#[tokio::test]
async fn every_keyring_state_is_reported() {
    let harness = Harness::start().await;
    let reason = |problem: KeyringProblem| format!("it is {problem:?}");
    for (problem, expected) in [
        (KeyringProblem::Missing, KeyringState::Missing { reason: reason(KeyringProblem::Missing) }),
        (KeyringProblem::Locked, KeyringState::Locked),
        (KeyringProblem::Denied, KeyringState::Unavailable { reason: reason(KeyringProblem::Denied) }),
        (KeyringProblem::Failed, KeyringState::Unavailable { reason: reason(KeyringProblem::Failed) }),
    ] {
        harness.keyring.follow(Script::all(problem));
        assert_eq!(harness.core.startup.get_bootstrap(Nothing {}).await.unwrap().keyring, expected);
        let refused = refusal(&harness, workspace("http://127.0.0.1:9", CANARY)).await;
        // After a write attempt, an entry that could not be removed is not used.
        let stale = !matches!(problem, KeyringProblem::Missing | KeyringProblem::Locked);
        assert_eq!(refused, (problem, Some("token".to_owned()), stale));
    }
    harness.keyring.follow(Script::default());
    let bootstrap = harness.core.startup.get_bootstrap(Nothing {}).await.unwrap();
    assert_eq!(bootstrap.keyring, KeyringState::Available);
    assert_eq!(bootstrap.workspaces.len(), 1, "what could not be stored was not added");
    assert_not_on_disk(harness).await;
}

#[tokio::test]
async fn without_a_keyring_secrets_last_for_the_session_on_request() {
    let harness = Harness::start().await;
    harness.keyring.follow(Script::all(KeyringProblem::Missing));
    refusal(&harness, workspace("http://127.0.0.1:9", CANARY)).await;

    let request = SaveWorkspace { session_only: true, ..workspace("http://127.0.0.1:9", CANARY) };
    let saved = harness.core.workspaces.save_workspace(request).await.unwrap();
    assert_eq!(places(&saved), (SecretPlace::Session, SecretPlace::Unreadable), "the other one is unknown");
    let bootstrap = harness.core.startup.get_bootstrap(Nothing {}).await.unwrap();
    assert_eq!(bootstrap.workspaces[1].credentials, SecretPlace::Session);

    // It can be deleted anyway.
    harness.core.workspaces.delete_workspace(WorkspaceId { workspace: saved.id }).await.unwrap();
    assert_not_on_disk(harness).await;
}

#[tokio::test]
async fn a_secret_that_is_too_long_is_refused_at_its_field() {
    let harness = Harness::start().await;
    // Windows counts UTF-16: 1,280 letters, including the provider's origin, or half as many characters beyond the basic
    // plane, which no token has.
    let token = 1_280 - "http://127.0.0.1:9 ".len();
    let keys = |count: usize| "\u{1f511}".repeat(count);
    for (kind, field, fits, too_long) in [
        (SecretKind::Token, "token", "x".repeat(token), "x".repeat(token + 1)),
        (SecretKind::WebhookSecret, "webhookSecret", keys(640), keys(641)),
    ] {
        let with_secret = |value: &str, id: Option<&str>, session_only| SaveWorkspace {
            workspace: id.map(str::to_owned),
            secrets: vec![SecretInput { kind, number: None, value: value.into() }],
            session_only,
            ..workspace("http://127.0.0.1:9", "")
        };
        let place = |saved: &Workspace| saved.secrets.iter().find(|secret| secret.kind == kind).unwrap().place;
        let saved = harness.core.workspaces.save_workspace(with_secret(&fits, None, false)).await.unwrap();
        assert_eq!(place(&saved), SecretPlace::Keyring);
        let refused = refusal(&harness, with_secret(&too_long, Some(&saved.id), false)).await;
        assert_eq!(refused, (KeyringProblem::TooLong, Some(field.to_owned()), false));
        let id = WorkspaceId { workspace: saved.id.clone() };
        let unchanged = harness.core.workspaces.get_workspace(id).await.unwrap();
        assert_eq!(place(&unchanged), SecretPlace::Keyring, "the stored secret is unchanged");
        // Memory has no such limit, and the old keyring entry is not used again.
        let request = with_secret(&too_long, Some(&saved.id), true);
        let saved = harness.core.workspaces.save_workspace(request).await.unwrap();
        assert_eq!(place(&saved), SecretPlace::Session);
        // A replaced webhook secret stays where it was, as the previous one.
        let kept = usize::from(kind == SecretKind::WebhookSecret);
        assert_eq!(harness.keyring.entries.lock().unwrap().len(), kept);
        harness.core.workspaces.delete_workspace(WorkspaceId { workspace: saved.id }).await.unwrap();
    }
    harness.close().await;
}

#[tokio::test]
async fn a_full_keyring_keeps_no_older_secret() {
    let harness = Harness::start().await;
    let saved = harness.core.workspaces.save_workspace(workspace("http://127.0.0.1:9", "older")).await.unwrap();
    harness.keyring.follow(Script { writing: Some(KeyringProblem::Full), ..Script::default() });
    let refused = refusal(&harness, with_token(&saved.id, CANARY)).await;
    assert_eq!(refused, (KeyringProblem::Full, Some("token".to_owned()), false));
    assert!(harness.keyring.entries.lock().unwrap().is_empty(), "the older token would come back at the next start");
    assert_eq!(place_of_token(&harness, &saved.id).await, SecretPlace::Absent);
    assert_not_on_disk(harness).await;
}

#[tokio::test]
async fn a_stale_secret_is_not_used_after_a_restart() {
    let harness = Harness::start().await;
    let saved = harness.core.workspaces.save_workspace(workspace("http://127.0.0.1:9", "older")).await.unwrap();
    let denied = Some(KeyringProblem::Denied);
    harness.keyring.follow(Script { writing: denied, deleting: denied, ..Script::default() });
    let refused = refusal(&harness, with_token(&saved.id, CANARY)).await;
    assert_eq!(refused, (KeyringProblem::Denied, Some("token".to_owned()), true));
    assert_eq!(place_of_token(&harness, &saved.id).await, SecretPlace::Stale);
    let error =
        harness.core.templates.refresh_templates(WorkspaceId { workspace: saved.id.clone() }).await.unwrap_err();
    assert!(matches!(error, DeskError::KeyringUnavailable { stale: true, .. }), "{error:?}");

    let keyring = harness.keyring.clone();
    let harness = Harness::start_with(harness.close().await, keyring).await;
    assert_eq!(place_of_token(&harness, &saved.id).await, SecretPlace::Stale);
    harness.keyring.follow(Script::default());
    harness.core.workspaces.refresh_secrets(RefreshSecrets { unlock: false }).await.unwrap();
    assert_eq!(place_of_token(&harness, &saved.id).await, SecretPlace::Absent);
    assert!(harness.keyring.entries.lock().unwrap().is_empty(), "it is removed once that is possible");
    let saved = harness.core.workspaces.save_workspace(with_token(&saved.id, CANARY)).await.unwrap();
    assert_eq!(places(&saved).0, SecretPlace::Keyring, "and a new one is kept like any other");
    assert_not_on_disk(harness).await;
}

#[tokio::test]
async fn a_session_secret_replaces_the_stored_one_permanently() {
    let harness = Harness::start().await;
    let saved = harness.core.workspaces.save_workspace(workspace("http://127.0.0.1:9", "older")).await.unwrap();
    harness.keyring.follow(Script::all(KeyringProblem::Locked));
    let refused = refusal(&harness, with_token(&saved.id, CANARY)).await;
    assert_eq!(refused, (KeyringProblem::Locked, Some("token".to_owned()), false));
    let request = SaveWorkspace { session_only: true, ..with_token(&saved.id, CANARY) };
    assert_eq!(places(&harness.core.workspaces.save_workspace(request).await.unwrap()).0, SecretPlace::Session);

    let keyring = harness.keyring.clone();
    let folder = harness.close().await;
    keyring.follow(Script::default());
    let harness = Harness::start_with(folder, keyring).await;
    assert_eq!(place_of_token(&harness, &saved.id).await, SecretPlace::Absent);
    assert_not_on_disk(harness).await;
}

#[tokio::test]
async fn a_locked_keyring_is_distinguished_from_an_empty_one() {
    let harness = Harness::start().await;
    let saved = harness.core.workspaces.save_workspace(workspace("http://127.0.0.1:9", CANARY)).await.unwrap();
    let keyring = harness.keyring.clone();
    keyring.follow(Script::all(KeyringProblem::Locked));
    let harness = Harness::start_with(harness.close().await, keyring).await;
    assert_eq!(place_of_token(&harness, &saved.id).await, SecretPlace::Locked);
    let bootstrap = harness.core.startup.get_bootstrap(Nothing {}).await.unwrap();
    assert_eq!(bootstrap.workspaces[1].credentials, SecretPlace::Locked);
    let id = WorkspaceId { workspace: saved.id.clone() };
    for error in [
        harness.core.templates.refresh_templates(id.clone()).await.unwrap_err(),
        harness.core.workspaces.delete_workspace(id.clone()).await.unwrap_err(),
    ] {
        let locked = matches!(error, DeskError::KeyringUnavailable { problem: KeyringProblem::Locked, .. });
        assert!(locked, "{error:?}");
    }

    // The person dismisses the prompt, then unlocks.
    let state = harness.core.workspaces.refresh_secrets(RefreshSecrets { unlock: true }).await.unwrap();
    assert_eq!(state, KeyringState::Locked);
    harness.keyring.follow(Script { unlocks: true, ..Script::all(KeyringProblem::Locked) });
    let state = harness.core.workspaces.refresh_secrets(RefreshSecrets { unlock: false }).await.unwrap();
    assert_eq!(state, KeyringState::Locked, "no prompt was shown");
    let state = harness.core.workspaces.refresh_secrets(RefreshSecrets { unlock: true }).await.unwrap();
    assert_eq!(state, KeyringState::Available);
    assert_eq!(place_of_token(&harness, &saved.id).await, SecretPlace::Keyring);
    harness.core.workspaces.delete_workspace(id).await.unwrap();
    assert!(harness.keyring.entries.lock().unwrap().is_empty());
    assert_not_on_disk(harness).await;
}

#[tokio::test]
async fn webhooks_are_answered_503_while_the_keyring_is_locked() {
    let harness = Harness::start().await;
    let mut request = workspace("http://127.0.0.1:9", "a-token");
    request.secrets.push(SecretInput { kind: SecretKind::WebhookSecret, number: None, value: CANARY.into() });
    let saved = harness.core.workspaces.save_workspace(request).await.unwrap();
    let keyring = harness.keyring.clone();
    keyring.follow(Script::all(KeyringProblem::Locked));
    let mut harness = Harness::start_with(harness.close().await, keyring).await;
    let receiver = harness
        .event(|event| match event {
            DeskEvent::ReceiverChanged { state: ReceiverState::Listening { address, .. } } => Some(address.clone()),
            _ => None,
        })
        .await;
    let endpoint = format!("http://{receiver}{}", saved.webhook_path);
    // A permanent refusal would never be retried.
    let body = r#"{"object":"a","entry":[]}"#;
    assert_eq!(deliver(&endpoint, CANARY, body).await, 503);
    harness.keyring.unlock_elsewhere();
    harness.core.workspaces.refresh_secrets(RefreshSecrets { unlock: false }).await.unwrap();
    assert_eq!(deliver(&endpoint, CANARY, body).await, 200);
    assert_eq!(deliver(&endpoint, "another", body).await, 401);
    harness.close().await;
}

#[tokio::test]
async fn a_keyring_unlocked_by_another_program_is_detected() {
    let harness = Harness::start().await;
    let saved = harness.core.workspaces.save_workspace(workspace("http://127.0.0.1:9", CANARY)).await.unwrap();
    let keyring = harness.keyring.clone();
    keyring.follow(Script::all(KeyringProblem::Locked));
    let mut harness = Harness::start_with(harness.close().await, keyring).await;
    assert_eq!(place_of_token(&harness, &saved.id).await, SecretPlace::Locked);
    harness.keyring.unlock_elsewhere();
    harness
        .event(|event| matches!(event, DeskEvent::KeyringChanged { state: KeyringState::Available }).then_some(()))
        .await;
    assert_eq!(place_of_token(&harness, &saved.id).await, SecretPlace::Keyring);
    assert!(harness.keyring.script.lock().unwrap().asked <= 1, "a person is asked once, not again and again");
    assert_not_on_disk(harness).await;
}
