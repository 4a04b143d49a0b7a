//! The two receivers: one for the world at a stored address, one for the sandbox at an address of the moment.
//!
//! They are apart so that the sandbox works whatever becomes of the address a person chose.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock};

use receiver::doctor::KnownSecret;
use secrecy::SecretString;
use store::Desk;
use store::desk::Receiver;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::context::lock;
use crate::parts::to_json;
use crate::webhooks::Webhooks;
use crate::webhooks::endpoint::{self, AllowedHosts, DurableInbox, Event, Limits, Route, Routes, serve};
use crate::webhooks::rejected_deliveries::{Refusals, Secrets as KnownSecrets};
use crate::workspaces::webhook_endpoints::{self, Place};
use crate::workspaces::{SANDBOX_ID, webhook_path};
use api::Nothing;
use api::error::{DeskError, Result};
use api::event::DeskEvent;
use api::receiver::{ReceiverState, RefusedDelivery, RefusedDetail, RefusedId, SetReceiver};
use api::workspace::SecretKind;

/// Where the receiver listens unless the person chose otherwise.
const DEFAULT_ADDRESS: &str = "127.0.0.1:8787";
/// Key of the address among the settings of the desk.
const ADDRESS: &str = "receiver.address";

/// State of the receivers.
#[derive(Debug)]
pub(crate) struct Receivers {
    routes: Routes,
    address: Mutex<String>,
    state: Mutex<ReceiverState>,
    /// Ends the one that listens for the world.
    running: Mutex<CancellationToken>,
    refusals: Refusals,
    /// Counts how often the secrets were read again.
    generation: AtomicU64,
    /// Held while the routes are made and replaced.
    refreshing: tokio::sync::Mutex<()>,
    /// Signs the webhooks of the sandbox, where there is one.
    sandbox_secret: OnceLock<SecretString>,
}

impl Receivers {
    pub(crate) async fn new(desk: &Desk, address: Option<String>) -> Result<Self> {
        let address = match address {
            Some(address) => address,
            None => {
                let stored = desk.setting(ADDRESS).await?.and_then(|json| serde_json::from_str(&json).ok());
                stored.unwrap_or_else(|| DEFAULT_ADDRESS.to_owned())
            }
        };
        let routes = Routes::new(Vec::new(), AllowedHosts::Any).map_err(internal)?;
        Ok(Self {
            routes,
            address: Mutex::new(address),
            state: Mutex::new(ReceiverState::Starting {}),
            running: Mutex::default(),
            refusals: Refusals::default(),
            generation: AtomicU64::new(0),
            refreshing: tokio::sync::Mutex::default(),
            sandbox_secret: OnceLock::new(),
        })
    }

    pub(crate) fn state(&self) -> ReceiverState {
        lock(&self.state).clone()
    }
}

fn internal(error: impl std::fmt::Display) -> DeskError {
    DeskError::Internal { message: error.to_string() }
}

impl Webhooks {
    /// Starts taking the sandbox's webhooks from `listener`.
    pub(crate) fn start_sandbox_receiver(&self, secret: SecretString, listener: TcpListener) -> Result<()> {
        let secret = self.0.receivers.sandbox_secret.get_or_init(|| secret).clone();
        let route = Route {
            path: webhook_path(SANDBOX_ID),
            tag: SANDBOX_ID.to_owned(),
            secrets: vec![secret],
            verify_token: None,
            unread: false,
        };
        let routes = Routes::new(vec![route], AllowedHosts::default()).map_err(internal)?;
        self.run_receiver(listener, routes, self.0.context.cancel.child_token(), Receiver::Sandbox);
        Ok(())
    }

    /// Starts the receiver for the world; what becomes of it is in its state.
    pub(crate) fn start_receiver(&self) {
        let this = self.clone();
        self.0.context.spawn(async move {
            if let Err(error) = this.refresh_routes().await {
                tracing::error!(%error, "the webhook routes cannot be set up");
            }
            let address = lock(&this.0.receivers.address).clone();
            this.listen(address).await;
        });
    }

    async fn listen(&self, address: String) -> ReceiverState {
        let state = match endpoint::listen(&address).await {
            Ok(listener) => {
                let stop = self.0.context.cancel.child_token();
                std::mem::replace(&mut *lock(&self.0.receivers.running), stop.clone()).cancel();
                let address = listener.local_addr().map_or(address, |bound| bound.to_string());
                self.run_receiver(listener, self.0.receivers.routes.clone(), stop, Receiver::World);
                ReceiverState::Listening { address }
            }
            Err(error) => {
                let reason = match error.kind() {
                    std::io::ErrorKind::AddrInUse => "another program uses this port".to_owned(),
                    std::io::ErrorKind::PermissionDenied => "ports below 1024 need special rights".to_owned(),
                    std::io::ErrorKind::AddrNotAvailable => "this machine does not have this address".to_owned(),
                    _ => error.to_string(),
                };
                ReceiverState::Failed { suggestion: free_address(&address).await, address, reason }
            }
        };
        *lock(&self.0.receivers.state) = state.clone();
        self.0.context.emit(DeskEvent::ReceiverChanged { state: state.clone() });
        state
    }

    fn run_receiver(&self, listener: TcpListener, routes: Routes, stop: CancellationToken, receiver: Receiver) {
        let inbox = DurableInbox::from(self.0.context.inbox.clone());
        let this = self.clone();
        let noted = self.clone();
        let observer = move |event| this.observe(event);
        self.0.context.tasks.spawn(async move {
            tokio::join!(
                noted.note_listening(receiver, stop.clone()),
                serve(listener, inbox, routes, Limits::default(), observer, stop.cancelled_owned()),
            );
        });
    }

    /// Gives the receiver the paths and secrets of the workspaces as they are now.
    pub(crate) async fn refresh_routes(&self) -> Result<()> {
        // One after the other: routes of an earlier moment must not take the place of later ones.
        let _turn = self.0.receivers.refreshing.lock().await;
        let (routes, places) = self.workspace_routes().await?;
        // A tunnel forwards whatever host name it was given; the signature decides, and pages are refused by `Origin`.
        self.0.receivers.routes.replace(routes, AllowedHosts::Any).map_err(internal)?;
        self.0.workspaces.endpoints().set(places);
        self.0.receivers.generation.fetch_add(1, Ordering::SeqCst);
        Ok(())
    }

    /// Takes note of what a receiver tells.
    fn observe(&self, event: Event) {
        match event {
            Event::Stored { path, .. } => self.0.workspaces.endpoint_accepted(&path),
            Event::Refused(refused) => {
                self.0.workspaces.endpoint_refused(&refused);
                self.0.receivers.refusals.take(*refused);
            }
            Event::AcceptFailed(error) => tracing::warn!(%error, "the receiver could not accept a connection"),
            _ => {}
        }
    }

    async fn workspace_routes(&self) -> Result<(Vec<Route>, Vec<Place>)> {
        let (mut routes, mut all) = (Vec::new(), Vec::new());
        for row in self.0.context.desk.workspaces().await? {
            if row.id == SANDBOX_ID {
                continue;
            }
            for place in webhook_endpoints::places(&row) {
                let mut secrets = Vec::new();
                let mut unread = false;
                for kind in [SecretKind::WebhookSecret, SecretKind::PreviousWebhookSecret] {
                    let held = self.0.context.secrets.look_up(place.owner(), kind).await;
                    unread |= held.is_unread();
                    secrets.extend(held.secret);
                }
                let verify_token = self.0.context.secrets.look_up(place.owner(), SecretKind::VerifyToken).await;
                unread |= verify_token.is_unread();
                let verify_token = verify_token.secret;
                // Whatever comes in for a number belongs to its workspace.
                routes.push(Route { path: place.path(), tag: row.id.clone(), secrets, verify_token, unread });
                all.push(place);
            }
        }
        Ok((routes, all))
    }

    /// The secrets that refused deliveries are examined with.
    async fn known_secrets(&self) -> Result<KnownSecrets> {
        // Before the secrets, so that a change in between makes what is found outdated, never the other way round.
        let generation = self.0.receivers.generation.load(Ordering::SeqCst);
        let mut known = Vec::new();
        for row in self.0.context.desk.workspaces().await? {
            for place in webhook_endpoints::places(&row) {
                for (kind, name) in
                    [(SecretKind::WebhookSecret, "current"), (SecretKind::PreviousWebhookSecret, "previous")]
                {
                    let secret = if row.id != SANDBOX_ID {
                        self.0.context.secrets.get(place.owner(), kind).await
                    } else if kind == SecretKind::WebhookSecret {
                        self.0.receivers.sandbox_secret.get().cloned()
                    } else {
                        None
                    };
                    let route = Some(row.id.clone());
                    let known_secret = |secret| (place.path(), KnownSecret { name: name.to_owned(), route, secret });
                    known.extend(secret.map(known_secret));
                }
            }
        }
        Ok(KnownSecrets { generation, known })
    }

    /// Moves the receiver to another address. Where that fails the old one is kept running and stored.
    ///
    /// # Errors
    /// [`DeskError::InvalidInput`] when it is no address with a port.
    pub async fn set_receiver(&self, request: SetReceiver) -> Result<ReceiverState> {
        let address = request.address.trim().to_owned();
        if address.parse::<SocketAddr>().is_err() {
            return Err(DeskError::invalid(
                "address",
                "An IP address and a port are expected, such as 127.0.0.1:8787.",
            ));
        }
        let state = self.listen(address.clone()).await;
        if matches!(state, ReceiverState::Listening { .. }) {
            self.0.context.desk.put_setting(ADDRESS, to_json(&address)?).await?;
            *lock(&self.0.receivers.address) = address;
        }
        Ok(state)
    }

    /// The last 200 deliveries that were refused since the start, newest first, each with what is wrong with it.
    ///
    /// # Errors
    /// [`DeskError::Storage`] when the workspaces cannot be read.
    pub async fn list_refused_deliveries(&self, _request: Nothing) -> Result<Vec<RefusedDelivery>> {
        let secrets = self.known_secrets().await?;
        self.examine(move |refusals| refusals.list(&secrets)).await
    }

    /// A refused delivery with all that was kept of it.
    ///
    /// # Errors
    /// [`DeskError::NotFound`] when it is no longer among the last 200; [`DeskError::Storage`] when the workspaces
    /// cannot be read.
    pub async fn get_refused_delivery(&self, request: RefusedId) -> Result<RefusedDetail> {
        let secrets = self.known_secrets().await?;
        let found = self.examine(move |refusals| refusals.get(&request.id, &secrets)).await?;
        found.ok_or_else(|| DeskError::not_found("The refused delivery; only the last 200 since the start are kept"))
    }

    /// Trying signatures takes a while, so it is done beside the runtime.
    async fn examine<T: Send + 'static>(&self, work: impl FnOnce(&Refusals) -> T + Send + 'static) -> Result<T> {
        let this = self.clone();
        tokio::task::spawn_blocking(move || work(&this.0.receivers.refusals)).await.map_err(internal)
    }
}

/// The same host with a port that is free right now.
async fn free_address(address: &str) -> Option<String> {
    let host = address.parse::<SocketAddr>().ok()?.ip();
    let listener = TcpListener::bind((host, 0)).await.ok()?;
    Some(listener.local_addr().ok()?.to_string())
}
