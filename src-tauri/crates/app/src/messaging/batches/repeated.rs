//! People of a batch who were sent its template a short time ago. The rule is [`model::send::is_repeat_asked_about`].

use std::cmp::Reverse;
use std::collections::HashMap;

use model::send::{REPEAT_WINDOW, SendProblem, SendProblemCode, is_repeat_asked_about};
use store::desk::LastSend;

use super::checked_row::Checked;
use super::people::People;
use crate::messaging::Messaging;
use command_types::batch::RepeatedSend;
use command_types::error::Result;
use outgoing::message::{SendPlan, stops};

impl Messaging {
    /// Adds a warning to each row whose person was sent the template a short time ago, and counts them by what they got it
    /// with. Rows that something else stops are not counted: nobody gets their message.
    pub(super) async fn repeated(
        &self,
        last: &HashMap<String, LastSend>,
        rows: &mut [Checked],
        overrides: &[String],
    ) -> Result<Vec<RepeatedSend>> {
        let mut found: HashMap<Option<String>, RepeatedSend> = HashMap::new();
        for row in rows {
            let Some(send) = last.get(&row.recipient) else { continue };
            if !row.problems.iter().any(|problem| stops(problem, overrides)) {
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

    /// The last message of the template to each of these people within the window, under any identifier of theirs; none
    /// of a template that may be sent as often as wanted.
    pub(super) async fn last_sends(
        &self,
        plan: &SendPlan,
        workspace: &str,
        people: &People,
    ) -> Result<HashMap<String, LastSend>> {
        if !is_repeat_asked_about(&plan.template.category) {
            return Ok(HashMap::new());
        }
        let since = self.clock().saturating_sub(REPEAT_WINDOW);
        let desk = &self.0.context.desk;
        let sends = desk.last_template_sends(workspace, people.spellings(), &plan.template.name, since).await?;
        let sends: HashMap<String, LastSend> = sends.into_iter().map(|send| (send.recipient.clone(), send)).collect();
        Ok(people.greatest(&sends, |send| send.at))
    }
}

fn problem(at: i64) -> SendProblem {
    let since = chrono::DateTime::from_timestamp_millis(at).unwrap_or_default().format("%Y-%m-%d");
    let mut problem = SendProblem::new("to", SendProblemCode::ToRepeated, &[("since", &since)]);
    problem.values.insert("at".to_owned(), at.to_string());
    problem
}
