//! The simulated provider: every endpoint, header, field, status and event of the contract.
//!
//! It is strict where the contract is clear, and behaves like the channel where it is not. The state is in memory, and
//! in a file if one is given.
//!
//! # Addresses
//!
//! The contract's paths are under `/{channel}/provider/…`. The control endpoints are separate; they need the same
//! credentials, but no workspace:
//!
//! | Request | Effect |
//! |---|---|
//! | `GET /sandbox` | this list, the workspace, its WABAs and numbers, the special recipients |
//! | `GET`, `PUT /sandbox/settings` | [`settings::Settings`]; a PUT changes only the given fields |
//! | `PUT /sandbox/webhook` | `{"url", "secret", "number"?}`; `"url": null` removes it |
//! | `POST /sandbox/webhook/verify` | `{"verify_token"}`: runs the handshake of upstream §9.1 |
//! | `POST /sandbox/templates` | `{"count"}`: adds many plain templates with different statuses |
//! | `POST /sandbox/templates/{uuid}/decision` | [`Decision`]: `{"event", "waba_id"?, "reason"?, …}` |
//! | `POST`, `DELETE /sandbox/templates/{uuid}/refuse` | [`Obstacle`]: failing operations; `*` is every template |
//! | `GET`, `POST`, `DELETE /sandbox/faults` | [`Fault`]: faults: requests whose response is replaced or lost |
//! | `GET`, `DELETE /sandbox/counts` | send requests and messages by recipient since the start or the last `DELETE` |
//! | `POST /sandbox/events` | `{"field", "value", "entry_id"?, "number"?}`: delivers any event |
//! | `GET /sandbox/deliveries` | every delivery, newest first, with its attempts and responses |
//! | `POST /sandbox/deliveries/{id}/redeliver` | delivers the same bytes again |
//! | `GET /sandbox/phones`, `GET /sandbox/phones/{recipient}` | messages on the phones |
//! | `PUT /sandbox/phones/{recipient}` | `{"name"?}`: adds a phone, or renames it |
//! | `POST /sandbox/phones/{recipient}/read` | marks delivered messages as read, if `auto_read` is off |
//! | `POST /sandbox/phones/{recipient}/tap` | `{"message_id", "button", "card"?, "form"?}`: taps a quick reply |
//! | `POST /sandbox/phones/{recipient}/text` | `{"body", "number"?, "reply_to"?}`: sends a text to the business |
//! | `POST /sandbox/phones/{recipient}/media` | multipart `file`, `type`?, `caption`?, `number`?, `reply_to`?: sends a file |
//! | `POST /sandbox/phones/{recipient}/message` | `{"message", "number"?}`: sends any item of `messages[]` unchanged |
//! | `PUT`, `DELETE /sandbox/phones/{recipient}/script` | [`Script`]: the outcome of the next messages; `*` is every phone |
//! | `GET /sandbox/scripts` | all scripts |
//! | `GET /sandbox/history` | what this client had made before the first start, without its sends; 404 without a history |
//! | `GET /sandbox/history/sends` | `after`?, `limit`?: a page of what this client had sent, oldest first |
//! | `GET /sandbox/media/{id}` | downloads media with authentication, as the channel's `url` |
//! | `GET /sandbox/public/{id}` | downloads media without authentication, as `s3_url` and header samples |
//!
//! # Profiles
//!
//! `whatsapp` responds like the channel behind a provider. `minimal` ([`profile`]) returns only what the contract
//! names: records with the fields of §2.1 and without `archived`, whole listings without pages, envelopes without
//! `time`, template events with the four fields of §6.5 and no other events about templates, refusals with `message`
//! and `details`, inbound messages without `context`. It refuses only what the contract refuses: a creation without
//! samples and an edit in any status are accepted. Where the contract shows no form, `minimal` in the settings chooses
//! one:
//!
//! | Setting | Values, the default first |
//! |---|---|
//! | `minimal.listing` | `data`, `array`, `data_items`, `data_templates`, `templates`, `results`, `items` |
//! | `minimal.archived` | `true`: archived templates are listed like any other; `false`: they are omitted |
//! | `minimal.category` | `true`; `false`: records have no category |
//! | `minimal.creation` | `uuid`, `data_uuid`, `id` |
//! | `minimal.message_id` | `true`; `false`: the response to a send has no message ID |
//! | `minimal.empty_answers` | `false`: `{}`; `true`: archive, unarchive and delete return no body |
//! | `error_form` | `profile`, `array` (`errors: […]`), `object` (`error: {…}`), `error_array` (`error: […]`) |
//!
//! `agency` responds like `whatsapp`, for what only shows with several accounts. [`Seed`]s have a fourth account, so that
//! templates are in one, two and three accounts of a business, and statuses that come to differ between them.
//!
//! # Faults
//!
//! `{"operations": ["send"], "answer": "cut"}` closes the connection of the next sends after they were carried out;
//! with a number instead of `cut`, the response is that HTTP status without a body: 500, 502, 503, 504, 520 and others,
//! optionally with `retry_after`; 401 has the body of the contract. `omit` leaves a `template` out of listings, `date` adds
//! `offset` seconds to `Date`. `from`, `times`, `one_in`, `recipient` and `template` limit the fault; with
//! `"when": "before"` the request is not carried out. `GET /sandbox/counts` shows how often a message was sent:
//! `{"total": {"requests", "messages"}, "recipients": {"5511…": {"requests", "messages"}}}`, where `requests` counts
//! the send requests that arrived and were parsed, and `messages` those that were carried out.
//!
//! # Special recipients
//!
//! A recipient with one of these endings has that outcome; any other message is sent, delivered and read.
//!
//! | Ending | Outcome |
//! |---|---|
//! | `0200001` | sent, never delivered |
//! | `0200002` | delivered, never read |
//! | `0200003` | read without delivered |
//! | `0200004` | statuses in reverse order |
//! | `0200005` | accepted, without any status |
//! | `0200006` | the `wa_id` in the response differs from the number as written |
//! | `0131026`, `0131049`, `0131050`, `0130472` | failed with that code |
//! | `0131000` | sent, then failed 131000 |
//! | `0130429`, `0131056` | refused with 429 and that code |
//! | `0131016` | refused with 503 and that code |
//! | `0131031` | refused with 403 and that code |
//!
//! # Decisions where the contract is silent
//!
//! - Success is always 200. The response to a creation has the record in `data`, and also its uuid at the top level.
//! - Errors that the channel finds immediately are refused with 400; errors that it finds only in review lead to
//!   `REJECTED` under the policy `auto`. [`rules`] classifies the findings.
//! - An archived template keeps its status, with `archived: true`. `status=ARCHIVED` lists archived templates only, any
//!   other `status` only those that are not archived, and no `status` all of them.
//! - One token opens the workspace and those added with `--additional-workspace`; the header selects one. In
//!   administrative context (`workspace_uuid` of another workspace and `is_administrator`, §4.3) a PUT edits a template
//!   of that workspace; an undeclared workspace is adopted and then contains all templates of the sandbox.
//! - Template events go to the common webhook, or without one to the webhooks of the numbers of the template's WABA,
//!   once for each address.
//! - Quotas of the channel (edits, blocked names) are off unless `enforce_quotas` is set.
//! - Undeclared WABAs and numbers are adopted unless `adopt_unknown` is off.
//! - A refused send is 400 with the channel's `code`; 404 is used only for paths, numbers and uuids.
//!
//! # Modules
//!
//! A module imports from its own layer and the layers below it, without cycles. Modules below the handle layer take the
//! `Runtime`, never the [`Sandbox`].
//!
//! | Layer, from the top | Modules |
//! |---|---|
//! | HTTP | `router`, `control`, `phone_control`, `history_control`, `auth` |
//! | handle | `handle`, `reset` and `phone`: the methods of [`Sandbox`] |
//! | provider | `templates`, `send`, `status_simulation`, `review`, `webhook_sender`, `seed`, `seeding`, `history`, `history_playback` |
//! | services | `fault_injection`, `measure`, `uploads`, `answer` |
//! | runtime | `runtime`, `throttle` |
//! | records | `state`, `schedule` |
//! | settings | `settings`, `profile`, `fault`, `obstacle`, `script`, `special`, `rules` |
//! | helpers | `refusal`, `recipient`, `content`, `body`, `rendering`, `contract_fields`, `state_file`, `http_client`, … |

use std::future::{Future, IntoFuture as _};
use std::sync::Arc;
use std::time::Duration;

use axum::extract::FromRef;
use tokio::net::TcpListener;
use tokio_util::sync::{CancellationToken, DropGuard};

use crate::connection::{Connection, Connections};
use crate::runtime::Runtime;
use crate::schedule::Task;
use crate::time::now;

mod answer;
mod auth;
mod body;
mod connection;
mod content;
mod contract_fields;
mod control;
mod escape;
mod fault;
mod fault_injection;
mod handle;
mod history;
mod history_control;
mod history_playback;
mod http_client;
mod marketing_stops;
mod measure;
mod obstacle;
mod open_error;
mod phone_control;
mod recipient;
mod refusal;
mod rendering;
mod reset;
mod router;
mod runtime;
mod schedule;
mod send;
mod special;
mod state;
mod state_file;
mod status_simulation;
mod templates;
mod throttle;
mod time;
mod uploads;
mod webhook_sender;

pub mod phone;
pub mod profile;
pub mod review;
pub mod rules;
pub mod script;
pub mod seed;
mod seeding;
pub mod settings;

pub use fault::{Cut, Fault, FaultAnswer, Operation, ResponseChange, When};
pub use obstacle::Obstacle;
pub use open_error::OpenError;
pub use profile::Profile;
pub use refusal::Refusal;
pub use review::Decision;
pub use script::{Next, Script};
pub use seed::Seed;
pub use settings::{Options, ReviewPolicy, Settings, Webhook};
pub use state::Tapped;

/// A running sandbox. Clones are handles to the same sandbox, which ends when the last handle and router are dropped.
#[derive(Clone)]
pub struct Sandbox {
    runtime: Arc<Runtime>,
    /// Cancels the tasks when the last handle is dropped.
    _tasks: Arc<DropGuard>,
    stop: CancellationToken,
    tracker: tokio_util::task::TaskTracker,
}

impl std::fmt::Debug for Sandbox {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sandbox").field("workspace", &self.runtime.workspace).finish_non_exhaustive()
    }
}

impl FromRef<Sandbox> for Arc<Runtime> {
    fn from_ref(sandbox: &Sandbox) -> Self {
        Arc::clone(&sandbox.runtime)
    }
}

impl Sandbox {
    /// Opens a sandbox and starts its tasks on the current tokio runtime.
    ///
    /// # Errors
    /// If the options are invalid, or the state file can't be read.
    ///
    /// # Panics
    /// Outside a tokio runtime.
    pub fn open(options: Options) -> Result<Self, OpenError> {
        let named = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        if options.channel.is_empty() || options.channel == "sandbox" || !options.channel.chars().all(named) {
            return Err(OpenError::Channel(options.channel));
        }
        let workspaces = std::iter::once(&options.workspace).chain(&options.additional_workspaces);
        if let Some(malformed) = workspaces.into_iter().find(|uuid| uuid::Uuid::parse_str(uuid).is_err()) {
            return Err(OpenError::Workspace(malformed.clone()));
        }
        let seed = options.seed;
        let add_accounts = |state: &mut _| {
            if seed.is_some() {
                seeding::accounts(state);
            }
        };
        let runtime = Arc::new(Runtime::open(options, add_accounts)?);
        if let Some(seed) = seed {
            seeding::first_templates(&runtime, seed).map_err(OpenError::Seed)?;
        }
        let stop = CancellationToken::new();
        let tracker = tokio_util::task::TaskTracker::new();
        tracker.spawn(clock(Arc::clone(&runtime), stop.clone()));
        tracker.spawn(webhook_sender::run(Arc::clone(&runtime), stop.clone()));
        tracker.spawn(Arc::clone(&runtime).save_until(stop.clone()));
        let past = Arc::clone(&runtime);
        tracker.spawn_blocking(move || prepare_history(&past));
        tracker.close();
        Ok(Self { runtime, _tasks: Arc::new(stop.clone().drop_guard()), stop, tracker })
    }

    /// A router with all endpoints.
    pub fn router(&self) -> axum::Router {
        router::router(self.clone())
    }

    /// Serves until `shutdown`, then ends the tasks and saves the state.
    pub async fn serve(
        self,
        listener: TcpListener,
        shutdown: impl Future<Output = ()> + Send + 'static,
    ) -> std::io::Result<()> {
        let address = listener.local_addr()?;
        if !address.ip().is_unspecified() {
            self.set_base_url(&format!("http://{address}"));
        }
        let ended = CancellationToken::new();
        let end = ended.clone();
        let service = self.router().into_make_service_with_connect_info::<Connection>();
        let server = axum::serve(Connections(listener), service).with_graceful_shutdown(async move {
            shutdown.await;
            end.cancel();
        });
        // Limits how long a hanging request delays the shutdown.
        let limit = async {
            ended.cancelled().await;
            tokio::time::sleep(Duration::from_secs(5)).await;
        };
        let result = tokio::select! {
            result = server.into_future() => result,
            () = limit => Ok(()),
        };
        self.close().await;
        result
    }

    /// Ends the tasks and saves the state a last time. Deliveries in flight are retried after the next start.
    pub async fn close(&self) {
        self.stop.cancel();
        self.tracker.wait().await;
        self.runtime.release_file();
    }

    /// Sets the base URL of this sandbox, without a trailing slash; media links are built on it. [`Sandbox::serve`]
    /// sets it, otherwise the `Host` of the first request. Only the first call has an effect.
    pub fn set_base_url(&self, url: &str) {
        let _already_set = self.runtime.base_url.set(url.trim_end_matches('/').to_owned());
    }

    /// A version that increases with every change, for views of the sandbox.
    #[must_use]
    pub fn changes(&self) -> tokio::sync::watch::Receiver<u64> {
        self.runtime.versions()
    }
}

/// Generates the history while its events are not delivered, and fills the phones after the first start.
fn prepare_history(runtime: &Runtime) {
    let Some(progress) = runtime.read(|state| state.history.clone()) else { return };
    if progress.done && progress.phones {
        return;
    }
    let Some(history) = runtime.generate_history() else { return };
    if !progress.phones {
        if let Err(error) = history_playback::phones::store_files(runtime, &history) {
            tracing::warn!(%error, "files of the history could not be stored");
        }
        runtime.change(|state| {
            history_playback::phones::fill(runtime, state, &history);
            if let Some(progress) = &mut state.history {
                progress.phones = true;
            }
        });
    }
    runtime.wake();
}

/// Runs scheduled tasks when they are due.
async fn clock(runtime: Arc<Runtime>, stop: CancellationToken) {
    let mut versions = runtime.versions();
    loop {
        versions.mark_unchanged();
        let due = runtime.read(|state| state.schedule.next_due());
        if due.is_some_and(|due| due <= now()) {
            let task = runtime.change(|state| {
                let task = state.schedule.take_due(now())?;
                match &task {
                    Task::Review { uuid, round } => review::end(state, uuid, *round),
                    Task::AccountStatus { uuid, waba, status, reason } => {
                        let decision = Decision { reason: reason.clone(), ..Decision::of(status.clone()) };
                        review::report_in(state, uuid, *waba, decision);
                    }
                    Task::Status(status) => status_simulation::report(state, &runtime.messaging_product, status),
                    Task::Begin { .. } => {}
                }
                Some(task)
            });
            if let Some(Task::Begin { message }) = task {
                // Not awaited: one slow media link must not delay the others. Processing that the end of the sandbox
                // interrupts restarts with the next one.
                let begin = status_simulation::begin(Arc::clone(&runtime), message);
                let stop = stop.clone();
                tokio::spawn(async move {
                    tokio::select! {
                        () = begin => {}
                        () = stop.cancelled() => {}
                    }
                });
            }
            continue;
        }
        tokio::select! {
            () = runtime::changed_or_due(&mut versions, due) => {}
            () = stop.cancelled() => return,
        }
    }
}
