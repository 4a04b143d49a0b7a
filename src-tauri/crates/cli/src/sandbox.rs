//! `tdesk sandbox`: the provider, simulated, as a server.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context as _;
use sandbox::{Options, Profile, ReviewPolicy, Sandbox, Webhook};

use crate::exit::WrongUsage;
use crate::server;

/// Serve the provider, simulated in full.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Address to listen on; port 0 takes a free one and the ready line tells it.
    #[arg(long, default_value = "127.0.0.1:0")]
    listen: SocketAddr,
    /// Access token that requests must carry. It opens only this sandbox and is no secret.
    #[arg(long)]
    token: String,
    /// UUID of the workspace.
    #[arg(long)]
    workspace: String,
    /// UUID of a further workspace that the token opens, with templates of its own; may be given several times.
    #[arg(long, value_name = "UUID")]
    additional_workspace: Vec<String>,
    /// Where events are posted to.
    #[arg(long, value_name = "URL", requires = "webhook_secret_env")]
    webhook_url: Option<String>,
    /// Environment variable that holds the secret events are signed with.
    #[arg(long, value_name = "NAME", requires = "webhook_url")]
    webhook_secret_env: Option<String>,
    /// How much the provider says: whatsapp (as the channel does) or minimal (only what the contract names).
    #[arg(long, default_value = "whatsapp")]
    profile: Profile,
    /// What becomes of templates in review: auto, approve, reject, reject_once or manual.
    #[arg(long, default_value = "auto")]
    review: ReviewPolicy,
    /// Milliseconds a review takes.
    #[arg(long, value_name = "N", default_value_t = 3_000)]
    review_delay_ms: u64,
    /// Milliseconds a sent message takes from one status to the next.
    #[arg(long, value_name = "N", default_value_t = 800)]
    status_delay_ms: u64,
    /// File that keeps the state over a restart; without it everything is forgotten at the end.
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// The channel's word in paths.
    #[arg(long, value_name = "NAME", default_value = "messaging")]
    channel: String,
    /// Start with sample templates in every state, with WABAs and numbers.
    #[arg(long)]
    seed: bool,
    /// Refuse WABAs and sending numbers that nobody declared, instead of adopting them.
    #[arg(long)]
    strict_accounts: bool,
    /// Client id accepted beside the token; needs --client-secret-env.
    #[arg(long, value_name = "ID", requires = "client_secret_env")]
    client_id: Option<String>,
    /// Environment variable that holds the client secret.
    #[arg(long, value_name = "NAME", requires = "client_id")]
    client_secret_env: Option<String>,
}

/// Serves until SIGTERM or SIGINT.
pub(crate) async fn run(args: Args) -> anyhow::Result<ExitCode> {
    if args.token.is_empty() {
        return Err(WrongUsage("--token must not be empty; it is what clients authenticate with".to_owned()).into());
    }
    let webhook = match (args.webhook_url, args.webhook_secret_env) {
        (Some(url), Some(name)) => {
            let secret = server::secret_from_env(&name)?;
            Some(Webhook::new(&url, secret).map_err(|flaw| WrongUsage(format!("--webhook-url `{url}` {flaw}")))?)
        }
        _ => None,
    };
    let client_credentials = match (args.client_id, args.client_secret_env) {
        (Some(id), Some(name)) => Some((id, server::secret_from_env(&name)?)),
        _ => None,
    };
    let options = Options {
        client_credentials,
        additional_workspaces: args.additional_workspace,
        webhook,
        profile: args.profile,
        review: args.review,
        review_delay: Duration::from_millis(args.review_delay_ms),
        status_delay: Duration::from_millis(args.status_delay_ms),
        state_file: args.state,
        seed: args.seed,
        adopt_unknown: !args.strict_accounts,
        ..Options::new(args.token.into(), args.workspace).with_channel(&args.channel)
    };
    let sandbox = Sandbox::open(options).map_err(|error| match error {
        sandbox::OpenError::Channel(_) | sandbox::OpenError::Workspace(_) => WrongUsage(error.to_string()).into(),
        other => anyhow::Error::from(other),
    })?;
    let listener = server::listen(args.listen).await?;
    server::print_ready(&listener)?;
    sandbox.serve(listener, server::interrupted()).await.context("the server stopped")?;
    Ok(ExitCode::SUCCESS)
}
