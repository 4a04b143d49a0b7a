//! Adds the [`crate::seed`] to the state; with [`Seed::History`], as the [`crate::history`] left it.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use bytes::Bytes;
use model::vocabulary::TemplateStatus;
use serde_json::json;

use crate::history::{self, Identity, Progress};
use crate::profile::Profile;
use crate::runtime::Runtime;
use crate::schedule::Task;
use crate::seed::{
    self, BUSINESS, OTHER_BUSINESS, OTHER_WABA, SECOND_WABA, Sample, Seed, WABA, agency, picture, samples,
};
use crate::state::{Entry, Media, Number, State, Waba, Workspace};
use crate::templates::create::channel_id;
use crate::time::{Instant, now};
use crate::uploads::handle_of;

const HOUR_MS: i64 = 60 * 60 * 1000;

/// Adds the accounts that don't exist yet.
pub(crate) fn accounts(state: &mut State) {
    for account in seed::accounts(state.settings.profile) {
        let name = account.name.to_owned();
        let waba = Waba { business_id: account.business.to_owned(), name: name.clone() };
        state.wabas.entry(account.waba).or_insert(waba);
        let number = Number { waba: Some(account.waba), display: account.display.to_owned(), name };
        state.numbers.entry(account.number.to_owned()).or_insert(number);
    }
}

/// Adds the templates of a seed, unless the state was seeded already or has templates.
pub(crate) fn first_templates(runtime: &Runtime, seed: Seed) -> std::io::Result<()> {
    let (is_empty, is_new) = runtime.read(|state| {
        let is_empty = !state.seeded && state.templates.is_empty();
        (is_empty, state.sequence == 0)
    });
    if is_empty && seed != Seed::Empty {
        // A sandbox of an earlier version has a past of its own.
        templates(runtime, seed == Seed::History && is_new)?;
    }
    if is_empty {
        runtime.change(|state| state.seeded = true);
    }
    Ok(())
}

/// Adds the sample templates; with a history, as it left them.
pub(crate) fn templates(runtime: &Runtime, with_history: bool) -> std::io::Result<()> {
    static PICTURE: LazyLock<Bytes> = LazyLock::new(|| Bytes::from(picture(600, 314)));
    let bytes = PICTURE.clone();
    let media = Media::new("image/png", Some("sample.png".to_owned()), bytes.len() as u64);
    let image = handle_of(&runtime.store_file_blocking(bytes, media)?);
    runtime.change(|state| {
        let samples = samples(&image);
        if with_history {
            let anchor = now();
            for (index, (mut sample, identity)) in samples.into_iter().zip(history::identities(anchor)).enumerate() {
                if let Some(category) = history::former_category(index) {
                    sample.content["previous_category"] = json!(category);
                }
                add(state, sample, identity, history::instants(anchor, index));
            }
            state.history = Some(Progress { anchor, image: image.clone(), ..Progress::default() });
        } else {
            let count = samples.len();
            for (index, sample) in samples.into_iter().enumerate() {
                add_new(state, sample, count - index);
            }
        }
        if state.settings.profile == Profile::Agency {
            add_agency(state, &image);
        }
    });
    Ok(())
}

/// Adds the templates of the profile `agency`, and what the channel reports about single accounts.
fn add_agency(state: &mut State, image: &str) {
    let templates = agency::templates(image);
    let count = templates.len();
    for (index, (sample, later)) in templates.into_iter().enumerate() {
        let uuid = add_new(state, sample, count - index);
        for (waba, status, reason) in later {
            let (uuid, status) = (uuid.clone(), TemplateStatus::from(*status));
            let reason = reason.map(str::to_owned);
            state.account_statuses.push(Task::AccountStatus { uuid, waba: *waba, status, reason });
        }
    }
}

/// Adds a template that was created this many steps ago. Returns its UUID.
fn add_new(state: &mut State, sample: Sample, steps: usize) -> String {
    let at = now() - i64::try_from(steps).unwrap_or_default() * 7 * HOUR_MS;
    let archived_at = sample.archived.then_some(at + HOUR_MS);
    let identity = new_identity(sample.wabas);
    let uuid = identity.uuid.clone();
    add(state, sample, identity, (at, at + HOUR_MS / 4, archived_at));
    uuid
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
        let components = json!([seed::body(&text, &["Ana"])]);
        let content = seed::content(&name, pick(LANGUAGES, 3), pick(CATEGORIES, 2), components);
        let wabas: &[u64] = if index % 4 == 3 { &[SECOND_WABA] } else { &[WABA] };
        let at = now() - i64::try_from(index).unwrap_or_default() * 1000;
        let archived_at = (index % 50 == 49).then_some(at + HOUR_MS);
        let sample = Sample { wabas, ..seed::plain(pick(STATUSES, 1), content) };
        add(state, sample, new_identity(wabas), (at, at + HOUR_MS / 4, archived_at));
    }
}

fn new_identity(wabas: &[u64]) -> Identity {
    Identity { uuid: uuid::Uuid::new_v4().to_string(), ids: wabas.iter().map(|waba| (*waba, channel_id())).collect() }
}

/// Adds a template that was created, last changed and archived at these instants.
fn add(
    state: &mut State,
    sample: Sample,
    identity: Identity,
    (created_at, updated_at, archived_at): (Instant, Instant, Option<Instant>),
) {
    let rejection_info = sample.rejection_info();
    let business_id = if sample.wabas.contains(&OTHER_WABA) { OTHER_BUSINESS } else { BUSINESS };
    let entry = Entry {
        uuid: identity.uuid,
        ids: identity.ids,
        business_id: business_id.to_owned(),
        workspace: Workspace::Main,
        status: TemplateStatus::from(sample.status),
        other_statuses: BTreeMap::new(),
        archived_at,
        created_at,
        updated_at,
        reason: sample.reason.map(|(code, ..)| code.to_owned()),
        rejection_info,
        edits: Vec::new(),
        round: 0,
        files: BTreeMap::new(),
        template: sample.template(),
    };
    let sequence = state.next();
    state.templates.insert(sequence, entry);
}
