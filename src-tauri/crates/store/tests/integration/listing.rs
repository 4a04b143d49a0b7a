//! Lists of templates: filters, orders, pages, facets, differences.

use std::collections::HashSet;
use std::time::Instant;

use store::Cache;
use store::cache::{
    CachedTemplate, Change, Facet, Listing, ListingProgress, Omission, RequestTimes, TemplateFilter, TemplateMatch,
    TemplatePatch, TemplateRow, TemplateSort,
};

use crate::{asked, template};

fn all() -> TemplateFilter {
    TemplateFilter { workspace_id: "w".to_owned(), limit: 100, ..TemplateFilter::default() }
}

fn change(reference: &str, field: &str, before: Option<&str>, after: Option<&str>) -> Change {
    Change {
        reference: reference.to_owned(),
        field: field.to_owned(),
        before: before.map(str::to_owned),
        after: after.map(str::to_owned),
        ..Change::default()
    }
}

/// Removes `since` and `records` from differences, to compare them separately.
fn reported(changes: &mut [Change]) -> Vec<(Option<i64>, bool)> {
    changes.iter_mut().map(|change| (change.since.take(), change.records.take().is_some())).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_listing_replaces_the_previous_one_and_returns_differences() {
    let dir = tempfile::tempdir().unwrap();
    let cache = Cache::open(&dir.path().join("cache.sqlite"));
    assert_eq!(cache.listed_at("w").await.unwrap(), None);
    let kept = template("1", "kept", "pt_BR", "PENDING");
    let gone = template("2", "gone", "pt_BR", "APPROVED");
    let changes = cache.replace_listing("w", vec![kept.clone(), gone.clone(), kept.clone()], asked(100)).await.unwrap();
    assert_eq!(
        changes,
        [change("1", "added", None, None), change("2", "added", None, None)],
        "the repeated row counts once"
    );
    assert_eq!(cache.listed_at("w").await.unwrap(), Some(100));
    let first = cache.template("w", "1").await.unwrap().unwrap().row;
    assert_eq!(first.updated_at, 0, "when it last changed is not known");

    let mut changed = kept.clone();
    changed.row.status = "APPROVED".to_owned();
    changed.row.category = "utility".to_owned();
    changed.row.quality = Some("GREEN".to_owned());
    changed.row.wabas = vec!["10".to_owned(), "11".to_owned()];
    changed.record = r#"{"uuid":"1","components":[{"type":"BODY","text":"Bye"}],"other":1}"#.to_owned();
    let new = template("3", "new", "en_US", "PENDING");
    let mut changes = cache.replace_listing("w", vec![changed.clone(), new.clone()], asked(200)).await.unwrap();
    assert!(
        reported(&mut changes).iter().all(|(since, _)| *since == Some(100)),
        "when the previous listing was requested"
    );
    assert_eq!(
        changes,
        [
            change("1", "status", Some("PENDING"), Some("APPROVED")),
            change("1", "category", Some("marketing"), Some("utility")),
            change("1", "quality", None, Some("GREEN")),
            change("1", "waba_ids", Some("10"), Some("10, 11")),
            change(
                "1",
                "components",
                Some(r#"[{"type":"BODY","text":"Hello {{1}}"}]"#),
                Some(r#"[{"type":"BODY","text":"Bye"}]"#)
            ),
            change("3", "added", None, Some(&new.record)),
        ]
    );
    let found = cache.template("w", "1").await.unwrap().unwrap();
    assert_eq!(found.record, changed.record);
    assert_eq!((found.row.updated_at, found.row.asked.at), (200, 200), "changed when the change was observed");

    let mut changes = cache.replace_listing("w", vec![changed, new], asked(300)).await.unwrap();
    assert_eq!(reported(&mut changes), [(Some(100), false)], "when it was last listed");
    assert_eq!(changes, [change("2", "removed", Some(&gone.record), None)], "another listing confirms it");
    assert_eq!(cache.template("w", "2").await.unwrap(), None);
    let found = cache.template("w", "1").await.unwrap().unwrap();
    assert_eq!((found.row.updated_at, found.row.asked.at), (200, 300), "unchanged in the next listing");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_older_answer_does_not_overwrite_a_newer_one() {
    let dir = tempfile::tempdir().unwrap();
    let cache = Cache::open(&dir.path().join("cache.sqlite"));
    let seen = |mut template: CachedTemplate, at| {
        template.row.asked = asked(at);
        template
    };
    cache.upsert_template(seen(template("1", "a", "en", "APPROVED"), 200)).await.unwrap();
    let changes = cache.upsert_template(seen(template("1", "a", "en", "PENDING"), 100)).await.unwrap();
    assert_eq!(changes, []);
    // Created after the listing was requested: the listing cannot contain it.
    let changes = cache.replace_listing("w", vec![], asked(150)).await.unwrap();
    assert_eq!(changes, []);
    assert_eq!(cache.template("w", "1").await.unwrap().unwrap().row.status, "APPROVED");
    assert_eq!(cache.replace_listing("w", vec![], asked(250)).await.unwrap(), []);
    assert_eq!(cache.replace_listing("w", vec![], asked(260)).await.unwrap().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_template_that_one_listing_omits_is_missing_and_not_removed() {
    let dir = tempfile::tempdir().unwrap();
    let cache = Cache::open(&dir.path().join("cache.sqlite"));
    let [one, two] = ["1", "2"].map(|reference| template(reference, reference, "en", "APPROVED"));
    let row = async || cache.template("w", "2").await.unwrap().unwrap().row;
    cache.replace_listing("w", vec![one.clone(), two.clone()], asked(100)).await.unwrap();
    assert_eq!(cache.replace_listing("w", vec![one.clone()], asked(200)).await.unwrap(), []);
    let missing = row().await;
    assert_eq!((missing.missing_since, missing.asked.at), (Some(200), 100));
    assert_eq!(cache.listed_at("w").await.unwrap(), Some(200), "the listing counts");
    assert_eq!(cache.left_out("w").await.unwrap(), 0, "it has not collapsed");
    assert_eq!(cache.omission("w", "2").await.unwrap(), Some(Omission::Listing));
    // It is listed again, as it was.
    assert_eq!(cache.replace_listing("w", vec![one.clone(), two], asked(300)).await.unwrap(), []);
    assert_eq!((row().await.missing_since, cache.omission("w", "2").await.unwrap()), (None, None));
    // A template whose deletion was reported needs no second listing.
    let patch = TemplatePatch { status: Some("DELETED".to_owned()), asked: asked(310), ..TemplatePatch::default() };
    cache.set_template_status("w", TemplateMatch::Reference("2".to_owned()), patch).await.unwrap();
    assert_eq!(cache.replace_listing("w", vec![one], asked(400)).await.unwrap().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_difference_is_later_than_the_last_listing_that_contained_the_template() {
    let dir = tempfile::tempdir().unwrap();
    let cache = Cache::open(&dir.path().join("cache.sqlite"));
    let [one, two] = ["1", "2"].map(|reference| template(reference, reference, "en", "APPROVED"));
    for at in [100, 200, 300] {
        cache.replace_listing("w", vec![one.clone(), two.clone()], asked(at)).await.unwrap();
    }
    cache.replace_listing("w", vec![one.clone()], asked(400)).await.unwrap();
    assert_eq!(cache.template("w", "2").await.unwrap().unwrap().row.asked.at, 300);
    let removed = cache.replace_listing("w", vec![one.clone()], asked(500)).await.unwrap();
    assert_eq!((removed.len(), removed[0].field.as_str(), removed[0].since), (1, "removed", Some(300)));

    // It was missing for one listing, and has changed when it is back.
    cache.replace_listing("w", vec![two.clone()], asked(600)).await.unwrap();
    let mut changed = one;
    changed.row.status = "PAUSED".to_owned();
    let changes = cache.replace_listing("w", vec![changed, two], asked(700)).await.unwrap();
    assert_eq!((changes.len(), changes[0].field.as_str(), changes[0].since), (1, "status", Some(500)));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_listing_that_does_not_count_removes_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let cache = Cache::open(&dir.path().join("cache.sqlite"));
    let [one, two] = ["1", "2"].map(|reference| template(reference, reference, "en", "APPROVED"));
    let list = async |at: i64, templates: Vec<CachedTemplate>| {
        let times = RequestTimes { asked: asked(at), answered_at: at };
        let progress = ListingProgress::new(cache.known_records("w").await.unwrap());
        let (_, progress) = cache.apply_listing_page("w", templates.into(), times, progress).await.unwrap();
        let listing = Listing { asked: times.asked, ..Listing::default() };
        let finished = cache.finish_listing("w", listing, progress).await.unwrap();
        let removed: Vec<String> = finished.changes.into_iter().map(|change| change.reference).collect();
        (removed, finished.kept)
    };
    list(100, vec![one.clone(), two.clone()]).await;
    assert_eq!(list(200, vec![one.clone()]).await, (vec![], 0));
    // Empty: the template that was missing before is kept too.
    assert_eq!(list(300, vec![]).await, (vec![], 2));
    assert_eq!(cache.listed_at("w").await.unwrap(), Some(200));
    assert_eq!(list(400, vec![one.clone(), two.clone()]).await, (vec![], 0));
    // A second empty listing confirms the first.
    assert_eq!(list(500, vec![one]).await, (vec![], 0));
    assert_eq!(list(600, vec![]).await, (vec![], 2));
    assert_eq!(list(700, vec![]).await, (vec!["1".to_owned(), "2".to_owned()], 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn answers_patch_the_templates_they_identify() {
    let dir = tempfile::tempdir().unwrap();
    let cache = Cache::open(&dir.path().join("cache.sqlite"));
    let mut first = template("1", "a", "pt_BR", "APPROVED");
    first.row.channel_id = Some("77".to_owned());
    cache.replace_listing("w", vec![first, template("2", "a", "en_US", "APPROVED")], asked(100)).await.unwrap();
    let archive = TemplatePatch { archived: Some(true), asked: asked(110), ..TemplatePatch::default() };
    let by_name = TemplateMatch::Name { name: "a".to_owned(), language: "PT-br".to_owned() };
    assert_eq!(cache.set_template_status("w", by_name.clone(), archive.clone()).await.unwrap(), ["1"]);
    assert!(cache.set_template_status("w", by_name, archive).await.unwrap().is_empty(), "nothing differs");
    let pause = TemplatePatch { status: Some("PAUSED".to_owned()), asked: asked(120), ..TemplatePatch::default() };
    let by_id = TemplateMatch::ChannelId("77".to_owned());
    assert_eq!(cache.set_template_status("w", by_id.clone(), pause.clone()).await.unwrap(), ["1"]);
    let by_reference = TemplateMatch::Reference("2".to_owned());
    assert_eq!(cache.set_template_status("w", by_reference, pause.clone()).await.unwrap(), ["2"]);
    assert!(cache.set_template_status("other", by_id.clone(), pause).await.unwrap().is_empty());
    let row = cache.find_templates("w", by_id).await.unwrap().remove(0).row;
    assert_eq!((row.status.as_str(), row.archived, row.updated_at), ("PAUSED", Some(true), 120));
    assert_eq!(
        cache.languages_of("w", "a").await.unwrap().iter().map(|row| row.language.as_str()).collect::<Vec<_>>(),
        ["en_US", "pt_BR"]
    );
    assert!(cache.remove_template("w", "1").await.unwrap());
    assert!(!cache.remove_template("w", "1").await.unwrap());
    assert_eq!(cache.facets("w", None).await.unwrap().total, 1);
    cache.remove_workspace("w").await.unwrap();
    assert_eq!(cache.facets("w", None).await.unwrap().total, 0);
    assert_eq!(cache.listed_at("w").await.unwrap(), None);
    assert!(cache.templates(all()).await.unwrap().rows.is_empty());
}

/// A small data set with different values for every filter.
fn population() -> Vec<CachedTemplate> {
    (0..120)
        .map(|number: i64| {
            let status = ["APPROVED", "PENDING", "REJECTED"][usize::try_from(number % 3).unwrap()];
            let language = ["pt_BR", "en_US"][usize::try_from(number % 2).unwrap()];
            let mut template =
                template(&format!("r{number}"), &format!("name_{:03}", (number * 37) % 120), language, status);
            template.row.category = ["marketing", "utility"][usize::from(number % 5 == 0)].to_owned();
            template.row.kind = ["cloud_api", "marketing_lite"][usize::from(number % 7 == 0)].to_owned();
            template.row.archived = Some(number % 11 == 0);
            template.row.wabas = match number % 4 {
                0 => vec!["10".to_owned(), "11".to_owned()],
                1 => vec![],
                _ => vec!["10".to_owned()],
            };
            // Equal instants: the order must still be total.
            template.row.updated_at = 1 + number / 10;
            template
        })
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_filter_in_every_order_pages_through_all_matches() {
    let dir = tempfile::tempdir().unwrap();
    let cache = Cache::open(&dir.path().join("cache.sqlite"));
    let population = population();
    cache.replace_listing("w", population.clone(), asked(100)).await.unwrap();
    // Another workspace is not affected.
    cache.replace_listing("other", population.clone(), asked(100)).await.unwrap();
    let options = |value: &str| [vec![], vec![value.to_owned()]];
    for statuses in options("PENDING").into_iter().chain([vec!["PENDING".to_owned(), "REJECTED".to_owned()]]) {
        for categories in options("utility") {
            for languages in options("en_US") {
                for kinds in options("marketing_lite") {
                    for wabas in options("11").into_iter().chain(options("")) {
                        for archived in [None, Some(false), Some(true)] {
                            for search in [None, Some("name".to_owned()), Some("_0".to_owned())] {
                                for sort in [TemplateSort::Newest, TemplateSort::Name] {
                                    let filter = TemplateFilter {
                                        workspace_id: "w".to_owned(),
                                        search: search.clone(),
                                        statuses: statuses.clone(),
                                        categories: categories.clone(),
                                        languages: languages.clone(),
                                        kinds: kinds.clone(),
                                        wabas: wabas.clone(),
                                        archived,
                                        sort,
                                        limit: 9,
                                        ..TemplateFilter::default()
                                    };
                                    check_pages(&cache, &population, filter).await;
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

async fn check_pages(cache: &Cache, population: &[CachedTemplate], filter: TemplateFilter) {
    let accepts = |expected: &[String], found: &str| expected.is_empty() || expected.iter().any(|one| one == found);
    let mut expected: Vec<&TemplateRow> = population
        .iter()
        .map(|template| &template.row)
        .filter(|row| {
            let in_waba = |waba: &String| row.wabas.contains(waba) || (waba.is_empty() && row.wabas.is_empty());
            accepts(&filter.statuses, &row.status)
                && accepts(&filter.categories, &row.category)
                && accepts(&filter.languages, &row.language)
                && accepts(&filter.kinds, &row.kind)
                && (filter.wabas.is_empty() || filter.wabas.iter().any(in_waba))
                && filter.archived.is_none_or(|archived| row.archived == Some(archived))
                // "_0" is the word "0": the prefix of 000 to 099.
                && (filter.search.as_deref() != Some("_0") || row.name.as_str() < "name_100")
        })
        .collect();
    let mut found = Vec::new();
    let mut filter = filter;
    loop {
        let page = cache.templates(filter.clone()).await.unwrap();
        assert_eq!(page.total, expected.len() as u64, "{filter:?}");
        assert!(page.rows.len() <= 9);
        if page.rows.is_empty() {
            break;
        }
        filter.offset += u32::try_from(page.rows.len()).unwrap();
        found.extend(page.rows);
    }
    match filter.sort {
        TemplateSort::Newest => assert!(found.is_sorted_by(|a, b| a.updated_at >= b.updated_at), "{filter:?}"),
        TemplateSort::Name => {
            assert!(found.is_sorted_by(|a, b| (&a.name, &a.language) <= (&b.name, &b.language)), "{filter:?}");
        }
    }
    let by_reference = |row: &TemplateRow| row.reference.clone();
    let mut found: Vec<_> = found.iter().map(by_reference).collect();
    expected.sort_by_key(|row| row.reference.clone());
    found.sort();
    assert_eq!(found, expected.into_iter().map(by_reference).collect::<Vec<_>>(), "{filter:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn facets_are_updated_with_every_change() {
    let dir = tempfile::tempdir().unwrap();
    let cache = Cache::open(&dir.path().join("cache.sqlite"));
    let facet = |value: &str, count| Facet { value: value.to_owned(), count };
    cache.replace_listing("w", population(), asked(100)).await.unwrap();
    let facets = cache.facets("w", None).await.unwrap();
    assert_eq!(facets.statuses, [facet("APPROVED", 40), facet("PENDING", 40), facet("REJECTED", 40)]);
    assert_eq!(facets.categories, [facet("marketing", 96), facet("utility", 24)]);
    assert_eq!(facets.languages, [facet("en_US", 60), facet("pt_BR", 60)]);
    assert_eq!(facets.kinds, [facet("cloud_api", 102), facet("marketing_lite", 18)]);
    assert_eq!(facets.wabas, [facet("10", 90), facet("11", 30)]);
    assert_eq!((facets.archived, facets.total), (11, 120));
    let active = cache.facets("w", Some(false)).await.unwrap();
    assert_eq!(active.statuses.iter().map(|facet| facet.count).sum::<u64>(), 109);
    assert_eq!((active.archived, active.total), (11, 120));
    for at in [200, 300] {
        let few = population().into_iter().take(3).collect();
        cache.replace_listing("w", few, asked(at)).await.unwrap();
    }
    let facets = cache.facets("w", Some(false)).await.unwrap();
    assert_eq!(facets.statuses, [facet("PENDING", 1), facet("REJECTED", 1)]);
    assert_eq!((facets.archived, facets.total), (11, 13), "archived templates remain");
}

#[tokio::test(flavor = "multi_thread")]
async fn ten_thousand_templates_are_listed_quickly() {
    let dir = tempfile::tempdir().unwrap();
    let cache = Cache::open(&dir.path().join("cache.sqlite"));
    let templates: Vec<_> = (0..10_000)
        .map(|number: i64| {
            let status = ["APPROVED", "PENDING"][usize::from(number % 10 == 0)];
            let mut template = template(&format!("r{number}"), &format!("order_{number:05}"), "pt_BR", status);
            template.row.updated_at = number + 1;
            template.row.body_text = format!("Order {number} of {} is on its way", number % 97);
            template
        })
        .collect();
    let started = Instant::now();
    assert_eq!(cache.replace_listing("w", templates.clone(), asked(20_000)).await.unwrap().len(), 10_000);
    let filled = started.elapsed();
    let started = Instant::now();
    assert!(cache.replace_listing("w", templates, asked(30_000)).await.unwrap().is_empty());
    let compared = started.elapsed();
    let mut slowest = std::time::Duration::ZERO;
    let mut seen = HashSet::new();
    let mut filter = TemplateFilter { limit: 500, ..all() };
    loop {
        let started = Instant::now();
        let page = cache.templates(filter.clone()).await.unwrap();
        slowest = slowest.max(started.elapsed());
        assert_eq!(page.total, 10_000);
        assert!(page.rows.iter().all(|row| seen.insert(row.reference.clone())));
        if page.rows.is_empty() {
            break;
        }
        filter.offset += 500;
    }
    assert_eq!(seen.len(), 10_000);
    let mut searches = Vec::new();
    for typed in ["o", "or", "order", "order_09", "9", "der_0123", "way 96", "zzz"] {
        let started = Instant::now();
        let page =
            cache.templates(TemplateFilter { search: Some(typed.to_owned()), limit: 50, ..all() }).await.unwrap();
        searches.push((typed, page.rows.len(), started.elapsed()));
    }
    // Timings for information; a busy machine must not fail the test.
    println!("filled in {filled:?}, compared in {compared:?}, slowest page of 500 {slowest:?}, searches {searches:?}");
    assert_eq!(searches.iter().map(|(_, rows, _)| *rows).collect::<Vec<_>>(), [50, 50, 50, 50, 50, 10, 50, 0]);
}
