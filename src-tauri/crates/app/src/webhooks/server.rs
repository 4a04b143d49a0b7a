//! The two receivers: a public one on the configured address, and a sandbox one on an ephemeral port.
//!
//! They are separate so that the sandbox works even if the configured address fails.

use std::io::ErrorKind;
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
use crate::webhooks::Webhooks;
use crate::webhooks::endpoint::{self, AllowedHosts, DurableLog, Event, Reason, Route, Routes, serve};
use crate::webhooks::rejected_deliveries::{DiagnosisSecrets, LINE_INTERVAL, RejectedDeliveries};
use crate::workspaces::webhook_endpoints::{self, EndpointKey};
use crate::workspaces::{SANDBOX_ID, webhook_path};
use command_types::Nothing;
use command_types::error::{DeskError, Missing, Result};
use command_types::event::DeskEvent;
use command_types::receiver::{FailedMove, ReceiverState, RefusedDelivery, RefusedDetail, RefusedId, SetReceiver};
use command_types::workspace::SecretKind;
use outgoing::to_json;

/// Default address of the receiver.
const DEFAULT_ADDRESS: &str = "127.0.0.1:8787";
/// Desk settings key of the address.
const ADDRESS_KEY: &str = "receiver.address";

#[derive(Debug)]
pub(crate) struct WebhookServers {
    routes: Routes,
    address: Mutex<String>,
    state: Mutex<ReceiverState>,
    /// The public receiver, if it is listening.
    running: Mutex<Option<Running>>,
    /// Held while the public receiver is moved.
    moving: tokio::sync::Mutex<()>,
    /// Addresses of both receivers that may have open connections.
    open: Mutex<Vec<SocketAddr>>,
    rejected: RejectedDeliveries,
    /// Counts how often the secrets were reloaded.
    generation: AtomicU64,
    /// Held while the routes are built and replaced.
    refreshing: tokio::sync::Mutex<()>,
    /// The sandbox's webhook secret, if there is a sandbox.
    sandbox_secret: OnceLock<SecretString>,
}

#[derive(Debug)]
struct Running {
    address: SocketAddr,
    stop: CancellationToken,
}

impl WebhookServers {
    pub(crate) async fn new(desk: &Desk, address: Option<String>) -> Result<Self> {
        let address = match address {
            Some(address) => address,
            None => {
                let stored = desk.setting(ADDRESS_KEY).await?.and_then(|json| serde_json::from_str(&json).ok());
                stored.unwrap_or_else(|| DEFAULT_ADDRESS.to_owned())
            }
        };
        let routes = Routes::new(Vec::new(), AllowedHosts::Any).map_err(internal)?;
        Ok(Self {
            routes,
            address: Mutex::new(address),
            state: Mutex::new(ReceiverState::Starting {}),
            running: Mutex::default(),
            moving: tokio::sync::Mutex::default(),
            open: Mutex::default(),
            rejected: RejectedDeliveries::default(),
            generation: AtomicU64::new(0),
            refreshing: tokio::sync::Mutex::default(),
            sandbox_secret: OnceLock::new(),
        })
    }

    pub(crate) fn state(&self) -> ReceiverState {
        lock(&self.state).clone()
    }

    /// Whether a receiver listens on this port or still has connections there, at whatever address of this machine.
    pub(crate) fn uses_port(&self, port: u16) -> bool {
        let starting = matches!(*lock(&self.state), ReceiverState::Starting {})
            && lock(&self.address).parse::<SocketAddr>().is_ok_and(|address| address.port() == port);
        starting || self.listens_on_port(port)
    }

    fn listens_on_port(&self, port: u16) -> bool {
        lock(&self.open).iter().any(|address| address.port() == port)
    }
}

pub(super) fn internal(error: impl std::fmt::Display) -> DeskError {
    DeskError::Internal { message: error.to_string() }
}

impl Webhooks {
    /// Starts receiving the sandbox's webhooks from `listener`.
    pub(crate) fn start_sandbox_receiver(&self, secret: SecretString, listener: TcpListener) -> Result<()> {
        let secret = self.0.servers.sandbox_secret.get_or_init(|| secret).clone();
        let route = Route {
            path: webhook_path(SANDBOX_ID),
            tag: SANDBOX_ID.to_owned(),
            secrets: vec![secret],
            verify_token: None,
            unread: false,
            generation: 0,
        };
        let routes = Routes::new(vec![route], AllowedHosts::default()).map_err(internal)?;
        let address = listener.local_addr().map_err(internal)?;
        self.run_receiver(listener, address, routes, self.0.context.cancel.child_token(), Receiver::Sandbox);
        Ok(())
    }

    /// Starts the public receiver; failures are in its state.
    pub(crate) fn start_receiver(&self) {
        let this = self.clone();
        self.0.context.spawn(async move {
            if let Err(error) = this.refresh_routes().await {
                tracing::error!(%error, "the webhook routes cannot be set up");
            }
            let _moving = this.0.servers.moving.lock().await;
            let address = lock(&this.0.servers.address).clone();
            this.listen(address).await;
        });
    }

    /// Listens on `address` and then ends the receiver that listened before. If that fails, the former one continues.
    async fn listen(&self, address: String) -> ReceiverState {
        let own = lock(&self.0.servers.running).as_ref().map(|running| running.address);
        let requested = address.parse::<SocketAddr>().ok();
        let state = match own {
            Some(own) if requested == Some(own) => {
                ReceiverState::Listening { address: own.to_string(), failed_move: None }
            }
            _ => match bind(&address).await {
                Ok((listener, bound)) => {
                    let stop = self.0.context.cancel.child_token();
                    self.run_receiver(listener, bound, self.0.servers.routes.clone(), stop.clone(), Receiver::World);
                    let running = Running { address: bound, stop };
                    if let Some(former) = lock(&self.0.servers.running).replace(running) {
                        former.stop.cancel();
                    }
                    ReceiverState::Listening { address: bound.to_string(), failed_move: None }
                }
                Err(error) => {
                    let reason = self.unusable(&error, requested, own);
                    let suggestion = free_address(&address).await;
                    match own {
                        Some(own) => ReceiverState::Listening {
                            address: own.to_string(),
                            failed_move: Some(FailedMove { address, reason, suggestion }),
                        },
                        None => ReceiverState::Failed { address, reason, suggestion },
                    }
                }
            },
        };
        *lock(&self.0.servers.state) = state.clone();
        self.0.context.emit(DeskEvent::ReceiverChanged { state: state.clone() });
        state
    }

    /// Why an address cannot be used.
    fn unusable(&self, error: &std::io::Error, requested: Option<SocketAddr>, own: Option<SocketAddr>) -> String {
        let port = requested.map(|address| address.port());
        match error.kind() {
            ErrorKind::AddrInUse => match own {
                Some(own) if port == Some(own.port()) => {
                    format!("the receiver itself uses this port, on {own}; move it to another port first")
                }
                _ if port.is_some_and(|port| self.0.servers.listens_on_port(port)) => {
                    "Template Desk itself uses this port".to_owned()
                }
                _ => "another program uses this port".to_owned(),
            },
            ErrorKind::PermissionDenied => "ports below 1024 need special rights".to_owned(),
            ErrorKind::AddrNotAvailable => "this machine does not have this address".to_owned(),
            _ => error.to_string(),
        }
    }

    fn run_receiver(
        &self,
        listener: TcpListener,
        address: SocketAddr,
        routes: Routes,
        stop: CancellationToken,
        receiver: Receiver,
    ) {
        lock(&self.0.servers.open).push(address);
        let delivery_log = DurableLog::from(self.0.context.delivery_log.clone());
        let limits = self.0.context.timing.receiver.clone();
        let this = self.clone();
        let uptime = self.clone();
        let closed = self.clone();
        let observer = move |event| this.observe(event);
        self.0.context.tasks.spawn(async move {
            let served = async {
                serve(listener, delivery_log, routes, limits, observer, stop.clone().cancelled_owned()).await;
                let mut open = lock(&closed.0.servers.open);
                if let Some(at) = open.iter().position(|other| *other == address) {
                    open.swap_remove(at);
                }
            };
            tokio::join!(uptime.record_uptime(receiver, stop.clone()), served);
        });
    }

    /// Updates the receiver's paths and secrets from the workspaces.
    pub(crate) async fn refresh_routes(&self) -> Result<()> {
        // Sequential: older routes must not replace newer ones.
        let _guard = self.0.servers.refreshing.lock().await;
        let (routes, endpoint_keys) = self.workspace_routes().await?;
        // A tunnel forwards any host name; requests are verified by signature, and those of web pages are refused by
        // `Origin`.
        self.0.servers.routes.replace(routes, AllowedHosts::Any).map_err(internal)?;
        self.0.workspaces.endpoints().set(endpoint_keys);
        self.0.servers.generation.fetch_add(1, Ordering::SeqCst);
        Ok(())
    }

    fn observe(&self, event: Event) {
        match event {
            Event::Stored { path, signed_by, generation, .. } => {
                self.0.workspaces.endpoint_accepted(&path, signed_by, generation);
            }
            Event::Refused(refused) => {
                self.0.workspaces.endpoint_refused(&refused);
                let reason = refused.reason;
                if self.0.servers.rejected.take(*refused) {
                    self.summarise_rejections(reason);
                }
            }
            Event::AcceptFailed(error) => tracing::warn!(%error, "the receiver could not accept a connection"),
            _ => {}
        }
    }

    /// Logs once a minute how many deliveries were rejected for a reason, until there are no more.
    fn summarise_rejections(&self, reason: Reason) {
        let this = self.clone();
        self.0.context.tasks.spawn(async move {
            let cancel = &this.0.context.cancel;
            while cancel.run_until_cancelled(tokio::time::sleep(LINE_INTERVAL)).await.is_some() {
                if !this.0.servers.rejected.summarise(reason) {
                    return;
                }
            }
            // The app is closing: what was counted is not lost.
            this.0.servers.rejected.summarise(reason);
        });
    }

    async fn workspace_routes(&self) -> Result<(Vec<Route>, Vec<EndpointKey>)> {
        let (mut routes, mut all) = (Vec::new(), Vec::new());
        for row in self.0.context.desk.workspaces().await? {
            if row.id == SANDBOX_ID {
                continue;
            }
            for endpoint in webhook_endpoints::endpoint_keys(&row) {
                // Read before the secrets: if one changes in between, its uses are not recorded until the next refresh,
                // and never as those of another secret.
                let generation = self.0.workspaces.endpoints().record(&endpoint.path()).generation;
                let mut secrets = Vec::new();
                let mut unread = false;
                for kind in SecretKind::SIGNING {
                    let state = self.0.context.secrets.look_up(endpoint.owner(), kind).await;
                    unread |= state.is_unread();
                    // The index of a secret says which one it is: an absent one is empty, which signs nothing.
                    secrets.push(state.secret.unwrap_or_default());
                }
                let verify_token = self.0.context.secrets.look_up(endpoint.owner(), SecretKind::VerifyToken).await;
                unread |= verify_token.is_unread();
                let verify_token = verify_token.secret;
                // Deliveries for a number belong to its workspace.
                let (path, tag) = (endpoint.path(), row.id.clone());
                routes.push(Route { path, tag, secrets, verify_token, unread, generation });
                all.push(endpoint);
            }
        }
        Ok((routes, all))
    }

    /// The secrets for diagnosing rejected deliveries.
    async fn known_secrets(&self) -> Result<DiagnosisSecrets> {
        // Read before the secrets: a change in between then makes the diagnosis outdated, and is never missed.
        let generation = self.0.servers.generation.load(Ordering::SeqCst);
        let mut known = Vec::new();
        for row in self.0.context.desk.workspaces().await? {
            for endpoint in webhook_endpoints::endpoint_keys(&row) {
                for (kind, name) in
                    [(SecretKind::WebhookSecret, "current"), (SecretKind::PreviousWebhookSecret, "previous")]
                {
                    let secret = if row.id != SANDBOX_ID {
                        self.0.context.secrets.get(endpoint.owner(), kind).await
                    } else if kind == SecretKind::WebhookSecret {
                        self.0.servers.sandbox_secret.get().cloned()
                    } else {
                        None
                    };
                    let route = Some(row.id.clone());
                    let known_secret = |secret| (endpoint.path(), KnownSecret { name: name.to_owned(), route, secret });
                    known.extend(secret.map(known_secret));
                }
            }
        }
        Ok(DiagnosisSecrets { generation, known })
    }

    /// Moves the receiver to another address. On failure, the old one is kept running and stored, and the state has
    /// the reason.
    ///
    /// # Errors
    /// [`DeskError::InvalidInput`] when it is not an address with a port, or when deliveries are forwarded to this
    /// port.
    pub async fn set_receiver(&self, request: SetReceiver) -> Result<ReceiverState> {
        let address = request.address.trim().to_owned();
        let Ok(requested) = address.parse::<SocketAddr>() else {
            return Err(DeskError::invalid(
                "address",
                "An IP address and a port are expected, such as 127.0.0.1:8787.",
            ));
        };
        let _moving = self.0.servers.moving.lock().await;
        if self.forwards_to_port(requested.port()) {
            return Err(DeskError::invalid(
                "address",
                "Deliveries are forwarded to this port: the receiver would receive its own deliveries in an endless \
                 loop. Stop forwarding under Settings, Support tools, or enter another port.",
            ));
        }
        let state = self.listen(address.clone()).await;
        if matches!(state, ReceiverState::Listening { failed_move: None, .. }) {
            self.0.context.desk.set_setting(ADDRESS_KEY, to_json(&address)?).await?;
            *lock(&self.0.servers.address) = address;
        }
        Ok(state)
    }

    /// The last 200 deliveries that were rejected since the start, newest first, each with its diagnosis.
    pub async fn list_refused_deliveries(&self, _request: Nothing) -> Result<Vec<RefusedDelivery>> {
        let secrets = self.known_secrets().await?;
        self.examine(move |rejected| rejected.list(&secrets)).await
    }

    /// A rejected delivery with its stored headers and body.
    ///
    /// # Errors
    /// [`DeskError::NotFound`] when it is no longer among the last 200; [`DeskError::Storage`] when the workspaces
    /// cannot be read.
    pub async fn get_refused_delivery(&self, request: RefusedId) -> Result<RefusedDetail> {
        let secrets = self.known_secrets().await?;
        let found = self.examine(move |rejected| rejected.get(&request.id, &secrets)).await?;
        found.ok_or_else(|| DeskError::not_found(Missing::RefusedDelivery))
    }

    /// Verifying signatures takes a while, so it runs on a blocking thread.
    async fn examine<T: Send + 'static>(
        &self,
        work: impl FnOnce(&RejectedDeliveries) -> T + Send + 'static,
    ) -> Result<T> {
        let this = self.clone();
        tokio::task::spawn_blocking(move || work(&this.0.servers.rejected)).await.map_err(internal)
    }
}

/// A listener with the address that it got.
async fn bind(address: &str) -> std::io::Result<(TcpListener, SocketAddr)> {
    let listener = endpoint::listen(address).await?;
    let bound = listener.local_addr()?;
    Ok((listener, bound))
}

/// The same host with a port that is free now.
async fn free_address(address: &str) -> Option<String> {
    let host = address.parse::<SocketAddr>().ok()?.ip();
    let listener = TcpListener::bind((host, 0)).await.ok()?;
    Some(listener.local_addr().ok()?.to_string())
}
