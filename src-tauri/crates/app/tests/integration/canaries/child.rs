//! The run: a desk that connects, creates, sends, receives, fails and deletes, controlled by the test.

use std::collections::HashMap;
use std::fmt::Debug;
use std::fs::File;
use std::io::{BufRead as _, Write as _};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use app::ports::{EventSink, Keyring, KeyringFailure, NoInstaller};
use app::{Core, Options};
use command_types::Nothing;
use command_types::activity::{EventId, EventQuery, ExportEvents, VerifySignatures};
use command_types::composer::{CreateDraft, DraftId};
use command_types::conversations::{ContactQuery, ConversationQuery, MediaFileState, MediaRequest};
use command_types::error::DeskError;
use command_types::event::DeskEvent;
use command_types::feeds::{FeedState, SaveFeed};
use command_types::keyring::KeyringState;
use command_types::receiver::{ReceiverState, RefusedId, TestEvent};
use command_types::send::{SendId, SendOptions, SendQuery, SendRequest};
use command_types::submission::SubmitDraft;
use command_types::template::{TemplateId, TemplateQuery};
use command_types::workspace::{SaveWorkspace, WorkspaceId};
use sandbox::seed;
use secrecy::SecretString;
use serde::Serialize;
use serde_json::json;
use tokio::sync::mpsc;
use zeroize::Zeroizing;

use super::provider::{ANSWERS, FEED_PAGES, WORKSPACE};
use super::{Canary, PHONE, SECRETS};

/// A keyring that stores its secrets outside this process.
#[derive(Default)]
struct OtherProgram(Mutex<HashMap<String, SecretString>>);

impl Keyring for OtherProgram {
    fn state(&self) -> KeyringState {
        KeyringState::Available
    }

    fn get(&self, key: &str) -> Result<Option<SecretString>, KeyringFailure> {
        Ok(self.0.lock().unwrap().get(key).cloned())
    }

    fn set(&self, key: &str, secret: &SecretString) -> Result<(), KeyringFailure> {
        self.0.lock().unwrap().insert(key.to_owned(), secret.clone());
        Ok(())
    }

    fn delete(&self, key: &str) -> Result<(), KeyringFailure> {
        self.0.lock().unwrap().remove(key);
        Ok(())
    }
}

/// All output to the window, serialized and as logged.
#[derive(Clone)]
struct OutputLog(Arc<Mutex<File>>);

impl OutputLog {
    fn note(&self, what: &str, text: &str) {
        writeln!(self.0.lock().unwrap(), "{what}: {text}").unwrap();
    }

    fn answer<T: Serialize + Debug>(&self, command: &str, answer: Result<T, DeskError>) -> Option<T> {
        match answer {
            Ok(answer) => {
                self.note(command, &format!("{} {answer:?}", serde_json::to_string(&answer).unwrap()));
                Some(answer)
            }
            Err(error) => {
                self.note(command, &format!("{error} {error:?} {}", serde_json::to_string(&error).unwrap()));
                None
            }
        }
    }
}

/// Sends a keyword to the test, and waits until it may continue.
fn report_step(word: &str) {
    println!("=> {word}");
    let length = std::io::stdin().lock().read_line(&mut String::new()).unwrap();
    assert!(length > 0, "the test was removed");
}

/// As the window sends it: JSON, with or without the secrets.
fn saved(workspace: Option<&str>, base_url: &str, credentials: &str, with_secrets: bool) -> SaveWorkspace {
    let settings = json!({
        "name": "Shop", "baseUrl": base_url, "workspaceUuid": WORKSPACE, "defaultCountry": "BR", "clientId": "shop", "credentialKind": credentials,
        "numbers": [{"id": seed::NUMBER, "label": "Main", "ownWebhook": true}], "wabaIds": [seed::WABA.to_string()],
    });
    let mut text = Zeroizing::new(String::with_capacity(4_096));
    text.push_str(&format!(r#"{{"workspace":{},"settings":{settings},"secrets":["#, json!(workspace)));
    for (place, canary) in SECRETS.iter().take(8).enumerate().filter(|_| with_secrets) {
        let names = ["token", "clientSecret", "webhookSecret", "previousWebhookSecret", "verifyToken"];
        let (name, number) = match names.get(place) {
            Some(name) => (*name, json!(null)),
            None => (names[place - 3], json!(seed::NUMBER)),
        };
        text.push_str(if place == 0 { "" } else { "," });
        text.push_str(r#"{"kind":""#);
        text.push_str(name);
        text.push_str(&format!(r#"","number":{number},"value":""#));
        text.push_str(&canary.text());
        text.push_str(r#""}"#);
    }
    text.push_str("]}");
    serde_json::from_str(&text).unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "run by another test, in a process of its own"]
async fn canary_process() {
    let folder = PathBuf::from(std::env::var_os("CANARY_FOLDER").unwrap());
    let log = Mutex::new(File::create(folder.join("trace.log")).unwrap());
    tracing_subscriber::fmt().with_max_level(tracing::Level::TRACE).with_ansi(false).with_writer(log).init();
    let output = OutputLog(Arc::new(Mutex::new(File::create(folder.join("output.log")).unwrap())));
    let (sender, mut events) = mpsc::unbounded_channel();
    let listener = output.clone();
    let core = Core::open(Options {
        data_folder: app::lock_data_folder(&folder.join("desk")).unwrap(),
        keyring: Arc::new(OtherProgram::default()),
        events: EventSink::new(move |event| {
            listener.note("event", &format!("{} {event:?}", serde_json::to_string(&event).unwrap()));
            let _is_closed = sender.send(event);
        }),
        sandbox: None,
        receiver_address: Some("127.0.0.1:0".to_owned()),
        loopback_media: true,
        installer: Arc::new(NoInstaller),
    })
    .await
    .unwrap();

    let provider = std::env::var("CANARY_PROVIDER").unwrap();
    let workspace =
        output.answer("save", core.workspaces.save_workspace(saved(None, &provider, "bearer", true)).await).unwrap();
    let receiver = wait(&mut events, |event| match event {
        DeskEvent::ReceiverChanged { state: ReceiverState::Listening { address, .. } } => Some(address.clone()),
        _ => None,
    });
    report_step(&format!("connected {} {}", receiver.await, workspace.webhook_path));

    let id = WorkspaceId { workspace: workspace.id.clone() };
    output.answer("bootstrap", core.startup.get_bootstrap(Nothing {}).await);
    output
        .answer("test", core.workspaces.test_connection(saved(Some(&id.workspace), &provider, "bearer", false)).await);
    output.answer("refresh", core.templates.refresh_templates(id.clone()).await);
    output.answer("endpoints", core.webhooks.get_endpoints(id.clone()).await);
    for number in [None, Some(seed::NUMBER.to_owned())] {
        let request = TestEvent { workspace: id.workspace.clone(), number };
        assert!(output.answer("test event", core.webhooks.send_test_event(request).await).unwrap().stored);
    }
    submit_and_send(&core, &output, &mut events, &id).await;
    call_every_query(&core, &output, &id, &folder).await;
    use_hostile_provider(&core, &output, &id).await;
    follow_hostile_servers(&core, &output, &mut events, &id).await;
    output
        .answer("save", core.workspaces.save_workspace(saved(Some(&id.workspace), &provider, "bearer", true)).await)
        .unwrap();
    report_step("used");

    output.answer("remove", core.workspaces.delete_workspace(id).await).unwrap();
    report_step("removed");
    core.close().await;
}

async fn wait<T>(events: &mut mpsc::UnboundedReceiver<DeskEvent>, mut pick: impl FnMut(&DeskEvent) -> Option<T>) -> T {
    let waiting = async {
        loop {
            if let Some(picked) = pick(&events.recv().await.expect("the core runs")) {
                return picked;
            }
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(60), waiting).await.expect("the event was not emitted")
}

/// Creates a template, sends it after its approval, and waits until it is read.
async fn submit_and_send(
    core: &Core,
    output: &OutputLog,
    events: &mut mpsc::UnboundedReceiver<DeskEvent>,
    id: &WorkspaceId,
) {
    let request = CreateDraft { workspace: id.workspace.clone(), ..CreateDraft::default() };
    let mut draft = output.answer("draft", core.authoring.create_draft(request).await).unwrap();
    draft.template = serde_json::from_value(json!({
        "name": "garden_party", "language": "en_US", "category": "marketing",
        "components": [{"type": "BODY", "text": "Our garden party is on Saturday and you are warmly invited."}]}))
    .unwrap();
    let draft = output.answer("draft", core.authoring.save_draft(draft).await).unwrap();
    let draft_id = || DraftId { draft: draft.id.clone() };
    output.answer("plan", core.authoring.plan_submission(draft_id()).await).unwrap();
    let submit =
        SubmitDraft { draft: draft.id.clone(), despite_findings: true, overrides: Vec::new(), resend_unknown: false };
    let reference = output.answer("submit", core.authoring.submit_draft(submit).await).unwrap().reference.unwrap();
    wait(events, |event| match event {
        DeskEvent::TemplateStatusChanged { event, .. } if event == "APPROVED" => Some(()),
        _ => None,
    })
    .await;
    let template = TemplateId { workspace: id.workspace.clone(), reference: reference.clone() };
    output.answer("form", core.messaging.get_send_form(template).await);
    let sent = output.answer("send", core.messaging.send_template(message(id, reference)).await).unwrap();
    wait(events, |event| match event {
        DeskEvent::SendUpdated { state, .. } if state.as_str() == "read" => Some(()),
        _ => None,
    })
    .await;
    output.answer("sent", core.messaging.get_send(SendId { send: sent.id }).await).unwrap();
}

fn message(id: &WorkspaceId, reference: String) -> SendRequest {
    SendRequest {
        answers: None,
        known_category: None,
        workspace: id.workspace.clone(),
        reference,
        number: seed::NUMBER.to_owned(),
        to: PHONE.to_owned(),
        country: None,
        values: Default::default(),
        options: SendOptions { track: true, ..SendOptions::default() },
    }
}

/// Calls every screen and every export.
async fn call_every_query(core: &Core, output: &OutputLog, id: &WorkspaceId, folder: &std::path::Path) {
    let workspace = || id.workspace.clone();
    output.answer("workspace", core.workspaces.get_workspace(id.clone()).await);
    output.answer(
        "templates",
        core.templates.list_templates(TemplateQuery { workspace: workspace(), limit: 50, ..template_query() }).await,
    );
    output.answer(
        "sends",
        core.messaging.list_sends(SendQuery { workspace: workspace(), limit: 10, ..SendQuery::default() }).await,
    );
    let contacts = ContactQuery { workspace: workspace(), limit: 50, ..ContactQuery::default() };
    output.answer("contacts", core.conversations.list_contacts(contacts).await);
    let conversation =
        ConversationQuery { workspace: workspace(), contact: PHONE.to_owned(), number: None, after: None, limit: 10 };
    output.answer("conversation", core.conversations.list_conversation(conversation).await);
    let query = EventQuery { limit: 50, ..EventQuery::default() };
    let page = output.answer("events", core.webhooks.list_events(query).await).unwrap();
    assert!(page.rows.len() >= 4, "{page:?}");
    for row in page.rows {
        output.answer("event", core.webhooks.get_event(EventId { event: row.id }).await).unwrap();
    }
    let refused = output.answer("refused", core.webhooks.list_refused_deliveries(Nothing {}).await).unwrap();
    assert_eq!(refused.len(), 11, "{refused:?}");
    for row in refused {
        output.answer("refused", core.webhooks.get_refused_delivery(RefusedId { id: row.id }).await).unwrap();
    }
    output.answer("verify", core.webhooks.verify_signatures(VerifySignatures::default()).await).unwrap();
    let export = core.webhooks.export_events_to(&folder.join("events.jsonl"), ExportEvents::default()).await;
    assert!(output.answer("export", export).unwrap().lines >= 4);
    output.answer("insights", core.insights.get_insights(id.clone()).await);
    output.answer("storage", core.data.get_storage(Nothing {}).await);
    output.answer("diagnostics", core.data.diagnostics(Vec::new()).await).unwrap();
}

fn template_query() -> TemplateQuery {
    serde_json::from_value(json!({"workspace": "", "limit": 1})).unwrap()
}

/// A provider that echoes requests in every answer, with both kinds of credentials.
async fn use_hostile_provider(core: &Core, output: &OutputLog, id: &WorkspaceId) {
    let hostile = std::env::var("CANARY_HOSTILE").unwrap();
    let template =
        core.templates.list_templates(TemplateQuery { workspace: id.workspace.clone(), ..template_query() }).await;
    let reference = template.unwrap().rows.remove(0).reference;
    for credentials in ["bearer", "client"] {
        for answer in ANSWERS {
            let base_url = format!("{hostile}/{answer}");
            let request = || saved(Some(&id.workspace), &base_url, credentials, false);
            // A new address requires the secrets again.
            let is_first = answer == ANSWERS[0];
            let with_secrets = saved(Some(&id.workspace), &base_url, credentials, is_first);
            output.answer("save", core.workspaces.save_workspace(with_secrets).await).unwrap();
            output.answer("test", core.workspaces.test_connection(request()).await);
            output.answer("send", core.messaging.send_template(message(id, reference.clone())).await);
            if answer != "500" {
                output.answer("refresh", core.templates.refresh_templates(id.clone()).await);
            }
        }
        fetch_files(core, output, id).await;
    }
}

/// Feeds whose servers echo requests in every answer.
async fn follow_hostile_servers(
    core: &Core,
    output: &OutputLog,
    events: &mut mpsc::UnboundedReceiver<DeskEvent>,
    id: &WorkspaceId,
) {
    let hostile = std::env::var("CANARY_HOSTILE").unwrap();
    for answer in ANSWERS.into_iter().chain(FEED_PAGES) {
        let request = || SaveFeed {
            id: None,
            workspace: id.workspace.clone(),
            address: format!("{hostile}/{answer}"),
            endpoint: None,
            token: Some(SecretString::from(Canary::FeedToken.text().as_str())),
            session_only: false,
        };
        assert!(output.answer("check feed", core.webhooks.check_feed(request()).await).is_none(), "{answer}");
        output.answer("save feed", core.webhooks.save_feed(request()).await).unwrap();
    }
    loop {
        let feeds = output.answer("feeds", core.webhooks.list_feeds(Nothing {}).await).unwrap();
        if feeds.rows.iter().all(|feed| matches!(feed.state, FeedState::Refused { .. } | FeedState::Failed { .. })) {
            return;
        }
        wait(events, |event| matches!(event, DeskEvent::FeedsChanged {}).then_some(())).await;
    }
}

/// The files of all messages, from the address that echoes the token.
async fn fetch_files(core: &Core, output: &OutputLog, id: &WorkspaceId) {
    let query = ConversationQuery {
        workspace: id.workspace.clone(),
        contact: PHONE.to_owned(),
        number: None,
        after: None,
        limit: 50,
    };
    let messages = core.conversations.list_conversation(query).await.unwrap().messages;
    let files: Vec<_> = messages.into_iter().filter(|message| message.media.is_some()).collect();
    assert_eq!(files.len(), ANSWERS.len());
    for file in files {
        let request = MediaRequest {
            workspace: id.workspace.clone(),
            event: file.event.unwrap(),
            with_token: true,
            confirmed_host: None,
        };
        let file = output.answer("media", core.conversations.get_media(request.clone()).await).unwrap();
        assert_ne!(file.state, MediaFileState::Ok, "{file:?}");
        output.answer("name", core.conversations.media_name(&request).await);
    }
}
