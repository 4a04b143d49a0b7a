//! The health of workspaces: what requests, deliveries, followed servers and the provider's clock say.

use std::time::{Duration, SystemTime};

use command_types::Nothing;
use command_types::error::DeskError;
use command_types::event::DeskEvent;
use command_types::feeds::SaveFeed;
use command_types::health::{ConnectionState, WebhookState};
use command_types::send::WindowQuery;
use command_types::template::TemplateQuery;
use command_types::workspace::{SaveWorkspace, SecretInput, SecretKind, WorkspaceId, WorkspaceSummary};
use serde_json::json;
use tempfile::TempDir;

use super::connection::workspace;
use super::feeds::{Server, TOKEN};
use super::harness::Harness;
use super::webhooks::{Provider, Recorder, envelope, wait_until};

const DAY: i64 = 24 * 60 * 60 * 1_000;
const TEMPLATES: &str = "GET /messaging/provider/workspace-templates";

async fn summary(harness: &Harness, id: &str) -> WorkspaceSummary {
    let workspaces = harness.core.startup.get_bootstrap(Nothing {}).await.unwrap().workspaces;
    workspaces.into_iter().find(|workspace| workspace.id == id).unwrap()
}

/// Fetches the list of templates, and returns what that says about the connection.
async fn connection(harness: &Harness, id: &str) -> ConnectionState {
    let request = WorkspaceId { workspace: id.to_owned() };
    let _listed_or_not = harness.core.templates.refresh_templates(request).await;
    summary(harness, id).await.connection.state
}

/// A provider, and a workspace of it whose webhooks are signed with `s3cret`.
async fn shop(harness: &Harness) -> (Recorder, String) {
    let recorder = Recorder::start().await;
    recorder.answer_json(TEMPLATES, "200 OK", &json!({"data": []}));
    let mut request = workspace(recorder.origin(), "t");
    request.secrets.push(SecretInput { kind: SecretKind::WebhookSecret, number: None, value: "s3cret".into() });
    let id = harness.core.workspaces.save_workspace(request).await.unwrap().id;
    (recorder, id)
}

#[tokio::test]
async fn the_connection_is_what_the_last_request_showed() {
    let mut harness = Harness::start().await;
    let (provider, id) = shop(&harness).await;
    let found = summary(&harness, &id).await.connection;
    assert_eq!((found.state, found.at, found.error), (ConnectionState::Unknown, None, None));

    assert_eq!(connection(&harness, &id).await, ConnectionState::Working);
    assert!(summary(&harness, &id).await.connection.at.is_some());
    harness.emitted();
    let unauthorized = json!({"message": "Authentication required", "details": "Supply a Bearer Token."});
    provider.answer_json(TEMPLATES, "401 Unauthorized", &unauthorized);
    assert_eq!(connection(&harness, &id).await, ConnectionState::Unauthorized);
    let error = summary(&harness, &id).await.connection.error.unwrap();
    assert!(
        matches!(&error, DeskError::Unauthorized { message, .. } if message == "Authentication required"),
        "{error:?}"
    );
    let changed = DeskEvent::HealthChanged { workspace: id.clone() };
    assert!(harness.emitted().contains(&changed));

    // What others answer in the provider's place neither clears that nor is a problem of the provider.
    let head = |status: &str| format!("{status}\r\ncontent-type: text/html\r\ncontent-length: 14");
    for status in ["200 OK", "302 Found\r\nlocation: https://login.example/", "404 Not Found", "429 Too Many Requests"]
    {
        provider.answer_to(TEMPLATES, &head(status), b"<html>Welcome!");
        assert_eq!(connection(&harness, &id).await, ConnectionState::Unauthorized, "{status}");
    }

    // A refusal of one request says nothing against the connection, and neither does one that was not sent.
    provider.answer_json(TEMPLATES, "422 Unprocessable Entity", &json!({"message": "No such filter"}));
    assert_eq!(connection(&harness, &id).await, ConnectionState::Working);
    provider.answer_json(TEMPLATES, "500 Internal Server Error", &json!({"message": "Out of order"}));
    assert_eq!(connection(&harness, &id).await, ConnectionState::Failing);
    provider.hang_up_on(TEMPLATES);
    assert_eq!(connection(&harness, &id).await, ConnectionState::Unreachable);
    provider.answer_json(TEMPLATES, "200 OK", &json!({"data": []}));
    assert_eq!(connection(&harness, &id).await, ConnectionState::Working);

    // Other settings have not been tried.
    let stored = harness.core.workspaces.get_workspace(WorkspaceId { workspace: id.clone() }).await.unwrap();
    let request = SaveWorkspace {
        workspace: Some(id.clone()),
        settings: stored.settings,
        secrets: Vec::new(),
        session_only: false,
    };
    harness.core.workspaces.save_workspace(request).await.unwrap();
    assert_eq!(summary(&harness, &id).await.connection.state, ConnectionState::Unknown);
    harness.close().await;
}

#[tokio::test]
async fn rejected_deliveries_and_servers_that_are_not_followed_are_problems_of_the_webhooks() {
    let harness = Harness::start().await;
    let (_provider, id) = shop(&harness).await;
    let sender = Provider::for_workspace(&harness.core, id.clone()).await;
    let webhooks = async || summary(&harness, &id).await.webhooks;
    assert_eq!((webhooks().await.state, webhooks().await.at), (WebhookState::Working, None));
    for (secret, state) in [
        ("another", WebhookState::Rejected),
        ("s3cret", WebhookState::Working),
        ("another", WebhookState::Rejected),
        ("another", WebhookState::Rejected),
        ("another", WebhookState::Rejecting),
        ("s3cret", WebhookState::Working),
    ] {
        sender.deliver(secret, "{}").await;
        assert_eq!(webhooks().await.state, state);
        assert!(webhooks().await.at.is_some());
    }

    let folder = TempDir::new().unwrap();
    let file = folder.path().join("inbox.sqlite");
    let server = Server::start(&file, "127.0.0.1:0").await;
    server.allow(&[]).await;
    let address = server.url();
    let feed = SaveFeed {
        id: None,
        workspace: id.clone(),
        address: address.clone(),
        endpoint: None,
        token: Some(TOKEN.into()),
        session_only: false,
    };
    harness.core.webhooks.save_feed(feed).await.unwrap();
    server.close().await;
    wait_until("the server fails", async || webhooks().await.state == WebhookState::ServerFailing).await;
    assert!(webhooks().await.reason.unwrap().contains("Check the address"));
    let server = Server::start(&file, address.trim_start_matches("http://")).await;
    wait_until("the server is followed", async || webhooks().await.state == WebhookState::Working).await;
    server.close().await;
    wait_until("the server fails again", async || webhooks().await.state == WebhookState::ServerFailing).await;
    // A server that is not followed any more is no problem.
    let feeds = harness.core.webhooks.list_feeds(Nothing {}).await.unwrap().rows;
    let feed = command_types::feeds::FeedId { id: feeds[0].id.clone() };
    harness.core.webhooks.delete_feed(feed).await.unwrap();
    assert_eq!(webhooks().await.state, WebhookState::Working);
    harness.close().await;
}

fn http_date(date: SystemTime) -> String {
    chrono::DateTime::<chrono::Utc>::from(date).format("%a, %d %b %Y %H:%M:%S GMT").to_string()
}

/// The offset of the clock after the list was fetched from a provider with this `Date`.
async fn offset_by(harness: &Harness, provider: &Recorder, id: &str, date: Option<SystemTime>) -> i64 {
    let date = date.map(|date| format!("date: {}\r\n", http_date(date))).unwrap_or_default();
    let body = json!({"data": []}).to_string();
    let head = format!("200 OK\r\n{date}content-type: application/json\r\ncontent-length: {}", body.len());
    provider.answer_to(TEMPLATES, &head, body.as_bytes());
    assert_eq!(connection(harness, id).await, ConnectionState::Working);
    summary(harness, id).await.clock_offset
}

/// Delivers a message that was written at an instant of the channel's clock.
async fn wrote(sender: &Provider, message: &str, at: i64) {
    let from = "5511987654321";
    let body = envelope(json!({"contacts": [{"profile": {"name": "Ana"}, "wa_id": from}], "messages": [
        {"from": from, "id": message, "timestamp": (at / 1_000).to_string(), "type": "text", "text": {"body": "Oi"}}]}));
    assert_eq!(sender.deliver("s3cret", &body).await, 200);
}

fn now() -> i64 {
    chrono::Utc::now().timestamp_millis()
}

fn is_about(found: i64, expected: i64) -> bool {
    (found - expected).abs() < 60_000
}

#[tokio::test]
async fn reply_windows_are_reckoned_by_the_clock_of_the_provider() {
    let mut harness = Harness::start().await;
    let (provider, id) = shop(&harness).await;
    let sender = Provider::for_workspace(&harness.core, id.clone()).await;
    let window = async |harness: &Harness| {
        let query =
            WindowQuery { workspace: id.clone(), to: "+55 11 98765-4321".to_owned(), country: None, number: None };
        harness.core.messaging.get_service_window(query).await.unwrap()
    };
    assert_eq!(offset_by(&harness, &provider, &id, None).await, 0);
    let hour = Duration::from_secs(3_600);
    assert_eq!(offset_by(&harness, &provider, &id, Some(SystemTime::now())).await, 0);

    // This machine is a day ahead: the channel's now is yesterday.
    assert_eq!(offset_by(&harness, &provider, &id, Some(SystemTime::now() - 24 * hour)).await, 0, "one may be wrong");
    let difference = summary(&harness, &id).await.clock_difference;
    assert!(is_about(difference, -DAY), "a notice comes with the first: {difference}");
    let yesterday = offset_by(&harness, &provider, &id, Some(SystemTime::now() - 24 * hour)).await;
    assert!(is_about(yesterday, -DAY), "{yesterday}");
    wrote(&sender, "wamid.1", now() - DAY - 60 * 60 * 1_000).await;
    harness.wait_for_projection().await;
    let found = window(&harness).await;
    assert_eq!(found.clock_offset, yesterday);
    assert!(!found.is_closed(now()), "{found:?}");

    // An undated message has the time of its arrival, which does not contradict the date.
    let undated = envelope(json!({"messages": [{"from": "5521987654321", "id": "wamid.undated", "type": "text",
        "text": {"body": "Oi"}}]}));
    assert_eq!(sender.deliver("s3cret", &undated).await, 200);
    harness.wait_for_projection().await;
    assert_eq!(summary(&harness, &id).await.clock_offset, yesterday);

    // An answer without a date changes nothing, and one that agrees ends the correction.
    assert_eq!(offset_by(&harness, &provider, &id, None).await, yesterday);
    assert_eq!(offset_by(&harness, &provider, &id, Some(SystemTime::now())).await, 0);
    assert!(window(&harness).await.is_closed(now()));

    // Messages of tomorrow have just arrived: this machine is a day behind, whatever the date says.
    wrote(&sender, "wamid.2", now() + DAY).await;
    harness.wait_for_projection().await;
    assert_eq!(summary(&harness, &id).await.clock_offset, 0, "one may be wrong");
    wrote(&sender, "wamid.3", now() + DAY).await;
    harness.wait_for_projection().await;
    wait_until("the clock is known", async || summary(&harness, &id).await.clock_offset != 0).await;
    let tomorrow = window(&harness).await;
    assert!(is_about(tomorrow.clock_offset, DAY), "{tomorrow:?}");
    assert!(is_about(tomorrow.open_until.unwrap() - (now() + tomorrow.clock_offset), DAY), "{tomorrow:?}");
    // Templates are archived by the clock of the provider, too.
    let templates = TemplateQuery { workspace: id.clone(), limit: 1, ..TemplateQuery::default() };
    let page = harness.core.templates.list_templates(templates).await.unwrap();
    assert!(is_about(page.risk_until - now(), DAY + model::archival::NOTICE_DAYS * DAY - 30_000), "{page:?}");
    // A later answer says otherwise: the timestamps were wrong.
    assert_eq!(offset_by(&harness, &provider, &id, Some(SystemTime::now())).await, 0);

    // A message that has just been written arrives: no number of wrong answers closes its window.
    wrote(&sender, "wamid.4", now()).await;
    harness.wait_for_projection().await;
    for _ in 0..3 {
        assert_eq!(offset_by(&harness, &provider, &id, Some(SystemTime::now() + 48 * hour)).await, 0);
        let difference = summary(&harness, &id).await.clock_difference;
        assert!(is_about(difference, 2 * DAY), "but a notice says what the answers say: {difference}");
    }
    assert!(!window(&harness).await.is_closed(now()));
    harness.close().await;
}
