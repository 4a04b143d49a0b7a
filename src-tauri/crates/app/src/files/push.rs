//! From a folder to the provider: the steps of a plan, one after the other.

use service::{Client, Error};

use super::{Action, Plan, Step};

/// What became of one step.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// Created; in how many business accounts by how many requests is the plan's.
    Created {
        /// The provider's reference.
        uuid: String,
    },
    /// Edited.
    Edited,
    /// Nothing was to do.
    Unchanged,
    /// Refused or lost on the way.
    Failed {
        /// Why.
        error: Error,
        /// Business accounts in which it was created all the same, where there are several and a file.
        created_in: Vec<String>,
    },
    /// Not tried, since the provider cannot be reached or does not know us.
    Skipped,
}

/// Carries out a plan that is not blocked, and tells of every step. Returns whether every step succeeded.
///
/// A refusal concerns one template, so the others go on; without connection or credentials there is no point.
pub async fn push(client: &Client, plan: &Plan, mut tell: impl FnMut(&Step, &Outcome)) -> bool {
    if plan.is_blocked() {
        return false;
    }
    let mut good = true;
    let mut hopeless = false;
    for step in &plan.steps {
        let outcome = if hopeless { Outcome::Skipped } else { carry_out(client, step).await };
        if let Outcome::Failed { error, .. } = &outcome {
            hopeless = matches!(
                error,
                Error::Unauthorized(_)
                    | Error::RateLimited(_)
                    | Error::Redirected { .. }
                    | Error::Offline { .. }
                    | Error::TimedOut { .. }
                    | Error::Cancelled { .. }
            );
        }
        good &= !matches!(outcome, Outcome::Failed { .. } | Outcome::Skipped);
        tell(step, &outcome);
    }
    good
}

async fn carry_out(client: &Client, step: &Step) -> Outcome {
    let result = match &step.action {
        Action::Create { wabas } if step.media.header.is_some() || !step.media.cards.is_empty() => {
            return create_with_files(client, step, wabas).await;
        }
        Action::Create { wabas } => {
            client.create_template(&step.creation(wabas)).await.map(|created| Outcome::Created { uuid: created.uuid })
        }
        Action::Edit { uuids, .. } => edit(client, step, uuids).await.map(|()| Outcome::Edited),
        Action::Unchanged | Action::Blocked { .. } => return Outcome::Unchanged,
    };
    result.unwrap_or_else(|error| Outcome::Failed { error, created_in: Vec::new() })
}

async fn edit(client: &Client, step: &Step, uuids: &[String]) -> Result<(), Error> {
    for (uuid, edit) in uuids.iter().zip(&step.edits) {
        client.edit_template_with_files(uuid, edit, step.edit_files(edit).await?).await?;
    }
    Ok(())
}

/// A creation with files has room for one business account (contract §4.2), so there is one request for each.
async fn create_with_files(client: &Client, step: &Step, wabas: &[String]) -> Outcome {
    let mut created_in = Vec::new();
    let mut uuid = String::new();
    for waba in wabas {
        let created = match step.files().await {
            Ok(files) => client.create_template_with_files(&step.template, waba, files).await,
            Err(error) => Err(error),
        };
        match created {
            Ok(created) => {
                created_in.push(waba.clone());
                uuid = created.uuid;
            }
            Err(error) => return Outcome::Failed { error, created_in },
        }
    }
    Outcome::Created { uuid }
}
