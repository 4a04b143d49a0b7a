//! Events of templates: their effects, the templates that they refer to, and undated events.

use std::path::Path;

use proptest::prelude::*;
use store::Cache;
use store::cache::{
    Effect, ProjectedItem, Since, TemplateChange, TemplateEffect, TemplateFilter, TemplateMatch, TemplatePatch,
    TemplateSort,
};

use super::projection::{LOG, prepared, review, state};
use crate::{asked, asked_after, template};

#[tokio::test(flavor = "multi_thread")]
async fn events_update_their_templates() {
    let dir = tempfile::tempdir().unwrap();
    let cache = prepared(&dir.path().join("cache.sqlite")).await;
    let row = async || cache.template("w", "1").await.unwrap().unwrap().row;
    let before = row().await;
    let done = cache.apply(LOG, 0, 1, vec![review(1, "REJECTED", 5_000)]).await.unwrap();
    let changed = TemplateChange { route: "w".to_owned(), reference: "1".to_owned(), before };
    assert_eq!(done.templates, [changed], "the other is newer than the event");
    assert!(done.unknown_events.is_empty());
    let found = row().await;
    assert_eq!(
        (found.status.as_str(), found.rejected_reason.as_deref(), found.updated_at),
        ("REJECTED", Some("SCAM"), 5_000)
    );
    // In the same second, the one received last counts; a late one changes nothing.
    let done = cache.apply(LOG, 1, 3, vec![review(2, "APPROVED", 5_000), review(3, "PENDING", 4_000)]).await.unwrap();
    assert_eq!(done.templates.len(), 1);
    let found = row().await;
    assert_eq!((found.status.as_str(), found.rejected_reason), ("APPROVED", None));
    let facets = cache.facets("w", None).await.unwrap();
    assert_eq!(facets.statuses.iter().map(|facet| facet.value.as_str()).collect::<Vec<_>>(), ["APPROVED", "PAUSED"]);

    // The answer to a request sent before the events arrived does not revert them; a later one does.
    let mut answer = template("1", "promo", "pt_BR", "PENDING");
    answer.row.asked = asked(999);
    cache.upsert_template(answer.clone()).await.unwrap();
    assert_eq!(row().await.status, "APPROVED");
    cache.replace_listing("w", vec![answer.clone()], asked(1_000)).await.unwrap();
    assert_eq!(row().await.status, "APPROVED");
    cache.replace_listing("w", vec![answer], asked_after(3, 2_000)).await.unwrap();
    assert_eq!(row().await.status, "PENDING");
    // An event received before the template was known.
    let mut late = review(4, "DISABLED", 9_000);
    late.received_at = 3_000;
    if let Effect::Template(effect) = &mut late.effect {
        effect.name = Some("unheard_of".to_owned());
        effect.channel_id = None;
    }
    let key = late.key.clone();
    let done = cache.apply(LOG, 3, 4, vec![late]).await.unwrap();
    assert!(done.templates.is_empty());
    assert_eq!(done.unknown_events.into_iter().collect::<Vec<_>>(), [("w".to_owned(), key)], "it is unknown");
    let mut created = template("9", "unheard_of", "pt_BR", "PENDING");
    created.row.asked = asked_after(3, 2_900);
    cache.upsert_template(created).await.unwrap();
    assert_eq!(cache.template("w", "9").await.unwrap().unwrap().row.status, "DISABLED");
}

/// An undated status, as the contract's events are (§2.4, §6.5).
fn undated(seq: i64, event: &str, received_at: i64) -> ProjectedItem {
    let mut item = review(seq, event, received_at);
    item.key = format!("review/{event}");
    item.subject = Some("review/promo".to_owned());
    item.received_at = received_at;
    item
}

async fn one_template(path: &Path) -> Cache {
    let cache = Cache::open(path);
    cache.upsert_template(template("1", "promo", "pt_BR", "PENDING")).await.unwrap();
    cache
}

#[tokio::test(flavor = "multi_thread")]
async fn an_undated_status_applies_again_after_another_one() {
    let dir = tempfile::tempdir().unwrap();
    let cache = one_template(&dir.path().join("cache.sqlite")).await;
    let row = async || cache.template("w", "1").await.unwrap().unwrap().row;
    let apply =
        async |seq: i64, event: &str, at: i64| cache.apply(LOG, seq - 1, seq, vec![undated(seq, event, at)]).await;
    let first = apply(1, "APPROVED", 1_000).await.unwrap();
    assert_eq!((first.new_items, first.templates.len(), first.unconfirmed.len()), (1, 1, 0));
    let known = row().await;
    let again = apply(2, "APPROVED", 2_000).await.unwrap();
    assert_eq!((again.new_items, again.repeated_items, again.templates.len()), (0, 1, 0), "a redelivery");
    assert_eq!(row().await, known, "it changes nothing");
    assert_eq!(apply(3, "PAUSED", 3_000).await.unwrap().new_items, 1);
    assert_eq!(row().await.status, "PAUSED");
    let back = apply(4, "APPROVED", 4_000).await.unwrap();
    assert_eq!((back.new_items, back.templates.len()), (1, 1), "another status came in between");
    assert_eq!(back.unconfirmed.into_iter().collect::<Vec<_>>(), ["w"], "a listing decides");
    let found = row().await;
    assert_eq!((found.status.as_str(), found.status_since.map(|since| since.at)), ("APPROVED", Some(4_000)));
    let late = apply(5, "APPROVED", 4_001 + model::item::REDELIVERY_WINDOW).await.unwrap();
    assert_eq!((late.new_items, late.templates.len()), (1, 0), "much later it is another event, which changes nothing");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_undated_status_applies_again_after_a_local_edit() {
    let dir = tempfile::tempdir().unwrap();
    let cache = one_template(&dir.path().join("cache.sqlite")).await;
    cache.apply(LOG, 0, 1, vec![undated(1, "APPROVED", 1_000)]).await.unwrap();
    let mut edited = template("1", "promo", "pt_BR", "PENDING");
    edited.row.asked = asked_after(1, 2_000);
    cache.upsert_template(edited).await.unwrap();
    assert_eq!(cache.template("w", "1").await.unwrap().unwrap().row.status, "PENDING");
    let mut approved = undated(2, "APPROVED", 3_000);
    approved.changed_here_at = Some(2_000);
    let done = cache.apply(LOG, 1, 2, vec![approved]).await.unwrap();
    assert_eq!((done.new_items, done.templates.len(), done.unconfirmed.len()), (1, 1, 1));
    assert_eq!(cache.template("w", "1").await.unwrap().unwrap().row.status, "APPROVED");
}

/// The result of undated events depends only on their order of arrival.
#[test]
fn batching_and_repetition_of_undated_events_do_not_change_the_state() {
    let runtime = crate::runtime();
    let config = ProptestConfig { cases: 25, failure_persistence: None, ..ProptestConfig::default() };
    let event = prop::sample::select(vec!["APPROVED", "REJECTED", "PAUSED"]);
    let step = prop::sample::select(vec![1_000_i64, 1_800_000, 3_600_001]);
    let history = prop::collection::vec((event, step), 1..10);
    proptest!(config, |(history in history, batches in prop::collection::vec(1..4_usize, 1..4))| {
        let mut at = 0;
        let items: Vec<_> = (1..).zip(&history).map(|(seq, (event, step))| {
            at += step;
            undated(seq, event, at)
        }).collect();
        let seq = |place: usize| i64::try_from(place).unwrap();
        let apply = async |path: &Path, sizes: &[usize]| {
            let cache = prepared(path).await;
            let (mut from, mut sizes) = (0, sizes.iter().cycle());
            while from < items.len() {
                let to = (from + sizes.next().unwrap()).min(items.len());
                cache.apply(LOG, seq(from), seq(to), items[from..to].to_vec()).await.unwrap();
                // Applied again in between: nothing changes.
                let seqs = items[..to].iter().map(|item| item.seq).collect();
                let again = cache.apply_again(LOG, seqs, items[..to].to_vec()).await.unwrap();
                assert_eq!((again.new_items, again.corrected), (0, 0));
                from = to;
            }
            state(path)
        };
        let dir = tempfile::tempdir().unwrap();
        let found = runtime.block_on(apply(&dir.path().join("some.sqlite"), &batches));
        let expected = runtime.block_on(apply(&dir.path().join("one.sqlite"), &[items.len()]));
        prop_assert_eq!(found, expected);
    });
}

/// A status in one business account.
fn review_in(seq: i64, waba: Option<&str>, channel_id: Option<&str>, event: &str) -> ProjectedItem {
    let mut item = review(seq, event, seq * 1_000);
    item.key = format!("{seq}");
    item.entry_id = waba.map(str::to_owned);
    if let Effect::Template(effect) = &mut item.effect {
        effect.channel_id = channel_id.map(str::to_owned);
    }
    item
}

#[tokio::test(flavor = "multi_thread")]
async fn an_event_applies_to_the_template_of_its_waba() {
    type Known = (&'static str, &'static [&'static str], Option<&'static str>);
    type Case = (&'static str, &'static [Known], (Option<&'static str>, Option<&'static str>), Option<&'static str>);
    const ONE: Known = ("1", &["10"], None);
    const TWO: Known = ("2", &["20"], None);
    const UNSAID: Known = ("3", &[], None);
    let cases: &[Case] = &[
        ("its own WABA", &[ONE, TWO], (Some("20"), Some("7")), Some("2")),
        ("a WABA that has none", &[ONE, TWO], (Some("30"), Some("7")), None),
        ("the only one, elsewhere", &[ONE], (Some("20"), Some("7")), None),
        ("the only one, WABA not said", &[UNSAID], (Some("20"), Some("7")), Some("3")),
        ("one elsewhere, one not said", &[ONE, UNSAID], (Some("20"), Some("7")), Some("3")),
        ("one here, one not said", &[ONE, UNSAID], (Some("10"), Some("7")), Some("1")),
        ("two not said", &[UNSAID, ("4", &[], None)], (Some("20"), Some("7")), None),
        ("two not said, one with the identifier", &[UNSAID, ("4", &[], Some("7"))], (Some("20"), Some("7")), Some("4")),
        ("the identifier before the WABA", &[ONE, ("2", &["20"], Some("7"))], (Some("10"), Some("7")), Some("2")),
        ("in several", &[ONE, ("5", &["20", "30"], None)], (Some("30"), Some("7")), Some("5")),
        ("no WABA, one template", &[ONE], (None, None), Some("1")),
        ("no WABA, two templates", &[ONE, TWO], (None, None), None),
    ];
    for (what, templates, (waba, id), changed) in cases {
        let dir = tempfile::tempdir().unwrap();
        let cache = Cache::open(&dir.path().join("cache.sqlite"));
        for (reference, wabas, channel_id) in *templates {
            let mut known = template(reference, "promo", "pt_BR", "APPROVED");
            known.row.wabas = wabas.iter().map(|waba| (*waba).to_owned()).collect();
            known.row.channel_id = channel_id.map(str::to_owned);
            cache.upsert_template(known).await.unwrap();
        }
        let done = cache.apply(LOG, 0, 1, vec![review_in(1, *waba, *id, "REJECTED")]).await.unwrap();
        let references: Vec<_> = done.templates.iter().map(|change| change.reference.as_str()).collect();
        assert_eq!(references, changed.iter().copied().collect::<Vec<_>>(), "{what}");
        assert_eq!(done.unknown_events.is_empty(), changed.is_some(), "{what}");
        for (reference, ..) in *templates {
            let expected = if changed.as_ref() == Some(reference) { "REJECTED" } else { "APPROVED" };
            assert_eq!(cache.template("w", reference).await.unwrap().unwrap().row.status, expected, "{what}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_template_in_several_wabas_has_the_most_restrictive_status() {
    let dir = tempfile::tempdir().unwrap();
    let cache = Cache::open(&dir.path().join("cache.sqlite"));
    let mut known = template("1", "promo", "pt_BR", "PENDING");
    known.row.wabas = ["10", "20"].map(str::to_owned).to_vec();
    known.record = r#"{"status":"PENDING"}"#.to_owned();
    cache.upsert_template(known.clone()).await.unwrap();
    let state = async || {
        let statuses = cache.waba_statuses("w", "1").await.unwrap();
        let of_wabas: Vec<_> = statuses.into_iter().map(|of| format!("{} {}", of.waba, of.status)).collect();
        (cache.template("w", "1").await.unwrap().unwrap().row, of_wabas)
    };
    for (seq, waba, event, status, of_wabas) in [
        (1, "10", "APPROVED", "PENDING", ["10 APPROVED", "20 PENDING"]),
        (2, "20", "REJECTED", "REJECTED", ["10 APPROVED", "20 REJECTED"]),
        (3, "20", "APPROVED", "APPROVED", ["10 APPROVED", "20 APPROVED"]),
        (4, "10", "REJECTED", "REJECTED", ["10 REJECTED", "20 APPROVED"]),
    ] {
        cache.apply(LOG, seq - 1, seq, vec![review_in(seq, Some(waba), Some(waba), event)]).await.unwrap();
        let (row, found) = state().await;
        assert_eq!((row.status.as_str(), found), (status, of_wabas.map(str::to_owned).to_vec()), "{seq}");
        assert_eq!(row.rejected_reason.as_deref(), (status == "REJECTED").then_some("SCAM"), "{seq}");
    }
    // A listing covers all accounts, and does not list them.
    known.row.wabas = Vec::new();
    known.row.status = "APPROVED".to_owned();
    known.record = r#"{"status":"APPROVED"}"#.to_owned();
    cache.replace_listing("w", vec![known], asked_after(4, 9_000_000)).await.unwrap();
    let (row, found) = state().await;
    assert_eq!((row.status.as_str(), row.wabas.len()), ("APPROVED", 2), "the known WABAs remain");
    assert_eq!(found, ["10 APPROVED", "20 APPROVED"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_listing_that_says_the_same_as_before_keeps_the_statuses_of_each_waba() {
    let dir = tempfile::tempdir().unwrap();
    let cache = Cache::open(&dir.path().join("cache.sqlite"));
    let listed = |status: &str| {
        let mut listed = template("1", "promo", "pt_BR", status);
        listed.row.wabas = ["10", "20"].map(str::to_owned).to_vec();
        listed.record = format!(r#"{{"status":"{status}"}}"#);
        listed
    };
    let list = async |status: &str, seq: i64| {
        let report = cache.replace_listing("w", vec![listed(status)], asked_after(seq, 9_000_000 + seq)).await.unwrap();
        let statuses = cache.waba_statuses("w", "1").await.unwrap();
        let of_wabas: Vec<_> = statuses.into_iter().map(|of| format!("{} {}", of.waba, of.status)).collect();
        (cache.template("w", "1").await.unwrap().unwrap().row, of_wabas, report.len())
    };
    let apply = async |seq: i64, waba: &str, event: &str| {
        cache.apply(LOG, seq - 1, seq, vec![review_in(seq, Some(waba), Some(waba), event)]).await.unwrap();
    };
    list("APPROVED", 0).await;
    apply(1, "10", "REJECTED").await;
    for seq in [1, 1, 1] {
        let (row, of_wabas, changes) = list("APPROVED", seq).await;
        assert_eq!((row.status.as_str(), changes), ("REJECTED", 0), "nothing was approved");
        assert_eq!(row.rejected_reason.as_deref(), Some("SCAM"));
        assert_eq!(row.status_since, Some(Since { at: 1_000, exact: true }));
        assert_eq!(of_wabas, ["10 REJECTED", "20 APPROVED"]);
    }
    // The status of none of them contradicts what events said.
    apply(2, "20", "PAUSED").await;
    let (_, of_wabas, _) = list("APPROVED", 2).await;
    assert_eq!(of_wabas, ["10 APPROVED", "20 APPROVED"]);
    apply(3, "20", "PAUSED").await;
    let (row, of_wabas, changes) = list("APPROVED", 3).await;
    assert_eq!((row.status.as_str(), changes), ("PAUSED", 0));
    assert_eq!(of_wabas, ["10 APPROVED", "20 PAUSED"]);
    apply(4, "20", "PAUSED").await;
    // An event of an unknown account counts for all, and so it stays.
    let every = review_in(5, None, None, "APPROVED");
    cache.apply(LOG, 4, 5, vec![every]).await.unwrap();
    let (row, _, changes) = list("APPROVED", 5).await;
    assert_eq!((row.status.as_str(), changes), ("APPROVED", 0));
    // An answer about the template alone, such as that of an edit, counts for all.
    apply(6, "10", "REJECTED").await;
    let (row, ..) = list("APPROVED", 6).await;
    assert_eq!(row.status, "REJECTED");
    let mut edited = listed("APPROVED");
    edited.row.asked = asked_after(6, 9_000_006);
    cache.upsert_template(edited).await.unwrap();
    assert_eq!(cache.template("w", "1").await.unwrap().unwrap().row.status, "APPROVED");
    apply(7, "10", "PAUSED").await;
    // Another status than before is news about all of them.
    let (row, of_wabas, _) = list("PENDING", 7).await;
    assert_eq!(
        (row.status.as_str(), of_wabas.as_slice()),
        ("PENDING", ["10 PENDING", "20 PENDING"].map(str::to_owned).as_slice())
    );
    let (row, of_wabas, _) = list("PENDING", 7).await;
    assert_eq!((row.status.as_str(), of_wabas.len()), ("PENDING", 2));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_template_is_found_by_its_status_in_each_waba() {
    let dir = tempfile::tempdir().unwrap();
    let cache = Cache::open(&dir.path().join("cache.sqlite"));
    let mut known = template("1", "promo", "pt_BR", "APPROVED");
    known.row.wabas = ["10", "20", "30"].map(str::to_owned).to_vec();
    known.record = r#"{"status":"APPROVED"}"#.to_owned();
    cache.upsert_template(known.clone()).await.unwrap();
    let mut elsewhere = template("2", "news", "pt_BR", "REJECTED");
    elsewhere.row.wabas = vec!["10".to_owned()];
    cache.upsert_template(elsewhere).await.unwrap();
    let found = async |status: &str, wabas: &[&str]| {
        let filter = TemplateFilter {
            workspace_id: "w".to_owned(),
            statuses: vec![status.to_owned()],
            wabas: wabas.iter().map(|waba| (*waba).to_owned()).collect(),
            sort: TemplateSort::Name,
            limit: 10,
            ..TemplateFilter::default()
        };
        let page = cache.templates(filter).await.unwrap();
        page.rows.into_iter().map(|row| row.name).collect::<Vec<_>>().join(" ")
    };
    assert_eq!((found("APPROVED", &[]).await, found("REJECTED", &[]).await), ("promo".to_owned(), "news".to_owned()));
    for (seq, waba, event) in [(1, "10", "PAUSED"), (2, "20", "REJECTED")] {
        cache.apply(LOG, seq - 1, seq, vec![review_in(seq, Some(waba), Some(waba), event)]).await.unwrap();
    }
    for (status, wabas, expected) in [
        ("APPROVED", &[][..], "promo"),
        ("PAUSED", &[], "promo"),
        ("REJECTED", &[], "news promo"),
        ("REJECTED", &["10"], "news"),
        ("REJECTED", &["20"], "promo"),
        ("APPROVED", &["20"], ""),
        ("APPROVED", &["30", ""], "promo"),
    ] {
        assert_eq!(found(status, wabas).await, expected, "{status} {wabas:?}");
    }
    let facets = cache.facets("w", None).await.unwrap().statuses;
    let counts: Vec<_> = facets.iter().map(|facet| format!("{} {}", facet.value, facet.count)).collect();
    assert_eq!(counts, ["APPROVED 1", "PAUSED 1", "REJECTED 2"]);
    // A listing keeps what it does not contradict; another status counts for all.
    cache.replace_listing("w", vec![known.clone()], asked_after(2, 9_000_000)).await.unwrap();
    assert_eq!(found("REJECTED", &["20"]).await, "promo");
    known.row.status = "PENDING".to_owned();
    known.record = r#"{"status":"PENDING"}"#.to_owned();
    cache.replace_listing("w", vec![known], asked_after(2, 9_000_001)).await.unwrap();
    assert_eq!(
        (found("REJECTED", &["20"]).await, found("PENDING", &["20"]).await),
        (String::new(), "promo".to_owned())
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_event_of_one_waba_keeps_the_statuses_of_the_others() {
    let dir = tempfile::tempdir().unwrap();
    let cache = Cache::open(&dir.path().join("cache.sqlite"));
    let mut known = template("1", "promo", "pt_BR", "REJECTED");
    known.row.wabas = ["10", "20"].map(str::to_owned).to_vec();
    known.row.channel_id = Some("77".to_owned());
    known.row.rejected_reason = Some("SCAM".to_owned());
    known.row.status_since = Some(Since { at: 500, exact: false });
    known.record = r#"{"status":"REJECTED","rejected_reason":"SCAM"}"#.to_owned();
    cache.upsert_template(known).await.unwrap();
    let row = async || cache.template("w", "1").await.unwrap().unwrap().row;
    cache.apply(LOG, 0, 1, vec![review_in(1, Some("10"), None, "APPROVED")]).await.unwrap();
    let found = row().await;
    assert_eq!((found.status.as_str(), found.rejected_reason.as_deref()), ("REJECTED", Some("SCAM")));
    assert_eq!(found.status_since, Some(Since { at: 500, exact: false }), "it is rejected in the other one as before");
    // Found by the channel's identifier, with an account that the template is not known to be in: it applies to all
    // accounts.
    cache.apply(LOG, 1, 2, vec![review_in(2, Some("99"), Some("77"), "APPROVED")]).await.unwrap();
    let found = row().await;
    assert_eq!((found.status.as_str(), found.rejected_reason), ("APPROVED", None));
    let of_wabas = cache.waba_statuses("w", "1").await.unwrap();
    assert!(of_wabas.iter().all(|of| of.waba != "99"), "{of_wabas:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_event_does_not_restore_an_omitted_template() {
    let dir = tempfile::tempdir().unwrap();
    let cache = Cache::open(&dir.path().join("cache.sqlite"));
    let archived = |is: bool| TemplatePatch { archived: Some(is), asked: asked(500), ..TemplatePatch::default() };
    let which = || TemplateMatch::Reference("1".to_owned());
    cache.upsert_template(template("1", "promo", "pt_BR", "APPROVED")).await.unwrap();
    cache.upsert_template(template("2", "other", "pt_BR", "APPROVED")).await.unwrap();
    cache.set_template_status("w", which(), archived(true)).await.unwrap();
    cache.replace_listing("w", vec![template("2", "other", "pt_BR", "APPROVED")], asked(1_000)).await.unwrap();
    let left_out = async || cache.omission("w", "1").await.unwrap().is_some();
    assert!(left_out().await, "archived templates are not removed");
    cache.apply(LOG, 0, 1, vec![review_in(1, Some("10"), None, "PAUSED")]).await.unwrap();
    assert!(left_out().await, "an event is not a listing");
    cache.set_template_status("w", which(), archived(false)).await.unwrap();
    assert!(!left_out().await, "an omission does not mean that it is not archived");
}

#[tokio::test(flavor = "multi_thread")]
async fn events_set_archive_state_category_and_quality() {
    let dir = tempfile::tempdir().unwrap();
    let cache = prepared(&dir.path().join("cache.sqlite")).await;
    let mut items = Vec::new();
    for (seq, effect) in [
        TemplateEffect { archived: Some(true), ..TemplateEffect::default() },
        TemplateEffect { category: Some("utility".to_owned()), ..TemplateEffect::default() },
        TemplateEffect { quality: Some("RED".to_owned()), ..TemplateEffect::default() },
    ]
    .into_iter()
    .enumerate()
    {
        let mut item = review(i64::try_from(seq).unwrap() + 1, "X", 5_000 + i64::try_from(seq).unwrap());
        // By the channel's identifier alone, of a template that has one.
        item.effect =
            Effect::Template(TemplateEffect { channel_id: Some("88".to_owned()), event: "X".to_owned(), ..effect });
        items.push(item);
    }
    let mut known = template("3", "other", "en", "APPROVED");
    known.row.channel_id = Some("88".to_owned());
    cache.upsert_template(known).await.unwrap();
    cache.apply(LOG, 0, 3, items).await.unwrap();
    let row = cache.template("w", "3").await.unwrap().unwrap().row;
    assert_eq!((row.status.as_str(), row.archived, row.category.as_str()), ("APPROVED", Some(true), "utility"));
    assert_eq!(row.quality.as_deref(), Some("RED"));
}
