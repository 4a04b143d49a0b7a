//! Sends a test delivery, signed like the provider's, to check that an endpoint works.

use std::time::Instant;

use ring::hmac;
use secrecy::{ExposeSecret as _, SecretString};
use serde_json::json;
use store::delivery_log::Delivery;
use url::Url;

use crate::context::secrets::field;
use crate::webhooks::Webhooks;
use crate::webhooks::activity::{Outcome, Target};
use crate::workspaces::webhook_endpoints::EndpointKey;
use crate::workspaces::{SANDBOX_ID, number_field};
use command_types::error::{ConflictFault, DeskError, Missing, Result};
use command_types::receiver::{TestEvent, TestEventReport};
use command_types::workspace::{SecretKind, WorkspaceSettings};
use outgoing::now;

/// The field of test deliveries. The channel has no field of that name, so they change nothing.
const TEST_FIELD: &str = "template_desk_test";

impl Webhooks {
    /// Delivers a signed event to an endpoint over this machine's network, as the provider would. It is stored and
    /// shown in Activity, and changes nothing.
    ///
    /// # Errors
    /// [`DeskError::NotFound`] when there is no such workspace or the number has no endpoint of its own. If the event
    /// is not accepted, the reason is in the report.
    pub async fn send_test_event(&self, request: TestEvent) -> Result<TestEventReport> {
        let settings = self.0.workspaces.settings(&request.workspace).await?;
        let number = request.number.filter(|number| !number.is_empty());
        let endpoint =
            self.endpoints_of(&request.workspace).await?.into_iter().find(|endpoint| endpoint.number == number);
        let endpoint = endpoint.ok_or_else(|| DeskError::not_found(Missing::Endpoint))?;
        let started = Instant::now();
        let sent = self.deliver_test(&settings, &endpoint).await;
        let took_ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
        Ok(match sent {
            Ok(200) => TestEventReport { status: Some(200), error: None, took_ms, stored: true },
            Ok(status) => {
                let message = format!(
                    "The receiver answered {status} and did not store the event. Activity shows under Refused what was \
                     wrong with it."
                );
                TestEventReport {
                    status: Some(status),
                    error: Some(DeskError::other_conflict(message)),
                    took_ms,
                    stored: false,
                }
            }
            Err(error) => TestEventReport { status: None, error: Some(error), took_ms, stored: false },
        })
    }

    /// Sends the event and returns the status of the answer.
    async fn deliver_test(&self, settings: &WorkspaceSettings, endpoint: &EndpointKey) -> Result<u16> {
        let secret = self.signing_secret(settings, endpoint).await?;
        let address = self
            .endpoint_address(&endpoint.workspace)
            .ok_or_else(|| DeskError::conflict(ConflictFault::NoReceiver {}))?;
        let body = event(settings, endpoint);
        let tag = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, secret.expose_secret().as_bytes()), &body);
        let digits: String = tag.as_ref().iter().map(|byte| format!("{byte:02x}")).collect();
        let header = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let delivery = Delivery {
            seq: 0,
            received_at: now(),
            route: endpoint.workspace.clone(),
            headers: vec![
                header("content-type", "application/json"),
                header("user-agent", "template-desk"),
                header("x-hub-signature-256", &format!("sha256={digits}")),
            ],
            body,
            origin: None,
        };
        let url = format!("http://{address}{}", endpoint.path());
        let url = Url::parse(&url).map_err(|error| DeskError::Internal { message: error.to_string() })?;
        let target = Target::new(url)?;
        let path = endpoint.path();
        self.0.workspaces.expect_test_event(&path);
        let outcome = target.post(delivery).await;
        if !matches!(outcome, Outcome::Answered(200)) {
            self.0.workspaces.test_event_failed(&path);
        }
        match outcome {
            Outcome::Answered(status) => Ok(status),
            Outcome::Failed(reason) => Err(DeskError::conflict(ConflictFault::ReceiverAway { reason })),
        }
    }

    async fn signing_secret(&self, settings: &WorkspaceSettings, endpoint: &EndpointKey) -> Result<SecretString> {
        let kind = SecretKind::WebhookSecret;
        if endpoint.workspace == SANDBOX_ID {
            let secret = self.0.workspaces.sandbox(SANDBOX_ID).map(|sandbox| sandbox.webhook_secret.clone());
            return secret.ok_or_else(|| DeskError::not_found(Missing::Sandbox));
        }
        let at = match &endpoint.number {
            Some(number) => number_field(settings, number, field(kind)),
            None => field(kind).to_owned(),
        };
        match self.0.context.secrets.look_up(endpoint.owner(), kind).await.require(kind) {
            Err(DeskError::MissingCredentials {}) => Err(DeskError::invalid(
                at,
                "This endpoint has no webhook secret, so a test event cannot be signed and every delivery is refused. \
                 Enter the secret that the provider signs with.",
            )),
            other => other.map_err(|error| error.at_secret(at)),
        }
    }
}

/// An envelope (contract §2.4) with a change of the test field.
fn event(settings: &WorkspaceSettings, endpoint: &EndpointKey) -> Vec<u8> {
    let named = |id: &String| settings.numbers.iter().find(|number| number.id == *id);
    let number = endpoint.number.as_ref().and_then(named);
    let waba = number.map(|number| &number.waba_id).filter(|waba| !waba.is_empty()).or(settings.waba_ids.first());
    let mut value = json!({
        "messaging_product": settings.product(),
        "test_id": uuid::Uuid::new_v4(),
        "sent_at": now(),
        "text": "Test event of Template Desk. It changes nothing.",
    });
    if let Some(id) = &endpoint.number {
        value["metadata"] = json!({ "phone_number_id": id });
    }
    json!({
        "object": format!("{}_business_account", settings.channel),
        "entry": [{ "id": waba.map_or("0", String::as_str), "changes": [{ "field": TEST_FIELD, "value": value }] }],
    })
    .to_string()
    .into_bytes()
}
