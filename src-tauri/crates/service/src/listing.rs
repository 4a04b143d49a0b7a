//! Lists the templates of the workspace, page after page (contract §4.7).

use std::collections::HashSet;

use model::vocabulary::{Category, TemplateStatus};
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

pub(crate) async fn list(
    transport: &Transport,
    route: &Route,
    filter: &ListFilter,
    cancel: &CancellationToken,
) -> Result<Listing, Error> {
    let mut first = route.clone();
    {
        let mut query = first.url.query_pairs_mut();
        query.extend_pairs(filter.pairs());
    }
    if first.url.query() == Some("") {
        first.url.set_query(None);
    }

    let mut listing = Listing::default();
    let mut current = first.clone();
    let mut asked = None;
    let mut from_zero = false;
    let mut seen: HashSet<Next> = HashSet::new();
    let mut last_page_at = 0..0;
    let mut guessed = false;
    let mut empty = 0;
    loop {
        let answer = transport.read(&current, true, cancel).await?;
        let page = read_page(transport, &answer, asked, from_zero)?;
        if listing.pages == 0 {
            listing.body = capped(&answer.text(), KEPT_BODY);
            from_zero = page.number == Some(0);
        }
        listing.pages += 1;
        listing.total = page.total.or(listing.total);
        empty = if page.records.is_empty() { empty + 1 } else { 0 };

        let looping =
            |what: &str| Err(unreadable(transport, &answer, format!("its pages lead in a circle: {what}"), false));
        let before = &listing.records[last_page_at.clone()];
        let repeated = !page.records.is_empty()
            && before.len() == page.records.len()
            && before.iter().zip(&page.records).all(|(before, now)| before.raw == *now);
        if repeated {
            // A server that shows a cursor and ignores it: there is one page only.
            if guessed {
                break;
            }
            return looping("the same page came twice");
        }
        let start = listing.records.len();
        listing.records.extend(page.records.into_iter().map(decode::record));
        last_page_at = start..listing.records.len();

        let Some(next) = page.next else { break };
        guessed = matches!(next, Next::Parameter { certain: false, .. });
        if guessed && empty > 0 {
            break;
        }
        if !seen.insert(next.clone()) {
            return looping("a page points back to one that was read");
        }
        if empty >= MAX_EMPTY || listing.pages >= MAX_PAGES {
            return Err(unreadable(
                transport,
                &answer,
                format!("it goes on after {} pages with {} templates", listing.pages, listing.records.len()),
                false,
            ));
        }
        asked = match &next {
            Next::Parameter { name: "page", value, .. } => value.parse().ok(),
            _ => None,
        };
        current.url = follow(&first.url, &current.url, next).ok_or_else(|| {
            unreadable(transport, &answer, "the address of its next page leads to another host", false)
        })?;
    }
    listing.incomplete = listing.total.is_some_and(|total| total > listing.records.len() as u64);
    Ok(listing)
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
