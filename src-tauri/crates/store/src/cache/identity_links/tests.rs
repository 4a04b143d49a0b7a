//! Persons as links make them.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use model::event::identity::IdentityLink;
use proptest::prelude::*;

use super::super::SCHEMA;
use super::super::effect::{Effect, MessageEffect};
use super::super::identity::aliases;
use super::super::projection;
use super::super::revision::tests::state;
use super::*;
use crate::connection;

/// A text from an identifier, with links `a=b`, `a>b` and `a~b`.
fn text(seq: i64, from: &str, name: &str, links: &[&str]) -> ProjectedItem {
    let at = seq * 10;
    let id = format!("m{seq}");
    let links = links.iter().map(|link| {
        let (a, b) = link.split_once(['=', '>', '~']).unwrap();
        let (a, b) = (a.to_owned(), b.to_owned());
        match link.as_bytes()[link.find(['=', '>', '~']).unwrap()] {
            b'=' => IdentityLink::Same { number: a, user_id: b },
            b'>' => IdentityLink::Changed { previous: a, new: b },
            _ => IdentityLink::Spelling { number: a, other: b },
        }
    });
    ProjectedItem {
        seq,
        received_at: at,
        route: "w".to_owned(),
        key: model::item::message_key(&id),
        kind: "message".to_owned(),
        at,
        message_id: Some(id.clone()),
        contact: Some(from.to_owned()),
        number_id: Some("101".to_owned()),
        value: "{}".to_owned(),
        effect: Effect::Message(MessageEffect {
            message_id: id,
            contact: from.to_owned(),
            contact_name: Some(name.to_owned()),
            at,
            kind: "text".to_owned(),
            text: format!("text {seq}"),
            context_id: None,
        }),
        person: Some(PersonEffect { id: from.to_owned(), links: links.collect(), username: None }),
        ..ProjectedItem::default()
    }
}

fn applied(items: &[ProjectedItem]) -> Connection {
    let c = connection::open_in_memory(&SCHEMA).unwrap();
    for item in items {
        projection::apply(&c, std::slice::from_ref(item), None).unwrap();
    }
    c
}

/// The contacts: identifier, last text and unread messages.
fn contacts(c: &Connection) -> Vec<(String, String, i64)> {
    all(c, "SELECT contact, last_text, unread FROM contact WHERE number_id = '' ORDER BY 1", [], tuple).unwrap()
}

fn contact(id: &str, last: i64, unread: i64) -> (String, String, i64) {
    (id.to_owned(), format!("text {last}"), unread)
}

#[test]
fn a_number_and_its_user_id_are_one_contact() {
    let c =
        applied(&[text(1, "5511", "Ana", &[]), text(2, "BR.1", "Ana", &[]), text(3, "5511", "Ana", &["5511=BR.1"])]);
    assert_eq!(contacts(&c), [contact("5511", 3, 3)]);
    assert_eq!(aliases(&c, "w", "5511").unwrap(), ["5511", "BR.1"]);
    let found = all(&c, "SELECT rowid FROM contact_words WHERE contact_words MATCH '\"BR.1\"'", [], scalar::<i64>);
    assert_eq!(found.unwrap().len(), 1);
}

#[test]
fn a_new_number_or_user_id_continues_the_conversation() {
    let c = applied(&[
        text(1, "5511", "Ana", &["5511=BR.1"]),
        text(2, "5511", "", &["5511>5522"]),
        text(3, "BR.1", "", &["BR.1>BR.2"]),
        text(4, "5522", "Ana", &["5522=BR.2"]),
    ]);
    assert_eq!(contacts(&c), [contact("5522", 4, 4)]);
}

#[test]
fn equal_names_merge_nobody() {
    let c = applied(&[text(1, "5511", "Ana", &[]), text(2, "BR.1", "Ana", &[])]);
    assert_eq!(contacts(&c), [contact("5511", 1, 1), contact("BR.1", 2, 1)]);
}

#[test]
fn a_number_that_another_person_gets_does_not_merge_the_two() {
    let c = applied(&[
        text(1, "5511", "Ana", &["5511=BR.1"]),
        text(2, "5511", "", &["5511>5522"]),
        text(3, "5522", "Ana", &["5522=BR.1"]),
        text(4, "5511", "Bo", &["5511=BR.9"]),
    ]);
    let persons = |id| person_of(&c, "w", id).unwrap();
    assert_eq!((persons("BR.1"), persons("5522"), persons("BR.9")), ("5522".into(), "5522".into(), "5511".into()));
}

#[test]
fn a_later_status_does_not_undo_a_new_number() {
    let owner = text(1, "BR.1", "Ana", &["5511=BR.1"]);
    let changed = text(2, "5522", "Ana", &["5511>5522"]);
    let late = text(3, "BR.1", "Ana", &["5511=BR.1"]);
    for order in [[&owner, &changed, &late], [&late, &changed, &owner]] {
        let c = applied(&order.map(Clone::clone));
        assert_eq!(contacts(&c), [contact("5522", 3, 3)]);
    }
}

#[test]
fn a_new_number_that_another_person_had_before_is_of_the_new_owner_only() {
    let c = applied(&[
        text(1, "BR.7", "Bo", &["5522=BR.7"]),
        text(2, "BR.1", "Ana", &["5511=BR.1"]),
        text(3, "5522", "Ana", &["5511>5522"]),
    ]);
    assert_eq!(contacts(&c), [contact("5522", 3, 2), contact("BR.7", 1, 1)]);
}

#[test]
fn two_notations_of_a_number_are_one_contact_in_the_notation_used_last() {
    let c = applied(&[
        text(1, "5531987651005", "Ana", &["5531987651005~553187651005"]),
        text(2, "553187651005", "Ana", &["553187651005~5531987651005"]),
        text(3, "553187651005", "Ana", &["553187651005=BR.1"]),
    ]);
    assert_eq!(contacts(&c), [contact("553187651005", 3, 3)]);
    assert_eq!(person_of(&c, "w", "BR.1").unwrap(), "553187651005");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn persons_do_not_depend_on_the_order_of_arrival(
        order in Just(vec![
            text(1, "5511", "Ana", &["5511=BR.1"]),
            text(2, "5511", "Ana", &[]),
            text(3, "BR.1", "Ana S", &[]),
            text(4, "5511", "Ana S", &["5511>5522"]),
            text(5, "5522", "Ana S", &["5522=BR.2"]),
            text(6, "BR.2", "Ana Souza", &["BR.1>BR.2"]),
            text(7, "447", "Bo", &[]),
            text(8, "GB.1", "Bo", &["447=GB.1"]),
            // The number goes to another person.
            text(9, "GB.2", "Cy", &["447=GB.2"]),
            text(10, "447", "Cy", &[]),
            text(11, "GB.1", "Bo", &["449=GB.1"]),
        ]).prop_shuffle()
    ) {
        let c = applied(&order);
        let mut sorted = order.clone();
        sorted.sort_by_key(|item| item.seq);
        prop_assert_eq!(state(&c), state(&applied(&sorted)));
        prop_assert_eq!(contacts(&c), [contact("447", 10, 3), contact("449", 11, 2), contact("5522", 6, 6)]);
    }
}
