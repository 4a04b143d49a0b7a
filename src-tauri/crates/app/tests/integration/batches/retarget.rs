//! New batches to people of an earlier one by what they did with its message. What public reports about other tools are
//! about: people who clicked and are taken for not having read (mautic/mautic 4472), people who never got the message and are
//! taken for that (knadh/listmonk 864), counts that do not add up (mautic/mautic 9727, 10056), and people who are counted in
//! another way than they are chosen (mailpoet/mailpoet pull 6635).

use std::collections::BTreeMap;

use command_types::batch::{BatchPlan, BatchPlanRequest, BatchSource, CsvFile, CsvFileId, SetCsvHeader, ValueSource};
use command_types::batch_mapping::BatchMapping;
use command_types::error::{ConflictFault, DeskError, Missing, Result};
use command_types::opt_outs::AddOptOut;
use command_types::recipients::{DeleteRecipients, SaveRecipient};
use command_types::retarget::{Engagement, RetargetBatch, RetargetedList, RetargetedPeople};
use command_types::send::SendOptions;
use command_types::workspace::{SaveWorkspace, WorkspaceId};
use model::outcome_group::OutcomeGroup;
use serde_json::{Value, json};

use super::super::webhooks::{Provider as Sender, wait_until};
use super::provider::{OFFER, Reply, TEMPLATE};
use super::replies::{message, tap, text};
use super::round::{deliver, find, groups, now, report, sender, start};
use super::{Desk, NUMBER, detail, recipient, request};

/// Columns of which the template uses three. The last row has the number without country code.
fn list(desk: &Desk) -> std::path::PathBuf {
    let mut rows = "nome,cidade,numero,dia\n".to_owned();
    for line in 2..=11 {
        let to = if line == 11 { recipient(line)[2..].to_owned() } else { format!("+{}", recipient(line)) };
        rows += &format!("Ana {line},\"Ouro; Preto\",{to},{line}/5\n");
    }
    let path = desk.folder.path().join("clientes.csv");
    std::fs::write(&path, rows).unwrap();
    path
}

/// Sends the list, whose people do with the message what they can do: see [`did`].
async fn sent(desk: &mut Desk, reference: &str) -> (String, Sender) {
    let lost = recipient(8);
    desk.provider.answers(move |_, to| if to == lost { Reply::Cut } else { Reply::Accepted });
    let read = desk.core.messaging.read_csv(&list(desk)).await.unwrap();
    let plan = desk.core.messaging.plan_batch(request(&desk.workspace, reference, NUMBER, &read)).await.unwrap();
    start(desk, &plan.id).await.unwrap();
    desk.wait_until_ended(&plan.id).await;
    let sender = sender(desk).await;
    did(desk, &sender, &plan.id).await;
    (plan.id, sender)
}

async fn did(desk: &Desk, sender: &Sender, id: &str) {
    for line in [2, 3, 4, 5, 10, 11] {
        report(desk, sender, &recipient(line), "delivered", None, now()).await;
    }
    // Read without a reply, and with one.
    report(desk, sender, &recipient(3), "read", None, now()).await;
    report(desk, sender, &recipient(4), "read", None, now()).await;
    report(desk, sender, &recipient(6), "sent", None, now()).await;
    report(desk, sender, &recipient(7), "failed", Some(131_026), now()).await;
    report(desk, sender, &recipient(9), "sent", None, now()).await;
    answer(sender, 4, "wamid.in.4", text("Quero!")).await;
    // With read receipts off, and without any report of the delivery.
    let nth = desk.provider.sends().iter().position(|body| body["to"] == recipient(5)).unwrap();
    answer(sender, 5, "wamid.in.5", tap(&format!("wamid.{nth}"), "Sim", "yes")).await;
    answer(sender, 6, "wamid.in.6", text("Quem é?")).await;
    wait_until("all is known", async || {
        let found = groups(desk, id).await;
        let reached = found.groups.iter().find(|found| found.group == OutcomeGroup::Reached);
        let failed = found.groups.iter().any(|found| found.group == OutcomeGroup::NotOnChannel);
        found.replied == 3 && found.read == 1 && failed && reached.is_some_and(|reached| reached.people == 6)
    })
    .await;
}

async fn answer(sender: &Sender, line: u32, id: &str, content: Value) {
    deliver(sender, message(&recipient(line), id, now() + 1_000, content)).await;
}

async fn retarget(desk: &Desk, batch: &str, engagement: Engagement) -> Result<RetargetedPeople> {
    desk.core.messaging.retarget_batch(RetargetBatch { batch: batch.to_owned(), engagement }).await
}

async fn file_of(desk: &Desk, batch: &str, engagement: Engagement) -> (CsvFile, bool, BatchMapping) {
    let RetargetedPeople { list, mapping } = retarget(desk, batch, engagement).await.unwrap();
    let RetargetedList::Csv { file, has_cells } = list else { panic!("a file") };
    (file, has_cells, mapping)
}

/// A check of a list with the columns that are preselected.
async fn check(desk: &Desk, reference: &str, file: &CsvFile, mapping: &BatchMapping) -> BatchPlan {
    let columns = mapping.file.clone().unwrap();
    let fixed = |value: &str| ValueSource::Fixed { value: value.to_owned() };
    let values = match mapping.values.is_empty() {
        true => {
            [("body.1", fixed("cliente")), ("body.2", fixed("hoje"))].map(|(part, of)| (part.to_owned(), of)).into()
        }
        false => mapping.values.clone(),
    };
    let request = BatchPlanRequest {
        workspace: desk.workspace.clone(),
        reference: reference.to_owned(),
        number: NUMBER.to_owned(),
        options: SendOptions::default(),
        country: mapping.country.clone(),
        source: BatchSource::Csv { file: file.id.clone(), to: columns.to, name: columns.name, values },
    };
    desk.core.messaging.plan_batch(request).await.unwrap()
}

fn codes(plan: &BatchPlan) -> BTreeMap<&str, u32> {
    plan.counts.iter().map(|count| (count.code.as_str(), count.rows)).collect()
}

fn is_conflict<T>(found: Result<T>, expected: &ConflictFault) -> bool {
    matches!(found, Err(DeskError::Conflict { fault: Some(fault), .. }) if fault == *expected)
}

#[tokio::test]
async fn people_are_chosen_by_what_they_did_with_the_cells_of_their_file() {
    let mut desk = Desk::start().await;
    let (id, sender) = sent(&mut desk, OFFER).await;
    let found = groups(&desk, &id).await;
    assert_eq!((found.unread, found.read, found.replied, found.replied_unreported), (3, 1, 3, 1));
    assert_eq!(find(&found, OutcomeGroup::Reached).people, 3 + 1 + 3 - 1, "they add up to those reached");
    assert_eq!(find(&found, OutcomeGroup::Unknown).people, 1);

    for (engagement, lines) in
        [(Engagement::Unread, vec![2, 10, 11]), (Engagement::Read, vec![3]), (Engagement::Replied, vec![4, 5, 6])]
    {
        let (file, has_cells, mapping) = file_of(&desk, &id, engagement).await;
        assert_eq!((file.name.as_str(), file.rows as usize, has_cells), ("clientes.csv", lines.len(), true));
        assert_eq!((file.has_header, file.header_uncertain), (true, false));
        assert_eq!(file.columns, ["nome", "cidade", "numero", "dia"]);
        assert_eq!(file.sample_lines, lines, "{engagement}");
        for (cells, line) in file.sample.iter().zip(&lines) {
            let to = if *line == 11 { recipient(11)[2..].to_owned() } else { format!("+{}", recipient(*line)) };
            assert_eq!(*cells, [format!("Ana {line}"), "Ouro; Preto".to_owned(), to, format!("{line}/5")]);
        }
        let columns = mapping.file.as_ref().unwrap();
        assert_eq!((columns.to.as_str(), columns.name.as_deref(), columns.has_header), ("numero", Some("nome"), true));
        assert_eq!(mapping.values.len(), 2, "what filled the template of the first batch");
    }

    // All checks of a batch apply: who stopped meanwhile, and who got the template a short time ago.
    let stopped = AddOptOut {
        workspace: desk.workspace.clone(),
        person: format!("+{}", recipient(10)),
        country: None,
        number: None,
    };
    desk.core.conversations.add_opt_out(stopped).await.unwrap();
    let (file, _, mapping) = file_of(&desk, &id, Engagement::Unread).await;
    let plan = check(&desk, OFFER, &file, &mapping).await;
    assert_eq!((plan.total, plan.good), (3, 0));
    let found = codes(&plan);
    assert_eq!((found.get("to.optedOut"), found.get("to.repeated")), (Some(&1), Some(&2)), "{found:?}");
    let plan = check(&desk, TEMPLATE, &file, &mapping).await;
    assert_eq!((plan.total, plan.good, plan.is_file_too_large), (3, 3, false), "{:?}", plan.problems);
    start(&desk, &plan.id).await.unwrap();
    desk.wait_until_ended(&plan.id).await;
    let got: Vec<String> =
        desk.provider.accepted_by_recipient().into_iter().filter(|got| got.1 == 2).map(|got| got.0).collect();
    assert_eq!(got, [2, 10, 11].map(recipient));

    // A list of a list: its rows keep the cells and the lines of the first file.
    for body in desk.provider.sends().iter().enumerate().skip(10) {
        let status = json!({"id": format!("wamid.{}", body.0), "status": "read", "timestamp": (now() / 1_000).to_string(),
                            "recipient_id": body.1["to"]});
        deliver(&sender, json!({"statuses": [status]})).await;
    }
    wait_until("all read", async || groups(&desk, &plan.id).await.read == 3).await;
    let (file, has_cells, _) = file_of(&desk, &plan.id, Engagement::Read).await;
    assert_eq!((file.sample_lines, has_cells), (vec![2, 10, 11], true));
    desk.close().await;
}

#[tokio::test]
async fn people_are_decided_when_they_are_asked_for() {
    let mut desk = Desk::start().await;
    let (id, sender) = sent(&mut desk, TEMPLATE).await;
    assert_eq!(groups(&desk, &id).await.unread, 3);
    report(&desk, &sender, &recipient(2), "read", None, now()).await;
    wait_until("it arrived", async || detail(&desk.core, &id).await.batch.counts.read == 3).await;
    answer(&sender, 10, "wamid.in.10", text("Oi")).await;
    wait_until("it arrived", async || groups(&desk, &id).await.replied == 4).await;
    let (file, ..) = file_of(&desk, &id, Engagement::Unread).await;
    assert_eq!(file.sample_lines, [11]);
    assert_eq!(file_of(&desk, &id, Engagement::Read).await.0.sample_lines, [2, 3]);
    assert_eq!(file_of(&desk, &id, Engagement::Replied).await.0.sample_lines, [4, 5, 6, 10]);

    answer(&sender, 11, "wamid.in.11", text("Oi")).await;
    wait_until("it arrived", async || groups(&desk, &id).await.replied == 5).await;
    assert_eq!(groups(&desk, &id).await.unread, 0);
    assert!(is_conflict(retarget(&desk, &id, Engagement::Unread).await, &ConflictFault::NobodyLeft {}));
    let unknown = retarget(&desk, "gone", Engagement::Read).await;
    assert!(matches!(unknown, Err(DeskError::NotFound { .. })));
    desk.close().await;
}

/// The country of the workspace was another one when the first batch was sent.
#[tokio::test]
async fn a_number_without_country_code_stays_that_of_the_person() {
    let mut desk = Desk::start().await;
    let (id, _sender) = sent(&mut desk, TEMPLATE).await;
    let workspace = WorkspaceId { workspace: desk.workspace.clone() };
    let mut settings = desk.core.workspaces.get_workspace(workspace).await.unwrap().settings;
    settings.default_country = "MX".to_owned();
    let request =
        SaveWorkspace { workspace: Some(desk.workspace.clone()), settings, secrets: Vec::new(), session_only: false };
    desk.core.workspaces.save_workspace(request).await.unwrap();
    let (file, _, mapping) = file_of(&desk, &id, Engagement::Unread).await;
    assert_eq!(file.sample[2][2], format!("+{}", recipient(11)));
    assert_eq!(file.sample[0][2], format!("+{}", recipient(2)), "as it was");
    let plan = check(&desk, OFFER, &file, &mapping).await;
    assert_eq!((plan.good, plan.numbers.assumed, plan.numbers.unknown), (3, 0, 0), "{:?}", plan.problems);
    desk.close().await;
}

#[tokio::test]
async fn without_the_file_there_are_numbers_and_names() {
    let mut desk = Desk::start().await;
    let long = "x".repeat(90_000);
    let rows: Vec<String> = (2..102).map(|line| format!("+{},Ana {line},12/5,{long}", recipient(line))).collect();
    let path = desk.folder.path().join("large.csv");
    std::fs::write(&path, format!("numero,nome,dia,biografia\n{}\n", rows.join("\n"))).unwrap();
    let read = desk.core.messaging.read_csv(&path).await.unwrap();
    let plan = desk.core.messaging.plan_batch(request(&desk.workspace, TEMPLATE, NUMBER, &read)).await.unwrap();
    assert!(plan.is_file_too_large);
    start(&desk, &plan.id).await.unwrap();
    desk.wait_until_ended(&plan.id).await;
    let sender = sender(&desk).await;
    for line in [5, 70] {
        report(&desk, &sender, &recipient(line), "delivered", None, now()).await;
    }
    wait_until("both arrived", async || groups(&desk, &plan.id).await.unread == 2).await;
    let (file, has_cells, mapping) = file_of(&desk, &plan.id, Engagement::Unread).await;
    assert_eq!((has_cells, file.rows, &file.columns), (false, 2, &vec!["recipient".to_owned(), "name".to_owned()]));
    assert_eq!(file.sample, [5, 70].map(|line| vec![format!("+{}", recipient(line)), format!("Ana {line}")]));
    assert_eq!((mapping.values.len(), mapping.country.as_deref()), (0, None));
    let again = check(&desk, OFFER, &file, &mapping).await;
    assert_eq!((again.good, again.sample[0].name.as_deref()), (2, Some("Ana 5")));
    desk.close().await;
}

/// As a chosen file, which it behaves like: neither is kept beyond the end of the program.
#[tokio::test]
async fn the_list_is_kept_like_a_chosen_file() {
    let mut desk = Desk::start().await;
    let (id, _sender) = sent(&mut desk, TEMPLATE).await;
    let (file, _, mapping) = file_of(&desk, &id, Engagement::Replied).await;
    let reread = desk.core.messaging.reread_csv(CsvFileId { file: file.id.clone() }).await.unwrap();
    assert_eq!(reread, None, "no file on the disk can be newer");
    let toggled = desk.core.messaging.set_csv_header(SetCsvHeader { file: file.id.clone(), has_header: false }).await;
    let toggled = toggled.unwrap();
    assert_eq!((toggled.rows, toggled.first_row), (4, file.columns.clone()));
    let back = SetCsvHeader { file: toggled.id, has_header: true };
    let back = desk.core.messaging.set_csv_header(back).await.unwrap();
    assert_eq!((back.rows, &back.columns), (3, &file.columns));
    for _ in 0..3 {
        desk.core.messaging.read_csv(&list(&desk)).await.unwrap();
    }
    let columns = mapping.file.unwrap();
    let source = BatchSource::Csv { file: back.id, to: columns.to, name: columns.name, values: mapping.values };
    let gone = BatchPlanRequest { source, ..request(&desk.workspace, TEMPLATE, NUMBER, &file) };
    let gone = desk.core.messaging.plan_batch(gone).await;
    assert!(matches!(gone, Err(DeskError::NotFound { missing: Some(Missing::ChosenFile), .. })), "{gone:?}");
    desk.close().await;
}

#[tokio::test]
async fn people_of_the_address_book_stay_such_as_long_as_they_are_in_it() {
    let mut desk = Desk::start().await;
    let core = desk.core.clone();
    let mut ids = Vec::new();
    for line in 2..6 {
        let person = SaveRecipient {
            workspace: desk.workspace.clone(),
            name: format!("Ana {line}"),
            number: format!("+{}", recipient(line)),
            ..SaveRecipient::default()
        };
        ids.push(core.messaging.save_recipient(person).await.unwrap().id);
    }
    let values: BTreeMap<_, _> = [
        ("body.1", ValueSource::Column { column: "name".to_owned(), fallback: None, transform: None }),
        ("body.2", ValueSource::Fixed { value: "hoje".to_owned() }),
    ]
    .map(|(part, source)| (part.to_owned(), source))
    .into();
    let order = vec![ids[2].clone(), ids[0].clone(), ids[1].clone(), ids[3].clone()];
    let request = BatchPlanRequest {
        workspace: desk.workspace.clone(),
        reference: TEMPLATE.to_owned(),
        number: NUMBER.to_owned(),
        options: SendOptions::default(),
        country: None,
        source: BatchSource::Recipients { ids: order, values: values.clone() },
    };
    let plan = core.messaging.plan_batch(request).await.unwrap();
    start(&desk, &plan.id).await.unwrap();
    desk.wait_until_ended(&plan.id).await;
    let sender = sender(&desk).await;
    for line in [2, 3, 4] {
        report(&desk, &sender, &recipient(line), "delivered", None, now()).await;
    }
    wait_until("all arrived", async || groups(&desk, &plan.id).await.unread == 3).await;

    let people = retarget(&desk, &plan.id, Engagement::Unread).await.unwrap();
    let list = |ids: &[&String], missing| RetargetedList::Recipients {
        ids: ids.iter().map(|id| (*id).clone()).collect(),
        missing,
    };
    assert_eq!(people.list, list(&[&ids[2], &ids[0], &ids[1]], 0), "in the order of the batch");
    assert_eq!(people.mapping, BatchMapping { file: None, country: None, values });

    // One was deleted; the number of another one was written in its other spelling.
    let delete = |ids: &[&String]| DeleteRecipients {
        workspace: desk.workspace.clone(),
        ids: ids.iter().map(|id| (*id).clone()).collect(),
    };
    core.messaging.delete_recipients(delete(&[&ids[0]])).await.unwrap();
    let spelled = recipient(3);
    let changed = SaveRecipient {
        workspace: desk.workspace.clone(),
        id: Some(ids[1].clone()),
        name: "Ana".to_owned(),
        number: format!("+{}{}", &spelled[..4], &spelled[5..]),
        ..SaveRecipient::default()
    };
    core.messaging.save_recipient(changed).await.unwrap();
    let people = retarget(&desk, &plan.id, Engagement::Unread).await.unwrap();
    assert_eq!(people.list, list(&[&ids[2], &ids[1]], 1));

    core.messaging.delete_recipients(delete(&[&ids[1], &ids[2]])).await.unwrap();
    let nobody = retarget(&desk, &plan.id, Engagement::Unread).await;
    assert!(is_conflict(nobody, &ConflictFault::NobodyInBook {}));
    desk.close().await;
}
