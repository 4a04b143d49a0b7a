//! `tdesk send`: a test send.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use model::send::{SendMessage, SendProblemCode, SendValues};
use model::template::Template;
use outgoing::recipient::is_country;
use serde_json::value::RawValue;
use template_files::{FilesError, TestContent, TestSend, message_of};

use crate::exit::WrongUsage;
use crate::names::shown;
use crate::provider::{self, Provider};
use crate::template_file;

/// Send a template or text to one recipient and print the provider's response.
///
/// Checks first whether the template can be sent, the recipient's number, the
/// values and the media links. Problems are listed with their codes and exit with 1; warnings among
/// them can be overridden. Exits with 4 if a message got no response: it may have arrived.
#[derive(Debug, clap::Args)]
#[command(after_help = crate::exit::CODES)]
#[command(group = clap::ArgGroup::new("content").required(true).args(["template", "template_file", "text", "payload"]))]
pub(crate) struct Args {
    #[command(flatten)]
    provider: Provider,
    /// ID of the sending number.
    #[arg(long, value_name = "NUMBER")]
    number: String,
    /// Business account (WABA) of the sending number. A template that exists only in other accounts is refused, unless
    /// number.account is overridden.
    #[arg(long, value_name = "WABA", default_value = "", hide_default_value = true)]
    waba: String,
    /// Recipient: digits with country code, or a number with + and its country code. A number that is written in any
    /// other way needs --country. With --payload, it replaces the recipient in the payload.
    #[arg(long, value_name = "NUMBER", required_unless_present = "payload")]
    to: Option<String>,
    /// Country of a recipient without country code, such as BR.
    #[arg(long, value_name = "CODE", value_parser = country, conflicts_with = "payload", requires = "to")]
    country: Option<String>,
    /// Template name, as the provider lists it.
    #[arg(long, value_name = "NAME", requires = "language")]
    template: Option<String>,
    /// Template language.
    #[arg(long, value_name = "CODE", requires = "template")]
    language: Option<String>,
    /// Template file. The provider must list a template with the same name and language.
    #[arg(long, value_name = "FILE")]
    template_file: Option<PathBuf>,
    /// JSON object with a value for each part, such as {"body.1": "Ana"}. Numbers are sent as written, and parts that
    /// are JSON, such as an order, don't need to be strings.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["payload", "text"])]
    values: Option<PathBuf>,
    /// Free text. It reaches only recipients who wrote in the last 24 hours.
    #[arg(long, value_name = "TEXT")]
    text: Option<String>,
    /// Callback data: text that every status of the message returns unchanged.
    #[arg(long, value_name = "TEXT", conflicts_with = "payload")]
    callback_data: Option<String>,
    /// Value of messaging_product. Default: the channel name in API paths.
    #[arg(long, value_name = "NAME")]
    messaging_product: Option<String>,
    /// File with the full message as JSON, sent unchanged and unchecked.
    #[arg(long, value_name = "FILE")]
    payload: Option<PathBuf>,
    /// Code of a warning to override, such as to.kind. Can be repeated.
    #[arg(long = "override", value_name = "CODE", value_parser = codes(), hide_possible_values = true)]
    overrides: Vec<String>,
    /// Print the message and send nothing. With --template-file, makes no requests.
    #[arg(long)]
    dry_run: bool,
}

pub(crate) fn country(code: &str) -> Result<String, String> {
    let code = code.to_ascii_uppercase();
    if is_country(&code) {
        return Ok(code);
    }
    Err("use the two letters of a country, such as BR".to_owned())
}

pub(crate) fn codes() -> clap::builder::PossibleValuesParser {
    SendProblemCode::ALL.iter().map(|code| code.as_str()).collect::<Vec<_>>().into()
}

pub(crate) async fn run(args: Args) -> anyhow::Result<ExitCode> {
    let client = args.provider.client()?;
    let message = match &args.payload {
        Some(file) => payload(file, args.to, args.messaging_product)?,
        None => {
            let content = content(&args)?;
            let send = TestSend {
                messaging_product: args.messaging_product.unwrap_or_else(|| args.provider.channel.clone()),
                number: args.number.clone(),
                waba: args.waba,
                to: args.to.unwrap_or_default(),
                country: args.country,
                content,
                callback_data: args.callback_data,
                overrides: args.overrides,
                reach: args.provider.reach(),
            };
            match message_of(&client, send).await {
                Ok(message) => message,
                Err(error) => return provider::exit_code_for(error),
            }
        }
    };
    if args.dry_run {
        writeln!(std::io::stdout().lock(), "{}", serde_json::to_string_pretty(&message)?)?;
        return Ok(ExitCode::SUCCESS);
    }
    match client.send_message(&args.number, &message).await {
        Ok(sent) => {
            // Printed unchanged: scripts read the provider's own response.
            let answer = if sent.body.trim().is_empty() { "{}" } else { sent.body.trim() };
            // The message is accepted, even if the response can't be printed: another exit code would cause a second
            // send.
            if let Err(error) = writeln!(std::io::stdout().lock(), "{answer}") {
                eprintln!("tdesk: the message was accepted, but the response could not be written to stdout: {error}");
            }
            Ok(ExitCode::SUCCESS)
        }
        Err(error) => {
            let unknown = error.maybe_received();
            let ended = provider::exit_code_for(FilesError::Provider(error));
            if unknown {
                eprintln!(
                    "tdesk: to find out, look for a status of a message to {} in the webhooks (`tdesk events --database \
                     INBOX_FILE --kind status`, or Activity in the window), or ask the recipient. Sent once more, the \
                     message can arrive twice.",
                    message.addressee()
                );
            }
            ended
        }
    }
}

/// The content to send, according to the arguments.
fn content(args: &Args) -> anyhow::Result<TestContent> {
    if let Some(text) = &args.text {
        return Ok(TestContent::Text(text.clone()));
    }
    let (values, structured) = args.values.as_deref().map(values).transpose()?.unwrap_or_default();
    if let Some(file) = &args.template_file {
        let template =
            template_file::json(&template_file::read(file)?).and_then(|json| model::json::read::<Template>(&json));
        let template = template.map_err(|error| {
            WrongUsage(format!("{} is not a template: {error}. Run `tdesk lint` to see what to correct", shown(file)))
        })?;
        return Ok(TestContent::File { template: Box::new(template), values, structured, offline: args.dry_run });
    }
    match (&args.template, &args.language) {
        (Some(name), Some(language)) => {
            Ok(TestContent::Listed { name: name.clone(), language: language.clone(), values, structured })
        }
        _ => Err(WrongUsage("choose a template with --template and --language".to_owned()).into()),
    }
}

/// The text of a file, without the byte-order mark that some editors add.
fn read(path: &Path) -> anyhow::Result<String> {
    let text = String::from_utf8(template_file::read(path)?);
    let text = text.with_context(|| format!("could not read {}: it is not text in UTF-8", shown(path)))?;
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}

fn payload(path: &Path, to: Option<String>, product: Option<String>) -> anyhow::Result<SendMessage> {
    let wrong = |error| WrongUsage(format!("{} is not a message: {error}", shown(path)));
    let mut message: SendMessage = serde_json::from_str(&read(path)?).map_err(wrong)?;
    if let Some(to) = to {
        (message.to, message.recipient) = (Some(to), None);
    }
    if let Some(product) = product {
        message.messaging_product = product;
    }
    Ok(message)
}

/// Values by part as written, and the parts whose value is JSON instead of text.
fn values(path: &Path) -> anyhow::Result<(SendValues, BTreeSet<String>)> {
    let wrong = |what: String| {
        WrongUsage(format!("{} {what}; it must be an object such as {{\"body.1\": \"Ana\"}}", shown(path)))
    };
    let text = read(path)?;
    // A duplicate key would otherwise be dropped silently.
    template_file::json(text.as_bytes()).map_err(|error| wrong(format!("is not valid JSON ({error})")))?;
    let json: &RawValue = serde_json::from_str(&text).map_err(|error| wrong(format!("is not valid JSON ({error})")))?;
    // As written: 10.50 must not become 10.5, and no number type holds an order number of thirty digits.
    let written: BTreeMap<String, &RawValue> =
        serde_json::from_str(json.get()).map_err(|_| wrong("is not a JSON object".to_owned()))?;
    let (mut values, mut structured) = (SendValues::new(), BTreeSet::new());
    for (id, value) in written {
        let value = match value.get() {
            quoted if quoted.starts_with('"') => serde_json::from_str(quoted)?,
            number if number.starts_with(|first: char| first == '-' || first.is_ascii_digit()) => number.to_owned(),
            json if json.starts_with(['{', '[']) => {
                structured.insert(id.clone());
                json.to_owned()
            }
            _ => return Err(wrong(format!("has a value for `{id}` that is not a string")).into()),
        };
        values.insert(id, value);
    }
    Ok((values, structured))
}
