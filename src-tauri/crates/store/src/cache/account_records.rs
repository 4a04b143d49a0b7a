//! Several records of one template, each about other WABAs. The contract leaves the shape of the list open (§2.1): a
//! provider may list a template once with all its WABAs, or once for each.

use std::collections::BTreeMap;

use model::Id;
use model::account_record::{self, AccountRecord, account_records, dearest, worst_quality};
use model::lifecycle::{is_other_category, most_restrictive};
use model::template::TemplateRecord;
use model::vocabulary::{Category, TemplateStatus};
use serde_json::{Map, Value, json};

use super::template::CachedTemplate;

/// The state of a template in each WABA as its record says, in the order of the WABAs.
type Accounts = BTreeMap<String, AccountRecord>;

/// Status and reason in each WABA.
type Statuses = BTreeMap<String, (String, Option<String>)>;

/// The status in each WABA, as a record says, and why. Empty unless it says so.
pub(super) fn listed_statuses(record: &str) -> Statuses {
    if !account_record::FIELDS.iter().any(|field| record.contains(field)) {
        return BTreeMap::new();
    }
    let object = object(record);
    let common = object.get("rejected_reason").and_then(Value::as_str);
    let status = |(waba, account): (String, AccountRecord)| {
        let status = account.status?.as_str().to_owned();
        let common = common.filter(|_| status == TemplateStatus::Rejected.as_str()).map(str::to_owned);
        Some((waba, (status, account.rejected_reason.or(common))))
    };
    stated(&object).into_iter().filter_map(status).collect()
}

/// Adds another record of the same template. The joined record has the state in each WABA, and the most restrictive one
/// counts; if a record names no WABA, its status counts for all.
pub(super) fn join(template: &mut CachedTemplate, other: &CachedTemplate) {
    let (mut accounts, others) = (accounts_of(template), accounts_of(other));
    // The same record may be listed twice; and one on a page before may have replaced the joined one.
    let named =
        serde_json::from_str::<TemplateRecord>(&template.record).map(|record| record.wabas()).unwrap_or_default();
    let is_other = template.record != other.record;
    let is_news = others.iter().any(|(waba, other)| {
        accounts.get(waba).is_none_or(|known| !has_same_state(known, other)) || (is_other && !named.contains(waba))
    });
    let wabas = &mut template.row.wabas;
    wabas.extend(other.row.wabas.iter().filter(|waba| !wabas.contains(waba)).cloned().collect::<Vec<_>>());
    if accounts.is_empty() || others.is_empty() {
        join_status(template, other);
    } else if is_news {
        accounts.extend(others);
        set_accounts(template, accounts);
    }
}

/// Of two statuses for all WABAs, the more restrictive one counts.
fn join_status(template: &mut CachedTemplate, other: &CachedTemplate) {
    let statuses = [template.row.status.as_str(), other.row.status.as_str()];
    let least = most_restrictive(statuses.into_iter().filter(|status| !status.is_empty()));
    if template.row.status != other.row.status && least == Some(other.row.status.as_str()) {
        template.row.status.clone_from(&other.row.status);
        template.row.rejected_reason.clone_from(&other.row.rejected_reason);
        let mut record = object(&template.record);
        set_status(&mut record, &other.row.status, other.row.rejected_reason.as_deref());
        template.record = Value::Object(record).to_string();
    }
}

/// Adds the known states of a template in WABAs that its record does not name: other records may follow.
pub(super) fn join_known(template: &mut CachedTemplate, old: &CachedTemplate, known: Statuses) {
    let mut accounts = accounts_of(template);
    let mut old = accounts_of(old);
    for (waba, (status, reason)) in known {
        let Some(mut account) = old.remove(&waba).filter(|_| !accounts.contains_key(&waba)) else { continue };
        let status = Some(TemplateStatus::from(status.as_str()));
        if account.status != status {
            account.rejected_reason = reason.filter(|_| status == Some(TemplateStatus::Rejected));
            account.status = status;
        }
        template.row.wabas.push(waba.clone());
        accounts.insert(waba, account);
    }
    set_accounts(template, accounts);
}

/// Removes the WABAs that a listing no longer names. Returns whether the record had states of WABAs.
pub(super) fn keep_wabas(template: &mut CachedTemplate, named: &[String]) -> bool {
    let mut accounts = stated(&object(&template.record));
    template.row.wabas.retain(|waba| named.contains(waba));
    if accounts.is_empty() {
        return false;
    }
    accounts.retain(|waba, _| named.contains(waba));
    set_accounts(template, accounts);
    true
}

/// What an event said about a template in one WABA.
#[derive(Clone, Debug)]
pub(super) struct AccountNews {
    pub(super) waba: String,
    /// In lower case.
    pub(super) category: Option<String>,
    pub(super) quality: Option<String>,
}

/// The record with what events said of single WABAs, the last one last; `None` if that changes nothing, also because the
/// record does not have a state in each.
pub(super) fn with_news(record: &str, news: &[AccountNews]) -> Option<String> {
    let mut object = object(record);
    let mut accounts = stated(&object);
    let before = accounts.clone();
    for AccountNews { waba, category, quality } in news {
        let Some(account) = accounts.get_mut(waba) else { continue };
        if category.is_some() {
            account.category.clone_from(category);
        }
        if quality.is_some() && account.quality() != quality.as_deref() {
            account.quality_score = quality.as_ref().map(|score| json!({"score": score}));
        }
    }
    if accounts == before {
        return None;
    }
    let [stored, other] = account_record::FIELDS;
    object.shift_remove(other);
    object.insert(stored.to_owned(), json!(accounts.into_values().collect::<Vec<_>>()));
    Some(Value::Object(object).to_string())
}

fn set_accounts(template: &mut CachedTemplate, accounts: Accounts) {
    let status = |account: &AccountRecord| account.status.as_ref().map(TemplateStatus::as_str).map(str::to_owned);
    let statuses: Vec<String> = accounts.values().filter_map(status).collect();
    let mut record = object(&template.record);
    if let Some(least) = most_restrictive(statuses.iter().map(String::as_str)) {
        let decisive = accounts.values().find(|account| status(account).as_deref() == Some(least));
        let reason = decisive.and_then(|account| account.rejected_reason.clone());
        set_status(&mut record, least, reason.as_deref());
        least.clone_into(&mut template.row.status);
        template.row.rejected_reason = reason;
    }
    set_category(template, &mut record, &accounts);
    let worst = worst_quality(accounts.values()).map(str::to_owned);
    template.row.quality = worst.or(template.row.quality.take());
    let [stored, other] = account_record::FIELDS;
    for replaced in ["waba_id", other] {
        record.shift_remove(replaced);
    }
    record.insert(stored.to_owned(), json!(accounts.into_values().collect::<Vec<_>>()));
    template.record = Value::Object(record).to_string();
}

/// Of several categories, the one in which messages cost most counts.
fn set_category(template: &mut CachedTemplate, record: &mut Map<String, Value>, accounts: &Accounts) {
    let Some((account, category)) = dearest(&template.row.category, accounts.values()) else { return };
    category.clone_into(&mut template.row.category);
    record.insert("category".to_owned(), json!(category.to_uppercase()));
    let before = account.previous_category();
    match &before {
        Some(before) => record.insert("previous_category".to_owned(), json!(before.to_uppercase())),
        None => record.shift_remove("previous_category"),
    };
    template.row.asked_category = before.filter(|before| is_other_category(before, category));
}

fn set_status(record: &mut Map<String, Value>, status: &str, reason: Option<&str>) {
    record.insert("status".to_owned(), json!(status));
    match reason {
        Some(reason) => record.insert("rejected_reason".to_owned(), json!(reason)),
        None => record.shift_remove("rejected_reason"),
    };
}

/// The state in each WABA: as the record says, else the one that it has for all of them.
fn accounts_of(template: &CachedTemplate) -> Accounts {
    let record = object(&template.record);
    let mut accounts = stated(&record);
    let word = |field: &str| record.get(field).and_then(Value::as_str);
    let status = word("status").filter(|status| !status.is_empty()).map(TemplateStatus::from);
    let reason = word("rejected_reason").map(str::to_owned).filter(|reason| !reason.eq_ignore_ascii_case("NONE"));
    let quality_score = record.get("quality_score").cloned();
    let category = word("category").map(|category| Category::from(category).as_str().to_owned());
    for waba in &template.row.wabas {
        let account = accounts.entry(waba.clone()).or_insert_with(|| AccountRecord {
            waba_id: waba_id(waba),
            status: None,
            rejected_reason: None,
            quality_score: None,
            category: None,
            extra: ["id", "previous_category"]
                .into_iter()
                .filter_map(|field| Some((field.to_owned(), record.get(field)?.clone())))
                .collect(),
        });
        if account.status.is_none() {
            account.status.clone_from(&status);
            account.rejected_reason.clone_from(&reason);
        }
        account.quality_score = account.quality_score.take().or_else(|| quality_score.clone());
        account.category = account.category.take().or_else(|| category.clone());
    }
    accounts
}

fn stated(record: &Map<String, Value>) -> Accounts {
    let ids = record.get("waba_ids").and_then(Value::as_array).into_iter().flatten();
    let ids = ids.chain(record.get("waba_id")).filter_map(|id| model::json::read::<Id>(id).ok());
    let named: Vec<Id> = ids.collect();
    let lists = account_record::FIELDS.iter().filter_map(|field| record.get(*field));
    let accounts = account_records(lists, |waba| named.iter().any(|id| id.as_str() == waba));
    accounts.into_iter().map(|account| (account.waba_id.as_str().to_owned(), account)).collect()
}

fn has_same_state(one: &AccountRecord, other: &AccountRecord) -> bool {
    one.status == other.status
        && one.rejected_reason == other.rejected_reason
        && one.quality() == other.quality()
        && one.category == other.category
}

fn waba_id(waba: &str) -> Id {
    Id::number(waba).unwrap_or_else(|| Id::text(waba))
}

fn object(record: &str) -> Map<String, Value> {
    serde_json::from_str(record).unwrap_or_default()
}

/// A word of the provider's answer.
pub(super) fn word(record: &str, field: &str) -> Option<String> {
    let answer = serde_json::from_str::<Value>(record).ok()?;
    let word = answer.get(field)?.as_str()?;
    (!word.is_empty()).then(|| word.to_owned())
}
