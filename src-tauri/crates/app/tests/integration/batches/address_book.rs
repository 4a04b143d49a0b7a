//! The address book, and sends to its recipients.

use std::collections::BTreeMap;

use command_types::batch::{BatchPlanRequest, BatchSource, StartBatch, ValueSource};
use command_types::error::DeskError;
use command_types::recipients::{DeleteRecipients, Recipient, RecipientQuery, SaveRecipient};
use command_types::send::{SendId, SendOptions};

use super::{Desk, NUMBER, TEMPLATE};

fn person(desk: &Desk, name: &str, number: &str, labels: &[&str]) -> SaveRecipient {
    SaveRecipient {
        workspace: desk.workspace.clone(),
        name: name.to_owned(),
        number: number.to_owned(),
        labels: labels.iter().map(|label| (*label).to_owned()).collect(),
        ..SaveRecipient::default()
    }
}

/// The same values for everyone.
fn fixed(values: &[(&str, &str)]) -> BTreeMap<String, ValueSource> {
    values.iter().map(|(part, value)| ((*part).to_owned(), ValueSource::Fixed { value: (*value).to_owned() })).collect()
}

fn field(key: &str) -> ValueSource {
    ValueSource::Column { column: key.to_owned(), fallback: None, transform: None }
}

async fn list(desk: &Desk, search: &str, label: &str) -> Vec<String> {
    let query = RecipientQuery {
        workspace: desk.workspace.clone(),
        search: Some(search.to_owned()),
        label: Some(label.to_owned()),
        ..RecipientQuery::default()
    };
    desk.core.messaging.list_recipients(query).await.unwrap().rows.into_iter().map(|recipient| recipient.name).collect()
}

#[tokio::test]
async fn recipients_are_saved_found_changed_and_restored() {
    let desk = Desk::start().await;
    let core = &desk.core;
    let ana = core
        .messaging
        .save_recipient(person(&desk, " Ana  Lima ", "+55 (11) 98765-4321", &["team", "QA"]))
        .await
        .unwrap();
    assert_eq!((ana.name.as_str(), ana.number.as_str()), ("Ana Lima", "5511987654321"));
    assert_eq!(ana.formatted, "+55 11 98765-4321");
    assert_eq!(ana.labels, ["QA", "team"]);
    core.messaging.save_recipient(person(&desk, "Bia", "5521987654321", &["team"])).await.unwrap();
    // By the number of a person, in any spelling; Bia's differs in the area code only.
    for (number, found) in
        [("+55 11 8765-4321", vec!["Ana Lima"]), ("5521987654321", vec!["Bia"]), ("5531987654321", vec![])]
    {
        let (workspace, number) = (desk.workspace.clone(), Some(number.to_owned()));
        let query = RecipientQuery { workspace, number, ..RecipientQuery::default() };
        let rows = core.messaging.list_recipients(query).await.unwrap().rows;
        assert_eq!(rows.into_iter().map(|recipient| recipient.name).collect::<Vec<_>>(), found);
    }

    for (request, field) in [
        (person(&desk, "", "5521987654322", &[]), "name"),
        (person(&desk, "Caio", "12", &[]), "number"),
        (person(&desk, "Caio", "", &[]), "number"),
        (person(&desk, "Caio", "55 11 98765 4321", &[]), "number"),
        (person(&desk, "Caio", "5521987654322", &["x".repeat(99).as_str()]), "labels"),
        (SaveRecipient { note: "x".repeat(3_000), ..person(&desk, "Caio", "5521987654322", &[]) }, "note"),
    ] {
        let refused = core.messaging.save_recipient(request).await;
        assert!(matches!(&refused, Err(DeskError::InvalidInput { field: at, .. }) if at == field), "{refused:?}");
    }
    let elsewhere = SaveRecipient { workspace: "none".to_owned(), ..person(&desk, "Caio", "5521987654322", &[]) };
    assert!(matches!(core.messaging.save_recipient(elsewhere).await, Err(DeskError::NotFound { .. })));

    assert_eq!(list(&desk, "", "").await, ["Ana Lima", "Bia"]);
    assert_eq!(list(&desk, "98765-4321", "").await, ["Ana Lima", "Bia"]);
    assert_eq!(list(&desk, "+55 11", "").await, ["Ana Lima"]);
    assert_eq!(list(&desk, "", "QA").await, ["Ana Lima"]);
    let query = RecipientQuery { workspace: desk.workspace.clone(), ..RecipientQuery::default() };
    let labels = core.messaging.list_recipients(query).await.unwrap().labels;
    let labels: Vec<_> = labels.iter().map(|label| (label.label.as_str(), label.count)).collect();
    assert_eq!(labels, [("QA", 1), ("team", 2)]);

    // Deleted, and restored under the same identifier.
    let ids = vec![ana.id.clone(), "gone".to_owned()];
    core.messaging.delete_recipients(DeleteRecipients { workspace: desk.workspace.clone(), ids }).await.unwrap();
    assert_eq!(list(&desk, "", "").await, ["Bia"]);
    let Recipient { id, workspace, name, number, labels, note, .. } = ana.clone();
    let undone = core
        .messaging
        .save_recipient(SaveRecipient { id: Some(id), workspace, name, number, labels, note, country: None })
        .await
        .unwrap();
    assert_eq!(undone, ana);
    desk.close().await;
}

#[tokio::test]
async fn duplicate_recipients_are_reported() {
    let mut desk = Desk::start().await;
    let core = desk.core.clone();
    let mut ids = Vec::new();
    for (name, number) in [("Ana", "5511987654321"), ("Bia", "5521987654321"), ("Caio", "5531987654321")] {
        ids.push(core.messaging.save_recipient(person(&desk, name, number, &[])).await.unwrap().id);
    }
    ids.push(ids[0].clone());
    let request = |overrides: &[&str], ids: Vec<String>| BatchPlanRequest {
        workspace: desk.workspace.clone(),
        reference: TEMPLATE.to_owned(),
        number: NUMBER.to_owned(),
        options: SendOptions {
            callback_data: String::new(),
            track: true,
            exact_callback: false,
            overrides: overrides.iter().map(|code| (*code).to_owned()).collect(),
        },
        country: None,
        source: BatchSource::Recipients { ids, values: fixed(&[("body.1", "você"), ("body.2", "12/5")]) },
    };
    let plan = core.messaging.plan_batch(request(&[], ids.clone())).await.unwrap();
    assert_eq!((plan.total, plan.good, plan.bad, plan.duplicates), (4, 3, 1, 1));
    let problem = &plan.problems[0];
    assert_eq!((problem.row, problem.problem.code.as_str()), (4, "to.duplicate"));
    assert_eq!(problem.problem.values["row"], "1");
    let shown = (problem.name.as_deref(), problem.formatted.as_deref());
    assert_eq!(shown, (Some("Ana"), Some("+55 11 98765-4321")), "as people know them");
    let overridden = core.messaging.plan_batch(request(&["to.duplicate"], ids.clone())).await.unwrap();
    assert_eq!((overridden.good, overridden.bad, overridden.problems.len()), (4, 0, 1));

    for (source, field) in [(vec![], "source"), (vec!["gone".to_owned()], "source.ids")] {
        let refused = core.messaging.plan_batch(request(&[], source)).await;
        assert!(matches!(&refused, Err(DeskError::InvalidInput { field: at, .. }) if at == field), "{refused:?}");
    }
    // A problem that affects every row is reported once, and no row can be sent.
    let mut blocked = request(&[], ids);
    blocked.options.callback_data = "no object".to_owned();
    let plan = core.messaging.plan_batch(blocked).await.unwrap();
    assert_eq!((plan.good, plan.problems[0].row), (0, 0));
    assert_eq!(plan.problems[0].problem.field, "callbackData");
    let start = core.messaging.start_batch(StartBatch { batch: plan.id, skip_bad: true }).await;
    assert!(matches!(start, Err(DeskError::Conflict { .. })));

    core.messaging.start_batch(StartBatch { batch: overridden.id.clone(), skip_bad: false }).await.unwrap();
    assert_eq!(desk.wait_until_ended(&overridden.id).await.counts.accepted, 4);
    let recipients: Vec<_> = desk.provider.recipients().into_iter().collect();
    let once = |number: &str, times| (number.to_owned(), times);
    assert_eq!(recipients, [once("5511987654321", 2), once("5521987654321", 1), once("5531987654321", 1)]);
    let rows = desk.rows(&overridden.id, "accepted").await;
    assert_eq!(rows[1].name.as_deref(), Some("Bia"));
    // The address book shows the send.
    let query = RecipientQuery { workspace: desk.workspace.clone(), ..RecipientQuery::default() };
    assert!(core.messaging.list_recipients(query).await.unwrap().rows.iter().all(|row| row.last_sent_at.is_some()));
    desk.close().await;
}

#[tokio::test]
async fn fields_of_each_person_fill_the_values() {
    let mut desk = Desk::start().await;
    let core = desk.core.clone();
    let mut ids = Vec::new();
    for (name, number) in [("Ana Lima", "5511987654321"), ("Bia", "5521987654321")] {
        let note = if name == "Bia" { String::new() } else { "12 de\nmaio".to_owned() };
        let person = SaveRecipient { note, ..person(&desk, name, number, &[]) };
        ids.push(core.messaging.save_recipient(person).await.unwrap().id);
    }
    let request = |second: ValueSource| BatchPlanRequest {
        workspace: desk.workspace.clone(),
        reference: TEMPLATE.to_owned(),
        number: NUMBER.to_owned(),
        options: SendOptions { track: true, ..SendOptions::default() },
        country: None,
        source: BatchSource::Recipients {
            ids: ids.clone(),
            values: [("body.1".to_owned(), field("firstName")), ("body.2".to_owned(), second)].into(),
        },
    };
    let unknown = core.messaging.plan_batch(request(field("shoeSize"))).await;
    assert!(matches!(unknown, Err(DeskError::InvalidInput { field, .. }) if field == "source.values.body.2"));

    // A person without the field cannot get the message, and is named.
    let plan = core.messaging.plan_batch(request(field("note"))).await.unwrap();
    assert_eq!((plan.good, plan.bad, plan.problems.len()), (1, 1, 1));
    assert_eq!((plan.problems[0].row, plan.problems[0].problem.code.as_str()), (2, "value.missing"));
    let example = &plan.sample[0];
    assert_eq!((example.name.as_deref(), example.formatted.as_str()), (Some("Ana Lima"), "+55 11 98765-4321"));
    let shown = serde_json::to_string(&example.bubble.body).unwrap();
    assert!(shown.contains("\"Ana\"") && shown.contains("12 de maio"), "{shown}");

    let same = ValueSource::Fixed { value: "12/5".to_owned() };
    let plan = core.messaging.plan_batch(request(same)).await.unwrap();
    core.messaging.start_batch(StartBatch { batch: plan.id.clone(), skip_bad: false }).await.unwrap();
    desk.wait_until_ended(&plan.id).await;
    for (row, first_name) in desk.rows(&plan.id, "accepted").await.into_iter().zip(["Ana", "Bia"]) {
        let sent = core.messaging.get_send(SendId { send: row.send.unwrap() }).await.unwrap();
        assert_eq!(sent.again.unwrap().values["body.1"], first_name);
        let bubble = serde_json::to_string(&sent.bubble.unwrap().body).unwrap();
        assert!(bubble.contains(&format!("\"{first_name}\"")), "{bubble}");
    }
    desk.close().await;
}

/// With and without the digit that Brazil added and Mexico removed (upstream §6).
#[tokio::test]
async fn a_number_in_two_notations_is_reported_as_a_duplicate() {
    let desk = Desk::start().await;
    let path = desk.folder.path().join("twice.csv");
    let rows = "numero,nome,dia\n5511987654321,Ana,1\n551187654321,Ana,1\n525512345678,Bia,1\n5215512345678,Bia,1\n";
    std::fs::write(&path, rows).unwrap();
    let file = desk.core.messaging.read_csv(&path).await.unwrap();
    let mut request = super::request(&desk.workspace, TEMPLATE, NUMBER, &file);
    request.options.overrides = vec!["to.kind".to_owned()];
    let plan = desk.core.messaging.plan_batch(request).await.unwrap();
    assert_eq!((plan.total, plan.good, plan.duplicates), (4, 2, 2), "{:?}", plan.problems);
    let reported: Vec<_> = plan.problems.iter().filter(|found| found.problem.code.as_str() == "to.duplicate").collect();
    let reported: Vec<_> = reported.iter().map(|found| (found.row, found.problem.values["row"].as_str())).collect();
    assert_eq!(reported, [(3, "2"), (5, "4")]);
    desk.close().await;
}
