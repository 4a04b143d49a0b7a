//! Connection of `pull`, `push` and `send` to the provider, and the exit codes for its errors.

use std::process::ExitCode;

use template_files::{
    Client, Credentials, Endpoint, FilesError, ProviderError, Reach, Timeouts, WabaField, parse_base_url,
};

use model::visible::visible;

use crate::exit::{self, WrongUsage};
use crate::server::secret_from_env;

/// Characters to print of an unreadable response body.
const MAX_SHOWN_BODY: usize = 300;

/// Where the provider is and who asks.
#[derive(Debug, clap::Args)]
pub(crate) struct Provider {
    /// Base URL of the provider, including any path prefix.
    #[arg(long, value_name = "URL")]
    base_url: String,
    /// UUID of the workspace.
    #[arg(long, value_name = "UUID")]
    workspace: String,
    /// Name of the environment variable with the access token.
    #[arg(long, value_name = "NAME", required_unless_present = "client_id", conflicts_with = "client_id")]
    token_env: Option<String>,
    /// Client ID, for workspaces with client credentials; needs --client-secret-env.
    #[arg(long, value_name = "ID", requires = "client_secret_env")]
    client_id: Option<String>,
    /// Name of the environment variable with the client secret.
    #[arg(long, value_name = "NAME", requires = "client_id")]
    client_secret_env: Option<String>,
    /// Channel name in API paths.
    #[arg(long, value_name = "NAME", default_value = "messaging")]
    pub(crate) channel: String,
    /// Send credentials and messages over http:// to another computer. Nothing is encrypted: anyone on the
    /// network can read it.
    #[arg(long)]
    allow_unencrypted: bool,
    /// Also load media from this computer, for a provider that you develop here. Other private
    /// addresses are never used.
    #[arg(long)]
    allow_loopback_media: bool,
    /// Name of the multipart field for the WABA.
    #[arg(long, value_name = "NAME", default_value = "waba_ids", value_parser = ["waba_ids", "waba_id"])]
    waba_field: String,
}

/// Says that folders below the named ones are not read, if there are any.
pub(crate) fn say_left_out(folders: usize) {
    if folders > 0 {
        let are = if folders == 1 { "folder is" } else { "folders are" };
        eprintln!("tdesk: {folders} {are} not read: links, folders below the eighth level, and those beyond 1,000");
    }
}

impl Provider {
    /// The addresses from which media may be fetched.
    pub(crate) fn reach(&self) -> Reach {
        if self.allow_loopback_media { Reach::InternetAndLoopback } else { Reach::Internet }
    }

    /// A client, or a usage error.
    pub(crate) fn client(&self) -> anyhow::Result<Client> {
        let credentials = match (&self.token_env, &self.client_id, &self.client_secret_env) {
            (Some(name), ..) => Credentials::Bearer(secret_from_env("--token-env", name)?),
            (None, Some(id), Some(name)) => {
                Credentials::Client { id: id.clone(), secret: secret_from_env("--client-secret-env", name)? }
            }
            _ => {
                return Err(WrongUsage(
                    "set --token-env to the name of the environment variable with the token".to_owned(),
                )
                .into());
            }
        };
        let usage = |error: ProviderError| match error {
            ProviderError::InvalidInput { field: "allow_unencrypted", message } => {
                WrongUsage(format!("{message} Use `--allow-unencrypted` to send them anyway."))
            }
            other => WrongUsage(other.to_string()),
        };
        let endpoint = Endpoint {
            base_url: parse_base_url(&self.base_url).map_err(usage)?,
            channel: self.channel.clone(),
            workspace_uuid: self.workspace.clone(),
            credentials,
            allow_unencrypted: self.allow_unencrypted,
            waba_field: if self.waba_field == "waba_id" { WabaField::WabaId } else { WabaField::WabaIds },
        };
        Ok(Client::new(endpoint, Timeouts::default()).map_err(usage)?)
    }
}

/// Ends the program after an error: 1 for a refusal, 2 for invalid values, 3 for connection, read or storage errors, 4
/// for an unknown outcome.
pub(crate) fn exit_code_for(error: FilesError) -> anyhow::Result<ExitCode> {
    let code = match &error {
        FilesError::Provider(error) => code_of(error),
        FilesError::Disk { .. } => exit::UNAVAILABLE,
        _ => exit::REFUSED,
    };
    eprintln!("tdesk: {error}");
    if let FilesError::Provider(ProviderError::Unreadable { body, .. }) = &error
        && !body.trim().is_empty()
    {
        let (shown, more) = match body.char_indices().nth(MAX_SHOWN_BODY) {
            Some((end, _)) => (&body[..end], "…"),
            None => (body.as_str(), ""),
        };
        eprintln!("tdesk: the response was: {}{more}", visible(shown));
    }
    Ok(code.into())
}

pub(crate) fn code_of(error: &ProviderError) -> u8 {
    match error {
        lost if lost.maybe_received() => exit::UNKNOWN,
        ProviderError::Unauthorized(_)
        | ProviderError::Forbidden(_)
        | ProviderError::NotFound(_)
        | ProviderError::RateLimited(_)
        | ProviderError::Refused(_) => exit::REFUSED,
        ProviderError::InvalidInput { .. } => exit::USAGE,
        _ => exit::UNAVAILABLE,
    }
}
