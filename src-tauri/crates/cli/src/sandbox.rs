//! `tdesk sandbox`: serves the simulated provider.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context as _;
use sandbox::{Options, Profile, ReviewPolicy, Sandbox, Seed, Webhook};

use crate::exit::WrongUsage;
use crate::server;

/// Run a simulated provider.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Address to listen on. Port 0 uses a free port, which the ready line shows.
    #[arg(long, default_value = "127.0.0.1:0")]
    listen: SocketAddr,
    /// Access token that requests must send. It works only with this sandbox and is not a secret.
    #[arg(long)]
    token: String,
    /// UUID of the workspace.
    #[arg(long)]
    workspace: String,
    /// UUID of an additional workspace for the token, with its own templates. Can be repeated.
    #[arg(long, value_name = "UUID")]
    additional_workspace: Vec<String>,
    /// URL that webhooks are sent to.
    #[arg(long, value_name = "URL", requires = "webhook_secret_env")]
    webhook_url: Option<String>,
    /// Name of the environment variable with the secret that webhooks are signed with.
    #[arg(long, value_name = "NAME", requires = "webhook_url")]
    webhook_secret_env: Option<String>,
    /// Responses: whatsapp (like WhatsApp), minimal (only what the API contract documents) or agency (like WhatsApp,
    /// with several accounts of two businesses).
    #[arg(long, default_value = "whatsapp")]
    profile: Profile,
    /// Outcome of reviews: auto, approve, reject, reject_once or manual.
    #[arg(long, default_value = "auto")]
    review: ReviewPolicy,
    /// Review time in milliseconds.
    #[arg(long, value_name = "N", default_value_t = 3_000)]
    review_delay_ms: u64,
    /// Time between message statuses in milliseconds.
    #[arg(long, value_name = "N", default_value_t = 800)]
    status_delay_ms: u64,
    /// File to keep the state across restarts. Without it, the state is lost at exit.
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// Channel name in API paths.
    #[arg(long, value_name = "NAME", default_value = "messaging")]
    channel: String,
    /// Start with WABAs, numbers and: sample templates in every status (samples), also with the past of a business
    /// (history), or no templates (empty).
    #[arg(long, value_name = "SEED", num_args = 0..=1, default_missing_value = "samples")]
    seed: Option<Seed>,
    /// Reject undeclared WABAs and sending numbers instead of accepting them.
    #[arg(long)]
    strict_accounts: bool,
    /// Client ID accepted in addition to the token; needs --client-secret-env.
    #[arg(long, value_name = "ID", requires = "client_secret_env")]
    client_id: Option<String>,
    /// Name of the environment variable with the client secret.
    #[arg(long, value_name = "NAME", requires = "client_id")]
    client_secret_env: Option<String>,
}

/// Serves until SIGTERM or SIGINT.
pub(crate) async fn run(args: Args) -> anyhow::Result<ExitCode> {
    if args.token.is_empty() {
        return Err(WrongUsage("--token must not be empty; clients authenticate with it".to_owned()).into());
    }
    let webhook = match (args.webhook_url, args.webhook_secret_env) {
        (Some(url), Some(name)) => {
            let secret = server::secret_from_env("--webhook-secret-env", &name)?;
            Some(Webhook::new(&url, secret).map_err(|flaw| WrongUsage(format!("--webhook-url `{url}` {flaw}")))?)
        }
        _ => None,
    };
    let client_credentials = match (args.client_id, args.client_secret_env) {
        (Some(id), Some(name)) => Some((id, server::secret_from_env("--client-secret-env", &name)?)),
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
    let listener = server::listen("--listen", args.listen).await?;
    server::print_ready(&listener, None)?;
    sandbox.serve(listener, server::interrupted()).await.context("the server stopped")?;
    Ok(ExitCode::SUCCESS)
}
