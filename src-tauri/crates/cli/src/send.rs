//! `tdesk send`: a test send.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use app::files::{FilesError, TestSend, message_of};
use model::send::{SendMessage, SendValues};
use serde_json::Value;

use crate::exit::WrongUsage;
use crate::provider::{self, Provider};

/// Send a template to one recipient and print the provider's answer.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    provider: Provider,
    /// Identifier of the sending number.
    #[arg(long, value_name = "NUMBER")]
    number: String,
    /// Recipient: digits with country code. With --payload it replaces the payload's.
    #[arg(long, value_name = "DIGITS", required_unless_present = "payload")]
    to: Option<String>,
    /// Name of the template.
    #[arg(long, value_name = "NAME", required_unless_present = "payload", requires = "language")]
    template: Option<String>,
    /// Language of the template.
    #[arg(long, value_name = "CODE", requires = "template")]
    language: Option<String>,
    /// JSON object with a value for each part, such as {"body.1": "Ana"}.
    #[arg(long, value_name = "FILE", conflicts_with = "payload")]
    values: Option<PathBuf>,
    /// Text that comes back with the statuses of the message.
    #[arg(long, value_name = "TEXT", conflicts_with = "payload")]
    callback_data: Option<String>,
    /// Constant that names the channel in the message; the channel's word in paths unless given.
    #[arg(long, value_name = "NAME")]
    messaging_product: Option<String>,
    /// The whole message as JSON, sent as it is; for what a template and values cannot say.
    #[arg(long, value_name = "FILE", conflicts_with = "template")]
    payload: Option<PathBuf>,
    /// Print the message and send nothing.
    #[arg(long)]
    dry_run: bool,
}

pub(crate) async fn run(args: Args) -> anyhow::Result<ExitCode> {
    let client = args.provider.client()?;
    let message = match (&args.payload, args.template, args.language, args.to) {
        (Some(file), _, _, to) => payload(file, to, args.messaging_product)?,
        (None, Some(name), Some(language), Some(to)) => {
            let values = args.values.as_deref().map(values).transpose()?.unwrap_or_default();
            let messaging_product = args.messaging_product.unwrap_or_else(|| args.provider.channel.clone());
            let callback_data = args.callback_data;
            let send = TestSend { messaging_product, to, name, language, values, callback_data };
            match message_of(&client, send).await {
                Ok(message) => message,
                Err(error) => return provider::end(error),
            }
        }
        _ => {
            return Err(
                WrongUsage("name a template with --template, --language and --to, or a --payload".to_owned()).into()
            );
        }
    };
    if args.dry_run {
        writeln!(std::io::stdout().lock(), "{}", serde_json::to_string_pretty(&message)?)?;
        return Ok(ExitCode::SUCCESS);
    }
    match client.send_message(&args.number, &message).await {
        Ok(sent) => {
            // As it came: a script reads the provider's own words.
            let answer = if sent.body.trim().is_empty() { "{}" } else { sent.body.trim() };
            writeln!(std::io::stdout().lock(), "{answer}")?;
            Ok(ExitCode::SUCCESS)
        }
        Err(error) => provider::end(FilesError::Provider(error)),
    }
}

fn read(path: &Path) -> anyhow::Result<String> {
    std::fs::read_to_string(path).with_context(|| format!("could not read {}", path.display()))
}

fn payload(path: &Path, to: Option<String>, product: Option<String>) -> anyhow::Result<SendMessage> {
    let wrong = |error| WrongUsage(format!("{} is no message: {error}", path.display()));
    let mut message: SendMessage = serde_json::from_str(&read(path)?).map_err(wrong)?;
    if let Some(to) = to {
        message.to = to;
    }
    if let Some(product) = product {
        message.messaging_product = product;
    }
    Ok(message)
}

fn values(path: &Path) -> anyhow::Result<SendValues> {
    let wrong = |what: String| {
        WrongUsage(format!("{} {what}; it must be an object such as {{\"body.1\": \"Ana\"}}", path.display()))
    };
    let json: Value = serde_json::from_str(&read(path)?).map_err(|error| wrong(format!("is not JSON ({error})")))?;
    let Value::Object(object) = json else { return Err(wrong("is no JSON object".to_owned()).into()) };
    let text = |(id, value): (String, Value)| match value {
        Value::String(text) => Ok((id, text)),
        Value::Number(number) => Ok((id, number.to_string())),
        _ => Err(wrong(format!("has something else than a text for `{id}`")).into()),
    };
    object.into_iter().map(text).collect()
}
