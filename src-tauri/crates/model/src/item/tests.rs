//! Splitting of deliveries, and keys of redelivered items.

#![expect(clippy::unwrap_used, reason = "a test that cannot read its own input should fail")]

use super::split::REPEATED_BYTES;
use super::*;
use serde_json::{Value, json};

fn kinds(body: &str) -> Vec<(String, String)> {
    items(body.as_bytes()).into_iter().map(|item| (item.kind.to_string(), item.value.get().to_owned())).collect()
}

#[test]
fn a_delivery_is_split_into_items_in_order() {
    let body = r#"{"object":"acc","entry":[{"id":"102","time":9,"changes":[{"field":"messages","value":{
        "zeta":12345678901234567890.10,"metadata":{"phone_number_id":"7","n":1e3},
        "contacts":[{"wa_id":"1"},{"wa_id":"2"}],
        "statuses":[{"id":"a","status":"sent","caf\u00e9":1.50},{"id":"b","status":"read"}],
        "messages":[{"id":"m","from":"1","type":"text","text":{"body":"\ud83d\ude00"}}],"last":null}}]}]}"#;
    let head = r#""zeta":12345678901234567890.10,"metadata":{"phone_number_id":"7","n":1e3}"#;
    assert_eq!(
        kinds(body),
        [
            (
                "status".into(),
                format!(r#"{{{head},"statuses":[{{"id":"a","status":"sent","caf\u00e9":1.50}}],"last":null}}"#)
            ),
            ("status".into(), format!(r#"{{{head},"statuses":[{{"id":"b","status":"read"}}],"last":null}}"#)),
            (
                "message".into(),
                format!(
                    r#"{{{head},"contacts":[{{"wa_id":"1"}}],"messages":[{{"id":"m","from":"1","type":"text","text":{{"body":"\ud83d\ude00"}}}}],"last":null}}"#
                )
            ),
        ]
    );
    assert!(
        items(body.as_bytes()).iter().all(|item| item.entry_id.as_deref() == Some("102") && item.field == "messages")
    );
}

#[test]
fn field_and_shape_decide_the_kind() {
    for (field, value, kind) in [
        ("message_template_status_update", json!({"event": "APPROVED"}), "template_status"),
        ("message_template_status_update", json!({"new_quality_score": "RED"}), "template_quality"),
        ("message_template_quality_update", json!({"new_quality_score": "RED"}), "template_quality"),
        ("template_category_update", json!({"new_category": "MARKETING"}), "template_category"),
        ("message_template_components_update", json!({}), "template_components"),
        ("account_alerts", json!({}), "account_alert"),
        ("account_update", json!({"event": "PARTNER_ADDED"}), "account_update"),
        ("account_review_update", json!({"decision": "APPROVED"}), "account_review"),
        ("business_capability_update", json!({}), "business_capability"),
        ("phone_number_quality_update", json!({}), "phone_number_quality"),
        ("phone_number_name_update", json!({}), "phone_number_name"),
        ("security", json!({}), "security"),
        ("user_preferences", json!({}), "user_preferences"),
        ("payment_configuration_update", json!({}), "payment_configuration"),
        ("messages", json!({"errors": [{"code": 1}]}), "errors"),
        ("messages", json!({"errors": {"code": 1}}), "errors"),
        ("messages", json!({"error": {"code": 1}}), "errors"),
        ("messages", json!({"error": [{"code": 1}], "errors": []}), "errors"),
        ("messages", json!({"error": null, "errors": []}), "unknown"),
        ("messages", json!({"metadata": {}}), "unknown"),
        ("messages", json!([1]), "unknown"),
        ("calls", json!({"statuses": [{"id": "x"}]}), "unknown"),
        ("brand_new", json!({"x": 1}), "unknown"),
    ] {
        let body = json!({"object": "o", "entry": [{"id": "1", "changes": [{"field": field, "value": value}]}]});
        let items = items(body.to_string().as_bytes());
        assert_eq!(items.len(), 1, "{body}");
        assert_eq!(items[0].kind.as_str(), kind, "{body}");
        assert_eq!(items[0].field, field);
        assert_eq!(serde_json::from_str::<Value>(items[0].value.get()).unwrap(), value);
    }
}

#[test]
fn an_invalid_envelope_is_one_unknown_item() {
    for (body, value) in [
        (r#"{"object":"whatsapp_business_account"}"#, r#"{"object":"whatsapp_business_account"}"#),
        ("[1, 2]", "[1, 2]"),
        ("12.50", "12.50"),
        ("", "null"),
        ("{", "null"),
        ("not json", "null"),
        (r#"{"entry":"x"}"#, r#"{"entry":"x"}"#),
        (r#"{"entry":[7]}"#, "7"),
        (r#"{"entry":[{"id":"1","messaging":[]}]}"#, r#"{"id":"1","messaging":[]}"#),
        (r#"{"entry":[{"id":"1","changes":[],"messaging":[]}]}"#, r#"{"id":"1","changes":[],"messaging":[]}"#),
        (r#"{"entry":[{"changes":[3]}]}"#, "3"),
        (r#"{"entry":[{"changes":[{"field":"messages"}]}]}"#, r#"{"field":"messages"}"#),
        (r#"{"entry":[{"changes":[{"field":"messages","value":{"statuses":[]}}]}]}"#, r#"{"statuses":[]}"#),
    ] {
        assert_eq!(kinds(body), [("unknown".to_owned(), value.to_owned())], "{body}");
    }
    assert!(items(br#"{"object":"o","entry":[]}"#).is_empty());
    assert!(items(br#"{"object":"o","entry":[{"id":"1","changes":[]}]}"#).is_empty());
    let broken = items(b"\xff\xfe{}");
    assert_eq!((broken.len(), broken[0].value.get()), (1, "null"));
    assert_ne!(broken[0].key, items(b"\xff\xfe[]")[0].key);
}

#[test]
fn an_item_has_only_its_own_contact() {
    let contact = |id: &str| json!({"wa_id": id, "user_id": format!("US.{id}")});
    let (one, two) = (contact("1"), contact("2"));
    for (contacts, element, own) in [
        (json!([one, two]), json!({"from": "2"}), json!([two])),
        (json!([one, two]), json!({"from": "", "from_user_id": "US.1"}), json!([one])),
        (json!([one, two]), json!({"from": "3"}), Value::Null),
        (json!([one, two, one]), json!({"from": "1"}), json!([one])),
        (json!([one]), json!({"from": "3"}), json!([one])),
        (json!(one), json!({"from": "1"}), json!(one)),
        (json!([]), json!({"from": "1"}), Value::Null),
        (json!("x"), json!({"from": "1"}), json!("x")),
    ] {
        for (list, field) in [("messages", "from"), ("statuses", "recipient_id")] {
            let mut element = element.clone();
            element[field] = element["from"].take();
            if let Some(user) = element.get("from_user_id").filter(|_| list == "statuses").cloned() {
                element["recipient_user_id"] = user;
            }
            let value = json!({"contacts": contacts, list: [element]});
            let body = json!({"entry": [{"changes": [{"field": "messages", "value": value}]}]}).to_string();
            let item: Value = serde_json::from_str(items(body.as_bytes())[0].value.get()).unwrap();
            assert_eq!(item["contacts"], own, "{body}");
        }
    }
}

#[test]
fn a_delivery_can_be_split_in_steps() {
    let statuses: Vec<Value> = (0..400).map(|n| json!({"id": (n % 300).to_string(), "status": "sent"})).collect();
    let value = json!({"metadata": {"phone_number_id": "7"}, "contacts": [{"wa_id": "1"}], "statuses": statuses,
        "messages": [1, {"id": "m", "from": "1"}]});
    let change = json!({"field": "messages", "value": value});
    let other = json!({"field": "brand_new", "value": {"x": 1}});
    let body =
        json!({"entry": [{"id": "1", "changes": [change, other]}, {"id": "2", "changes": [change]}, 7]}).to_string();
    let whole: Vec<_> =
        items(body.as_bytes()).into_iter().map(|item| (item.key, item.value.get().to_owned())).collect();
    for max_bytes in [0, 1_000, 5_000, 1 << 20] {
        let (mut parts, mut next) = (Vec::new(), Some(0));
        while let Some(first) = next {
            assert_eq!(first, parts.len());
            let (items, then) = items_from(body.as_bytes(), first, max_bytes);
            let taken: usize = items.iter().map(Item::memory).sum();
            assert!(!items.is_empty() && taken <= max_bytes + 1_000, "{taken} bytes");
            parts.extend(items.into_iter().map(|item| (item.key, item.value.get().to_owned())));
            next = then;
        }
        assert_eq!(parts, whole, "{max_bytes}");
    }
}

#[test]
fn malformed_elements_do_not_hide_valid_ones() {
    let body = r#"{"entry":[{"changes":[{"field":"messages","value":{"statuses":[1,{"id":"a"},"x"],"m":0}}]}]}"#;
    assert_eq!(
        kinds(body),
        [
            ("status".to_owned(), r#"{"statuses":[{"id":"a"}],"m":0}"#.to_owned()),
            ("unknown".to_owned(), r#"{"statuses":[1,"x"]}"#.to_owned())
        ]
    );
}

fn key(entry: Value) -> String {
    let body = json!({"object": "o", "entry": [entry]}).to_string();
    items(body.as_bytes())[0].key.clone()
}

fn status(status: Value) -> String {
    key(json!({"id": "1", "changes": [{"field": "messages", "value": {"metadata": {}, "statuses": [status]}}]}))
}

#[test]
fn a_key_identifies_the_effect() {
    let sent = status(json!({"id": "a", "status": "sent", "timestamp": "1"}));
    assert_eq!(sent, status(json!({"timestamp": 1, "status": "sent", "id": "a", "pricing": {"billable": true}})));
    for other in [
        json!({"id": "b", "status": "sent", "timestamp": "1"}),
        json!({"id": "a", "status": "read", "timestamp": "1"}),
        json!({"id": "a", "status": "sent", "timestamp": "2"}),
        json!({"id": "a", "status": "sent", "timestamp": "1", "recipient_participant_id": "p"}),
    ] {
        assert_ne!(sent, status(other.clone()), "{other}");
    }
    let message = |value: Value| key(json!({"id": "1", "changes": [{"field": "messages", "value": value}]}));
    assert_eq!(
        message(json!({"messages": [{"id": "m"}]})),
        message(json!({"contacts": [], "messages": [{"id": "m"}]}))
    );
    let template = |time: u64, event: &str| {
        let value = json!({"event": event, "message_template_id": 1});
        key(json!({"id": "1", "time": time, "changes": [{"field": "message_template_status_update", "value": value}]}))
    };
    assert_eq!(template(1, "APPROVED"), template(1, "APPROVED"));
    assert_ne!(template(1, "APPROVED"), template(2, "APPROVED"));
    assert_ne!(template(1, "APPROVED"), template(1, "REJECTED"));
    let other = |account: &str| key(json!({"id": account, "changes": [{"field": "new", "value": {"a": 1}}]}));
    assert_eq!(other("1"), other("1"));
    assert_ne!(other("1"), other("2"));
}

#[test]
fn undated_events_may_occur_again() {
    let change = |field: &str, value: Value| json!({"field": field, "value": value});
    let status = |event: &str| {
        let value = json!({"event": event, "message_template_name": "promo", "message_template_language": "pt_BR"});
        change("message_template_status_update", value)
    };
    let named = |name: &str| {
        change("message_template_status_update", json!({"event": "APPROVED", "message_template_name": name}))
    };
    let pin = |event: &str| change("security", json!({"event": event, "display_phone_number": "1"}));
    let score = |score: &str| change("message_template_quality_update", json!({"new_quality_score": score}));
    let account = |event: &str| change("account_update", json!({"event": event}));
    for (what, changes, expected) in [
        ("the same words in a row", vec![status("APPROVED"), status("APPROVED")], 1),
        ("another status between", vec![status("APPROVED"), status("REJECTED"), status("APPROVED")], 3),
        ("a score between two statuses", vec![status("APPROVED"), score("RED"), status("APPROVED")], 2),
        ("another template between", vec![named("a"), named("b"), named("a")], 2),
        ("security", vec![pin("PIN_CHANGED"), pin("PIN_RESET_REQUEST"), pin("PIN_CHANGED")], 3),
        ("quality", vec![score("RED"), score("GREEN"), score("RED"), score("RED")], 3),
        ("accounts", vec![account("ACCOUNT_VIOLATION"), account("PARTNER_ADDED"), account("ACCOUNT_VIOLATION")], 3),
        ("errors", vec![change("messages", json!({"errors": [{"code": 1}]})); 2], 1),
        (
            "what is not known",
            vec![change("x", json!({"a": 1})), change("x", json!({"a": 2})), change("x", json!({"a": 1}))],
            2,
        ),
    ] {
        let body = json!({"entry": [{"id": "1", "changes": changes}]}).to_string();
        let items = items(body.as_bytes());
        assert_eq!(items.len(), expected, "{what}");
        assert!(what == "what is not known" || items.iter().all(|item| item.subject.is_some()), "{what}");
        for nothing in [json!(0), json!("0"), json!(""), json!(-1), json!(null)] {
            let body = json!({"entry": [{"id": "1", "time": nothing, "changes": changes}]}).to_string();
            assert_eq!(super::items(body.as_bytes()).len(), expected, "{what}: the time {nothing} is none");
        }
        let dated = json!({"entry": [{"id": "1", "time": 5, "changes": changes}]}).to_string();
        let dated = super::items(dated.as_bytes());
        assert!(dated.iter().all(|item| item.subject.is_none() && item.entry_at == Some(5_000)), "{what}");
    }
    let at =
        |time: u64, field: &str, value: Value| key(json!({"id": "1", "time": time, "changes": [change(field, value)]}));
    for (field, value) in [("security", json!({"event": "PIN_CHANGED"})), ("account_update", json!({"event": "X"}))] {
        assert_eq!(at(1, field, value.clone()), at(1, field, value.clone()), "{field}");
        assert_ne!(at(1, field, value.clone()), at(2, field, value), "{field}");
    }
}

#[test]
fn a_redelivery_is_soon_and_without_another_event_in_between() {
    for (before, at, changed_here_at, redelivery) in [
        (1_000, 1_000, None, true),
        (1_000, 1_000 + REDELIVERY_WINDOW, None, true),
        (1_000, 1_001 + REDELIVERY_WINDOW, None, false),
        // The clock was set back.
        (9_000, 1_000, None, true),
        (1_000, 9_000, Some(500), true),
        (1_000, 9_000, Some(5_000), false),
        (1_000, 9_000, Some(1_000), false),
        (i64::MIN, i64::MAX, None, false),
    ] {
        assert_eq!(is_redelivery(before, at, changed_here_at), redelivery, "{before} {at} {changed_here_at:?}");
    }
    let occurrence = occurrence_key("security:ab", 5, 0);
    assert_eq!((key_of_occurrence(&occurrence), key_of_occurrence("security:ab")), ("security:ab", "security:ab"));
}

#[test]
fn a_duplicate_effect_in_a_delivery_is_one_item() {
    let change = json!({"field": "messages", "value": {"statuses": [{"id": "a", "status": "sent"}, {"id": "a", "status": "sent"}]}});
    let body = json!({"entry": [{"id": "1", "changes": [change, change]}, {"id": "1", "changes": [change]}]});
    assert_eq!(items(body.to_string().as_bytes()).len(), 1);
}

#[test]
fn a_huge_delivery_is_bounded_and_keeps_number_and_contact() {
    let contacts: Vec<Value> =
        (0..5_000).map(|n| json!({"wa_id": n.to_string(), "profile": {"name": format!("Person {n}")}})).collect();
    let messages: Vec<Value> =
        (0..5_000).map(|n| json!({"id": format!("m{n}"), "from": n.to_string(), "type": "text"})).collect();
    let value = json!({"metadata": {"phone_number_id": "7"}, "contacts": contacts, "messages": messages});
    let body = json!({"entry": [{"id": "1", "changes": [{"field": "messages", "value": value}]}]}).to_string();
    let items = items(body.as_bytes());
    assert_eq!(items.len(), 5_000);
    assert!(items.iter().map(|item| item.value.get().len()).sum::<usize>() < 3 * REPEATED_BYTES);
    let Decoded::Message { contact, metadata, .. } = items[4_999].decode() else { panic!("not a message") };
    assert_eq!(contact.unwrap().name(), Some("Person 4999"));
    assert_eq!(metadata.phone_number_id, "7");
}

#[test]
fn hostile_bodies_are_bounded() {
    let depth = 300_000;
    for body in [
        "[".repeat(depth) + &"]".repeat(depth),
        format!(
            r#"{{"entry":[{{"changes":[{{"field":"messages","value":{}{}}}]}}]}}"#,
            "[".repeat(depth),
            "]".repeat(depth)
        ),
        format!(
            r#"{{"entry":[{{"changes":[{{"field":"messages","value":{{"statuses":[{}0]}}}}]}}]}}"#,
            "0,".repeat(500_000)
        ),
        format!(
            r#"{{"entry":[{{"changes":[{{"field":"messages","value":{{{}"x":0}}}}]}}]}}"#,
            r#""statuses":{},"#.repeat(100_000)
        ),
        format!(
            r#"{{"entry":[{{"changes":[{{"field":"messages","value":{{{}"statuses":[{}0]}}}}]}}]}}"#,
            r#""":0,"#.repeat(100_000),
            (0..30_000).map(|n| format!(r#"{{"id":{n}}},"#)).collect::<String>()
        ),
        format!(r#"{{"entry":[{{"id":"{}","changes":[{}0]}}]}}"#, "9".repeat(2_000_000), "{},".repeat(500_000)),
    ] {
        let items = items(body.as_bytes());
        let carried: usize = items.iter().map(|item| item.value.get().len() + item.field.len()).sum();
        assert!(carried <= 3 * REPEATED_BYTES + 2 * body.len(), "{carried} bytes of {}", body.len());
        for item in items.iter().take(3) {
            drop(item.decode());
        }
    }
}
