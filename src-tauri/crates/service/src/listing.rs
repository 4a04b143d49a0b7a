//! Lists the templates of the workspace, page after page (contract §4.7).

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::Arc;

use model::vocabulary::{Category, TemplateStatus};
use serde_json::Value;
use tokio_util::sync::CancellationToken;
use url::Url;

use crate::decode::{self, ListedTemplate, json, unreadable};
use crate::endpoint::{Route, place};
use crate::error::{Error, KEPT_BODY, capped};
use crate::paging::{self, Next, Page};
use crate::transport::{Answer, Transport};

/// The most pages that are read: 100 000 templates in pages of 25, with room.
const MAX_PAGES: usize = 5_000;
/// Pages without a record in a row that end the reading with an error.
const MAX_EMPTY: usize = 3;

/// Which templates are listed; all filters can be combined (contract §4.7). Empty strings filter nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ListFilter {
    /// Business manager.
    pub business_id: Option<String>,
    /// Business account.
    pub waba_id: Option<String>,
    /// Status, for example `APPROVED`.
    pub status: Option<TemplateStatus>,
    /// Category.
    pub category: Option<Category>,
    /// Part of the name.
    pub search: Option<String>,
}

impl ListFilter {
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

/// Every template that matches.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Listing {
    /// In the provider's order.
    pub records: Vec<ListedTemplate>,
    /// How many pages were read.
    pub pages: usize,
    /// How many templates there are, where the provider says so.
    pub total: Option<u64>,
    /// Whether the provider speaks of more templates than it gave and shows no way to the rest.
    pub incomplete: bool,
    /// The first page as it came, cut at [`KEPT_BODY`].
    pub body: String,
}

/// The provider answered a listing: address, channel and credentials are right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reached {
    /// Templates on the first page.
    pub templates: usize,
    /// Whether there are more pages.
    pub more: bool,
}

pub(crate) async fn check(transport: &Transport, route: &Route, cancel: &CancellationToken) -> Result<Reached, Error> {
    // The first page of an unfiltered listing: the contract knows no parameter that limits it. Not repeated when it
    // fails, so that the person hears at once what is wrong.
    let answer = transport.read(route, false, cancel).await?;
    let page = read_page(transport, &answer, None, false)?;
    Ok(Reached { templates: page.records.len(), more: page.next.is_some() })
}

/// A page of a listing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ListPage {
    /// In the provider's order.
    pub records: Vec<ListedTemplate>,
    /// How many templates there are, where the provider says so.
    pub total: Option<u64>,
}

/// A listing, page after page.
#[derive(Debug)]
pub struct Pages {
    transport: Arc<Transport>,
    cancel: CancellationToken,
    first: Url,
    /// Where the next page is; none when there is no more.
    next: Option<Route>,
    /// The page number that is asked for.
    asked: Option<u64>,
    from_zero: bool,
    seen: HashSet<Next>,
    /// What the last page held, to recognise it when it comes again.
    last: Vec<u64>,
    /// The address of the next page was told by a cursor that may be the last one.
    guessed: bool,
    empty: usize,
    read: usize,
    templates: usize,
    total: Option<u64>,
    body: String,
}

impl Pages {
    pub(crate) fn new(
        transport: Arc<Transport>,
        mut route: Route,
        filter: &ListFilter,
        cancel: CancellationToken,
    ) -> Self {
        route.url.query_pairs_mut().extend_pairs(filter.pairs());
        if route.url.query() == Some("") {
            route.url.set_query(None);
        }
        Self {
            transport,
            cancel,
            first: route.url.clone(),
            next: Some(route),
            asked: None,
            from_zero: false,
            seen: HashSet::new(),
            last: Vec::new(),
            guessed: false,
            empty: 0,
            read: 0,
            templates: 0,
            total: None,
            body: String::new(),
        }
    }

    /// The next page; none after the last one.
    ///
    /// # Errors
    /// [`Error::Unreadable`] for an answer without a list, or for pages that lead in a circle; otherwise any [`Error`].
    pub async fn next(&mut self) -> Result<Option<ListPage>, Error> {
        let Some(mut route) = self.next.take() else { return Ok(None) };
        let transport = Arc::clone(&self.transport);
        let answer = transport.read(&route, true, &self.cancel).await?;
        let page = read_page(&transport, &answer, self.asked, self.from_zero)?;
        if self.read == 0 {
            self.body = capped(&answer.text(), KEPT_BODY);
            self.from_zero = page.number == Some(0);
        }
        self.read += 1;
        self.total = page.total.or(self.total);
        self.empty = if page.records.is_empty() { self.empty + 1 } else { 0 };

        let looping =
            |what: &str| Err(unreadable(&transport, &answer, format!("its pages lead in a circle: {what}"), false));
        let held: Vec<u64> = page.records.iter().map(digest).collect();
        if !held.is_empty() && held == self.last {
            // A server that shows a cursor and ignores it: there is one page only.
            return if self.guessed { Ok(None) } else { looping("the same page came twice") };
        }
        self.last = held;
        self.templates += page.records.len();
        let records = page.records.into_iter().map(decode::record).collect();
        let read = Some(ListPage { records, total: self.total });

        let Some(next) = page.next else { return Ok(read) };
        self.guessed = matches!(next, Next::Parameter { certain: false, .. });
        if self.guessed && self.empty > 0 {
            return Ok(read);
        }
        if !self.seen.insert(next.clone()) {
            return looping("a page points back to one that was read");
        }
        if self.empty >= MAX_EMPTY || self.read >= MAX_PAGES {
            let what = format!("it goes on after {} pages with {} templates", self.read, self.templates);
            return Err(unreadable(&transport, &answer, what, false));
        }
        self.asked = match &next {
            Next::Parameter { name: "page", value, .. } => value.parse().ok(),
            _ => None,
        };
        route.url = follow(&self.first, &route.url, next).ok_or_else(|| {
            unreadable(&transport, &answer, "the address of its next page leads to another host", false)
        })?;
        self.next = Some(route);
        Ok(read)
    }

    /// How many pages were read so far.
    #[must_use]
    pub fn read(&self) -> usize {
        self.read
    }

    /// How many templates the provider speaks of beyond those it gave. Means something after the last page only.
    #[must_use]
    pub fn missing(&self) -> u64 {
        self.total.map_or(0, |total| total.saturating_sub(self.templates as u64))
    }
}

/// Tells records apart, one from the next.
fn digest(record: &Value) -> u64 {
    let mut hasher = DefaultHasher::new();
    record.hash(&mut hasher);
    hasher.finish()
}

/// Every page.
pub(crate) async fn list(mut pages: Pages) -> Result<Listing, Error> {
    let mut records = Vec::new();
    while let Some(page) = pages.next().await? {
        records.extend(page.records);
    }
    let incomplete = pages.missing() > 0;
    Ok(Listing { records, pages: pages.read, total: pages.total, incomplete, body: pages.body })
}

fn read_page(transport: &Transport, answer: &Answer, asked: Option<u64>, from_zero: bool) -> Result<Page, Error> {
    let value = json(transport, answer, false)?;
    paging::page(value, asked, from_zero)
        .ok_or_else(|| unreadable(transport, answer, "it holds no list of templates", false))
}

/// The address of the next page. Credentials go nowhere but to the configured host: of an address elsewhere (a server
/// behind a proxy, the channel itself) the query alone is taken.
fn follow(first: &Url, current: &Url, next: Next) -> Option<Url> {
    match next {
        Next::Parameter { name, value, .. } => {
            let mut url = first.clone();
            url.query_pairs_mut().append_pair(name, &value);
            Some(url)
        }
        Next::Link(link) => {
            let linked = current.join(&link).ok()?;
            if place(&linked) == place(first) {
                return Some(linked);
            }
            linked.query()?;
            let mut url = first.clone();
            url.query_pairs_mut().clear().extend_pairs(linked.query_pairs().filter(|(name, _)| name != "access_token"));
            Some(url)
        }
    }
}
