//! What account notices say, and until when.
#![expect(clippy::unwrap_used, reason = "a test that cannot read its own input should fail")]

use serde_json::json;

use super::*;
use crate::item::items;

fn notice_of(field: &str, value: &Value) -> Option<AccountNotice> {
    let body = json!({"object": "o", "entry": [{"id": "1", "changes": [{"field": field, "value": value}]}]});
    items(body.to_string().as_bytes()).first().and_then(|item| account_notice(&item.decode()))
}

#[test]
fn a_messaging_limit_does_not_concern_replies() {
    for (field, value, concerned) in [
        ("business_capability_update", json!({"max_daily_conversations_per_business": "TIER_1K"}), [true, false]),
        ("phone_number_quality_update", json!({"event": "FLAGGED"}), [true, true]),
    ] {
        let notice = notice_of(field, &value).unwrap();
        assert_eq!([Initiator::Business, Initiator::Customer].map(|it| notice.concerns(it)), concerned, "{field}");
    }
}

#[test]
fn a_restriction_forbids_its_kind_of_message_until_it_ends() {
    let restricted = |types: &[(&str, u64)]| {
        let info: Vec<Value> =
            types.iter().map(|(kind, end)| json!({"restriction_type": kind, "expiration": end})).collect();
        let value = json!({"event": "ACCOUNT_RESTRICTION", "restriction_info": info});
        notice_of("account_update", &value).unwrap()
    };
    let (now, past, future) = (1_800_000_000_000, 1_700_000_000, 1_900_000_000);
    let forbids = |notice: &AccountNotice| {
        [Initiator::Business, Initiator::Customer].map(|initiator| notice.forbids(initiator, now))
    };
    let business = "RESTRICTED_BIZ_INITIATED_MESSAGING";
    let customer = "RESTRICTED_CUSTOMER_INITIATED_MESSAGING";
    assert_eq!(forbids(&restricted(&[(business, future)])), [true, false]);
    assert_eq!(forbids(&restricted(&[(business, past), (customer, future)])), [false, true]);
    assert_eq!(forbids(&restricted(&[("RESTRICTED_ADD_PHONE_NUMBER_ACTION", future)])), [false, false]);
    let disabled = json!({"event": "DISABLED_UPDATE", "ban_info": {"waba_ban_state": "DISABLE"}});
    assert_eq!(forbids(&notice_of("account_update", &disabled).unwrap()), [true, true]);
}

#[test]
fn an_ended_part_of_a_restriction_is_removed() {
    let (past, soon, future) = (1_700_000_000, 1_850_000_000, 1_900_000_000);
    let value = json!({"event": "ACCOUNT_RESTRICTION", "restriction_info": [
        {"expiration": soon}, {"restriction_type": "A", "expiration": past},
        {"restriction_type": "B", "expiration": future}, {"restriction_type": "C"}]});
    let mut notice = notice_of("account_update", &value).unwrap();
    notice.remove_ended(1_800_000_000_000);
    let left: Vec<_> = notice.facts.iter().map(|fact| fact.value.as_str()).collect();
    assert_eq!(left, ["1850000000000", "B", "1900000000000", "C"]);
    assert_eq!(notice.next_end(), Some(1_850_000_000_000));
    notice.remove_ended(1_850_000_000_000);
    assert_eq!(notice.next_end(), Some(1_900_000_000_000));
    notice.remove_ended(1_900_000_000_000);
    assert_eq!((notice.facts.len(), notice.next_end()), (1, None), "it has a part without an end");
}

#[test]
fn a_reinstated_account_is_restricted_no_longer() {
    let ends = |state: &str| {
        let value = json!({"event": "DISABLED_UPDATE", "ban_info": {"waba_ban_state": state}});
        notice_of("account_update", &value).unwrap().ends()
    };
    let value = json!({"event": "ACCOUNT_RESTRICTION", "restriction_info": []});
    let restriction = notice_of("account_update", &value).unwrap();
    assert_eq!(ends("REINSTATE"), Some(restriction.topic.as_str()));
    assert_eq!(["DISABLE", "SCHEDULE_FOR_DISABLE", "OTHER"].map(ends), [None; 3]);
}

#[test]
fn a_stated_limit_is_good_news_unless_less_was_stated_than_before() {
    let stated = |limit: Value| {
        let value = json!({"max_daily_conversations_per_business": limit});
        notice_of("business_capability_update", &value).unwrap()
    };
    let facts = |notice: &AccountNotice| -> Vec<(String, String)> {
        notice.facts.iter().map(|fact| (fact.label.clone(), fact.value.clone())).collect()
    };
    let (small, large, unlimited) = (stated(json!(250)), stated(json!("TIER_10K")), stated(json!(-1)));
    let raised = large.clone().after(&small);
    assert_eq!((raised.meaning, raised.severity), (Meaning::LimitRaised, NoticeSeverity::Information));
    let both =
        [("previousLimit", "250"), ("limit", "10000")].map(|(label, value)| (label.to_owned(), value.to_owned()));
    assert_eq!(facts(&raised), both);
    let lowered = large.clone().after(&unlimited);
    assert_eq!((lowered.meaning, lowered.severity), (Meaning::LimitLowered, NoticeSeverity::Warning));
    assert_eq!(lowered.topic, large.topic, "it replaces what was said before");
    assert_eq!(large.clone().after(&large), large);
    assert_eq!(raised.clone().after(&large), raised, "it says itself what the limit was");
}

#[test]
fn restrictions_limits_alerts_and_reviews_are_notices() {
    use NoticeSeverity::{Critical, Information, Warning};
    let update = |event: &str, more: Value| {
        let mut value = json!({"event": event});
        if let (Some(value), Some(more)) = (value.as_object_mut(), more.as_object()) {
            value.extend(more.clone());
        }
        value
    };
    let number = |event: &str, old: Option<&str>, limit: &str| {
        json!({"display_phone_number": "55", "event": event, "old_limit": old,
            "current_limit": limit})
    };
    let alert = |severity: &str, status: &str| {
        json!({"entity_type": "BUSINESS", "entity_id": 7, "alert_info": {"alert_severity": severity,
            "alert_status": status, "alert_type": "NEW_TYPE", "alert_description": "Words"}})
    };
    type Row = (&'static str, Value, Meaning, NoticeSeverity, &'static [(&'static str, &'static str)]);
    let rows: [Row; 19] = [
        (
            "security",
            json!({"display_phone_number": "55", "event": "PIN_RESET_REQUEST", "requester": "9"}),
            Meaning::PinResetRequested,
            Warning,
            &[("number", "55"), ("requester", "9")],
        ),
        ("security", json!({"event": "PIN_REQUEST_SUCCESS"}), Meaning::PinReset, Warning, &[]),
        ("security", json!({"event": "PIN_CHANGED"}), Meaning::PinChanged, Warning, &[]),
        (
            "account_update",
            update(
                "ACCOUNT_RESTRICTION",
                json!({"restriction_info": [{"restriction_type": "RESTRICTED_X", "expiration": 1_800_000_000}]}),
            ),
            Meaning::AccountRestricted,
            Critical,
            &[("restriction", "RESTRICTED_X"), ("untilAt", "1800000000000")],
        ),
        (
            "account_update",
            update(
                "ACCOUNT_RESTRICTION",
                json!({"restriction_info": [{"restriction_type": "A", "expiration": "soon"}]}),
            ),
            Meaning::AccountRestricted,
            Critical,
            &[("restriction", "A"), ("until", "soon")],
        ),
        (
            "account_update",
            update("ACCOUNT_VIOLATION", json!({"violation_info": {"violation_type": "SPAM"}})),
            Meaning::AccountViolation,
            Warning,
            &[("violation", "SPAM")],
        ),
        (
            "account_update",
            update("DISABLED_UPDATE", json!({"ban_info": {"waba_ban_state": "DISABLE", "waba_ban_date": "May 1"}})),
            Meaning::AccountDisabled,
            Critical,
            &[("date", "May 1")],
        ),
        (
            "account_update",
            update("DISABLED_UPDATE", json!({"ban_info": {"waba_ban_state": "REINSTATE"}})),
            Meaning::AccountReinstated,
            Information,
            &[],
        ),
        (
            "account_update",
            update("DISABLED_UPDATE", json!({"ban_info": {"waba_ban_state": "PAUSE"}})),
            Meaning::AccountDisabling,
            Warning,
            &[("state", "PAUSE")],
        ),
        ("account_review_update", json!({"decision": "REJECTED"}), Meaning::AccountRejected, Critical, &[]),
        (
            "account_alerts",
            alert("CRITICAL", "ACTIVE"),
            Meaning::Alert,
            Critical,
            &[("alert", "NEW_TYPE"), ("detail", "Words")],
        ),
        (
            "account_alerts",
            alert("CRITICAL", "NONE"),
            Meaning::AlertEnded,
            Information,
            &[("alert", "NEW_TYPE"), ("detail", "Words")],
        ),
        (
            "account_alerts",
            alert("INFORMATIONAL", "ACTIVE"),
            Meaning::Alert,
            Information,
            &[("alert", "NEW_TYPE"), ("detail", "Words")],
        ),
        (
            "business_capability_update",
            json!({"max_daily_conversations_per_business": "TIER_1K"}),
            Meaning::LimitChanged,
            Information,
            &[("limit", "1000")],
        ),
        (
            "business_capability_update",
            json!({"max_daily_conversations_per_business": -1}),
            Meaning::LimitChanged,
            Information,
            &[("limit", "UNLIMITED")],
        ),
        (
            "phone_number_quality_update",
            number("ONBOARDING", Some("TIER_10K"), "TIER_1K"),
            Meaning::LimitLowered,
            Warning,
            &[("number", "55"), ("previousLimit", "10000"), ("limit", "1000")],
        ),
        (
            "phone_number_quality_update",
            number("UPGRADE", Some("TIER_10K"), "TIER_UNLIMITED"),
            Meaning::LimitRaised,
            Information,
            &[("number", "55"), ("previousLimit", "10000"), ("limit", "UNLIMITED")],
        ),
        ("phone_number_quality_update", json!({"event": "FLAGGED"}), Meaning::NumberFlagged, Warning, &[]),
        (
            "phone_number_name_update",
            json!({"decision": "REJECTED", "requested_verified_name": "Shop", "rejection_reason": "NAME_X"}),
            Meaning::NameRejected,
            Warning,
            &[("name", "Shop"), ("reason", "NAME_X")],
        ),
    ];
    for (field, value, meaning, severity, facts) in rows {
        let found = notice_of(field, &value);
        let facts_found: Option<Vec<(String, String)>> = found
            .as_ref()
            .map(|notice| notice.facts.iter().map(|fact| (fact.label.clone(), fact.value.clone())).collect());
        let expected: Vec<(String, String)> =
            facts.iter().map(|(label, value)| ((*label).to_owned(), (*value).to_owned())).collect();
        assert_eq!(found.map(|notice| (notice.meaning, notice.severity)), Some((meaning, severity)), "{value}");
        assert_eq!(facts_found, Some(expected), "{value}");
    }
}

#[test]
fn a_restriction_ends_with_its_last_part_and_not_at_all_if_one_has_no_end() {
    let until = |ends: Value| {
        let value = json!({"event": "ACCOUNT_RESTRICTION", "restriction_info": ends});
        notice_of("account_update", &value).and_then(|notice| notice.until)
    };
    assert_eq!(until(json!([{"expiration": 1_800_000_000}, {"expiration": "1900000000"}])), Some(1_900_000_000_000));
    assert_eq!(until(json!([{"expiration": 1_800_000_000}, {"restriction_type": "A"}])), None);
    assert_eq!(until(json!([])), None);
}

#[test]
fn other_changes_of_accounts_are_no_notices() {
    for (field, value) in [
        ("account_update", json!({"event": "PARTNER_ADDED"})),
        ("account_review_update", json!({"decision": "PENDING"})),
        ("phone_number_quality_update", json!({"event": "THROUGHPUT_UPGRADE"})),
        ("phone_number_quality_update", json!({"event": "THROUGHPUT_UPGRADE", "current_limit": "TIER_UNLIMITED"})),
        ("business_capability_update", json!({"max_phone_numbers_per_waba": 20})),
        ("security", json!({"event": "A_LATER_ONE"})),
        ("account_alerts", json!({})),
    ] {
        assert_eq!(notice_of(field, &value), None, "{value}");
    }
}
