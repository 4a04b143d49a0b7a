//! Listings that leave out known records have the same result as listings with all records.

use proptest::prelude::*;
use store::Cache;
use store::cache::{
    CachedTemplate, Change, Listing, ListingPage, ListingProgress, RequestMark, RequestTimes, TemplateMatch,
    TemplatePatch,
};

use super::projection::{LOG, review};
use crate::{runtime, template};

/// Status, WABA and body of a template in a listing; equal ones have equal records.
type Variant = (u8, usize, usize, usize);

const STATUSES: [&str; 3] = ["APPROVED", "PENDING", "REJECTED"];

#[derive(Clone, Debug)]
enum Step {
    /// A listing requested this long before it is applied, in pages of this size.
    List {
        templates: Vec<Variant>,
        age: i64,
        page: usize,
    },
    Event(usize),
    Patch(u8, usize),
    Answer(Variant, i64),
    Sent(u8),
    Remove(u8),
}

fn variant() -> impl Strategy<Value = Variant> {
    (0..4_u8, 0..3_usize, 0..2_usize, 0..2_usize)
}

fn step() -> impl Strategy<Value = Step> {
    // Mostly listings of the same few templates, so that many records are known.
    let same = prop::collection::vec((0..4_u8, 0..2_usize, Just(0), Just(0)), 0..5);
    let any = prop::collection::vec(variant(), 0..6);
    let list = (prop_oneof![3 => same, 1 => any], prop_oneof![4 => Just(0), 1 => 0..4_000_i64], 1..4_usize);
    prop_oneof![
        6 => list.prop_map(|(templates, age, page)| Step::List { templates, age, page }),
        1 => (0..3_usize).prop_map(Step::Event),
        1 => (0..4_u8, 0..3_usize).prop_map(|(reference, status)| Step::Patch(reference, status)),
        1 => (variant(), 0..4_000_i64).prop_map(|(template, age)| Step::Answer(template, age)),
        1 => (0..4_u8).prop_map(Step::Sent),
        1 => (0..4_u8).prop_map(Step::Remove),
    ]
}

fn listed((reference, status, waba, body): Variant, requested_at: i64) -> CachedTemplate {
    // The first one is the template of the events.
    let name = if reference == 0 { "promo".to_owned() } else { format!("name_{reference}") };
    let mut template = template(&reference.to_string(), &name, "pt_BR", STATUSES[status]);
    template.row.wabas = vec![["10", "11"][waba].to_owned()];
    template.row.asked = asked_at(requested_at);
    template.record = format!(
        r#"{{"uuid":"{reference}","status":"{}","waba":{waba},"components":[{{"type":"BODY","text":"Hello {body}"}}]}}"#,
        STATUSES[status]
    );
    template
}

/// A request among deliveries whose sequence numbers are instants.
const fn asked_at(at: i64) -> RequestMark {
    RequestMark { number: at, last_seq: at, at }
}

/// Applies a listing; `sparse` leaves out the known records. Returns the differences, and how many records it left out.
async fn list(
    cache: &Cache,
    templates: &[Variant],
    (requested_at, answered_at): (i64, i64),
    page: usize,
    sparse: bool,
) -> (Vec<Change>, usize) {
    let known = cache.known_records("w").await.unwrap();
    let mut progress = ListingProgress::new(known.clone());
    let mut changes = Vec::new();
    let mut left_out = 0;
    for templates in templates.chunks(page) {
        let templates: Vec<CachedTemplate> = templates.iter().map(|template| listed(*template, requested_at)).collect();
        let mut decoded = ListingPage::default();
        for template in &templates {
            let digest = model::listing::text_digest(&template.record);
            if sparse && known.contains(digest) {
                decoded.unchanged.push(digest);
            } else {
                decoded.templates.push(template.clone());
            }
        }
        left_out += decoded.unchanged.len();
        let times = RequestTimes { asked: asked_at(requested_at), answered_at };
        let (mut found, mut next) = cache.apply_listing_page("w", decoded, times, progress).await.unwrap();
        if found.is_none() {
            (found, next) = cache.apply_listing_page("w", templates.into(), times, next).await.unwrap();
        }
        progress = next;
        changes.extend(found.unwrap());
    }
    let listing = Listing { asked: asked_at(requested_at), has_total: true, ..Listing::default() };
    changes.extend(cache.finish_listing("w", listing, progress).await.unwrap().changes);
    // Some of them are in no order.
    changes.sort_by(|a, b| (&a.reference, &a.field, &a.after).cmp(&(&b.reference, &b.field, &b.after)));
    (changes, left_out)
}

async fn rows(cache: &Cache) -> Vec<CachedTemplate> {
    let mut rows = Vec::new();
    for reference in 0..4 {
        rows.extend(cache.template("w", &reference.to_string()).await.unwrap());
    }
    rows
}

/// Applies a step. Sequence numbers of deliveries are instants here; the last delivery before was `projected`.
async fn apply(cache: &Cache, step: &Step, now: i64, projected: i64, sparse: bool) -> Vec<Change> {
    match step {
        Step::List { templates, age, page } => list(cache, templates, (now - age, now), *page, sparse).await.0,
        Step::Event(status) => {
            let mut event = review(now, STATUSES[*status], now);
            event.received_at = now;
            cache.apply(LOG, projected, now, vec![event]).await.unwrap();
            Vec::new()
        }
        Step::Patch(reference, status) => {
            let patch = TemplatePatch {
                status: Some(STATUSES[*status].to_owned()),
                asked: asked_at(now),
                ..TemplatePatch::default()
            };
            cache.set_template_status("w", TemplateMatch::Reference(reference.to_string()), patch).await.unwrap();
            Vec::new()
        }
        Step::Answer(template, age) => cache.upsert_template(listed(*template, now - age)).await.unwrap(),
        Step::Sent(reference) => {
            cache.record_sent("w", &reference.to_string(), now).await.unwrap();
            Vec::new()
        }
        Step::Remove(reference) => {
            cache.remove_template("w", &reference.to_string()).await.unwrap();
            Vec::new()
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn known_records_change_no_result(steps in prop::collection::vec(step(), 1..20)) {
        runtime().block_on(async {
            let dir = tempfile::tempdir().unwrap();
            let sparse = Cache::open(&dir.path().join("sparse.sqlite"));
            let whole = Cache::open(&dir.path().join("whole.sqlite"));
            let mut projected = 0;
            for (number, step) in (1..).zip(&steps) {
                let now = 100_000 + number * 1_000;
                let found = apply(&sparse, step, now, projected, true).await;
                prop_assert_eq!(found, apply(&whole, step, now, projected, false).await, "after {:?}", step);
                prop_assert_eq!(rows(&sparse).await, rows(&whole).await, "after {:?}", step);
                let left_out = (sparse.left_out("w").await.unwrap(), whole.left_out("w").await.unwrap());
                prop_assert_eq!(left_out.0, left_out.1, "after {:?}", step);
                if matches!(step, Step::Event(_)) {
                    projected = now;
                }
            }
            Ok(())
        })?;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn unchanged_templates_are_left_out_until_they_change() {
    let dir = tempfile::tempdir().unwrap();
    let cache = Cache::open(&dir.path().join("cache.sqlite"));
    let templates: Vec<Variant> = (0..4).map(|reference| (reference, 0, 0, 0)).collect();
    let list = async |at: i64| list(&cache, &templates, (at, at), 2, true).await.1;
    assert_eq!(list(1_000).await, 0, "nothing is known yet");
    assert_eq!(list(2_000).await, 4);
    let patch = TemplatePatch { status: Some("PAUSED".to_owned()), asked: asked_at(3_000), ..TemplatePatch::default() };
    cache.set_template_status("w", TemplateMatch::Reference("1".to_owned()), patch).await.unwrap();
    assert_eq!(list(4_000).await, 3, "one has another status than its record");
    assert_eq!(cache.template("w", "1").await.unwrap().unwrap().row.status, "APPROVED");
    assert_eq!(list(5_000).await, 4);
    // A listing requested before a newer answer does not show that its record is current.
    let mut answer = listed((1, 1, 0, 1), 9_000);
    answer.row.status = "PENDING".to_owned();
    cache.upsert_template(answer).await.unwrap();
    assert_eq!(list(8_000).await, 3);
    assert_eq!(list(10_000).await, 3);
    assert_eq!(cache.template("w", "1").await.unwrap().unwrap().row.status, "APPROVED");
}

const TWO: [Variant; 2] = [(0, 0, 0, 0), (1, 0, 0, 0)];
/// The second listing.
const AGAIN: RequestTimes = RequestTimes { asked: asked_at(2_000), answered_at: 2_000 };

/// Lists [`TWO`] and returns the beginning of the next listing.
async fn listed_once(cache: &Cache) -> ListingProgress {
    list(cache, &TWO, (1_000, 1_000), 2, true).await;
    ListingProgress::new(cache.known_records("w").await.unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_without_a_record_that_is_needed_is_not_applied() {
    let dir = tempfile::tempdir().unwrap();
    let cache = Cache::open(&dir.path().join("cache.sqlite"));
    let progress = listed_once(&cache).await;
    let first = listed(TWO[0], 2_000);
    let digest = model::listing::text_digest(&first.record);
    let mut changed = listed((1, 1, 0, 0), 2_000);
    let page = |changed: &CachedTemplate| ListingPage { templates: vec![changed.clone()], unchanged: vec![digest] };

    // The page has another record of the template that it leaves out.
    changed.row.reference = "0".to_owned();
    let (changes, progress) = cache.apply_listing_page("w", page(&changed), AGAIN, progress).await.unwrap();
    assert_eq!(changes, None);
    // The template changes after the listing began.
    changed.row.reference = "1".to_owned();
    let patch = TemplatePatch { status: Some("PAUSED".to_owned()), asked: asked_at(1_500), ..TemplatePatch::default() };
    cache.set_template_status("w", TemplateMatch::Reference("0".to_owned()), patch).await.unwrap();
    let (changes, progress) = cache.apply_listing_page("w", page(&changed), AGAIN, progress).await.unwrap();
    assert_eq!(changes, None);
    let status = async |reference: &str| cache.template("w", reference).await.unwrap().unwrap().row.status;
    assert_eq!((status("0").await, status("1").await), ("PAUSED".to_owned(), "APPROVED".to_owned()));
    let (changes, _) = cache.apply_listing_page("w", vec![first, changed].into(), AGAIN, progress).await.unwrap();
    assert_eq!(changes.map(|changes| changes.len()), Some(2));
    assert_eq!((status("0").await, status("1").await), ("APPROVED".to_owned(), "PENDING".to_owned()));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_template_that_was_left_out_and_then_removed_does_not_come_back_with_its_second_record() {
    let dir = tempfile::tempdir().unwrap();
    let cache = Cache::open(&dir.path().join("cache.sqlite"));
    let progress = listed_once(&cache).await;
    let [first, second] = TWO.map(|template| listed(template, 2_000));
    let unchanged = vec![model::listing::text_digest(&second.record)];
    let page = ListingPage { templates: Vec::new(), unchanged };
    let (changes, progress) = cache.apply_listing_page("w", page, AGAIN, progress).await.unwrap();
    assert_eq!(changes, Some(Vec::new()));
    assert!(cache.remove_template("w", "1").await.unwrap());
    // Pages can shift, so that a record is on the next one too. A new template gets the number of the removed one.
    let new = listed((2, 0, 0, 0), 2_000);
    let page = vec![new, second, first].into();
    let (_, progress) = cache.apply_listing_page("w", page, AGAIN, progress).await.unwrap();
    let listing = Listing { asked: AGAIN.asked, list_path: "data".to_owned(), has_total: true };
    cache.finish_listing("w", listing, progress).await.unwrap();
    let mut references = cache.references("w").await.unwrap().into_iter().collect::<Vec<_>>();
    references.sort();
    assert_eq!(references, ["0", "2"]);
}
