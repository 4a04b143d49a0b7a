//! Notifications over the session bus (`org.freedesktop.Notifications`), and the responses to them.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt as _;
use tokio::sync::Mutex;
use tokio_util::task::AbortOnDropHandle;
use zbus::zvariant::Value;
use zbus::{Connection, MatchRule, Message, MessageStream, message};

use super::{Listener, Notification, Response};

/// The service, its path and its interface.
const SERVICE_NAME: &str = "org.freedesktop.Notifications";
const SERVICE_PATH: &str = "/org/freedesktop/Notifications";
/// Timeout of a call to the desktop.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(3);
/// Maximum number of notifications whose response is awaited. The oldest is dropped first.
const MAX_AWAITED: usize = 100;
/// The action of a click on the notification itself.
const DEFAULT_ACTION: &str = "default";

/// Connection to the desktop's notification service.
pub(crate) struct Bus {
    /// Address of the bus; the session bus if absent.
    address: Option<String>,
    link: Mutex<Option<ServiceConnection>>,
    /// Locked while a notification is being shown, so that no response is handled before its ID is known.
    shown: Arc<Mutex<VecDeque<(u32, Notification)>>>,
    listener: Listener,
}

/// A connection to a notification service.
#[derive(Clone)]
struct ServiceConnection {
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
    pub(crate) fn new(
        address: Option<String>,
        listener: impl Fn(Response, Notification) + Send + Sync + 'static,
    ) -> Self {
        Self { address, link: Mutex::default(), shown: Arc::default(), listener: Arc::new(listener) }
    }

    /// Whether the desktop shows notifications.
    pub(crate) async fn is_available(&self) -> bool {
        self.link().await.is_ok()
    }

    /// Shows a notification. Errors are ignored: a desktop may have no notifications.
    pub(crate) async fn show(&self, notification: Notification) {
        if let Err(error) = self.try_show(notification).await {
            // The service may have restarted: the next call connects again.
            *self.link.lock().await = None;
            tracing::debug!(%error, "the desktop shows no notifications");
        }
    }

    async fn try_show(&self, notification: Notification) -> zbus::Result<()> {
        let link = self.link().await?;
        let mut shown = self.shown.lock().await;
        let body = if link.markup { escape_markup(&notification.body) } else { notification.body.clone() };
        let mut actions = vec![DEFAULT_ACTION, ""];
        for (answer, words) in &notification.buttons {
            actions.extend([answer.action(), words.as_str()]);
        }
        let hints = HashMap::from([("urgency", Value::U8(1))]);
        let arguments = ("Template Desk", 0_u32, "template-desk", &notification.title, &body, actions, hints, -1_i32);
        let answer = call(&link.connection, "Notify", &arguments).await?;
        let id: u32 = answer.body().deserialize()?;
        shown.push_back((id, notification));
        if shown.len() > MAX_AWAITED {
            shown.pop_front();
        }
        Ok(())
    }

    /// The connection to the notification service, opened if there is none.
    async fn link(&self) -> zbus::Result<ServiceConnection> {
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
        let connection = with_timeout(connecting).await?;
        let capabilities: Vec<String> = call(&connection, "GetCapabilities", &()).await?.body().deserialize()?;
        let rule =
            MatchRule::builder().msg_type(message::Type::Signal).path(SERVICE_PATH)?.interface(SERVICE_NAME)?.build();
        let on_response = with_timeout(MessageStream::for_match_rule(rule, &connection, Some(MAX_AWAITED))).await?;
        let listening = tokio::spawn(listen(on_response, self.shown.clone(), self.listener.clone()));
        let markup = capabilities.iter().any(|capability| capability == "body-markup");
        let _listening = Arc::new(AbortOnDropHandle::new(listening));
        Ok(link.insert(ServiceConnection { connection, markup, _listening }).clone())
    }
}

/// Handles responses until the connection ends.
async fn listen(mut on_response: MessageStream, shown: Arc<Mutex<VecDeque<(u32, Notification)>>>, listener: Listener) {
    while let Some(Ok(message)) = on_response.next().await {
        let member = message.header().member().map(|member| member.as_str().to_owned()).unwrap_or_default();
        let take = async |id: u32| {
            let mut shown = shown.lock().await;
            let place = shown.iter().position(|(known, _)| *known == id)?;
            shown.remove(place).map(|(_, notification)| notification)
        };
        match member.as_str() {
            "ActionInvoked" => {
                let Ok((id, action)) = message.body().deserialize::<(u32, String)>() else { continue };
                let Some(notification) = take(id).await else { continue };
                let button = notification
                    .buttons
                    .iter()
                    .find(|(answer, _)| answer.action() == action)
                    .map(|(answer, _)| *answer);
                match button {
                    Some(answer) => listener(answer, notification),
                    None if action == DEFAULT_ACTION => listener(Response::Open, notification),
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
    with_timeout(connection.call_method(Some(SERVICE_NAME), SERVICE_PATH, Some(SERVICE_NAME), method, arguments)).await
}

async fn with_timeout<T>(asked: impl Future<Output = zbus::Result<T>>) -> zbus::Result<T> {
    let late = || zbus::Error::Failure(format!("no answer within {} s", REQUEST_TIMEOUT.as_secs()));
    tokio::time::timeout(REQUEST_TIMEOUT, asked).await.unwrap_or_else(|_| Err(late()))
}

/// Escapes text for a service that parses markup.
fn escape_markup(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
