//! Pages, facets and names, compared with a scan of every template.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use model::archival::ArchivalKind;
use proptest::prelude::Strategy as _;
use rusqlite::params_from_iter;
use rusqlite::trace::{TraceEvent, TraceEventCodes};
use rusqlite::types::Value;

use super::*;
use crate::cache::{SCHEMA, Since, TemplateSort, row};
use crate::connection;

thread_local! {
    static STATEMENTS: RefCell<BTreeSet<String>> = const { RefCell::new(BTreeSet::new()) };
}

fn note(event: TraceEvent<'_>) {
    if let TraceEvent::Profile(statement, _) = event {
        STATEMENTS.with_borrow_mut(|statements| statements.insert(statement.sql().into_owned()));
    }
}

const STATUSES: [&str; 3] = ["APPROVED", "PENDING", ""];
const CATEGORIES: [&str; 2] = ["marketing", "utility"];
const LANGUAGES: [&str; 3] = ["en_US", "es", "pt_BR"];
const KINDS: [&str; 2] = ["cloud_api", ""];
const BUSINESSES: [&str; 2] = ["b1", ""];
const QUALITIES: [&str; 3] = ["GREEN", "RED", ""];
const HEADERS: [&str; 2] = ["IMAGE", ""];
const WABAS: [&str; 3] = ["10", "11", ""];
const NAMES: [&str; 6] = ["order_update", "order_paid", "Ordem_já", "welcome", "a_b", "promo_order_77"];
const BODIES: [&str; 4] = ["Your order {{1}} is paid", "Olá, está a caminho", "", "order order 77"];
const TYPED: [&str; 12] =
    ["order", "ord", "ja", "OLÁ", "der_up", "paid order", "_", "b", "77", "order_paid", "your_order", "zzz"];

/// A template whose properties are the digits of a number.
fn template(reference: usize, number: usize) -> TemplateRow {
    let mut rest = number;
    let mut digit = |base: usize| {
        let digit = rest % base;
        rest /= base;
        digit
    };
    let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    let wabas: &[&str] = [&[][..], &["10"], &["11"], &["10", "11"]][digit(4)];
    TemplateRow {
        workspace_id: "w".to_owned(),
        reference: reference.to_string(),
        name: NAMES[digit(6)].to_owned(),
        language: LANGUAGES[digit(3)].to_owned(),
        status: STATUSES[digit(3)].to_owned(),
        category: CATEGORIES[digit(2)].to_owned(),
        kind: KINDS[digit(2)].to_owned(),
        business_id: some(BUSINESSES[digit(2)]),
        quality: some(QUALITIES[digit(3)]),
        header_format: some(HEADERS[digit(2)]),
        archived: [None, Some(false), Some(true)][digit(3)],
        carousel: digit(2) == 1,
        sample: digit(2) == 1,
        asked_category: some(["", "utility"][digit(2)]),
        shape: ["1", "2"][digit(2)].to_owned(),
        last_sent_at: [None, Some(10), Some(20)][digit(3)],
        status_since: [None, Some(10), Some(20)][digit(3)].map(|at| Since { at, exact: true }),
        archived_since: [None, Some(10), Some(20)][digit(3)].map(|at| Since { at, exact: at == 10 }),
        body_text: BODIES[digit(4)].to_owned(),
        updated_at: i64::try_from(digit(7)).unwrap(),
        wabas: wabas.iter().map(|waba| (*waba).to_owned()).collect(),
        ..TemplateRow::default()
    }
}

/// Selects some of the existing values.
fn filter(number: u64) -> TemplateFilter {
    let mut rest = number;
    let mut digit = |base: u64| {
        let digit = rest % base;
        rest /= base;
        usize::try_from(digit).unwrap()
    };
    let mut some_of = |values: &[&str]| -> Vec<String> {
        // Every second list has no filter.
        if digit(2) == 0 {
            return Vec::new();
        }
        let chosen = digit(1 << values.len()).max(1);
        let chosen = values.iter().enumerate().filter(|(position, _)| chosen & (1 << position) != 0);
        chosen.map(|(_, value)| (*value).to_owned()).collect()
    };
    let mut filter = TemplateFilter {
        workspace_id: "w".to_owned(),
        statuses: some_of(&STATUSES),
        categories: some_of(&CATEGORIES),
        languages: some_of(&LANGUAGES),
        kinds: some_of(&KINDS),
        businesses: some_of(&BUSINESSES),
        qualities: some_of(&QUALITIES),
        headers: some_of(&HEADERS),
        wabas: some_of(&WABAS),
        ..TemplateFilter::default()
    };
    let mut choice = || [None, None, Some(false), Some(true)][digit(4)];
    (filter.archived, filter.carousel) = (choice(), choice());
    (filter.samples, filter.category_changed) = (choice(), choice());
    filter.sent_since = [None, None, Some(10), Some(15)][digit(4)];
    filter.not_sent_since = [None, None, Some(15), Some(i64::MIN)][digit(4)];
    filter.waiting_before = [None, None, Some(10), Some(15)][digit(4)];
    filter.sort = [TemplateSort::Newest, TemplateSort::Name][digit(2)];
    filter.search = TYPED.get(digit(24)).map(|typed| (*typed).to_owned());
    filter.offset = u32::try_from(digit(9)).unwrap();
    filter.limit = 5;
    filter
}

/// Removes case and accents, only those that occur above.
fn plain(text: &str) -> String {
    text.to_lowercase().replace('á', "a")
}

fn finds(row: &TemplateRow, typed: &str) -> bool {
    let is_break = |c: char| !c.is_alphanumeric();
    let (name, typed) = (plain(&row.name), plain(typed));
    let begins = |text: &str, chunk: &str| {
        // Words are delimited by breaks, and several characters between two words count as one break.
        let tidy = |text: &str| text.split(is_break).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
        format!(" {}", tidy(text)).contains(&format!(" {}", tidy(chunk)))
    };
    let body = plain(&row.body_text);
    let chunks: Vec<&str> = typed.split(' ').collect();
    // One with an underscore is a part of the name.
    let (named, chunks): (Vec<&str>, Vec<&str>) =
        chunks.into_iter().partition(|chunk| chunk.contains('_') && !chunk.chars().all(is_break));
    if !named.iter().all(|chunk| name.contains(chunk)) {
        return false;
    }
    let worded: Vec<&&str> = chunks.iter().filter(|chunk| !chunk.chars().all(is_break)).collect();
    let by_words = !worded.is_empty() && worded.iter().all(|chunk| begins(&name, chunk) || begins(&body, chunk));
    let long = |chunk: &str| chunk.chars().count() >= 3 || chunk.chars().all(is_break);
    by_words || chunks.iter().all(|chunk| long(chunk) && name.contains(*chunk))
}

fn accepts(filter: &TemplateFilter, row: &TemplateRow) -> bool {
    let among = |values: &[String], own: &str| values.is_empty() || values.iter().any(|value| value == own);
    let is = |wanted: Option<bool>, own: bool| wanted.is_none_or(|wanted| wanted == own);
    let in_waba = |waba: &String| row.wabas.contains(waba) || (waba.is_empty() && row.wabas.is_empty());
    among(&filter.statuses, &row.status)
        && among(&filter.categories, &row.category)
        && among(&filter.languages, &row.language)
        && among(&filter.kinds, &row.kind)
        && among(&filter.businesses, row.business_id.as_deref().unwrap_or_default())
        && among(&filter.qualities, row.quality.as_deref().unwrap_or_default())
        && among(&filter.headers, row.header_format.as_deref().unwrap_or_default())
        && (filter.wabas.is_empty() || filter.wabas.iter().any(in_waba))
        && is(filter.archived, row.archived == Some(true))
        && is(filter.carousel, row.carousel)
        && is(filter.samples, row.sample)
        && is(filter.category_changed, row.asked_category.as_ref().is_some_and(|asked| *asked != row.category))
        && filter.sent_since.is_none_or(|since| row.last_sent_at.is_some_and(|at| at >= since))
        && filter.not_sent_since.is_none_or(|since| row.last_sent_at.is_none_or(|at| at < since))
        && filter.waiting_before.is_none_or(|before| {
            row.status == "PENDING"
                && row.archived != Some(true)
                && row.status_since.is_some_and(|since| since.at < before)
        })
        && filter.at_risk.is_none_or(|risk| match row.template_use().forecast() {
            Some(forecast) if forecast.kind == ArchivalKind::Archived => {
                forecast.archived_at.is_some_and(|at| at >= risk.archived_since)
            }
            Some(forecast) if forecast.kind == ArchivalKind::Coming => {
                forecast.last_activity.is_some_and(|at| at <= risk.used_until)
            }
            _ => false,
        })
        && filter.search.as_deref().is_none_or(|typed| finds(row, typed))
}

/// The expected page, found by a scan of every template.
fn expected(known: &BTreeMap<i64, TemplateRow>, filter: &TemplateFilter) -> (Vec<String>, u64) {
    let mut fitting: Vec<(&i64, &TemplateRow)> = known.iter().filter(|(_, row)| accepts(filter, row)).collect();
    match filter.sort {
        TemplateSort::Newest => fitting.sort_by_key(|(id, row)| std::cmp::Reverse((row.updated_at, **id))),
        TemplateSort::Name => fitting.sort_by_key(|(id, row)| (&row.name, &row.language, **id)),
    }
    let total = fitting.len() as u64;
    let page = fitting.into_iter().skip(filter.offset as usize).take(filter.limit as usize);
    (page.map(|(_, row)| row.reference.clone()).collect(), total)
}

fn expected_facets(known: &BTreeMap<i64, TemplateRow>, archived: Option<bool>) -> Facets {
    let counted: Vec<&TemplateRow> =
        known.values().filter(|row| archived.is_none_or(|wanted| (row.archived == Some(true)) == wanted)).collect();
    let by = |values: &dyn Fn(&TemplateRow) -> Vec<String>| {
        let mut counts: BTreeMap<String, u64> = BTreeMap::new();
        for value in counted.iter().flat_map(|row| values(row)) {
            *counts.entry(value).or_default() += 1;
        }
        counts.into_iter().map(|(value, count)| Facet { value, count }).collect()
    };
    let count = |is: &dyn Fn(&TemplateRow) -> bool| counted.iter().filter(|row| is(row)).count() as u64;
    Facets {
        statuses: by(&|row| vec![row.status.clone()]),
        categories: by(&|row| vec![row.category.clone()]),
        languages: by(&|row| vec![row.language.clone()]),
        wabas: by(&|row| row.wabas.clone()),
        businesses: by(&|row| vec![row.business_id.clone().unwrap_or_default()]),
        kinds: by(&|row| vec![row.kind.clone()]),
        qualities: by(&|row| vec![row.quality.clone().unwrap_or_default()]),
        headers: by(&|row| vec![row.header_format.clone().unwrap_or_default()]),
        carousels: count(&|row| row.carousel),
        category_changed: count(&TemplateRow::is_category_changed),
        samples: count(&|row| row.sample),
        archived: known.values().filter(|row| row.archived == Some(true)).count() as u64,
        total: known.len() as u64,
    }
}

fn expected_names(known: &BTreeMap<i64, TemplateRow>, filter: &NameFilter) -> (Vec<Vec<String>>, u64) {
    let names: BTreeSet<&str> =
        known.values().filter(|row| accepts(&filter.templates, row)).map(|row| row.name.as_str()).collect();
    let shown = TemplateFilter {
        languages: filter.templates.languages.clone(),
        wabas: filter.templates.wabas.clone(),
        businesses: filter.templates.businesses.clone(),
        ..TemplateFilter::default()
    };
    let mut columns: BTreeSet<&str> = filter.templates.languages.iter().map(String::as_str).collect();
    let mut groups: Vec<Vec<(&str, i64, &TemplateRow)>> = Vec::new();
    for name in names {
        let group = known.iter().filter(|(_, row)| row.name == name && accepts(&shown, row));
        let mut group: Vec<_> = group.map(|(id, row)| (row.language.as_str(), *id, row)).collect();
        group.sort_by_key(|(language, id, _)| (*language, *id));
        columns.extend(group.iter().map(|(language, ..)| *language));
        groups.push(group);
    }
    groups.retain(|group| {
        let languages_of_name: BTreeSet<&str> = group.iter().map(|(language, ..)| *language).collect();
        let shapes: BTreeSet<&str> = group.iter().map(|(.., row)| row.shape.as_str()).collect();
        (!filter.incomplete || languages_of_name.len() < columns.len()) && (!filter.different || shapes.len() > 1)
    });
    let total = groups.len() as u64;
    let page = groups.into_iter().skip(filter.templates.offset as usize).take(filter.templates.limit as usize);
    (page.map(|group| group.into_iter().map(|(.., row)| row.reference.clone()).collect()).collect(), total)
}

/// A change between two queries.
#[derive(Clone, Debug)]
enum Step {
    Add(usize),
    Change(usize, usize),
    Remove(usize),
    Look(u64),
}

fn steps() -> impl proptest::strategy::Strategy<Value = Vec<Step>> {
    let step = proptest::prop_oneof![
        4 => (0..usize::MAX / 2).prop_map(Step::Add),
        2 => (0..64_usize, 0..usize::MAX / 2).prop_map(|(which, number)| Step::Change(which, number)),
        1 => (0..64_usize).prop_map(Step::Remove),
        4 => proptest::prelude::any::<u64>().prop_map(Step::Look),
    ];
    proptest::collection::vec(step, 1..60)
}

#[test]
fn every_page_equals_a_full_scan() {
    let config = proptest::test_runner::Config { cases: 400, failure_persistence: None, ..Default::default() };
    proptest::proptest!(config, |(steps in steps())| {
        let c = connection::open_in_memory(&SCHEMA).unwrap();
        let index = Mutex::default();
        let mut known: BTreeMap<i64, TemplateRow> = BTreeMap::new();
        let mut references = 0;
        for step in steps {
            let nth = |known: &BTreeMap<i64, TemplateRow>, which: usize| known.keys().nth(which % known.len().max(1)).copied();
            match step {
                Step::Add(number) => {
                    references += 1;
                    let added = template(references, number);
                    known.insert(row::insert(&c, &added, "{}").unwrap(), added);
                }
                Step::Change(which, number) => {
                    let Some(id) = nth(&known, which) else { continue };
                    let old = &known[&id];
                    let new = template(old.reference.parse().unwrap(), number);
                    row::rewrite(&c, id, (old, "{}"), (&new, "{}")).unwrap();
                    known.insert(id, new);
                }
                Step::Remove(which) => {
                    let Some(id) = nth(&known, which) else { continue };
                    row::remove(&c, id).unwrap();
                    known.remove(&id);
                }
                Step::Look(number) => {
                    let filter = filter(number);
                    let (rows, total) = expected(&known, &filter);
                    for _ in 0..2 {
                        let page = page(&c, &index, &filter).unwrap();
                        let found: Vec<String> = page.rows.into_iter().map(|row| row.reference).collect();
                        assert_eq!((&found, page.total), (&rows, total), "{filter:?}");
                    }
                    let facets = lock(&index).facets(filter.archived);
                    assert_eq!(facets, expected_facets(&known, filter.archived));
                    let filter =
                        NameFilter { templates: filter, incomplete: number % 3 == 0, different: number % 5 == 0 };
                    let found = names(&c, &index, &filter).unwrap();
                    let shown = found.names.iter().map(|name| name.iter().map(|row| row.reference.clone()).collect());
                    let shown: Vec<Vec<String>> = shown.collect();
                    assert_eq!((shown, found.total), expected_names(&known, &filter), "{filter:?}");
                }
            }
        }
    });
}

#[test]
fn every_statement_of_every_list_uses_an_index() {
    let mut c = connection::open_in_memory(&SCHEMA).unwrap();
    for number in 0..500 {
        row::insert(&c, &template(number, number * 7_919), "{}").unwrap();
    }
    c.trace_v2(TraceEventCodes::SQLITE_TRACE_PROFILE, Some(note)).unwrap();
    let index = Mutex::default();
    for number in 0..200_u64 {
        let templates = filter(number.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        page(&c, &index, &templates).unwrap();
        names(&c, &index, &NameFilter { templates, incomplete: number % 2 == 0, different: false }).unwrap();
    }
    c.trace_v2(TraceEventCodes::empty(), None::<fn(TraceEvent<'_>)>).unwrap();
    let statements = STATEMENTS.take();
    assert!(statements.iter().any(|sql| sql.contains("FROM template WHERE workspace_id")), "{statements:#?}");
    for sql in &statements {
        let mut explained = c.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
        let parameters = vec![Value::Null; explained.parameter_count()];
        let plan: Vec<String> = explained
            .query_map(params_from_iter(parameters), |row| row.get("detail"))
            .unwrap()
            .collect::<Result<_, _>>()
            .unwrap();
        for step in plan {
            // The clock is a single row.
            let scans = step.starts_with("SCAN") && !step.ends_with("template_clock");
            assert!(!scans && !step.contains("TEMP B-TREE"), "{step} of {sql}");
        }
    }
}

#[test]
fn a_replaced_file_rebuilds_the_index() {
    let (first, second) = (connection::open_in_memory(&SCHEMA).unwrap(), connection::open_in_memory(&SCHEMA).unwrap());
    for number in 0..3 {
        row::insert(&first, &template(number, number), "{}").unwrap();
    }
    row::insert(&second, &template(9, 9), "{}").unwrap();
    let index = Mutex::default();
    let all = TemplateFilter { workspace_id: "w".to_owned(), limit: 10, ..TemplateFilter::default() };
    assert_eq!(page(&first, &index, &all).unwrap().total, 3);
    assert_eq!(page(&second, &index, &all).unwrap().rows[0].reference, "9");
    assert_eq!(page(&first, &index, &all).unwrap().total, 3);
}
