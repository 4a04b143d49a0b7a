//! A message that a person was sent already, a short time ago. A second click or a colleague may be the reason.

use model::send::{REPEAT_WINDOW, SendProblem, SendProblemCode, is_repeat_asked_about};

use crate::messaging::Messaging;
use crate::opt_outs::everyone;
use command_types::error::Result;
use command_types::send::{RecipientFacts, SendRequest};
use outgoing::message::{SendPlan, problem_since};

impl Messaging {
    /// The problem of a message that left with the same values within [`REPEAT_WINDOW`].
    pub(in crate::messaging) async fn same_message(
        &self,
        plan: &SendPlan,
        request: &SendRequest,
        recipient: &RecipientFacts,
    ) -> Result<Option<SendProblem>> {
        let Some(addressee) = recipient.addressee() else { return Ok(None) };
        if !is_repeat_asked_about(&plan.template.category) {
            return Ok(None);
        }
        let workspace = &request.workspace;
        let people = everyone(&self.0.context, workspace, vec![addressee.to_owned()]).await;
        let notations: Vec<String> = people.into_values().flatten().collect();
        let since = self.clock().saturating_sub(REPEAT_WINDOW);
        let desk = &self.0.context.desk;
        let sends = desk.template_sends_to(workspace, &notations, &request.reference, since).await?;
        let values = typed(request);
        let is_same = |json: &str| serde_json::from_str::<SendRequest>(json).is_ok_and(|sent| typed(&sent) == values);
        Ok(sends
            .into_iter()
            .find(|(_, sent)| is_same(sent))
            .map(|(at, _)| problem_since(SendProblemCode::ToSameMessage, at)))
    }
}

/// The values without those that were left empty: a field that was cleared is as one never filled.
fn typed(request: &SendRequest) -> Vec<(&str, &str)> {
    let values = request.values.iter().map(|(part, value)| (part.as_str(), value.trim()));
    values.filter(|(_, value)| !value.is_empty()).collect()
}
