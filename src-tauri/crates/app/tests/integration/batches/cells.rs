//! What the cells of a file give the parts of a message: cleaned, and with a fallback where they are blank.

use std::path::PathBuf;

use command_types::batch::{
    BatchPlan, BatchPlanRequest, BatchSource, CsvFileId, DateOrder, ExampleKind, FallbackUse, SetCsvHeader, StartBatch,
    ValueSource, ValueTransform,
};
use command_types::batch_mapping::{BatchPreview, PreviewBatch};
use command_types::error::DeskError;
use serde_json::Value;

use super::provider::Reply;
use super::{Desk, NUMBER, TEMPLATE, recipient, request};

/// A file of rows with these names.
fn named(desk: &Desk, names: &[&str]) -> PathBuf {
    let rows: String =
        (2..).zip(names).map(|(line, name)| format!("{},\"{name}\",12/5\r\n", recipient(line))).collect();
    let path = desk.folder.path().join("nomes.csv");
    std::fs::write(&path, format!("numero,nome,dia\r\n{rows}")).unwrap();
    path
}

async fn asked(desk: &Desk, names: &[&str], source: ValueSource) -> BatchPlanRequest {
    let file = desk.core.messaging.read_csv(&named(desk, names)).await.unwrap();
    let mut request = request(&desk.workspace, TEMPLATE, NUMBER, &file);
    let BatchSource::Csv { values, .. } = &mut request.source else { unreachable!("a file") };
    values.insert("body.1".to_owned(), source);
    request
}

async fn planned(desk: &Desk, names: &[&str], source: ValueSource) -> BatchPlan {
    desk.core.messaging.plan_batch(asked(desk, names, source).await).await.unwrap()
}

fn column(fallback: Option<&str>) -> ValueSource {
    ValueSource::Column { column: "nome".to_owned(), fallback: fallback.map(str::to_owned), transform: None }
}

/// The first value of each sent message, by recipient.
fn sent(desk: &Desk) -> Vec<(String, String)> {
    let value = |send: &Value| {
        let text = &send["template"]["components"][0]["parameters"][0]["text"];
        (send["to"].as_str().unwrap().to_owned(), text.as_str().unwrap().to_owned())
    };
    let mut sent: Vec<_> = desk.provider.sends().iter().map(value).collect();
    sent.sort();
    sent
}

async fn previewed(desk: &Desk, batch: &BatchPlanRequest, row: u32) -> BatchPreview {
    desk.core.messaging.preview_batch(PreviewBatch { batch: batch.clone(), row }).await.unwrap()
}

/// Empty and blank cells of public reports: no first name, white space only, a name of one word whose rest is empty.
const NAMES: [&str; 7] = ["Ana", "", "   ", "\u{a0}", "\u{200b}\u{feff}", " Petterson\u{200b} ", "\r\n"];

#[tokio::test]
async fn a_file_that_was_saved_again_is_read_again() {
    let desk = Desk::start().await;
    let messaging = &desk.core.messaging;
    let reread = async |file: &str| messaging.reread_csv(CsvFileId { file: file.to_owned() }).await;
    let path = named(&desk, &["Ana"]);
    let first = messaging.read_csv(&path).await.unwrap();
    assert_eq!(reread(&first.id).await.unwrap(), None, "it was not saved");
    named(&desk, &["Bruna", "Ana"]);
    let second = reread(&first.id).await.unwrap().unwrap();
    assert_eq!((second.rows, second.sample[0][1].as_str()), (2, "Bruna"));
    assert_eq!(messaging.plan_batch(request(&desk.workspace, TEMPLATE, NUMBER, &second)).await.unwrap().total, 2);
    // The person has decided that the first row is a recipient.
    let decided = SetCsvHeader { file: second.id, has_header: false };
    let decided = messaging.set_csv_header(decided).await.unwrap();
    named(&desk, &["Carla"]);
    let third = reread(&decided.id).await.unwrap().unwrap();
    assert_eq!((third.has_header, third.rows), (false, 2));

    // Nobody has decided: a header that is gone takes no recipient with it.
    let read = messaging.read_csv(&path).await.unwrap();
    assert!(read.has_header);
    let row = |line: u32| format!("{},Ana,12/5\r\n", recipient(line));
    std::fs::write(&path, row(2) + &row(3)).unwrap();
    let bare = reread(&read.id).await.unwrap().unwrap();
    assert_eq!((bare.has_header, bare.rows), (false, 2));

    std::fs::write(&path, "").unwrap();
    assert!(matches!(reread(&third.id).await, Err(DeskError::File { .. })));
    std::fs::remove_file(&path).unwrap();
    for file in [third.id.as_str(), "unknown"] {
        assert_eq!(reread(file).await.unwrap(), None, "what was read counts");
    }
}

#[tokio::test]
async fn blank_cells_get_the_fallback_and_the_plan_counts_them() {
    let mut desk = Desk::start().await;
    let without = planned(&desk, &NAMES, column(None)).await;
    assert_eq!((without.good, without.bad, without.fallbacks), (2, 5, vec![]));
    assert!(without.problems.iter().all(|row| row.problem.code.as_str() == "value.missing"), "{:?}", without.problems);

    let plan = planned(&desk, &NAMES, column(Some("cliente"))).await;
    let uses =
        FallbackUse { part: "body.1".to_owned(), column: "nome".to_owned(), fallback: "cliente".to_owned(), rows: 5 };
    assert_eq!((plan.good, plan.bad, plan.fallbacks), (7, 0, vec![uses]));
    desk.core.messaging.start_batch(StartBatch { batch: plan.id.clone(), skip_bad: false }).await.unwrap();
    desk.wait_until_ended(&plan.id).await;
    let values: Vec<_> = sent(&desk).into_iter().map(|(_, value)| value).collect();
    assert_eq!(values, ["Ana", "cliente", "cliente", "cliente", "cliente", "Petterson", "cliente"]);
    desk.close().await;
}

#[tokio::test]
async fn the_preview_of_a_row_shows_no_sample_where_its_cell_is_blank() {
    let desk = Desk::start().await;
    let request = asked(&desk, &["Ana", ""], column(None)).await;
    let shown = async |row: u32| {
        let preview = previewed(&desk, &request, row).await.preview;
        (format!("{:?}", preview.bubble.body), preview.problems.iter().any(|of| of.code.as_str() == "value.missing"))
    };
    let (named, unnamed) = (shown(0).await, shown(1).await);
    assert!(named.0.contains("Ana") && !named.1, "{named:?}");
    assert!(unnamed.0.contains("{{1}}") && unnamed.1, "{unnamed:?}");
    desk.close().await;
}

#[tokio::test]
async fn a_fallback_is_no_way_around_the_rules_of_a_value() {
    let desk = Desk::start().await;
    // A default of white space renders as nothing; an empty one is none.
    for blank in ["", "  ", "\u{200b}"] {
        let plan = planned(&desk, &["Ana", ""], column(Some(blank))).await;
        assert_eq!((plan.good, plan.bad, plan.fallbacks), (1, 1, vec![]), "{blank:?}");
        assert_eq!(plan.problems[0].problem.code.as_str(), "value.missing");
    }
    let plan = planned(&desk, &["Ana", ""], column(Some("dear\ncustomer"))).await;
    assert_eq!((plan.good, plan.bad), (1, 1));
    assert_eq!((plan.problems[0].row, plan.problems[0].problem.code.as_str()), (3, "value.newline"));
    // The spelling of the person stays, also where another program's marks are in it.
    let plan = planned(&desk, &[""], column(Some("{%customer.fullName,fallback=there%}"))).await;
    assert_eq!((plan.good, plan.fallbacks[0].rows), (1, 1));
    desk.close().await;
}

#[tokio::test]
async fn resumed_rows_have_the_fallback_that_was_planned() {
    let mut desk = Desk::start().await;
    desk.provider.answers(|earlier, _| match earlier {
        0 => Reply::Accepted,
        _ => Reply::Status("401 Unauthorized", "", "{}"),
    });
    let plan = planned(&desk, &["", "", "", ""], column(Some("there"))).await;
    desk.core.messaging.start_batch(StartBatch { batch: plan.id.clone(), skip_bad: false }).await.unwrap();
    let stopped = desk.wait_until_ended(&plan.id).await;
    assert_eq!(stopped.state.as_str(), "interrupted");
    desk.provider.answers(|_, _| Reply::Accepted);
    desk.resume(&plan.id).await;
    desk.wait_until_ended(&plan.id).await;
    let sent = sent(&desk);
    assert!(sent.len() >= 4 && sent.iter().all(|(_, value)| value == "there"), "{sent:?}");
    desk.close().await;
}

#[tokio::test]
async fn names_are_sent_in_title_case_where_that_is_chosen() {
    let mut desk = Desk::start().await;
    let source = ValueSource::Column {
        column: "nome".to_owned(),
        fallback: Some("prezado cliente".to_owned()),
        transform: Some(ValueTransform::TitleCase),
    };
    let plan = planned(&desk, &["MARIA  DA SILVA ", "josé dos santos", "Ronald McDonald", ""], source).await;
    desk.core.messaging.start_batch(StartBatch { batch: plan.id.clone(), skip_bad: false }).await.unwrap();
    desk.wait_until_ended(&plan.id).await;
    let values: Vec<_> = sent(&desk).into_iter().map(|(_, value)| value).collect();
    assert_eq!(values, ["Maria da Silva", "José dos Santos", "Ronald McDonald", "prezado cliente"]);
    desk.close().await;
}

/// Nothing leaves as it was written if it cannot be rewritten, and a fallback is only for blank cells.
#[tokio::test]
async fn dates_are_sent_in_the_language_of_the_template_and_unread_ones_are_not_sent() {
    let mut desk = Desk::start().await;
    let transform = |order| ValueSource::Column {
        column: "nome".to_owned(),
        fallback: Some("em breve".to_owned()),
        transform: Some(ValueTransform::Date { order }),
    };
    let cells = ["09/06/2026", "2026-11-28", "", "amanhã", "45581"];
    let codes = |plan: &BatchPlan| -> Vec<(u32, &str)> {
        plan.problems.iter().map(|found| (found.row, found.problem.code.as_str())).collect()
    };
    let plan = planned(&desk, &cells, transform(None)).await;
    let all = [(2, "value.dateOrder"), (5, "value.dateUnread"), (6, "value.dateDays")];
    assert_eq!((plan.good, plan.bad, codes(&plan)), (2, 3, all.to_vec()));

    let request = asked(&desk, &cells, transform(Some(DateOrder::DayFirst))).await;
    let previews = previewed(&desk, &request, 0).await.columns;
    assert_eq!((previews[0].written.as_str(), previews[0].row, previews[0].unread), ("09/06/2026", 2, 2));
    let value = previews[0].value.clone().unwrap();
    let plan = desk.core.messaging.plan_batch(request).await.unwrap();
    assert_eq!(codes(&plan), [(5, "value.dateUnread"), (6, "value.dateDays")]);
    desk.core.messaging.start_batch(StartBatch { batch: plan.id.clone(), skip_bad: true }).await.unwrap();
    desk.wait_until_ended(&plan.id).await;
    let values: Vec<_> = sent(&desk).into_iter().map(|(_, value)| value).collect();
    assert_eq!(values, ["9 de junho de 2026", "28 de novembro de 2026", "em breve"]);
    assert_eq!(value, values[0]);
    desk.close().await;
}

/// The phone beside the form and the examples of the check are filled by the same code.
#[tokio::test]
async fn a_row_is_previewed_as_it_is_planned() {
    let desk = Desk::start().await;
    let date = ValueTransform::Date { order: None };
    let money = ValueTransform::Money { currency: "BRL".to_owned(), mark: None };
    for (cell, fallback, transform, shown) in [
        ("2026-12-24", None, Some(date.clone()), "24 de dezembro de 2026"),
        ("MARIA  DA SILVA ", None, Some(ValueTransform::TitleCase), "Maria da Silva"),
        ("1299.5", None, Some(ValueTransform::Number { mark: None }), "1.299,5"),
        ("1299.5", None, Some(money), "R$\u{a0}1.299,50"),
        ("\u{a0}", Some("cliente"), None, "cliente"),
        (" ", Some("em breve"), Some(date.clone()), "em breve"),
        (" Ana\u{200b} ", None, None, "Ana"),
    ] {
        let source =
            ValueSource::Column { column: "nome".to_owned(), fallback: fallback.map(str::to_owned), transform };
        let request = asked(&desk, &["x", cell], source).await;
        let preview = previewed(&desk, &request, 1).await;
        assert_eq!(preview.values["body.1"], shown, "{cell:?}");
        let plan = desk.core.messaging.plan_batch(request).await.unwrap();
        let example = plan.sample.iter().find(|example| example.row == 3).unwrap();
        assert_eq!(preview.preview.bubble, example.bubble, "{cell:?}");
    }
    // What cannot be read leaves nothing as it was written, and says why.
    let source = ValueSource::Column { column: "nome".to_owned(), fallback: None, transform: Some(date) };
    let preview = previewed(&desk, &asked(&desk, &["amanhã"], source).await, 0).await;
    let of_part: Vec<_> = preview.preview.problems.iter().filter(|problem| problem.field == "body.1").collect();
    assert_eq!((preview.values["body.1"].as_str(), of_part.len()), ("", 1));
    assert_eq!(of_part[0].code.as_str(), "value.dateUnread");
    desk.close().await;
}

/// The form is shown before everything in it is chosen.
#[tokio::test]
async fn a_preview_leaves_out_what_is_not_chosen_or_not_there() {
    let desk = Desk::start().await;
    let mut request = asked(&desk, &["Ana"], column(None)).await;
    let BatchSource::Csv { to, name, values, .. } = &mut request.source else { unreachable!("a file") };
    to.clear();
    *name = Some("sobrenome".to_owned());
    let gone = ValueSource::Column { column: "data".to_owned(), fallback: None, transform: None };
    values.insert("body.2".to_owned(), gone);
    let preview = previewed(&desk, &request, 0).await;
    assert_eq!(preview.values.into_iter().collect::<Vec<_>>(), [("body.1".to_owned(), "Ana".to_owned())]);
    // Neither is there a second row.
    assert!(previewed(&desk, &request, 1).await.values.is_empty());
    request.source = BatchSource::Recipients { ids: Vec::new(), values: [].into() };
    assert!(previewed(&desk, &request, 0).await.values.is_empty());
    desk.close().await;
}

#[tokio::test]
async fn the_examples_are_the_first_row_the_longest_and_others_chosen_by_the_content() {
    let desk = Desk::start().await;
    let shown = |plan: BatchPlan| -> Vec<_> { plan.sample.into_iter().map(|row| (row.example, row.row)).collect() };
    let mut names = vec!["Ana"; 60];
    names[40] = "Maria Aparecida";
    names[41] = "Maria Aparecidá";
    let examples = shown(planned(&desk, &names, column(None)).await);
    assert_eq!(examples[..2], [(ExampleKind::First, 2), (ExampleKind::Longest, 42)], "the first of two as long");
    let others: Vec<_> = examples[2..].iter().map(|(_, row)| *row).collect();
    assert!(others.len() == 3 && others.is_sorted() && others[0] > 2 && !others.contains(&42), "{examples:?}");
    assert_eq!(shown(planned(&desk, &names, column(None)).await), examples, "the same file has the same");
    names[7] = "Rui";
    assert_ne!(shown(planned(&desk, &names, column(None)).await)[2..], examples[2..], "another file has others");

    let longest_first = shown(planned(&desk, &["Maria", "Ana"], column(None)).await);
    assert_eq!(longest_first, [(ExampleKind::First, 2), (ExampleKind::Other, 3)]);
    assert_eq!(shown(planned(&desk, &["", ""], column(None)).await), []);
    desk.close().await;
}
