//! What events about accounts and numbers say to the people who work with them (upstream §8.8): restrictions, limits,
//! alerts and the outcomes of reviews.

use serde::Serialize;
use serde_json::Value;
use ts_rs::TS;

use super::Decoded;
use super::meaning::{EventMeaning as Meaning, non_empty_facts};
use crate::event::account::{
    AccountAlert, AccountEvent, AccountReview, AccountUpdate, Ban, BusinessCapability, PhoneNumberName,
    PhoneNumberQuality,
};
use crate::event::reading::Fact;
use crate::messaging_limit::MessagingLimit;

/// How urgent a notice is, the most urgent first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, TS)]
#[ts(export_to = "model.ts")]
#[serde(rename_all = "camelCase")]
pub enum NoticeSeverity {
    /// Messages are or will be stopped.
    Critical,
    Warning,
    /// Good news, or the end of a problem.
    Information,
}

#[derive(Clone, Debug, PartialEq)]
pub struct AccountNotice {
    pub meaning: Meaning,
    pub severity: NoticeSeverity,
    /// Labels are keys; values are words of the channel, numbers, or instants in Unix milliseconds (labels in `At`).
    pub facts: Vec<Fact>,
    /// What it is about within its account: a later notice about the same replaces an earlier one.
    pub topic: String,
    /// When it ends, in Unix milliseconds, if the event says so.
    pub until: Option<i64>,
}

/// Who begins the conversation that a message belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Initiator {
    /// The business: a template outside the reply window.
    Business,
    /// The person: a reply.
    Customer,
}

impl AccountNotice {
    /// Whether the account may not send such messages at `now`, in Unix milliseconds. A restriction of an unknown type is
    /// not taken for it.
    #[must_use]
    pub fn forbids(&self, initiator: Initiator, now: i64) -> bool {
        let forbidding = match initiator {
            Initiator::Business => "RESTRICTED_BIZ_INITIATED_MESSAGING",
            Initiator::Customer => "RESTRICTED_CUSTOMER_INITIATED_MESSAGING",
        };
        match self.meaning {
            Meaning::AccountDisabled | Meaning::AccountDeleted => true,
            Meaning::AccountRestricted => self.facts.iter().enumerate().any(|(place, fact)| {
                // Its end follows it.
                let end = self.facts.get(place + 1).filter(|next| next.label == "untilAt");
                let end = end.and_then(|end| end.value.parse::<i64>().ok());
                fact.label == "restriction"
                    && fact.value.eq_ignore_ascii_case(forbidding)
                    && end.is_none_or(|end| end > now)
            }),
            _ => false,
        }
    }

    /// Whether it concerns such messages. The messaging limit counts people outside the reply window (upstream §4.3).
    #[must_use]
    pub fn concerns(&self, initiator: Initiator) -> bool {
        let is_limit = matches!(self.meaning, Meaning::LimitChanged | Meaning::LimitLowered | Meaning::LimitRaised);
        initiator == Initiator::Business || !is_limit
    }

    /// Whether it is about a number with this name, as far as a phone number in the name tells.
    #[must_use]
    pub fn concerns_number(&self, name: &str) -> bool {
        let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
        let named = digits(name);
        let number = self.facts.iter().find(|fact| fact.label == "number").map(|fact| digits(&fact.value));
        number.is_none_or(|number| named.len() < MIN_PHONE_DIGITS || number == named)
    }
}

/// Shorter numbers in a name are no phone numbers.
const MIN_PHONE_DIGITS: usize = 8;

/// The notice of an event; `None` for other events, and for changes that need no attention.
#[must_use]
pub fn account_notice(decoded: &Decoded) -> Option<AccountNotice> {
    let Decoded::Account(event) = decoded else { return None };
    match event.as_ref() {
        AccountEvent::Alert(alert) => of_alert(alert),
        AccountEvent::Update(update) => of_update(update),
        AccountEvent::Review(review) => of_review(review),
        AccountEvent::Capability(capability) => of_capability(capability),
        AccountEvent::NumberQuality(quality) => of_number(quality),
        AccountEvent::NumberName(name) => of_name(name),
        _ => None,
    }
}

fn notice(
    meaning: Meaning,
    severity: NoticeSeverity,
    topic: impl Into<String>,
    facts: impl IntoIterator<Item = (&'static str, Option<String>)>,
) -> AccountNotice {
    AccountNotice { meaning, severity, facts: non_empty_facts(facts), topic: topic.into(), until: None }
}

fn of_alert(alert: &AccountAlert) -> Option<AccountNotice> {
    let info = alert.alert_info.as_ref()?;
    let is_over = info.alert_status.as_deref().is_some_and(|word| word.eq_ignore_ascii_case("none"));
    let severity = match info.alert_severity.as_deref().unwrap_or_default().to_ascii_uppercase().as_str() {
        _ if is_over => NoticeSeverity::Information,
        "CRITICAL" => NoticeSeverity::Critical,
        "INFORMATIONAL" => NoticeSeverity::Information,
        _ => NoticeSeverity::Warning,
    };
    let kind = info.alert_type.clone().unwrap_or_default();
    let entity = alert.entity_id.as_ref().map(|id| id.as_str().to_owned());
    let meaning = if is_over { Meaning::AlertEnded } else { Meaning::Alert };
    let topic = format!("alert {kind} {}", entity.as_deref().unwrap_or_default());
    Some(notice(meaning, severity, topic, [("alert", Some(kind)), ("detail", info.alert_description.clone())]))
}

fn of_update(update: &AccountUpdate) -> Option<AccountNotice> {
    Some(match update.event.to_ascii_uppercase().as_str() {
        "ACCOUNT_RESTRICTION" => {
            let restrictions = update.restriction_info.iter();
            let facts = restrictions.flat_map(|restriction| {
                let end = restriction.expiration.as_ref();
                [
                    ("restriction", restriction.restriction_type.clone()),
                    // An end in a format of its own is shown as it is.
                    end.and_then(instant).map_or_else(
                        || ("until", end.and_then(word)),
                        |instant| ("untilAt", Some(instant.to_string())),
                    ),
                ]
            });
            let ends = update.restriction_info.iter().map(|one| one.expiration.as_ref().and_then(instant));
            // It ends with the last restriction, if all of them say when.
            let until = ends.collect::<Option<Vec<_>>>().and_then(|ends| ends.into_iter().max());
            let restricted = notice(Meaning::AccountRestricted, NoticeSeverity::Critical, "restriction", facts);
            AccountNotice { until, ..restricted }
        }
        "ACCOUNT_VIOLATION" => {
            let violation = update.violation_info.as_ref().and_then(|info| info.violation_type.clone());
            notice(Meaning::AccountViolation, NoticeSeverity::Warning, "violation", [("violation", violation)])
        }
        "DISABLED_UPDATE" => of_ban(update.ban_info.as_ref()),
        "ACCOUNT_DELETED" => notice(Meaning::AccountDeleted, NoticeSeverity::Critical, "account", []),
        _ => return None,
    })
}

fn of_ban(ban: Option<&Ban>) -> AccountNotice {
    let state = ban.and_then(|ban| ban.waba_ban_state.clone());
    let (meaning, severity) = match state.as_deref().unwrap_or_default().to_ascii_uppercase().as_str() {
        "SCHEDULE_FOR_DISABLE" => (Meaning::AccountDisableScheduled, NoticeSeverity::Critical),
        "DISABLE" => (Meaning::AccountDisabled, NoticeSeverity::Critical),
        "REINSTATE" => (Meaning::AccountReinstated, NoticeSeverity::Information),
        _ => {
            let date = ban.and_then(|ban| ban.waba_ban_date.clone());
            let facts = [("state", state), ("date", date)];
            return notice(Meaning::AccountDisabling, NoticeSeverity::Warning, "ban", facts);
        }
    };
    notice(meaning, severity, "ban", [("date", ban.and_then(|ban| ban.waba_ban_date.clone()))])
}

fn of_review(review: &AccountReview) -> Option<AccountNotice> {
    let (meaning, severity) = match review.decision.to_ascii_uppercase().as_str() {
        "REJECTED" => (Meaning::AccountRejected, NoticeSeverity::Critical),
        "APPROVED" => (Meaning::AccountApproved, NoticeSeverity::Information),
        _ => return None,
    };
    Some(notice(meaning, severity, "review", []))
}

fn of_capability(capability: &BusinessCapability) -> Option<AccountNotice> {
    let limit = capability.max_daily_conversations_per_business.as_ref();
    let limit = limit.or(capability.max_daily_conversation_per_phone.as_ref()).and_then(word)?;
    Some(notice(Meaning::LimitChanged, NoticeSeverity::Warning, "limit", [("limit", Some(people(&limit)))]))
}

fn of_number(quality: &PhoneNumberQuality) -> Option<AccountNotice> {
    let number = quality.display_phone_number.clone();
    let topic = |what: &str| format!("{what} {}", number.as_deref().unwrap_or_default());
    let event = quality.event.to_ascii_uppercase();
    match event.as_str() {
        "FLAGGED" => {
            return Some(notice(
                Meaning::NumberFlagged,
                NoticeSeverity::Warning,
                topic("flag"),
                [("number", number.clone())],
            ));
        }
        "UNFLAGGED" => {
            let severity = NoticeSeverity::Information;
            return Some(notice(Meaning::NumberUnflagged, severity, topic("flag"), [("number", number.clone())]));
        }
        _ => {}
    }
    let of_business = quality.max_daily_conversations_per_business.as_ref().and_then(word);
    let tier = quality.current_limit.clone().filter(|_| !quality.is_throughput_upgrade());
    let after = of_business.or(tier).map(|limit| people(&limit))?;
    let before = quality.old_limit.as_deref().map(people);
    let amount = |limit: &str| limit.parse::<u64>().unwrap_or(if limit == UNLIMITED { u64::MAX } else { 0 });
    let (is_higher, is_lower) = before.as_deref().map_or((false, false), |before| {
        (amount(after.as_str()) > amount(before), amount(after.as_str()) < amount(before))
    });
    let (meaning, severity) = if is_higher || event == "UPGRADE" {
        (Meaning::LimitRaised, NoticeSeverity::Information)
    } else if is_lower || event == "DOWNGRADE" {
        (Meaning::LimitLowered, NoticeSeverity::Warning)
    } else {
        (Meaning::LimitChanged, NoticeSeverity::Warning)
    };
    let facts = [("number", number.clone()), ("previousLimit", before), ("limit", Some(after))];
    Some(notice(meaning, severity, topic("limit"), facts))
}

fn of_name(name: &PhoneNumberName) -> Option<AccountNotice> {
    let (meaning, severity) = match name.decision.to_ascii_uppercase().as_str() {
        "REJECTED" => (Meaning::NameRejected, NoticeSeverity::Warning),
        "APPROVED" => (Meaning::NameApproved, NoticeSeverity::Information),
        _ => return None,
    };
    let topic = format!("name {}", name.display_phone_number.as_deref().unwrap_or_default());
    let facts = [
        ("name", name.requested_verified_name.clone()),
        ("number", name.display_phone_number.clone()),
        ("reason", name.rejection_reason.clone().filter(|reason| !reason.eq_ignore_ascii_case("none"))),
    ];
    Some(notice(meaning, severity, topic, facts))
}

const UNLIMITED: &str = "UNLIMITED";

/// A limit as a number of people where the channel's word names one: `TIER_2K` is 2000.
fn people(limit: &str) -> String {
    match MessagingLimit::of_word(limit) {
        Some(MessagingLimit::Unlimited) => UNLIMITED.to_owned(),
        Some(MessagingLimit::People { people }) => people.to_string(),
        None => limit.to_owned(),
    }
}

/// A text or number of the channel.
fn word(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// An instant in Unix milliseconds, from seconds since 1970.
fn instant(value: &Value) -> Option<i64> {
    let seconds = word(value)?.parse::<i64>().ok()?;
    // Smaller numbers are no instants of the channel.
    (seconds > 1_000_000_000).then(|| seconds.saturating_mul(1_000))
}

#[cfg(test)]
mod tests {
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
    fn a_notice_about_another_phone_number_does_not_concern_a_number() {
        let flagged = json!({"display_phone_number": "+55 11 91234-5678", "event": "FLAGGED"});
        let flagged = notice_of("phone_number_quality_update", &flagged).unwrap();
        let concerned = ["Main", "5511912345678", "Shop +55 11 90000-0000"].map(|name| flagged.concerns_number(name));
        assert_eq!(concerned, [true, true, false]);
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
        let rows: [Row; 16] = [
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
                Warning,
                &[("limit", "1000")],
            ),
            (
                "business_capability_update",
                json!({"max_daily_conversations_per_business": -1}),
                Meaning::LimitChanged,
                Warning,
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
        assert_eq!(
            until(json!([{"expiration": 1_800_000_000}, {"expiration": "1900000000"}])),
            Some(1_900_000_000_000)
        );
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
            ("security", json!({"event": "PIN_CHANGED"})),
            ("account_alerts", json!({})),
        ] {
            assert_eq!(notice_of(field, &value), None, "{value}");
        }
    }
}
