//! The statuses reported for a message, in the order in which they happened.

use model::error_code::{self, Explanation};
use model::event::status::{Conversation, Pricing};
use model::failure::Failure;
use model::vocabulary::MessageStatus;
use store::cache::ItemRow;
use store::desk::{SendOutcome, SendState};

use command_types::send::{StatusConversation, StatusEntry, StatusPricing};

/// The explanation of an error object in JSON.
fn explanation(error: &str) -> Option<Explanation> {
    let failure: Failure = serde_json::from_str(error).ok()?;
    Some(error_code::explain(&failure))
}

/// The statuses of a message, oldest first, with their events that Activity still has.
pub(super) fn timeline(outcomes: Vec<SendOutcome>, items: &[ItemRow]) -> Vec<StatusEntry> {
    let late: Vec<bool> = outcomes.iter().map(|outcome| is_late(outcome, &outcomes)).collect();
    let mut timeline: Vec<StatusEntry> =
        outcomes.into_iter().zip(late).map(|(outcome, late)| entry(outcome, late, items)).collect();
    // Statuses within one second arrive in any order; the logical order is sent, delivered, read.
    timeline.sort_by_key(|entry| (entry.at, rank(&entry.status).unwrap_or(u8::MAX)));
    timeline
}

fn rank(status: &str) -> Option<u8> {
    MessageStatus::from(status).rank()
}

/// Whether a later status in the logical order was received before this one (upstream §8.3).
fn is_late(outcome: &SendOutcome, all: &[SendOutcome]) -> bool {
    let Some(own) = rank(&outcome.status) else { return false };
    all.iter().any(|other| other.seq < outcome.seq && rank(&other.status).is_some_and(|rank| rank > own))
}

fn entry(outcome: SendOutcome, late: bool, items: &[ItemRow]) -> StatusEntry {
    let of_outcome =
        || items.iter().filter(|item| item.status.as_deref() == Some(&outcome.status) && item.at == outcome.at);
    StatusEntry {
        received_at: outcome.received_at.or_else(|| of_outcome().map(|item| item.received_at).min()),
        deliveries: of_outcome().map(|item| item.deliveries).sum::<u64>().max(1),
        event: of_outcome().next().map(|item| item.id.to_string()),
        explanation: outcome.error.as_deref().and_then(explanation),
        pricing: outcome.pricing.as_deref().and_then(pricing),
        conversation: outcome.conversation.as_deref().and_then(conversation),
        late: late.then_some(true),
        callback_data: outcome.callback_data,
        error: outcome.error,
        at: outcome.at,
        status: outcome.status,
    }
}

/// The price of a message: the last that is reported. Only what is delivered is charged, and the channel reports a price
/// when it sends: for a message that failed, only that of its failure counts.
pub(super) fn pricing_of(state: &SendState, timeline: &[StatusEntry]) -> Option<StatusPricing> {
    let failed = MessageStatus::Failed;
    let counts = |entry: &&StatusEntry| {
        *state != SendState::Reported(failed.clone()) || MessageStatus::from(entry.status.as_str()) == failed
    };
    timeline.iter().rev().filter(counts).find_map(|entry| entry.pricing.clone())
}

fn pricing(json: &str) -> Option<StatusPricing> {
    let pricing: Pricing = serde_json::from_str(json).ok()?;
    let charged = pricing.is_charged();
    let Pricing { pricing_model, kind, subtype, category, .. } = pricing;
    let pricing = StatusPricing { charged, model: pricing_model, kind, subtype, category };
    (pricing != StatusPricing::default()).then_some(pricing)
}

fn conversation(json: &str) -> Option<StatusConversation> {
    let conversation: Conversation = serde_json::from_str(json).ok()?;
    let seconds = conversation.expiration_timestamp.and_then(|text| text.split('.').next()?.parse::<i64>().ok());
    let conversation = StatusConversation {
        id: conversation.id,
        origin: conversation.origin.and_then(|origin| origin.kind),
        expires_at: seconds.map(|seconds| seconds.saturating_mul(1_000)),
    };
    (conversation != StatusConversation::default()).then_some(conversation)
}
