//! The built-in provider in this process: its addresses and secrets are new at every start, its state is kept.

use std::net::Ipv4Addr;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Context as _;
use app::SandboxLink;
use app::error::{DeskError, Result};
use app::view::Nothing;
use app::view::insights::{PhoneId, PhoneMessage, PhoneRow, PhoneTap, PhoneText, ReviewDecision, SandboxSettings};
use app::workspace::{SANDBOX_ID, webhook_path};
use chrono::DateTime;
use model::vocabulary::TemplateStatus;
use sandbox::phone::{ButtonChoice, Item, Tap};
use sandbox::{Decision, Options, Refusal, Sandbox, Webhook, seed};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

/// The workspace of the built-in provider. It is the same on every machine: nothing is protected by it.
const WORKSPACE: &str = "5a9db0c5-0000-4000-8000-000000000001";
/// State of the provider, in the data folder.
const STATE_FILE: &str = "sandbox.json";

/// Where it was reached the last time, in the data folder.
const ADDRESS_FILE: &str = "sandbox.address";

/// The built-in provider.
#[derive(Clone, Debug)]
pub struct SandboxHost {
    sandbox: Sandbox,
    running: Arc<Mutex<Running>>,
    stop: tokio_util::sync::CancellationToken,
}

#[derive(Debug)]
enum Running {
    Ready(TcpListener),
    Serving(JoinHandle<()>),
    Ended,
}

impl SandboxHost {
    /// Opens the provider and binds its addresses, so that the core can be told of them before anything runs.
    pub(crate) async fn prepare(data_folder: &Path) -> anyhow::Result<(Self, SandboxLink)> {
        tokio::fs::create_dir_all(data_folder).await.context("the data folder cannot be made")?;
        let listener = bind(&data_folder.join(ADDRESS_FILE)).await?;
        let webhooks = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let token = secrecy::SecretString::from(uuid::Uuid::new_v4().to_string());
        let webhook_secret = secrecy::SecretString::from(uuid::Uuid::new_v4().to_string());
        let hook = format!("http://{}{}", webhooks.local_addr()?, webhook_path(SANDBOX_ID));
        let mut options = Options::new(token.clone(), WORKSPACE);
        options.webhook = Some(Webhook::new(&hook, webhook_secret.clone()).map_err(anyhow::Error::msg)?);
        options.state_file = Some(data_folder.join(STATE_FILE));
        options.seed = true;
        let (channel, messaging_product) = (options.channel.clone(), options.messaging_product.clone());
        let sandbox = Sandbox::open(options)?;
        let link = SandboxLink {
            base_url: format!("http://{}", listener.local_addr()?),
            channel,
            messaging_product,
            workspace_uuid: WORKSPACE.to_owned(),
            token,
            webhook_secret,
            numbers: vec![
                (seed::NUMBER.to_owned(), "Ipê Flores".to_owned()),
                (seed::SECOND_NUMBER.to_owned(), "Ipê Flores Atacado".to_owned()),
            ],
            waba_ids: vec![seed::WABA.to_string(), seed::SECOND_WABA.to_string()],
            webhooks,
        };
        let running = Arc::new(Mutex::new(Running::Ready(listener)));
        Ok((Self { sandbox, running, stop: tokio_util::sync::CancellationToken::new() }, link))
    }

    /// Starts answering.
    pub(crate) fn start(&self) {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        if let Running::Ready(listener) = std::mem::replace(&mut *running, Running::Ended) {
            let (sandbox, stop) = (self.sandbox.clone(), self.stop.clone());
            *running = Running::Serving(tokio::spawn(async move {
                if let Err(error) = sandbox.serve(listener, stop.cancelled_owned()).await {
                    tracing::error!(%error, "the sandbox ended");
                }
            }));
        }
    }

    /// Ends it and saves its state.
    pub(crate) async fn stop(&self) {
        self.stop.cancel();
        let running = {
            let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
            std::mem::replace(&mut *running, Running::Ended)
        };
        if let Running::Serving(task) = running
            && let Err(error) = task.await
        {
            tracing::error!(%error, "the sandbox did not end in order");
        }
    }

    /// How it reviews and delivers.
    ///
    /// # Errors
    /// None.
    pub async fn get_sandbox_settings(&self, _request: Nothing) -> Result<SandboxSettings> {
        let settings = self.sandbox.settings();
        Ok(SandboxSettings {
            review: word(&settings.review),
            review_delay_ms: settings.review_delay_ms,
            status_delay_ms: settings.status_delay_ms,
        })
    }

    /// Changes how it reviews and delivers.
    ///
    /// # Errors
    /// [`DeskError::InvalidInput`] at the field that cannot be used.
    pub async fn save_sandbox_settings(&self, request: SandboxSettings) -> Result<SandboxSettings> {
        let mut settings = self.sandbox.settings();
        settings.review = request.review.parse().map_err(|error: String| DeskError::invalid("review", error))?;
        settings.review_delay_ms = request.review_delay_ms;
        settings.status_delay_ms = request.status_delay_ms;
        self.sandbox.set_settings(settings).map_err(refused)?;
        self.get_sandbox_settings(Nothing {}).await
    }

    /// Decides about a template in review.
    ///
    /// # Errors
    /// [`DeskError::InvalidInput`] when there is no such template.
    pub async fn decide_review(&self, request: ReviewDecision) -> Result<Nothing> {
        let mut decision = Decision::of(TemplateStatus::from(request.event.as_str()));
        decision.reason = request.reason.filter(|reason| !reason.is_empty());
        self.sandbox.decide(&request.reference, &decision).map_err(refused)?;
        Ok(Nothing {})
    }

    /// The phones that show something.
    ///
    /// # Errors
    /// None.
    pub async fn list_phones(&self, _request: Nothing) -> Result<Vec<PhoneRow>> {
        let phones = self.sandbox.phones().into_iter().map(|phone| {
            let last_at = self.sandbox.phone(&phone.recipient).items.last().map_or(0, at);
            PhoneRow { recipient: phone.recipient, messages: phone.messages as u64, last_at }
        });
        let mut phones: Vec<_> = phones.collect();
        phones.sort_by_key(|phone| std::cmp::Reverse(phone.last_at));
        Ok(phones)
    }

    /// What a phone shows, oldest first.
    ///
    /// # Errors
    /// None.
    pub async fn list_phone_messages(&self, request: PhoneId) -> Result<Vec<PhoneMessage>> {
        let items = self.sandbox.phone(&request.recipient).items;
        Ok(items
            .into_iter()
            .enumerate()
            .map(|(place, item)| {
                let at = at(&item);
                match item {
                    Item::Received(message) => PhoneMessage {
                        id: message.message_id,
                        from_phone: false,
                        at,
                        bubble: message.bubble,
                        text: message.text,
                    },
                    Item::Sent(sent) => PhoneMessage {
                        id: sent.content.get("id").and_then(|id| id.as_str()).map_or(place.to_string(), str::to_owned),
                        from_phone: true,
                        at,
                        bubble: None,
                        text: Some(said(&sent.content)),
                    },
                }
            })
            .collect())
    }

    /// Taps a quick reply.
    ///
    /// # Errors
    /// [`DeskError::InvalidInput`] when there is none at that place.
    pub async fn tap_button(&self, request: PhoneTap) -> Result<Nothing> {
        let tap = Tap {
            message_id: Some(request.message),
            button: ButtonChoice::Index(request.button as usize),
            card: request.card.map(|card| card as usize),
            form: None,
        };
        self.sandbox.tap(&request.recipient, &tap).map_err(refused)?;
        Ok(Nothing {})
    }

    /// Types a text on the phone.
    ///
    /// # Errors
    /// [`DeskError::InvalidInput`] when it is empty or too long.
    pub async fn type_text(&self, request: PhoneText) -> Result<Nothing> {
        self.sandbox.write_text(&request.recipient, &request.text, None).map_err(refused)?;
        Ok(Nothing {})
    }
}

/// Binds the address of the last start where it is free, so that links to media made then still lead somewhere.
async fn bind(remembered: &Path) -> anyhow::Result<TcpListener> {
    let last = tokio::fs::read_to_string(remembered).await.ok();
    let last = last.and_then(|address| address.trim().parse::<std::net::SocketAddr>().ok());
    let listener = match last.filter(|address| address.ip().is_loopback()) {
        Some(address) => TcpListener::bind(address).await.ok(),
        None => None,
    };
    let listener = match listener {
        Some(listener) => listener,
        None => TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?,
    };
    tokio::fs::write(remembered, listener.local_addr()?.to_string())
        .await
        .context("the data folder cannot be written")?;
    Ok(listener)
}

fn at(item: &Item) -> i64 {
    let text = match item {
        Item::Received(message) => &message.at,
        Item::Sent(sent) => &sent.at,
    };
    DateTime::parse_from_rfc3339(text).map_or(0, |at| at.timestamp_millis())
}

/// What the person said, from the content of their message.
fn said(content: &model::Object) -> String {
    let text = |pointer: &str| {
        let value = serde_json::Value::Object(content.clone());
        value.pointer(pointer).and_then(|value| value.as_str()).map(str::to_owned)
    };
    let kind = content.get("type").and_then(|kind| kind.as_str()).unwrap_or_default();
    ["/text/body", "/button/text", "/interactive/button_reply/title", "/document/filename"]
        .into_iter()
        .find_map(text)
        .unwrap_or_else(|| kind.to_owned())
}

/// A word as the settings write it.
fn word(value: &impl serde::Serialize) -> String {
    serde_json::to_value(value).ok().and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
}

fn refused(refusal: Refusal) -> DeskError {
    let field = refusal.path.unwrap_or_default();
    DeskError::InvalidInput {
        field: field.trim_start_matches('/').to_owned(),
        message: format!("{}: {}", refusal.message, refusal.details),
    }
}
