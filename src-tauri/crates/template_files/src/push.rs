//! Pushes a folder to the provider: carries out the steps of a plan in order, and waits at rate limits.

use std::time::Duration;

use provider_client::{Client, Error};
use tokio_util::sync::CancellationToken;

use super::{Action, Plan, Step};
use command_types::error::DeskError;
use outgoing::classify_response::{Class, MAX_UNKNOWN_OUTCOMES, classify};
use outgoing::submission::{Request, call, uploads};

/// The first pause at a rate limit unless the provider asks for a longer one; each further one is twice as long.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
/// How long a request waits at rate limits in total before it fails.
const MAX_WAIT: Duration = Duration::from_secs(5 * 60);

/// Result of one step.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// Created. The plan has the number of business accounts and requests.
    Created {
        uuid: String,
    },
    Edited,
    /// There was nothing to do.
    Unchanged,
    /// Rejected by the provider, or not sent.
    Failed {
        error: Error,
        /// Business accounts in which it was created nevertheless, if there are several and the template has a file.
        created_in: Vec<String>,
    },
    /// Outcome unknown: a request was sent and may have been carried out. It is not repeated.
    Unknown {
        /// The error that came instead of an answer.
        error: Error,
        /// Business accounts in which it was created earlier, if there are several and the template has a file.
        created_in: Vec<String>,
    },
    /// Not sent, because the push had stopped.
    Skipped {
        /// Why it had stopped, and what to do.
        reason: String,
    },
}

/// What a push reports about a step.
#[derive(Clone, Copy, Debug)]
pub enum Progress<'a> {
    /// The step waits this long, because the provider limits requests.
    Waiting(Duration),
    /// The step has ended.
    Ended(&'a Outcome),
}

/// Whether all further requests would fail after this error.
fn stops_push(error: &Error) -> bool {
    let class = classify(&DeskError::from(error.clone())).class;
    matches!(class, Class::NotSent | Class::Limited | Class::Configuration)
}

/// Carries out a plan that is not blocked and reports every step. Returns whether all steps succeeded.
///
/// A rejection concerns one template, so the next steps are still carried out. The push stops without a connection, on
/// rejected credentials, at a rate limit that lasts longer than five minutes, after a few unknown outcomes in a row, and
/// when `stop` is cancelled. The request in flight is then awaited; [`Client::cancelled_by`] abandons it too.
pub async fn push(
    client: &Client,
    plan: &Plan,
    stop: &CancellationToken,
    mut report: impl FnMut(&Step, Progress<'_>),
) -> bool {
    if plan.is_blocked() {
        return false;
    }
    let mut succeeded = true;
    let (mut stopped, mut unknown) = (None, 0);
    for step in &plan.steps {
        let outcome = match &stopped {
            Some(reason) => Outcome::Skipped { reason: String::clone(reason) },
            None => run_step(client, step, stop, |pause| report(step, Progress::Waiting(pause))).await,
        };
        match &outcome {
            Outcome::Failed { error, .. } => {
                unknown = 0;
                if stops_push(error) {
                    let file = outgoing::file_name::shown(&step.file);
                    stopped = Some(format!(
                        "Not sent, because the error of {file} affects every file. Push again when it is resolved."
                    ));
                }
            }
            Outcome::Unknown { .. } => {
                unknown += 1;
                if unknown >= MAX_UNKNOWN_OUTCOMES {
                    stopped = Some(format!(
                        "Not sent, because {unknown} requests in a row got no answer. Push again when the provider answers."
                    ));
                }
            }
            Outcome::Created { .. } | Outcome::Edited => unknown = 0,
            Outcome::Unchanged | Outcome::Skipped { .. } => {}
        }
        if stop.is_cancelled() {
            stopped = Some(INTERRUPTED.to_owned());
        }
        succeeded &= matches!(outcome, Outcome::Created { .. } | Outcome::Edited | Outcome::Unchanged);
        report(step, Progress::Ended(&outcome));
    }
    succeeded
}

/// Why the files after an interruption are skipped.
const INTERRUPTED: &str = "Not sent, because the push was interrupted. Push again for the remaining files.";

async fn run_step(
    client: &Client,
    step: &Step,
    stop: &CancellationToken,
    mut waiting: impl FnMut(Duration),
) -> Outcome {
    let edits = match &step.action {
        Action::Create { .. } => false,
        Action::Edit { .. } => true,
        Action::Unchanged | Action::Blocked { .. } => return Outcome::Unchanged,
    };
    let (mut uuid, mut created_in) = (String::new(), Vec::new());
    if let Some(message) = step.change_reason().await {
        let name = outgoing::file_name::shown(&step.file);
        return Outcome::Failed { error: Error::File { name, message }, created_in };
    }
    for request in step.outgoing.iter().flat_map(|outgoing| &outgoing.requests) {
        match send_within_limits(client, request, stop, &mut waiting).await {
            Ok(reference) => uuid = reference,
            Err(Error::Cancelled { maybe_received: false }) if created_in.is_empty() => {
                return Outcome::Skipped { reason: INTERRUPTED.to_owned() };
            }
            Err(error) if error.maybe_received() => return Outcome::Unknown { error, created_in },
            Err(error) => return Outcome::Failed { error, created_in },
        }
        if let Request::CreateWithFiles { waba, .. } = request {
            created_in.push(waba.clone());
        }
    }
    if edits { Outcome::Edited } else { Outcome::Created { uuid } }
}

/// Sends a request; sends it again after a pause while the provider refuses it because of a rate limit.
async fn send_within_limits(
    client: &Client,
    request: &Request,
    stop: &CancellationToken,
    waiting: &mut impl FnMut(Duration),
) -> Result<String, Error> {
    let (mut waited, mut next_pause) = (Duration::ZERO, FIRST_PAUSE);
    loop {
        if stop.is_cancelled() {
            return Err(Error::Cancelled { maybe_received: false });
        }
        let error = match send(client, request).await {
            Err(error) if !error.maybe_received() => error,
            ended => return ended,
        };
        let found = classify(&DeskError::from(error.clone()));
        let pause = next_pause.max(found.pause.unwrap_or_default());
        if found.class != Class::Limited || waited + pause > MAX_WAIT {
            return Err(error);
        }
        waiting(pause);
        tokio::select! {
            () = stop.cancelled() => {}
            () = tokio::time::sleep(pause) => {}
        }
        (waited, next_pause) = (waited + pause, next_pause * 2);
    }
}

async fn send(client: &Client, request: &Request) -> Result<String, Error> {
    let files = match request {
        Request::Create(_) => Default::default(),
        Request::CreateWithFiles { files, .. } | Request::Edit { files, .. } => uploads(files).await?,
    };
    call(client, request, files).await.map(|accepted| accepted.reference)
}
