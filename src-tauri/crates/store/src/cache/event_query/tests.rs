//! Every combination of filters: query plans, and pages compared with a scan of every item.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use super::*;
use crate::cache::effect::{Effect, ProjectedItem, StatusEffect};
use crate::cache::item::ItemRow;
use crate::cache::projection;
use crate::cache::{SCHEMA, item};
use crate::connection;

const CONTACTS: [&str; 3] = ["5511000001", "5511000002", "BR.77"];

/// A small data set in which each filter is tested alone and combined.
fn world() -> Vec<ProjectedItem> {
    let mut items = Vec::new();
    for n in 0..240_i64 {
        let pick = |of: i64| usize::try_from(n / of).unwrap();
        let kind = ["status", "message", "template_status"][pick(1) % 3];
        let about_template = kind == "template_status" || n % 10 == 1;
        items.push(ProjectedItem {
            seq: 1 + n * 40,
            ordinal: n % 3,
            // The clock is set back once.
            received_at: if n < 150 { 10_000 + n } else { 10_000 + n - 50 },
            route: ["a", "b"][pick(3) % 2].to_owned(),
            key: format!("key {n}"),
            kind: kind.to_owned(),
            field: "messages".to_owned(),
            at: n,
            message_id: (kind != "template_status").then(|| format!("wamid.M{}", n / 6)),
            contact: (kind != "template_status").then(|| CONTACTS[pick(6) % 3].to_owned()),
            number_id: (n % 7 > 0).then(|| ["n1", "n2"][pick(2) % 2].to_owned()),
            template_name: about_template.then(|| ["garden_party", "hello_again"][pick(5) % 2].to_owned()),
            status: (kind != "message").then(|| ["sent", "failed"][pick(4) % 2].to_owned()),
            text: if kind == "message" { format!("hello from {n}") } else { String::new() },
            effect: if kind == "status" {
                Effect::Status(StatusEffect {
                    message_id: format!("wamid.M{}", n / 6),
                    status: "sent".to_owned(),
                    at: n,
                    ..StatusEffect::default()
                })
            } else {
                Effect::None
            },
            ..ProjectedItem::default()
        });
    }
    items
}

fn filled() -> Connection {
    let connection = connection::open_in_memory(&SCHEMA).unwrap();
    projection::apply(&connection, &world(), None).unwrap();
    connection
}

/// Every combination of filters being present or absent.
fn combinations() -> impl Iterator<Item = ItemFilter> {
    (0..0b1_0000_0000_u32).flat_map(|bits| {
        let given = |bit: u32, value: &str| (bits >> bit & 1 == 1).then(|| value.to_owned());
        let times = [(None, None), (Some(10_090), None), (None, Some(10_120)), (Some(10_090), Some(10_120))];
        let search = match bits >> 6 {
            0 => None,
            1 => Some("hel"),
            2 => Some("wamid.M7"),
            _ => Some("+55 (11) 000-001"),
        };
        times.map(|(from, to)| ItemFilter {
            route: given(0, "a"),
            kind: given(1, "status"),
            status: given(2, "failed"),
            number: given(3, "n1"),
            contact: given(4, CONTACTS[1]),
            template: given(5, "hello_again"),
            search: search.map(str::to_owned),
            from,
            to,
            ..ItemFilter::default()
        })
    })
}

/// Every statement of a page with these filters.
fn statements(c: &Connection, filter: &ItemFilter) -> Vec<String> {
    let plan = plan(c, filter).unwrap();
    let sources = plan.into_iter().flat_map(|plan| plan.sources);
    let mut statements: Vec<String> = sources
        .filter(|(source, _)| !matches!(source, Source::Listed(_)))
        .flat_map(|(source, _)| [source.sql(false), source.sql(true)])
        .collect();
    statements.extend([item::ROW, CHECK, LISTED].map(str::to_owned));
    statements.sort();
    statements.dedup();
    statements
}

#[test]
fn every_combination_of_filters_uses_an_index_in_page_order() {
    let c = filled();
    let mut checked = HashSet::new();
    for filter in combinations() {
        for sql in statements(&c, &filter) {
            if !checked.insert(sql.clone()) {
                continue;
            }
            let mut explain = c.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
            let plan: Vec<String> = explain.raw_query_plan().unwrap_or_else(|error| panic!("{sql}: {error}"));
            assert!(!plan.iter().any(|step| step.contains("TEMP B-TREE")), "{plan:#?} of {sql}");
            let scans = plan.iter().any(|step| {
                (step.starts_with("SCAN item") || step.starts_with("SCAN i"))
                    && !step.starts_with("SCAN item_words VIRTUAL")
            });
            assert!(!scans, "{plan:#?} of {sql}");
        }
    }
    // One per kind of list in both directions, and those by row.
    assert_eq!(checked.len(), 2 * 5 + 3, "{checked:#?}");
}

trait QueryPlan {
    fn raw_query_plan(&mut self) -> rusqlite::Result<Vec<String>>;
}

impl QueryPlan for rusqlite::Statement<'_> {
    fn raw_query_plan(&mut self) -> rusqlite::Result<Vec<String>> {
        // Bound values do not matter: there are no statistics.
        let values = vec!["1"; self.parameter_count()];
        let rows = self.query_map(params_from_iter(values), |row| row.get("detail"))?;
        rows.collect()
    }
}

/// Reference implementation of the filter, row by row.
fn accepts(filter: &ItemFilter, row: &ItemRow) -> bool {
    let is = |wanted: &Option<String>, found: Option<&str>| wanted.is_none() || wanted.as_deref() == found;
    let found = match filter.search.as_deref() {
        None => true,
        Some("hel") => row.text.starts_with("hello") || row.template_name.as_deref() == Some("hello_again"),
        Some("wamid.M7") => {
            // Messages match by a prefix of their identifier, statuses by the whole identifier.
            let id = row.message_id.as_deref().unwrap_or_default();
            id == "wamid.M7" || (row.kind == "message" && id.starts_with("wamid.M7"))
        }
        Some(_) => row.contact.as_deref() == Some("5511000001"),
    };
    found
        && is(&filter.route, Some(&row.route))
        && is(&filter.kind, Some(&row.kind))
        && is(&filter.status, row.status.as_deref())
        && is(&filter.number, row.number_id.as_deref())
        && is(&filter.contact, row.contact.as_deref())
        && is(&filter.template, row.template_name.as_deref())
        && filter.from.is_none_or(|from| row.received_at >= from)
        && filter.to.is_none_or(|to| row.received_at < to)
}

#[test]
fn pages_contain_every_match_once() {
    let c = filled();
    let ids: Vec<i64> = all(&c, "SELECT id FROM item ORDER BY id DESC", [], |row| row.get(0)).unwrap();
    let rows: Vec<ItemRow> = rows(&c, &ids).unwrap();
    assert_eq!(rows.len(), 240);
    let mut met = 0;
    for filter in combinations() {
        for ascending in [false, true] {
            let mut expected: Vec<i64> = rows.iter().filter(|row| accepts(&filter, row)).map(|row| row.id).collect();
            if ascending {
                expected.reverse();
            }
            met += usize::from(!expected.is_empty());
            let mut filter = ItemFilter { ascending, limit: 7, ..filter.clone() };
            let mut found = Vec::new();
            loop {
                let page = page(&c, &filter).unwrap();
                assert_eq!(page.searched_to, None);
                found.extend(page.rows.iter().map(|row| row.id));
                let Some(next) = page.next else { break };
                assert_eq!(page.rows.len(), 7, "a page with a successor is full");
                filter.after = Some(next);
            }
            assert_eq!(found, expected, "{filter:?}");
        }
    }
    assert!(met > 500, "{met} combinations find something");
}

#[test]
fn a_search_for_rare_items_stops_early_and_resumes() {
    let c = connection::open_in_memory(&SCHEMA).unwrap();
    let many = i64::try_from(MAX_EXAMINED).unwrap() * 5 / 2;
    let items: Vec<ProjectedItem> = (1..=many)
        .map(|n| ProjectedItem {
            seq: n,
            received_at: n,
            route: "a".to_owned(),
            key: n.to_string(),
            // Both lists are long and share only the oldest item.
            kind: if n == 1 || n % 2 == 0 { "status" } else { "message" }.to_owned(),
            contact: Some(if n == 1 || n % 2 == 1 { "1" } else { "2" }.to_owned()),
            ..ProjectedItem::default()
        })
        .collect();
    projection::apply(&c, &items, None).unwrap();
    let text = |text: &str| Some(text.to_owned());
    let mut filter = ItemFilter { kind: text("status"), contact: text("1"), limit: 50, ..ItemFilter::default() };
    let first = page(&c, &filter).unwrap();
    assert!(first.rows.is_empty());
    assert_eq!(
        first.searched_to,
        Some(many - 2 * i64::try_from(MAX_EXAMINED).unwrap() + 1),
        "every second item was examined"
    );
    filter.after = first.next;
    let second = page(&c, &filter).unwrap();
    assert_eq!((second.rows.len(), second.rows[0].first_seq, second.next), (1, 1, None));
    // A class with few items is always used as the list.
    let rare = ProjectedItem { seq: many + 1, kind: "rare".to_owned(), key: "rare".to_owned(), ..items[0].clone() };
    projection::apply(&c, &[rare], None).unwrap();
    let found = page(&c, &ItemFilter { kind: text("rare"), contact: text("1"), limit: 50, ..ItemFilter::default() });
    let found = found.unwrap();
    assert_eq!((found.rows.len(), found.next, found.searched_to), (1, None, None));
}
