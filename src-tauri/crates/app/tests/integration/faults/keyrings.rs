//! R17: the keyring is absent, locked, denies access, is full, or holds an older secret. In each case the desk works,
//! reports the problem, and writes no secret anywhere else.

use std::sync::Arc;

use app::webhook_path;
use command_types::Nothing;
use command_types::activity::EventQuery;
use command_types::error::DeskError;
use command_types::keyring::{KeyringProblem, KeyringState};
use command_types::receiver::ReceiverState;
use command_types::workspace::{
    RefreshSecrets, SaveWorkspace, SecretInput, SecretKind, SecretPlace, Workspace, WorkspaceId,
};
use tempfile::TempDir;

use super::Form;
use super::desk::with_timeout;
use super::events;
use super::load::{Connection, SECRET, Signer};
use crate::connection::workspace;
use crate::harness::Harness;
use crate::keyring::{Script, ScriptedKeyring};
use crate::secrets::holding;

/// A token that is searched for in every file.
const TOKEN: &str = "fault-token-5f1c";
const OLDER: &str = "fault-older-token";

/// The behaviour of a keyring, the state shown, and where the token is after the person has chosen to keep it for this
/// session.
struct Case {
    name: &'static str,
    script: Script,
    token: String,
    shown: fn(&KeyringState) -> bool,
    refused: KeyringProblem,
}

fn cases() -> [Case; 6] {
    let case = |name, script, refused, shown| Case { name, script, token: TOKEN.to_owned(), shown, refused };
    let unavailable = |state: &KeyringState| matches!(state, KeyringState::Unavailable { .. });
    let available = |state: &KeyringState| *state == KeyringState::Available;
    let denied = Some(KeyringProblem::Denied);
    [
        case("absent", Script::all(KeyringProblem::Missing), KeyringProblem::Missing, |state| {
            matches!(state, KeyringState::Missing { .. })
        }),
        case("locked", Script::all(KeyringProblem::Locked), KeyringProblem::Locked, |state| {
            *state == KeyringState::Locked
        }),
        case("denied", Script::all(KeyringProblem::Denied), KeyringProblem::Denied, unavailable),
        case(
            "full",
            Script { writing: Some(KeyringProblem::Full), ..Script::default() },
            KeyringProblem::Full,
            available,
        ),
        Case {
            token: format!("{TOKEN}{}", "x".repeat(1_281 - TOKEN.len())),
            ..case("1281 characters", Script::default(), KeyringProblem::TooLong, available)
        },
        case(
            "stale",
            Script { writing: denied, deleting: denied, ..Script::default() },
            KeyringProblem::Denied,
            available,
        ),
    ]
}

fn request(id: Option<&Workspace>, token: &str) -> SaveWorkspace {
    let mut request = workspace("http://127.0.0.1:9", token);
    request.workspace = id.map(|workspace| workspace.id.clone());
    request.secrets.push(SecretInput { kind: SecretKind::WebhookSecret, number: None, value: SECRET.into() });
    request
}

fn place(saved: &Workspace) -> SecretPlace {
    saved.secrets.iter().find(|secret| secret.kind == SecretKind::Token).unwrap().place
}

/// Sends one signed delivery and returns the status of the answer.
async fn deliver(harness: &Harness, workspace: &str, number: u64) -> u16 {
    let address = with_timeout("the receiver", async {
        loop {
            match harness.core.startup.get_bootstrap(Nothing {}).await.unwrap().receiver {
                ReceiverState::Listening { address, .. } => break address.parse().unwrap(),
                _ => crate::webhooks::next_poll().await,
            }
        }
    })
    .await;
    let request = Signer::new(&webhook_path(workspace)).request(events::body(number).as_bytes());
    with_timeout("an answer", Connection::connect(address).await.exchange(&request)).await.unwrap()
}

/// R17.
pub(super) async fn every_state(_form: Form) {
    let mut found = Vec::new();
    for case in cases() {
        let name = case.name;
        let keyring = Arc::new(ScriptedKeyring::default());
        let mut harness = Harness::start_with(TempDir::new().unwrap(), keyring.clone()).await;
        // An older secret is in the keyring wherever that is possible.
        let older = harness.core.workspaces.save_workspace(workspace("http://127.0.0.1:9", OLDER)).await.unwrap();
        keyring.follow(case.script);
        assert!((case.shown)(&harness.core.startup.get_bootstrap(Nothing {}).await.unwrap().keyring), "{name}");

        // Nothing is stored elsewhere without the person's choice.
        match harness.core.workspaces.save_workspace(request(Some(&older), &case.token)).await.unwrap_err() {
            DeskError::KeyringUnavailable { problem, .. } => assert_eq!(problem, case.refused, "{name}"),
            other => panic!("{name}: {other:?}"),
        }
        // Kept for the session by the person's choice: sends and webhooks work.
        let session = SaveWorkspace { session_only: true, ..request(Some(&older), &case.token) };
        let saved = harness.core.workspaces.save_workspace(session).await.unwrap();
        assert_eq!(place(&saved), SecretPlace::Session, "{name}");
        assert_eq!(deliver(&harness, &older.id, 0).await, 200, "{name}");
        harness.wait_for_projection().await;
        let query = EventQuery { workspace: Some(older.id.clone()), limit: 10, ..EventQuery::default() };
        assert_eq!(harness.core.webhooks.list_events(query).await.unwrap().rows.len(), 1, "{name}");

        // After a restart the session is over. Neither is the older secret used, nor is an unverified delivery
        // accepted.
        let mut harness = Harness::start_with(harness.close().await, keyring.clone()).await;
        let state = harness.core.startup.get_bootstrap(Nothing {}).await.unwrap();
        assert!((case.shown)(&state.keyring), "{name}");
        let answer = deliver(&harness, &older.id, 1).await;
        // A keyring that is temporarily unreadable does not make a signature invalid.
        let temporary = case.script.reading.is_some();
        let expected: &[u16] = if temporary { &[503] } else { &[401, 503] };
        assert!(expected.contains(&answer), "{name}: {answer}");
        keyring.follow(Script::default());
        harness.core.workspaces.refresh_secrets(RefreshSecrets { unlock: false }).await.unwrap();
        let now = harness.core.workspaces.get_workspace(WorkspaceId { workspace: older.id.clone() }).await.unwrap();
        assert_eq!(place(&now), SecretPlace::Absent, "{name}: the older token came back");
        // After a repair, it is stored like any other.
        let short = request(Some(&older), TOKEN);
        assert_eq!(
            place(&harness.core.workspaces.save_workspace(short).await.unwrap()),
            SecretPlace::Keyring,
            "{name}"
        );
        assert_eq!(deliver(&harness, &older.id, 1).await, 200, "{name}");
        harness.wait_for_projection().await;

        let folder = harness.close().await;
        for secret in [TOKEN, OLDER, SECRET] {
            holding(folder.path(), secret.as_bytes(), &mut found);
        }
        assert_eq!(found, Vec::<String>::new(), "{name}");
    }
    println!("R17 states={} plaintext_on_disk={} usable={}", cases().len(), found.len(), cases().len());
}
