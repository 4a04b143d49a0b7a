//! Edits and deletions in every order.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use proptest::prelude::*;
use rusqlite::types::Value;

use super::super::SCHEMA;
use super::super::effect::StatusEffect;
use super::super::projection;
use super::*;
use crate::connection;
use model::item::message_key;

const ANA: &str = "111";
const BO: &str = "222";

fn item(seq: i64, number: &str, at: i64, message_id: &str, contact: &str, effect: Effect) -> ProjectedItem {
    let kind = if matches!(effect, Effect::Status(_)) { "status" } else { "message" };
    let key = if kind == "status" { format!("status:{seq}") } else { message_key(message_id) };
    ProjectedItem {
        seq,
        received_at: 1_000 + seq,
        route: "w".to_owned(),
        key,
        kind: kind.to_owned(),
        at,
        message_id: Some(message_id.to_owned()),
        contact: Some(contact.to_owned()),
        number_id: Some(number.to_owned()),
        value: format!(r#"{{"id":"{message_id}"}}"#),
        effect,
        ..ProjectedItem::default()
    }
}

fn text(seq: i64, at: i64, id: &str, contact: &str, text: &str) -> ProjectedItem {
    let effect = MessageEffect {
        message_id: id.to_owned(),
        contact: contact.to_owned(),
        contact_name: Some(format!("Name of {contact}")),
        at,
        kind: "text".to_owned(),
        text: text.to_owned(),
        context_id: None,
    };
    item(seq, "101", at, id, contact, Effect::Message(effect))
}

/// An edit with a new text, or a deletion without one.
fn revised(seq: i64, at: i64, original: &str, contact: &str, text: Option<&str>) -> ProjectedItem {
    let id = format!("revision-{seq}");
    let effect = RevisionEffect {
        message_id: id.clone(),
        original_id: original.to_owned(),
        contact: contact.to_owned(),
        at,
        kind: text.map(|_| "text".to_owned()),
        text: text.unwrap_or_default().to_owned(),
        context_id: None,
    };
    item(seq, "101", at, &id, contact, Effect::Revision(effect))
}

fn status(seq: i64, id: &str) -> ProjectedItem {
    let effect =
        StatusEffect { message_id: id.to_owned(), status: "sent".to_owned(), at: 1, ..StatusEffect::default() };
    item(seq, "101", 1, id, ANA, Effect::Status(effect))
}

fn rows(c: &Connection, sql: &str) -> Vec<String> {
    all(c, sql, [], |row| {
        let cells = (0..row.as_ref().column_count()).map(|column| row.get::<_, Value>(column));
        let cells: Vec<Value> = cells.collect::<Result<_, _>>()?;
        Ok(format!("{cells:?}"))
    })
    .unwrap()
}

/// What conversations and lists show, without numbers that count arrivals.
pub(in crate::cache) fn state(c: &Connection) -> Vec<String> {
    [
        "SELECT contact, at, message_id, number_id, kind, text, value, edited_at, edit, deleted_at, is_received
         FROM inbound ORDER BY 1, 2, 3",
        "SELECT contact, number_id, name, last_at, last_number, last_kind, last_text, unread FROM contact
         ORDER BY 1, 2",
        "SELECT count(*) FROM contact_words WHERE contact_words MATCH 'Name'",
    ]
    .into_iter()
    .flat_map(|sql| rows(c, sql))
    .collect()
}

/// The state after deliveries, one at a time.
pub(in crate::cache) fn applied(items: &[ProjectedItem]) -> Connection {
    let c = connection::open_in_memory(&SCHEMA).unwrap();
    for item in items {
        projection::apply(&c, std::slice::from_ref(item), None).unwrap();
    }
    c
}

/// The messages of a contact: identifier, kind, text, whether edited, whether deleted.
fn shown(c: &Connection, contact: &str) -> Vec<(String, String, String, bool, bool)> {
    let sql = "SELECT message_id, kind, text, edited_at IS NOT NULL, deleted_at IS NOT NULL FROM inbound
               WHERE contact = ?1 ORDER BY at, message_id";
    all(c, sql, [contact], tuple).unwrap()
}

fn message(id: &str, kind: &str, text: &str, edited: bool, deleted: bool) -> (String, String, String, bool, bool) {
    (id.to_owned(), kind.to_owned(), text.to_owned(), edited, deleted)
}

/// Last text, last kind, last instant and unread messages of a contact.
fn listed(c: &Connection, contact: &str) -> Option<(String, String, i64, i64)> {
    let sql = "SELECT last_text, last_kind, last_at, unread FROM contact WHERE contact = ?1 AND number_id = ''";
    first(c, sql, [contact], tuple).unwrap()
}

#[test]
fn an_edit_replaces_the_text_in_the_conversation_and_in_the_list() {
    let c = applied(&[text(1, 10, "m", ANA, "Rose street 4"), revised(2, 20, "m", ANA, Some("Rose street 14"))]);
    assert_eq!(shown(&c, ANA), [message("m", "text", "Rose street 14", true, false)]);
    // An edit is no new message.
    assert_eq!(listed(&c, ANA), Some(("Rose street 14".to_owned(), "text".to_owned(), 10, 1)));
}

#[test]
fn a_deletion_removes_the_content_whatever_edits_say() {
    let deleted = [message("m", "revoke", "", false, true)];
    for order in [[1, 2, 3], [1, 3, 2], [3, 2, 1], [2, 1, 3]] {
        let items = [
            text(1, 10, "m", ANA, "secret"),
            revised(2, 30, "m", ANA, Some("still secret")),
            revised(3, 20, "m", ANA, None),
        ];
        let c = applied(&order.map(|seq: usize| items[seq - 1].clone()));
        assert_eq!(shown(&c, ANA), deleted, "{order:?}");
        assert_eq!(listed(&c, ANA), Some((String::new(), "revoke".to_owned(), 10, 1)));
        assert!(!state(&c).iter().any(|row| row.contains("secret")));
    }
}

#[test]
fn the_last_of_several_edits_counts_also_when_they_are_repeated_and_out_of_order() {
    let items = [
        text(1, 10, "m", ANA, "first"),
        revised(2, 30, "m", ANA, Some("third")),
        revised(3, 20, "m", ANA, Some("second")),
        revised(2, 30, "m", ANA, Some("third")),
    ];
    assert_eq!(shown(&applied(&items), ANA), [message("m", "text", "third", true, false)]);
}

#[test]
fn an_edit_of_a_message_that_never_arrived_is_shown_and_gives_way_to_the_message() {
    let c = applied(&[revised(1, 20, "m", ANA, Some("new")), revised(2, 25, "m", ANA, Some("newer"))]);
    assert_eq!(shown(&c, ANA), [message("m", "text", "newer", true, false)]);
    assert_eq!(listed(&c, ANA), Some(("newer".to_owned(), "text".to_owned(), 20, 1)));
    // At the instant of the edit, and before it.
    for at in [20, 10] {
        let original = text(3, at, "m", ANA, "old");
        let c = applied(&[revised(1, 20, "m", ANA, Some("new")), revised(2, 25, "m", ANA, Some("newer")), original]);
        assert_eq!(shown(&c, ANA), [message("m", "text", "newer", true, false)]);
        assert_eq!(listed(&c, ANA), Some(("newer".to_owned(), "text".to_owned(), at, 1)));
    }
}

#[test]
fn a_deletion_of_a_message_that_never_arrived_is_shown_as_read() {
    let c = applied(&[revised(1, 20, "m", ANA, None)]);
    assert_eq!(shown(&c, ANA), [message("m", "revoke", "", false, true)]);
    assert_eq!(listed(&c, ANA), Some((String::new(), "revoke".to_owned(), 20, 0)));
}

#[test]
fn revisions_by_others_or_to_another_number_change_nothing() {
    let original = text(1, 10, "m", ANA, "hers");
    let mut elsewhere = revised(3, 30, "m", ANA, Some("elsewhere"));
    elsewhere.number_id = Some("202".to_owned());
    for other in [revised(2, 20, "m", BO, Some("his")), revised(2, 20, "m", BO, None), elsewhere] {
        for items in [[original.clone(), other.clone()], [other, original.clone()]] {
            let c = applied(&items);
            assert_eq!(shown(&c, ANA), [message("m", "text", "hers", false, false)]);
            assert_eq!((shown(&c, BO), listed(&c, BO)), (Vec::new(), None));
        }
    }
    // Nor do those of what we sent.
    for items in
        [[status(1, "ours"), revised(2, 20, "ours", ANA, None)], [revised(1, 20, "ours", ANA, None), status(2, "ours")]]
    {
        let c = applied(&items);
        assert_eq!((shown(&c, ANA), listed(&c, ANA)), (Vec::new(), None));
    }
}

#[test]
fn a_revision_that_changes_a_message_is_news_about_its_author() {
    let c = applied(&[text(1, 10, "m", ANA, "first")]);
    let contacts = |item: ProjectedItem| projection::apply(&c, &[item], None).unwrap().contacts;
    let of = |contact: &str| vec![("w".to_owned(), contact.to_owned())];
    assert_eq!(contacts(revised(2, 20, "m", BO, None)), []);
    assert_eq!(contacts(revised(3, 20, "m", ANA, Some("second"))), of(ANA));
    assert_eq!(contacts(revised(3, 20, "m", ANA, Some("second"))), []);
    assert_eq!(contacts(revised(4, 30, "m", ANA, None)), of(ANA));
    assert_eq!(contacts(revised(5, 40, "lost", BO, Some("found"))), of(BO));
}

#[test]
fn deliveries_that_are_applied_again_correct_their_revisions() {
    let items =
        [text(1, 10, "m", ANA, "first"), revised(2, 20, "m", ANA, Some("wrong")), revised(3, 30, "lost", BO, None)];
    let c = applied(&items);
    let corrected = [revised(2, 21, "m", ANA, Some("right")), revised(3, 30, "lost", BO, Some("found"))];
    let again = |items: &[ProjectedItem]| projection::apply(&c, items, Some(&[2, 3])).unwrap().corrected;
    assert!(again(&corrected) >= 2);
    assert_eq!(again(&corrected), 0);
    let expected = applied(&[items[0].clone(), corrected[0].clone(), corrected[1].clone()]);
    assert_eq!(state(&c), state(&expected));
    assert_eq!(shown(&c, ANA), [message("m", "text", "right", true, false)]);
}

#[test]
fn a_message_that_is_delivered_with_another_instant_is_one_message() {
    let redelivered = ProjectedItem { seq: 3, ..text(1, 12, "m", ANA, "first") };
    let items = [text(1, 10, "m", ANA, "first"), revised(2, 20, "m", ANA, None), redelivered];
    for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
        let c = applied(&order.map(|place: usize| items[place].clone()));
        assert_eq!(shown(&c, ANA), [message("m", "revoke", "", false, true)], "{order:?}");
        assert_eq!(listed(&c, ANA), Some((String::new(), "revoke".to_owned(), 10, 1)), "{order:?}");
    }
}

#[test]
fn an_edit_of_a_read_message_is_read() {
    let c = applied(&[text(1, 10, "m", ANA, "first")]);
    c.execute("INSERT INTO read_mark VALUES ('w', ?1, ?2)", (ANA, 1 << 20)).unwrap();
    contact::count_unread(&c, "w", ANA).unwrap();
    let late = text(3, 5, "late", ANA, "late");
    for item in [revised(2, 20, "m", ANA, Some("second")), late] {
        projection::apply(&c, &[item], None).unwrap();
    }
    assert_eq!(listed(&c, ANA), Some(("second".to_owned(), "text".to_owned(), 10, 1)));
}

/// Deliveries with revisions of every kind.
pub(in crate::cache) fn deliveries() -> Vec<ProjectedItem> {
    vec![
        text(1, 10, "a", ANA, "first"),
        revised(2, 20, "a", ANA, Some("second")),
        revised(3, 20, "a", ANA, Some("third")),
        text(4, 40, "b", ANA, "private"),
        revised(5, 50, "b", ANA, None),
        revised(6, 45, "b", ANA, Some("also private")),
        revised(7, 15, "a", BO, Some("not his")),
        revised(8, 60, "lost", BO, Some("found")),
        revised(9, 61, "lost", BO, Some("found again")),
        revised(10, 62, "gone", ANA, None),
        text(11, 70, "c", BO, "plain"),
        status(12, "sent"),
        revised(13, 80, "sent", BO, None),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn the_order_of_arrival_and_repetition_do_not_matter(
        order in Just([deliveries(), deliveries()[..6].to_vec()].concat()).prop_shuffle()
    ) {
        prop_assert_eq!(state(&applied(&order)), state(&applied(&deliveries())));
        let c = connection::open_in_memory(&SCHEMA).unwrap();
        projection::apply(&c, &order, None).unwrap();
        prop_assert_eq!(state(&c), state(&applied(&deliveries())));
    }
}
