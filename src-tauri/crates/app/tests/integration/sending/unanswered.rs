//! What waits for an answer, on which of our numbers, and what needs none.

use command_types::Nothing;
use command_types::conversations::{
    ContactQuery, ContactRow, ConversationPage, ListedPeople, NoAnswerUntil, UnansweredMessage,
};
use command_types::recipients::SaveRecipient;
use command_types::send::{SendOptions, SendText, ServiceWindow};
use command_types::workspace::SendingNumber;
use serde_json::json;

use super::{Desk, NUMBER, RECIPIENT, hello};
use crate::webhooks::envelope;

/// Number of ours that receives messages, beside [`NUMBER`].
const OTHER: &str = "n1";
const MINUTE: i64 = 60_000;

async fn desk_of_two_numbers() -> Desk {
    let desk = Desk::start(&[hello()]).await;
    let number = |id: &str, label: &str| SendingNumber { id: id.into(), label: label.into(), ..Default::default() };
    desk.set_numbers(vec![number(NUMBER, "Clinic"), number(OTHER, "Shop")]).await;
    desk
}

/// A text to one of our numbers, this many milliseconds ago. Returns its instant.
async fn wrote(desk: &mut Desk, number: &str, id: &str, words: &str, ago: i64) -> i64 {
    let at = (chrono::Utc::now().timestamp_millis() - ago) / 1_000;
    let message = json!({"from": RECIPIENT, "id": id, "timestamp": at.to_string(), "type": "text",
        "text": {"body": words}});
    let body = envelope(json!({"contacts": [{"profile": {"name": "Ana"}, "wa_id": RECIPIENT}], "messages": [message]}));
    desk.deliver(&body.replace(&format!("\"{OTHER}\""), &format!("\"{number}\""))).await;
    at * 1_000
}

async fn answer(desk: &Desk, number: &str) {
    let text = SendText {
        workspace: desk.workspace(),
        number: number.to_owned(),
        to: format!("+{RECIPIENT}"),
        text: "It has left.".to_owned(),
        options: SendOptions { track: true, ..SendOptions::default() },
        ..SendText::default()
    };
    desk.core().messaging.send_text(text).await.unwrap();
}

async fn unanswered(desk: &Desk, query: ContactQuery) -> Vec<ContactRow> {
    let people = ListedPeople::Unanswered;
    let query = ContactQuery { workspace: desk.workspace(), people, limit: 10, ..query };
    desk.core().conversations.list_contacts(query).await.unwrap().rows
}

async fn set_until(desk: &Desk, until: Option<i64>) {
    let request = NoAnswerUntil { workspace: desk.workspace(), contact: RECIPIENT.to_owned(), until };
    desk.core().conversations.set_no_answer_until(request).await.unwrap();
}

fn waits(page: &ConversationPage) -> Vec<(Option<&str>, i64)> {
    page.unanswered.iter().map(|UnansweredMessage { number, at }| (number.as_deref(), *at)).collect()
}

/// An answer from one number is later than the question to the other, and hides it nowhere.
#[tokio::test]
async fn a_question_is_listed_with_its_text_and_number_until_it_is_answered_from_there() {
    let mut desk = desk_of_two_numbers().await;
    let order = wrote(&mut desk, OTHER, "wamid.in.1", "Where is my order?", 9 * MINUTE).await;
    let visit = wrote(&mut desk, NUMBER, "wamid.in.2", "Posso remarcar minha consulta?", 5 * MINUTE).await;
    assert_eq!(waits(&desk.conversation(None).await), [(Some(NUMBER), visit), (Some(OTHER), order)]);
    answer(&desk, OTHER).await;
    for query in [
        ContactQuery::default(),
        ContactQuery { search: Some("ana".to_owned()), ..ContactQuery::default() },
        ContactQuery { number: Some(NUMBER.to_owned()), ..ContactQuery::default() },
        ContactQuery { unread: Some(true), ..ContactQuery::default() },
    ] {
        let rows = unanswered(&desk, query.clone()).await;
        let [row] = rows.as_slice() else { panic!("{query:?}: {rows:?}") };
        assert_eq!((row.excerpt.as_str(), row.outgoing), ("Posso remarcar minha consulta?", false), "{query:?}");
        assert_eq!((row.number.as_deref(), row.last_at, &row.state), (Some("Clinic"), visit, &None), "{query:?}");
        assert!(row.unread > 0);
        // The other number has a window of its own.
        let open_until = row.window.as_ref().and_then(|window| window.open_until);
        assert_eq!(open_until, Some(visit + ServiceWindow::LENGTH), "{query:?}");
    }
    assert_eq!(waits(&desk.conversation(None).await), [(Some(NUMBER), visit)]);
    // They write to the answered number again: the older question is still open.
    let thanks = wrote(&mut desk, OTHER, "wamid.in.3", "Thanks", -MINUTE).await;
    assert_eq!(waits(&desk.conversation(None).await), [(Some(OTHER), thanks), (Some(NUMBER), visit)]);
    assert_eq!(unanswered(&desk, ContactQuery::default()).await[0].excerpt, "Thanks");
    answer(&desk, NUMBER).await;
    assert_eq!(waits(&desk.conversation(None).await), [(Some(OTHER), thanks)]);
    desk.harness.close().await;
}

/// "Thanks" needs no answer. What a person decided is not in the cache.
#[tokio::test]
async fn what_needs_no_answer_is_not_listed_until_the_person_writes_again() {
    let mut desk = desk_of_two_numbers().await;
    wrote(&mut desk, OTHER, "wamid.in.1", "Where is my order?", 9 * MINUTE).await;
    let thanks = wrote(&mut desk, NUMBER, "wamid.in.2", "🌹", 5 * MINUTE).await;
    set_until(&desk, Some(thanks)).await;
    let is_listed = async |desk: &Desk| !unanswered(desk, ContactQuery::default()).await.is_empty();
    assert!(!is_listed(&desk).await);
    let page = desk.conversation(None).await;
    assert_eq!((waits(&page), page.no_answer_until), (vec![], Some(thanks)));
    desk.core().webhooks.rebuild_projection(Nothing {}).await.unwrap();
    desk.harness.wait_for_projection().await;
    assert!(!is_listed(&desk).await, "after a rebuild");
    // Taken back.
    set_until(&desk, None).await;
    assert!(is_listed(&desk).await);
    assert_eq!(desk.conversation(None).await.no_answer_until, None);
    set_until(&desk, Some(thanks)).await;
    let at = wrote(&mut desk, NUMBER, "wamid.in.3", "One more question", 3 * MINUTE).await;
    assert_eq!(waits(&desk.conversation(None).await), [(Some(NUMBER), at)]);
    assert_eq!(unanswered(&desk, ContactQuery::default()).await[0].excerpt, "One more question");
    desk.harness.close().await;
}

#[tokio::test]
async fn people_are_found_by_note_label_and_number_in_another_notation() {
    let mut desk = desk_of_two_numbers().await;
    wrote(&mut desk, NUMBER, "wamid.in.1", "Oi", 5 * MINUTE).await;
    let person = SaveRecipient {
        workspace: desk.workspace(),
        name: "Ana Souza".to_owned(),
        number: format!("+{RECIPIENT}"),
        note: "Allergic to lilies".to_owned(),
        labels: vec!["VIP".to_owned()],
        ..SaveRecipient::default()
    };
    desk.core().messaging.save_recipient(person).await.unwrap();
    for (search, expected) in [
        ("lilies", 1),
        ("ana LÍLIES", 1),
        ("vip", 1),
        ("Ana vip", 1),
        ("roses", 0),
        ("+55 11 8765-4321", 1),
        ("55 11 8765-4322", 0),
        ("(011) 98765 4321", 1),
        ("011 98765-4321", 1),
        ("011 98765-4322", 0),
    ] {
        let query = ContactQuery {
            workspace: desk.workspace(),
            search: Some(search.to_owned()),
            limit: 9,
            ..Default::default()
        };
        let rows = desk.core().conversations.list_contacts(query).await.unwrap().rows;
        assert_eq!(rows.len(), expected, "{search}");
    }
    desk.harness.close().await;
}

/// An agent who answers by the newest loses those whose 24 hours end within minutes.
#[tokio::test]
async fn who_can_be_answered_the_shortest_is_in_front() {
    let mut desk = desk_of_two_numbers().await;
    for (who, hours) in [("11", 30), ("12", 23), ("13", 1), ("14", 12)] {
        let body = envelope(json!({"contacts": [{"profile": {"name": who}, "wa_id": format!("55119876500{who}")}],
            "messages": [{"from": format!("55119876500{who}"), "id": format!("wamid.{who}"), "type": "text",
                "timestamp": (chrono::Utc::now().timestamp() - hours * 3_600).to_string(), "text": {"body": "Oi"}}]}));
        desk.deliver(&body).await;
    }
    let ending = async |query: ContactQuery| {
        let mut query = ContactQuery { workspace: desk.workspace(), people: ListedPeople::Ending, limit: 2, ..query };
        let mut names = Vec::new();
        loop {
            let page = desk.core().conversations.list_contacts(query.clone()).await.unwrap();
            assert!(page.rows.iter().all(|row| row.window.is_some()), "{:?}", page.rows);
            names.extend(page.rows.into_iter().map(|row| row.name));
            let Some(next) = page.next else { return names };
            query.after = Some(next);
        }
    };
    assert_eq!(ending(ContactQuery::default()).await, ["12", "14", "13"]);
    assert_eq!(ending(ContactQuery { unread: Some(true), ..ContactQuery::default() }).await, ["12", "14", "13"]);
    assert_eq!(
        ending(ContactQuery { search: Some("5511987650012".to_owned()), ..ContactQuery::default() }).await,
        ["12"]
    );
    let closed = ending(ContactQuery { search: Some("5511987650011".to_owned()), ..ContactQuery::default() }).await;
    assert_eq!(closed, [] as [String; 0]);
    desk.harness.close().await;
}
