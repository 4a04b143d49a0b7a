//! Pushes a folder to the provider: carries out the steps of a plan in order.

use service::{Client, Error};

use super::{Action, Plan, Step};
use api::error::DeskError;
use requests::classify_response::{Class, MAX_UNKNOWN_OUTCOMES, classify};
use requests::submission::{Request, call, uploads};

/// Result of one step.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// Created. The plan has the number of business accounts and requests.
    Created {
        /// The provider's reference.
        uuid: String,
    },
    /// Edited.
    Edited,
    /// There was nothing to do.
    Unchanged,
    /// Rejected by the provider, or not sent.
    Failed {
        /// The error.
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
    /// Not tried, because an earlier step stopped the push.
    Skipped,
}

/// Whether all further requests would fail after this error.
fn stops_push(error: &Error) -> bool {
    let class = classify(&DeskError::from(error.clone())).class;
    matches!(class, Class::NotSent | Class::Limited | Class::Configuration)
}

/// Carries out a plan that is not blocked and reports every step. Returns whether all steps succeeded.
///
/// A rejection concerns one template, so the next steps are still carried out. The push stops without a connection, on
/// rejected credentials, at a rate limit, and after a few unknown outcomes in a row.
pub async fn push(client: &Client, plan: &Plan, mut report: impl FnMut(&Step, &Outcome)) -> bool {
    if plan.is_blocked() {
        return false;
    }
    let mut succeeded = true;
    let (mut stopped, mut unknown) = (false, 0);
    for step in &plan.steps {
        let outcome = if stopped { Outcome::Skipped } else { run_step(client, step).await };
        match &outcome {
            Outcome::Failed { error, .. } => (stopped, unknown) = (stops_push(error), 0),
            Outcome::Unknown { .. } => {
                unknown += 1;
                stopped = unknown >= MAX_UNKNOWN_OUTCOMES;
            }
            Outcome::Created { .. } | Outcome::Edited => unknown = 0,
            Outcome::Unchanged | Outcome::Skipped => {}
        }
        succeeded &= matches!(outcome, Outcome::Created { .. } | Outcome::Edited | Outcome::Unchanged);
        report(step, &outcome);
    }
    succeeded
}

async fn run_step(client: &Client, step: &Step) -> Outcome {
    let edits = match &step.action {
        Action::Create { .. } => false,
        Action::Edit { .. } => true,
        Action::Unchanged | Action::Blocked { .. } => return Outcome::Unchanged,
    };
    let (mut uuid, mut created_in) = (String::new(), Vec::new());
    if let Some(message) = step.change_reason().await {
        let name = requests::file_name::shown(&step.file);
        return Outcome::Failed { error: Error::File { name, message }, created_in };
    }
    for request in step.outgoing.iter().flat_map(|outgoing| &outgoing.requests) {
        match send(client, request).await {
            Ok(reference) => uuid = reference,
            Err(error) if error.maybe_received() => return Outcome::Unknown { error, created_in },
            Err(error) => return Outcome::Failed { error, created_in },
        }
        if let Request::CreateWithFiles { waba, .. } = request {
            created_in.push(waba.clone());
        }
    }
    if edits { Outcome::Edited } else { Outcome::Created { uuid } }
}

async fn send(client: &Client, request: &Request) -> Result<String, Error> {
    let files = match request {
        Request::Create(_) => Default::default(),
        Request::CreateWithFiles { files, .. } | Request::Edit { files, .. } => uploads(files).await?,
    };
    call(client, request, files).await.map(|accepted| accepted.reference)
}
