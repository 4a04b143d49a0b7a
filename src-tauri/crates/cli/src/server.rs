//! Common parts of the servers of `tdesk`: secrets from the environment, the ready line, shutdown on a signal.

use std::io::Write as _;
use std::net::SocketAddr;
use std::path::Path;

use anyhow::Context as _;
use app::exit::{EXIT_TIMEOUT, TerminationSignals, exit_in_time_after_signals};
use secrecy::SecretString;
use tokio::net::TcpListener;

use crate::exit::WrongUsage;
use crate::names;

/// The secret held by the environment variable `name`, which `option` names. The name of a variable that is not set is
/// shown in full only if it has nothing but capital letters and underscores: otherwise it can be the secret itself.
pub(crate) fn secret_from_env(option: &str, name: &str) -> anyhow::Result<SecretString> {
    let problem = match std::env::var(name) {
        Ok(value) if !value.is_empty() => return Ok(value.into()),
        Ok(_) => format!("the environment variable `{name}` is empty; set it to the secret"),
        Err(std::env::VarError::NotUnicode(_)) => {
            format!("the environment variable `{name}` is not valid UTF-8; set it to the secret")
        }
        Err(std::env::VarError::NotPresent) if is_variable_name(name) => {
            let is_usual = name.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_');
            let shown = if is_usual { name.to_owned() } else { format!("{}…", &name[..name.len().min(6) / 2]) };
            format!("the environment variable `{shown}` is not set; set it to the secret")
        }
        Err(std::env::VarError::NotPresent) => {
            "its value, which is not shown, is not the name of an environment variable; set a variable to the secret, and \
             give its name"
                .to_owned()
        }
    };
    Err(WrongUsage(format!("{option}: {problem}")).into())
}

fn is_variable_name(name: &str) -> bool {
    let is_letter = |byte: u8| byte.is_ascii_alphabetic() || byte == b'_';
    name.bytes().next().is_some_and(is_letter) && name.bytes().all(|byte| is_letter(byte) || byte.is_ascii_digit())
}

/// The secret held by a file, without the line break at its end.
pub(crate) fn secret_from_file(file: &Path) -> anyhow::Result<SecretString> {
    let shown = names::shown(file);
    let mut secret = std::fs::read_to_string(file).map_err(|error| {
        WrongUsage(format!("the file `{shown}` with a secret could not be read ({error}); create it with the secret"))
    })?;
    secret.truncate(secret.trim_end_matches(['\r', '\n']).len());
    if secret.is_empty() {
        return Err(WrongUsage(format!("the file `{shown}` is empty; write the secret to it")).into());
    }
    Ok(secret.into())
}

/// Listens on the address that `option` gives.
pub(crate) async fn listen(option: &str, address: SocketAddr) -> anyhow::Result<TcpListener> {
    app::webhooks::endpoint::listen(address).await.with_context(|| {
        format!("could not listen on {address}; choose another port with {option}, or port 0 for any free port")
    })
}

/// Prints the ready line with the address, and that of the feed if there is one, to stdout.
pub(crate) fn print_ready(listener: &TcpListener, feed: Option<&TcpListener>) -> anyhow::Result<()> {
    let address = |listener: &TcpListener| -> anyhow::Result<String> {
        Ok(format!("http://{}", listener.local_addr().context("the listener has no address")?))
    };
    let mut line = serde_json::json!({ "ready": true, "listening": address(listener)? });
    if let Some(feed) = feed {
        line["feed"] = address(feed)?.into();
    }
    let mut stdout = std::io::stdout().lock();
    writeln!(stdout, "{line}").and_then(|()| stdout.flush()).context("could not write the ready line to stdout")
}

/// Completes when the program is asked to end. The signal handlers are installed by the call, not by the first poll. After a
/// signal the program ends within five seconds, even if a task hangs.
pub(crate) fn interrupted() -> impl Future<Output = ()> {
    exit_in_time_after_signals(EXIT_TIMEOUT);
    let mut signals = TerminationSignals::listen();
    async move { signals.next().await }
}
