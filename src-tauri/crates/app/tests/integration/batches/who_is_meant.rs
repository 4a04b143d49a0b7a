//! The recipients of a file: numbers are not changed, people are kept apart, and no first person is dropped.

use command_types::batch::{BatchPlan, BatchPlanRequest, BatchSource, CsvFile, SetCsvHeader, StartBatch, ValueSource};
use command_types::batch_mapping::GuessColumns;
use command_types::conversations::ContactQuery;
use command_types::error::DeskError;
use command_types::recipients::{CheckRecipient, SaveRecipient};
use command_types::workspace::{SaveWorkspace, WorkspaceSettings};

use serde_json::json;

use super::limit::{deliver, sender};
use super::{Desk, NUMBER, TEMPLATE, request, settings};

async fn read(desk: &Desk, text: &str) -> CsvFile {
    let path = desk.folder.path().join("people.csv");
    std::fs::write(&path, text).unwrap();
    desk.core.messaging.read_csv(&path).await.unwrap()
}

async fn plan(desk: &Desk, file: &CsvFile) -> BatchPlan {
    plan_in(desk, file, None).await
}

async fn plan_in(desk: &Desk, file: &CsvFile, country: Option<&str>) -> BatchPlan {
    plan_with(desk, file, country, &["to.kind"]).await
}

async fn plan_with(desk: &Desk, file: &CsvFile, country: Option<&str>, overrides: &[&str]) -> BatchPlan {
    let mut request = request(&desk.workspace, TEMPLATE, NUMBER, file);
    let fixed = |part: &str| (part.to_owned(), ValueSource::Fixed { value: "x".to_owned() });
    let values = [fixed("body.1"), fixed("body.2")].into();
    request.source = BatchSource::Csv { file: file.id.clone(), to: file.columns[0].clone(), name: None, values };
    request.options.overrides = overrides.iter().map(|code| (*code).to_owned()).collect();
    request.country = country.map(str::to_owned);
    desk.core.messaging.plan_batch(request).await.unwrap()
}

fn problems(plan: &BatchPlan) -> Vec<(u32, &str)> {
    plan.problems.iter().map(|found| (found.row, found.problem.code.as_str())).collect()
}

#[tokio::test]
async fn numbers_that_a_program_wrote_as_decimals_are_refused_with_a_correction() {
    let desk = Desk::start().await;
    let file = read(&desk, "phone;name\n628123456789.0;Ana\n436641234567.0;Rui\n5511981234567.0;Zé\n").await;
    let plan = plan(&desk, &file).await;
    assert_eq!(problems(&plan), [(2, "to.invalid"), (3, "to.invalid"), (4, "to.invalid")]);
    let corrections: Vec<_> = plan.problems.iter().map(|found| found.problem.values["correction"].as_str()).collect();
    assert_eq!(corrections, ["628123456789", "436641234567", "5511981234567"]);
    assert_eq!(plan.good, 0);
}

#[tokio::test]
async fn a_landline_and_a_similar_mobile_are_two_people() {
    let desk = Desk::start().await;
    let file = read(&desk, "phone;name\n+551133334444;Loja\n+5511933334444;Outra pessoa\n").await;
    let found = plan(&desk, &file).await;
    assert_eq!((found.good, found.duplicates, problems(&found)), (2, 0, vec![(2, "to.kind")]));
    // The old and the new spelling of a mobile are one person.
    let file = read(&desk, "phone\n+551187654321\n+5511987654321\n+541123456789\n+5491123456789\n").await;
    let found = plan(&desk, &file).await;
    assert_eq!((found.total, found.duplicates), (4, 2));
}

/// What a column leaves empty is no refusal, and a person decides about who refused.
#[tokio::test]
async fn people_whom_the_file_says_to_want_no_messages_are_left_out_until_accepted() {
    let desk = Desk::start().await;
    let text = "phone;Aceita mensagens\n+5511987654321;Sim\n+5511987654322;não\n+5511987654323;\n+5511987654324;NÃO\n";
    let file = read(&desk, text).await;
    let found = plan(&desk, &file).await;
    assert_eq!((found.good, found.left_out), (2, 2));
    assert_eq!(problems(&found), [(3, "to.declined"), (5, "to.declined")]);
    let values = &found.problems[0].problem.values;
    assert_eq!((values["column"].as_str(), values["written"].as_str()), ("Aceita mensagens", "não"));
    // What one row of a person says counts for the other.
    let twice = read(&desk, "phone;Opt-out\n+5511987654321;\n+55 11 98765-4321;Sim\n").await;
    assert_eq!(plan_with(&desk, &twice, None, &["to.duplicate"]).await.good, 0);
    let anyway = plan_with(&desk, &file, None, &["to.declined"]).await;
    assert_eq!((anyway.good, anyway.bad), (4, 0));
}

#[tokio::test]
async fn a_landline_from_which_somebody_wrote_is_not_doubted() {
    let desk = Desk::start().await;
    let sender = sender(&desk).await;
    let message = json!({"from": "551133334444", "id": "wamid.in", "timestamp": "1700000000", "type": "text",
        "text": {"body": "Olá"}});
    let value = json!({"messaging_product": "messaging", "messages": [message],
        "metadata": {"display_phone_number": NUMBER, "phone_number_id": NUMBER}});
    deliver(&desk, &sender, "messages", value).await;
    let file = read(&desk, "phone\n+551133334444\n+551133335555\n").await;
    assert_eq!(problems(&plan(&desk, &file).await), [(3, "to.kind")]);
    let mut undecided = request(&desk.workspace, TEMPLATE, NUMBER, &file);
    let fixed = |part: &str| (part.to_owned(), ValueSource::Fixed { value: "x".to_owned() });
    let values = [fixed("body.1"), fixed("body.2")].into();
    undecided.source = BatchSource::Csv { file: file.id.clone(), to: file.columns[0].clone(), name: None, values };
    let found = desk.core.messaging.plan_batch(undecided).await.unwrap();
    assert_eq!((found.good, found.bad), (1, 1));
}

#[tokio::test]
async fn the_first_person_of_a_file_without_header_is_a_recipient() {
    let desk = Desk::start().await;
    for first in ["'+5511981234567", "\u{202a}+5511981234567\u{202c}", "+55\u{a0}11\u{a0}98123\u{2011}4567"] {
        let file = read(&desk, &format!("{first},Ana\n+5511981234568,Rui\n")).await;
        assert_eq!((file.has_header, file.header_uncertain, file.rows), (false, false, 2), "{first}");
        let (workspace, reference) = (desk.workspace.clone(), TEMPLATE.to_owned());
        let guess = GuessColumns { workspace, reference, file: file.id.clone() };
        let guess = desk.core.messaging.guess_columns(guess).await.unwrap();
        assert_eq!(guess.to.as_deref(), Some("Column 1"), "{first}");
        let found = plan(&desk, &file).await;
        assert_eq!((found.good, found.bad), (2, 0), "{first}: {:?}", found.problems);
        assert_eq!(found.sample[0].to, "5511981234567", "{first}");
    }
}

#[tokio::test]
async fn a_plan_follows_what_the_person_says_about_the_first_row() {
    let desk = Desk::start().await;
    let file = read(&desk, "n/a,Ana\n+5511981234568,Rui\n").await;
    assert_eq!((file.has_header, file.header_uncertain, file.rows), (false, true, 2));
    assert_eq!(file.first_row, ["n/a", "Ana"]);
    let names = SetCsvHeader { file: file.id.clone(), has_header: true };
    let named = desk.core.messaging.set_csv_header(names).await.unwrap();
    assert_eq!((named.columns.as_slice(), named.rows), (["n/a".to_owned(), "Ana".to_owned()].as_slice(), 1));
    assert!(named.has_header && !named.header_uncertain);
    assert_eq!(plan(&desk, &named).await.total, 1);
    let person = SetCsvHeader { file: named.id.clone(), has_header: false };
    let all = desk.core.messaging.set_csv_header(person).await.unwrap();
    let found = plan(&desk, &all).await;
    assert_eq!((found.total, problems(&found)), (2, vec![(1, "to.invalid")]));
    let gone = SetCsvHeader { file: named.id, has_header: false };
    assert!(desk.core.messaging.set_csv_header(gone).await.is_err(), "it has another identifier now");
}

/// A desk whose workspace has this default country.
async fn desk_in(country: &str) -> Desk {
    let desk = Desk::start().await;
    let settings = WorkspaceSettings { default_country: country.to_owned(), ..settings(&desk.provider.url) };
    let workspace = Some(desk.workspace.clone());
    let save = SaveWorkspace { workspace, settings, secrets: Vec::new(), session_only: false };
    desk.core.workspaces.save_workspace(save).await.unwrap();
    desk
}

const LOCAL: &str = "phone;name\n(33) 98765-4321;Ana\n33987654322;Rui\n(11) 91234-5678;Lia\n+33 9 87 65 43 23;Zoé\n";

#[tokio::test]
async fn a_file_without_country_codes_asks_once_for_the_country() {
    let desk = desk_in("").await;
    let file = read(&desk, LOCAL).await;
    let asked = plan(&desk, &file).await;
    assert_eq!((asked.total, asked.good, asked.bad), (4, 1, 3));
    assert_eq!(problems(&asked), [(0, "to.countryUnknown")]);
    assert_eq!((asked.numbers.country.as_str(), asked.numbers.unknown, asked.numbers.assumed), ("", 3, 0));
    let shown: Vec<_> = asked.numbers.examples.iter().map(|example| (example.row, example.written.as_str())).collect();
    assert_eq!(shown, [(2, "(33) 98765-4321"), (3, "33987654322"), (4, "(11) 91234-5678")]);
    let other = asked.numbers.examples[0].other.as_ref().unwrap();
    assert_eq!((other.formatted.as_str(), other.country.as_deref()), ("+33 9 87 65 43 21", Some("FR")));

    let answered = plan_in(&desk, &file, Some("BR")).await;
    assert_eq!((answered.good, answered.bad), (4, 0), "{:?}", answered.problems);
    let numbers = &answered.numbers;
    assert_eq!((numbers.country.as_str(), numbers.unknown, numbers.assumed, numbers.ambiguous), ("BR", 0, 3, 2));
    let read = |place: usize| numbers.examples[place].read.as_ref().map(|read| read.formatted.as_str());
    assert_eq!((read(0), read(2)), (Some("+55 33 98765-4321"), Some("+55 11 91234-5678")));
    assert_eq!(answered.sample[0].written, "(33) 98765-4321");
    // Written with its code, it stays what it is, also when the row is sent.
    let id = answered.id.clone();
    let mut desk = desk;
    desk.core.messaging.start_batch(StartBatch { batch: id.clone(), skip_bad: false }).await.unwrap();
    desk.wait_until_ended(&id).await;
    let sent: Vec<String> = desk.provider.recipients().into_keys().collect();
    assert_eq!(sent, ["33987654323", "5511912345678", "5533987654321", "5533987654322"]);
    let rows = desk.rows(&id, "accepted").await;
    assert_eq!((rows[0].written.as_str(), rows[0].formatted.as_str()), ("(33) 98765-4321", "+55 33 98765-4321"));
}

#[tokio::test]
async fn numbers_read_with_their_first_digits_as_country_code_are_listed() {
    let desk = desk_in("BR").await;
    let file =
        read(&desk, "phone;name\n79123456789;Ana\n447400123456;Rui\n+351912345678;Lia\n5511912345678;Zé\n").await;
    let found = plan(&desk, &file).await;
    let numbers = &found.numbers;
    assert_eq!((numbers.assumed, numbers.ambiguous, numbers.foreign), (0, 0, 2), "{numbers:?}");
    let listed: Vec<_> = numbers
        .foreign_examples
        .iter()
        .map(|one| (one.row, one.written.as_str(), one.read.as_ref().and_then(|read| read.country.as_deref())))
        .collect();
    assert_eq!(listed, [(2, "79123456789", Some("RU")), (3, "447400123456", Some("GB"))]);
    // They are said to have their code.
    let found = plan_in(&desk, &file, Some("+")).await;
    assert_eq!(found.numbers.foreign, 0);
}

#[tokio::test]
async fn a_number_with_the_code_of_its_own_country_is_not_ambiguous() {
    let desk = desk_in("DE").await;
    let file = read(&desk, "phone;name\n4915123456789;Ana\n").await;
    let found = plan(&desk, &file).await;
    assert_eq!(found.sample[0].to, "4915123456789");
    let numbers = &found.numbers;
    assert_eq!((numbers.assumed, numbers.ambiguous, numbers.foreign, numbers.examples.len()), (0, 0, 0, 0));
}

#[tokio::test]
async fn the_choice_for_a_file_wins_over_that_of_the_workspace() {
    let desk = desk_in("BR").await;
    let file = read(&desk, "phone;name\n33987654321;Ana\n").await;
    for (country, to) in [(None, "5533987654321"), (Some("FR"), "33987654321"), (Some("+"), "33987654321")] {
        let found = plan_in(&desk, &file, country).await;
        assert_eq!(found.sample[0].to, to, "{country:?}");
    }
}

#[tokio::test]
async fn the_address_book_reads_numbers_as_the_workspace_or_the_person_says() {
    let desk = desk_in("").await;
    let save = |name: &str, number: &str, country: Option<&str>| {
        desk.core.messaging.save_recipient(SaveRecipient {
            workspace: desk.workspace.clone(),
            name: name.to_owned(),
            number: number.to_owned(),
            country: country.map(str::to_owned),
            ..SaveRecipient::default()
        })
    };
    let asked = save("Ana", "(33) 98765-4321", None).await.unwrap_err();
    assert!(matches!(&asked, DeskError::InvalidInput { field, .. } if field == "number"), "{asked:?}");
    let typed = |country: Option<&str>| {
        desk.core.messaging.check_recipient(CheckRecipient {
            workspace: desk.workspace.clone(),
            number: "(33) 98765-4321".to_owned(),
            country: country.map(str::to_owned),
        })
    };
    let check = typed(None).await.unwrap();
    assert_eq!((check.recipient.digits, check.problems[0].code.as_str()), (None, "to.countryUnknown"));
    assert_eq!(check.problems[0].values["digits"], "33987654321");
    let check = typed(Some("BR")).await.unwrap();
    assert_eq!((check.recipient.digits.as_deref(), check.problems.len()), (Some("5533987654321"), 0));
    let ana = save("Ana", "(33) 98765-4321", Some("BR")).await.unwrap();
    assert_eq!((ana.number.as_str(), ana.formatted.as_str()), ("5533987654321", "+55 33 98765-4321"));
    // The other spelling of the number is the same person.
    let taken = save("Ana again", "+55 33 8765-4321", None).await.unwrap_err();
    assert!(taken.to_string().contains("Ana has this number already"), "{taken}");

    // What the book has is sent as it is, without being read again.
    let rows = BatchSource::Recipients {
        ids: vec![ana.id],
        values: ["body.1", "body.2"].map(|part| (part.to_owned(), ValueSource::Fixed { value: "x".to_owned() })).into(),
    };
    let file = read(&desk, "x\n").await;
    let request = BatchPlanRequest { source: rows, ..request(&desk.workspace, TEMPLATE, NUMBER, &file) };
    let found = desk.core.messaging.plan_batch(request).await.unwrap();
    assert_eq!((found.good, found.sample[0].to.as_str()), (1, "5533987654321"));
}

#[tokio::test]
async fn recipients_are_found_by_names_with_accents_in_upper_or_lower_case() {
    let mut desk = Desk::start().await;
    let text = "phone;name\n+5511981234561;Ágata Reis\n+5511981234562;ÉRICA REIS\n+5511981234563;ana reis\n";
    let file = read(&desk, text).await;
    let mut request = request(&desk.workspace, TEMPLATE, NUMBER, &file);
    let fixed = |part: &str| (part.to_owned(), ValueSource::Fixed { value: "x".to_owned() });
    let (to, name) = (file.columns[0].clone(), Some(file.columns[1].clone()));
    let values = [fixed("body.1"), fixed("body.2")].into();
    request.source = BatchSource::Csv { file: file.id.clone(), to, name, values };
    let batch = desk.core.messaging.plan_batch(request).await.unwrap().id;
    let start = StartBatch { batch: batch.clone(), skip_bad: false };
    desk.core.messaging.start_batch(start).await.unwrap();
    desk.wait_until_ended(&batch).await;
    for (search, expected) in [
        ("ágata", vec!["Ágata Reis"]),
        ("ÁGA", vec!["Ágata Reis"]),
        ("reis érica", vec!["ÉRICA REIS"]),
        ("REIS", vec!["ÉRICA REIS", "Ágata Reis", "ana reis"]),
        ("b", vec![]),
    ] {
        let search = Some(search.to_owned());
        let query = ContactQuery { workspace: desk.workspace.clone(), search, limit: 9, ..ContactQuery::default() };
        let rows = desk.core.conversations.list_contacts(query.clone()).await.unwrap().rows;
        let mut names: Vec<_> = rows.iter().map(|row| row.name.as_str()).collect();
        names.sort_unstable_by_key(|name| std::cmp::Reverse(*name));
        assert_eq!(names, expected, "{:?}", query.search);
    }
}
