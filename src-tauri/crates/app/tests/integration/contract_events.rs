//! Template events with only the fields in the contract: no timestamp, and a WABA with the name (§2.4, §6.5).

use command_types::Nothing;
use command_types::activity::{EventQuery, EventRow};
use command_types::composer::CreateDraft;
use command_types::event::DeskEvent;
use command_types::history::{HistoryQuery, HistorySource};
use command_types::submission::SubmitDraft;
use command_types::template::{TemplateDetail, TemplateId, TemplateQuery};
use command_types::workspace::WorkspaceId;
use model::component::Component;
use serde_json::{Value, json};

use super::sending::{Desk, hello, list};
use super::webhooks::{next_poll, wait_until};

fn status(waba: &str, id: u64, event: &str) -> String {
    let value = json!({"message_template_id": id, "message_template_name": "hello",
        "message_template_language": "pt_BR", "event": event});
    json!({"object": "messaging_business_account", "entry": [{"id": waba, "changes": [
        {"field": "message_template_status_update", "value": value}]}]})
    .to_string()
}

fn with(fields: Value) -> Value {
    let mut template = hello();
    template.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    template
}

async fn template(desk: &Desk, reference: &str) -> TemplateDetail {
    let id = TemplateId { workspace: desk.workspace(), reference: reference.to_owned() };
    desk.core().templates.get_template(id).await.unwrap()
}

/// The statuses that webhooks reported, oldest first, each with the number of its deliveries if Activity has it.
async fn history_entries(desk: &Desk, reference: &str) -> Vec<(String, Option<u64>)> {
    let query = HistoryQuery {
        workspace: desk.workspace(),
        reference: reference.to_owned(),
        limit: 500,
        ..HistoryQuery::default()
    };
    let history = desk.core().templates.get_history(query).await.unwrap();
    let mut history_entries: Vec<_> = history
        .entries
        .into_iter()
        .filter(|entry| entry.source == HistorySource::Webhook)
        .map(|entry| (entry.after.unwrap_or_default(), entry.deliveries))
        .collect();
    history_entries.reverse();
    history_entries
}

async fn events(desk: &Desk) -> Vec<EventRow> {
    let query = EventQuery { workspace: Some(desk.workspace()), limit: 500, ..EventQuery::default() };
    desk.core().webhooks.list_events(query).await.unwrap().rows
}

fn once(words: &[&str]) -> Vec<(String, Option<u64>)> {
    words.iter().map(|word| ((*word).to_owned(), Some(1))).collect()
}

#[tokio::test]
async fn an_undated_status_repeats_after_a_change_but_not_by_redelivery() {
    let mut desk = Desk::start(&[with(json!({"status": "PENDING"}))]).await;
    list(&desk.provider, &[with(json!({"status": "APPROVED"}))]);
    let approved = status("10", 7, "APPROVED");
    desk.deliver(&approved).await;
    desk.deliver(&approved).await;
    assert_eq!(template(&desk, "t1").await.row.status, "APPROVED");
    assert_eq!(history_entries(&desk, "t1").await, [("APPROVED".to_owned(), Some(2))], "a redelivery");

    // Edited here, which begins another review.
    let request = CreateDraft {
        workspace: desk.workspace(),
        from_template: Some("t1".to_owned()),
        edit: true,
        ..CreateDraft::default()
    };
    let mut draft = desk.core().authoring.create_draft(request).await.unwrap();
    for component in &mut draft.template.components {
        if let Component::Body(body) = component {
            body.text = Some("Olá {{1}}, tudo certo com você hoje?".to_owned());
        }
    }
    let draft = desk.core().authoring.save_draft(draft).await.unwrap();
    let answer = json!({"data": {"uuid": "t1", "category": "utility", "components": draft.template.components}});
    desk.provider.answer_json("PUT ", "200 OK", &answer);
    list(&desk.provider, &[with(json!({"status": "PENDING"}))]);
    let report = desk
        .core()
        .authoring
        .submit_draft(SubmitDraft {
            draft: draft.id,
            despite_findings: true,
            resend_unknown: false,
            overrides: Vec::new(),
        })
        .await
        .unwrap();
    assert!(report.complete, "{report:?}");
    // The submission fetches the list, which must not show the approval before its event.
    let id = || WorkspaceId { workspace: desk.workspace() };
    while desk.core().templates.refresh_templates(id()).await.is_err() {
        next_poll().await;
    }
    assert_eq!(template(&desk, "t1").await.row.status, "PENDING");
    let asked = || desk.provider.requests().iter().filter(|request| request.head[0].starts_with("GET ")).count();
    list(&desk.provider, &[with(json!({"status": "APPROVED"}))]);
    let before = asked();
    desk.webhooks.deliver(super::sending::WEBHOOK_SECRET, &approved).await;
    wait_until("the edit is approved", async || template(&desk, "t1").await.row.status == "APPROVED").await;
    wait_until("a listing is asked for", async || asked() > before).await;
    // The listing may say so before the event does.
    let expected = [("APPROVED".to_owned(), Some(2)), ("APPROVED".to_owned(), Some(1))];
    wait_until("the approval is in the history", async || history_entries(&desk, "t1").await == expected).await;

    // Another status in between.
    desk.deliver(&status("10", 7, "PAUSED")).await;
    desk.deliver(&approved).await;
    wait_until("it is approved again", async || template(&desk, "t1").await.row.status == "APPROVED").await;
    let words: Vec<_> = history_entries(&desk, "t1").await.into_iter().map(|(word, _)| word).collect();
    assert_eq!(words, ["APPROVED", "APPROVED", "PAUSED", "APPROVED"]);

    // After a rebuild, everything is the same.
    let (rows, history) = (events(&desk).await, history_entries(&desk, "t1").await);
    assert_eq!(rows.len(), 4);
    desk.core().webhooks.rebuild_projection(Nothing {}).await.unwrap();
    desk.harness.wait_for_projection().await;
    assert_eq!(events(&desk).await, rows);
    assert_eq!(history_entries(&desk, "t1").await, history);
    assert_eq!(template(&desk, "t1").await.row.status, "APPROVED");
    desk.harness.close().await;
}

#[tokio::test]
async fn a_rejection_in_one_waba_does_not_affect_the_same_name_in_another() {
    let mut desk = Desk::start(&[with(json!({"waba_ids": [10]})), with(json!({"waba_ids": [20]}))]).await;
    desk.deliver(&status("20", 7, "REJECTED")).await;
    let reference = desk
        .harness
        .event(|event| match event {
            DeskEvent::TemplateStatusChanged { reference, event, account, .. } => {
                Some((reference.clone(), event.clone(), account.clone()))
            }
            _ => None,
        })
        .await;
    let expected = (Some("t2".to_owned()), "REJECTED".to_owned(), Some("20".to_owned()));
    assert_eq!(reference, expected, "the event is about the right template");
    assert_eq!(template(&desk, "t1").await.row.status, "APPROVED");
    assert_eq!(template(&desk, "t2").await.row.status, "REJECTED");
    assert_eq!(history_entries(&desk, "t1").await, []);
    assert_eq!(history_entries(&desk, "t2").await, once(&["REJECTED"]));
    desk.harness.close().await;
}

#[tokio::test]
async fn a_template_in_several_wabas_has_a_status_in_each() {
    let pending = with(json!({"waba_ids": [10, 20], "status": "PENDING"}));
    let mut desk = Desk::start(&[pending]).await;
    let standing = async |desk: &Desk| {
        let detail = template(desk, "t1").await;
        let of_wabas: Vec<_> = detail.waba_statuses.iter().map(|of| format!("{} {}", of.waba, of.status)).collect();
        (detail.row.status, of_wabas, detail.sendable)
    };
    assert_eq!(standing(&desk).await, ("PENDING".to_owned(), vec![], false));
    desk.deliver(&status("10", 7, "APPROVED")).await;
    let of_wabas = ["20 PENDING", "10 APPROVED"].map(str::to_owned).to_vec();
    assert_eq!(standing(&desk).await, ("PENDING".to_owned(), of_wabas, true), "it can be sent from one of them");
    desk.deliver(&status("20", 8, "REJECTED")).await;
    let of_wabas = ["20 REJECTED", "10 APPROVED"].map(str::to_owned).to_vec();
    assert_eq!(standing(&desk).await, ("REJECTED".to_owned(), of_wabas.clone(), true));
    let query = TemplateQuery { workspace: desk.workspace(), limit: 10, ..TemplateQuery::default() };
    let differing = desk.core().templates.list_templates(query.clone()).await.unwrap().differing;
    let board = desk.core().templates.get_review_board(query.clone().into()).await.unwrap();
    assert_eq!(board.differing, differing, "the review board shows the same");
    let listed = differing["t1"].iter().map(|of| format!("{} {}", of.waba, of.status));
    assert_eq!(listed.collect::<Vec<_>>(), ["20 REJECTED", "10 APPROVED"], "the most restrictive first");
    desk.core().messaging.send_template(desk.request("t1", &[("body.1", "Ana")])).await.unwrap();
    desk.deliver(&status("20", 8, "APPROVED")).await;
    assert_eq!(standing(&desk).await, ("APPROVED".to_owned(), vec![], true));
    assert!(desk.core().templates.list_templates(query).await.unwrap().differing.is_empty());
    assert_eq!(history_entries(&desk, "t1").await, once(&["APPROVED", "REJECTED", "APPROVED"]));
    let query =
        HistoryQuery { workspace: desk.workspace(), reference: "t1".to_owned(), limit: 10, ..HistoryQuery::default() };
    let history = desk.core().templates.get_history(query).await.unwrap();
    let wabas: Vec<_> = history.entries.iter().flat_map(|entry| entry.wabas.clone()).collect();
    assert_eq!(wabas, ["20", "20", "10"]);
    desk.harness.close().await;
}
