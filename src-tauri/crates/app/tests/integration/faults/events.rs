//! An endless sequence of deliveries, each a function of its number: acknowledged ones are stored as numbers, from
//! which every byte and effect can be derived.

/// Deliveries in a group: each group has its own messages.
pub(super) const GROUP: u64 = 8;
/// First instant, in Unix seconds.
const EPOCH: u64 = 1_700_000_000;

/// Identifies one event of a delivery.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct ExpectedEvent {
    pub(super) kind: &'static str,
    pub(super) message: String,
    pub(super) status: String,
    pub(super) template: String,
}

/// The message whose statuses are in three deliveries.
pub(super) fn followed(group: u64) -> String {
    format!("wamid.followed.{group}")
}

/// The delivery with that number.
pub(super) fn body(number: u64) -> String {
    batch(&[number])
}

/// One delivery of several.
pub(super) fn batch(numbers: &[u64]) -> String {
    let entries: Vec<String> = numbers.iter().map(|number| entry(*number)).collect();
    format!(r#"{{"object":"messaging_business_account","entry":[{}]}}"#, entries.join(","))
}

/// An entry in the provider's format: escaped slashes and characters, raw ones, irregular whitespace.
fn entry(number: u64) -> String {
    let (group, place) = (number / GROUP, number % GROUP);
    let at = EPOCH + group;
    let contact = 551_190_000_000 + group % 500;
    let metadata = r#""messaging_product":"messaging","metadata":{"display_phone_number":"55 11 4000-0000","phone_number_id":"100200300"}"#;
    let status = |message: &str, word: &str, at: u64, more: &str| {
        format!(
            r#"{{"id":"{message}","status":"{word}","timestamp":"{at}","recipient_id":"{contact}","conversation":{{"id":"c{group}","origin":{{"type":"marketing"}}}},"pricing":{{"billable":true,"pricing_model":"PMP","category":"marketing"}},"biz_opaque_callback_data":"{{\"job\":{group},\"site\":\"https:\/\/shop.example\/caf\u00e9\"}}"{more}}}"#
        )
    };
    let statuses = |list: String| ("messages", format!(r#"{{{metadata},"statuses":[{list}]}}"#));
    let (field, value) = match place {
        0 => statuses(status(&followed(group), "sent", at, "")),
        1 => statuses(status(&followed(group), "delivered", at + 1, "")),
        2 => statuses(status(&followed(group), "read", at + 2, "")),
        3 => {
            let error = r#","errors":[{"code":131053,"title":"Media upload error","message":"too large","retryable":false,"classification":"UserError","details":{"file_size_bytes":6000000,"max_size_bytes":5242880,"reason":"size"}}]"#;
            statuses(status(&format!("wamid.failed.{group}"), "failed", at, error))
        }
        4 => (
            "messages",
            format!(
                r#"{{{metadata},"contacts":[{{"profile":{{"name":"Jos\u00e9 \ud83d\ude00"}},"wa_id":"{contact}"}}],"messages":[{{"from":"{contact}","id":"wamid.in.{group}","timestamp":"{at}","type":"text","text":{{"body":"Olá, número {group} \/ ok?"}}}}]}}"#
            ),
        ),
        5 => {
            let event = ["PENDING", "APPROVED", "REJECTED", "DISABLED"][(group / 20 % 4) as usize];
            (
                "message_template_status_update",
                format!(
                    r#"{{"message_template_id":{group},"message_template_name":"offer_{}","message_template_language":"pt_BR","event":"{event}"}}"#,
                    group % 20
                ),
            )
        }
        6 => ("something_new", format!(r#"{{"n":{group},  "deep":{{"list":[1,2.50,"\u0041"]}}}}"#)),
        _ => (
            "messages",
            format!(
                r#"{{{metadata},"contacts":[{{"profile":{{"name":"Ana"}},"wa_id":"{contact}"}}],"messages":[{{"from":"{contact}","id":"wamid.pair.{group}","timestamp":"{at}","type":"interactive","interactive":{{"type":"button_reply","button_reply":{{"id":"b{group}","title":"Sim"}}}}}}],"statuses":[{}]}}"#,
                status(&format!("wamid.alone.{group}"), "sent", at, "")
            ),
        ),
    };
    format!(r#"{{"id":"{number}","changes":[{{"field":"{field}","value":{value}}}]}}"#)
}

/// The number of a delivery; `None` for other bytes.
pub(super) fn number(body: &[u8]) -> Option<u64> {
    let start = br#"{"object":"messaging_business_account","entry":[{"id":""#;
    let rest = body.strip_prefix(start)?;
    let digits = rest.iter().position(|&byte| byte == b'"')?;
    let number = std::str::from_utf8(&rest[..digits]).ok()?.parse().ok()?;
    (self::body(number).as_bytes() == body).then_some(number)
}

/// The events of the delivery with that number.
pub(super) fn expected_events(number: u64) -> Vec<ExpectedEvent> {
    let (group, place) = (number / GROUP, number % GROUP);
    let expected_event = |kind, message: String, status: &str, template: String| ExpectedEvent {
        kind,
        message,
        status: status.to_owned(),
        template,
    };
    let none = String::new;
    match place {
        0 => vec![expected_event("status", followed(group), "sent", none())],
        1 => vec![expected_event("status", followed(group), "delivered", none())],
        2 => vec![expected_event("status", followed(group), "read", none())],
        3 => vec![expected_event("status", format!("wamid.failed.{group}"), "failed", none())],
        4 => vec![expected_event("message", format!("wamid.in.{group}"), "", none())],
        5 => {
            let event = ["PENDING", "APPROVED", "REJECTED", "DISABLED"][(group / 20 % 4) as usize];
            vec![expected_event("template_status", none(), event, group.to_string())]
        }
        6 => vec![expected_event("unknown", none(), "", none())],
        _ => vec![
            expected_event("message", format!("wamid.pair.{group}"), "", none()),
            expected_event("status", format!("wamid.alone.{group}"), "sent", none()),
        ],
    }
}
