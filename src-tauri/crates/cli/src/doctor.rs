//! `tdesk doctor`: explains why a delivery's signature was rejected.

mod explanations;

use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use app::webhooks::endpoint::doctor::{Diagnosis, Evidence, Examination, KnownSecret, examine};
use serde::Serialize;

use crate::exit;
use crate::lint::Format;
use crate::names::shown;
use crate::server::secret_from_env;

/// Maximum size of the input, far above the size of a delivery.
const MAX_BYTES: u64 = 64 * 1024 * 1024;

/// Explain why a delivery's signature was rejected: which secret it was made with, or how the body was changed.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// File with the received body, byte for byte; `-` reads stdin.
    #[arg(long, value_name = "FILE")]
    body: PathBuf,
    /// Value of the X-Hub-Signature-256 header. For another header, write its name and a colon first.
    #[arg(long, value_name = "SIGNATURE", allow_hyphen_values = true)]
    signature: String,
    /// Names of the environment variables with the secrets to try.
    #[arg(long, value_name = "NAME[,NAME]", value_delimiter = ',', required = true)]
    secret_env: Vec<String>,
    /// Output format.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Serialize)]
struct JsonOutput<'a> {
    valid: bool,
    diagnosis: &'a Diagnosis,
    attempts: u32,
    what: String,
    why: String,
    #[serde(rename = "do")]
    remedy: String,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut secrets = Vec::with_capacity(args.secret_env.len());
    for name in &args.secret_env {
        secrets.push(KnownSecret { name: name.clone(), route: None, secret: secret_from_env("--secret-env", name)? });
    }
    let body = read(&args.body)?;
    let evidence = Evidence { headers: &[header(&args.signature)], body: &body, whole: true };
    let Examination { diagnosis, attempts } = examine(evidence, &secrets);
    let valid = matches!(diagnosis, Diagnosis::Valid { .. });
    let explanations::Explanation { what, why, remedy } = explanations::explain(&diagnosis);
    let output = match args.format {
        Format::Json => {
            let printed = JsonOutput { valid, diagnosis: &diagnosis, attempts, what, why, remedy };
            serde_json::to_string_pretty(&printed)? + "\n"
        }
        Format::Text if valid => format!("valid: {what}\n"),
        Format::Text => format!("refused: {what}\nwhy: {why}\ndo: {remedy}\n"),
    };
    io::stdout().lock().write_all(output.as_bytes()).context("could not print the result")?;
    Ok(if valid { ExitCode::SUCCESS } else { exit::REFUSED.into() })
}

/// The name and value of the header. A value may contain a colon too, but a header name never contains the other
/// characters of a value.
fn header(signature: &str) -> (String, String) {
    let is_name =
        |name: &str| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    match signature.split_once(':').filter(|(name, _)| is_name(name) && name.contains('-')) {
        Some((name, value)) => (name.to_ascii_lowercase(), value.trim().to_owned()),
        None => ("x-hub-signature-256".to_owned(), signature.to_owned()),
    }
}

fn read(path: &Path) -> anyhow::Result<Vec<u8>> {
    let mut body = Vec::new();
    let reading = if path == Path::new("-") {
        io::stdin().lock().take(MAX_BYTES + 1).read_to_end(&mut body)
    } else {
        std::fs::File::open(path).and_then(|file| file.take(MAX_BYTES + 1).read_to_end(&mut body))
    };
    reading.with_context(|| format!("could not read the body from {}", shown(path)))?;
    anyhow::ensure!(
        body.len() as u64 <= MAX_BYTES,
        "the body in {} is larger than 64 MiB, which no receiver accepts",
        shown(path)
    );
    Ok(body)
}

#[cfg(test)]
mod tests {
    use super::header;

    #[test]
    fn a_signature_may_include_its_header_name() {
        let named = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(header("sha256=ab"), named("x-hub-signature-256", "sha256=ab"));
        assert_eq!(header("sha256:ab"), named("x-hub-signature-256", "sha256:ab"));
        assert_eq!(header("X-Hub-Signature-256: sha256=ab"), named("x-hub-signature-256", "sha256=ab"));
        assert_eq!(header("X-Hub-Signature: sha1=ab"), named("x-hub-signature", "sha1=ab"));
        assert_eq!(header(""), named("x-hub-signature-256", ""));
    }
}
