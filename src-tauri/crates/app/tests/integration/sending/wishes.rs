//! Messages that may be a wish to stop marketing: a hint in the conversation, in the check of a batch and among its replies.

use command_types::batch::{BatchId, BatchQuery, StartBatch};
use command_types::conversations::{ConversationPage, ConversationQuery};
use command_types::opt_outs::NoteMarketing;
use serde_json::{Value, json};

use super::consent::{CLINIC, SHOP, message, text};
use super::{Desk, NUMBER, RECIPIENT};
use crate::webhooks::wait_until;

const THEN: u64 = 1_700_000_000;
/// After everything that is sent and noted here.
const LATER: u64 = 4_000_000_000;

fn offer(category: &str) -> Value {
    json!({"name": "offer", "category": category,
           "components": [{"type": "BODY", "text": "Temos uma oferta para você hoje."}]})
}

fn said(id: &str, text: &str, at: u64) -> String {
    let message =
        json!({"from": RECIPIENT, "id": id, "timestamp": at.to_string(), "type": "text", "text": {"body": text}});
    let value = json!({
        "messaging_product": "messaging",
        "metadata": {"display_phone_number": "15550100000", "phone_number_id": NUMBER},
        "contacts": [{"wa_id": RECIPIENT, "profile": {"name": "Ana"}}],
        "messages": [message],
    });
    json!({"object": "messaging_business_account",
           "entry": [{"id": "waba-1", "changes": [{"field": "messages", "value": value}]}]})
    .to_string()
}

impl Desk {
    /// The conversation with [`RECIPIENT`] among those of a number of ours.
    pub(super) async fn conversation(&self, number: Option<&str>) -> ConversationPage {
        let query = ConversationQuery {
            workspace: self.workspace(),
            contact: RECIPIENT.to_owned(),
            number: number.map(str::to_owned),
            after: None,
            limit: 10,
        };
        self.core().conversations.list_conversation(query).await.unwrap()
    }

    /// The texts of the conversation that are marked as a possible wish.
    async fn wishes(&self) -> Vec<String> {
        let page = self.conversation(None).await;
        page.messages.into_iter().filter(|message| message.may_want_to_stop).map(|message| message.text).collect()
    }

    async fn decide(&self, is_stopped: bool) {
        let (workspace, contact) = (self.workspace(), RECIPIENT.to_owned());
        let note = NoteMarketing { workspace, contact, is_stopped, ..NoteMarketing::default() };
        self.core().conversations.note_marketing(note).await.unwrap();
    }

    /// The good rows of a batch to [`RECIPIENT`] and another, and who of them may want to stop.
    async fn checked(&self) -> (u32, Vec<String>) {
        self.checked_with(&["to.recentMarketing"]).await
    }

    async fn checked_with(&self, overrides: &[&str]) -> (u32, Vec<String>) {
        let request = self.batch_request("phone\n+5511987654321\n+5511987654322\n", overrides).await;
        let plan = self.core().messaging.plan_batch(request).await.unwrap();
        (plan.good, plan.wishes_to_stop.into_iter().map(|wish| wish.text).collect())
    }
}

#[tokio::test]
async fn a_wish_is_a_hint_until_a_person_decides() {
    let mut desk = Desk::start(&[offer("marketing")]).await;
    desk.deliver(&said("wamid.in1", "Oi, tudo bem?", THEN)).await;
    assert_eq!((desk.wishes().await, desk.checked().await), (vec![], (2, vec![])));
    let wish = "pare de me mandar isso".to_owned();
    desk.deliver(&said("wamid.in2", &wish, THEN + 1)).await;
    assert_eq!((desk.wishes().await, desk.checked().await), (vec![wish.clone()], (2, vec![wish])));
    desk.decide(true).await;
    assert_eq!((desk.wishes().await, desk.checked().await), (vec![], (1, vec![])));
    desk.decide(false).await;
    assert_eq!((desk.wishes().await, desk.checked().await), (vec![], (2, vec![])), "it was decided on");
    desk.deliver(&said("wamid.in3", "Por favor, parem de mandar mensagens", LATER)).await;
    assert_eq!(desk.wishes().await, ["Por favor, parem de mandar mensagens"]);
    desk.harness.close().await;
}

#[tokio::test]
async fn a_check_of_other_templates_says_nothing_about_wishes() {
    let mut desk = Desk::start(&[offer("utility")]).await;
    desk.deliver(&said("wamid.in1", "No me manden más mensajes", THEN)).await;
    assert_eq!(desk.checked().await, (2, vec![]));
    desk.harness.close().await;
}

#[tokio::test]
async fn wishes_among_the_replies_of_a_batch_are_counted() {
    let mut desk = Desk::start(&[offer("marketing")]).await;
    let request = desk.batch_request("phone\n+5511987654321\n", &[]).await;
    let plan = desk.core().messaging.plan_batch(request).await.unwrap();
    let batch = desk.core().messaging.start_batch(StartBatch { batch: plan.id, skip_bad: true }).await.unwrap().id;
    wait_until("the batch ends", async || {
        let query = BatchQuery { batch: batch.clone(), ..BatchQuery::default() };
        desk.core().messaging.get_batch(query).await.unwrap().batch.state.as_str() == "done"
    })
    .await;
    let id = || BatchId { batch: batch.clone() };
    desk.deliver(&said("wamid.in1", "stop sending me these", LATER)).await;
    let groups = desk.core().messaging.get_batch_groups(id()).await.unwrap();
    assert_eq!((groups.replied, groups.may_want_to_stop), (1, 1));
    let replies = desk.core().messaging.list_batch_replies(id()).await.unwrap().people;
    assert!(replies[0].may_want_to_stop, "{replies:?}");
    // Whom the next batch leaves out, it asks nothing about.
    assert_eq!(desk.checked_with(&["to.repeated"]).await, (1, vec![]));
    assert_eq!(desk.checked_with(&["to.repeated", "to.recentMarketing"]).await.1, ["stop sending me these"]);
    desk.decide(true).await;
    let groups = desk.core().messaging.get_batch_groups(id()).await.unwrap();
    assert_eq!((groups.replied, groups.may_want_to_stop), (1, 0));
    desk.harness.close().await;
}

#[tokio::test]
async fn a_wish_is_noted_for_the_business_that_it_was_written_to() {
    let mut desk = Desk::agency().await;
    desk.deliver(&message("m1", RECIPIENT, SHOP, text("please stop sending me offers"), THEN)).await;
    desk.deliver(&message("m2", RECIPIENT, CLINIC, text("I would like an appointment"), THEN + 60)).await;
    let before = desk.conversation(None).await;
    assert_eq!((before.number.as_deref(), before.marketing_accounts.as_deref()), (Some(CLINIC), Some("Clinic")));
    let wish = before.messages.iter().find(|message| message.may_want_to_stop).unwrap();
    assert_eq!(wish.number_id.as_deref(), Some(SHOP));

    desk.note_about(true, SHOP, None).await;
    assert_eq!(desk.stopped_from(RECIPIENT).await, ["Shop", "Events"]);
    let noted = desk.conversation(None).await;
    assert_eq!((noted.marketing_stop, noted.other_stops.len()), (None, 1), "the clinic was not stopped");
    assert!(noted.messages.iter().all(|message| !message.may_want_to_stop));
    let other = &noted.other_stops[0];
    assert_eq!((other.stop.accounts.as_deref(), other.number.as_str()), (Some("Shop, Events"), SHOP));

    // Under the conversations of the shop, the button and the stop above are those of the shop.
    let shop = desk.conversation(Some(SHOP)).await;
    assert_eq!((shop.number.as_deref(), shop.marketing_number.as_deref()), (Some(CLINIC), Some(SHOP)));
    assert_eq!(shop.marketing_accounts.as_deref(), Some("Shop, Events"));
    assert!(shop.marketing_stop.is_some() && shop.other_stops.is_empty());
    let removed = desk.conversation(Some("999")).await;
    assert_eq!(removed.marketing_number.as_deref(), Some(CLINIC), "no number of the workspace");

    // A stop of the one business hides none of the other.
    desk.note_about(true, CLINIC, None).await;
    let both = desk.conversation(None).await;
    assert!(both.marketing_stop.is_some() && both.other_stops.len() == 1);
    desk.note_about(false, &other.number, Some(&other.waba)).await;
    assert_eq!(desk.stopped_from(RECIPIENT).await, ["Clinic"]);
    assert!(desk.conversation(None).await.other_stops.is_empty());
    desk.harness.close().await;
}
