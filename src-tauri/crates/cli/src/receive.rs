//! `tdesk receive`: stores webhooks in an inbox file.

use std::{net::SocketAddr, path::PathBuf, process::ExitCode};

use anyhow::Context as _;
use app::webhooks::endpoint::{self, AllowedHosts, DurableInbox, Event, Limits, Reason, Route, Routes};
use tokio::net::TcpListener;

use crate::{exit::WrongUsage, server};

/// Receive signed webhooks and store them in an inbox file. Responds with 200 only after a delivery is stored.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Address and port to listen on. Port 0 uses any free port.
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:8787")]
    listen: SocketAddr,
    /// Inbox file; created if it does not exist.
    #[arg(long, value_name = "INBOX_FILE")]
    database: PathBuf,
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
    };
    let hosts = match (args.listen.ip().is_loopback(), args.allow_host.is_empty()) {
        (false, true) => AllowedHosts::Any,
        (true, true) => AllowedHosts::Addresses,
        (_, false) => AllowedHosts::Names(args.allow_host),
    };
    let routes = Routes::new(vec![route], hosts).map_err(|error| WrongUsage(error.to_string()))?;
    let inbox = DurableInbox::open(&args.database).await;
    let inbox = inbox.with_context(|| format!("could not open the inbox {}", args.database.display()))?;
    let listener = server::listen(args.listen).await?;
    serve(listener, inbox, routes, interrupted).await?;
    Ok(ExitCode::SUCCESS)
}

async fn serve(
    listener: TcpListener,
    inbox: DurableInbox,
    routes: Routes,
    interrupted: impl Future<Output = ()>,
) -> anyhow::Result<()> {
    server::print_ready(&listener)?;
    endpoint::serve(listener, inbox.clone(), routes, Limits::default(), log, interrupted).await;
    inbox.close().await;
    tracing::info!("stopped");
    Ok(())
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
