//! Lists, search and unread counts of contacts, and their query plans.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use model::event::identity::IdentityLink;

use super::*;
use crate::cache::effect::{Effect, PersonEffect};
use crate::cache::projection;
use crate::cache::{SCHEMA, conversation};
use crate::connection;

fn add_message(seq: i64, contact: &str, name: Option<&str>, number: &str, at: i64, text: &str) -> ProjectedItem {
    ProjectedItem {
        seq,
        received_at: 1_000 + seq,
        route: "w".to_owned(),
        key: format!("message:{seq}"),
        kind: "message".to_owned(),
        field: "messages".to_owned(),
        at,
        message_id: Some(format!("m{seq}")),
        contact: Some(contact.to_owned()),
        number_id: Some(number.to_owned()).filter(|number| !number.is_empty()),
        text: text.to_owned(),
        value: "{}".to_owned(),
        effect: Effect::Message(MessageEffect {
            message_id: format!("m{seq}"),
            contact: contact.to_owned(),
            contact_name: name.map(str::to_owned),
            at,
            kind: "text".to_owned(),
            text: text.to_owned(),
            context_id: None,
        }),
        ..ProjectedItem::default()
    }
}

fn filled() -> Connection {
    let c = connection::open_in_memory(&SCHEMA).unwrap();
    let items = [
        add_message(1, "5511987654321", Some("María Souza"), "n1", 10, "to one"),
        add_message(2, "5511987654321", None, "n2", 20, "to two"),
        add_message(3, "447700900123", Some("Li"), "n1", 30, "hello"),
        add_message(4, "BR.1234567890", Some("王伟"), "n2", 40, "bsuid"),
        add_message(5, "4915112345678", None, "", 50, "no number"),
        add_message(6, "5521955554444", Some("Joao \"JJ\" Silva"), "n2", 60, "quotes"),
        ProjectedItem {
            route: "other".to_owned(),
            ..add_message(7, "5511987654321", Some("Maria"), "n9", 70, "elsewhere")
        },
    ];
    projection::apply(&c, &items, None).unwrap();
    c
}

fn list(c: &Connection, filter: ContactFilter) -> Vec<String> {
    let mut filter = ContactFilter { route: "w".to_owned(), limit: 2, ..filter };
    let mut found = Vec::new();
    loop {
        let page = page(c, &filter).unwrap();
        assert!(page.rows.len() <= 2);
        found.extend(page.rows.into_iter().map(|row| row.contact));
        let Some(next) = page.next else { return found };
        filter.after = Some(next);
    }
}

#[test]
fn a_contact_is_listed_for_every_number_they_wrote_to() {
    let c = filled();
    let all = ["5521955554444", "4915112345678", "BR.1234567890", "447700900123", "5511987654321"];
    assert_eq!(list(&c, ContactFilter::default()), all);
    let mut oldest_first = all;
    oldest_first.reverse();
    assert_eq!(list(&c, ContactFilter { since: Some(0), ..ContactFilter::default() }), oldest_first);
    let last = page(&c, &ContactFilter { route: "w".to_owned(), limit: 1, ..ContactFilter::default() }).unwrap().rows;
    let since = Some(last[0].last_at);
    assert_eq!(list(&c, ContactFilter { since, ..ContactFilter::default() }), [all[0]]);
    for (number, expected) in [
        ("n1", &["447700900123", "5511987654321"][..]),
        ("n2", &["5521955554444", "BR.1234567890", "5511987654321"]),
        ("n9", &[]),
    ] {
        let filter = ContactFilter { number: Some(number.to_owned()), ..ContactFilter::default() };
        assert_eq!(list(&c, filter), expected, "{number}");
    }
    let numbers: Vec<String> = all_numbers(&c);
    assert_eq!(numbers, ["n1", "n2"]);

    let row = |number: Option<&str>| {
        let filter = ContactFilter {
            route: "w".to_owned(),
            number: number.map(str::to_owned),
            search: Some("maria".to_owned()),
            limit: 9,
            ..ContactFilter::default()
        };
        page(&c, &filter).unwrap().rows.remove(0)
    };
    let shown = |row: Contact| (row.name.unwrap(), row.last_text, row.last_number, row.unread);
    assert_eq!(shown(row(None)), ("María Souza".to_owned(), "to two".to_owned(), "n2".to_owned(), 2));
    assert_eq!(shown(row(Some("n1"))), ("María Souza".to_owned(), "to one".to_owned(), "n1".to_owned(), 1));
}

fn all_numbers(c: &Connection) -> Vec<String> {
    all(c, NUMBERS, ["w"], |row| row.get(0)).unwrap()
}

#[test]
fn contacts_are_found_by_parts_of_names_and_numbers() {
    let c = filled();
    for (text, expected) in [
        ("souza", &["5511987654321"][..]),
        ("MARIA", &["5511987654321"]),
        ("ouz mar", &["5511987654321"]),
        ("+55 (11) 98765-4321", &["5511987654321"]),
        ("98765", &["5511987654321"]),
        ("4321", &["5511987654321"]),
        ("55", &["5521955554444", "5511987654321"]),
        ("li", &["447700900123"]),
        ("王伟", &["BR.1234567890"]),
        ("王", &["BR.1234567890"]),
        ("BR.123", &["BR.1234567890"]),
        ("\"JJ\"", &["5521955554444"]),
        ("silva NEAR(x)", &[]),
        ("mar* OR", &[]),
        ("nobody", &[]),
        ("zz", &[]),
        ("  ", &["5521955554444", "4915112345678", "BR.1234567890", "447700900123", "5511987654321"]),
    ] {
        let filter = ContactFilter { search: Some(text.to_owned()), ..ContactFilter::default() };
        assert_eq!(list(&c, filter), expected, "{text}");
    }
    let filter = |number: &str, unread: bool| ContactFilter {
        search: Some("souza".to_owned()),
        number: Some(number.to_owned()),
        unread: Some(unread),
        ..ContactFilter::default()
    };
    assert_eq!(list(&c, filter("n1", true)), ["5511987654321"]);
    assert!(list(&c, filter("n1", false)).is_empty());
    assert!(list(&c, filter("n9", true)).is_empty());
}

#[test]
fn a_new_name_is_found_and_the_old_one_is_not() {
    let c = filled();
    let found = |text: &str| list(&c, ContactFilter { search: Some(text.to_owned()), ..ContactFilter::default() });
    let renamed = [
        add_message(8, "447700900123", Some("Elizabeth"), "n1", 80, "renamed"),
        // An older name that arrives late changes nothing.
        add_message(9, "447700900123", Some("Zebedee"), "n1", 5, "late"),
    ];
    projection::apply(&c, &renamed, None).unwrap();
    assert_eq!(found("izabe"), ["447700900123"]);
    assert!(found("zebedee").is_empty());
    assert_eq!(found("447700"), ["447700900123"]);
    delete(&c, "w", "447700900123").unwrap();
    assert!(found("izabe").is_empty() && found("447700").is_empty());
}

#[test]
fn usernames_and_all_identifiers_are_found_whole_and_in_part() {
    let c = filled();
    let link = IdentityLink::Same { number: "447700900123".to_owned(), user_id: "GB.77".to_owned() };
    let person = PersonEffect { id: "GB.77".to_owned(), links: vec![link], username: Some("li.flowers".to_owned()) };
    let named = ProjectedItem { person: Some(person), ..add_message(8, "GB.77", None, "n1", 80, "hi") };
    projection::apply(&c, &[named], None).unwrap();
    for text in ["@li.flowers", "li.flowers", "@l", "GB.77", "gb", ".f"] {
        let filter = ContactFilter { search: Some(text.to_owned()), ..ContactFilter::default() };
        assert_eq!(list(&c, filter), ["447700900123"], "{text}");
    }
}

#[test]
fn unread_messages_are_counted_for_every_number() {
    let c = filled();
    let count = |number: &str| -> i64 {
        c.query_row(
            "SELECT unread FROM contact WHERE contact = '5511987654321' AND route = 'w' AND number_id = ?1",
            [number],
            |row| row.get(0),
        )
        .unwrap()
    };
    assert_eq!((count(""), count("n1"), count("n2")), (2, 1, 1));
    c.execute("INSERT INTO read_mark VALUES ('w', '5511987654321', ?1)", [1 << 20]).unwrap();
    count_unread(&c, "w", "5511987654321").unwrap();
    assert_eq!((count(""), count("n1"), count("n2")), (1, 0, 1));
    let later = [
        add_message(10, "5511987654321", None, "n1", 90, "more"),
        // Older than what was read, and not shown yet.
        add_message(11, "5511987654321", None, "n1", 9, "late"),
        add_message(12, "5511987654321", None, "", 91, "to no number"),
    ];
    projection::apply(&c, &later, None).unwrap();
    assert_eq!((count(""), count("n1"), count("n2")), (4, 2, 1));
    let filter =
        |unread| ContactFilter { unread: Some(unread), number: Some("n1".to_owned()), ..ContactFilter::default() };
    assert_eq!(list(&c, filter(true)), ["5511987654321", "447700900123"]);
    assert!(list(&c, filter(false)).is_empty());
}

#[test]
fn short_words_are_searched_in_limited_steps() {
    let c = connection::open_in_memory(&SCHEMA).unwrap();
    let many = i64::from(MAX_EXAMINED) + 10;
    let items: Vec<_> =
        (1..=many).map(|n| add_message(n, &format!("99{n:09}"), (n == 3).then_some("Xu"), "", n, "hello")).collect();
    projection::apply(&c, &items, None).unwrap();
    let mut filter =
        ContactFilter { route: "w".to_owned(), search: Some("xu".to_owned()), limit: 5, ..ContactFilter::default() };
    let first = page(&c, &filter).unwrap();
    assert!(first.rows.is_empty() && first.next.is_some());
    filter.after = first.next;
    let second = page(&c, &filter).unwrap();
    assert_eq!((second.rows.len(), second.next), (1, None));
}

#[test]
fn every_statement_uses_an_index() {
    let c = filled();
    let mut statements: Vec<String> = [Some(true), Some(false), None]
        .into_iter()
        .flat_map(|unread| [true, false].map(|oldest_first| by_last_message_sql(unread, oldest_first)))
        .collect();
    statements.extend([Some(true), Some(false), None].map(search_sql));
    statements.extend([NUMBERS, UNREAD_CONTACTS, STATE_BEFORE, COUNT_UNREAD].map(str::to_owned));
    statements.extend(conversation::STATEMENTS.map(str::to_owned));
    for sql in statements {
        let mut explain = c.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
        let count = explain.parameter_count();
        let values = vec![rusqlite::types::Value::Null; count];
        let steps: Vec<String> = explain
            .query_map(rusqlite::params_from_iter(values), |row| row.get("detail"))
            .unwrap()
            .collect::<Result<_, _>>()
            .unwrap();
        let allowed = |step: &str| {
            // Messages to one contact at the same instant are sorted by their arrival and identifiers.
            (!step.contains("TEMP B-TREE") || step.starts_with("USE TEMP B-TREE FOR LAST "))
                && (!step.starts_with("SCAN")
                    || ["SCAN w VIRTUAL", "SCAN m VIRTUAL", "SCAN a", "SCAN number", "SCAN CONSTANT"]
                        .iter()
                        .any(|scan| step.starts_with(scan)))
        };
        assert!(steps.iter().all(|step| allowed(step)), "{steps:#?} of {sql}");
    }
}
