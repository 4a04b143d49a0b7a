//! Batches: each recipient once, whatever the provider answers and whenever the batch is stopped.

mod address_book;
mod cells;
mod comparison;
mod ended;
mod held_back;
mod late_reports;
mod limit;
mod mapping;
mod outcomes;
pub(super) mod provider;
mod recipient_files;
mod removed;
mod repeated;
mod replies;
mod result_file;
mod retarget;
mod round;
mod who_is_meant;
mod whole;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use app::ports::{EventSink, NoInstaller};
use app::{Core, Options, Timing};
use command_types::batch::{
    Batch, BatchDetail, BatchPlan, BatchPlanRequest, BatchQuery, BatchRow, BatchSource, CsvFile, ResumeBatch, RowState,
    StartBatch, ValueSource,
};
use command_types::event::DeskEvent;
use command_types::send::SendOptions;
use command_types::workspace::{SaveWorkspace, SecretInput, SecretKind, SendingNumber, WorkspaceId, WorkspaceSettings};
use secrecy::SecretString;
use tempfile::TempDir;
use tokio::sync::mpsc;

use self::provider::{Provider, TEMPLATE};
use super::harness::short_timing;
use super::keyring::ScriptedKeyring;

const TOKEN: &str = "batch-token-that-is-nowhere-else";
const WEBHOOK_SECRET: &str = "batch-webhook-secret";
const NUMBER: &str = "551130001000";
/// Rows of the file that most tests send.
const ROWS: u32 = 200;
/// Lines in it that cannot be sent.
const BAD: [u32; 3] = [17, 90, 171];

/// The recipient in a line of the file.
fn recipient(line: u32) -> String {
    format!("5511987{:06}", 400_000 + line)
}

/// A file of [`ROWS`] rows of which [`BAD`] are invalid: a number without country code, an empty value, a line break.
fn file(folder: &Path, header: &str) -> PathBuf {
    let mut text = format!("{header}\r\n");
    let mut line = 2;
    for row in 0..ROWS {
        let to = recipient(line);
        match line {
            17 => writeln!(text, "12,Ana {row},12/5\r").unwrap(),
            90 => writeln!(text, "{to},,12/5\r").unwrap(),
            171 => writeln!(text, "{to},\"Ana\n{row}\",12/5\r").unwrap(),
            _ => writeln!(text, "+{to},Ana {row},12/5\r").unwrap(),
        }
        line += if line == 171 { 2 } else { 1 };
    }
    let path = folder.join("convidados.csv");
    std::fs::write(&path, text).unwrap();
    path
}

/// A request for a file with the columns `numero`, `nome` and `dia`.
fn request(workspace: &str, reference: &str, number: &str, file: &CsvFile) -> BatchPlanRequest {
    let column = |part: &str, column: &str| {
        (part.to_owned(), ValueSource::Column { column: column.to_owned(), fallback: None, transform: None })
    };
    BatchPlanRequest {
        workspace: workspace.to_owned(),
        reference: reference.to_owned(),
        number: number.to_owned(),
        options: SendOptions {
            callback_data: r#"{"campanha":7}"#.to_owned(),
            track: true,
            exact_callback: false,
            overrides: Vec::new(),
        },
        country: None,
        source: BatchSource::Csv {
            file: file.id.clone(),
            to: "numero".to_owned(),
            name: Some("nome".to_owned()),
            values: [column("body.1", "nome"), column("body.2", "dia")].into(),
        },
    }
}

/// A core with a workspace at a recording provider.
struct Desk {
    core: Core,
    provider: Provider,
    workspace: String,
    folder: TempDir,
    events: mpsc::UnboundedReceiver<DeskEvent>,
}

impl Desk {
    async fn start() -> Self {
        Self::start_with(short_timing()).await
    }

    async fn start_with(timing: Timing) -> Self {
        let provider = Provider::start().await;
        let (core, workspace, folder, events) = opened_with(&provider.url, timing).await;
        Self { core, provider, workspace, folder, events }
    }

    /// Plans a batch of [`file`] with the provider's template.
    async fn plan(&self) -> BatchPlan {
        let read = self.core.messaging.read_csv(&file(self.folder.path(), "numero,nome,dia")).await.unwrap();
        self.core.messaging.plan_batch(request(&self.workspace, TEMPLATE, NUMBER, &read)).await.unwrap()
    }

    /// Plans and starts it without its invalid rows.
    async fn started(&self) -> String {
        self.started_with(TEMPLATE).await
    }

    async fn started_with(&self, reference: &str) -> String {
        let read = self.core.messaging.read_csv(&file(self.folder.path(), "numero,nome,dia")).await.unwrap();
        let mut request = request(&self.workspace, reference, NUMBER, &read);
        request.options.overrides.extend(["to.recentMarketing", "to.cappedUntil"].map(str::to_owned));
        let plan = self.core.messaging.plan_batch(request).await.unwrap();
        self.core.messaging.start_batch(StartBatch { batch: plan.id.clone(), skip_bad: true }).await.unwrap();
        plan.id
    }

    async fn wait_until_ended(&mut self, id: &str) -> Batch {
        loop {
            wait_for_end(&mut self.events, id).await;
            let batch = detail(&self.core, id).await.batch;
            // The end before it went on may be announced late.
            if !["running", "cancelling"].contains(&batch.state.as_str()) {
                return batch;
            }
        }
    }

    async fn resume(&self, id: &str) -> Batch {
        self.core.messaging.resume_batch(ResumeBatch { batch: id.to_owned(), resend_unknown: false }).await.unwrap()
    }

    async fn rows(&self, id: &str, state: &str) -> Vec<BatchRow> {
        rows(&self.core, id, Some(state)).await
    }

    async fn close(self) -> TempDir {
        self.core.close().await;
        self.folder
    }
}

/// A core in a new folder with a workspace on a provider, its templates cached; and its events.
pub(super) async fn opened(url: &str) -> (Core, String, TempDir, mpsc::UnboundedReceiver<DeskEvent>) {
    opened_with(url, short_timing()).await
}

pub(super) async fn opened_with(
    url: &str,
    timing: Timing,
) -> (Core, String, TempDir, mpsc::UnboundedReceiver<DeskEvent>) {
    let folder = TempDir::new().unwrap();
    let (sender, events) = mpsc::unbounded_channel();
    let core = Core::open_with(
        Options {
            data_folder: app::lock_data_folder(&folder.path().join("desk")).unwrap(),
            keyring: Arc::new(ScriptedKeyring::default()),
            events: EventSink::new(move |event| {
                let _is_closed = sender.send(event);
            }),
            sandbox: None,
            receiver_address: Some("127.0.0.1:0".to_owned()),
            loopback_media: true,
            installer: Arc::new(NoInstaller),
        },
        timing,
    )
    .await
    .unwrap();
    let secret = |kind, value| SecretInput { kind, number: None, value: SecretString::from(value) };
    let secrets = vec![secret(SecretKind::Token, TOKEN), secret(SecretKind::WebhookSecret, WEBHOOK_SECRET)];
    let settings = settings(url);
    let request = SaveWorkspace { workspace: None, settings, secrets, session_only: false };
    let workspace = core.workspaces.save_workspace(request).await.unwrap().id;
    core.templates.refresh_templates(WorkspaceId { workspace: workspace.clone() }).await.unwrap();
    (core, workspace, folder, events)
}

/// Settings of a workspace on a provider.
pub(super) fn settings(url: &str) -> WorkspaceSettings {
    WorkspaceSettings {
        name: "Batches".to_owned(),
        base_url: url.to_owned(),
        channel: "messaging".to_owned(),
        workspace_uuid: "5a9db0c5-0000-4000-8000-0000000000aa".to_owned(),
        default_country: "BR".to_owned(),
        numbers: vec![SendingNumber { id: NUMBER.to_owned(), label: "Main".to_owned(), ..Default::default() }],
        ..WorkspaceSettings::default()
    }
}

/// Waits for the event that a batch or a bulk action has ended.
pub(super) async fn wait_for_end(events: &mut mpsc::UnboundedReceiver<DeskEvent>, id: &str) {
    let waiting = async {
        loop {
            if let DeskEvent::BatchProgress { id: event_id, state, .. }
            | DeskEvent::BulkActionProgress { id: event_id, state, .. } = events.recv().await.expect("the core runs")
                && event_id == id
                && ["done", "cancelled", "interrupted"].contains(&state.as_str())
            {
                return;
            }
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(60), waiting).await.expect("it does not end");
}

async fn detail(core: &Core, id: &str) -> BatchDetail {
    core.messaging.get_batch(BatchQuery { batch: id.to_owned(), limit: 1, ..BatchQuery::default() }).await.unwrap()
}

/// All rows of a batch, page by page.
async fn rows(core: &Core, id: &str, state: Option<&str>) -> Vec<BatchRow> {
    let mut rows = Vec::new();
    let mut after = None;
    loop {
        let query = BatchQuery {
            batch: id.to_owned(),
            state: state.map(RowState::from),
            after,
            limit: 60,
            ..BatchQuery::default()
        };
        let page = core.messaging.get_batch(query).await.unwrap();
        rows.extend(page.rows);
        after = page.next;
        if after.is_none() {
            return rows;
        }
    }
}
