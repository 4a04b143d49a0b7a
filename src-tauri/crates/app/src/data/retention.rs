//! Retention: removes old deliveries in steps while others are received.

use std::collections::{BTreeMap, HashMap};

use model::event::kind::ItemKind;
use model::item;
use serde::{Deserialize, Serialize};
use store::cache::{ApplyError, Removal};
use store::delivery_log::{Delivery, OldDeliveries};
use store::failpoint;

use super::{RETENTION_KEY, blocking, check_policy, retention_policy};
use crate::data::Data;
use crate::decoding::DecodedBatch;
use command_types::Nothing;
use command_types::error::{ConflictFault, DeskError, Result};
use command_types::event::DeskEvent;
use command_types::storage::{
    KindCount, RetentionKind, RetentionPolicy, RetentionPreview, RetentionReport, StorageState,
};
use outgoing::{now, to_json};

/// Deliveries checked in one step.
const STEP_DELIVERIES: u32 = 2_000;
/// Milliseconds of a day.
const DAY: i64 = 86_400_000;
/// Desk settings key of the sequence number up to which nothing more can expire.
const SETTLED_KEY: &str = "retention.settled";

/// Desk settings key of the last instant at which retention ran. Unlike the timestamps of deliveries, it is never later
/// than a correct clock.
const CLOCK_KEY: &str = "retention.clock";
/// If that instant is more than this many days ago, the clock is assumed to be wrong.
const MAX_CLOCK_DAYS: i64 = 90;

/// Why retention must ask a person first; `None` if it may remove deliveries. `known` is the last instant at which the
/// clock was right, in Unix milliseconds; of `stored` deliveries, `expired` would be removed.
fn reason_to_ask(now: i64, known: Option<i64>, expired: u64, stored: u64) -> Option<String> {
    if expired == 0 {
        return None;
    }
    let days = days_since(known, now);
    if days > MAX_CLOCK_DAYS {
        return Some(format!(
            "{expired} of {stored} stored webhooks are old enough to be removed, but the clock is {days} days ahead of \
             when they were last cleaned up. Nothing was removed. Check the date of this computer; if it is right, \
             remove them in Settings, Storage."
        ));
    }
    (expired > stored / 2).then(|| {
        format!(
            "{expired} of {stored} stored webhooks are old enough to be removed. Because that is most of them, \
             nothing was removed yet. Review and remove them in Settings, Storage."
        )
    })
}

fn days_since(known: Option<i64>, now: i64) -> i64 {
    known.map_or(0, |known| now.saturating_sub(known) / DAY)
}

/// The sequence number up to which every delivery is removed, or kept permanently by the policy at that time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct RetentionProgress {
    policy: RetentionPolicy,
    delivery_log: String,
    seq: i64,
}

/// The verdict of a policy about a delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Decision {
    /// Everything in it has expired.
    Expired,
    /// It will expire later.
    Later,
    /// Something in it is kept permanently.
    Kept,
}

/// A policy at a given time.
#[derive(Clone, Debug)]
struct Rules {
    /// By kind: deliveries from before this instant expire.
    before: HashMap<RetentionKind, i64>,
    /// No delivery from this instant or later can expire.
    latest: i64,
}

impl Rules {
    /// `None` when nothing can expire.
    fn of(policy: &RetentionPolicy, now: i64) -> Option<Self> {
        let before: HashMap<_, _> =
            policy.rules.iter().map(|rule| (rule.kind, now - i64::from(rule.days) * DAY)).collect();
        let latest = before.values().copied().max()?;
        Some(Self { before, latest })
    }

    fn classify(&self, received_at: i64, kinds: impl IntoIterator<Item = RetentionKind>) -> Decision {
        let mut decision = Decision::Expired;
        for kind in kinds {
            match self.before.get(&kind) {
                None => return Decision::Kept,
                Some(before) if received_at >= *before => decision = Decision::Later,
                Some(_) => {}
            }
        }
        decision
    }
}

/// The result of a step.
#[derive(Debug, Default)]
struct Scan {
    expired: Vec<i64>,
    bytes: u64,
    kinds: BTreeMap<RetentionKind, u64>,
    newest: Option<i64>,
    /// The last delivery up to which every verdict is final.
    final_seq: Option<i64>,
    /// Something will expire later: no verdict after it is final.
    has_later: bool,
    last: i64,
}

impl Data {
    /// What applying a policy now would remove. Reads every delivery that is old enough for one of its rules.
    pub async fn preview_retention(&self, policy: RetentionPolicy) -> Result<RetentionPreview> {
        check_policy(&policy)?;
        let mut preview = RetentionPreview::default();
        let mut kinds = BTreeMap::new();
        let Some(rules) = Rules::of(&policy, now()) else { return Ok(preview) };
        let mut from = self.final_seq(&policy).await?;
        let last = self.0.context.reader.last_seq().await?;
        while let Some(scan) = self.scan_step(&rules, from).await? {
            from = scan.last;
            // The newest delivery is always kept.
            preview.deliveries += scan.expired.iter().filter(|seq| **seq != last).count() as u64;
            preview.bytes += scan.bytes;
            preview.before = preview.before.max(scan.newest);
            for (kind, count) in scan.kinds {
                *kinds.entry(kind).or_insert(0) += count;
            }
        }
        preview.kinds = kinds.into_iter().map(|(kind, items)| KindCount { kind, items }).collect();
        Ok(preview)
    }

    /// Sets the retention policy. This removes nothing yet.
    ///
    /// # Errors
    /// [`DeskError::InvalidInput`] for two rules of one kind, or days out of range.
    pub async fn set_retention(&self, policy: RetentionPolicy) -> Result<StorageState> {
        check_policy(&policy)?;
        self.0.context.desk.set_setting(RETENTION_KEY, to_json(&policy)?).await?;
        self.0.context.emit(DeskEvent::StorageChanged {});
        self.get_storage(Nothing {}).await
    }

    /// Removes the deliveries that the policy does not keep, in steps between which deliveries are received. Outcomes
    /// of sends and histories of templates are in the desk and are kept; the newest delivery is kept, so that no
    /// sequence number is reused.
    ///
    /// # Errors
    /// [`DeskError::Conflict`] during a rebuild; [`DeskError::Storage`] when a file cannot be written. Deliveries
    /// removed by then stay removed, and the next call continues from there.
    pub async fn apply_retention(&self, _request: Nothing) -> Result<RetentionReport> {
        let mut report = RetentionReport::default();
        let policy = retention_policy(&self.0.context.desk).await?;
        self.record_clock().await?;
        let Some(rules) = Rules::of(&policy, now()) else { return Ok(report) };
        // One at a time: concurrent runs would count the same deliveries.
        let _guard = self.0.retaining.lock().await;
        let mut from = self.final_seq(&policy).await?;
        let mut settles = true;
        while let Some(scan) = self.scan_step(&rules, from).await? {
            from = scan.last;
            if !scan.expired.is_empty() {
                report.deliveries += self.remove(scan.expired).await?;
                report.bytes += scan.bytes;
            }
            if settles && let Some(seq) = scan.final_seq {
                let delivery_log = self.0.context.delivery_log.log_id().to_owned();
                let progress = RetentionProgress { policy: policy.clone(), delivery_log, seq };
                self.0.context.desk.set_setting(SETTLED_KEY, to_json(&progress)?).await?;
            }
            settles &= !scan.has_later;
            if self.0.context.cancel.is_cancelled() {
                break;
            }
        }
        if report.deliveries > 0 {
            while !self.0.context.cancel.is_cancelled() && self.0.context.delivery_log.shrink().await? {}
            self.0.context.delivery_log.checkpoint().await?;
            self.0.conversations.remove_orphaned_media().await?;
            tracing::info!(deliveries = report.deliveries, bytes = report.bytes, "removed by retention");
            self.0.context.emit(DeskEvent::StorageChanged {});
        }
        Ok(report)
    }

    /// Applies retention without asking, unless the clock is far ahead of the last recorded instant or most deliveries
    /// would be removed. In these cases it adds a notice, and the person can review and use [`Self::apply_retention`].
    pub(crate) async fn apply_retention_automatically(&self) -> Result<RetentionReport> {
        let policy = retention_policy(&self.0.context.desk).await?;
        let preview = self.preview_retention(policy).await?;
        let extent = self.0.context.reader.extent().await?;
        let known = self.0.context.desk.setting(CLOCK_KEY).await?.and_then(|at| at.parse().ok()).or(extent.last_at);
        if let Some(reason) = reason_to_ask(now(), known, preview.deliveries, extent.deliveries) {
            self.0.context.notice(reason);
            return Ok(RetentionReport::default());
        }
        if preview.deliveries == 0 {
            if days_since(known, now()) <= MAX_CLOCK_DAYS {
                self.record_clock().await?;
            }
            return Ok(RetentionReport::default());
        }
        self.apply_retention(Nothing {}).await
    }

    /// Records the present as an instant at which the clock was right. A clock behind the recorded instant is wrong.
    async fn record_clock(&self) -> Result<()> {
        let known = self.0.context.desk.setting(CLOCK_KEY).await?.and_then(|at| at.parse().ok());
        let at = known.map_or(now(), |known: i64| known.max(now()));
        Ok(self.0.context.desk.set_setting(CLOCK_KEY, at.to_string()).await?)
    }

    /// The sequence number up to which nothing more can expire under this policy.
    async fn final_seq(&self, policy: &RetentionPolicy) -> Result<i64> {
        let stored = self.0.context.desk.setting(SETTLED_KEY).await?;
        let progress: RetentionProgress = stored.and_then(|json| serde_json::from_str(&json).ok()).unwrap_or_default();
        let is_valid = progress.policy == *policy && progress.delivery_log == self.0.context.delivery_log.log_id();
        Ok(if is_valid { progress.seq } else { 0 })
    }

    /// Checks the deliveries after `from`. `None` at the end.
    async fn scan_step(&self, rules: &Rules, from: i64) -> Result<Option<Scan>> {
        let old = self.0.context.reader.older_than(rules.latest, from, STEP_DELIVERIES).await?;
        let Some(old) = old else { return Ok(None) };
        let rules = rules.clone();
        Ok(Some(blocking(move || Scan::of(&rules, &old)).await?))
    }

    /// Removes deliveries: first what was decoded from them, then their delivery log rows. A crash between the two
    /// leaves deliveries without decoded data, never decoded data without its delivery; the next run removes them.
    pub(super) async fn remove(&self, mut expired: Vec<i64>) -> Result<u64> {
        failpoint::step("retention.chosen")?;
        // The projector must not restore deliveries that it had read before.
        let _guard = self.0.webhooks.pause_projection().await;
        let last = *self.0.context.delivery_log.stored().borrow();
        expired.extend(self.0.context.cache.deliveries_of_same_messages(expired.clone()).await?);
        expired.retain(|seq| *seq != last);
        expired.sort_unstable();
        let mut rest = self.0.context.cache.related_deliveries(expired.clone()).await?;
        loop {
            let mut deliveries = Vec::with_capacity(rest.len());
            for seq in &rest {
                deliveries.extend(self.0.context.reader.get(*seq).await?);
            }
            let items = blocking(move || DecodedBatch::of(&deliveries).items).await?;
            let forgotten = self
                .0
                .context
                .cache
                .remove_deliveries(self.0.context.delivery_log.log_id(), expired.clone(), rest.clone(), items)
                .await;
            match forgotten {
                Ok(Removal::Done(_)) => break,
                Ok(Removal::Missing(more)) => {
                    rest.extend(more);
                    rest.sort_unstable();
                    rest.dedup();
                }
                Err(ApplyError::Cursor(_)) => {
                    return Err(DeskError::conflict(ConflictFault::WebhooksWait {}));
                }
                Err(ApplyError::Store(error)) => return Err(error.into()),
            }
        }
        failpoint::step("retention.cache")?;
        let removed = self.0.context.delivery_log.remove(expired).await?;
        failpoint::step("retention.delivery_log")?;
        Ok(removed)
    }
}

impl Scan {
    fn of(rules: &Rules, old: &OldDeliveries) -> Self {
        let mut scan = Self { last: old.last, ..Self::default() };
        for delivery in &old.deliveries {
            scan.has_later |= old.first_young.is_some_and(|young| young < delivery.seq);
            scan.add(rules, delivery);
        }
        scan.has_later |= old.first_young.is_some();
        scan
    }

    fn add(&mut self, rules: &Rules, delivery: &Delivery) {
        let mut counts: BTreeMap<RetentionKind, u64> = BTreeMap::new();
        for item in item::items(&delivery.body) {
            *counts.entry(kind_of(&item.kind)).or_insert(0) += 1;
        }
        if counts.is_empty() {
            // An envelope without items.
            counts.insert(RetentionKind::Other, 0);
        }
        match rules.classify(delivery.received_at, counts.keys().copied()) {
            Decision::Expired => {
                self.expired.push(delivery.seq);
                self.bytes += delivery.body.len() as u64;
                self.newest = self.newest.max(Some(delivery.received_at));
                for (kind, count) in counts.into_iter().filter(|(_, count)| *count > 0) {
                    *self.kinds.entry(kind).or_insert(0) += count;
                }
            }
            Decision::Later => self.has_later = true,
            Decision::Kept => {}
        }
        if !self.has_later {
            self.final_seq = Some(delivery.seq);
        }
    }
}

fn kind_of(kind: &ItemKind) -> RetentionKind {
    match kind {
        ItemKind::Status => RetentionKind::Status,
        ItemKind::Message => RetentionKind::Message,
        kind if kind.is_template() => RetentionKind::Template,
        _ => RetentionKind::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use command_types::storage::RetentionRule;

    #[test]
    fn retention_asks_before_removing_most_deliveries_or_after_a_clock_jump() {
        let now = 1_800_000_000_000;
        for (known, expired, stored, expected) in [
            (Some(now - DAY), 0, 1_000, None),
            (None, 400, 1_000, None),
            (Some(now - DAY), 500, 1_000, None),
            (Some(now + 9_000 * DAY), 10, 1_000, None),
            (Some(now - DAY), 501, 1_000, Some("501 of 1000 stored webhooks")),
            (Some(now - 91 * DAY), 1, 1_000, Some("the clock is 91 days ahead")),
            (Some(now - 4_000 * DAY), 0, 1_000, None),
            (Some(i64::MIN), 7, 9, Some("7 of 9 stored webhooks")),
        ] {
            let reason = reason_to_ask(now, known, expired, stored);
            let fits = reason.as_deref().zip(expected).is_some_and(|(reason, part)| reason.contains(part));
            assert!(fits || (reason.is_none() && expected.is_none()), "{known:?} {expired} {stored}: {reason:?}");
        }
    }

    #[test]
    fn a_delivery_expires_when_every_item_in_it_is_expired() {
        use RetentionKind::{Message, Other, Status, Template};
        let rule = |kind, days| RetentionRule { kind, days };
        let policy = RetentionPolicy { rules: vec![rule(Status, 10), rule(Template, 30)] };
        let now = 100 * DAY;
        let rules = Rules::of(&policy, now).expect("it has rules");
        let cases: [(i64, &[RetentionKind], Decision); 9] = [
            (11, &[Status], Decision::Expired),
            (9, &[Status], Decision::Later),
            (31, &[Status, Template], Decision::Expired),
            (11, &[Status, Template], Decision::Later),
            (99, &[Message], Decision::Kept),
            (99, &[Status, Message], Decision::Kept),
            (99, &[Other], Decision::Kept),
            (99, &[Template], Decision::Expired),
            (29, &[Template], Decision::Later),
        ];
        for (age, kinds, decision) in cases {
            assert_eq!(rules.classify(now - age * DAY, kinds.iter().copied()), decision, "{age} days, {kinds:?}");
        }
        assert!(Rules::of(&RetentionPolicy::default(), now).is_none(), "without rules nothing goes");
    }
}
