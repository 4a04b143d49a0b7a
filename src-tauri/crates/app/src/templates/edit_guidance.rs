//! Guidance for editing a template: the remaining edits, and the causes of a rejection.

use model::envelope::RejectionInfo;
use model::finding::Finding;
use model::rejection::guidance;
use model::template::TemplateRecord;
use model::vocabulary::TemplateStatus;
use store::cache::CachedTemplate;
use store::desk::{CallState, Submission, SubmissionKind};

use super::Templates;
use command_types::edit::EditQuota;
use command_types::error::Result;
use outgoing::compute;
use outgoing::now;

/// Windows in which the channel counts edits of approved templates, in milliseconds, and the number allowed in each
/// (upstream §5.3).
const DAY: i64 = 24 * 60 * 60 * 1000;
const MONTH: i64 = 30 * DAY;
const MAX_EDITS_PER_DAY: u32 = 1;
const MAX_EDITS_PER_MONTH: u32 = 10;
/// Maximum number of submissions read; more than anyone makes of one template in a month.
const MAX_SUBMISSIONS: u32 = 1_000;

impl Templates {
    /// The channel's edit quota of a template, based on the edits made here. `differs` says that its WABAs have different
    /// statuses: then every edit counts, because one of them may have approved the template before.
    pub(crate) async fn edit_quota(&self, workspace: &str, reference: &str, differs: bool) -> Result<EditQuota> {
        let made = self.0.context.desk.submissions_of_template(workspace, reference, MAX_SUBMISSIONS).await?;
        Ok(quota(&made, differs, now()))
    }

    /// The causes of a rejection; empty unless the template is rejected.
    pub(crate) async fn guidance(&self, cached: &CachedTemplate, record: &TemplateRecord) -> Result<Vec<Finding>> {
        if cached.row.status != TemplateStatus::Rejected.as_str() {
            return Ok(Vec::new());
        }
        let info = self.rejection(cached, record).await?;
        let (template, reason) = (record.template.clone(), cached.row.rejected_reason.clone());
        compute::run(move || guidance(&template, reason.as_deref(), info.as_ref())).await
    }

    /// The rejection according to the record or, if it has none, to the newest rejection event.
    pub(crate) async fn rejection(
        &self,
        cached: &CachedTemplate,
        record: &TemplateRecord,
    ) -> Result<Option<RejectionInfo>> {
        if record.rejection_info.is_some() {
            return Ok(record.rejection_info.clone());
        }
        let events = self.template_events(cached).await?;
        Ok(events.iter().find(|event| event.event == "REJECTED").and_then(crate::templates::versions::rejection_of))
    }
}

/// The edit quota, based on the edits made here. Edits of a template that was not approved do not count; if its status
/// is unknown, the edit counts, so that the quota is never overestimated.
fn quota(submissions: &[Submission], differs: bool, now: i64) -> EditQuota {
    let mut edits: Vec<i64> = submissions
        .iter()
        .filter(|submission| submission.kind == SubmissionKind::Edit && submission.state == CallState::Accepted)
        .filter(|submission| {
            let status = submission.status_before.as_deref();
            differs || status.is_none_or(|status| TemplateStatus::from(status).is_sendable())
        })
        .map(|submission| submission.created_at)
        .collect();
    edits.sort_unstable();
    let window = |length: i64, allowed: u32| {
        let inside: Vec<i64> = edits.iter().copied().filter(|at| *at > now - length).collect();
        let used = u32::try_from(inside.len()).unwrap_or(u32::MAX);
        // The next edit is allowed when enough of the oldest edits have left the window.
        let next = used.checked_sub(allowed).and_then(|over| inside.get(over as usize)).map(|at| at + length);
        (used, next)
    };
    let ((used_day, next_day), (used_month, next_month)) =
        (window(DAY, MAX_EDITS_PER_DAY), window(MONTH, MAX_EDITS_PER_MONTH));
    EditQuota {
        used_day,
        per_day: MAX_EDITS_PER_DAY,
        used_month,
        per_month: MAX_EDITS_PER_MONTH,
        next_at: next_day.max(next_month),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(at: i64, state: CallState, status_before: Option<&str>) -> Submission {
        Submission {
            id: at.to_string(),
            workspace_id: "w".to_owned(),
            draft_id: None,
            template_ref: Some("r".to_owned()),
            waba: "1".to_owned(),
            kind: SubmissionKind::Edit,
            request: "{}".to_owned(),
            state,
            response_status: None,
            response_body: None,
            error: None,
            created_at: at,
            answered_at: None,
            status_before: status_before.map(str::to_owned),
            files: None,
        }
    }

    #[test]
    fn edits_of_approved_templates_count_towards_the_quota() {
        let now = 100 * DAY;
        let accepted = |at| edit(at, CallState::Accepted, Some("APPROVED"));
        let hour = DAY / 24;
        // Edits, then the numbers used in a day and in a month, and when the next one is allowed.
        let ten = (0..10).map(|days| accepted(now - 2 * DAY - days * DAY)).collect::<Vec<_>>();
        let cases = [
            (vec![], 0, 0, None),
            (vec![accepted(now - hour)], 1, 1, Some(now - hour + DAY)),
            (vec![accepted(now - DAY)], 0, 1, None),
            (vec![accepted(now - MONTH)], 0, 0, None),
            (vec![accepted(now - hour), accepted(now - 2 * hour)], 2, 2, Some(now - hour + DAY)),
            (vec![edit(now - hour, CallState::Accepted, None)], 1, 1, Some(now - hour + DAY)),
            (vec![edit(now - hour, CallState::Accepted, Some("REJECTED"))], 0, 0, None),
            (vec![edit(now - hour, CallState::Accepted, Some("PAUSED"))], 0, 0, None),
            (vec![edit(now - hour, CallState::Refused, Some("APPROVED"))], 0, 0, None),
            (vec![edit(now - hour, CallState::Unknown, Some("APPROVED"))], 0, 0, None),
            (vec![Submission { kind: SubmissionKind::Create, ..accepted(now - hour) }], 0, 0, None),
            (ten.clone(), 0, 10, Some(now - 11 * DAY + MONTH)),
            ([ten, vec![accepted(now - hour)]].concat(), 1, 11, Some(now - 10 * DAY + MONTH)),
        ];
        for (made, used_day, used_month, next_at) in cases {
            let counted = quota(&made, false, now);
            assert_eq!(
                (counted.used_day, counted.used_month, counted.next_at),
                (used_day, used_month, next_at),
                "{made:?}"
            );
        }
        let paused = [edit(now - hour, CallState::Accepted, Some("PAUSED"))];
        assert_eq!(quota(&paused, true, now).used_day, 1, "another account may have approved it");
    }
}
