//! What is newer does not depend on a clock: one that was wrong once delays nothing.

use std::path::Path;

use store::Cache;
use store::cache::{Listing, ListingProgress, ProjectedItem, RequestMark, TemplateMatch, TemplatePatch};

use super::projection::{LOG, review};
use crate::template;

const DAY: i64 = 86_400_000;
const TODAY: i64 = 1_800_000_000_000;

/// An undated review that arrived when the clock said `at`.
fn arrived(seq: i64, event: &str, at: i64) -> ProjectedItem {
    let mut item = review(seq, event, at);
    item.key = format!("review/{event}");
    item.subject = Some("review/promo".to_owned());
    item.received_at = at;
    item
}

async fn status(cache: &Cache) -> String {
    cache.template("w", "1").await.unwrap().unwrap().row.status
}

/// Lists the template when the clock says `at`.
async fn list(cache: &Cache, word: &str, last_seq: i64, at: i64) {
    let asked = cache.request_mark(last_seq, at);
    cache.replace_listing("w", vec![template("1", "promo", "pt_BR", word)], asked).await.unwrap();
}

/// A cache that was filled while the clock was `ahead`, and opened again after it was put right.
async fn reopened(path: &Path, ahead: i64) -> Cache {
    let cache = Cache::open(path);
    list(&cache, "PENDING", 0, TODAY + ahead).await;
    cache.close();
    Cache::open(path)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_clock_that_was_wrong_delays_no_answer_and_no_event() {
    for ahead in [DAY, 400 * DAY, -DAY, -400 * DAY] {
        let dir = tempfile::tempdir().unwrap();
        let cache = reopened(&dir.path().join("cache.sqlite"), ahead).await;
        cache.apply(LOG, 0, 1, vec![arrived(1, "APPROVED", TODAY)]).await.unwrap();
        assert_eq!(status(&cache).await, "APPROVED", "an event, {ahead}");
        list(&cache, "PAUSED", 1, TODAY + 1_000).await;
        assert_eq!(status(&cache).await, "PAUSED", "a listing, {ahead}");
        assert_eq!(cache.listed_at("w").await.unwrap(), Some(TODAY + 1_000), "{ahead}");
        let asked = cache.request_mark(1, TODAY + 2_000);
        let patch = TemplatePatch { status: Some("DISABLED".to_owned()), asked, ..TemplatePatch::default() };
        cache.set_template_status("w", TemplateMatch::Reference("1".to_owned()), patch).await.unwrap();
        assert_eq!(status(&cache).await, "DISABLED", "an answer, {ahead}");
        for at in [TODAY + 3_000, TODAY + 4_000] {
            cache.replace_listing("w", Vec::new(), cache.request_mark(1, at)).await.unwrap();
        }
        assert!(cache.template("w", "1").await.unwrap().is_none(), "two listings without it, {ahead}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_clock_that_jumps_while_the_app_runs_changes_no_order() {
    for jump in [DAY, -DAY] {
        let dir = tempfile::tempdir().unwrap();
        let cache = Cache::open(&dir.path().join("cache.sqlite"));
        list(&cache, "PENDING", 0, TODAY).await;
        // Requested before the event arrived, answered after it.
        let before = cache.request_mark(0, TODAY + 10);
        cache.apply(LOG, 0, 1, vec![arrived(1, "APPROVED", TODAY + jump)]).await.unwrap();
        cache.replace_listing("w", vec![template("1", "promo", "pt_BR", "PENDING")], before).await.unwrap();
        assert_eq!(status(&cache).await, "APPROVED", "the event is newer, {jump}");
        // And the event of a wrong clock is older than those that were delivered later.
        cache.apply(LOG, 1, 2, vec![arrived(2, "PAUSED", TODAY + 20)]).await.unwrap();
        assert_eq!(status(&cache).await, "PAUSED", "{jump}");
        list(&cache, "APPROVED", 2, TODAY + 30).await;
        assert_eq!(status(&cache).await, "APPROVED", "{jump}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_another_log_holds_already_is_not_newer_than_the_templates() {
    let dir = tempfile::tempdir().unwrap();
    let cache = Cache::open(&dir.path().join("cache.sqlite"));
    list(&cache, "APPROVED", 900, TODAY).await;
    cache.reset_projection(Some(1)).await.unwrap();
    cache.apply("log-2", 0, 1, vec![arrived(1, "PENDING", TODAY - DAY)]).await.unwrap();
    assert_eq!(status(&cache).await, "APPROVED");
    cache.apply("log-2", 1, 2, vec![arrived(2, "PAUSED", TODAY - DAY)]).await.unwrap();
    assert_eq!(status(&cache).await, "PAUSED", "its next delivery is");

    // The cursor is gone, so nothing says that the log is another one.
    list(&cache, "APPROVED", 900, TODAY).await;
    cache.reset_projection(None).await.unwrap();
    cache.limit_requests(1).await.unwrap();
    cache.apply("log-3", 0, 2, vec![arrived(1, "PENDING", TODAY), arrived(2, "PAUSED", TODAY)]).await.unwrap();
    assert_eq!(status(&cache).await, "PAUSED");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_collapse_is_confirmed_by_the_listing_after_a_restart() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("cache.sqlite");
    let collapsed = async |cache: &Cache| {
        let listing = Listing { asked: cache.request_mark(0, TODAY), ..Listing::default() };
        cache.finish_listing("w", listing, ListingProgress::default()).await.unwrap()
    };
    let cache = reopened(&path, 0).await;
    assert_eq!((collapsed(&cache).await.kept, cache.left_out("w").await.unwrap()), (1, 1));
    cache.close();
    let cache = Cache::open(&path);
    assert_eq!(collapsed(&cache).await.changes.len(), 1, "the number of the first is not given again");
}

#[test]
fn requests_are_numbered_over_restarts() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("cache.sqlite");
    let runtime = crate::runtime();
    let last: RequestMark = runtime.block_on(async {
        let cache = reopened(&path, 0).await;
        let mark = cache.request_mark(0, TODAY);
        cache.replace_listing("w", Vec::new(), mark).await.unwrap();
        cache.close();
        mark
    });
    assert!(Cache::open(&path).request_mark(0, TODAY).number > last.number);
}
