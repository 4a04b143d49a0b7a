//! `tdesk receive`: stores webhooks in an inbox file or a database, and lets desks follow them.

use std::{net::SocketAddr, path::PathBuf, process::ExitCode, sync::Arc, time::Duration};

use anyhow::Context as _;
use app::webhooks::endpoint::{self, AllowedHosts, DeliveryLog, DurableLog, Event, Limits, Reason, Route, Routes};
use delivery_log::file::{self, DesksFile};
use delivery_log::postgres::Database;
use delivery_log::server::{Feed, Timeouts};
use delivery_log::{Desks, Log, LogError, Metrics};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::exit::WrongUsage;
use crate::log::overtaken;
use crate::log_store::{Store, StoreArgs, usage};
use crate::server;

/// Name of a receiver with an inbox file, unless it is given one.
const DEFAULT_NODE: &str = "receiver";
/// How often old deliveries are removed.
const REMOVAL_INTERVAL: Duration = Duration::from_secs(60 * 60);

/// Receive signed webhooks and store them in an inbox file or a PostgreSQL database. Responds with 200 only after a
/// delivery is stored.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Address and port to listen on. Port 0 uses any free port.
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:8787")]
    listen: SocketAddr,
    #[command(flatten)]
    store: StoreArgs,
    /// Name of this receiver, which its deliveries have in the log.
    #[arg(long, value_name = "NAME", value_parser = node)]
    node: Option<String>,
    /// Use a database that can lose acknowledged deliveries in a power cut.
    #[arg(long, requires = "store")]
    accept_data_loss: bool,
    /// Address and port on which desks follow the deliveries. Keep it on a loopback address behind a proxy with TLS.
    #[arg(long, value_name = "ADDRESS:PORT")]
    feed_listen: Option<SocketAddr>,
    /// Names of the environment variables with the secrets that deliveries may be signed with.
    #[arg(long, value_name = "NAME[,NAME]", value_delimiter = ',', required_unless_present = "secret_file")]
    secret_env: Vec<String>,
    /// Files with the secrets, one in each file, for services that are given credentials as files. A line break at the
    /// end does not count.
    #[arg(long, value_name = "FILE[,FILE]", value_delimiter = ',')]
    secret_file: Vec<PathBuf>,
    /// Name of the environment variable with the verify token for the handshake.
    #[arg(long, value_name = "NAME")]
    verify_token_env: Option<String>,
    /// File with the verify token for the handshake.
    #[arg(long, value_name = "FILE", conflicts_with = "verify_token_env")]
    verify_token_file: Option<PathBuf>,
    /// Path of the webhook URL.
    #[arg(long, value_name = "PATH", default_value = "/webhook")]
    path: String,
    /// Public host names of this receiver. On a loopback address, only these, `localhost` and IP
    /// addresses are accepted as `Host`; on other addresses, every name is accepted unless you set this.
    #[arg(long, value_name = "HOST[,HOST]", value_delimiter = ',')]
    allow_host: Vec<String>,
}

pub(crate) async fn run(args: Args) -> anyhow::Result<ExitCode> {
    // From here on a signal causes an orderly shutdown, even before the first request.
    let interrupted = server::interrupted();
    let from_env = args.secret_env.iter().map(|name| server::secret_from_env("--secret-env", name));
    let from_files = args.secret_file.iter().map(|file| server::secret_from_file(file));
    let verify_token = match (&args.verify_token_env, &args.verify_token_file) {
        (Some(name), _) => Some(server::secret_from_env("--verify-token-env", name)?),
        (None, Some(file)) => Some(server::secret_from_file(file)?),
        (None, None) => None,
    };
    let route = Route {
        tag: args.path.clone(),
        secrets: from_env.chain(from_files).collect::<Result<_, _>>()?,
        verify_token,
        path: args.path,
        unread: false,
        generation: 0,
    };
    let hosts = match (args.listen.ip().is_loopback(), args.allow_host.is_empty()) {
        (false, true) => AllowedHosts::Any,
        (true, true) => AllowedHosts::Addresses,
        (_, false) => AllowedHosts::Names(args.allow_host),
    };
    let routes = Routes::new(vec![route], hosts).map_err(|error| WrongUsage(error.to_string()))?;
    let listener = server::listen("--listen", args.listen).await?;
    let feed = match args.feed_listen {
        Some(address) => Some(server::listen("--feed-listen", address).await?),
        None => None,
    };
    match args.store.store()? {
        Store::File(path) => {
            let node = args.node.as_deref().unwrap_or(DEFAULT_NODE);
            let delivery_log = DurableLog::open(&path).await;
            let delivery_log =
                delivery_log.with_context(|| format!("could not open the delivery log {}", path.display()))?;
            let feed = match feed {
                Some(listener) => {
                    let log = Log::File(file::Reader::open(&path, node, delivery_log.stored()).await?);
                    Some((listener, log, Desks::File(DesksFile::of(&path))))
                }
                None => None,
            };
            serve(listener, delivery_log.clone(), routes, feed, interrupted).await?;
            delivery_log.close().await;
        }
        Store::Postgres(database) => {
            let node = args.node.ok_or_else(|| {
                WrongUsage("--node is missing; with --store, give each receiver a name of its own".to_owned())
            })?;
            database.prepare(args.accept_data_loss).await.map_err(usage)?;
            let delivery_log = database.open_delivery_log(&node).await?;
            let reader = database.reader()?;
            let feed = feed.map(|listener| (listener, Log::Postgres(reader.clone()), Desks::Postgres(reader)));
            let removing = tokio::spawn(remove_old(*database));
            serve(listener, delivery_log.clone(), routes, feed, interrupted).await?;
            delivery_log.close().await;
            removing.abort();
        }
    }
    tracing::info!("stopped");
    Ok(ExitCode::SUCCESS)
}

/// A name that can be part of a metric, a log line and a file name.
fn node(text: &str) -> Result<String, String> {
    let is_usual = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
    if text.is_empty() || text.len() > 64 || !text.bytes().all(is_usual) {
        return Err("use 1 to 64 letters, digits, dots, hyphens and underscores".to_owned());
    }
    Ok(text.to_owned())
}

/// Receives, and serves the feed if there is one, until `stopped`.
async fn serve(
    listener: TcpListener,
    delivery_log: impl DeliveryLog,
    routes: Routes,
    feed: Option<(TcpListener, Log, Desks)>,
    stopped: impl Future<Output = ()>,
) -> anyhow::Result<()> {
    let (metrics, stop) = (Arc::new(Metrics::default()), CancellationToken::new());
    if let Some((_, log, _)) = &feed
        && let Some(newest) = log.newest().await?
    {
        metrics.begin_with(newest);
    }
    server::print_ready(&listener, feed.as_ref().map(|(listener, ..)| listener))?;
    let serving = feed.map(|(listener, log, desks)| {
        let feed = Feed::new(log, desks, metrics.clone(), stop.clone());
        tokio::spawn(delivery_log::server::serve(listener, feed, Timeouts::default()))
    });
    let observe = move |event| {
        metrics.observe(&event);
        log(event);
    };
    let stopped = async {
        stopped.await;
        stop.cancel();
    };
    endpoint::serve(listener, delivery_log, routes, Limits::default(), observe, stopped).await;
    if let Some(serving) = serving
        && let Err(error) = serving.await
    {
        tracing::error!(%error, "the feed failed");
    }
    Ok(())
}

/// Removes old deliveries now and again.
async fn remove_old(database: Database) {
    loop {
        let removed = async {
            let removed = database.remove_old().await?;
            let kept = database.kept().await?;
            Ok::<_, LogError>((removed, kept))
        };
        match removed.await {
            Ok((removed, kept)) => {
                match removed {
                    0 => tracing::debug!("no delivery is removed"),
                    _ => tracing::info!(removed, first_seq = kept.first_seq, "old deliveries were removed"),
                }
                overtaken(&kept).for_each(|warning| tracing::warn!("{warning}"));
            }
            Err(error) => tracing::error!(%error, "old deliveries could not be removed"),
        }
        tokio::time::sleep(REMOVAL_INTERVAL).await;
    }
}

/// Logs rejections to stderr, because a wrong secret is otherwise invisible.
fn log(event: Event) {
    match event {
        Event::Stored { route, body_bytes, .. } => tracing::debug!(route, body_bytes, "delivery stored"),
        Event::Subscribed { route } => tracing::info!(route, "subscription handshake answered"),
        Event::Refused(refused) => tracing::warn!(
            status = refused.reason.status(),
            reason = refused.reason.as_str(),
            peer = %refused.peer,
            method = ?refused.method,
            path = ?refused.path,
            // No other header, and never the body.
            host = refused.host.as_deref().filter(|_| refused.reason == Reason::HostNotAllowed),
            body_bytes = refused.body_bytes,
            "request refused: {}",
            refused.reason.details(),
        ),
        Event::AcceptFailed(error) => tracing::warn!(%error, "could not accept a connection"),
        other => tracing::debug!(?other, "event"),
    }
}
