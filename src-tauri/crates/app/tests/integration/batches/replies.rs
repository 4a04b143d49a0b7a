//! Who answered a batch, and with which button.

use command_types::batch::BatchId;
use command_types::batch_round::ButtonTaps;
use serde_json::{Value, json};

use super::super::webhooks::wait_until;
use super::round::{deliver, groups, now, sender};
use super::{Desk, recipient};

/// What a person sends, such as a tap.
pub(super) fn message(from: &str, id: &str, at: i64, content: Value) -> Value {
    let mut message = json!({"from": from, "id": id, "timestamp": (at / 1_000).to_string()});
    message.as_object_mut().unwrap().extend(content.as_object().unwrap().clone());
    json!({"contacts": [{"profile": {"name": "Ana"}, "wa_id": from}], "messages": [message]})
}

pub(super) fn tap(of: &str, button: &str, payload: &str) -> Value {
    json!({"type": "button", "context": {"id": of}, "button": {"text": button, "payload": payload}})
}

pub(super) fn text(body: &str) -> Value {
    json!({"type": "text", "text": {"body": body}})
}

#[tokio::test]
async fn people_who_replied_are_counted_by_the_button_that_they_tapped_last() {
    let mut desk = Desk::start().await;
    let id = desk.started().await;
    desk.wait_until_ended(&id).await;
    let sender = sender(&desk).await;
    let of = |line: u32| {
        let nth = desk.provider.sends().iter().position(|body| body["to"] == recipient(line)).unwrap();
        format!("wamid.{nth}")
    };
    let reply = json!({"type": "button_reply", "button_reply": {"id": "n", "title": "Não"}});
    let at = now() + 1_000;
    let messages = [
        (2, at, tap(&of(2), "Sim", "yes-2")),
        // Another payload of the same button, and a text after it.
        (3, at, tap(&of(3), "Sim", "yes-3")),
        (3, at + 2_000, text("Obrigada")),
        (4, at, json!({"type": "interactive", "context": {"id": of(4)}, "interactive": reply})),
        // Who changes their mind counts once.
        (5, at, tap(&of(5), "Sim", "yes-5")),
        (5, at + 1_000, tap(&of(5), "Não", "no-5")),
        (6, at, tap(&of(6), "Sim", "yes-6")),
        (7, at, text("Quem é?")),
        // A button of another message.
        (8, at, tap("wamid.other", "Sim", "yes")),
    ];
    for (place, (line, at, content)) in messages.into_iter().enumerate() {
        deliver(&sender, message(&recipient(line), &format!("wamid.in.{place}"), at, content)).await;
    }
    wait_until("all replied", async || groups(&desk, &id).await.replied == 7).await;
    let taps = |button: &str, people| ButtonTaps { button: button.to_owned(), people };
    assert_eq!(groups(&desk, &id).await.taps, [taps("Sim", 3), taps("Não", 2)]);

    let replies = desk.core.messaging.list_batch_replies(BatchId { batch: id.clone() }).await.unwrap().people;
    let tapped: Vec<_> =
        replies.iter().map(|reply| (reply.row, reply.tapped.as_deref(), reply.text.as_str())).collect();
    let expected = [
        (2, Some("Sim"), "Sim"),
        (3, Some("Sim"), "Obrigada"),
        (4, Some("Não"), "Não"),
        (5, Some("Não"), "Não"),
        (6, Some("Sim"), "Sim"),
        (7, None, "Quem é?"),
        (8, None, "Sim"),
    ];
    assert_eq!(tapped, expected);
    let path = desk.folder.path().join("replies.csv");
    desk.core.messaging.export_batch_replies_to(&path, BatchId { batch: id.clone() }).await.unwrap();
    let file = std::fs::read_to_string(&path).unwrap();
    let line = |row: u32| file.lines().find(|line| line.starts_with(&format!("{row},"))).unwrap().to_owned();
    assert!(line(3).ends_with(",text,Obrigada,Sim"), "{file}");
    assert!(line(7).ends_with("Quem é?,"), "{file}");
    desk.close().await;
}
