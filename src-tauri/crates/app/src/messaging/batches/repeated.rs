//! People of a batch who were sent its template a short time ago. The rule is [`model::send::is_repeat_asked_about`].

use std::cmp::Reverse;
use std::collections::HashMap;

use model::send::{REPEAT_WINDOW, SendProblem, SendProblemCode, is_repeat_asked_about};
use store::desk::LastSend;

use super::checked_row::Checked;
use crate::messaging::Messaging;
use crate::opt_outs::everyone;
use command_types::batch::RepeatedSend;
use command_types::error::Result;
use outgoing::message::SendPlan;

impl Messaging {
    /// Adds a warning to each row whose person was sent the template a short time ago, and counts them by what they got it
    /// with. Rows with an error are not counted: nobody gets their message.
    pub(super) async fn repeated(
        &self,
        plan: &SendPlan,
        workspace: &str,
        rows: &mut [Checked],
    ) -> Result<Vec<RepeatedSend>> {
        if !is_repeat_asked_about(&plan.template.category) {
            return Ok(Vec::new());
        }
        let people =
            rows.iter().filter(|row| row.facts.addressee().is_some()).map(|row| row.recipient.clone()).collect();
        let last = self.last_sends(plan, workspace, people).await?;
        let mut found: HashMap<Option<String>, RepeatedSend> = HashMap::new();
        for row in rows {
            let Some(send) = last.get(&row.recipient) else { continue };
            if !row.problems.iter().any(SendProblem::is_error) {
                let of_batch = found.entry(send.batch_id.clone()).or_insert_with(|| RepeatedSend {
                    batch: send.batch_id.clone(),
                    source: None,
                    at: send.at,
                    people: 0,
                });
                of_batch.at = of_batch.at.max(send.at);
                of_batch.people += 1;
            }
            row.problems.push(problem(send.at));
        }
        let mut repeated: Vec<RepeatedSend> = found.into_values().collect();
        repeated.sort_by_key(|of_batch| Reverse((of_batch.people, of_batch.at)));
        for of_batch in &mut repeated {
            if let Some(id) = &of_batch.batch {
                of_batch.source = self.0.context.desk.batch(id).await?.map(|batch| batch.source);
            }
        }
        Ok(repeated)
    }

    /// The last message of the template to each of these people within the window, under any identifier of theirs.
    async fn last_sends(
        &self,
        plan: &SendPlan,
        workspace: &str,
        people: Vec<String>,
    ) -> Result<HashMap<String, LastSend>> {
        let since = self.clock().saturating_sub(REPEAT_WINDOW);
        let of_person = everyone(&self.0.context, workspace, people).await;
        let spellings: Vec<String> = of_person.values().flatten().cloned().collect();
        let desk = &self.0.context.desk;
        let sends = desk.last_template_sends(workspace, &spellings, &plan.template.name, since).await?;
        let sends: HashMap<String, LastSend> = sends.into_iter().map(|send| (send.recipient.clone(), send)).collect();
        let last = |spellings: Vec<String>| {
            spellings.iter().filter_map(|spelling| sends.get(spelling)).max_by_key(|send| send.at).cloned()
        };
        Ok(of_person.into_iter().filter_map(|(id, spellings)| Some((id, last(spellings)?))).collect())
    }
}

fn problem(at: i64) -> SendProblem {
    let since = chrono::DateTime::from_timestamp_millis(at).unwrap_or_default().format("%Y-%m-%d");
    let mut problem = SendProblem::new("to", SendProblemCode::ToRepeated, &[("since", &since)]);
    problem.values.insert("at".to_owned(), at.to_string());
    problem
}
