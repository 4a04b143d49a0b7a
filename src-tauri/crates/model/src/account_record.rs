//! What a listed record says about a template in single WABAs. The contract leaves open whether and how a provider says it
//! (§2.1): in a list `wabas` or `accounts`, whose members name their WABA.

use serde::Serialize;
use serde_json::Value;

use crate::lifecycle::costs_more;
use crate::vocabulary::{Category, TemplateStatus};
use crate::{Id, Object, lifecycle};

/// Fields of a record with its state in each WABA. The first is also the field in which the desk stores it.
pub const FIELDS: [&str; 2] = ["wabas", "accounts"];

/// A listed template in one WABA.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AccountRecord {
    pub waba_id: Id,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<TemplateStatus>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rejected_reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quality_score: Option<Value>,
    /// In lower case.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
    #[serde(flatten)]
    pub extra: Object,
}

impl AccountRecord {
    #[must_use]
    pub fn quality(&self) -> Option<&str> {
        let score = self.quality_score.as_ref()?;
        score.get("score").unwrap_or(score).as_str()
    }

    /// The category before the current one, in lower case, if it is stated (upstream §1.3).
    #[must_use]
    pub fn previous_category(&self) -> Option<String> {
        word(self.extra.get("previous_category")).map(|word| canonical(&word))
    }

    /// The record of a member of a list; `None` if it does not tell its WABA. `id` may also be the template's identifier
    /// there, so it counts only if the record names such a WABA, as `account_id` does.
    fn read(member: &Value, is_named: impl Fn(&str) -> bool) -> Option<Self> {
        let mut fields = member.as_object()?.clone();
        let names = ["waba_id", "account_id", "id"];
        let (name, waba_id) = names.into_iter().find_map(|name| {
            let id = crate::json::read::<Id>(fields.get(name)?).ok()?;
            let counts = if name == "waba_id" { !id.as_str().trim().is_empty() } else { is_named(id.as_str()) };
            counts.then_some((name, id))
        })?;
        fields.shift_remove(name);
        let status = word(fields.get("status"));
        let reason = word(fields.get("rejected_reason")).filter(|reason| !reason.eq_ignore_ascii_case("NONE"));
        let category = word(fields.get("category")).map(|word| canonical(&word));
        for known in ["status", "rejected_reason", "category"] {
            fields.shift_remove(known);
        }
        let quality_score = fields.shift_remove("quality_score");
        let status = status.as_deref().map(TemplateStatus::from);
        Some(Self { waba_id, status, rejected_reason: reason, quality_score, category, extra: fields })
    }
}

/// The state in each WABA, in the order of the lists. Of several members about one WABA, the least usable status and the
/// worst quality count.
///
/// `lists` are the values of [`FIELDS`]; `is_named` tells whether the record names a WABA elsewhere.
#[must_use]
pub fn account_records<'a>(
    lists: impl IntoIterator<Item = &'a Value>,
    is_named: impl Fn(&str) -> bool,
) -> Vec<AccountRecord> {
    let members = lists.into_iter().flat_map(|list| match list {
        Value::Array(members) => members.as_slice(),
        member => std::slice::from_ref(member),
    });
    let mut records: Vec<AccountRecord> = Vec::new();
    for record in members.filter_map(|member| AccountRecord::read(member, &is_named)) {
        match records.iter_mut().find(|known| known.waba_id.as_str() == record.waba_id.as_str()) {
            Some(known) => merge(known, record),
            None => records.push(record),
        }
    }
    records
}

fn merge(known: &mut AccountRecord, other: AccountRecord) {
    let usability = |record: &AccountRecord| {
        let status = record.status.as_ref().map(|status| lifecycle::usability(status.as_str()).0);
        status.unwrap_or(u8::MAX)
    };
    let rank = |record: &AccountRecord| record.quality().map_or(u8::MAX, quality_rank);
    let is_worse = rank(&other) < rank(known);
    if usability(&other) < usability(known) {
        known.status = other.status;
        known.rejected_reason = other.rejected_reason;
    }
    if is_worse {
        known.quality_score = other.quality_score;
    }
    let is_dearer = match (&known.category, &other.category) {
        (Some(known), Some(other)) => costs_more(known, other),
        (known, other) => known.is_none() && other.is_some(),
    };
    if is_dearer {
        known.category = other.category;
    }
}

/// Of several WABAs, the one in whose category messages cost most, if that is more than in `category`, which empty is
/// unknown.
#[must_use]
pub fn dearest<'a>(
    category: &str,
    records: impl IntoIterator<Item = &'a AccountRecord>,
) -> Option<(&'a AccountRecord, &'a str)> {
    let mut stated = records.into_iter().filter_map(|record| Some((record, record.category.as_deref()?)));
    let is_dearer = |(_, other): &(&AccountRecord, &str)| category.is_empty() || costs_more(category, other);
    let first = stated.by_ref().find(is_dearer)?;
    Some(stated.fold(first, |most, other| if costs_more(most.1, other.1) { other } else { most }))
}

fn canonical(category: &str) -> String {
    Category::from(category).as_str().to_owned()
}

/// The worst quality of several WABAs; `None` if none is stated.
#[must_use]
pub fn worst_quality<'a>(records: impl IntoIterator<Item = &'a AccountRecord>) -> Option<&'a str> {
    records.into_iter().filter_map(AccountRecord::quality).min_by_key(|quality| quality_rank(quality))
}

/// The worse a quality, the smaller its rank.
fn quality_rank(quality: &str) -> u8 {
    match quality {
        "RED" => 0,
        "YELLOW" => 1,
        "GREEN" => 2,
        _ => 3,
    }
}

fn word(value: Option<&Value>) -> Option<String> {
    let word = value?.as_str()?.trim();
    (!word.is_empty()).then(|| word.to_owned())
}

#[cfg(test)]
mod tests;
