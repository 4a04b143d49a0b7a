//! What events about accounts and numbers say to the people who work with them (upstream §8.8): restrictions, limits,
//! alerts and the outcomes of reviews.

use std::cmp::Ordering;

use serde::Serialize;
use serde_json::Value;
use ts_rs::TS;

use super::Decoded;
use super::meaning::{EventMeaning as Meaning, non_empty_facts};
use crate::event::account::{
    AccountAlert, AccountEvent, AccountReview, AccountUpdate, Ban, BusinessCapability, PhoneNumberName,
    PhoneNumberQuality, Security,
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
                let end = self.facts.get(place + 1).and_then(end_of);
                fact.label == "restriction"
                    && fact.value.eq_ignore_ascii_case(forbidding)
                    && end.is_none_or(|end| end > now)
            }),
            _ => false,
        }
    }

    /// The notice after an earlier one about the same: where it states only the new limit, the earlier one tells whether
    /// that is more or less.
    #[must_use]
    pub fn after(self, before: &Self) -> Self {
        let (Some(earlier), Some(limit)) = (before.stated_limit(), self.stated_limit()) else { return self };
        let (meaning, severity) = match amount(limit).cmp(&amount(earlier)) {
            _ if self.meaning != Meaning::LimitChanged => return self,
            Ordering::Equal => return self,
            Ordering::Greater => (Meaning::LimitRaised, NoticeSeverity::Information),
            Ordering::Less => (Meaning::LimitLowered, NoticeSeverity::Warning),
        };
        let mut facts = vec![Fact { label: "previousLimit".to_owned(), value: earlier.to_owned(), link: None }];
        facts.extend(self.facts);
        Self { meaning, severity, facts, ..self }
    }

    fn stated_limit(&self) -> Option<&str> {
        self.facts.iter().find(|fact| fact.label == "limit").map(|fact| fact.value.as_str())
    }

    /// What else in its account it ends, as [`Self::topic`]. An account that is reinstated works again (upstream §8.8 has no
    /// other event for the end of a restriction); a later restriction is a new one.
    #[must_use]
    pub fn ends(&self) -> Option<&'static str> {
        (self.meaning == Meaning::AccountReinstated).then_some(RESTRICTION)
    }

    /// When its next part ends, in Unix milliseconds, if it says so.
    #[must_use]
    pub fn next_end(&self) -> Option<i64> {
        self.facts.iter().filter_map(end_of).min()
    }

    /// Removes the parts that have ended at `now`, in Unix milliseconds.
    pub fn remove_ended(&mut self, now: i64) {
        let mut kept: Vec<Fact> = Vec::with_capacity(self.facts.len());
        for fact in std::mem::take(&mut self.facts) {
            if end_of(&fact).is_some_and(|end| end <= now) {
                // What ends is before its end.
                kept.pop_if(|before| before.label == "restriction");
            } else {
                kept.push(fact);
            }
        }
        self.facts = kept;
    }

    /// Whether it concerns such messages. The messaging limit counts people outside the reply window (upstream §4.3).
    #[must_use]
    pub fn concerns(&self, initiator: Initiator) -> bool {
        let is_limit = matches!(self.meaning, Meaning::LimitChanged | Meaning::LimitLowered | Meaning::LimitRaised);
        let is_pin = matches!(self.meaning, Meaning::PinResetRequested | Meaning::PinReset | Meaning::PinChanged);
        !is_pin && (initiator == Initiator::Business || !is_limit)
    }

    /// The phone number that it is about, as the channel writes it.
    #[must_use]
    pub fn phone(&self) -> Option<&str> {
        self.fact("number")
    }

    /// The identifier of the number that it is about, where it does not name the phone number.
    #[must_use]
    pub fn number_id(&self) -> Option<&str> {
        self.fact(NUMBER_ID)
    }

    fn fact(&self, label: &str) -> Option<&str> {
        self.facts.iter().find(|fact| fact.label == label).map(|fact| fact.value.as_str())
    }
}

/// The label of the identifier of a number.
pub const NUMBER_ID: &str = "numberId";

/// The topic of restrictions.
const RESTRICTION: &str = "restriction";

fn end_of(fact: &Fact) -> Option<i64> {
    if fact.label == "untilAt" { fact.value.parse().ok() } else { None }
}

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
        AccountEvent::Security(security) => of_pin(security),
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
    let is_of_number = alert.entity_type.as_deref().is_some_and(|word| word.eq_ignore_ascii_case("phone_number"));
    let number = entity.filter(|_| is_of_number);
    let detail = info.alert_description.clone();
    Some(notice(meaning, severity, topic, [(NUMBER_ID, number), ("alert", Some(kind)), ("detail", detail)]))
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
            let restricted = notice(Meaning::AccountRestricted, NoticeSeverity::Critical, RESTRICTION, facts);
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
    Some(notice(Meaning::LimitChanged, NoticeSeverity::Information, "limit", [("limit", Some(people(&limit)))]))
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
    let (is_higher, is_lower) = before
        .as_deref()
        .map_or((false, false), |before| (amount(&after) > amount(before), amount(&after) < amount(before)));
    let (meaning, severity) = if is_higher || event == "UPGRADE" {
        (Meaning::LimitRaised, NoticeSeverity::Information)
    } else if is_lower || event == "DOWNGRADE" {
        (Meaning::LimitLowered, NoticeSeverity::Warning)
    } else {
        (Meaning::LimitChanged, NoticeSeverity::Information)
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

/// A person with the PIN of a number can move it to another account.
fn of_pin(security: &Security) -> Option<AccountNotice> {
    let meaning = match security.event.to_ascii_uppercase().as_str() {
        "PIN_RESET_REQUEST" => Meaning::PinResetRequested,
        "PIN_REQUEST_SUCCESS" => Meaning::PinReset,
        "PIN_CHANGED" => Meaning::PinChanged,
        _ => return None,
    };
    let number = security.display_phone_number.clone();
    let topic = format!("pin {}", number.as_deref().unwrap_or_default());
    let facts = [("number", number), ("requester", security.requester.clone())];
    Some(notice(meaning, NoticeSeverity::Warning, topic, facts))
}

const UNLIMITED: &str = "UNLIMITED";

/// A limit of [`people`], to compare it.
fn amount(limit: &str) -> u64 {
    limit.parse().unwrap_or(if limit == UNLIMITED { u64::MAX } else { 0 })
}

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
mod tests;
