//! The review: the outcome for a pending template, and its event (contract §3.1, §6.5; upstream §5, §8.4).

use axum::http::StatusCode;
use model::component::Component;
use model::envelope::RejectionInfo;
use model::finding::Severity;
use model::template::Template;
use model::vocabulary::{Category, TemplateStatus};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::refusal::Refusal;
use crate::schedule::Task;
use crate::settings::{INVALID_FORMAT, ReviewPolicy};
use crate::state::{Entry, State};
use crate::time::{Instant, now};
use crate::{contract_fields, rules};

/// A decision about a template: the JSON of `POST /sandbox/templates/{uuid}/decision`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Decision {
    /// `APPROVED`, `REJECTED`, `PENDING`, `PAUSED`, `DISABLED`, `FLAGGED`, … or any other status.
    pub event: TemplateStatus,
    /// Reason of a rejection (upstream §5.6).
    #[serde(default)]
    pub reason: Option<String>,
    /// The problem and the recommended change.
    #[serde(default)]
    pub rejection_info: Option<RejectionInfo>,
    /// For `FLAGGED`: when the template will be disabled.
    #[serde(default)]
    pub disable_info: Option<Value>,
    /// For `PAUSED`, `LOCKED` and similar: title and description.
    #[serde(default)]
    pub other_info: Option<Value>,
    /// The category that the channel considers correct; if it differs, `template_category_update` is emitted (upstream
    /// §8.6).
    #[serde(default)]
    pub new_category: Option<Category>,
    /// Only in this WABA of the template; in all of them if absent.
    #[serde(default)]
    pub waba_id: Option<u64>,
}

impl Decision {
    /// A decision with an event only.
    #[must_use]
    pub fn of(event: TemplateStatus) -> Self {
        Self {
            event,
            reason: None,
            rejection_info: None,
            disable_info: None,
            other_info: None,
            new_category: None,
            waba_id: None,
        }
    }

    #[must_use]
    pub fn rejected(reason: impl Into<String>, info: Option<RejectionInfo>) -> Self {
        Self { reason: Some(reason.into()), rejection_info: info, ..Self::of(TemplateStatus::Rejected) }
    }
}

/// Starts a round of review in all WABAs.
pub(crate) fn begin(state: &mut State, uuid: &str) {
    let Some(entry) = state.templates.get_mut(uuid) else { return };
    entry.status = TemplateStatus::Pending;
    entry.other_statuses.clear();
    entry.reason = None;
    entry.rejection_info = None;
    schedule(state, uuid);
}

fn due(state: &State) -> Instant {
    now().saturating_add(i64::try_from(state.settings.review_delay_ms).unwrap_or(i64::MAX))
}

/// Schedules the end of a round, which decides where the template is pending.
fn schedule(state: &mut State, uuid: &str) {
    let due = due(state);
    let Some(entry) = state.templates.get_mut(uuid) else { return };
    entry.round += 1;
    let round = entry.round;
    state.schedule_at(due, Task::Review { uuid: uuid.to_owned(), round });
}

/// Sends an edited template into review again, and emits the event.
pub(crate) fn resubmit(state: &mut State, uuid: &str) {
    begin(state, uuid);
    if let Some(entry) = state.templates.get(uuid) {
        announce(state, &entry.clone(), &Decision::of(TemplateStatus::Pending));
    }
}

/// Ends a round of review according to the policy. Under `manual` the template stays pending.
pub(crate) fn end(state: &mut State, uuid: &str, round: u64) {
    let settings = &state.settings;
    let Some(entry) = state.templates.get(uuid) else { return };
    let pending: Vec<u64> =
        entry.ids.keys().copied().filter(|waba| *entry.status_in(Some(*waba)) == TemplateStatus::Pending).collect();
    if entry.round != round || pending.is_empty() {
        return;
    }
    let is_undecided = pending.len() == entry.ids.len();
    let decision = match settings.review {
        ReviewPolicy::Manual => return,
        ReviewPolicy::Approve => Decision::of(TemplateStatus::Approved),
        ReviewPolicy::Reject | ReviewPolicy::RejectOnce => {
            let reason = settings.rejection_reason.as_str();
            let info = (reason == INVALID_FORMAT).then(|| objection(&entry.template));
            Decision::rejected(reason, info)
        }
        ReviewPolicy::Auto => {
            let judgement = rules::judge(&entry.template, settings.profile);
            match judgement.refused.into_iter().chain(judgement.rejected).next() {
                None => Decision::of(TemplateStatus::Approved),
                Some(finding) => Decision::rejected(INVALID_FORMAT, Some(info(finding.message, &finding.path))),
            }
        }
    };
    if is_undecided {
        apply(state, uuid, &decision);
    } else {
        for waba in pending {
            apply(state, uuid, &Decision { waba_id: Some(waba), ..decision.clone() });
        }
    }
    if state.settings.review == ReviewPolicy::RejectOnce {
        state.settings.review = ReviewPolicy::Auto;
        reconsider(state);
    }
}

fn info(reason: String, path: &str) -> RejectionInfo {
    let recommendation = format!("Correct `{}` and submit the template again.", crate::refusal::field_name(path));
    RejectionInfo { reason: Some(reason), recommendation: Some(recommendation), ..RejectionInfo::default() }
}

/// The objection of a strict reviewer: the most severe finding, otherwise one about the body.
fn objection(template: &Template) -> RejectionInfo {
    let finding = model::lint::lint(template).into_iter().min_by_key(|finding| finding.severity);
    if let Some(finding) = finding.filter(|finding| finding.severity != Severity::Hint) {
        return info(finding.message, &finding.path);
    }
    let body = template.components.iter().position(|component| matches!(component, Component::Body(_)));
    let path = body.map_or_else(|| "/components".to_owned(), |index| format!("/components/{index}/text"));
    info("The review could not tell what the message is about. Write more of it.".to_owned(), &path)
}

/// Schedules what the seed reports about single accounts, one review time after a client has listed the templates.
pub(crate) fn schedule_account_statuses(state: &mut State) {
    let due = due(state);
    for task in std::mem::take(&mut state.account_statuses) {
        state.schedule_at(due, task);
    }
}

/// Applies a status in one WABA, as the channel does without a review. Not after an edit: then a review decides.
pub(crate) fn report_in(state: &mut State, uuid: &str, waba: u64, decision: Decision) {
    if state.templates.get(uuid).is_some_and(|entry| entry.round == 0) {
        apply(state, uuid, &Decision { waba_id: Some(waba), ..decision });
    }
}

/// Starts a new round for every pending template, after the policy has changed.
pub(crate) fn reconsider(state: &mut State) {
    // `RejectOnce` applies to the next submitted template, not to one that is already pending.
    if state.settings.review == ReviewPolicy::RejectOnce {
        return;
    }
    let pending: Vec<String> = state
        .templates
        .newest_first()
        .filter(|(_, entry)| entry.statuses().any(|status| *status == TemplateStatus::Pending))
        .map(|(_, entry)| entry.uuid.clone())
        .collect();
    for uuid in pending {
        schedule(state, &uuid);
    }
}

/// Applies a decision to a template and emits its event.
pub(crate) fn decide(state: &mut State, uuid: &str, decision: &Decision) -> Result<(), Refusal> {
    if decision.event.as_str().is_empty() {
        return Err(Refusal::field("/event", "must not be empty").with_status(StatusCode::BAD_REQUEST));
    }
    let entry = state.templates.get(uuid).ok_or_else(|| Refusal::no_template(uuid))?;
    if let Some(waba) = decision.waba_id {
        check_waba(entry, decision, waba)?;
    }
    apply(state, uuid, decision);
    Ok(())
}

/// Checks a decision for one WABA. What a record has once, such as the category, is decided for all of them.
fn check_waba(entry: &Entry, decision: &Decision, waba: u64) -> Result<(), Refusal> {
    let known = entry.ids.keys().map(u64::to_string).collect::<Vec<_>>().join(", ");
    let flaw = if !entry.ids.contains_key(&waba) {
        format!("must be a WABA of the template: {known}")
    } else if decision.new_category.is_some() {
        "must be absent beside `new_category`, which applies to all WABAs".to_owned()
    } else if matches!(decision.event, TemplateStatus::Archived | TemplateStatus::Unarchived) {
        "must be absent for this event, which applies to all WABAs".to_owned()
    } else {
        return Ok(());
    };
    Err(Refusal::field("/waba_id", flaw))
}

fn apply(state: &mut State, uuid: &str, decision: &Decision) {
    let Some(entry) = state.templates.get_mut(uuid) else { return };
    match &decision.event {
        TemplateStatus::Archived => entry.archived_at = Some(now()),
        TemplateStatus::Unarchived => entry.archived_at = None,
        event => match (event.resulting(), decision.waba_id) {
            (Some(status), Some(waba)) => entry.set_status_in(waba, status),
            (Some(status), None) => {
                entry.status = status;
                entry.other_statuses.clear();
            }
            (None, _) => {}
        },
    }
    // A record has the reason of the status that it shows.
    if decision.waba_id.is_none_or(|waba| entry.is_first(waba)) {
        let rejected = decision.event == TemplateStatus::Rejected;
        entry.reason = rejected.then(|| decision.reason.clone().unwrap_or_else(|| INVALID_FORMAT.to_owned()));
        entry.rejection_info = if rejected { decision.rejection_info.clone() } else { None };
    }
    entry.updated_at = now();
    let previous = entry.template.category.clone();
    let changed = decision.new_category.clone().filter(|category| *category != previous);
    if let Some(category) = &changed {
        entry.template.category = category.clone();
    }
    let entry = entry.clone();
    announce(state, &entry, decision);
    // The contract has no event for this.
    if let Some(category) = changed.filter(|_| !state.settings.is_minimal()) {
        for (waba, id) in &entry.ids {
            let value = json!({
                "message_template_id": id,
                "message_template_name": entry.template.name,
                "message_template_language": entry.template.language,
                "previous_category": previous.as_str().to_uppercase(),
                "new_category": category.as_str().to_uppercase(),
            });
            state.emit(waba.to_string(), None, "template_category_update", value);
        }
    }
}

/// Emits one event for each WABA of the decision; the template has a different ID in each.
fn announce(state: &mut State, entry: &Entry, decision: &Decision) {
    let is_meant = |waba: u64| decision.waba_id.is_none_or(|only| only == waba);
    let ids = || entry.ids.iter().filter(|(waba, _)| is_meant(**waba));
    if state.settings.is_minimal() {
        let template = &entry.template;
        for (waba, id) in ids() {
            if let Some(value) =
                contract_fields::template_event(&decision.event, *id, &template.name, &template.language)
            {
                state.emit(waba.to_string(), None, "message_template_status_update", value);
            }
        }
        return;
    }
    let reason = match (&decision.reason, &decision.event) {
        (Some(reason), _) => json!(reason),
        (None, TemplateStatus::Rejected) => json!(INVALID_FORMAT),
        (None, TemplateStatus::PendingDeletion) => Value::Null,
        (None, _) => json!("NONE"),
    };
    for (waba, id) in ids() {
        let mut value = json!({
            "event": decision.event,
            "message_template_id": id,
            "message_template_name": entry.template.name,
            "message_template_language": entry.template.language,
            "reason": reason,
            "message_template_category": entry.template.category.as_str().to_uppercase(),
        });
        if let Some(info) = &decision.rejection_info {
            value["rejection_info"] = json!(info);
        }
        if let Some(info) = &decision.disable_info {
            value["disable_info"] = info.clone();
        }
        if let Some(info) = &decision.other_info {
            value["other_info"] = info.clone();
        }
        state.emit(waba.to_string(), None, "message_template_status_update", value);
    }
}
