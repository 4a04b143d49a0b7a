//! Sync: updates the cache from the provider's listing and records the differences.

use std::collections::hash_map::Entry;
use std::sync::Arc;

use model::vocabulary::{Category, TemplateStatus};
use provider_client::{ListFilter, ListPage};
use store::cache::{
    CachedTemplate, Change, KnownRecords, Listing, ListingPage, ListingProgress, RequestMark, RequestTimes,
};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::context::lock;
use crate::templates::backfill::KnownTemplates;
use crate::templates::history::observations::ListingChanges;
use crate::templates::listed_record::cached;
use crate::templates::template_events::emitted_changes;
use crate::templates::{Fetch, ListingDone, Templates};
use command_types::Nothing;
use command_types::error::{ConflictFault, DeskError, Result};
use command_types::event::DeskEvent;
use command_types::template::{RefreshTemplates, SyncReport};
use command_types::workspace::WorkspaceId;
use outgoing::now;

/// A listing younger than this, in milliseconds, is fetched again only if the person asks for it.
const MAX_AGE: i64 = 5 * 60 * 1_000;

/// The cached listing, as the basis of a plan.
#[derive(Debug)]
pub(crate) struct ListingBasis {
    /// When it was requested, in Unix milliseconds; absent if no complete listing was ever fetched.
    pub(crate) listed_at: Option<i64>,
    /// Whether it is as recent as required.
    pub(crate) is_current: bool,
    /// Why it could not be refreshed; absent if the provider listed only some of the templates.
    pub(crate) error: Option<DeskError>,
}

/// A page that is being written: the number of differences, and the templates listed so far.
type PageWrite = JoinHandle<Result<(u64, ListingProgress)>>;

/// Maximum number of queued answers whose differences are recorded in one transaction.
const MAX_RECORDED_AT_ONCE: usize = 100;

#[derive(Debug)]
struct SyncProgress {
    report: SyncReport,
    listed: ListingProgress,
}

/// The fetch of a workspace's listing. Dropping it ends it, also after a panic, so that the next one can start.
struct RunningFetch<'a> {
    templates: &'a Templates,
    workspace: &'a str,
    ended: CancellationToken,
}

impl<'a> RunningFetch<'a> {
    fn start(templates: &'a Templates, workspace: &'a str, cancel: CancellationToken) -> Result<Self> {
        let ended = CancellationToken::new();
        match lock(&templates.0.syncing).entry(workspace.to_owned()) {
            Entry::Vacant(place) => place.insert(Fetch { cancel, ended: ended.clone() }),
            Entry::Occupied(_) => {
                return Err(DeskError::conflict(ConflictFault::BeingRefreshed {}));
            }
        };
        Ok(Self { templates, workspace, ended })
    }

    /// Lets another fetch start.
    fn remove(&mut self) {
        let mut syncing = lock(&self.templates.0.syncing);
        // It may be a later one.
        if syncing.get(self.workspace).is_some_and(|fetch| fetch.ended == self.ended) {
            syncing.remove(self.workspace);
        }
    }
}

impl Drop for RunningFetch<'_> {
    fn drop(&mut self) {
        self.remove();
        self.ended.cancel();
    }
}

impl Templates {
    /// Fetches the listing now, or the part that matches a filter.
    ///
    /// # Errors
    /// [`DeskError::Conflict`] while it is being fetched already; any error of the request. Pages that were read before
    /// are kept, and so is the rest of the cached listing.
    pub async fn refresh_templates(&self, request: impl Into<RefreshTemplates>) -> Result<SyncReport> {
        let request = request.into();
        let workspace = request.workspace.clone();
        let cancel = self.0.context.cancel.child_token();
        let mut fetch = RunningFetch::start(self, &workspace, cancel.clone())?;
        let report = self.sync(request, &cancel).await;
        fetch.remove();
        if let Ok(report) = &report {
            if let Err(error) = self.keep_differing_statuses(&workspace).await {
                tracing::warn!(%error, "the statuses of accounts cannot be stored");
            }
            // After a cancelled or incomplete listing, another one immediately would not help.
            let is_whole = report.is_whole() && report.kept == 0;
            let listing = ListingDone { workspace: workspace.clone(), is_whole };
            if let Err(error) = self.0.listed.run(listing).await {
                // The next listing can reconcile them too.
                tracing::warn!(%error, "lost answers could not be reconciled");
            }
        }
        drop(fetch);
        match &report {
            Ok(_) => self.0.context.emit(DeskEvent::SyncFinished { workspace }),
            Err(error) => self.0.context.emit(DeskEvent::SyncFailed { workspace, error: error.clone() }),
        }
        report
    }

    /// Cancels the fetch of a listing, between pages or while waiting for one. Pages that were read are kept.
    pub async fn cancel_refresh(&self, request: WorkspaceId) -> Result<Nothing> {
        if let Some(fetch) = lock(&self.0.syncing).get(&request.workspace) {
            fetch.cancel.cancel();
        }
        Ok(Nothing {})
    }

    /// Fetches the listing in the background, unless it is being fetched already.
    pub(crate) fn sync_in_background(&self, workspace: &str) {
        let this = self.clone();
        let request = RefreshTemplates { workspace: workspace.to_owned(), ..RefreshTemplates::default() };
        self.0.context.spawn(async move {
            match this.refresh_templates(request).await {
                // The caller that started the fetch emits its events.
                Ok(_) | Err(DeskError::Conflict { .. }) => {}
                Err(error) => {
                    tracing::info!(error = error.without_provider_text(), "the listing could not be refreshed")
                }
            }
        });
    }

    /// Fetches the listing in the background if the cache has none. The app does so for the sandbox when it starts, so that
    /// the window of a first start opens with the samples. A provider is asked only when its templates are shown.
    ///
    /// # Errors
    /// [`DeskError::Storage`]; a failed request is reported by events.
    pub async fn sync_if_not_cached(&self, workspace: &str) -> Result<()> {
        if self.0.context.cache.listed_at(workspace).await?.is_none() {
            self.sync_in_background(workspace);
        }
        Ok(())
    }

    /// Fetches an outdated listing in the background. One attempt per period, also if it fails.
    pub(crate) async fn sync_if_outdated(&self, workspace: &str) -> Result<()> {
        let listed_at = self.0.context.cache.listed_at(workspace).await?;
        let tried_at = lock(&self.0.tried).get(workspace).copied();
        let at = now();
        // After a clock that was ahead, the last time says nothing.
        let is_recent = |last: i64| (at - MAX_AGE + 1..=at).contains(&last);
        if listed_at.is_some_and(is_recent) || tried_at.is_some_and(is_recent) {
            return Ok(());
        }
        lock(&self.0.tried).insert(workspace.to_owned(), at);
        self.sync_in_background(workspace);
        Ok(())
    }

    /// Refreshes a listing that is outdated or was requested before `since`, in Unix milliseconds. If that fails, the
    /// cached one is the basis.
    ///
    /// # Errors
    /// Any error of the request if nothing is cached; [`DeskError::Storage`].
    pub(crate) async fn ensure_listing(&self, workspace: &str, since: i64) -> Result<ListingBasis> {
        let cache = &self.0.context.cache;
        loop {
            let (listed_at, asked_at) = (cache.listed_at(workspace).await?, now());
            // A clock that was set back makes a listing look younger than it is.
            let current = since.max(asked_at - MAX_AGE)..=asked_at;
            if listed_at.is_some_and(|at| current.contains(&at)) {
                return Ok(ListingBasis { listed_at, is_current: true, error: None });
            }
            // One that is being fetched may have been requested too early.
            let fetch = lock(&self.0.syncing).get(workspace).cloned();
            if let Some(fetch) = fetch {
                fetch.ended.cancelled().await;
                continue;
            }
            return match self.refresh_templates(WorkspaceId { workspace: workspace.to_owned() }).await {
                Ok(_) => {
                    let listed_at = cache.listed_at(workspace).await?;
                    let is_current = listed_at.is_some_and(|at| at >= asked_at);
                    Ok(ListingBasis { listed_at, is_current, error: None })
                }
                Err(error) if listed_at.is_none() => Err(error),
                Err(error) => Ok(ListingBasis { listed_at, is_current: false, error: Some(error) }),
            };
        }
    }

    async fn sync(&self, request: RefreshTemplates, cancel: &CancellationToken) -> Result<SyncReport> {
        let workspace = request.workspace.as_str();
        let settings = self.0.workspaces.settings(workspace).await?;
        let non_empty = |text: &Option<String>| text.clone().filter(|text| !text.is_empty());
        let filter = ListFilter {
            business_id: non_empty(&request.business_id),
            waba_id: non_empty(&request.waba),
            status: non_empty(&request.status).map(|status| TemplateStatus::from(status.as_str())),
            category: non_empty(&request.category).map(|category| Category::from(category.as_str())),
            search: non_empty(&request.search),
        };
        let partial = filter != ListFilter::default();
        if !partial {
            // Whatever the result, the next background fetch can wait: it may be the one that confirms the absence of
            // templates.
            lock(&self.0.tried).insert(workspace.to_owned(), now());
        }
        let own_business = Some(settings.business_id).filter(|id| !id.is_empty());
        let filter = ListFilter { business_id: filter.business_id.or(own_business), ..filter };
        let pages = self.0.workspaces.client(workspace).await?.cancelled_by(cancel.clone()).template_pages(&filter)?;
        let path = if partial { None } else { self.0.context.cache.list_path(workspace).await? };
        let mut pages = pages.expecting_list_at(path);
        let asked = self.0.context.request_mark();
        let known = Arc::new(self.known_before_listing(workspace).await?);
        let known_records = self.0.context.cache.known_records(workspace).await?;
        let mut progress = SyncProgress::new(known_records.clone());
        let (changes_sender, recording) = self.start_recording(workspace.to_owned(), known.clone());
        // A page is written while the next one is being fetched.
        let mut writing = None;
        loop {
            let page = match pages.next().await {
                Err(_) if cancel.is_cancelled() => {
                    progress.report.cancelled = true;
                    break;
                }
                page => page,
            };
            let answered_at = now();
            // Decoded while the previous page is still being written.
            let page = page.map(|page| page.map(|page| FetchedPage::decode(workspace, page, asked, &known_records)));
            if let Some(page_write) = writing.take() {
                progress.take(page_write).await?;
            }
            let Some((page, decoded)) = page? else { break };
            let decoded = progress.count(decoded);
            let report = &mut progress.report;
            report.pages = pages.pages_read() as u64;
            self.0.context.emit(DeskEvent::SyncProgress {
                workspace: workspace.to_owned(),
                pages: report.pages,
                templates: report.total,
                total: page.page.total,
            });
            let listed = std::mem::take(&mut progress.listed);
            let (this, known, changes_sender, workspace) =
                (self.clone(), known.clone(), changes_sender.clone(), workspace.to_owned());
            writing = Some(tokio::spawn(async move {
                this.write_page(&workspace, &known, (page, decoded), answered_at, listed, &changes_sender).await
            }));
        }
        if let Some(page_write) = writing.take() {
            progress.take(page_write).await?;
        }
        let SyncProgress { mut report, listed } = progress;
        report.partial = partial;
        let (mut has_missing, mut removed) = (false, 0);
        if !report.cancelled {
            report.missing = pages.missing();
        }
        if report.missing + report.skipped > 0 {
            let (missing, skipped) = (report.missing, report.skipped);
            tracing::warn!(missing, skipped, "the provider's listing is incomplete");
            let count = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
            self.0.context.emit(DeskEvent::ListingIncomplete {
                workspace: workspace.to_owned(),
                listed: count(report.total),
                missing: count(missing),
                skipped: count(skipped),
            });
        }
        // A template missing from an incomplete listing may exist.
        if !partial && report.is_whole() {
            self.record_first_listing(workspace, &known, asked.at).await?;
            if known.is_first {
                self.restore_differing_statuses(workspace).await?;
            }
            let list_path = pages.list_path().to_owned();
            let listing = Listing { asked, list_path, has_total: pages.total().is_some() };
            let finished = self.0.context.cache.finish_listing(workspace, listing, listed).await?;
            report.changes += finished.changes.len() as u64;
            report.kept = finished.kept;
            removed = finished.removed;
            has_missing = finished.missing > 0;
            let _recording_failed = changes_sender.send((now(), finished.changes));
            if report.kept > 0 {
                let (listed, kept) = (report.total, report.kept);
                tracing::warn!(
                    listed,
                    kept,
                    "the provider listed far fewer templates than before; the missing ones are kept for now"
                );
            }
        }
        drop(changes_sender);
        recording.await.map_err(|error| DeskError::Internal { message: error.to_string() })??;
        report.at = now();
        if report.changes > 0 || has_missing {
            self.prepare_search(workspace);
            self.0.context.emit(DeskEvent::TemplatesChanged { workspace: workspace.to_owned() });
        }
        if removed > 0 {
            let count = u32::try_from(removed).unwrap_or(u32::MAX);
            self.0.context.emit(DeskEvent::TemplatesRemoved { workspace: workspace.to_owned(), count });
        }
        Ok(report)
    }

    /// Writes a page, and passes its differences on.
    async fn write_page(
        &self,
        workspace: &str,
        known: &KnownTemplates,
        (page, mut decoded): (FetchedPage, ListingPage),
        answered_at: i64,
        mut listed: ListingProgress,
        changes_sender: &mpsc::UnboundedSender<ListingChanges>,
    ) -> Result<(u64, ListingProgress)> {
        let cache = &self.0.context.cache;
        let times = RequestTimes { asked: page.asked, answered_at };
        let changes = loop {
            self.backfill(workspace, known, &mut decoded.templates, answered_at).await?;
            let changes;
            (changes, listed) = cache.apply_listing_page(workspace, decoded, times, listed).await?;
            match changes {
                Some(changes) => break changes,
                // A template of a known record has changed meanwhile, which is rare.
                None => decoded = page.all_templates(workspace).into(),
            }
        };
        let differences = changes.len() as u64;
        // If recording has failed, the sync fails with that error.
        let _recording_failed = changes_sender.send((answered_at, changes));
        Ok((differences, listed))
    }

    /// Records differences while further pages are read: those queued meanwhile in one transaction. Continues to the
    /// end of the queue, however the sync ends.
    fn start_recording(
        &self,
        workspace: String,
        known: Arc<KnownTemplates>,
    ) -> (mpsc::UnboundedSender<ListingChanges>, JoinHandle<Result<()>>) {
        let (changes_sender, mut changes_receiver) = mpsc::unbounded_channel();
        let this = self.clone();
        let recording = tokio::spawn(async move {
            let mut answers = Vec::new();
            while changes_receiver.recv_many(&mut answers, MAX_RECORDED_AT_ONCE).await > 0 {
                this.record_changes(&workspace, &known, std::mem::take(&mut answers)).await?;
            }
            Ok(())
        });
        (changes_sender, recording)
    }

    async fn record_changes(
        &self,
        workspace: &str,
        known: &KnownTemplates,
        mut answers: Vec<ListingChanges>,
    ) -> Result<()> {
        if answers.iter().all(|(_, changes)| changes.is_empty()) {
            return Ok(());
        }
        // Submissions from here first, so that they are not recorded as changes made elsewhere.
        self.0.changing.run(workspace.to_owned()).await?;
        // Before the first complete listing, a new template may be an old one.
        if known.is_first {
            answers.iter_mut().for_each(|(_, changes)| changes.retain(|change| change.field != "added"));
        }
        let changes: Vec<Vec<Change>> = answers.iter().map(|(_, changes)| emitted_changes(changes)).collect();
        // Recorded first: whoever gets the event reads the history.
        let recorded = self.record_differences(workspace, answers).await;
        for changes in &changes {
            self.emit_differences(workspace, changes).await?;
        }
        recorded
    }
}

struct FetchedPage {
    page: ListPage,
    /// The first request of the listing.
    asked: RequestMark,
}

/// The templates of a page, and the records that are not templates.
#[derive(Default)]
struct DecodedPage {
    templates: ListingPage,
    /// References of records that could not be read.
    damaged: Vec<String>,
    /// References of records of which some values could not be read.
    partly_read: Vec<String>,
    unreadable: u64,
    skipped: u64,
    unidentified: u64,
}

impl FetchedPage {
    /// Decodes the records that are not known.
    fn decode(workspace: &str, page: ListPage, asked: RequestMark, known: &KnownRecords) -> (Self, DecodedPage) {
        let mut decoded = DecodedPage::default();
        for record in page.raw_records() {
            if known.contains(record.digest) {
                decoded.templates.unchanged.push(record.digest);
                continue;
            }
            let listed = record.decode();
            decoded.unreadable += u64::from(!listed.unreadable.is_empty());
            decoded.skipped += u64::from(listed.is_damaged || !listed.is_identified());
            let reference = listed.record.reference().filter(|_| listed.is_identified()).map(str::to_owned);
            match reference {
                Some(reference) if listed.is_damaged => {
                    decoded.damaged.push(reference);
                    continue;
                }
                Some(reference) if !listed.unreadable.is_empty() => decoded.partly_read.push(reference),
                _ => {}
            }
            match cached(workspace, listed, asked) {
                Some(template) => decoded.templates.templates.push(template),
                None => decoded.unidentified += 1,
            }
        }
        (Self { page, asked }, decoded)
    }

    /// All templates that can be read, also those of known records.
    fn all_templates(&self, workspace: &str) -> Vec<CachedTemplate> {
        let records = self.page.records().filter(|listed| !listed.is_damaged || !listed.is_identified());
        records.filter_map(|listed| cached(workspace, listed, self.asked)).collect()
    }
}

impl SyncProgress {
    fn new(known_records: Arc<KnownRecords>) -> Self {
        Self { report: SyncReport::default(), listed: ListingProgress::new(known_records) }
    }

    /// Adds a page to the report, and returns its templates.
    fn count(&mut self, decoded: DecodedPage) -> ListingPage {
        let report = &mut self.report;
        report.total += (decoded.templates.templates.len() + decoded.templates.unchanged.len()) as u64;
        report.unreadable += decoded.unreadable;
        report.skipped += decoded.skipped;
        report.unidentified += decoded.unidentified;
        decoded.damaged.into_iter().for_each(|reference| self.listed.record_unreadable(reference));
        decoded.partly_read.into_iter().for_each(|reference| self.listed.record_partly_read(reference));
        decoded.templates
    }

    /// Waits until a page is written.
    async fn take(&mut self, page_write: PageWrite) -> Result<()> {
        let page_write = page_write.await.map_err(|error| DeskError::Internal { message: error.to_string() })?;
        let (differences, listed) = page_write?;
        self.listed = listed;
        self.report.changes += differences;
        Ok(())
    }
}
