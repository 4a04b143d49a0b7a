#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::cell::RefCell;
use std::collections::HashMap;

use rusqlite::StatementStatus;
use rusqlite::trace::{TraceEvent, TraceEventCodes};

use super::*;
use crate::cache::{SCHEMA, row};
use crate::connection;

const TEMPLATES: i64 = 20_000;
const PAGE: u32 = 50;

/// What the statements of one page did, each from its preparation on.
#[derive(Debug, Default)]
struct Work {
    steps: HashMap<String, i32>,
    scans: i32,
    sorts: i32,
}

thread_local! {
    static WORK: RefCell<Work> = RefCell::default();
}

fn note(event: TraceEvent<'_>) {
    // What a full-text table asks of its own tables is its own affair.
    if let TraceEvent::Profile(statement, _) = event
        && !statement.sql().contains("'main'.")
    {
        WORK.with_borrow_mut(|work| {
            work.steps.insert(statement.sql().into_owned(), statement.get_status(StatementStatus::VmStep));
            work.scans += statement.get_status(StatementStatus::FullscanStep);
            work.sorts += statement.get_status(StatementStatus::Sort);
            work.scans += statement.get_status(StatementStatus::AutoIndex);
        });
    }
}

/// A page, and what it cost.
fn measured(c: &Connection, filter: &TemplateFilter) -> (TemplatePage, Work) {
    // Statements count from their preparation on.
    c.flush_prepared_statement_cache();
    WORK.take();
    let page = page(c, filter).unwrap();
    (page, WORK.take())
}

/// One value in a thousand, or the other.
fn skewed(number: i64, salt: i64) -> &'static str {
    if (number * 7_919 + salt * 104_729) % 1_000 == 0 { "rare" } else { "common" }
}

/// Properties that have nothing to do with the order, and one, the language, whose rare value is at its end alone.
fn populated(templates: i64) -> Connection {
    let mut c = connection::open_in_memory(&SCHEMA).unwrap();
    let transaction = c.unchecked_transaction().unwrap();
    for number in 0..templates {
        let row = TemplateRow {
            workspace_id: "w".to_owned(),
            reference: number.to_string(),
            name: format!("order_{:05}", (number * 12_347) % templates),
            language: if number < 20 { "rare" } else { "common" }.to_owned(),
            status: skewed(number, 1).to_owned(),
            category: skewed(number, 2).to_owned(),
            kind: skewed(number, 3).to_owned(),
            archived: skewed(number, 4) == "rare",
            wabas: vec![skewed(number, 5).to_owned()],
            body_text: "An order is on its way".to_owned(),
            updated_at: number,
            ..TemplateRow::default()
        };
        row::insert(&c, &row, "{}").unwrap();
    }
    transaction.commit().unwrap();
    c.trace_v2(TraceEventCodes::SQLITE_TRACE_PROFILE, Some(note)).unwrap();
    c
}

/// Every combination of filters, each absent, rare, common or of no template.
fn filters(searches: &[Option<&str>]) -> Vec<TemplateFilter> {
    let mut filters = vec![TemplateFilter { workspace_id: "w".to_owned(), limit: PAGE, ..TemplateFilter::default() }];
    let values = [None, Some("rare"), Some("common"), Some("none")].map(|value| value.map(str::to_owned));
    let mut each = |set: &dyn Fn(&mut TemplateFilter, usize), choices: usize| {
        filters = filters
            .iter()
            .flat_map(|filter| {
                (0..choices).map(move |choice| {
                    let mut filter = filter.clone();
                    set(&mut filter, choice);
                    filter
                })
            })
            .collect();
    };
    each(&|filter, choice| filter.status.clone_from(&values[choice]), 4);
    each(&|filter, choice| filter.category.clone_from(&values[choice]), 3);
    each(&|filter, choice| filter.language.clone_from(&values[choice]), 3);
    each(&|filter, choice| filter.kind.clone_from(&values[choice]), 3);
    each(&|filter, choice| filter.waba.clone_from(&values[choice]), 3);
    each(&|filter, choice| filter.archived = [None, Some(false), Some(true)][choice], 3);
    each(&|filter, choice| filter.sort = [TemplateSort::Newest, TemplateSort::Name][choice], 2);
    each(&|filter, choice| filter.search = searches[choice].map(str::to_owned), searches.len());
    filters
}

/// Somewhere in the middle of either order.
fn middle(sort: TemplateSort) -> String {
    match sort {
        TemplateSort::Newest => Place::Newest(Reverse((TEMPLATES / 2) << 21)),
        TemplateSort::Name => Place::Named(format!("order_{:05}", TEMPLATES / 2), String::new(), 0),
    }
    .cursor()
}

#[test]
fn no_page_costs_more_than_its_size_however_many_templates_there_are() {
    let c = populated(TEMPLATES);
    pages_by_any_filters(&c);
    searches_by_the_newest(&c);
}

fn pages_by_any_filters(c: &Connection) {
    let combinations: i64 = c
        .query_row("SELECT count(*) FROM tally WHERE waba_id = '' AND one_language = 0", [], |row| row.get(0))
        .unwrap();
    let bound = 100 * (i64::from(PAGE) + combinations);
    assert!(bound < TEMPLATES / 3, "{bound} steps are no bound at all");
    let filters = filters(&[None]);
    assert_eq!(filters.len(), 4 * 3_usize.pow(5) * 2);
    let (mut full, mut empty, mut most) = (0, 0, 0);
    for first in filters {
        let middle = TemplateFilter { after: Some(middle(first.sort)), ..first.clone() };
        for filter in [first, middle] {
            let (page, work) = measured(c, &filter);
            let steps: i64 = work.steps.values().copied().map(i64::from).sum();
            assert!(steps <= bound, "{steps} steps for {filter:?}: {work:#?}");
            assert_eq!((work.scans, work.sorts), (0, 0), "{filter:?}: {work:#?}");
            full += i32::from(page.next.is_some());
            empty += i32::from(page.rows.is_empty());
            most = most.max(steps);
        }
    }
    println!("most steps of a page: {most} of {bound}");
    assert!(full > 100 && empty > 100, "{full} full pages, {empty} empty ones");
}

#[test]
fn every_statement_of_every_page_and_search_walks_an_index() {
    let c = populated(2_000);
    let mut statements = HashMap::new();
    // Common words, few, none; pieces; and characters that are no word.
    for filter in filters(&[None, Some("ord"), Some("order_00012"), Some("rder_0"), Some("_")]) {
        let rare =
            [&filter.status, &filter.category, &filter.kind].into_iter().flatten().any(|value| value != "common");
        if rare {
            continue;
        }
        for after in [None, Some(middle(filter.sort))] {
            let (_, work) = measured(&c, &TemplateFilter { after, ..filter.clone() });
            assert_eq!(work.sorts, 0, "{filter:?}: {work:#?}");
            statements.extend(work.steps);
        }
    }
    assert!(statements.len() > 30, "{statements:#?}");
    for sql in statements.keys() {
        let mut explained = c.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
        let parameters = vec![Value::Null; explained.parameter_count()];
        let plan: Vec<String> = explained
            .query_map(params_from_iter(parameters), |row| row.get("detail"))
            .unwrap()
            .collect::<Result<_, _>>()
            .unwrap();
        for step in plan {
            // Full-text tables are always "scanned": by the query that is their index.
            let scans = step.starts_with("SCAN") && !step.contains("VIRTUAL TABLE INDEX");
            assert!(!scans && !step.contains("TEMP B-TREE"), "{step} of {sql}");
        }
    }
}

fn searches_by_the_newest(c: &Connection) {
    for typed in ["o", "ord", "order", "rder_", "_", "order way", "is on"] {
        for after in [None, Some(middle(TemplateSort::Newest))] {
            for archived in [None, Some(false)] {
                let filter = TemplateFilter {
                    workspace_id: "w".to_owned(),
                    search: Some(typed.to_owned()),
                    archived,
                    after: after.clone(),
                    limit: PAGE,
                    ..TemplateFilter::default()
                };
                let (page, work) = measured(c, &filter);
                let steps: i32 = work.steps.values().sum();
                assert!(steps <= 4_000, "{steps} steps for {filter:?}: {work:#?}");
                assert_eq!(page.rows.len(), PAGE as usize, "{filter:?}");
                assert!(page.rows.is_sorted_by_key(|row| Reverse(row.updated_at)));
            }
        }
    }
}

#[test]
fn two_lists_become_one() {
    for (left, right, both) in [
        (&[][..], &[][..], &[][..]),
        (&[3, 1], &[], &[3, 1]),
        (&[], &[3, 1], &[3, 1]),
        (&[5, 3, 1], &[4, 3, 0], &[5, 4, 3, 1, 0]),
        (&[2, 1], &[2, 1], &[2, 1]),
    ] {
        assert_eq!(union(left, right), both);
    }
}
