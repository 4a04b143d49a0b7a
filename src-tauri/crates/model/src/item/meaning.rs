//! Meaning of events about people and accounts, for the Activity screen (upstream §8.8, §14).
//!
//! Messages use [`crate::event::reading`]; statuses and templates have their own screens. Other events would be shown
//! as JSON only.

use serde::Serialize;
use ts_rs::TS;

use super::Decoded;
use crate::event::account::{AccountEvent, BusinessUsername, UserPreference, UserPreferences};
use crate::event::message::{Content, InboundMessage};
use crate::event::reading::{Fact, read_message, words};
use crate::event::revision::Revision;
use crate::event::user_action::{LANDING_PAGE_VIEW, LINK_CLICK, LinkClick, UserAction};

/// Meaning of an event; the window has a sentence for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "model.ts")]
#[serde(rename_all = "camelCase")]
pub enum EventMeaning {
    /// A person followed the link of a marketing message.
    LinkClicked,
    /// The page behind the link of a marketing message was shown inside the channel's app.
    LandingPageViewed,
    /// A person opted out of marketing messages.
    MarketingStopped,
    /// A person opted in to marketing messages again.
    MarketingResumed,
    NumberChanged,
    UserIdChanged,
    /// A person edited an earlier message.
    MessageEdited,
    /// A person deleted an earlier message for everyone.
    MessageDeleted,
    /// The user name of a number is visible to people.
    UsernameApproved,
    /// A user name is reserved for a number and not visible yet.
    UsernameReserved,
    UsernameDeleted,
    /// The channel withdrew a user name.
    UsernameRevoked,
    AccountRestricted,
    AccountViolation,
    AccountDisableScheduled,
    AccountDisabled,
    /// A word about the account's being disabled that this app does not know.
    AccountDisabling,
    AccountReinstated,
    AccountDeleted,
    /// An account's review.
    AccountApproved,
    AccountRejected,
    /// How many people can be contacted in 24 hours; whether more or fewer than before is not known.
    LimitChanged,
    LimitRaised,
    LimitLowered,
    /// People block or report a number.
    NumberFlagged,
    NumberUnflagged,
    /// A number's display name.
    NameApproved,
    NameRejected,
    Alert,
    AlertEnded,
    /// A person asked to reset the PIN of a number.
    PinResetRequested,
    PinReset,
    PinChanged,
}

/// The meaning of an event, and its facts. Labels of facts are keys; values are as received, timestamps in Unix
/// milliseconds. `None` if the kind says enough, or a word is unknown.
#[must_use]
pub fn meaning(decoded: &Decoded) -> Option<(EventMeaning, Vec<Fact>)> {
    match decoded {
        Decoded::UserAction { action, .. } => of_action(action),
        Decoded::Message { message, .. } => of_message(message),
        Decoded::Account(event) => match event.as_ref() {
            AccountEvent::Preferences(preferences) => of_preferences(preferences),
            AccountEvent::Username(username) => of_username(username),
            // Notices about accounts are read by `account_notice`.
            _ => None,
        },
        _ => None,
    }
}

fn of_action(action: &UserAction) -> Option<(EventMeaning, Vec<Fact>)> {
    let meaning = match action.action_type.as_str() {
        LINK_CLICK => EventMeaning::LinkClicked,
        LANDING_PAGE_VIEW => EventMeaning::LandingPageViewed,
        _ => return None,
    };
    let click = action.marketing_messages_link_click_data.as_ref();
    let part = |of: fn(&LinkClick) -> &Option<String>| click.and_then(|click| of(click).clone());
    let facts = [
        ("clickedPart", part(|click| &click.click_component)),
        ("product", part(|click| &click.product_id)),
        ("clickId", part(|click| &click.click_id)),
        ("trackingToken", part(|click| &click.tracking_token)),
    ];
    Some((meaning, non_empty_facts(facts)))
}

/// Only for a single person; a change for several has no common meaning.
fn of_preferences(preferences: &UserPreferences) -> Option<(EventMeaning, Vec<Fact>)> {
    let first = preferences.user_preferences.first()?;
    let value = |preference: &UserPreference| preference.value.as_deref().map(str::to_ascii_lowercase);
    let meaning = match value(first)?.as_str() {
        "stop" => EventMeaning::MarketingStopped,
        "resume" => EventMeaning::MarketingResumed,
        _ => return None,
    };
    if preferences.user_preferences.iter().any(|other| value(other) != value(first)) {
        return None;
    }
    let people = preferences.user_preferences.iter();
    let facts = people.flat_map(|person| {
        [("person", person.person().map(str::to_owned)), ("detail", person.detail.clone())].into_iter()
    });
    Some((meaning, non_empty_facts(facts)))
}

fn of_username(update: &BusinessUsername) -> Option<(EventMeaning, Vec<Fact>)> {
    let is_revoked = update.context.as_deref().is_some_and(|word| word.eq_ignore_ascii_case("revoked"));
    let meaning = match update.status.to_ascii_lowercase().as_str() {
        // The channel replaces a withdrawn user name with a generated one.
        "approved" | "deleted" if is_revoked => EventMeaning::UsernameRevoked,
        "approved" => EventMeaning::UsernameApproved,
        "reserved" => EventMeaning::UsernameReserved,
        "deleted" => EventMeaning::UsernameDeleted,
        _ => return None,
    };
    Some((
        meaning,
        non_empty_facts([("username", update.username.clone()), ("number", update.display_phone_number.clone())]),
    ))
}

/// A message about an earlier one, or a system message about a change of number or identifier.
fn of_message(message: &InboundMessage) -> Option<(EventMeaning, Vec<Fact>)> {
    if let Some(revision) = message.revision() {
        let original = ("changedMessage", Some(revision.original().to_owned()));
        return Some(match &revision {
            Revision::Edit { message, .. } => {
                (EventMeaning::MessageEdited, non_empty_facts([("newText", Some(words(message))), original]))
            }
            Revision::Deletion { .. } => (EventMeaning::MessageDeleted, non_empty_facts([original])),
        });
    }
    let Content::System(system) = message.content() else { return None };
    let meaning = match system.get("type")?.as_str()? {
        "user_changed_number" | "customer_changed_number" => EventMeaning::NumberChanged,
        "user_changed_user_id" => EventMeaning::UserIdChanged,
        _ => return None,
    };
    let mut facts = read_message(&serde_json::to_value(message).ok()?).facts;
    facts.retain(|fact| fact.label != "systemType");
    Some((meaning, facts))
}

pub(super) fn non_empty_facts(facts: impl IntoIterator<Item = (&'static str, Option<String>)>) -> Vec<Fact> {
    let facts = facts.into_iter().filter_map(|(label, value)| Some((label, value.filter(|value| !value.is_empty())?)));
    facts.map(|(label, value)| Fact { label: label.to_owned(), value, link: None }).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::item::items;

    type Understood = Option<(EventMeaning, Vec<(String, String)>)>;

    /// The meanings of the items of one change.
    fn meanings(field: &str, value: &Value) -> Vec<Understood> {
        let body = json!({"object": "o", "entry": [{"id": "1", "changes": [{"field": field, "value": value}]}]});
        let plain = |facts: Vec<Fact>| facts.into_iter().map(|fact| (fact.label, fact.value)).collect();
        let items = items(body.to_string().as_bytes());
        items.iter().map(|item| meaning(&item.decode()).map(|(meaning, facts)| (meaning, plain(facts)))).collect()
    }

    #[test]
    fn events_of_november_2026_are_interpreted() {
        let action = |action: Value| json!({"metadata": {"phone_number_id": "7"}, "user_actions": [action]});
        let preference = |preference: Value| json!({"metadata": {}, "contacts": [], "user_preferences": [preference]});
        let system = |system: Value| {
            json!({"metadata": {}, "messages": [{"from": "1", "id": "w", "timestamp": "1",
            "type": "system", "system": system}]})
        };
        type Row = (&'static str, Value, Option<(EventMeaning, &'static [(&'static str, &'static str)])>);
        let rows: &[Row] = &[
            (
                "messages",
                action(json!({"action_type": "marketing_messages_link_click", "timestamp": "1758585600",
                    "marketing_messages_link_click_data": {"click_component": "cta", "product_id": "sku",
                        "click_id": "c1", "tracking_token": "t1"}})),
                Some((
                    EventMeaning::LinkClicked,
                    &[("clickedPart", "cta"), ("product", "sku"), ("clickId", "c1"), ("trackingToken", "t1")],
                )),
            ),
            (
                "messages",
                action(json!({"action_type": "landing_page_view", "timestamp": 1_758_585_600,
                    "marketing_messages_link_click_data": {"tracking_token": "t1"}})),
                Some((EventMeaning::LandingPageViewed, &[("trackingToken", "t1")])),
            ),
            (
                "messages",
                action(json!({"action_type": "landing_page_view"})),
                Some((EventMeaning::LandingPageViewed, &[])),
            ),
            ("messages", action(json!({"action_type": "poked", "poked_data": {}})), None),
            (
                "user_preferences",
                preference(json!({"wa_id": "5511", "detail": "d", "category": "marketing_messages", "value": "stop",
                    "timestamp": 1})),
                Some((EventMeaning::MarketingStopped, &[("person", "5511"), ("detail", "d")])),
            ),
            (
                "user_preferences",
                preference(json!({"user_id": "BR.1", "value": "resume"})),
                Some((EventMeaning::MarketingResumed, &[("person", "BR.1")])),
            ),
            ("user_preferences", preference(json!({"value": "stop"})), Some((EventMeaning::MarketingStopped, &[]))),
            ("user_preferences", preference(json!({"value": "later"})), None),
            (
                "messages",
                system(
                    json!({"body": "b", "type": "user_changed_user_id", "previous_user_id": "BR.1", "user_id": "BR.2"}),
                ),
                Some((EventMeaning::UserIdChanged, &[("previousUserId", "BR.1"), ("newUserId", "BR.2")])),
            ),
            (
                "messages",
                system(json!({"type": "user_changed_number", "previous_wa_id": "1", "wa_id": "2"})),
                Some((EventMeaning::NumberChanged, &[("previousNumber", "1"), ("newNumber", "2")])),
            ),
            (
                "messages",
                system(json!({"type": "user_changed_number", "wa_id": "2", "user_id": "BR.1"})),
                Some((
                    EventMeaning::NumberChanged,
                    &[("previousNumber", "1"), ("newNumber", "2"), ("newUserId", "BR.1")],
                )),
            ),
            (
                "messages",
                system(json!({"type": "user_changed_user_id", "wa_id": "1", "user_id": "BR.2"})),
                Some((EventMeaning::UserIdChanged, &[("newNumber", "1"), ("newUserId", "BR.2")])),
            ),
            (
                "messages",
                json!({"messages": [{"from": "1", "id": "w", "timestamp": "1", "type": "edit", "edit":
                    {"original_message_id": "m", "message": {"type": "text", "text": {"body": "new"}}}}]}),
                Some((EventMeaning::MessageEdited, &[("newText", "new"), ("changedMessage", "m")])),
            ),
            (
                "messages",
                json!({"messages": [{"from": "1", "id": "w", "timestamp": "1", "type": "revoke",
                    "revoke": {"original_message_id": "m"}}]}),
                Some((EventMeaning::MessageDeleted, &[("changedMessage", "m")])),
            ),
            (
                "business_username_updates",
                json!({"display_phone_number": "+55", "username": "flowers", "status": "approved"}),
                Some((EventMeaning::UsernameApproved, &[("username", "flowers"), ("number", "+55")])),
            ),
            (
                "business_username_update",
                json!({"status": "deleted", "context": "revoked"}),
                Some((EventMeaning::UsernameRevoked, &[])),
            ),
            ("business_username_updates", json!({"status": "DELETED"}), Some((EventMeaning::UsernameDeleted, &[]))),
            ("business_username_updates", json!({"status": "frozen"}), None),
            ("security", json!({"event": "PIN_CHANGED"}), None),
        ];
        for (field, value, expected) in rows {
            let expected = expected.map(|(meaning, facts)| {
                (meaning, facts.iter().map(|(label, value)| ((*label).to_owned(), (*value).to_owned())).collect())
            });
            assert_eq!(meanings(field, value), [expected], "{value}");
        }
    }

    #[test]
    fn each_action_is_a_separate_event() {
        let click = |id: &str| {
            json!({"action_type": "marketing_messages_link_click", "timestamp": "1",
            "marketing_messages_link_click_data": {"click_id": id}})
        };
        let value = json!({"metadata": {}, "user_actions": [click("a"), click("b"), click("a"), 7]});
        let body = json!({"entry": [{"id": "1", "changes": [{"field": "messages", "value": value}]}]});
        let items = items(body.to_string().as_bytes());
        let kinds: Vec<_> = items.iter().map(|item| item.kind.as_str()).collect();
        assert_eq!(kinds, ["user_action", "user_action", "unknown"], "the same click twice is one event");
    }
}
