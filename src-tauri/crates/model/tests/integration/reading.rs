//! Readable form of inbound messages of every type.

#![expect(clippy::unwrap_used, reason = "a test that cannot read its own input should fail")]

use model::event::reading::{MessageReading, first_message, read_message, words};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::examples::{delivery, events};
use crate::properties::{any_json, mutated};

/// The inbound messages among the examples.
fn messages() -> Vec<Value> {
    events().into_iter().filter(|event| event["kind"] == "message").map(|event| event["value"].clone()).collect()
}

fn facts(reading: &MessageReading) -> Vec<(&str, &str)> {
    reading.facts.iter().map(|fact| (fact.label.as_str(), fact.value.as_str())).collect()
}

#[test]
fn every_example_is_read() {
    type Row = (&'static str, &'static str, &'static str, &'static [(&'static str, &'static str)]);
    let expected: &[Row] = &[
        ("wamid.t", "text", "Does it come in another color?", &[]),
        ("wamid.a", "audio", "", &[]),
        ("wamid.i", "image", "c", &[]),
        ("wamid.v", "video", "", &[]),
        ("wamid.d", "document", "c", &[]),
        ("wamid.s", "sticker", "", &[]),
        (
            "wamid.l",
            "location",
            "n",
            &[("address", "a"), ("latitude", "37.48"), ("longitude", "-122.14"), ("page", "https://x.example")],
        ),
        ("wamid.c", "contacts", "Bo", &[("name", "Bo")]),
        ("wamid.r", "reaction", "👍", &[]),
        ("wamid.b", "button", "Unsubscribe", &[("payload", "STOP")]),
        ("wamid.ib", "interactive", "Yes", &[("replyId", "yes")]),
        ("wamid.il", "interactive", "b", &[("description", "c"), ("replyId", "a")]),
        ("wamid.in", "interactive", "Sent", &[("form", "flow")]),
        ("wamid.o", "order", "t", &[("product", "p"), ("quantity", "1"), ("price", "12.5 BRL"), ("catalog", "c")]),
        (
            "wamid.y",
            "system",
            "changed",
            &[("systemType", "user_changed_number"), ("previousNumber", "1"), ("newNumber", "2")],
        ),
        (
            "wamid.z",
            "system",
            "changed",
            &[("systemType", "user_changed_user_id"), ("previousUserId", "BR.1"), ("newUserId", "BR.2")],
        ),
        ("wamid.u", "unsupported", "", &[]),
        ("wamid.n", "hologram", "", &[("adSource", "https://x.example")]),
    ];
    let examples = messages();
    assert_eq!(examples.len(), expected.len());
    for (value, (id, kind, text, said)) in examples.iter().zip(expected) {
        let reading = read_message(value);
        assert_eq!(value["messages"][0]["id"], *id);
        assert_eq!((reading.kind.as_str(), reading.text.as_str(), facts(&reading).as_slice()), (*kind, *text, *said));
        assert_eq!(
            reading.media.is_some(),
            matches!(*kind, "audio" | "image" | "video" | "document" | "sticker"),
            "{id}"
        );
        assert_eq!(reading.is_raw, *kind == "hologram", "{id}");
        // The message alone gives the same result, and lists show its text.
        assert_eq!(read_message(&value["messages"][0]), reading);
        let message = first_message(&value.to_string()).unwrap();
        let listed = if *kind == "document" { "c" } else { *text };
        assert_eq!(words(&message), listed, "{id}");
    }
}

/// A message of `kind` with `content` in its place.
fn message(kind: &str, content: Value) -> Value {
    json!({"from": "1", "id": "wamid.x", "timestamp": "1", "type": kind, kind: content})
}

#[test]
fn additional_facts_of_messages_are_read() {
    let card = json!([
        {"name": {"first_name": "Ana", "last_name": "Lima"}, "org": {"company": "Acme", "department": "Sales", "title": "Lead"},
         "phones": [{"phone": "+55 11 9", "wa_id": "5511"}, {"wa_id": "5512"}], "emails": [{"email": "a@x.example"}],
         "urls": [{"url": "https://x.example"}], "addresses": [{"street": "S 1", "city": "C", "country": "BR"}],
         "birthday": "1990-01-02"},
        {"name": {"formatted_name": "Bo"}}]);
    let form = json!({"type": "nfm_reply", "nfm_reply": {"name": "flow", "body": "Sent",
        "response_json": "{\"flow_token\":\"t\",\"size\":42,\"tags\":[\"a\"],\"page\":\"https://x.example\"}"}});
    let permission = json!({"type": "call_permission_reply", "call_permission_reply":
        {"response": "accept", "expiration_timestamp": 1_750_116_480, "response_source": "user_action"}});
    type Case = (&'static str, Value, &'static str, &'static [(&'static str, &'static str)]);
    let cases: [Case; 10] = [
        (
            "contacts",
            card,
            "Ana Lima, Bo",
            &[
                ("name", "Ana Lima"),
                ("organisation", "Acme"),
                ("department", "Sales"),
                ("position", "Lead"),
                ("phone", "+55 11 9"),
                ("phone", "5512"),
                ("email", "a@x.example"),
                ("page", "https://x.example"),
                ("address", "S 1, C, BR"),
                ("birthday", "1990-01-02"),
                ("name", "Bo"),
            ],
        ),
        (
            "interactive",
            form,
            "Sent",
            &[
                ("form", "flow"),
                ("flow_token", "t"),
                ("size", "42"),
                ("tags", "[\"a\"]"),
                ("page", "https://x.example"),
            ],
        ),
        (
            "interactive",
            json!({"type": "nfm_reply", "nfm_reply": {"response_json": "no JSON"}}),
            "",
            &[("response", "no JSON")],
        ),
        (
            "interactive",
            permission,
            "",
            &[("callPermission", "accept"), ("permissionSource", "user_action"), ("expiresAt", "1750116480000")],
        ),
        ("location", json!({"latitude": "1.5", "longitude": 2}), "1.5, 2", &[("latitude", "1.5"), ("longitude", "2")]),
        (
            "location",
            json!({"latitude": 91, "longitude": 2, "address": "A"}),
            "A",
            &[("latitude", "91"), ("longitude", "2")],
        ),
        (
            "order",
            json!({"catalog_id": "c", "product_items": [
                {"product_retailer_id": "p", "quantity": "2", "item_price": "1.10"}, {"product_retailer_id": "q"}]}),
            "",
            &[("product", "p"), ("quantity", "2"), ("price", "1.10"), ("product", "q"), ("catalog", "c")],
        ),
        ("button", json!({"payload": "Yes", "text": "Yes"}), "Yes", &[]),
        (
            "system",
            json!({"body": "Ana changed", "type": "customer_changed_number", "new_wa_id": "2", "customer": "1"}),
            "Ana changed",
            &[
                ("systemType", "customer_changed_number"),
                ("previousNumber", "1"),
                ("newNumber", "2"),
                ("customer", "1"),
            ],
        ),
        ("text", json!({"body": ""}), "", &[]),
    ];
    for (kind, content, text, said) in cases {
        let reading = read_message(&message(kind, content.clone()));
        assert_eq!((reading.text.as_str(), facts(&reading).as_slice()), (text, said), "{content}");
        assert!(!reading.is_raw, "{content}");
    }
    let maps = |latitude: Value| {
        let place = message("location", json!({"latitude": latitude, "longitude": 2}));
        read_message(&place).facts.first().and_then(|fact| fact.link.clone())
    };
    assert_eq!(maps(json!(1.5)).unwrap(), "https://www.openstreetmap.org/?mlat=1.5&mlon=2");
    assert_eq!((maps(json!(91)), maps(json!("NaN")), maps(json!("x"))), (None, None, None));
}

#[test]
fn circumstances_of_messages_are_read() {
    let mut answer = message("text", json!({"body": "hi"}));
    answer["context"] = json!({"from": "15550783881", "id": "wamid.ours", "forwarded": "true",
        "referred_product": {"catalog_id": "c", "product_retailer_id": "p"}});
    answer["referral"] = json!({"source_url": "http://ads.example", "source_type": "ad", "source_id": 7, "headline": "H",
        "body": "B", "image_url": "https://pictures.example/a", "ctwa_clid": "k", "welcome_message": {"text": "W"}});
    let reading = read_message(&answer);
    assert_eq!((reading.answers.as_deref(), reading.answers_ours), (Some("wamid.ours"), true));
    assert_eq!(
        facts(&reading),
        [
            ("forwarded", "true"),
            ("aboutProduct", "p"),
            ("catalog", "c"),
            ("adHeadline", "H"),
            ("adText", "B"),
            ("adSource", "http://ads.example"),
            ("adType", "ad"),
            ("adId", "7"),
            ("adClick", "k"),
            ("adPicture", "https://pictures.example/a"),
            ("adWelcome", "W"),
        ]
    );
    let links: Vec<_> = reading.facts.iter().filter_map(|fact| fact.link.as_deref()).collect();
    assert_eq!(links, ["https://pictures.example/a"], "only encrypted addresses are links");

    answer["context"] = json!({"from": "1", "id": "wamid.theirs", "forwarded": true, "frequently_forwarded": true});
    let reading = read_message(&answer);
    assert_eq!((reading.answers.as_deref(), reading.answers_ours), (Some("wamid.theirs"), false));
    assert_eq!(facts(&reading)[0], ("forwardedOften", "true"));

    let unsupported = json!({"from": "1", "id": "x", "timestamp": "1", "type": "unsupported",
        "unsupported": {"type": "poll_creation"}, "errors": {"code": 131_051, "title": "t"}});
    let reading = read_message(&unsupported);
    assert_eq!(
        (reading.failures[0].code, facts(&reading).as_slice()),
        (Some(131_051), &[("type", "poll_creation")][..])
    );
    assert!(!reading.is_raw);
}

#[test]
fn unknown_shapes_are_kept_as_json() {
    for value in [
        json!(null),
        json!([]),
        json!({}),
        json!({"messages": []}),
        json!({"messages": [7]}),
        message("hologram", json!({"depth": 3})),
        message("text", json!(["odd"])),
        message("contacts", json!([])),
        message("interactive", json!({"type": "new_reply", "new_reply": {}})),
        message("system", json!({})),
        message("unsupported", json!({})),
    ] {
        assert!(read_message(&value).is_raw, "{value}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn any_json_is_read(value in prop_oneof![any_json(), mutated(messages()), mutated(events().iter().map(delivery).collect())]) {
        let reading = read_message(&value);
        for fact in &reading.facts {
            prop_assert!(!fact.value.is_empty() || !fact.label.is_empty());
            prop_assert!(fact.link.as_ref().is_none_or(|link| link.starts_with("https://")));
        }
        let known = reading.media.is_some() || !reading.text.is_empty() || !reading.facts.is_empty()
            || !reading.failures.is_empty() || reading.reaction.is_some();
        prop_assert!(known || reading.is_raw || ["text", "button", "interactive", "order", "location"].contains(&reading.kind.as_str()));
        if let Some(message) = first_message(&value.to_string()) {
            drop(words(&message));
        }
    }
}
