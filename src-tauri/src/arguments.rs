//! The command line: `--help`, `--version`, a link to open, or `--hidden`. Options of a start are environment variables.

use std::process::ExitCode;

use clap::Parser as _;

/// Starts the app without its window.
pub(crate) const HIDDEN: &str = "--hidden";

const ENVIRONMENT: &str = "Environment:
  TEMPLATE_DESK_HOME                  Folder of the data, in place of the system's folder for application data
  TEMPLATE_DESK_RECEIVER              Address of the webhook receiver for this start, such as 127.0.0.1:0
  TEMPLATE_DESK_ALLOW_LOOPBACK_MEDIA  1: fetch media from addresses of this computer too, to develop a provider here
  TEMPLATE_DESK_SANDBOX_SEED          history, samples or empty: what the sandbox starts with at its first start
  TEMPLATE_DESK_SANDBOX_PROFILE       whatsapp, minimal or agency: the profile of the sandbox at its first start
  TEMPLATE_DESK_SANDBOX_DELAY         Milliseconds that a review of the sandbox takes, and each status of a message
  TEMPLATE_DESK_LOG                   What is logged to standard error and to the log files, such as debug

Exit codes: 0 done, 1 it could not start, 2 wrong usage, 3 no display.";

/// Compose, follow and test-send message templates. Opens the window; `tdesk` does the same without one.
#[derive(Debug, clap::Parser)]
#[command(name = "template-desk", version, about, after_help = ENVIRONMENT)]
pub(crate) struct Arguments {
    /// Page to open, such as template-desk://templates/REFERENCE
    pub(crate) link: Option<String>,
    /// Start without the window, as at login, if it keeps receiving webhooks while the window is closed
    #[arg(long, conflicts_with = "link")]
    pub(crate) hidden: bool,
}

/// The arguments. `Err` with the exit code after `--help`, `--version` and usage errors.
pub(crate) fn read() -> Result<Arguments, ExitCode> {
    Arguments::try_parse().map_err(|answer| {
        let code = u8::try_from(answer.exit_code()).unwrap_or(1);
        // Without a terminal, the output is lost.
        let _unread = answer.print();
        code.into()
    })
}
