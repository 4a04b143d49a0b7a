//! A batch from its file to its outcomes, on the sandbox and as requests on the wire.

use std::collections::BTreeSet;

use app::SANDBOX_ID;
use command_types::batch::{BatchCounts, BatchId, BatchSource, ResumeBatch, RunState, StartBatch, ValueSource};
use command_types::conversations::{ContactQuery, ListedPeople};
use command_types::error::DeskError;
use command_types::event::DeskEvent;
use command_types::send::SendQuery;
use command_types::template::TemplateQuery;
use command_types::workspace::WorkspaceId;
use sandbox::{Profile, seed};
use serde_json::{Value, json};

use super::super::harness::Harness;
use super::super::webhooks::wait_until;
use super::provider::WITH_PICTURE;
use super::{BAD, Desk, NUMBER, ROWS, TEMPLATE, TOKEN, detail, file, recipient, request, rows};

/// The recipients of all valid lines.
fn good() -> BTreeSet<String> {
    // The line break in line 171 makes another line.
    (2..ROWS + 3).filter(|line| !BAD.contains(line) && *line != 172).map(recipient).collect()
}

#[tokio::test]
async fn a_file_with_two_hundred_rows_is_checked_and_sent_once() {
    let mut desk = Desk::start().await;
    let core = desk.core.clone();
    let read = core.messaging.read_csv(&file(desk.folder.path(), "numero,nome,dia")).await.unwrap();
    assert_eq!((read.rows, read.has_header, read.delimiter.as_str()), (ROWS, true, ","));
    assert_eq!((read.name.as_str(), read.encoding.as_str()), ("convidados.csv", "UTF-8"));
    assert_eq!(read.sample[0], [format!("+{}", recipient(2)), "Ana 0".to_owned(), "12/5".to_owned()]);

    let plan = core.messaging.plan_batch(request(&desk.workspace, TEMPLATE, NUMBER, &read)).await.unwrap();
    assert_eq!((plan.total, plan.good, plan.bad, plan.duplicates), (ROWS, ROWS - 3, 3, 0));
    let reported: Vec<_> = plan
        .problems
        .iter()
        .map(|found| (found.row, found.problem.field.as_str(), found.problem.code.as_str()))
        .collect();
    assert_eq!(
        reported,
        [(BAD[0], "to", "to.invalid"), (BAD[1], "body.1", "value.missing"), (BAD[2], "body.1", "value.newline")]
    );
    assert_eq!(plan.problems[1].problem.values.get("column").map(String::as_str), Some("nome"));
    assert_eq!(plan.sample[0].to, recipient(2));
    let first = serde_json::to_string(&plan.sample[0].bubble.body).unwrap();
    assert!(first.contains("\"Ana 0\""), "{first}");
    assert!(plan.estimate_ms > 2_000, "80 in a second: {}", plan.estimate_ms);
    assert_eq!(desk.provider.count(), 0, "nothing was sent");

    // Invalid rows prevent the start until they are skipped.
    let start = |skip_bad| core.messaging.start_batch(StartBatch { batch: plan.id.clone(), skip_bad });
    assert!(matches!(start(false).await, Err(DeskError::Conflict { .. })));
    let batch = start(true).await.unwrap();
    assert_eq!((batch.state.as_str(), batch.counts.skipped), ("running", 3));
    assert!(matches!(start(true).await, Err(DeskError::Conflict { .. })), "it is running");
    let second = core.messaging.plan_batch(request(&desk.workspace, TEMPLATE, NUMBER, &read)).await.unwrap();
    let beside = core.messaging.start_batch(StartBatch { batch: second.id, skip_bad: true }).await;
    assert!(matches!(beside, Err(DeskError::Conflict { .. })), "one batch of a number at a time");

    let done = desk.wait_until_ended(&plan.id).await;
    let counts = BatchCounts { skipped: 3, accepted: ROWS - 3, ..BatchCounts::default() };
    assert_eq!((done.state.as_str(), done.counts, done.error), ("done", counts, None));
    assert_eq!(desk.provider.count(), 197);
    let recipients = desk.provider.recipients();
    assert!(recipients.values().all(|times| *times == 1));
    assert_eq!(recipients.into_keys().collect::<BTreeSet<_>>(), good());
    // The names of the file are shown and found; nobody of these people wrote.
    let sends = SendQuery { workspace: desk.workspace.clone(), limit: 500, ..SendQuery::default() };
    let sent = core.messaging.list_sends(sends).await.unwrap().rows;
    assert!(sent.iter().all(|row| row.recipient_name.as_ref().is_some_and(|name| name.starts_with("Ana "))));
    let (everyone, wrote) = (ListedPeople::Everyone, ListedPeople::Wrote);
    for (search, people, found) in [(None, everyone, ROWS - 3), (None, wrote, 0), (Some("aNa 151"), wrote, 1)] {
        let search = search.map(str::to_owned);
        let query = ContactQuery {
            workspace: desk.workspace.clone(),
            search: search.clone(),
            people,
            limit: 500,
            ..Default::default()
        };
        let rows = core.conversations.list_contacts(query).await.unwrap().rows;
        assert_eq!(rows.len(), found as usize, "{search:?} {people:?}");
        assert!(rows.iter().all(|row| row.name.starts_with("Ana ")), "{rows:?}");
    }
    // On the wire, each request equals that of a single send.
    let first = desk.provider.sends().into_iter().find(|body| body["to"] == recipient(2)).unwrap();
    let data: Value = serde_json::from_str(first["biz_opaque_callback_data"].as_str().unwrap()).unwrap();
    assert_eq!(data["campanha"], 7);
    assert_eq!(
        first["template"]["components"],
        json!([{"type": "body", "parameters": [{"type": "text", "text": "Ana 0"}, {"type": "text", "text": "12/5"}]}])
    );
    let skipped = desk.rows(&plan.id, "skipped").await;
    assert_eq!(skipped.iter().map(|row| row.row).collect::<Vec<_>>(), BAD);
    assert!(skipped.iter().all(|row| row.problem.is_some() && row.send.is_none()));
    assert!(matches!(start(true).await, Err(DeskError::Conflict { .. })), "it is done");
    let resumed = core.messaging.resume_batch(ResumeBatch { batch: plan.id.clone(), resend_unknown: false }).await;
    assert!(matches!(resumed, Err(DeskError::Conflict { .. })));

    // The exported outcomes can be parsed again and contain no formulas or secrets.
    let path = desk.folder.path().join("out.csv");
    core.messaging.export_batch_to(&path, BatchId { batch: plan.id.clone() }).await.unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(!text.contains(TOKEN));
    let again = core.messaging.read_csv(&path).await.unwrap();
    let own = ["numero", "nome", "dia"];
    let outcome = ["row", "recipient", "written", "name", "state"];
    let times = ["sent_at", "delivered_at", "read_at", "replied_at", "tapped_at", "button"];
    let failure = ["problem", "error", "send", "code", "meaning", "details"];
    assert_eq!(again.columns, [own.as_slice(), &outcome, &times, &failure].concat());
    assert_eq!(again.rows, ROWS);
    let written = format!("'+{}", recipient(2));
    let first = [written.as_str(), "Ana 0", "12/5", "2", "+55 11 98740-0002", &written, "Ana 0", "accepted"];
    assert_eq!(again.sample[0][..8], first);
    desk.close().await;
}

#[tokio::test]
async fn each_link_is_checked_once_and_at_most_fifty() {
    let desk = Desk::start().await;
    let (fits, too_large) = (desk.provider.picture(1_000, "all"), desk.provider.picture(5_242_881, "large"));
    let file = |name: &str, link: &dyn Fn(u32) -> String| {
        let rows: Vec<String> = (2..80).map(|line| format!("{};{}", recipient(line), link(line))).collect();
        let path = desk.folder.path().join(name);
        std::fs::write(&path, format!("numero;imagem\n{}", rows.join("\n"))).unwrap();
        path
    };
    let plan = async |path: &std::path::Path, overrides: &[&str]| {
        let read = desk.core.messaging.read_csv(path).await.unwrap();
        let mut request = request(&desk.workspace, WITH_PICTURE, NUMBER, &read);
        let link = ValueSource::Column { column: "imagem".to_owned(), fallback: None, transform: None };
        let values = [("header.link".to_owned(), link)].into();
        request.source = BatchSource::Csv { file: read.id, to: "numero".to_owned(), name: None, values };
        request.options.overrides = overrides.iter().map(|code| (*code).to_owned()).collect();
        desk.core.messaging.plan_batch(request).await.unwrap()
    };
    let path = file("one.csv", &|line| if line == 9 { too_large.clone() } else { fits.clone() });
    let found = plan(&path, &["media.tooLarge"]).await;
    assert_eq!((found.good, found.bad, found.media.len()), (77, 1, 2), "{:?}", found.problems);
    let problem = &found.problems[0];
    assert_eq!((problem.row, problem.problem.field.as_str()), (9, "header.link"));
    assert_eq!(problem.problem.code.as_str(), "media.tooLarge", "an error of the contract is not overridden");
    assert_eq!(desk.provider.picture_requests().len(), 2);

    let path = file("own.csv", &|line| desk.provider.picture(1_000, &line.to_string()));
    let found = plan(&path, &[]).await;
    assert_eq!((found.good, found.bad, found.media.len()), (50, 28, 50));
    assert!(found.problems.iter().all(|problem| problem.problem.code.as_str() == "media.notChecked"));
    assert_eq!(desk.provider.picture_requests().len(), 52);
    let found = plan(&path, &["media.notChecked"]).await;
    assert_eq!((found.good, found.bad), (78, 0));
    desk.close().await;
}

#[tokio::test]
async fn ragged_rows_and_unknown_columns_are_reported() {
    let desk = Desk::start().await;
    let path = desk.folder.path().join("ragged.csv");
    std::fs::write(
        &path,
        format!("numero,nome,dia\n{},Ana\n{},Bia,12/5,x\n{},Caio,12/5\n", recipient(2), recipient(3), recipient(4)),
    )
    .unwrap();
    let read = desk.core.messaging.read_csv(&path).await.unwrap();
    let plan = desk.core.messaging.plan_batch(request(&desk.workspace, TEMPLATE, NUMBER, &read)).await.unwrap();
    assert_eq!((plan.good, plan.bad), (1, 2));
    let cells: Vec<_> = plan
        .problems
        .iter()
        .filter(|found| found.problem.code.as_str() == "row.cells")
        .map(|found| found.row)
        .collect();
    assert_eq!(cells, [2, 3]);

    for (change, field) in [
        (("numero", "telefone"), "source.to"),
        (("nome", "sobrenome"), "source.name"),
        (("dia", "data"), "source.values.body.2"),
    ] {
        let mut wrong = request(&desk.workspace, TEMPLATE, NUMBER, &read);
        let BatchSource::Csv { to, name, values, .. } = &mut wrong.source else { unreachable!("a file") };
        let rename = |column: &mut String| {
            if column == change.0 {
                *column = change.1.to_owned();
            }
        };
        rename(to);
        name.as_mut().into_iter().for_each(rename);
        if let Some(ValueSource::Column { column, .. }) = values.get_mut("body.2") {
            rename(column);
        }
        let refused = desk.core.messaging.plan_batch(wrong).await;
        assert!(matches!(&refused, Err(DeskError::InvalidInput { field: at, .. }) if at == field), "{refused:?}");
    }
    // The file is evicted after three more files.
    for _ in 0..3 {
        desk.core.messaging.read_csv(&path).await.unwrap();
    }
    let forgotten = desk.core.messaging.plan_batch(request(&desk.workspace, TEMPLATE, NUMBER, &read)).await;
    assert!(matches!(forgotten, Err(DeskError::NotFound { .. })));
    std::fs::write(&path, b"to,a\n1,\"x\n").unwrap();
    let refused = desk.core.messaging.read_csv(&path).await;
    assert!(
        matches!(&refused, Err(DeskError::File { name, reason, .. }) if name == "ragged.csv" && reason.starts_with("line 2"))
    );
    desk.close().await;
}

#[tokio::test]
async fn the_counts_of_a_batch_follow_its_statuses() {
    whole_in_the_sandbox(Profile::Whatsapp).await;
}

#[tokio::test]
async fn the_counts_of_a_batch_follow_its_statuses_with_the_minimal_profile() {
    whole_in_the_sandbox(Profile::Minimal).await;
}

async fn whole_in_the_sandbox(profile: Profile) {
    let mut harness = Harness::start_with_profile(profile).await;
    let core = harness.core.clone();
    core.templates.refresh_templates(WorkspaceId { workspace: SANDBOX_ID.to_owned() }).await.unwrap();
    let query = TemplateQuery {
        workspace: SANDBOX_ID.to_owned(),
        search: Some("order_shipped".to_owned()),
        statuses: vec!["APPROVED".to_owned()],
        limit: 1,
        ..TemplateQuery::default()
    };
    let reference = core.templates.list_templates(query).await.unwrap().rows[0].reference.clone();
    let read = core.messaging.read_csv(&file(harness.folder.path(), "numero,nome,dia")).await.unwrap();
    let mut request = request(SANDBOX_ID, &reference, seed::NUMBER, &read);
    let BatchSource::Csv { values, .. } = &mut request.source else { unreachable!("a file") };
    values.insert("button.0.url".to_owned(), ValueSource::Fixed { value: "860198".to_owned() });
    let plan = core.messaging.plan_batch(request).await.unwrap();
    assert_eq!((plan.good, plan.bad), (197, 3), "{:?}", plan.problems);
    core.messaging.start_batch(StartBatch { batch: plan.id.clone(), skip_bad: true }).await.unwrap();
    let mut reported = Vec::new();
    harness
        .event(|event| match event {
            DeskEvent::BatchProgress { id, done, total, state, .. } if *id == plan.id => {
                reported.push(*done);
                (*state == RunState::Done).then_some(()).inspect(|()| assert_eq!((*done, *total), (ROWS, ROWS)))
            }
            _ => None,
        })
        .await;
    assert!(reported.is_sorted(), "{reported:?}");
    let counts = BatchCounts { skipped: 3, read: 197, ..BatchCounts::default() };
    wait_until("all are read", async || detail(&core, &plan.id).await.batch.counts == counts).await;
    let phones = harness.sandbox.phones();
    assert_eq!(phones.len(), 197);
    assert!(phones.iter().all(|phone| phone.messages == 1));
    let read = rows(&core, &plan.id, Some("read")).await;
    assert_eq!(read.len(), 197);
    assert!(read.iter().all(|row| row.send.is_some() && row.error.is_none() && row.problem.is_none()));
    assert_eq!(
        core.messaging.list_batches(WorkspaceId { workspace: SANDBOX_ID.to_owned() }).await.unwrap()[0].counts,
        counts
    );
    harness.close().await;
}
