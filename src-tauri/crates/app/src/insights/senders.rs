//! The numbers that figures are narrowed to.

use crate::insights::Insights;
use command_types::error::Result;

/// The numbers of a filter by WABA or number.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Senders {
    pub(super) chosen: Vec<String>,
    /// All numbers that a filter of this kind can choose. What went out from another one is in no such filter.
    pub(super) known: Vec<String>,
}

impl Insights {
    /// Absent without a filter.
    pub(super) async fn senders(
        &self,
        workspace: &str,
        waba: Option<&str>,
        number: Option<&str>,
    ) -> Result<Option<Senders>> {
        let [waba, number] = [waba, number].map(|filter| filter.filter(|id| !id.is_empty()));
        if waba.is_none() && number.is_none() {
            return Ok(None);
        }
        let mut numbers = self.0.workspaces.settings(workspace).await?.numbers;
        numbers.retain(|known| waba.is_none() || !known.waba_id.is_empty());
        let mut chosen = numbers.clone();
        chosen.retain(|known| {
            waba.is_none_or(|waba| known.waba_id == waba) && number.is_none_or(|number| known.id == number)
        });
        let [chosen, known] = [chosen, numbers].map(|numbers| numbers.into_iter().map(|number| number.id).collect());
        Ok(Some(Senders { chosen, known }))
    }
}
