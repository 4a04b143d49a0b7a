//! A token is sent only to the address that it was entered for and to confirmed hosts, even if the files are modified.
//! Asserted on the wire: servers record the authorization of each request.

use std::path::Path;

use app::SANDBOX_ID;
use command_types::Nothing;
use command_types::conversations::{MediaFileState, MediaRequest};
use command_types::error::DeskError;
use command_types::send::LinkPicture;
use command_types::template::{TemplateId, TemplateQuery};
use command_types::workspace::{SaveWorkspace, SecretInput, SecretKind, SecretPlace, WorkspaceId, WorkspaceSettings};
use model::render::BubbleHeader;
use serde_json::{Value, json};

use super::connection::workspace;
use super::conversations::{conversation, message, workspace as with_webhooks, wrote};
use super::harness::Harness;
use super::media::Host;

const TOKEN: &str = "canary-token-of-origin-40d1";
const NEW_TOKEN: &str = "canary-token-of-origin-8b77";

fn id(workspace: &str) -> WorkspaceId {
    WorkspaceId { workspace: workspace.to_owned() }
}

/// Requests the templates of a workspace; the answer does not matter.
async fn ask(harness: &Harness, workspace: &str) -> Option<DeskError> {
    harness.core.templates.refresh_templates(id(workspace)).await.err()
}

/// Tokens that a host received.
fn tokens(host: &Host) -> Vec<String> {
    host.asked().into_iter().map(|(_, bearer)| bearer.unwrap_or_default()).collect()
}

fn bearer(token: &str) -> String {
    format!("Bearer {token}")
}

async fn place(harness: &Harness, workspace: &str) -> SecretPlace {
    let workspace = harness.core.workspaces.get_workspace(id(workspace)).await.unwrap();
    workspace.secrets.iter().find(|secret| secret.kind == SecretKind::Token).unwrap().place
}

/// Changes the address of the workspaces in a desk file, as an attacker with write access would.
fn redirect(desk: &Path, from: &str, to: &str) {
    let connection = rusqlite::Connection::open(desk).unwrap();
    let changed = connection
        .execute(
            "UPDATE workspace SET settings = replace(settings, ?1, ?2) WHERE settings LIKE '%' || ?1 || '%'",
            [from, to],
        )
        .unwrap();
    assert_eq!(changed, 1);
    connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).unwrap();
    connection.pragma_update_and_check(None, "journal_mode", "DELETE", |_| Ok(())).unwrap();
}

#[tokio::test]
async fn a_changed_base_url_requires_the_token_again() {
    let harness = Harness::start().await;
    let (first, second) = (Host::start().await, Host::start().await);
    let saved = harness.core.workspaces.save_workspace(workspace(&first.base, TOKEN)).await.unwrap();
    ask(&harness, &saved.id).await;
    assert!(tokens(&first).iter().all(|token| *token == bearer(TOKEN)));

    let moved = |secrets: Vec<SecretInput>| SaveWorkspace {
        workspace: Some(saved.id.clone()),
        settings: WorkspaceSettings { base_url: second.base.clone(), ..saved.settings.clone() },
        secrets,
        session_only: false,
    };
    let refused = harness.core.workspaces.save_workspace(moved(Vec::new())).await.unwrap_err();
    let DeskError::InvalidInput { field, message, .. } = &refused else { panic!("{refused:?}") };
    assert_eq!(field, "token");
    assert!(message.contains(&first.base) && message.contains(&second.base), "{message}");
    let tried = harness.core.workspaces.test_connection(moved(Vec::new())).await.unwrap();
    let failed = tried.steps.last().unwrap();
    assert_eq!((failed.name.as_str(), failed.ok), ("credentials", false));
    assert_eq!(tokens(&second), [""; 0], "no request came");
    // Everything except the origin may change.
    let settings = WorkspaceSettings { base_url: format!("{}/v2", first.base), ..saved.settings.clone() };
    let request = SaveWorkspace { settings, ..moved(Vec::new()) };
    harness.core.workspaces.save_workspace(request).await.unwrap();
    ask(&harness, &saved.id).await;
    assert!(!tokens(&first).is_empty());

    let typed = SecretInput { kind: SecretKind::Token, number: None, value: NEW_TOKEN.into() };
    harness.core.workspaces.save_workspace(moved(vec![typed])).await.unwrap();
    assert_eq!(place(&harness, &saved.id).await, SecretPlace::Keyring);
    ask(&harness, &saved.id).await;
    let came = tokens(&second);
    assert!(!came.is_empty() && came.iter().all(|token| *token == bearer(NEW_TOKEN)), "{came:?}");
    assert_eq!(tokens(&first), [""; 0]);
    harness.close().await;
}

#[tokio::test]
async fn a_modified_database_cannot_redirect_the_token() {
    let harness = Harness::start().await;
    let (provider, thief) = (Host::start().await, Host::start().await);
    let saved = harness.core.workspaces.save_workspace(workspace(&provider.base, TOKEN)).await.unwrap();
    let keyring = harness.keyring.clone();
    let folder = harness.close().await;
    redirect(&folder.path().join("desk/desk.sqlite"), &provider.base, &thief.base);

    let harness = Harness::start_with(folder, keyring).await;
    let error = ask(&harness, &saved.id).await.unwrap();
    let DeskError::CredentialsForOtherAddress { stored, configured } = &error else { panic!("{error:?}") };
    assert_eq!((stored, configured), (&provider.base, &thief.base));
    assert_eq!(place(&harness, &saved.id).await, SecretPlace::OtherAddress);
    let bootstrap = harness.core.startup.get_bootstrap(Nothing {}).await.unwrap();
    let summary = bootstrap.workspaces.iter().find(|summary| summary.id == saved.id).unwrap();
    assert_eq!((summary.has_credentials, summary.credentials), (false, SecretPlace::OtherAddress));
    // Saving the displayed settings does not confirm them.
    let shown = harness.core.workspaces.get_workspace(id(&saved.id)).await.unwrap();
    let request = SaveWorkspace {
        workspace: Some(saved.id.clone()),
        settings: shown.settings,
        secrets: Vec::new(),
        session_only: false,
    };
    assert!(
        matches!(harness.core.workspaces.save_workspace(request).await, Err(DeskError::InvalidInput { field, .. }) if field == "token")
    );
    assert_eq!(tokens(&thief), [""; 0]);
    // After a correction, it works as before.
    let request =
        SaveWorkspace { workspace: Some(saved.id.clone()), secrets: Vec::new(), ..workspace(&provider.base, "") };
    harness.core.workspaces.save_workspace(request).await.unwrap();
    ask(&harness, &saved.id).await;
    assert!(tokens(&provider).contains(&bearer(TOKEN)));
    harness.close().await;
}

#[tokio::test]
async fn a_modified_backup_cannot_redirect_the_token() {
    let harness = Harness::start().await;
    let (provider, thief) = (Host::start().await, Host::start().await);
    let saved = harness.core.workspaces.save_workspace(workspace(&provider.base, TOKEN)).await.unwrap();
    let backup = harness.core.data.back_up(harness.folder.path()).await.unwrap();
    let backup = Path::new(&backup.path);
    let desk = backup.join("desk.sqlite");
    redirect(&desk, &provider.base, &thief.base);
    // With a matching manifest.
    let manifest = backup.join("manifest.json");
    let mut json: Value = serde_json::from_slice(&std::fs::read(&manifest).unwrap()).unwrap();
    let entry = json["files"].as_array_mut().unwrap().iter_mut().find(|file| file["name"] == "desk.sqlite").unwrap();
    let bytes = std::fs::read(&desk).unwrap();
    let digest = ring::digest::digest(&ring::digest::SHA256, &bytes);
    entry["bytes"] = bytes.len().into();
    entry["sha256"] = digest.as_ref().iter().map(|byte| format!("{byte:02x}")).collect::<String>().into();
    std::fs::write(&manifest, json.to_string()).unwrap();
    harness.core.data.restore_backup(backup).await.unwrap();

    let keyring = harness.keyring.clone();
    let harness = Harness::start_with(harness.close().await, keyring).await;
    let shown = harness.core.workspaces.get_workspace(id(&saved.id)).await.unwrap();
    assert_eq!(shown.settings.base_url, thief.base, "it was restored");
    let error = ask(&harness, &saved.id).await.unwrap();
    assert!(matches!(error, DeskError::CredentialsForOtherAddress { .. }), "{error:?}");
    assert_eq!(tokens(&thief), [""; 0]);
    harness.close().await;
}

#[tokio::test]
async fn a_token_without_audience_is_bound_to_the_current_base_url() {
    let harness = Harness::start().await;
    let (first, second) = (Host::start().await, Host::start().await);
    let saved = harness.core.workspaces.save_workspace(workspace(&first.base, TOKEN)).await.unwrap();
    let keyring = harness.keyring.clone();
    let folder = harness.close().await;
    // As stored by an older version.
    keyring.entries.lock().unwrap().insert(format!("{}/token", saved.id), TOKEN.to_owned());
    let harness = Harness::start_with(folder, keyring.clone()).await;
    harness.core.startup.get_bootstrap(Nothing {}).await.unwrap();
    let entry = keyring.entries.lock().unwrap()[&format!("{}/token", saved.id)].clone();
    assert_eq!(entry, format!("{} {TOKEN}", first.base));
    ask(&harness, &saved.id).await;
    assert!(tokens(&first).contains(&bearer(TOKEN)));
    let folder = harness.close().await;
    redirect(&folder.path().join("desk/desk.sqlite"), &first.base, &second.base);
    let harness = Harness::start_with(folder, keyring).await;
    ask(&harness, &saved.id).await;
    assert_eq!(tokens(&second), [""; 0]);
    harness.close().await;
}

#[tokio::test]
async fn a_session_token_is_bound_to_its_base_url() {
    let harness = Harness::start().await;
    let (first, second) = (Host::start().await, Host::start().await);
    let request = SaveWorkspace { session_only: true, ..workspace(&first.base, TOKEN) };
    let saved = harness.core.workspaces.save_workspace(request).await.unwrap();
    let settings = WorkspaceSettings { base_url: second.base.clone(), ..saved.settings.clone() };
    let request = SaveWorkspace { workspace: Some(saved.id), settings, secrets: Vec::new(), session_only: true };
    assert!(
        matches!(harness.core.workspaces.save_workspace(request).await, Err(DeskError::InvalidInput { field, .. }) if field == "token")
    );
    harness.close().await;
}

#[tokio::test]
async fn a_visible_file_is_not_fetched_with_the_token() {
    let mut harness = Harness::start().await;
    let provider = Host::start().await;
    let webhooks = with_webhooks(&harness.core, &provider.base, Some(TOKEN)).await;
    // On this machine, so that the test can observe the connections; it does not answer TLS.
    let elsewhere = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let host = format!("https://{}", elsewhere.local_addr().unwrap());
    let pictures = [
        message("5511987654321", "m1", 1_700_000_000, "image", json!({"url": provider.url("/channel/picture")})),
        message("5511987654321", "m2", 1_700_000_001, "image", json!({"url": format!("{host}/x")})),
    ];
    wrote(&webhooks, "101", "Ana", &pictures).await;
    harness.wait_for_projection().await;
    let page = conversation(&harness.core, &webhooks.workspace, "5511987654321", 10).await;
    let request = |name: &str| {
        let found = page.messages.iter().find(|message| message.id == name).unwrap();
        let event = found.event.clone().unwrap();
        MediaRequest { workspace: webhooks.workspace.clone(), event, ..MediaRequest::default() }
    };
    for (name, expected) in [("m1", &provider.base), ("m2", &host)] {
        let file = harness.core.conversations.get_media(request(name)).await.unwrap();
        assert_eq!((file.state, file.token_host.as_ref()), (MediaFileState::NeedsToken, Some(expected)));
    }
    assert_eq!(provider.asked(), []);

    // The provider's own address needs no confirmation; another one does, also for saving.
    let wanted = |name: &str| MediaRequest { with_token: true, ..request(name) };
    harness.core.conversations.get_media(wanted("m1")).await.unwrap();
    assert_eq!(tokens(&provider), [bearer(TOKEN)]);
    let unconfirmed = DeskError::MediaHostUnconfirmed { host: host.clone() };
    assert_eq!(harness.core.conversations.get_media(wanted("m2")).await, Err(unconfirmed.clone()));
    let other = MediaRequest { confirmed_host: Some("https://media.example.com".to_owned()), ..wanted("m2") };
    assert_eq!(
        harness.core.conversations.get_media(other).await,
        Err(unconfirmed.clone()),
        "another host was confirmed"
    );
    let path = harness.folder.path().join("x");
    assert_eq!(harness.core.conversations.save_media_to(&path, &wanted("m2")).await, Err(unconfirmed));
    let came = tokio::time::timeout(std::time::Duration::ZERO, elsewhere.accept()).await;
    assert!(came.is_err(), "somebody came before the host was confirmed");

    let confirmed = MediaRequest { confirmed_host: Some(host.clone()), ..wanted("m2") };
    let (asked, _) = tokio::join!(harness.core.conversations.get_media(confirmed), async {
        drop(elsewhere.accept().await.unwrap())
    });
    assert_eq!(asked.unwrap().state, MediaFileState::Unreachable);
    // The confirmation is stored with the token, survives a restart, and is removed with another provider.
    let keyring = harness.keyring.clone();
    let harness = Harness::start_with(harness.close().await, keyring).await;
    let (asked, _) = tokio::join!(harness.core.conversations.get_media(wanted("m2")), async {
        drop(elsewhere.accept().await.unwrap())
    });
    assert_eq!(asked.unwrap().state, MediaFileState::Unreachable);
    let entry = harness.keyring.entries.lock().unwrap()[&format!("{}/token", webhooks.workspace)].clone();
    assert_eq!(entry, format!("{} {host} {TOKEN}", provider.base));
    harness.close().await;
}

#[tokio::test]
async fn only_the_sandbox_fetches_from_loopback() {
    let mut harness = Harness::start_without_loopback_media().await;
    let inside = Host::start().await;
    let webhooks = with_webhooks(&harness.core, &inside.base, Some(TOKEN)).await;
    let public = message("5511987654321", "m1", 1_700_000_000, "image", json!({"s3_url": inside.url("/public.png")}));
    let private = message("5511987654321", "m2", 1_700_000_000, "image", json!({"s3_url": "http://169.254.169.254/x"}));
    wrote(&webhooks, "101", "Ana", &[public, private]).await;
    harness.wait_for_projection().await;
    let page = conversation(&harness.core, &webhooks.workspace, "5511987654321", 10).await;
    assert_eq!(page.messages.len(), 2);
    for found in page.messages {
        let event = found.event.unwrap();
        let request = MediaRequest { workspace: webhooks.workspace.clone(), event, ..MediaRequest::default() };
        let file = harness.core.conversations.get_media(request).await.unwrap();
        assert_eq!(file.state, MediaFileState::Private, "{file:?}");
    }
    let picture = |workspace: &str| LinkPicture {
        workspace: workspace.to_owned(),
        url: inside.url("/public.png"),
        sandbox_only: false,
    };
    harness.core.messaging.get_link_picture(picture(&webhooks.workspace)).await.unwrap();
    assert_eq!(inside.asked(), []);
    harness.core.messaging.get_link_picture(picture(SANDBOX_ID)).await.unwrap();
    assert_eq!(inside.asked(), [("/public.png".to_owned(), None)]);
    harness.close().await;
}

#[tokio::test]
async fn pictures_of_samples_are_fetched_from_the_sandbox_only() {
    let harness = Harness::start_without_loopback_media().await;
    harness.core.templates.refresh_templates(id(SANDBOX_ID)).await.unwrap();
    let query = TemplateQuery {
        workspace: SANDBOX_ID.to_owned(),
        search: Some("tulip_cards".to_owned()),
        limit: 1,
        ..TemplateQuery::default()
    };
    let row = harness.core.templates.list_templates(query).await.unwrap().rows.remove(0);
    let template = TemplateId { workspace: SANDBOX_ID.to_owned(), reference: row.reference };
    let bubble = harness.core.templates.get_template(template).await.unwrap().bubble;
    let Some(BubbleHeader::Media { link: Some(sample), .. }) = &bubble.cards[0].header else { panic!("{bubble:?}") };
    let elsewhere = Host::start().await;
    let picture = async |workspace: &str, url: String| {
        let request = LinkPicture { workspace: workspace.to_owned(), url, sandbox_only: true };
        harness.core.messaging.get_link_picture(request).await.unwrap().thumbnail
    };
    assert!(picture(SANDBOX_ID, sample.clone()).await.is_some());
    let earlier_run = sample.replace(&harness.url, "http://127.0.0.1:9");
    assert!(picture(SANDBOX_ID, earlier_run).await.is_some(), "the port changes with each start");
    assert_eq!(picture(SANDBOX_ID, elsewhere.url("/public.png")).await, None);
    let other = with_webhooks(&harness.core, &elsewhere.base, Some(TOKEN)).await.workspace;
    assert_eq!(picture(&other, sample.clone()).await, None);
    assert_eq!(elsewhere.asked(), []);
    harness.close().await;
}
