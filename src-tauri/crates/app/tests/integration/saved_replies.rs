//! Saved replies: kept by a workspace, filled in from what is known about a contact.

use command_types::error::{DeskError, InputFault};
use command_types::saved_replies::{FillSavedReply, SaveSavedReply, SavedReply, SavedReplyId};
use command_types::send::SendText;
use command_types::workspace::WorkspaceId;
use model::saved_reply::FilledReply;
use serde_json::json;

use super::conversations::deliver_value;
use super::revisions::Desk;

const ANA: &str = "5511987654321";

impl Desk {
    fn workspace(&self) -> String {
        self.provider.workspace.clone()
    }

    async fn save(&self, name: &str, text: &str) -> Result<SavedReply, DeskError> {
        let request = SaveSavedReply { id: None, workspace: self.workspace(), name: name.into(), text: text.into() };
        self.core.conversations.save_saved_reply(request).await
    }

    async fn names_of_replies(&self) -> Vec<String> {
        let list = self.core.conversations.list_saved_replies(WorkspaceId { workspace: self.workspace() }).await;
        list.unwrap().rows.into_iter().map(|reply| reply.name).collect()
    }

    async fn fill(&self, reply: &SavedReply, contact: &str) -> FilledReply {
        let (id, contact) = (reply.id.clone(), contact.to_owned());
        let request = FillSavedReply { workspace: self.workspace(), id, contact, number: "101".to_owned() };
        self.core.conversations.fill_saved_reply(request).await.unwrap()
    }

    async fn contact_writes(&mut self, id: &str, contact: serde_json::Value, from: serde_json::Value) {
        let mut message = json!({"id": id, "timestamp": "100", "type": "text", "text": {"body": "Oi"}});
        message.as_object_mut().unwrap().extend(from.as_object().unwrap().clone());
        let metadata = json!({"display_phone_number": "15550100", "phone_number_id": "101"});
        let value = json!({"metadata": metadata, "contacts": [contact], "messages": [message]});
        deliver_value(&self.provider, &value).await;
        self.harness.wait_for_projection().await;
    }
}

fn field(refused: Result<SavedReply, DeskError>) -> String {
    match refused {
        Err(DeskError::InvalidInput { field, .. }) => field,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn replies_are_kept_by_name_and_restored_after_a_deletion() {
    let desk = Desk::start().await;
    let hours = desk.save("  Opening \n hours ", "We open at 9 ⏰\n\n- Mon\n- Tue\n").await.unwrap();
    assert_eq!((hours.name.as_str(), hours.text.as_str()), ("Opening hours", "We open at 9 ⏰\n\n- Mon\n- Tue\n"));
    desk.save("Ângela", "x").await.unwrap();
    let taken = desk.save("OPENING HOURS", "x").await;
    assert!(matches!(&taken, Err(DeskError::InvalidInput { fault: Some(InputFault::NameTaken {}), .. })), "{taken:?}");
    assert_eq!(field(taken), "name");
    assert_eq!(field(desk.save("ângela", "x").await), "name");
    for (name, text, at) in [("", "x", "name"), (" ", "x", "name"), ("empty", " \n", "text")] {
        assert_eq!(field(desk.save(name, text).await), at);
    }
    assert_eq!(desk.names_of_replies().await, ["Opening hours", "Ângela"]);

    let id = SavedReplyId { workspace: desk.workspace(), id: hours.id.clone() };
    desk.core.conversations.delete_saved_reply(id).await.unwrap();
    assert_eq!(desk.names_of_replies().await, ["Ângela"]);
    let SavedReply { id, workspace, name, text } = hours.clone();
    let again = SaveSavedReply { id: Some(id), workspace, name, text };
    assert_eq!(desk.core.conversations.save_saved_reply(again.clone()).await.unwrap(), hours);
    // Its own name is not that of another one.
    let changed = SaveSavedReply { name: "opening HOURS".to_owned(), ..again.clone() };
    assert_eq!(desk.core.conversations.save_saved_reply(changed).await.unwrap().name, "opening HOURS");
    let elsewhere = SaveSavedReply { workspace: "sandbox".to_owned(), ..again };
    assert!(desk.core.conversations.save_saved_reply(elsewhere).await.is_err());
    desk.harness.close().await;
}

#[tokio::test]
async fn a_workspace_has_a_limited_number_of_them() {
    let desk = Desk::start().await;
    let list = desk.core.conversations.list_saved_replies(WorkspaceId { workspace: desk.workspace() }).await.unwrap();
    assert_eq!((list.limit, list.text_limit), (200, 4_096));
    for place in 0..list.limit {
        desk.save(&place.to_string(), "x").await.unwrap();
    }
    let DeskError::InvalidInput { field, fault, .. } = desk.save("one more", "x").await.unwrap_err() else { panic!() };
    assert_eq!((field.as_str(), fault), ("name", Some(InputFault::TooMany { limit: 200 })));
    assert_eq!(desk.names_of_replies().await.len(), 200);
    desk.harness.close().await;
}

#[tokio::test]
async fn fields_are_filled_in_from_what_is_known_now() {
    let mut desk = Desk::start().await;
    let reply = desk.save("hi", "Hi {{firstName}} ({{name}}, {{number}}), {{order}} {{sender}}").await.unwrap();
    let unknown = desk.fill(&reply, ANA).await;
    assert_eq!(unknown.text, "Hi {{firstName}} ({{name}}, +55 11 98765-4321), {{order}} Sales");
    assert_eq!(unknown.missing, ["{{firstName}}", "{{name}}", "{{order}}"]);

    let contact = |name: &str| json!({"profile": {"name": name}, "wa_id": ANA});
    desk.contact_writes("a", contact("Ana"), json!({"from": ANA})).await;
    let filled = desk.fill(&reply, ANA).await;
    assert_eq!(filled.text, "Hi Ana (Ana, +55 11 98765-4321), {{order}} Sales");
    assert_eq!(filled.missing, ["{{order}}"]);
    // What is left over is never sent, whatever is overridden.
    let mut text =
        SendText { workspace: desk.workspace(), to: ANA.to_owned(), text: filled.text, ..SendText::default() };
    text.options.overrides = vec!["text.field".to_owned()];
    let problems = desk.core.messaging.preview_text(text).await.unwrap().problems;
    let left: Vec<_> = problems.iter().filter(|problem| problem.code.as_str() == "text.field").collect();
    assert_eq!((left.len(), left[0].is_error(), left[0].values["variable"].as_str()), (1, true, "{{order}}"));

    // A person who hides the number has none to fill in.
    let hidden = json!({"profile": {"name": "Bo Berg"}, "user_id": "BR.1"});
    desk.contact_writes("b", hidden, json!({"from_user_id": "BR.1"})).await;
    let filled = desk.fill(&reply, "BR.1").await;
    assert_eq!(filled.text, "Hi Bo (Bo Berg, {{number}}), {{order}} Sales");
    desk.harness.close().await;
}
