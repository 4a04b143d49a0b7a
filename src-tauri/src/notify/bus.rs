//! Notifications over the session bus (`org.freedesktop.Notifications`), and the responses to them.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt as _;
use tokio::sync::Mutex;
use tokio_util::task::AbortOnDropHandle;
use zbus::zvariant::Value;
use zbus::{Connection, MatchRule, Message, MessageStream, message};

use super::Note;

/// The service, its path and its interface.
const NAME: &str = "org.freedesktop.Notifications";
const PATH: &str = "/org/freedesktop/Notifications";
/// Timeout of a call to the desktop.
const PATIENCE: Duration = Duration::from_secs(3);
/// Maximum number of notifications whose response is awaited. The oldest is dropped first.
const MOST: usize = 100;
/// The action of a click on the notification itself.
const DEFAULT: &str = "default";

/// Response of a person to a notification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// Open its page.
    Open,
    /// Quit the app.
    Quit,
}

impl Answer {
    fn word(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Quit => "quit",
        }
    }
}

/// Callback for responses.
type Listener = Arc<dyn Fn(Answer, Note) + Send + Sync>;

/// Connection to the desktop's notification service.
pub(crate) struct Bus {
    /// Address of the bus; the session bus if absent.
    address: Option<String>,
    link: Mutex<Option<Link>>,
    /// Locked while a notification is being shown, so that no response is handled before its ID is known.
    shown: Arc<Mutex<VecDeque<(u32, Note)>>>,
    listener: Listener,
}

/// A connection to a notification service.
#[derive(Clone)]
struct Link {
    connection: Connection,
    /// Whether the service parses bodies as markup.
    markup: bool,
    /// Task that receives responses as long as the connection is used.
    _listening: Arc<AbortOnDropHandle<()>>,
}

impl std::fmt::Debug for Bus {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Bus")
    }
}

impl Bus {
    /// Uses the session bus, or the one at `address`. Connects on first use.
    pub(crate) fn new(address: Option<String>, listener: impl Fn(Answer, Note) + Send + Sync + 'static) -> Self {
        Self { address, link: Mutex::default(), shown: Arc::default(), listener: Arc::new(listener) }
    }

    /// Whether the desktop shows notifications.
    pub(crate) async fn is_there(&self) -> bool {
        self.link().await.is_ok()
    }

    /// Shows a notification. Errors are ignored: a desktop may have no notifications.
    pub(crate) async fn show(&self, note: Note) {
        if let Err(error) = self.try_show(note).await {
            // The service may have restarted: the next call connects again.
            *self.link.lock().await = None;
            tracing::debug!(%error, "the desktop shows no notifications");
        }
    }

    async fn try_show(&self, note: Note) -> zbus::Result<()> {
        let link = self.link().await?;
        let mut shown = self.shown.lock().await;
        let body = if link.markup { escaped(&note.body) } else { note.body.clone() };
        let mut actions = vec![DEFAULT, ""];
        for (answer, words) in &note.buttons {
            actions.extend([answer.word(), words.as_str()]);
        }
        let hints = HashMap::from([("urgency", Value::U8(1))]);
        let arguments = ("Template Desk", 0_u32, "template-desk", &note.title, &body, actions, hints, -1_i32);
        let answer = call(&link.connection, "Notify", &arguments).await?;
        let id: u32 = answer.body().deserialize()?;
        shown.push_back((id, note));
        if shown.len() > MOST {
            shown.pop_front();
        }
        Ok(())
    }

    /// The connection to the notification service, opened if there is none.
    async fn link(&self) -> zbus::Result<Link> {
        let mut link = self.link.lock().await;
        if let Some(link) = link.as_ref() {
            call(&link.connection, "GetServerInformation", &()).await?;
            return Ok(link.clone());
        }
        let connecting = async {
            match &self.address {
                Some(address) => zbus::connection::Builder::address(address.as_str())?.build().await,
                None => Connection::session().await,
            }
        };
        let connection = in_time(connecting).await?;
        let capabilities: Vec<String> = call(&connection, "GetCapabilities", &()).await?.body().deserialize()?;
        let rule = MatchRule::builder().msg_type(message::Type::Signal).path(PATH)?.interface(NAME)?.build();
        let answers = in_time(MessageStream::for_match_rule(rule, &connection, Some(MOST))).await?;
        let listening = tokio::spawn(listen(answers, self.shown.clone(), self.listener.clone()));
        let markup = capabilities.iter().any(|capability| capability == "body-markup");
        let _listening = Arc::new(AbortOnDropHandle::new(listening));
        Ok(link.insert(Link { connection, markup, _listening }).clone())
    }
}

/// Handles responses until the connection ends.
async fn listen(mut answers: MessageStream, shown: Arc<Mutex<VecDeque<(u32, Note)>>>, listener: Listener) {
    while let Some(Ok(message)) = answers.next().await {
        let member = message.header().member().map(|member| member.as_str().to_owned()).unwrap_or_default();
        let take = async |id: u32| {
            let mut shown = shown.lock().await;
            let place = shown.iter().position(|(known, _)| *known == id)?;
            shown.remove(place).map(|(_, note)| note)
        };
        match member.as_str() {
            "ActionInvoked" => {
                let Ok((id, action)) = message.body().deserialize::<(u32, String)>() else { continue };
                let Some(note) = take(id).await else { continue };
                let button = note.buttons.iter().find(|(answer, _)| answer.word() == action).map(|(answer, _)| *answer);
                match button {
                    Some(answer) => listener(answer, note),
                    None if action == DEFAULT => listener(Answer::Open, note),
                    None => {}
                }
            }
            "NotificationClosed" => {
                if let Ok((id, _reason)) = message.body().deserialize::<(u32, u32)>() {
                    take(id).await;
                }
            }
            _ => {}
        }
    }
}

async fn call<B>(connection: &Connection, method: &str, arguments: &B) -> zbus::Result<Message>
where
    B: serde::Serialize + zbus::zvariant::DynamicType,
{
    in_time(connection.call_method(Some(NAME), PATH, Some(NAME), method, arguments)).await
}

async fn in_time<T>(asked: impl Future<Output = zbus::Result<T>>) -> zbus::Result<T> {
    let late = || zbus::Error::Failure(format!("no answer within {} s", PATIENCE.as_secs()));
    tokio::time::timeout(PATIENCE, asked).await.unwrap_or_else(|_| Err(late()))
}

/// Escapes text for a service that parses markup.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
