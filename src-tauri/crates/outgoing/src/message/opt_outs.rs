//! People to whom no marketing template is sent.

use std::collections::HashSet;

use command_types::send::RecipientFacts;
use model::send::{SendProblem, SendProblemCode};

/// People who have stopped marketing messages, by each spelling of their identifiers.
#[derive(Clone, Debug, Default)]
pub struct OptOuts(HashSet<String>);

impl FromIterator<String> for OptOuts {
    fn from_iter<I: IntoIterator<Item = String>>(people: I) -> Self {
        Self(people.into_iter().collect())
    }
}

impl OptOuts {
    /// The problem of a marketing template to this recipient.
    pub(super) fn problem(&self, recipient: &RecipientFacts) -> Option<SendProblem> {
        let is_stopped = recipient.addressee().is_some_and(|id| self.0.contains(id));
        is_stopped.then(|| SendProblem::new("to", SendProblemCode::ToOptedOut, &[]))
    }
}
