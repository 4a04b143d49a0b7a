//! The first start on a sandbox with a history: every screen has rows, and nothing is doubled.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

use app::SANDBOX_ID;
use command_types::activity::EventQuery;
use command_types::batch::BatchQuery;
use command_types::conversations::{ContactQuery, ConversationQuery};
use command_types::event::DeskEvent;
use command_types::history::HistoryQuery;
use command_types::insights::{FunnelBy, FunnelQuery, PricingQuery, ReviewQuery};
use command_types::recipients::RecipientQuery;
use command_types::send::SendQuery;
use command_types::submission::FirstSteps;
use command_types::template::{TemplateId, TemplateQuery, TemplateRow};
use command_types::workspace::WorkspaceId;
use sandbox::{Profile, Seed};
use serde_json::Value;
use tempfile::TempDir;
use tokio::sync::OnceCell;

use super::harness::Harness;

const DAY: i64 = 86_400_000;

fn workspace() -> WorkspaceId {
    WorkspaceId { workspace: SANDBOX_ID.to_owned() }
}

/// Everything that is counted on the screens.
#[derive(Debug, PartialEq)]
struct Counts {
    events: usize,
    sends: u64,
    contacts: usize,
    drafts: usize,
    recipients: usize,
    versions: usize,
    entries: u64,
}

/// The files after the first start on a sandbox with a history, and the notifications of that start.
struct FirstStart {
    files: Vec<(PathBuf, Vec<u8>)>,
    notices: Vec<DeskEvent>,
}

impl FirstStart {
    /// Made once for all tests.
    async fn get() -> &'static Self {
        static MADE: OnceCell<FirstStart> = OnceCell::const_new();
        MADE.get_or_init(Self::make).await
    }

    async fn make() -> Self {
        let mut bench = Harness::first_start(Profile::Whatsapp).await;
        let notices = bench.emitted().into_iter().filter(is_notified).collect();
        let folder = bench.close().await;
        let (mut files, mut folders) = (Vec::new(), vec![folder.path().to_owned()]);
        while let Some(inner) = folders.pop() {
            for path in std::fs::read_dir(inner).unwrap().map(|entry| entry.unwrap().path()) {
                if path.is_dir() {
                    folders.push(path);
                } else {
                    files.push((path.strip_prefix(folder.path()).unwrap().to_owned(), std::fs::read(path).unwrap()));
                }
            }
        }
        Self { files, notices }
    }

    /// A folder of its own with the files.
    fn folder(&self) -> TempDir {
        let folder = TempDir::new().unwrap();
        for (path, content) in &self.files {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, content).unwrap();
        }
        folder
    }
}

impl Harness {
    /// Starts with a business of sixty days, which is recorded and received.
    pub(super) async fn start_after_history() -> Self {
        let folder = FirstStart::get().await.folder();
        let mut bench = Self::start_with_history(folder, Profile::Whatsapp).await;
        bench.core.templates.refresh_templates(workspace()).await.unwrap();
        bench.recorded().await;
        bench
    }

    async fn first_start(profile: Profile) -> Self {
        let mut bench = Self::start_with_history(TempDir::new().unwrap(), profile).await;
        bench.core.templates.refresh_templates(workspace()).await.unwrap();
        bench.recorded().await;
        bench
    }

    /// Waits until the history is recorded, delivered and projected.
    async fn recorded(&mut self) {
        let (core, all) = (self.core.clone(), async || {
            let summary = self.ask(reqwest::Method::GET, "/sandbox/history", &Value::Null).await;
            summary["events"]["delivered"] == summary["events"]["total"]
        });
        let recorded = async {
            // The same as the background task: a repetition changes nothing.
            core.messaging.record_sandbox_history().await.unwrap();
            while !all().await {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(120), recorded).await.expect("the history did not come");
        self.wait_for_projection().await;
    }

    async fn listed(&self) -> Vec<TemplateRow> {
        let query = TemplateQuery { workspace: SANDBOX_ID.to_owned(), limit: 100, ..TemplateQuery::default() };
        self.core.templates.list_templates(query).await.unwrap().rows
    }

    async fn events(&self, kind: Option<&str>) -> usize {
        let (mut count, mut after) = (0, None);
        loop {
            let query = EventQuery {
                workspace: Some(SANDBOX_ID.to_owned()),
                kind: kind.map(str::to_owned),
                limit: 200,
                after,
                ..EventQuery::default()
            };
            let page = self.core.webhooks.list_events(query).await.unwrap();
            count += page.rows.len();
            after = page.next;
            if after.is_none() {
                return count;
            }
        }
    }

    /// As the window does it.
    async fn reset(&mut self, seed: Seed) {
        self.wait_for_projection().await;
        self.sandbox.reset(seed).await.unwrap();
        self.core.data.clear_sandbox().await.unwrap();
        self.core.messaging.follow_new_sandbox().await.unwrap();
    }

    /// Sends, contacts, drafts and recipients.
    async fn totals(&self) -> (u64, usize, usize, usize) {
        let funnel = FunnelQuery { workspace: SANDBOX_ID.to_owned(), limit: 50, ..FunnelQuery::default() };
        let contacts = ContactQuery { workspace: SANDBOX_ID.to_owned(), limit: 500, ..ContactQuery::default() };
        let recipients = RecipientQuery { workspace: SANDBOX_ID.to_owned(), ..RecipientQuery::default() };
        (
            self.core.insights.get_funnel(funnel).await.unwrap().total.sent,
            self.core.conversations.list_contacts(contacts).await.unwrap().rows.len(),
            self.core.authoring.list_drafts(workspace()).await.unwrap().len(),
            self.core.messaging.list_recipients(recipients).await.unwrap().rows.len(),
        )
    }

    async fn counts(&self) -> Counts {
        let rows = self.listed().await;
        let of = |name: &str| {
            let row = rows.iter().find(|row| row.name == name).unwrap();
            TemplateId { workspace: SANDBOX_ID.to_owned(), reference: row.reference.clone() }
        };
        let visit = of("visit_reminder");
        let history = HistoryQuery {
            workspace: visit.workspace.clone(),
            reference: visit.reference.clone(),
            kinds: Vec::new(),
            offset: 0,
            limit: 100,
        };
        let (sends, contacts, drafts, recipients) = self.totals().await;
        Counts {
            events: self.events(None).await,
            sends,
            contacts,
            drafts,
            recipients,
            versions: self.core.templates.list_versions(visit).await.unwrap().len(),
            entries: self.core.templates.get_history(history).await.unwrap().total,
        }
    }
}

#[tokio::test]
async fn the_first_start_shows_a_business_of_sixty_days() {
    let bench = Harness::start_after_history().await;
    let now = chrono::Utc::now().timestamp_millis();

    let rows = bench.listed().await;
    let steps = bench.core.authoring.get_first_steps(workspace()).await.unwrap();
    assert_eq!(steps, FirstSteps::default(), "the past is not what a person did");
    assert_eq!(rows.len(), 18);
    for row in &rows {
        let since = row.state_since.unwrap_or_else(|| panic!("the age of {} is not known", row.name));
        assert!(since < now - DAY / 8 && since > now - 62 * DAY, "{} since {since}", row.name);
        assert!(row.state_since_exact, "{}", row.name);
    }
    let board = bench
        .core
        .templates
        .get_review_board(
            TemplateQuery { workspace: SANDBOX_ID.to_owned(), limit: 50, ..TemplateQuery::default() }.into(),
        )
        .await
        .unwrap();
    for status in ["PENDING", "APPROVED", "REJECTED", "PAUSED", "DISABLED"] {
        assert!(board.columns.iter().any(|column| column.status == status && column.count > 0), "{status}");
    }
    assert_eq!((board.draft_count, board.needs.category_changed), (2, 1));

    let counts = bench.counts().await;
    assert!(counts.events > 7_000 && (2_500..4_000).contains(&counts.sends), "{counts:?}");
    assert!(counts.contacts >= 100 && counts.recipients >= 30 && counts.drafts == 2, "{counts:?}");
    assert!(counts.versions == 2 && counts.entries >= 4, "{counts:?}");
    for kind in ["template_quality", "template_category", "user_action", "user_preferences", "phone_number_quality"] {
        assert!(bench.events(Some(kind)).await > 0, "{kind}");
    }

    let funnel = |by| FunnelQuery { workspace: SANDBOX_ID.to_owned(), by, limit: 100, ..FunnelQuery::default() };
    let total = bench.core.insights.get_funnel(funnel(FunnelBy::Day)).await.unwrap();
    assert!(total.rows.len() >= 30, "{} days", total.rows.len());
    let all = &total.total;
    assert!(
        all.delivered * 10 > all.sent * 9 && all.read * 2 > all.sent && all.failed > 40 && all.replied > 100,
        "{all:?}"
    );
    let range = ReviewQuery { workspace: SANDBOX_ID.to_owned(), from: None, to: None, waba: None };
    let prices = PricingQuery { workspace: SANDBOX_ID.to_owned(), ..PricingQuery::default() };
    let pricing = bench.core.insights.get_pricing(prices).await.unwrap();
    let priced: BTreeSet<&str> = pricing.rows.iter().map(|row| row.category.as_str()).collect();
    assert!(
        ["marketing", "utility", "authentication", "service"].iter().all(|word| priced.contains(word)),
        "{priced:?}"
    );
    let reviews = bench.core.templates.get_review_times(range).await.unwrap();
    assert!(reviews.decided >= 17 && reviews.pending == 1 && reviews.oldest_pending_ms.is_some(), "{reviews:?}");

    let batches = bench.core.messaging.list_batches(workspace()).await.unwrap();
    let [batch] = batches.as_slice() else { panic!("{batches:?}") };
    let counts = &batch.counts;
    assert_eq!((batch.total, counts.skipped, counts.planned, counts.sending), (250, 3, 0, 0));
    assert!(counts.read > 100 && counts.delivered > 20 && counts.failed >= 2, "{counts:?}");
    let query = BatchQuery { batch: batch.id.clone(), limit: 100, ..BatchQuery::default() };
    let rows = bench.core.messaging.get_batch(query).await.unwrap().rows;
    assert!(rows.iter().all(|row| row.send.is_some() != row.problem.is_some()), "{rows:?}");

    let query = SendQuery { workspace: SANDBOX_ID.to_owned(), limit: 100, ..SendQuery::default() };
    let sends = bench.core.messaging.list_sends(query).await.unwrap().rows;
    assert!(sends.iter().any(|send| send.text.is_some()) && sends.iter().any(|send| send.reference.is_some()));
}

#[tokio::test]
async fn conversations_are_in_three_languages_and_mostly_read() {
    let bench = Harness::start_after_history().await;
    let query = ContactQuery { workspace: SANDBOX_ID.to_owned(), limit: 500, ..ContactQuery::default() };
    let contacts = bench.core.conversations.list_contacts(query).await.unwrap().rows;
    let unread = contacts.iter().filter(|contact| contact.unread > 0).count();
    assert!((1..20).contains(&unread), "{unread} of {} unread", contacts.len());
    let (mut languages, mut dialogues) = (BTreeSet::new(), 0);
    for contact in &contacts {
        let query = ConversationQuery {
            workspace: SANDBOX_ID.to_owned(),
            contact: contact.contact.clone(),
            number: None,
            after: None,
            limit: 100,
        };
        let page = bench.core.conversations.list_conversation(query).await.unwrap();
        let replied = page.messages.iter().any(|message| message.outgoing && message.kind == "text");
        if replied {
            dialogues += 1;
            languages.insert(contact.contact.chars().take(2).collect::<String>());
        }
    }
    assert!(dialogues >= 25, "{dialogues} conversations");
    assert!(
        ["55", "52"].iter().all(|code| languages.contains(*code)) && languages.iter().any(|code| code.starts_with('1')),
        "{languages:?}"
    );
}

#[tokio::test]
async fn nothing_is_doubled_by_a_repetition_or_a_restart() {
    let mut bench = Harness::start_after_history().await;
    let first = bench.counts().await;
    bench.core.messaging.record_sandbox_history().await.unwrap();
    assert_eq!(bench.counts().await, first);

    // As if the process had ended before it noted that everything is recorded.
    let desk = bench.folder.path().join("desk/desk.sqlite");
    let folder = bench.close().await;
    let connection = rusqlite::Connection::open(desk).unwrap();
    assert_eq!(connection.execute("DELETE FROM setting WHERE key = 'sandbox.history'", []).unwrap(), 1);
    drop(connection);
    bench = Harness::start_with_history(folder, Profile::Whatsapp).await;
    bench.core.templates.refresh_templates(workspace()).await.unwrap();
    bench.recorded().await;
    assert_eq!(bench.counts().await, first);
}

#[tokio::test]
async fn a_minimal_provider_has_a_history_too() {
    let bench = Harness::first_start(Profile::Minimal).await;
    let counts = bench.counts().await;
    assert!(counts.sends > 2_500 && counts.contacts >= 100 && counts.entries >= 4, "{counts:?}");
}

#[tokio::test]
async fn a_reset_leaves_nothing_of_the_former_business() {
    let mut bench = Harness::start_after_history().await;
    bench.reset(Seed::Empty).await;
    assert_eq!(bench.listed().await, []);
    let empty = bench.totals().await;
    assert_eq!((empty.0, empty.2, empty.3), (0, 0, 0), "sends, drafts and recipients");

    bench.reset(Seed::History).await;
    bench.recorded().await;
    let summary = bench.ask(reqwest::Method::GET, "/sandbox/history", &Value::Null).await;
    let (sends, _, drafts, recipients) = bench.totals().await;
    // Texts are not counted.
    let all = summary["sends"].as_u64().unwrap();
    assert!((all - 80..all).contains(&sends), "{sends} of {all}");
    assert_eq!((drafts, recipients), (2, 400));
    assert_eq!(bench.listed().await.len(), 18);
    // The last delivery of the former history is removed when another one was received.
    let total = summary["events"]["total"].as_u64().unwrap();
    super::webhooks::wait_until("the last delivery is removed", async || bench.events(None).await as u64 == total)
        .await;
}

/// The desktop shows notifications for these events.
#[tokio::test]
async fn nobody_is_notified_about_the_past() {
    let notices = &FirstStart::get().await.notices;
    assert!(notices.is_empty(), "{notices:?}");
}

fn is_notified(event: &DeskEvent) -> bool {
    matches!(
        event,
        DeskEvent::TemplateStatusChanged { .. }
            | DeskEvent::TemplateCategoryChanged { .. }
            | DeskEvent::TemplateQualityChanged { .. }
    )
}
