//! The seed data: two business managers, three WABAs, three numbers, and templates with every status.

use std::collections::BTreeMap;

use bytes::Bytes;
use model::envelope::RejectionInfo;
use model::template::Template;
use model::vocabulary::TemplateStatus;
use serde_json::{Value, json};

use crate::runtime::Runtime;
use crate::state::{Entry, Media, Number, State, Waba, Workspace};
use crate::templates::create::{ADOPTING_BUSINESS, channel_id};
use crate::time::now;
use crate::uploads::handle_of;

mod picture;
mod samples;

/// The business manager that owns [`WABA`] and [`SECOND_WABA`].
pub const BUSINESS: &str = ADOPTING_BUSINESS;
/// Another business manager.
pub const OTHER_BUSINESS: &str = "100000000000002";
/// The WABA of most samples.
pub const WABA: u64 = 200_000_000_000_001;
/// A second WABA of the same business manager.
pub const SECOND_WABA: u64 = 200_000_000_000_002;
/// A WABA of the other business manager.
pub const OTHER_WABA: u64 = 200_000_000_000_003;
/// The sending number of [`WABA`].
pub const NUMBER: &str = "300000000000001";
/// The sending number of [`SECOND_WABA`].
pub const SECOND_NUMBER: &str = "300000000000002";
/// The sending number of [`OTHER_WABA`].
pub const OTHER_NUMBER: &str = "300000000000003";

const HOUR_MS: i64 = 60 * 60 * 1000;

/// Adds the accounts that don't exist yet.
pub(crate) fn accounts(state: &mut State) {
    for (id, business_id, name) in [
        (WABA, BUSINESS, "Ipê Flores"),
        (SECOND_WABA, BUSINESS, "Ipê Flores Atacado"),
        (OTHER_WABA, OTHER_BUSINESS, "Clínica Aurora"),
    ] {
        let waba = Waba { business_id: business_id.to_owned(), name: name.to_owned() };
        state.wabas.entry(id).or_insert(waba);
    }
    for (id, waba, display, name) in [
        (NUMBER, WABA, "+55 11 5550-0101", "Ipê Flores"),
        (SECOND_NUMBER, SECOND_WABA, "+55 11 5550-0102", "Ipê Flores Atacado"),
        (OTHER_NUMBER, OTHER_WABA, "+55 21 5550-0103", "Clínica Aurora"),
    ] {
        let number = Number { waba: Some(waba), display: display.to_owned(), name: name.to_owned() };
        state.numbers.entry(id.to_owned()).or_insert(number);
    }
}

/// Adds the sample templates.
pub(crate) fn templates(runtime: &Runtime) -> std::io::Result<()> {
    let bytes = Bytes::from(picture::picture(600, 314));
    let media = Media::new("image/png", Some("sample.png".to_owned()), bytes.len() as u64);
    let image = handle_of(&runtime.store_file_blocking(bytes, media)?);
    runtime.change(|state| {
        let samples = samples::samples(&image);
        let count = i64::try_from(samples.len()).unwrap_or_default();
        for (index, sample) in samples.into_iter().enumerate() {
            let age = (count - i64::try_from(index).unwrap_or_default()) * 7 * HOUR_MS;
            add(state, sample, now() - age);
        }
    });
    Ok(())
}

/// Maximum number of templates that [`crate::Sandbox::add_templates`] adds at once.
pub(crate) const MOST_ADDED: usize = 200_000;

/// Adds `count` plain templates with different statuses, for load tests of clients.
pub(crate) fn many(state: &mut State, count: usize) {
    const STATUSES: &[&str] = &["APPROVED", "APPROVED", "APPROVED", "APPROVED", "REJECTED", "PAUSED"];
    const TOPICS: &[&str] = &["order", "offer", "visit", "invoice", "survey", "welcome", "refund"];
    const CATEGORIES: &[&str] = &["marketing", "utility"];
    const LANGUAGES: &[&str] = &["pt_BR", "en_US", "es"];
    accounts(state);
    for index in 0..count {
        let pick = |words: &'static [&'static str], step: usize| words[(index / step) % words.len()];
        let number = state.sequence + 1;
        let name = format!("{}_{number:06}", pick(TOPICS, 1));
        let text = format!("Olá {{{{1}}}}, esta é a mensagem número {number} sobre o assunto que você pediu.");
        let components = json!([body(&text, &["Ana"])]);
        let content = content(&name, pick(LANGUAGES, 3), pick(CATEGORIES, 2), components);
        let wabas: &[u64] = if index % 4 == 3 { &[SECOND_WABA] } else { &[WABA] };
        let at = now() - i64::try_from(index).unwrap_or_default() * 1000;
        add(state, Sample { wabas, archived: index % 50 == 49, ..plain(pick(STATUSES, 1), content) }, at);
    }
}

struct Sample {
    status: &'static str,
    archived: bool,
    wabas: &'static [u64],
    /// Rejection: the channel's reason, the problem, and the recommended change. The last two may be empty.
    reason: Option<(&'static str, &'static str, &'static str)>,
    content: Value,
}

impl Sample {
    fn rejection_info(&self) -> Option<RejectionInfo> {
        let (_, reason, recommendation) = self.reason.filter(|(_, reason, _)| !reason.is_empty())?;
        Some(RejectionInfo {
            reason: Some(reason.to_owned()),
            recommendation: Some(recommendation.to_owned()),
            ..RejectionInfo::default()
        })
    }
}

fn add(state: &mut State, sample: Sample, at: i64) {
    let rejection_info = sample.rejection_info();
    let template: Template = serde_json::from_value(sample.content).expect("samples are templates");
    let business_id = if sample.wabas.contains(&OTHER_WABA) { OTHER_BUSINESS } else { BUSINESS };
    let entry = Entry {
        uuid: uuid::Uuid::new_v4().to_string(),
        ids: sample.wabas.iter().map(|waba| (*waba, channel_id())).collect(),
        business_id: business_id.to_owned(),
        workspace: Workspace::Main,
        template,
        status: TemplateStatus::from(sample.status),
        archived_at: sample.archived.then_some(at + HOUR_MS),
        created_at: at,
        updated_at: at + HOUR_MS / 4,
        reason: sample.reason.map(|(code, ..)| code.to_owned()),
        rejection_info,
        edits: Vec::new(),
        round: 0,
        files: BTreeMap::new(),
    };
    let sequence = state.next();
    state.templates.insert(sequence, entry);
}

fn plain(status: &'static str, content: Value) -> Sample {
    Sample { status, archived: false, wabas: &[WABA], reason: None, content }
}

fn body(text: &str, samples: &[&str]) -> Value {
    if samples.is_empty() {
        json!({ "type": "BODY", "text": text })
    } else {
        json!({ "type": "BODY", "text": text, "example": { "body_text": [samples] } })
    }
}

fn content(name: &str, language: &str, category: &str, components: Value) -> Value {
    json!({ "name": name, "language": language, "category": category, "components": components })
}
