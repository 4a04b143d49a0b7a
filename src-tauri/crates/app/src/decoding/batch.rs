//! Decodes a batch of deliveries into the rows that the files store.

use model::item::{self, Decoded, Item};
use store::cache::{ProjectedItem, ProjectionMark};
use store::delivery_log::Delivery;
use store::desk::{MarketingPreference, OutcomeReport, Reply, TemplateEvent};

use super::effect;
use super::marketing::{self, MaybeOptOut};

/// Kind of the placeholder item for a delivery that could not be processed.
const SET_ASIDE: &str = "set_aside";

/// The decoded items and effects of a batch of deliveries.
#[derive(Debug, Default)]
pub(crate) struct DecodedBatch {
    pub(crate) items: Vec<ProjectedItem>,
    pub(crate) outcomes: Vec<OutcomeReport>,
    pub(crate) events: Vec<TemplateEvent>,
    pub(crate) replies: Vec<Reply>,
    pub(crate) marketing: Vec<MarketingPreference>,
    /// Messages that are opt-outs if their workspaces have the words.
    pub(crate) maybe_opt_outs: Vec<MaybeOptOut>,
    /// The endpoints that received the deliveries, each once.
    pub(crate) routes: Vec<String>,
    /// The position of the end of the batch.
    pub(crate) last: ProjectionMark,
}

impl DecodedBatch {
    pub(crate) fn of(deliveries: &[Delivery]) -> Self {
        Self::up_to(ProjectionMark::default(), deliveries, usize::MAX)
    }

    /// Decodes deliveries from a position on, as many, or as many items of a single one, as take about `max_bytes` of
    /// memory.
    pub(crate) fn up_to(from: ProjectionMark, deliveries: &[Delivery], max_bytes: usize) -> Self {
        let mut batch = Self { last: from, ..Self::default() };
        let mut left = max_bytes;
        for delivery in deliveries {
            // The count of applied items belongs to a delivery; it does not apply to the next one.
            let first = if delivery.seq == batch.last.seq + 1 { batch.last.items } else { 0 };
            let first = usize::try_from(first).unwrap_or_default();
            let (items, next) = item::items_to_decode(&delivery.body, first, left);
            if !batch.routes.contains(&delivery.route) {
                batch.routes.push(delivery.route.clone());
            }
            for (ordinal, item) in (first..).zip(items) {
                left = left.saturating_sub(item.memory());
                batch.add(delivery, ordinal, item);
            }
            if let Some(next) = next {
                let items = i64::try_from(next).unwrap_or(i64::MAX);
                batch.last = ProjectionMark { seq: delivery.seq - 1, items };
                return batch;
            }
            batch.last = delivery.seq.into();
            if left == 0 {
                return batch;
            }
        }
        batch
    }

    /// An empty batch up to a given sequence number.
    pub(crate) fn empty(last: i64) -> Self {
        Self { last: last.into(), ..Self::default() }
    }

    /// The placeholder for a delivery that cannot be processed.
    pub(crate) fn set_aside(delivery: &Delivery, reason: &str) -> Self {
        let item = ProjectedItem {
            seq: delivery.seq,
            // After all items of the delivery: some of them may be applied already.
            ordinal: i64::from(u32::MAX),
            received_at: delivery.received_at,
            route: delivery.route.clone(),
            key: format!("{SET_ASIDE}:{}", delivery.seq),
            kind: SET_ASIDE.to_owned(),
            at: delivery.received_at,
            text: reason.to_owned(),
            value: "null".to_owned(),
            ..ProjectedItem::default()
        };
        Self { items: vec![item], routes: vec![delivery.route.clone()], last: delivery.seq.into(), ..Self::default() }
    }

    fn add(&mut self, delivery: &Delivery, ordinal: usize, mut item: Item) {
        let decoded = item.take_decoded();
        let projected = effect::project(delivery, ordinal, item, &decoded);
        self.marketing.extend(marketing::marketing_preferences(&projected, &decoded));
        self.maybe_opt_outs.extend(marketing::maybe_opt_out(&projected, &decoded));
        match decoded {
            Decoded::Message { .. } => self.replies.extend(effect::reply(&projected)),
            Decoded::Status { .. } => self.outcomes.extend(effect::outcome(&projected)),
            Decoded::TemplateStatus(_)
            | Decoded::TemplateQuality(_)
            | Decoded::TemplateCategory(_)
            | Decoded::TemplateComponents(_) => self.events.extend(effect::template_event(&projected)),
            _ => {}
        }
        self.items.push(projected);
    }
}
