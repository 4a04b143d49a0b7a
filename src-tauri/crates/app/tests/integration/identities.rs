//! A person's number, user id and username are one contact with one conversation.

use command_types::inbox::{ContactQuery, ContactRow, ConversationPage};
use serde_json::{Value, json};

use super::inbox::{conversation, deliver_value};
use super::revisions::Desk;

const ANA: &str = "5511987654321";
const ANAS_NEW: &str = "5521987654321";

impl Desk {
    async fn receive(&mut self, contacts: Value, list: &str, element: Value) {
        let value = json!({
            "messaging_product": "messaging",
            "metadata": {"display_phone_number": "15550100", "phone_number_id": "101"},
            "contacts": contacts,
            list: [element],
        });
        deliver_value(&self.provider, &value).await;
        self.harness.wait_for_projection().await;
    }

    async fn contacts(&self, search: Option<&str>) -> Vec<ContactRow> {
        let query = ContactQuery {
            workspace: self.provider.workspace.clone(),
            search: search.map(str::to_owned),
            limit: 50,
            ..ContactQuery::default()
        };
        self.core.conversations.list_contacts(query).await.unwrap().rows
    }

    async fn page(&self, contact: &str) -> ConversationPage {
        conversation(&self.core, &self.provider.workspace, contact, 50).await
    }
}

fn text(id: &str, at: i64, ids: Value, body: &str) -> Value {
    let mut message = json!({"id": id, "timestamp": at.to_string(), "type": "text", "text": {"body": body}});
    message.as_object_mut().unwrap().extend(ids.as_object().unwrap().clone());
    message
}

fn texts(page: &ConversationPage) -> Vec<&str> {
    page.messages.iter().rev().map(|message| message.text.as_str()).collect()
}

#[tokio::test]
async fn number_user_id_and_username_are_one_contact() {
    let mut desk = Desk::start().await;
    let hidden = json!([{"profile": {"name": "Ana", "username": "ana.flowers"}, "user_id": "BR.1"}]);
    let full = json!([{"profile": {"name": "Ana"}, "wa_id": ANA, "user_id": "BR.1"}]);
    desk.receive(hidden, "messages", text("a", 100, json!({"from_user_id": "BR.1"}), "hidden")).await;
    assert_eq!(desk.contacts(None).await[0].contact, "BR.1");
    assert!(!desk.page("BR.1").await.can_reply);
    desk.receive(full, "messages", text("b", 200, json!({"from": ANA}), "shown")).await;

    let rows = desk.contacts(None).await;
    assert_eq!(rows.len(), 1);
    assert_eq!((rows[0].contact.as_str(), rows[0].name.as_str(), rows[0].unread), (ANA, "Ana", 2));
    for id in [ANA, "BR.1"] {
        let page = desk.page(id).await;
        assert_eq!((texts(&page), page.name.as_str()), (vec!["hidden", "shown"], "Ana"), "{id}");
        assert_eq!((page.contact.as_str(), page.can_reply), (ANA, true), "{id}");
        assert_eq!((page.username.as_deref(), page.window.last_inbound_at), (Some("ana.flowers"), Some(200_000)));
    }
    for words in ["ana.flowers", "BR.1", "98765"] {
        assert_eq!(desk.contacts(Some(words)).await.len(), 1, "{words}");
    }
    desk.harness.close().await;
}

#[tokio::test]
async fn a_status_that_knows_only_the_user_id_belongs_to_the_person() {
    let mut desk = Desk::start().await;
    let full = json!([{"profile": {"name": "Ana"}, "wa_id": ANA, "user_id": "BR.1"}]);
    let sent = json!({"id": "ours", "status": "sent", "timestamp": "300", "recipient_id": "",
        "recipient_user_id": "BR.1"});
    desk.receive(json!([{"user_id": "BR.1"}]), "statuses", sent).await;
    desk.receive(full, "messages", text("b", 200, json!({"from": ANA}), "shown")).await;
    let page = desk.page(ANA).await;
    assert_eq!(
        page.messages.iter().map(|it| (it.id.as_str(), it.outgoing)).collect::<Vec<_>>(),
        [("ours", true), ("b", false)]
    );
    desk.harness.close().await;
}

#[tokio::test]
async fn a_new_number_and_a_new_user_id_continue_the_conversation() {
    let mut desk = Desk::start().await;
    let full = |number: &str, id: &str| json!([{"profile": {"name": "Ana"}, "wa_id": number, "user_id": id}]);
    let system = |id: &str, from: Value, system: Value| {
        let mut message = json!({"id": id, "timestamp": "150", "type": "system", "system": system});
        message.as_object_mut().unwrap().extend(from.as_object().unwrap().clone());
        message
    };
    desk.receive(full(ANA, "BR.1"), "messages", text("a", 100, json!({"from": ANA}), "before")).await;
    let number = json!({"body": "new number", "wa_id": ANAS_NEW, "type": "user_changed_number"});
    desk.receive(json!([]), "messages", system("s1", json!({"from": ANA}), number)).await;
    // The notices of the channel are no messages that may be answered freely.
    assert_eq!(desk.page(ANA).await.window.last_inbound_at, Some(100_000));
    let user = json!({"body": "new id", "user_id": "BR.2", "previous_user_id": "BR.1", "type": "user_changed_user_id"});
    desk.receive(json!([]), "messages", system("s2", json!({}), user)).await;
    desk.receive(full(ANAS_NEW, "BR.2"), "messages", text("b", 200, json!({"from": ANAS_NEW}), "after")).await;

    let rows = desk.contacts(None).await;
    assert_eq!(rows.iter().map(|row| row.contact.as_str()).collect::<Vec<_>>(), [ANAS_NEW]);
    let expected = ["before", "new number", "new id", "after"];
    for id in [ANA, ANAS_NEW, "BR.1", "BR.2"] {
        let page = desk.page(id).await;
        assert_eq!((texts(&page).as_slice(), page.contact.as_str()), (&expected[..], ANAS_NEW), "{id}");
    }
    let before = desk.contacts(None).await;
    desk.core.webhooks.rebuild_projection(command_types::Nothing {}).await.unwrap();
    desk.harness.wait_for_projection().await;
    assert_eq!(desk.contacts(None).await, before);
    assert_eq!(texts(&desk.page(ANA).await), expected);
    desk.harness.close().await;
}

#[tokio::test]
async fn contacts_with_one_name_stay_apart() {
    let mut desk = Desk::start().await;
    for (id, number) in [("a", ANA), ("b", "447700900123")] {
        let contact = json!([{"profile": {"name": "Ana"}, "wa_id": number}]);
        desk.receive(contact, "messages", text(id, 100, json!({"from": number}), "hi")).await;
    }
    assert_eq!(desk.contacts(None).await.len(), 2);
    desk.harness.close().await;
}
