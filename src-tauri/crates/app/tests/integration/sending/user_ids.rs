//! Messages to people whose number is not known, by their user id.

use command_types::conversations::ConversationPage;
use command_types::send::{SendOptions, SendRequest, SendText, WindowQuery};
use command_types::workspace::{SaveWorkspace, WorkspaceId, WorkspaceSettings};
use serde_json::{Value, json};

use super::{Desk, NUMBER, hello, stopped_at};
use crate::conversations::conversation;
use crate::webhooks::envelope;

const ID: &str = "BR.13491208655302741918";

impl Desk {
    pub(super) async fn take_user_ids(&self, takes_user_ids: bool) {
        let workspaces = &self.core().workspaces;
        let known = workspaces.get_workspace(WorkspaceId { workspace: self.workspace() }).await.unwrap();
        let settings = WorkspaceSettings { takes_user_ids, ..known.settings };
        let request = SaveWorkspace { workspace: Some(known.id), settings, secrets: Vec::new(), session_only: false };
        workspaces.save_workspace(request).await.unwrap();
    }

    /// A person who hides the number writes.
    async fn hidden_person_writes(&mut self) {
        let at = chrono::Utc::now().timestamp().to_string();
        let body = envelope(json!({"contacts": [{"profile": {"name": "Ana", "username": "ana"}, "user_id": ID}],
            "messages": [{"from_user_id": ID, "id": "wamid.in", "timestamp": at, "type": "text", "text": {"body": "Oi"}}]}));
        self.deliver(&body).await;
    }

    async fn page(&self) -> ConversationPage {
        conversation(self.core(), &self.workspace(), ID, 20).await
    }

    fn text_to(&self, to: &str) -> SendText {
        SendText {
            workspace: self.workspace(),
            number: NUMBER.to_owned(),
            to: to.to_owned(),
            text: "Olá".to_owned(),
            options: SendOptions { track: true, ..SendOptions::default() },
            ..SendText::default()
        }
    }
}

/// `sent` without the identifier that differs each time.
fn without_tracking(sent: &[Value]) -> Vec<Value> {
    let mut sent = sent.to_vec();
    sent.iter_mut().for_each(|sent| drop(sent.as_object_mut().unwrap().remove("biz_opaque_callback_data")));
    sent
}

#[tokio::test]
async fn a_user_id_is_no_recipient_unless_the_provider_takes_it() {
    let mut desk = Desk::start(&[hello()]).await;
    desk.hidden_person_writes().await;
    assert!(!desk.page().await.can_reply);
    let refused = desk.core().messaging.send_text(desk.text_to(ID)).await.unwrap_err();
    assert_eq!(stopped_at(&refused), ("to", "to.userId"));
    let request = SendRequest { to: ID.to_owned(), ..desk.request("t1", &[("body.1", "Ana")]) };
    assert_eq!(stopped_at(&desk.core().messaging.send_template(request).await.unwrap_err()), ("to", "to.userId"));
    assert!(desk.sent().is_empty());
    let recent = WorkspaceId { workspace: desk.workspace() };
    assert_eq!(desk.core().messaging.list_recent_contacts(recent).await.unwrap(), []);
    desk.harness.close().await;
}

#[tokio::test]
async fn texts_and_templates_leave_with_recipient_and_without_to() {
    let mut desk = Desk::start(&[hello()]).await;
    desk.take_user_ids(true).await;
    desk.hidden_person_writes().await;
    assert!(desk.page().await.can_reply);
    let window = WindowQuery { workspace: desk.workspace(), to: ID.to_owned(), country: None, number: None };
    assert!(desk.core().messaging.get_service_window(window).await.unwrap().open_until.is_some());

    let text = desk.core().messaging.send_text(desk.text_to(&format!(" {ID} "))).await.unwrap();
    assert_eq!((text.recipient.as_str(), text.recipient_name.as_deref()), (ID, Some("Ana")));
    let request = SendRequest { to: ID.to_owned(), ..desk.request("t1", &[("body.1", "Ana")]) };
    desk.core().messaging.send_template(request).await.unwrap();
    let body = json!([{"type": "body", "parameters": [{"type": "text", "text": "Ana"}]}]);
    let template = json!({"name": "hello", "language": {"code": "pt_BR"}, "components": body});
    assert_eq!(
        without_tracking(&desk.sent()),
        [
            json!({"messaging_product": "messaging", "recipient_type": "individual", "recipient": ID, "type": "text",
                "text": {"body": "Olá"}}),
            json!({"messaging_product": "messaging", "recipient_type": "individual", "recipient": ID,
                "type": "template", "template": template}),
        ]
    );

    // What is repeated goes to the same person, and a search for the id finds it.
    let detail = desk.detail(&text).await;
    assert_eq!(detail.again_text.map(|again| again.to), Some(ID.to_owned()));
    let recent = desk.core().messaging.list_recent_contacts(WorkspaceId { workspace: desk.workspace() }).await.unwrap();
    assert_eq!((recent[0].number.as_str(), recent[0].name.as_deref()), (ID, Some("Ana")));
    desk.harness.close().await;
}

#[tokio::test]
async fn a_status_that_names_the_user_id_is_matched() {
    let mut desk = Desk::start(&[hello()]).await;
    desk.take_user_ids(true).await;
    desk.hidden_person_writes().await;
    let row = desk.core().messaging.send_text(desk.text_to(ID)).await.unwrap();
    let at = chrono::Utc::now().timestamp().to_string();
    let status =
        json!({"id": "wamid.1", "status": "read", "timestamp": at, "recipient_id": "", "recipient_user_id": ID});
    desk.deliver(&envelope(json!({"statuses": [status]}))).await;
    assert_eq!(desk.detail(&row).await.row.state.as_str(), "read");
    let page = desk.page().await;
    let mut shown: Vec<_> = page.messages.iter().map(|it| (it.outgoing, it.text.as_str())).collect();
    shown.sort_unstable();
    assert_eq!(shown, [(false, "Oi"), (true, "Olá")]);
    desk.harness.close().await;
}

#[tokio::test]
async fn authentication_templates_need_a_number() {
    let mut code = hello();
    code["category"] = json!("authentication");
    let desk = Desk::start(&[code]).await;
    desk.take_user_ids(true).await;
    let request = SendRequest { to: ID.to_owned(), ..desk.request("t1", &[("body.1", "123456")]) };
    let refused = desk.core().messaging.send_template(request).await.unwrap_err();
    assert_eq!(stopped_at(&refused), ("to", "to.userIdAuthentication"));
    assert!(desk.sent().is_empty());
    desk.harness.close().await;
}
