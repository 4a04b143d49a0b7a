//! A person's number, user id and username are one contact with one conversation.

use command_types::conversations::{ContactQuery, ContactRow, ConversationPage, MarkRead};
use serde_json::{Value, json};

use super::conversations::{conversation, deliver_value};
use super::revisions::Desk;
use crate::harness::Harness;
use crate::webhooks::envelope;

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

    /// Looks at the newest page of a conversation.
    async fn read(&self, contact: &str) {
        let until = self.page(contact).await.read_until.unwrap();
        let request = MarkRead { workspace: self.provider.workspace.clone(), contact: contact.to_owned(), until };
        self.core.conversations.mark_read(request).await.unwrap();
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

#[tokio::test]
async fn a_number_that_another_person_gets_does_not_merge_the_two() {
    let mut desk = Desk::start().await;
    let contact = |name: &str, username: &str, id: &str| json!([{"profile": {"name": name, "username": username}, "wa_id": ANA, "user_id": id}]);
    let from = |id: &str| json!({"from": ANA, "from_user_id": id});
    let revoke = |id: &str, at: i64, user: &str, original: &str| {
        let mut message = json!({"id": id, "timestamp": at.to_string(), "type": "revoke",
            "revoke": {"original_message_id": original}});
        message.as_object_mut().unwrap().extend(from(user).as_object().unwrap().clone());
        message
    };
    let (xenia, yuri) = (contact("Xenia", "@xenia", "BR.1"), contact("Yuri", "@yuri", "BR.2"));
    desk.receive(xenia.clone(), "messages", text("x1", 100, from("BR.1"), "Xenia private")).await;
    desk.receive(xenia.clone(), "messages", text("x2", 110, from("BR.1"), "Xenia too")).await;
    desk.read(ANA).await;
    desk.receive(
        json!([{"profile": {"name": "Yuri"}, "user_id": "BR.2", "wa_id": ANA}]),
        "messages",
        text("y1", 200, from("BR.2"), "Yuri writes"),
    )
    .await;
    // Nobody changes what another person wrote, and Xenia still changes what she wrote.
    desk.receive(yuri.clone(), "messages", revoke("r1", 210, "BR.2", "x1")).await;
    desk.receive(xenia, "messages", revoke("r2", 105, "BR.1", "x2")).await;

    for rebuilt in [false, true] {
        if rebuilt {
            desk.core.webhooks.rebuild_projection(command_types::Nothing {}).await.unwrap();
            desk.harness.wait_for_projection().await;
        }
        let rows = desk.contacts(None).await;
        let shown: Vec<_> = rows.iter().map(|row| (row.contact.as_str(), row.name.as_str(), row.unread)).collect();
        assert_eq!(shown, [(ANA, "Yuri", 1), ("BR.1", "Xenia", 0)]);
        let (hers, his) = (desk.page("BR.1").await, desk.page(ANA).await);
        assert_eq!((texts(&hers), texts(&his)), (vec!["Xenia private", ""], vec!["Yuri writes"]));
        assert_eq!((hers.name.as_str(), hers.username.as_deref(), hers.can_reply), ("Xenia", Some("xenia"), false));
        assert_eq!((his.name.as_str(), his.username.as_deref(), his.can_reply), ("Yuri", Some("yuri"), true));
        assert!(hers.messages[0].deleted_at.is_some() && hers.messages[1].deleted_at.is_none());
        assert_eq!(desk.contacts(Some("@xenia")).await.len(), 1);
    }
    desk.harness.close().await;
}

#[tokio::test]
async fn both_notations_of_a_number_are_one_conversation() {
    for (id, other) in [
        ("5531987651005", "553187651005"),
        ("5215512345678", "525512345678"),
        ("5491123456789", "541123456789"),
        ("22507123456", "2250707123456"),
        ("22997123456", "2290197123456"),
    ] {
        let mut desk = Desk::start().await;
        let contact = |number: &str| json!([{"profile": {"name": "Ana"}, "wa_id": number}]);
        let edit = json!({"id": "c", "from": other, "timestamp": "120", "type": "edit", "edit":
            {"original_message_id": "a", "message": {"type": "text", "text": {"body": "edited"}}}});
        desk.receive(contact(id), "messages", text("a", 100, json!({"from": id}), "one")).await;
        desk.receive(contact(other), "messages", text("b", 110, json!({"from": other}), "two")).await;
        desk.receive(contact(other), "messages", edit).await;
        let rows = desk.contacts(None).await;
        assert_eq!(rows.iter().map(|row| (row.contact.as_str(), row.unread)).collect::<Vec<_>>(), [(other, 2)]);
        for number in [id, other] {
            let page = desk.page(number).await;
            assert_eq!((texts(&page), page.contact.as_str()), (vec!["edited", "two"], other));
        }
        desk.harness.close().await;
    }
}

#[tokio::test]
async fn a_landline_and_a_mobile_that_look_alike_are_two_contacts() {
    let mut desk = Desk::start().await;
    for (id, number) in [("a", "551133334444"), ("b", "5511933334444")] {
        let contact = json!([{"profile": {"name": "Ana"}, "wa_id": number}]);
        desk.receive(contact, "messages", text(id, 100, json!({"from": number}), "hi")).await;
    }
    assert_eq!(desk.contacts(None).await.len(), 2);
    desk.harness.close().await;
}

#[tokio::test]
async fn a_late_status_of_a_replaced_number_does_not_split_the_person() {
    let mut desk = Desk::start().await;
    let full = json!([{"profile": {"name": "Ana"}, "wa_id": ANA, "user_id": "BR.1"}]);
    desk.receive(full, "messages", text("a", 100, json!({"from": ANA}), "before")).await;
    let system = json!({"id": "s", "from": ANA, "timestamp": "150", "type": "system",
        "system": {"body": "new number", "wa_id": ANAS_NEW, "type": "user_changed_number"}});
    desk.receive(json!([]), "messages", system).await;
    let status = json!({"id": "ours", "status": "read", "timestamp": "200", "recipient_id": ANA,
        "recipient_user_id": "BR.1"});
    desk.receive(json!([]), "statuses", status).await;
    // The number of a recipient may be in the contact alone.
    let status = json!({"id": "ours2", "status": "read", "timestamp": "210", "recipient_user_id": "BR.2"});
    desk.receive(json!([{"wa_id": ANAS_NEW}]), "statuses", status).await;
    let changed = json!({"id": "s2", "timestamp": "220", "type": "system", "system": {"body": "new id",
        "user_id": "BR.2", "previous_user_id": "BR.1", "type": "user_changed_user_id"}});
    desk.receive(json!([]), "messages", changed).await;
    assert_eq!(desk.contacts(None).await.iter().map(|row| row.contact.as_str()).collect::<Vec<_>>(), [ANAS_NEW]);
    let page = desk.page("BR.1").await;
    assert_eq!((texts(&page), page.contact.as_str()), (vec!["before", "new number", "", "", "new id"], ANAS_NEW));
    desk.harness.close().await;
}

#[tokio::test]
async fn a_late_message_is_unread_until_it_is_shown() {
    let mut desk = Desk::start().await;
    let contact = || json!([{"profile": {"name": "Ana"}, "wa_id": ANA}]);
    desk.receive(contact(), "messages", text("z", 10_000, json!({"from": ANA}), "read")).await;
    desk.read(ANA).await;
    for (unread, (id, at)) in (1..).zip([("a", 10_000), ("b", 9_880), ("c", 6_400)]) {
        desk.receive(contact(), "messages", text(id, at, json!({"from": ANA}), id)).await;
        assert_eq!(desk.contacts(None).await[0].unread, unread, "{id}");
    }
    // Of one second, in the order of arrival.
    assert_eq!(texts(&desk.page(ANA).await), ["c", "b", "read", "a"]);
    desk.read(ANA).await;
    // The same message with another instant is not another one.
    desk.receive(contact(), "messages", text("z", 10_050, json!({"from": ANA}), "read")).await;
    for _ in 0..2 {
        assert_eq!(desk.contacts(None).await[0].unread, 0);
        assert_eq!(texts(&desk.page(ANA).await), ["c", "b", "read", "a"]);
        desk.core.webhooks.rebuild_projection(command_types::Nothing {}).await.unwrap();
        desk.harness.wait_for_projection().await;
    }
    desk.harness.close().await;
}

/// A new delivery log gives smaller numbers than the one whose messages were read.
#[tokio::test]
async fn new_messages_are_unread_after_only_the_desk_was_moved_to_another_computer() {
    let mut desk = Desk::start().await;
    let contact = || json!([{"profile": {"name": "Ana"}, "wa_id": ANA}]);
    for id in ["a", "b", "c"] {
        desk.receive(contact(), "messages", text(id, 100, json!({"from": ANA}), id)).await;
    }
    desk.read(ANA).await;
    let Desk { harness, core, provider } = desk;
    drop(core);
    let folder = harness.close().await;
    for file in std::fs::read_dir(folder.path().join("desk")).unwrap() {
        let path = file.unwrap().path();
        if path.is_file() && !path.file_name().unwrap().to_string_lossy().starts_with("desk.sqlite") {
            std::fs::remove_file(path).unwrap();
        }
    }
    let mut harness = Harness::start_in(folder).await;
    harness.wait_for_projection().await;
    let folder = harness.close().await;
    let delivery_log = store::DeliveryLog::open(&folder.path().join("desk/inbox.sqlite")).unwrap();
    let value = json!({"contacts": contact(), "messages": [text("d", 200, json!({"from": ANA}), "d")]});
    let delivery = store::delivery_log::NewDelivery {
        received_at: 200_000,
        route: provider.workspace.clone(),
        headers: Vec::new(),
        body: envelope(value).into(),
    };
    delivery_log.append(delivery).await.unwrap();
    drop(delivery_log);
    let mut harness = Harness::start_in(folder).await;
    harness.wait_for_projection().await;
    let desk = Desk { core: harness.core.clone(), harness, provider };
    assert_eq!(desk.contacts(None).await[0].unread, 1);
    desk.harness.close().await;
}

#[tokio::test]
async fn reactions_follow_the_person() {
    let mut desk = Desk::start().await;
    let full = || json!([{"profile": {"name": "Ana"}, "wa_id": ANA, "user_id": "BR.1"}]);
    let reaction = |id: &str, at: i64, ids: Value, emoji: &str| {
        let mut message = json!({"id": id, "timestamp": at.to_string(), "type": "reaction",
            "reaction": {"message_id": "a", "emoji": emoji}});
        message.as_object_mut().unwrap().extend(ids.as_object().unwrap().clone());
        message
    };
    let by_number = || json!([{"profile": {"name": "Ana"}, "wa_id": ANA}]);
    desk.receive(full(), "messages", text("a", 100, json!({"from": ANA}), "hi")).await;
    desk.receive(by_number(), "messages", reaction("r1", 110, json!({"from": ANA}), "👍")).await;
    desk.receive(json!([]), "messages", reaction("r2", 120, json!({"from_user_id": "BR.1"}), "")).await;
    assert_eq!(desk.page(ANA).await.messages[0].reactions, []);
    desk.harness.close().await;
}
