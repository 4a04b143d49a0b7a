//! A listing that says another status than an event shortly before it. What a person fetches wins, but the list of a provider
//! may lag behind its webhooks, and then the older status is shown as the newer one.

use std::collections::HashSet;

use model::send::{SendProblem, SendProblemCode};
use model::vocabulary::TemplateStatus;
use store::cache::TemplateRow;
use store::desk::TemplateEvent;

use super::status_cause::last_status;
use crate::templates::Templates;
use command_types::error::Result;
use command_types::template::ContradictedStatus;

/// How long after an event a listing may still be older than it, in milliseconds. What a listing says later is believed: the
/// webhook of the next change may be lost.
const MAX_LISTING_LAG: i64 = 60 * 60 * 1_000;

impl Templates {
    /// The status that an event reported shortly before the listing from which the cache has another one.
    pub(super) fn contradicted(
        &self,
        workspace: &str,
        row: &TemplateRow,
        events: &[TemplateEvent],
    ) -> Option<ContradictedStatus> {
        contradiction(row, events, row.asked.at.saturating_add(self.0.workspaces.clock_offset(workspace)))
    }

    /// The problem of a send of a template that is listed as approved, if an event shortly before said otherwise.
    pub(crate) async fn contradicted_problem(&self, workspace: &str, reference: &str) -> Result<Option<SendProblem>> {
        let cached = self.cached(workspace, reference).await?;
        if !TemplateStatus::from(cached.row.status.as_str()).is_sendable() {
            return Ok(None);
        }
        let events = self.template_events(&cached).await?;
        let said = self.contradicted(workspace, &cached.row, &events);
        let problem = |said: ContradictedStatus| {
            SendProblem::new("template", SendProblemCode::TemplateContradicted, &[("status", &said.status)])
        };
        Ok(said.map(problem))
    }
}

/// The status that the last event reported, if the listing after it has another one. `events` are newest first, and
/// `listed_at` is by the clock of the provider.
fn contradiction(row: &TemplateRow, events: &[TemplateEvent], listed_at: i64) -> Option<ContradictedStatus> {
    // Accounts that differ are shown each with its own status.
    if !row.statuses.is_empty() {
        return None;
    }
    let listed = TemplateStatus::from(row.status.as_str());
    let mut seen = HashSet::new();
    events.iter().find_map(|event| {
        let said = last_status(event)?;
        let waba = event.waba.as_deref().filter(|waba| !waba.is_empty());
        // Not every provider says whose a template is.
        let is_own = row.wabas.is_empty() || waba.is_none_or(|waba| row.wabas.iter().any(|own| own == waba));
        // The last one of each account counts, and what is about no account is answered by any.
        let is_last = !seen.contains(&None) && (waba.is_some() || seen.is_empty()) && seen.insert(waba);
        let is_soon_after = (0..MAX_LISTING_LAG).contains(&listed_at.saturating_sub(event.at));
        (is_own && is_last && is_soon_after && is_decision(&said) && is_decision(&listed) && said != listed)
            .then(|| ContradictedStatus { status: event.event.clone(), at: event.at })
    })
}

/// Whether a template leaves the status by a webhook only: a review may begin without one.
fn is_decision(status: &TemplateStatus) -> bool {
    use TemplateStatus::{Approved, Disabled, Paused, Rejected};
    matches!(status, Approved | Rejected | Paused | Disabled)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::templates::history::tests::webhook_event;

    const EVENT_AT: i64 = 1_000_000;
    const MINUTE: i64 = 60_000;

    fn found(status: &str, wabas: &[&str], events: &[TemplateEvent], listed_after: i64) -> Option<String> {
        let wabas = wabas.iter().map(|waba| (*waba).to_owned()).collect();
        let row = TemplateRow { status: status.to_owned(), wabas, ..TemplateRow::default() };
        contradiction(&row, events, EVENT_AT + listed_after).map(|found| found.status)
    }

    #[test]
    fn a_listing_soon_after_an_event_with_another_status_contradicts_it() {
        let event = |status: &str, waba: &str| TemplateEvent {
            waba: Some(waba.to_owned()).filter(|waba| !waba.is_empty()),
            ..webhook_event(EVENT_AT, status, json!({"event": status}))
        };
        let paused = event("PAUSED", "1");
        let of_paused = |status, after| found(status, &["1"], std::slice::from_ref(&paused), after);
        assert_eq!(of_paused("APPROVED", MINUTE).as_deref(), Some("PAUSED"));
        assert_eq!(of_paused("PAUSED", MINUTE), None);
        assert_eq!(of_paused("APPROVED", 61 * MINUTE), None, "believed meanwhile");
        assert_eq!(of_paused("APPROVED", -MINUTE), None, "the event is newer");
        assert_eq!(of_paused("PENDING", MINUTE), None, "it may have been edited elsewhere");
        let approved = webhook_event(EVENT_AT + 1, "APPROVED", json!({"event": "APPROVED"}));
        assert_eq!(found("APPROVED", &["1"], &[approved, paused.clone()], MINUTE), None, "the pause is over");
        let in_both = [webhook_event(EVENT_AT + 1, "APPROVED", json!({"event": "APPROVED"})), paused.clone()];
        let in_both = in_both.map(|event| TemplateEvent {
            waba: Some(if event.event == "PAUSED" { "1" } else { "2" }.to_owned()),
            ..event
        });
        assert_eq!(found("APPROVED", &["1", "2"], &in_both, MINUTE).as_deref(), Some("PAUSED"), "of the other account");
        assert!(found("APPROVED", &[], std::slice::from_ref(&paused), MINUTE).is_some(), "accounts unknown");
        for (waba, is_found) in [("", true), ("2", true), ("3", false)] {
            let rejected = [event("REJECTED", waba)];
            assert_eq!(found("APPROVED", &["1", "2"], &rejected, MINUTE).is_some(), is_found, "{waba}");
        }
        for status in ["FLAGGED", "PENDING", "REINSTATED", "NEW_ONE"] {
            assert_eq!(found("APPROVED", &["1"], &[event(status, "1")], MINUTE), None, "{status}");
        }
    }
}
