//! Sends from the form to their outcomes, on a provider that records every byte.

mod again;
mod before;
mod bytes;
mod category;
mod consent;
mod costs;
mod following;
mod marketing;
mod opt_out_imports;
mod rate_limits;
mod removed_number;
mod restrictions;
mod texts;
mod unanswered;
mod user_ids;
mod wishes;

use app::Core;
use command_types::batch::{BatchPlanRequest, BatchSource};
use command_types::error::DeskError;
use command_types::send::{SendDetail, SendId, SendOptions, SendRequest, SendRow};
use command_types::workspace::{SaveWorkspace, SecretInput, SecretKind, SendingNumber, WorkspaceId, WorkspaceSettings};
use secrecy::SecretString;
use serde_json::{Value, json};

use super::harness::Harness;
use super::webhooks::{Provider, Recorder};

const TOKEN: &str = "a-token-of-the-provider";
pub(super) const WEBHOOK_SECRET: &str = "what-webhooks-are-signed-with";
const WORKSPACE_UUID: &str = "5a9db0c5-0000-4000-8000-00000000000a";
const NUMBER: &str = "300000000000001";
const SAME_MESSAGE: &str = "to.sameMessage";
pub(super) const RECIPIENT: &str = "5511987654321";

/// A core with a workspace on a recording provider.
pub(super) struct Desk {
    pub(super) harness: Harness,
    pub(super) provider: Recorder,
    pub(super) webhooks: Provider,
}

impl Desk {
    /// Starts with these templates, each with the reference `t1`, `t2`, ….
    pub(super) async fn start(templates: &[Value]) -> Self {
        Self::start_with(Harness::start().await, templates).await
    }

    pub(super) async fn start_with(harness: Harness, templates: &[Value]) -> Self {
        let provider = Recorder::start().await;
        list(&provider, templates);
        answer_with(&provider, "wamid.1");
        let settings = WorkspaceSettings {
            name: "Shop".to_owned(),
            base_url: format!("{}/api", provider.origin()),
            workspace_uuid: WORKSPACE_UUID.to_owned(),
            default_country: "BR".to_owned(),
            numbers: vec![SendingNumber { id: NUMBER.to_owned(), label: "Main".to_owned(), ..Default::default() }],
            ..WorkspaceSettings::default()
        };
        let secret = |kind, value: &str| SecretInput { kind, number: None, value: SecretString::from(value) };
        let secrets = vec![secret(SecretKind::Token, TOKEN), secret(SecretKind::WebhookSecret, WEBHOOK_SECRET)];
        let request = SaveWorkspace { workspace: None, settings, secrets, session_only: false };
        let workspace = harness.core.workspaces.save_workspace(request).await.unwrap().id;
        let webhooks = Provider::for_workspace(&harness.core, workspace).await;
        let desk = Self { harness, provider, webhooks };
        desk.refresh().await;
        desk
    }

    pub(super) fn core(&self) -> &Core {
        &self.harness.core
    }

    pub(super) fn workspace(&self) -> String {
        self.webhooks.workspace.clone()
    }

    pub(super) async fn refresh(&self) {
        self.core().templates.refresh_templates(WorkspaceId { workspace: self.workspace() }).await.unwrap();
    }

    /// Sets the numbers of the workspace, and the name of the WABA 400.
    pub(super) async fn set_numbers(&self, numbers: Vec<SendingNumber>) {
        let workspaces = &self.core().workspaces;
        let known = workspaces.get_workspace(WorkspaceId { workspace: self.workspace() }).await.unwrap();
        let waba_names = [("400".to_owned(), "Shoes BR".to_owned())].into();
        let settings = WorkspaceSettings { numbers, waba_names, ..known.settings };
        let request = SaveWorkspace { workspace: Some(known.id), settings, secrets: Vec::new(), session_only: false };
        workspaces.save_workspace(request).await.unwrap();
    }

    /// A tracked send to [`RECIPIENT`].
    pub(super) fn request(&self, reference: &str, values: &[(&str, &str)]) -> SendRequest {
        SendRequest {
            answers: None,
            workspace: self.workspace(),
            reference: reference.to_owned(),
            number: NUMBER.to_owned(),
            to: "+55 11 98765-4321".to_owned(),
            country: None,
            known_category: None,
            values: values.iter().map(|(part, value)| ((*part).to_owned(), (*value).to_owned())).collect(),
            // Many tests send the same message several times; `again.rs` is about the question.
            options: SendOptions { track: true, overrides: vec![SAME_MESSAGE.to_owned()], ..SendOptions::default() },
        }
    }

    /// A batch of the first template to the people of a file, whose first column has their numbers.
    async fn batch_request(&self, content: &str, overrides: &[&str]) -> BatchPlanRequest {
        let path = self.harness.folder.path().join("people.csv");
        std::fs::write(&path, content).unwrap();
        let file = self.core().messaging.read_csv(&path).await.unwrap();
        let to = file.columns[0].clone();
        let overrides = overrides.iter().map(|code| (*code).to_owned()).collect();
        BatchPlanRequest {
            workspace: self.workspace(),
            reference: "t1".to_owned(),
            number: NUMBER.to_owned(),
            country: None,
            source: BatchSource::Csv { file: file.id, to, name: None, values: Default::default() },
            options: SendOptions { overrides, ..SendOptions::default() },
        }
    }

    async fn detail(&self, row: &SendRow) -> SendDetail {
        self.core().messaging.get_send(SendId { send: row.id.clone() }).await.unwrap()
    }

    /// Whether the first steps say that a template was sent.
    async fn has_sent(&self) -> bool {
        self.core().authoring.get_first_steps(WorkspaceId { workspace: self.workspace() }).await.unwrap().sent
    }

    /// Delivers a webhook and waits for its effect.
    pub(super) async fn deliver(&mut self, body: &str) {
        assert_eq!(self.webhooks.deliver(WEBHOOK_SECRET, body).await, 200);
        self.harness.wait_for_projection().await;
    }

    /// Bodies of the sends that reached the provider.
    pub(super) fn sent(&self) -> Vec<Value> {
        let sends = self.provider.requests().into_iter().filter(|request| request.head[0].starts_with("POST "));
        sends.map(|request| serde_json::from_slice(&request.body).unwrap()).collect()
    }
}

/// Sets the templates that the provider lists.
pub(super) fn list(provider: &Recorder, templates: &[Value]) {
    provider.answer_json("GET ", "200 OK", &json!({"data": listed(templates)}));
}

pub(super) fn listed(templates: &[Value]) -> Vec<Value> {
    templates
        .iter()
        .enumerate()
        .map(|(place, template)| {
            let mut template = template.clone();
            template["uuid"] = json!(format!("t{}", place + 1));
            for (field, value) in [("language", "pt_BR"), ("status", "APPROVED"), ("category", "utility")] {
                if template.get(field).is_none() {
                    template[field] = json!(value);
                }
            }
            template
        })
        .collect()
}

/// Sets the message identifier in the provider's answers.
pub(super) fn answer_with(provider: &Recorder, message: &str) {
    let answer = json!({"messaging_product": "messaging", "contacts": [{"input": RECIPIENT, "wa_id": RECIPIENT}],
        "messages": [{"id": message, "message_status": "accepted"}]});
    provider.answer_json("POST ", "200 OK", &answer);
}

pub(super) fn hello() -> Value {
    json!({"name": "hello", "components": [{"type": "BODY", "text": "Olá {{1}}, tudo bem com você hoje?"}]})
}

/// The field that prevents a send.
fn stopped_at(error: &DeskError) -> (&str, &str) {
    match error {
        DeskError::InvalidInput { field, message, .. } => {
            (field, message.rsplit_once(" (").map(|(_, code)| code.trim_end_matches(')')).unwrap())
        }
        other => panic!("{other:?}"),
    }
}
