//! Handlers of `/sandbox/history`: what the client had made and sent before the first start.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use serde::Deserialize;
use serde_json::Value;

use crate::Sandbox;
use crate::answer::Answer;
use crate::history::History;
use crate::history_playback::records;
use crate::refusal::Refusal;
use crate::runtime::Runtime;

/// `GET /sandbox/history`.
pub(crate) async fn history(State(sandbox): State<Sandbox>) -> Answer {
    answer(&sandbox, records::summary).await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Page {
    /// `next` of the page before.
    #[serde(default)]
    after: usize,
    #[serde(default = "most")]
    limit: usize,
}

fn most() -> usize {
    records::MOST_SENDS
}

/// `GET /sandbox/history/sends`. After the last page, the events of the history are delivered.
pub(crate) async fn sends(State(sandbox): State<Sandbox>, Query(page): Query<Page>) -> Answer {
    let limit = page.limit.clamp(1, records::MOST_SENDS);
    let answered =
        answer(&sandbox, move |runtime, history| records::sends(runtime, history, page.after, limit)).await?;
    if answered.0["next"].is_null() {
        sandbox.runtime.release_history();
    }
    Ok(answered)
}

async fn answer(sandbox: &Sandbox, make: impl FnOnce(&Runtime, &History) -> Value + Send + 'static) -> Answer {
    let runtime = Arc::clone(&sandbox.runtime);
    let made = move || runtime.generate_history().map(|history| make(&runtime, &history));
    match tokio::task::spawn_blocking(made).await {
        Ok(Some(value)) => Ok(Json(value)),
        Ok(None) => Err(Refusal::new(
            StatusCode::NOT_FOUND,
            "No history",
            "this sandbox was not started with the seed `history`",
        )),
        Err(error) => Err(Refusal::unstored(error.to_string())),
    }
}
