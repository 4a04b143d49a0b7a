//! Listings with one record for each business account of a template: its statuses differ by account.

use serde_json::{Value, json};
use store::Cache;
use store::cache::{
    CachedTemplate, Change, Effect, Listing, ListingProgress, ProjectedItem, RequestMark, RequestTimes, TemplateEffect,
    TemplateFilter,
};

use crate::projection::{LOG, prepared, review};
use crate::{asked, template};

/// A record about the template in one account, or in none that it names.
fn record(waba: Option<&str>, status: &str, reason: Option<&str>) -> CachedTemplate {
    let mut listed = template("1", "order_shipped", "pt_BR", status);
    listed.row.wabas = waba.into_iter().map(str::to_owned).collect();
    listed.row.rejected_reason = reason.map(str::to_owned);
    let mut json: Value = serde_json::from_str(&listed.record).unwrap();
    json["status"] = json!(status);
    json["id"] = json!(format!("9{}", waba.unwrap_or_default()));
    if let Some(waba) = waba {
        json["waba_id"] = json!(waba);
    }
    if let Some(reason) = reason {
        json["rejected_reason"] = json!(reason);
    }
    listed.record = json.to_string();
    listed
}

fn approved(waba: &str) -> CachedTemplate {
    record(Some(waba), "APPROVED", None)
}

fn rejected(waba: &str) -> CachedTemplate {
    record(Some(waba), "REJECTED", Some("TAG_CONTENT_MISMATCH"))
}

struct Desk {
    cache: Cache,
    _folder: tempfile::TempDir,
}

impl Desk {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self { cache: Cache::open(&folder.path().join("cache.sqlite")), _folder: folder }
    }

    /// Applies a listing of these pages, and returns its differences as field, before, after.
    async fn list(&self, at: i64, pages: Vec<Vec<CachedTemplate>>) -> Vec<(String, Option<String>, Option<String>)> {
        self.list_after(0, at, pages).await
    }

    /// The same, requested after the delivery `seq`.
    async fn list_after(
        &self,
        seq: i64,
        at: i64,
        pages: Vec<Vec<CachedTemplate>>,
    ) -> Vec<(String, Option<String>, Option<String>)> {
        let times = RequestTimes { asked: RequestMark { last_seq: seq, ..asked(at) }, answered_at: at };
        let mut progress = ListingProgress::new(self.cache.known_records("w").await.unwrap());
        let mut all: Vec<Change> = Vec::new();
        for page in pages {
            let (changes, next) = self.cache.apply_listing_page("w", page.into(), times, progress).await.unwrap();
            all.extend(changes.unwrap());
            progress = next;
        }
        let listing = Listing { asked: times.asked, ..Listing::default() };
        all.extend(self.cache.finish_listing("w", listing, progress).await.unwrap().changes);
        let named =
            |change: &Change| change.waba.iter().fold(change.field.clone(), |field, waba| format!("{field} in {waba}"));
        all.into_iter().map(|change| (named(&change), change.before, change.after)).collect()
    }

    async fn row(&self) -> (String, Option<String>, Vec<String>) {
        let row = self.cache.template("w", "1").await.unwrap().unwrap().row;
        let mut wabas = row.wabas;
        wabas.sort();
        (row.status, row.rejected_reason, wabas)
    }

    async fn statuses(&self) -> Vec<(String, String, Option<String>)> {
        let statuses = self.cache.waba_statuses("w", "1").await.unwrap();
        statuses.into_iter().map(|of| (of.waba, of.status, of.reason)).collect()
    }
}

fn of(waba: &str, status: &str) -> (String, String, Option<String>) {
    let reason = (status == "REJECTED").then(|| "TAG_CONTENT_MISMATCH".to_owned());
    (waba.to_owned(), status.to_owned(), reason)
}

fn changed(field: &str, before: Option<&str>, after: Option<&str>) -> (String, Option<String>, Option<String>) {
    (field.to_owned(), before.map(str::to_owned), after.map(str::to_owned))
}

/// A listing with one status for both accounts.
fn of_both(status: &str) -> Vec<Vec<CachedTemplate>> {
    let mut listed = record(None, status, None);
    listed.row.wabas = ["10", "20"].map(str::to_owned).into();
    vec![vec![listed]]
}

/// The first delivery: an event at 200 about the status in an account.
fn reported_in(waba: &str, status: &str) -> ProjectedItem {
    let mut item = review(1, status, 200);
    item.entry_id = Some(waba.to_owned());
    item.effect = Effect::Template(TemplateEffect {
        name: Some("order_shipped".to_owned()),
        language: Some("pt-BR".to_owned()),
        at: 200,
        event: status.to_owned(),
        status: Some(status.to_owned()),
        ..TemplateEffect::default()
    });
    item
}

#[tokio::test(flavor = "multi_thread")]
async fn records_of_several_accounts_are_one_template_whose_statuses_differ() {
    let orders = [[approved("10"), rejected("20")], [rejected("20"), approved("10")]];
    for [first, second] in orders {
        for pages in [vec![vec![first.clone(), second.clone()]], vec![vec![first.clone()], vec![second.clone()]]] {
            let desk = Desk::new();
            let count = pages.len();
            assert_eq!(desk.list(100, pages.clone()).await, [changed("added", None, None)], "{count} pages");
            let both = vec!["10".to_owned(), "20".to_owned()];
            let expected = ("REJECTED".to_owned(), Some("TAG_CONTENT_MISMATCH".to_owned()), both);
            assert_eq!(desk.row().await, expected, "{count} pages");
            assert_eq!(desk.statuses().await, [of("10", "APPROVED"), of("20", "REJECTED")], "{count} pages");
            for (status, waba, is_found) in
                [("APPROVED", "10", true), ("REJECTED", "20", true), ("APPROVED", "20", false)]
            {
                let filter = TemplateFilter {
                    workspace_id: "w".to_owned(),
                    statuses: vec![status.to_owned()],
                    wabas: vec![waba.to_owned()],
                    ..TemplateFilter::default()
                };
                let found = desk.cache.templates(filter).await.unwrap().total;
                assert_eq!(found == 1, is_found, "{status} in {waba}");
            }
            // The same again is no news.
            assert_eq!(desk.list(200, pages).await, [], "{count} pages");
            assert_eq!(desk.statuses().await, [of("10", "APPROVED"), of("20", "REJECTED")], "{count} pages");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refresh_that_changes_only_the_second_record_changes_that_account() {
    for apart in [false, true] {
        let pages = |first: CachedTemplate, second: CachedTemplate| {
            if apart { vec![vec![first], vec![second]] } else { vec![vec![first, second]] }
        };
        let desk = Desk::new();
        desk.list(100, pages(approved("10"), approved("20"))).await;
        assert_eq!(desk.list(200, pages(approved("10"), approved("20"))).await, []);
        let news = [
            changed("status", Some("APPROVED"), Some("REJECTED")),
            changed("rejected_reason", None, Some("TAG_CONTENT_MISMATCH")),
            changed("status in 20", Some("APPROVED"), Some("REJECTED")),
        ];
        assert_eq!(desk.list(300, pages(approved("10"), rejected("20"))).await, news, "apart: {apart}");
        assert_eq!(desk.statuses().await, [of("10", "APPROVED"), of("20", "REJECTED")], "apart: {apart}");
        assert_eq!(desk.list(400, pages(approved("10"), rejected("20"))).await, [], "apart: {apart}");
        let news = [
            changed("status", Some("REJECTED"), Some("APPROVED")),
            changed("rejected_reason", Some("TAG_CONTENT_MISMATCH"), None),
            changed("status in 20", Some("REJECTED"), Some("APPROVED")),
        ];
        assert_eq!(desk.list(500, pages(approved("10"), approved("20"))).await, news, "apart: {apart}");
        assert_eq!(desk.statuses().await, [of("10", "APPROVED"), of("20", "APPROVED")], "apart: {apart}");
        assert_eq!(desk.list(600, pages(approved("10"), approved("20"))).await, [], "apart: {apart}");
    }
}

/// Equal states in all accounts say as much of each as different ones.
#[tokio::test(flavor = "multi_thread")]
async fn a_listing_of_every_account_ends_what_an_event_said_of_one() {
    for pages in [vec![vec![approved("10"), approved("20")]], vec![vec![approved("10")], vec![approved("20")]]] {
        let desk = Desk::new();
        desk.list(100, pages.clone()).await;
        for at in [150, 160] {
            let record = desk.cache.template("w", "1").await.unwrap().unwrap().record;
            let record: model::template::TemplateRecord = serde_json::from_str(&record).unwrap();
            assert_eq!(record.wabas(), ["10", "20"], "the record names both");
            assert_eq!(desk.list(at, pages.clone()).await, []);
        }
        desk.cache.apply(LOG, 0, 1, vec![reported_in("10", "PAUSED")]).await.unwrap();
        assert_eq!(desk.statuses().await, [of("10", "PAUSED"), of("20", "APPROVED")]);
        desk.list_after(1, 300, pages.clone()).await;
        assert_eq!(desk.statuses().await, [of("10", "APPROVED"), of("20", "APPROVED")]);
        assert_eq!(desk.row().await.0, "APPROVED");
    }
}

/// An edit is reviewed in each account, and an event may tell of one alone.
#[tokio::test(flavor = "multi_thread")]
async fn a_listing_shows_the_change_in_an_account_that_no_event_named() {
    let desk = Desk::new();
    desk.list(100, of_both("APPROVED")).await;
    desk.cache.apply(LOG, 0, 1, vec![reported_in("10", "PENDING")]).await.unwrap();
    let news = [changed("status in 20", Some("APPROVED"), Some("PENDING"))];
    assert_eq!(desk.list_after(1, 300, of_both("PENDING")).await, news);
    let news = [changed("status", Some("PENDING"), Some("APPROVED"))];
    assert_eq!(desk.list_after(1, 400, of_both("APPROVED")).await, news, "all of them alike");
}

/// A listing shows one status for all accounts, and that of an archived template says nothing about any of them.
#[tokio::test(flavor = "multi_thread")]
async fn a_rejection_in_one_account_is_known_after_the_archive() {
    let desk = Desk::new();
    desk.list(100, of_both("APPROVED")).await;
    desk.cache.apply(LOG, 0, 1, vec![reported_in("20", "REJECTED")]).await.unwrap();
    for at in [300, 400] {
        desk.list_after(1, at, of_both("ARCHIVED")).await;
        let row = desk.row().await;
        assert_eq!(row.0, "ARCHIVED");
        assert!(desk.statuses().await.iter().all(|(_, status, _)| status == "ARCHIVED"), "{:?}", desk.statuses().await);
    }
    for at in [500, 600] {
        desk.list_after(1, at, of_both("APPROVED")).await;
        assert_eq!(desk.row().await.0, "REJECTED", "{at}");
        let statuses: Vec<_> = desk.statuses().await.into_iter().map(|(waba, status, _)| (waba, status)).collect();
        assert_eq!(statuses, [("10".to_owned(), "APPROVED".to_owned()), ("20".to_owned(), "REJECTED".to_owned())]);
    }
    desk.list_after(1, 700, of_both("PAUSED")).await;
    assert_eq!(desk.row().await.0, "PAUSED", "news about all of them");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_that_a_listing_no_longer_has_counts_no_longer() {
    let desk = Desk::new();
    desk.list(100, vec![vec![approved("10"), rejected("20")]]).await;
    let mut changes = desk.list(200, vec![vec![approved("10")]]).await;
    changes.sort();
    let news = [
        changed("rejected_reason", Some("TAG_CONTENT_MISMATCH"), None),
        changed("status", Some("REJECTED"), Some("APPROVED")),
        changed("waba_ids", Some("10, 20"), Some("10")),
    ];
    assert_eq!(changes, news);
    assert_eq!(desk.row().await, ("APPROVED".to_owned(), None, vec!["10".to_owned()]));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_most_restrictive_of_records_without_accounts_counts() {
    let [one, other] = [record(None, "APPROVED", None), record(None, "REJECTED", Some("SCAM"))];
    for records in [vec![one.clone(), other.clone()], vec![other, one]] {
        let desk = Desk::new();
        desk.list(100, vec![records]).await;
        assert_eq!(desk.row().await, ("REJECTED".to_owned(), Some("SCAM".to_owned()), Vec::new()));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn one_record_may_have_the_status_in_each_account() {
    let desk = Desk::new();
    let mut nested = record(None, "REJECTED", Some("TAG_CONTENT_MISMATCH"));
    nested.row.wabas = vec!["10".to_owned(), "20".to_owned()];
    let mut json: Value = serde_json::from_str(&nested.record).unwrap();
    json["status"] = json!("APPROVED");
    json["wabas"] = json!([{"waba_id": "10", "status": "APPROVED"}, {"waba_id": 20, "id": "7", "status": "REJECTED"}]);
    nested.record = json.to_string();
    desk.list(100, vec![vec![nested.clone()]]).await;
    assert_eq!(desk.statuses().await, [of("10", "APPROVED"), of("20", "REJECTED")]);
    assert_eq!(desk.list(200, vec![vec![nested]]).await, []);
}

/// A record with the status in each account, in a list of another name than the desk's own.
fn listed_with_accounts(accounts: Value) -> CachedTemplate {
    let mut nested = record(None, "PAUSED", None);
    nested.row.wabas = vec!["10".to_owned(), "20".to_owned()];
    let mut json: Value = serde_json::from_str(&nested.record).unwrap();
    json["status"] = json!("APPROVED");
    json["waba_ids"] = json!([10, 20]);
    json["accounts"] = accounts;
    nested.record = json.to_string();
    nested
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_of_accounts_has_the_status_in_each() {
    let [one, other] = [json!({"waba_id": "10", "status": "APPROVED"}), json!({"waba_id": "20", "status": "PAUSED"})];
    for accounts in [
        json!([one, other]),
        json!([other, one]),
        // The record's own status counts for an account that the list leaves out.
        json!([other]),
        json!([{"id": 20, "status": "PAUSED"}, {"id": "30", "status": "REJECTED"}]),
        json!([{"account_id": "20", "status": "paused", "quality_score": 7}, {"waba_id": 10, "status": 4}, null]),
        json!([one, other, {"waba_id": 20, "status": "APPROVED"}]),
    ] {
        let desk = Desk::new();
        let listed = listed_with_accounts(accounts.clone());
        desk.list(100, vec![vec![listed.clone()]]).await;
        assert_eq!(desk.statuses().await, [of("10", "APPROVED"), of("20", "PAUSED")], "{accounts}");
        assert_eq!(desk.list(200, vec![vec![listed]]).await, [], "{accounts}");
        assert_eq!(desk.statuses().await, [of("10", "APPROVED"), of("20", "PAUSED")], "{accounts}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_of_accounts_is_joined_with_a_record_about_another_account() {
    let nested =
        listed_with_accounts(json!([{"waba_id": 10, "status": "APPROVED"}, {"waba_id": 20, "status": "PAUSED"}]));
    let further = record(Some("30"), "REJECTED", Some("TAG_CONTENT_MISMATCH"));
    for pages in [vec![vec![nested.clone(), further.clone()]], vec![vec![nested], vec![further]]] {
        let desk = Desk::new();
        desk.list(100, pages.clone()).await;
        let expected = [of("10", "APPROVED"), of("20", "PAUSED"), of("30", "REJECTED")];
        assert_eq!(desk.statuses().await, expected);
        assert_eq!(desk.list(200, pages).await, []);
    }
}

/// As the channel reports it in one account: messages from there cost more, whatever the other account's record says.
#[tokio::test(flavor = "multi_thread")]
async fn a_category_that_one_account_raised_is_not_undone_by_the_record_of_another() {
    let in_category = |waba: &str, category: &str, before: Option<&str>| {
        let mut listed = approved(waba);
        let mut json: Value = serde_json::from_str(&listed.record).unwrap();
        json["category"] = json!(category);
        if let Some(before) = before {
            json["previous_category"] = json!(before);
        }
        listed.record = json.to_string();
        listed.row.category = category.to_lowercase();
        listed.row.asked_category = before.map(str::to_lowercase);
        listed
    };
    let (utility, raised) = (in_category("10", "UTILITY", None), in_category("20", "MARKETING", Some("UTILITY")));
    for pages in [
        vec![vec![utility.clone(), raised.clone()]],
        vec![vec![raised.clone(), utility.clone()]],
        vec![vec![utility.clone()], vec![raised.clone()]],
        vec![vec![raised], vec![utility.clone()]],
    ] {
        let desk = Desk::new();
        let both = vec![utility.clone(), in_category("20", "UTILITY", None)];
        desk.list(100, vec![both]).await;
        let category = async || {
            let row = desk.cache.template("w", "1").await.unwrap().unwrap().row;
            (row.category.clone(), row.asked_category.clone(), row.is_category_changed())
        };
        assert_eq!(category().await, ("utility".to_owned(), None, false));
        let news = [changed("category", Some("utility"), Some("marketing"))];
        assert_eq!(desk.list(200, pages.clone()).await, news);
        let expected = ("marketing".to_owned(), Some("utility".to_owned()), true);
        assert_eq!(category().await, expected);
        assert_eq!(desk.list(300, pages).await, [], "the same again is no news");
        assert_eq!(category().await, expected);
    }
}

/// An event names the account in which the category or the quality changed: the record of that account follows it.
#[tokio::test(flavor = "multi_thread")]
async fn the_record_of_an_account_follows_an_event_about_it() {
    let folder = tempfile::tempdir().unwrap();
    let cache = prepared(&folder.path().join("cache.sqlite")).await;
    let mut listed = template("7", "order_delayed", "pt_BR", "APPROVED");
    listed.row.category = "utility".to_owned();
    listed.row.wabas = ["10", "20"].map(str::to_owned).into();
    let mut json: Value = serde_json::from_str(&listed.record).unwrap();
    json["wabas"] = json!([
        {"waba_id": "10", "status": "APPROVED", "category": "utility", "quality_score": {"score": "GREEN"}},
        {"waba_id": "20", "status": "APPROVED", "category": "utility", "quality_score": {"score": "GREEN"}}]);
    listed.record = json.to_string();
    cache.upsert_template(listed).await.unwrap();
    let mut items = Vec::new();
    for (seq, effect) in [
        (1, TemplateEffect { category: Some("marketing".to_owned()), ..TemplateEffect::default() }),
        (2, TemplateEffect { quality: Some("RED".to_owned()), ..TemplateEffect::default() }),
    ] {
        let mut item = review(seq, "X", seq * 1_000);
        item.key = format!("{seq}");
        item.entry_id = Some("10".to_owned());
        item.effect = Effect::Template(TemplateEffect {
            name: Some("order_delayed".to_owned()),
            language: Some("pt_BR".to_owned()),
            event: "X".to_owned(),
            ..effect
        });
        items.push(item);
    }
    cache.apply(LOG, 0, 2, items).await.unwrap();
    let found = cache.template("w", "7").await.unwrap().unwrap();
    assert_eq!((found.row.category.as_str(), found.row.quality.as_deref()), ("marketing", Some("RED")));
    let accounts = serde_json::from_str::<Value>(&found.record).unwrap()["wabas"].clone();
    let of = |place: usize| (accounts[place]["category"].clone(), accounts[place]["quality_score"]["score"].clone());
    assert_eq!(of(0), (json!("marketing"), json!("RED")));
    assert_eq!(of(1), (json!("utility"), json!("GREEN")));
}
