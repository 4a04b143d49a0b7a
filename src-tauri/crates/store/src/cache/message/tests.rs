//! What rows hold is read back as it was, in Rust and through the view.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use rusqlite::Connection;

use super::conversation_text::{PartValue, Parts, join};
use super::reports::{Origin, Report, StatusWord};
use super::{BY_IDENTITY, MessageState, StatusReport, StoredMessage, hash, reports};
use crate::cache::SCHEMA;
use crate::cache::effect::{Effect, ProjectedItem, StatusEffect};
use crate::cache::projection;
use crate::connection;
use crate::rows::first;

const ID: &str = "6ceb9d929c9bdc4f90967a32f8639b02";

/// Objects, what their rows share, and whether the identifier is stored as bytes.
fn conversations() -> Vec<(String, Option<String>, bool)> {
    let shared = |json: &str, rest: &str, is_hex| (json.replace("ID", ID), Some(rest.to_owned()), is_hex);
    let whole = |json: &str| (json.replace("ID", ID), None, false);
    vec![
        shared(
            r#"{"id":"ID","origin":{"type":"utility"}}"#,
            "{\"id\":\"\u{1}\",\"origin\":{\"type\":\"utility\"}}",
            true,
        ),
        shared(
            r#"{"id":"ID","expiration_timestamp":"1739407424","origin":{"type":"utility"}}"#,
            "{\"id\":\"\u{1}\",\"expiration_timestamp\":\"\u{2}\",\"origin\":{\"type\":\"utility\"}}",
            true,
        ),
        shared(
            r#"{"expiration_timestamp":1739407424,"id":"ID"}"#,
            "{\"expiration_timestamp\":\u{2},\"id\":\"\u{1}\"}",
            true,
        ),
        shared(r#"{"expiration_timestamp":0,"id":"c"}"#, "{\"expiration_timestamp\":\u{2},\"id\":\"\u{1}\"}", false),
        shared(r#"{"id":"ID","id":"other"}"#, "{\"id\":\"\u{1}\",\"id\":\"other\"}", true),
        shared(
            r#"{"origin":{"id":"x"},"id":"ID"}"#.replace("ID", "none").as_str(),
            "{\"origin\":{\"id\":\"\u{1}\"},\"id\":\"none\"}",
            false,
        ),
        shared(r#"{"id":""}"#, "{\"id\":\"\u{1}\"}", false),
        shared(r#"{"id":"c"}"#, "{\"id\":\"\u{1}\"}", false),
        shared(r#"{"id":"a\"b\\","x":"é 😀"}"#, "{\"id\":\"\u{1}\"b\\\\\",\"x\":\"é 😀\"}", false),
        shared(&format!(r#"{{"id":"{}"}}"#, ID.to_uppercase()), "{\"id\":\"\u{1}\"}", false),
        shared(r#"{"id":"IDa"}"#, "{\"id\":\"\u{1}\"}", false),
        shared(r#"{"id":"+ceb9d929c9bdc4f90967a32f8639b02"}"#, "{\"id\":\"\u{1}\"}", false),
        // Numbers that the rest would repeat for every message.
        whole(r#"{"id":"ID","expiration_timestamp":"01"}"#),
        whole(r#"{"id":"ID","expiration_timestamp":-1}"#),
        whole(r#"{"id":"ID","expiration_timestamp":1.5}"#),
        whole(r#"{"id":"ID","expiration_timestamp":99999999999999999999}"#),
        whole(r#"{"id":"ID","id":"a1"}"#),
        whole(r#"{"origin":{"id":"x"},"id":"ID"}"#),
        // Without an identifier.
        whole(r#"{"id": "ID"}"#),
        whole(r#"{"id":7}"#),
        whole(r#"{"id":"open"#),
        whole("{}"),
        whole(""),
        whole("5"),
        whole("{\"id\":\"a\u{1}\"}"),
        whole("{\"id\":\"a\",\"x\":\"\u{2}\"}"),
    ]
}

#[test]
fn a_conversation_is_split_and_joined() {
    for (json, rest, is_hex) in conversations() {
        let parts = Parts::of(&json);
        assert_eq!(parts.rest, rest, "{json}");
        assert_eq!(matches!(parts.value, PartValue::Hex(_)), is_hex, "{json}");
        assert_eq!(join(parts.value, parts.expires, parts.rest.as_deref()), json);
    }
}

fn report(status: &'static str, at: i64, seq: i64, error: Option<&'static str>) -> Report<'static> {
    Report { status: StatusWord(status.into()), at, seq, error: error.map(Into::into) }
}

#[test]
fn reports_are_written_in_few_bytes_and_read() {
    let origin = Origin { at: 1_000, seq: 50 };
    let cases: &[(&[Report<'_>], &str)] = &[
        (&[], "[]"),
        (
            &[report("sent", 1_000, 50, None), report("delivered", 1_000, 51, None), report("read", 2_000, 50, None)],
            "[[2],[1,0,1],[0,1000]]",
        ),
        (&[report("failed", 1_000, 50, Some(r#"{"code":1}"#))], r#"[[3,0,0,"{\"code\":1}"]]"#),
        (&[report("failed", 1_000, 50, Some(""))], r#"[[3,0,0,""]]"#),
        (&[report("sent", 400, 7, None)], "[[2,-600,-43]]"),
        (&[report("teleported", 1_000, 50, None)], r#"[["teleported"]]"#),
        (&[report("a \"b\" \\ \n,[é😀", 1_001, 50, None)], r#"[["a \"b\" \\ \n,[é😀",1]]"#),
        // A word that looks like the number of a status is a word.
        (&[report("0", 1_000, 50, None), report("", 1_000, 50, None)], r#"[["0"],[""]]"#),
        (&[report("Sent", 1_000, 50, None)], r#"[["Sent"]]"#),
    ];
    let mut json = "before".to_owned();
    for (reports, expected) in cases {
        reports::write(reports, origin, &mut json).unwrap();
        assert_eq!(json, *expected);
        assert_eq!(reports::read(&json, origin).unwrap(), *reports);
    }
    let extremes = [report("sent", i64::MAX, i64::MAX, None), report("sent", i64::MIN, i64::MIN, None)];
    for origin in [Origin { at: i64::MIN, seq: i64::MIN }, Origin { at: i64::MAX, seq: 1 }] {
        reports::write(&extremes, origin, &mut json).unwrap();
        assert_eq!(reports::read(&json, origin).unwrap(), extremes);
    }
    for damaged in ["", "[", "{}", "[[9]]", "[[-1]]", "[[null]]", "[[0,1,2,null,3]]", r#"[[0,"1"]]"#] {
        assert!(reports::read(damaged, origin).is_err(), "{damaged}");
    }
}

fn status(seq: i64, word: &str, at: i64) -> ProjectedItem {
    ProjectedItem {
        seq,
        received_at: at + 5,
        route: "w".to_owned(),
        key: format!("{word}/{at}"),
        kind: "status".to_owned(),
        at,
        message_id: Some("m".to_owned()),
        effect: Effect::Status(StatusEffect {
            message_id: "m".to_owned(),
            status: word.to_owned(),
            at,
            error: (word == "failed").then(|| r#"{"code":1,"title":"a \"b\" \u001f é"}"#.to_owned()),
            ..StatusEffect::default()
        }),
        ..ProjectedItem::default()
    }
}

fn read(c: &Connection) -> MessageState {
    first(c, BY_IDENTITY, (hash("w", "m"), "m", "w"), StoredMessage::of).unwrap().unwrap().into()
}

/// The message as the view has it.
fn viewed(c: &Connection) -> MessageState {
    let sql = "SELECT * FROM message WHERE message_id = 'm' AND route = 'w'";
    first(c, sql, [], |row| {
        let reports: Vec<(String, i64, i64, Option<String>)> =
            serde_json::from_str(&row.get::<_, String>("reports")?).unwrap();
        Ok(MessageState {
            message_id: row.get("message_id")?,
            route: row.get("route")?,
            recipient: row.get("recipient")?,
            tracking_id: row.get("tracking_id")?,
            callback_data: row.get("callback_data")?,
            status: row.get("status")?,
            status_at: row.get("status_at")?,
            failed_at: row.get("failed_at")?,
            error: row.get("error")?,
            pricing: row.get("pricing")?,
            conversation: row.get("conversation")?,
            first_at: row.get("first_at")?,
            last_at: row.get("last_at")?,
            reports: reports
                .into_iter()
                .map(|(status, at, seq, error)| StatusReport { status, at, seq, error })
                .collect(),
        })
    })
    .unwrap()
    .unwrap()
}

#[test]
fn the_view_has_every_conversation_as_it_was() {
    for (json, ..) in conversations() {
        let c = connection::open_in_memory(&SCHEMA).unwrap();
        let mut item = status(1, "sent", 1_000);
        if let Effect::Status(effect) = &mut item.effect {
            effect.conversation = Some(json.clone());
        }
        projection::apply(&c, &[item], None).unwrap();
        assert_eq!(read(&c).conversation, Some(json));
        assert_eq!(viewed(&c), read(&c));
    }
}

#[test]
fn a_message_does_not_depend_on_the_order_of_its_reports() {
    let words = ["delivered", "teleported", "failed", "sent", "0", "read", "line\nbreak \"x\""];
    let items: Vec<ProjectedItem> =
        (1..).zip(words).map(|(seq, word)| status(seq, word, 10_000 - 1_000 * (seq % 4))).collect();
    let apply = |items: &[&ProjectedItem]| {
        let c = connection::open_in_memory(&SCHEMA).unwrap();
        for item in items {
            projection::apply(&c, std::slice::from_ref(*item), None).unwrap();
        }
        assert_eq!(viewed(&c), read(&c));
        read(&c)
    };
    let expected = apply(&items.iter().collect::<Vec<_>>());
    assert_eq!((expected.first_at, expected.last_at, expected.failed_at), (7_000, 10_000, Some(7_000)));
    assert_eq!((expected.status.as_deref(), expected.status_at), (Some("read"), Some(8_000)));
    assert_eq!(expected.reports.len(), words.len());
    for shift in 1..words.len() {
        let mut rotated: Vec<&ProjectedItem> = items.iter().collect();
        rotated.rotate_left(shift);
        assert_eq!(apply(&rotated), expected);
        rotated.reverse();
        assert_eq!(apply(&rotated), expected);
    }
    let c = connection::open_in_memory(&SCHEMA).unwrap();
    projection::apply(&c, &items, None).unwrap();
    assert_eq!(read(&c), expected, "in one transaction");
}
