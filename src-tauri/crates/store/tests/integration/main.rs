//! The store as the app uses it: through its public interface, on files in a temporary folder.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod account_records;
mod activity;
mod batch;
mod batch_round;
mod bulk_action;
mod cache;
mod crash;
#[cfg(unix)]
mod damage;
mod delivery_log;
mod desk;
mod figures;
mod folder;
mod formats;
mod import;
mod known_records;
mod listing;
mod outcome;
mod people_seen;
mod projection;
mod replay;
mod search;
mod template_events;
mod wrong_clock;

use store::cache::{CachedTemplate, RequestMark, TemplateRow};

/// A template of workspace `w`, as in a listing.
fn template(reference: &str, name: &str, language: &str, status: &str) -> CachedTemplate {
    CachedTemplate {
        row: TemplateRow {
            workspace_id: "w".to_owned(),
            reference: reference.to_owned(),
            name: name.to_owned(),
            language: language.to_owned(),
            status: status.to_owned(),
            category: "marketing".to_owned(),
            kind: "cloud_api".to_owned(),
            wabas: vec!["10".to_owned()],
            body_text: "Hello {{1}}".to_owned(),
            ..TemplateRow::default()
        },
        record: format!(r#"{{"uuid":"{reference}","components":[{{"type":"BODY","text":"Hello {{{{1}}}}"}}]}}"#),
    }
}

/// A request before the first delivery.
fn asked(at: i64) -> RequestMark {
    asked_after(0, at)
}

/// A request after the delivery `last_seq`.
fn asked_after(last_seq: i64, at: i64) -> RequestMark {
    RequestMark { number: at, last_seq, at }
}

/// A tokio runtime for synchronous test code.
fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap()
}
