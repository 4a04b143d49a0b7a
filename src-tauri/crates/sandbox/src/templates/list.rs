//! Listing with filters and cursors (contract §4.7; paging as in upstream §1.3).

use serde::Deserialize;
use serde_json::{Value, json};

use super::record::{minimal_record, record};
use crate::contract_fields;
use crate::fault_injection::omit_templates;
use crate::profile::Minimal;
use crate::refusal::Refusal;
use crate::runtime::Runtime;
use crate::state::{Entry, Workspace};

const DEFAULT_LIMIT: usize = 100;
const MOST: usize = 1000;

/// Query parameters; all are optional and can be combined.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Filter {
    business_id: Option<String>,
    waba_id: Option<String>,
    status: Option<String>,
    category: Option<String>,
    search: Option<String>,
    limit: Option<String>,
    after: Option<String>,
    before: Option<String>,
}

/// An empty parameter counts as absent.
fn given(parameter: &Option<String>) -> Option<&str> {
    parameter.as_deref().map(str::trim).filter(|text| !text.is_empty())
}

impl Filter {
    fn accepts(&self, entry: &Entry, minimal: Option<&Minimal>) -> bool {
        let template = &entry.template;
        let archived = entry.archived_at.is_some();
        if let Some(forms) = minimal
            && archived
            && !forms.archived
        {
            return false;
        }
        given(&self.business_id).is_none_or(|id| entry.business_id == id)
            && given(&self.waba_id).is_none_or(|id| entry.ids.keys().any(|waba| waba.to_string() == id))
            && given(&self.category).is_none_or(|word| template.category.as_str().eq_ignore_ascii_case(word))
            && given(&self.status).is_none_or(|word| {
                if minimal.is_some() {
                    contract_fields::status(&entry.status).as_str().eq_ignore_ascii_case(word)
                } else if word.eq_ignore_ascii_case("ARCHIVED") {
                    archived
                } else {
                    !archived && entry.status.as_str().eq_ignore_ascii_case(word)
                }
            })
            && given(&self.search).is_none_or(|part| template.name.to_lowercase().contains(&part.to_lowercase()))
    }

    fn query(&self) -> String {
        let mut query = url_encoder();
        for (name, value) in [
            ("business_id", &self.business_id),
            ("waba_id", &self.waba_id),
            ("status", &self.status),
            ("category", &self.category),
            ("search", &self.search),
        ] {
            if let Some(value) = given(value) {
                query.append_pair(name, value);
            }
        }
        query.finish()
    }
}

fn url_encoder() -> Encoder {
    Encoder(reqwest::Url::parse("http://sandbox.invalid/").expect("a fixed address"))
}

struct Encoder(reqwest::Url);

impl Encoder {
    fn append_pair(&mut self, name: &str, value: &str) {
        self.0.query_pairs_mut().append_pair(name, value);
    }

    fn finish(self) -> String {
        self.0.query().unwrap_or_default().to_owned()
    }
}

/// The cursor is the sequence number in hexadecimal; clients must treat it as opaque.
fn cursor(sequence: u64) -> String {
    format!("{sequence:016x}")
}

fn read_cursor(name: &str, text: &str) -> Result<u64, Refusal> {
    u64::from_str_radix(text, 16)
        .map_err(|_| Refusal::field(format!("/{name}"), "is no cursor of this list; take it from `paging.cursors`"))
}

/// A page of the list, newest first; under the profile `minimal` the whole list.
pub(crate) fn list(runtime: &Runtime, workspace: &Workspace, filter: &Filter) -> Result<Value, Refusal> {
    if let Some(forms) = super::minimal_forms(runtime) {
        let mut entries: Vec<Entry> = runtime.read(|state| {
            let entries = state.templates.newest_first().map(|(_, entry)| entry);
            entries
                .filter(|entry| entry.workspace == *workspace && filter.accepts(entry, Some(&forms)))
                .cloned()
                .collect()
        });
        omit_templates(runtime, &mut entries, |entry| &entry.uuid);
        return Ok(forms.listing.of(entries.iter().map(|entry| minimal_record(runtime, entry, &forms)).collect()));
    }
    let limit = match given(&filter.limit) {
        None => DEFAULT_LIMIT,
        Some(text) => text
            .parse()
            .ok()
            .filter(|limit| (1..=MOST).contains(limit))
            .ok_or_else(|| Refusal::field("/limit", format!("must be a number between 1 and {MOST}")))?,
    };
    let after = given(&filter.after).map(|text| read_cursor("after", text)).transpose()?;
    let before = given(&filter.before).map(|text| read_cursor("before", text)).transpose()?;

    let (mut page, more) = runtime.read(|state| {
        let accepted = state.templates.newest_first().filter(|(sequence, entry)| {
            after.is_none_or(|after| *sequence < after)
                && before.is_none_or(|before| *sequence > before)
                && entry.workspace == *workspace
                && filter.accepts(entry, None)
        });
        // One record more than requested shows whether there is a next page.
        let mut page: Vec<(u64, Entry)> = if before.is_some() && after.is_none() {
            let mut nearest: Vec<_> = accepted.collect();
            let surplus = nearest.len().saturating_sub(limit);
            nearest.drain(..surplus);
            nearest.into_iter().map(|(sequence, entry)| (sequence, entry.clone())).collect()
        } else {
            accepted.take(limit + 1).map(|(sequence, entry)| (sequence, entry.clone())).collect()
        };
        let more = page.len() > limit || (before.is_some() && after.is_none() && !page.is_empty());
        page.truncate(limit);
        (page, more)
    });

    let mut paging = json!({});
    if let (Some((first, _)), Some((last, _))) = (page.first(), page.last()) {
        paging["cursors"] = json!({ "before": cursor(*first), "after": cursor(*last) });
        if more {
            let path = format!("/{}/provider/workspace-templates", runtime.channel);
            let mut query = filter.query();
            if !query.is_empty() {
                query.push('&');
            }
            let address = format!("{path}?{query}limit={limit}&after={}", cursor(*last));
            paging["next"] = json!(runtime.address(&address));
        }
    }
    omit_templates(runtime, &mut page, |(_, entry)| &entry.uuid);
    let data: Vec<Value> = page.iter().map(|(_, entry)| record(runtime, entry)).collect();
    Ok(json!({ "data": data, "paging": paging }))
}
