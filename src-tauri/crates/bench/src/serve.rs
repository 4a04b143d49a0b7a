//! The servers to compare, from no processing of a delivery to all of it.

mod axum;
pub(crate) mod desk;
mod log;
mod plain;
mod sql;

use std::io::{BufRead as _, Write as _};
use std::net::SocketAddr;
use std::path::Path;
use std::pin::Pin;

use anyhow::Context as _;
use app::webhooks::endpoint::{AllowedHosts, DurableLog, Limits, Route, Routes};
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use tokio_util::sync::CancellationToken;

use crate::signed;

/// Path and route of the servers other than `Desk`.
const PATH: &str = "/webhook/bench";

/// The file of a receiver that people would write otherwise.
pub(crate) const PEER_FILE: &str = "peer.sqlite";

/// Processing of a delivery before the response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Nothing: the body is not read.
    Bare,
    /// Reads the body and checks its signature.
    Hmac,
    /// Also appends it to a file, with one sync for all that wait: the limit of the disk.
    Log,
    /// A small receiver on axum with one transaction per delivery, to compare with.
    Axum,
    /// The receiver on a database with one transaction per delivery.
    Naive,
    /// The receiver on a database with group commits that a power failure may undo.
    Normal,
    /// The receiver on the delivery log, as in the app.
    Receiver,
    /// The whole core: receives and projects.
    Desk,
}

impl Mode {
    pub(crate) const ALL: [Self; 8] =
        [Self::Bare, Self::Hmac, Self::Log, Self::Axum, Self::Naive, Self::Normal, Self::Receiver, Self::Desk];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Bare => "bare",
            Self::Hmac => "hmac",
            Self::Log => "log",
            Self::Axum => "axum",
            Self::Naive => "naive",
            Self::Normal => "normal",
            Self::Receiver => "receiver",
            Self::Desk => "desk",
        }
    }

    fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.name() == name)
    }

    /// Number of deliveries in the folder of a stopped server; `None` for a server without storage.
    #[cfg(test)]
    pub(crate) fn stored(self, folder: &Path) -> anyhow::Result<Option<u64>> {
        Ok(match self {
            Self::Bare | Self::Hmac => None,
            Self::Log => Some(log::count(&folder.join("log"))?),
            Self::Axum => Some(rows(&folder.join(PEER_FILE))?),
            Self::Naive | Self::Normal => Some(rows(&folder.join("plain.sqlite"))?),
            Self::Receiver | Self::Desk => Some(rows(&store::DataFolder::delivery_log_in(folder))?),
        })
    }
}

/// Number of deliveries in the file of a stopped server.
pub(crate) fn rows(file: &Path) -> anyhow::Result<u64> {
    let connection = rusqlite::Connection::open(file)?;
    Ok(connection.query_row("SELECT count(*) FROM delivery", [], |row| row.get(0))?)
}

/// A running part of a server.
type ServerTask = Pin<Box<dyn Future<Output = ()> + Send>>;

/// A server in this process, with its own runtime.
pub(crate) struct Server {
    runtime: Runtime,
    running: tokio::task::JoinHandle<()>,
    stop: CancellationToken,
    core: Option<app::Core>,
    address: SocketAddr,
    path: String,
}

impl Server {
    pub(crate) fn start(mode: Mode, folder: &Path) -> anyhow::Result<Self> {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
        let stop = CancellationToken::new();
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0"))?;
        let address = listener.local_addr()?;
        let mut path = PATH.to_owned();
        let mut core = None;
        let ended = stop.clone();
        let running: ServerTask = match mode {
            Mode::Bare => Box::pin(plain::serve(listener, ended, plain::Bare)),
            Mode::Hmac => Box::pin(plain::serve(listener, ended, plain::VerifySignature::new(plain::Discard))),
            Mode::Log => Box::pin(plain::serve(listener, ended, plain::VerifySignature::new(log::Log::open(folder)?))),
            Mode::Axum => Box::pin(axum::serve(listener, ended, folder)?),
            Mode::Naive => Box::pin(receive(listener, ended, sql::Plain::open(folder, sql::Commits::Each)?)?),
            Mode::Normal => Box::pin(receive(listener, ended, sql::Plain::open(folder, sql::Commits::Deferred)?)?),
            Mode::Receiver => {
                // The file has the same path as in a data folder.
                let delivery_log = runtime.block_on(DurableLog::open(&store::DataFolder::delivery_log_in(folder)))?;
                Box::pin(receive(listener, ended, delivery_log)?)
            }
            Mode::Desk => {
                path = app::webhook_path(app::SANDBOX_ID);
                core = Some(runtime.block_on(desk::open(folder, listener))?);
                Box::pin(ended.cancelled_owned())
            }
        };
        let running = runtime.spawn(running);
        Ok(Self { runtime, running, stop, core, address, path })
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    pub(crate) fn path(&self) -> &str {
        &self.path
    }

    /// Number of stored deliveries that are not projected yet; zero without a projector.
    fn backlog_size(&self) -> anyhow::Result<u64> {
        match &self.core {
            Some(core) => self.runtime.block_on(desk::backlog_size(core)),
            None => Ok(0),
        }
    }

    /// Finishes the work in flight and closes the files.
    pub(crate) fn stop(self) -> anyhow::Result<()> {
        self.stop.cancel();
        self.runtime.block_on(async {
            if let Some(core) = self.core {
                core.close().await;
            }
            self.running.await.context("the server panicked")
        })
    }
}

/// Serves in this process until stdin ends, and answers the queries on stdin.
pub(crate) fn run(mode: &str, folder: &Path) -> anyhow::Result<()> {
    let mode = Mode::from_name(mode).with_context(|| format!("there is no server {mode:?}"))?;
    let served = Server::start(mode, folder)?;
    let mut output = std::io::stdout().lock();
    writeln!(output, "{} {}", served.address(), served.path())?;
    output.flush()?;
    for command in std::io::stdin().lock().lines() {
        match command?.as_str() {
            "behind" => writeln!(output, "{}", served.backlog_size()?)?,
            other => anyhow::bail!("{other:?} is no command"),
        }
        output.flush()?;
    }
    served.stop()
}

/// The receiver as in the app, on any delivery log.
fn receive<I: receiver::DeliveryLog>(
    listener: TcpListener,
    stop: CancellationToken,
    delivery_log: I,
) -> anyhow::Result<impl Future<Output = ()> + Send> {
    let route = Route {
        path: PATH.to_owned(),
        tag: "bench".to_owned(),
        secrets: vec![signed::SECRET.into()],
        verify_token: None,
        unread: false,
        generation: 0,
    };
    let routes = Routes::new(vec![route], AllowedHosts::Any)?;
    let nobody = |_: receiver::Event| {};
    Ok(app::webhooks::endpoint::serve(
        listener,
        delivery_log,
        routes,
        Limits::default(),
        nobody,
        stop.cancelled_owned(),
    ))
}
