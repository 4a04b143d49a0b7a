//! Lists the templates of the workspace page by page (contract §4.7).

use std::collections::HashSet;
use std::sync::Arc;

use model::listing::text_digest;
use model::vocabulary::{Category, TemplateStatus};
use serde_json::value::RawValue;
use tokio_util::sync::CancellationToken;
use url::Url;

use crate::decode::{self, ListedTemplate, unreadable};
use crate::endpoint::{Route, origin};
use crate::error::{Error, MAX_STORED_BODY, capped};
use crate::paging::Next;
use crate::transport::Transport;

/// Maximum number of pages: 100,000 templates in pages of 25, with reserve.
const MAX_PAGES: usize = 5_000;
const MAX_TEMPLATES: usize = 200_000;
/// Maximum size of all records, in bytes.
const MAX_BYTES: usize = 512 * 1024 * 1024;
/// Consecutive pages without a new record after which the listing fails.
const MAX_REPEATED_PAGES: usize = 3;

/// Filters of a listing, which can be combined (contract §4.7). Empty strings are ignored.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ListFilter {
    /// Business manager.
    pub business_id: Option<String>,
    /// Business account.
    pub waba_id: Option<String>,
    /// Status, for example `APPROVED`.
    pub status: Option<TemplateStatus>,
    pub category: Option<Category>,
    /// Part of the name.
    pub search: Option<String>,
}

impl ListFilter {
    fn apply(&self, url: &mut Url) {
        url.query_pairs_mut().extend_pairs(self.pairs());
        if url.query() == Some("") {
            url.set_query(None);
        }
    }

    fn pairs(&self) -> impl Iterator<Item = (&'static str, &str)> {
        [
            ("business_id", self.business_id.as_deref()),
            ("waba_id", self.waba_id.as_deref()),
            ("status", self.status.as_ref().map(TemplateStatus::as_str)),
            ("category", self.category.as_ref().map(Category::as_str)),
            ("search", self.search.as_deref()),
        ]
        .into_iter()
        .filter_map(|(name, value)| Some((name, value.filter(|value| !value.is_empty())?)))
    }
}

/// All matching templates.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Listing {
    /// In the provider's order.
    pub records: Vec<ListedTemplate>,
    pub pages: usize,
    /// Total number of templates, if the provider states it.
    pub total: Option<u64>,
    /// Whether records are missing: the provider reports more templates than it lists, or some records can't be read.
    pub incomplete: bool,
    /// Body of the first page, truncated at [`MAX_STORED_BODY`].
    pub body: String,
}

/// Result of a successful check: address, channel and credentials are right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConnectionCheck {
    /// Templates on the first page.
    pub templates: usize,
    /// Whether there are more pages.
    pub more: bool,
}

pub(crate) async fn check(
    transport: &Transport,
    route: &Route,
    filter: &ListFilter,
    cancel: &CancellationToken,
) -> Result<ConnectionCheck, Error> {
    let mut route = route.clone();
    filter.apply(&mut route.url);
    // The first page of the listing: the contract has no parameter to limit it. Without retries, so that the
    // person sees an error at once.
    let page = transport.read(&route, false, cancel, |answer| decode::page(transport, &answer, None, false)).await?;
    Ok(ConnectionCheck { templates: page.records.len(), more: page.next.is_some() })
}

#[derive(Clone, Debug, Default)]
pub struct ListPage {
    records: Vec<Box<RawValue>>,
    /// [`text_digest`] of each record.
    digests: Vec<u64>,
    /// Total number of templates, if the provider states it.
    pub total: Option<u64>,
}

/// A record of a page that is not decoded yet.
#[derive(Clone, Copy, Debug)]
pub struct RawRecord<'a> {
    json: &'a RawValue,
    /// [`text_digest`] of its JSON.
    pub digest: u64,
}

impl RawRecord<'_> {
    /// Decodes the template as far as possible.
    #[must_use]
    pub fn decode(&self) -> ListedTemplate {
        decode::record(self.json)
    }
}

impl ListPage {
    /// The records in the provider's order. Decoded lazily: a decoded record needs many times the memory.
    pub fn records(&self) -> impl Iterator<Item = ListedTemplate> {
        self.raw_records().map(|record| record.decode())
    }

    /// The records in the provider's order, not decoded.
    pub fn raw_records(&self) -> impl Iterator<Item = RawRecord<'_>> {
        self.records.iter().zip(&self.digests).map(|(json, digest)| RawRecord { json, digest: *digest })
    }
}

/// A listing, page by page.
#[derive(Debug)]
pub struct Pages {
    transport: Arc<Transport>,
    cancel: CancellationToken,
    first: Url,
    /// The next page; `None` after the last one.
    next: Option<Route>,
    /// The requested page number.
    asked: Option<u64>,
    from_zero: bool,
    seen: HashSet<Next>,
    /// Digests of the last page, to detect a repeated page.
    last: Vec<u64>,
    /// Digests of all pages.
    held: HashSet<u64>,
    /// The next page comes from a cursor that may be the last one.
    guessed: bool,
    repeated_pages: usize,
    pages_read: usize,
    templates: usize,
    bytes: usize,
    total: Option<u64>,
    body: String,
    /// Keys that lead to the list of the first page.
    path: String,
    /// Keys that lead to the list of an empty listing, if known.
    empty_path: Option<String>,
}

impl Pages {
    pub(crate) fn new(
        transport: Arc<Transport>,
        mut route: Route,
        filter: &ListFilter,
        cancel: CancellationToken,
    ) -> Self {
        filter.apply(&mut route.url);
        Self {
            transport,
            cancel,
            first: route.url.clone(),
            next: Some(route),
            asked: None,
            from_zero: false,
            seen: HashSet::new(),
            last: Vec::new(),
            held: HashSet::new(),
            guessed: false,
            repeated_pages: 0,
            pages_read: 0,
            templates: 0,
            bytes: 0,
            total: None,
            body: String::new(),
            path: String::new(),
            empty_path: None,
        }
    }

    /// Rejects an empty first page as unreadable if its list is at another path than `path` (see [`Pages::list_path`]),
    /// since it may not be the same listing. A page that states the total number of templates is accepted.
    #[must_use]
    pub fn expecting_list_at(mut self, path: Option<String>) -> Self {
        self.empty_path = path;
        self
    }

    /// The next page; `None` after the last one.
    ///
    /// # Errors
    /// [`Error::Unreadable`] for an answer without a list or without any readable record, for too many templates, or
    /// for a paging loop; otherwise any [`Error`].
    pub async fn next(&mut self) -> Result<Option<ListPage>, Error> {
        let Some(mut route) = self.next.take() else { return Ok(None) };
        let transport = Arc::clone(&self.transport);
        let read = transport.read(&route, true, &self.cancel, |answer| {
            let page = decode::page(&transport, &answer, self.asked, self.from_zero)?;
            Ok((answer, page))
        });
        let (answer, page) = read.await?;
        let refuse = |what: String| Err(unreadable(&transport, &answer, what, false));
        if self.pages_read == 0 {
            let other = self.empty_path.as_deref().filter(|path| *path != page.path);
            if let (true, None, None, Some(path)) = (page.records.is_empty(), page.total, &page.next, other) {
                let name =
                    |path: &str| if path.is_empty() { "the answer itself".to_owned() } else { format!("`{path}`") };
                let (here, before) = (name(&page.path), name(path));
                return refuse(format!("its list is empty and is now {here}; in earlier answers it was {before}"));
            }
            self.path.clone_from(&page.path);
            self.body = capped(&answer.text(), MAX_STORED_BODY);
            self.from_zero = page.number == Some(0);
        }
        self.pages_read += 1;
        self.total = page.total.or(self.total);

        let looping = |what: &str| refuse(format!("its pages do not end: {what}"));
        let held: Vec<u64> = page.records.iter().map(|raw| text_digest(raw.get())).collect();
        if !held.is_empty() && held == self.last {
            // The server returns a cursor and ignores it: there is one page only.
            return if self.guessed { Ok(None) } else { looping("the same page was returned twice") };
        }
        let is_new = held.iter().filter(|record| self.held.insert(**record)).count();
        self.repeated_pages = if is_new == 0 { self.repeated_pages + 1 } else { 0 };
        self.last.clone_from(&held);
        self.templates += page.records.len();
        self.bytes += page.records.iter().map(|raw| raw.get().len()).sum::<usize>();
        if self.templates > MAX_TEMPLATES || self.bytes > MAX_BYTES {
            return refuse(format!(
                "it continues after {} templates on {} pages; at most {MAX_TEMPLATES} templates and {} MiB are read",
                self.templates,
                self.pages_read,
                MAX_BYTES / 1024 / 1024
            ));
        }
        let listed = Some(ListPage { records: page.records, digests: held, total: self.total });

        let Some(next) = page.next else { return Ok(listed) };
        self.guessed = matches!(next, Next::Parameter { certain: false, .. });
        if self.guessed && self.repeated_pages > 0 {
            return Ok(listed);
        }
        if !self.seen.insert(next.clone()) {
            return looping("a page refers to an earlier page");
        }
        if self.repeated_pages >= MAX_REPEATED_PAGES {
            return looping("the last pages had no new templates");
        }
        if self.pages_read >= MAX_PAGES {
            return refuse(format!(
                "it continues after {} templates on {MAX_PAGES} pages, the maximum",
                self.templates
            ));
        }
        self.asked = match &next {
            Next::Parameter { name: "page", value, .. } => value.parse().ok(),
            _ => None,
        };
        route.url = follow(&self.first, &route.url, next).ok_or_else(|| {
            unreadable(&transport, &answer, "the address of its next page leads to another host", false)
        })?;
        self.next = Some(route);
        Ok(listed)
    }

    #[must_use]
    pub fn pages_read(&self) -> usize {
        self.pages_read
    }

    /// Total number of templates, if the provider states it.
    #[must_use]
    pub fn total(&self) -> Option<u64> {
        self.total
    }

    /// Keys that lead to the list of the first page, such as `data`; empty if the answer is a list.
    #[must_use]
    pub fn list_path(&self) -> &str {
        &self.path
    }

    /// Number of templates that the provider reported but didn't list. Meaningful after the last page only.
    #[must_use]
    pub fn missing(&self) -> u64 {
        self.total.map_or(0, |total| total.saturating_sub(self.templates as u64))
    }
}

pub(crate) async fn list(mut pages: Pages) -> Result<Listing, Error> {
    let mut records = Vec::new();
    while let Some(page) = pages.next().await? {
        records.extend(page.records());
    }
    let is_read = |listed: &ListedTemplate| listed.is_identified() && !listed.is_damaged;
    let incomplete = pages.missing() > 0 || !records.iter().all(is_read);
    Ok(Listing { records, pages: pages.pages_read, total: pages.total, incomplete, body: pages.body })
}

/// The address of the next page. Credentials are sent to the configured host only: of an address on another host (a
/// server behind a proxy, the channel itself) only the query is used.
fn follow(first: &Url, current: &Url, next: Next) -> Option<Url> {
    match next {
        Next::Parameter { name, value, .. } => {
            let mut url = first.clone();
            url.query_pairs_mut().append_pair(name, &value);
            Some(url)
        }
        Next::Link(link) => {
            let linked = current.join(&link).ok()?;
            if origin(&linked) == origin(first) {
                return Some(linked);
            }
            linked.query()?;
            let mut url = first.clone();
            url.query_pairs_mut().clear().extend_pairs(linked.query_pairs().filter(|(name, _)| name != "access_token"));
            Some(url)
        }
    }
}
