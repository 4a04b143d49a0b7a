//! Pages that are being read or sent: each is in memory as a whole, so there are only a few at a time.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use axum::body::Body;
use bytes::Bytes;
use futures_util::stream;
use receiver::{ConnectionPermit, Connections};
use tokio::sync::OnceCell;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use crate::cursor::Checkpoint;
use crate::error::LogError;
use crate::log::{Log, Page};
use crate::rows::Head;

/// Pages of all desks …
const MAX_PAGES: usize = 8;
/// … and of one.
const MAX_PAGES_OF_DESK: usize = 3;
/// A desk that takes nothing of its page for this long is disconnected if others wait.
const EVICTION_DELAY: Duration = Duration::from_secs(2);
/// How long a request waits until it may have a page.
const WAIT_FOR_PERMIT: Duration = Duration::from_secs(5);
/// Bytes of a page that are handed to its connection at a time.
const CHUNK_BYTES: usize = 64 << 10;

/// What makes a page: its position, the numbers of the log, the limit and the endpoints.
type Key = (Option<Checkpoint>, Head, i64, Vec<String>);
/// `None` if the log does not have the position.
pub(crate) type SharedPage = Arc<OnceCell<Option<Page>>>;

/// What was read last, while a desk has it.
type Newest = (Key, Weak<OnceCell<Option<Page>>>);

/// The pages in memory.
#[derive(Debug)]
pub(crate) struct Pages {
    all: Arc<Connections>,
    /// By the name of the desk.
    desks: Mutex<HashMap<String, Arc<Connections>>>,
    newest: Mutex<Option<Newest>>,
}

/// Lets a request read and send a page.
#[derive(Debug)]
pub(crate) struct PagePermit([ConnectionPermit; 2]);

impl PagePermit {
    fn waiting(&self) {
        self.0.iter().for_each(ConnectionPermit::waiting);
    }
}

impl Pages {
    pub(crate) fn new() -> Self {
        let all = Connections::new(MAX_PAGES, EVICTION_DELAY);
        Self { all, desks: Mutex::default(), newest: Mutex::default() }
    }

    /// Waits until a desk may have another page; `None` if that takes too long. `evicted` closes its connection.
    pub(crate) async fn acquire(&self, desk: &str, evicted: &CancellationToken) -> Option<PagePermit> {
        let of_desk = {
            let mut desks = self.desks.lock().unwrap_or_else(PoisonError::into_inner);
            let new = || Connections::new(MAX_PAGES_OF_DESK, EVICTION_DELAY);
            desks.entry(desk.to_owned()).or_insert_with(new).clone()
        };
        let both = async {
            let of_desk = of_desk.acquire(evicted.clone()).await;
            // It does not keep the desk waiting while it waits itself.
            of_desk.serving();
            let permits = [of_desk, self.all.acquire(evicted.clone()).await];
            permits.iter().for_each(ConnectionPermit::serving);
            PagePermit(permits)
        };
        timeout(WAIT_FOR_PERMIT, both).await.ok()
    }

    /// The place of a page. Desks at the same position share a page while one of them has it.
    pub(crate) fn share(&self, key: Key) -> SharedPage {
        let mut newest = self.newest.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((of, page)) = &*newest
            && *of == key
            && let Some(page) = page.upgrade()
        {
            return page;
        }
        let page = SharedPage::default();
        *newest = Some((key, Arc::downgrade(&page)));
        page
    }
}

/// Reads a page unless another desk has.
pub(crate) async fn read<'p>(
    page: &'p SharedPage,
    log: &Log,
    (position, head, limit, endpoints): &Key,
) -> Result<Option<&'p Page>, LogError> {
    Ok(page.get_or_try_init(|| log.page(*position, *limit, endpoints, *head)).await?.as_ref())
}

/// A page and its end as the body of an answer, with its length. Holds the permit until all of it is handed to the
/// connection. Ends early once `may_continue` is false.
pub(crate) fn body(
    page: SharedPage,
    end: Vec<u8>,
    permit: PagePermit,
    may_continue: impl Fn() -> bool + Send + 'static,
) -> (Body, usize) {
    let lines = move |page: &SharedPage| page.get().and_then(|page| Some(page.as_ref()?.lines().len())).unwrap_or(0);
    let length = lines(&page) + end.len();
    let chunks = stream::unfold((page, end, 0), move |(page, end, from)| {
        // From now on the desk is waited for.
        permit.waiting();
        let rest = page.get().and_then(|page| page.as_ref()?.lines().get(from..)).unwrap_or_default();
        // A copy, so that what is left of it in the connection does not keep the page in memory.
        let (chunk, end) = match rest {
            [] => (Bytes::from(end), Vec::new()),
            rest => (Bytes::copy_from_slice(&rest[..rest.len().min(CHUNK_BYTES)]), end),
        };
        let next = from + chunk.len();
        let chunk = if may_continue() { Ok(chunk) } else { Err("the desks that may read it have changed") };
        let is_over = chunk.as_ref().is_ok_and(Bytes::is_empty);
        async move { (!is_over).then_some((chunk, (page, end, next))) }
    });
    (Body::from_stream(chunks), length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn desks_at_one_position_share_a_page_while_one_has_it() {
        let pages = Pages::new();
        let key = |last| (None, Head { first: 1, last, desks: None }, 500, Vec::new());
        let first = pages.share(key(1));
        assert!(Arc::ptr_eq(&first, &pages.share(key(1))));
        assert!(!Arc::ptr_eq(&first, &pages.share(key(2))));
        let gone = Arc::downgrade(&first);
        drop(first);
        assert_eq!(gone.strong_count(), 0, "nothing keeps a page that no desk has");
    }

    #[tokio::test]
    async fn the_page_of_a_stalled_desk_goes_for_the_next() {
        let pages = Pages::new();
        let connections: Vec<_> = (0..=MAX_PAGES_OF_DESK).map(|_| CancellationToken::new()).collect();
        let mut held = Vec::new();
        for connection in &connections[..MAX_PAGES_OF_DESK] {
            held.extend(pages.acquire("ana", connection).await);
        }
        assert!(pages.acquire("bia", &connections[0]).await.is_some(), "another desk has pages of its own");
        held.iter().for_each(PagePermit::waiting);
        let stalled = async {
            connections[0].cancelled().await;
            drop(held.remove(0));
        };
        let (next, ()) = tokio::join!(pages.acquire("ana", &connections[MAX_PAGES_OF_DESK]), stalled);
        assert!(next.is_some());
    }
}
