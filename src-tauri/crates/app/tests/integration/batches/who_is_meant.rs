//! A file means who its owner means: numbers are not changed, people are told apart, and no first person is dropped.

use command_types::batch::{BatchPlan, BatchSource, CsvFile, SetCsvHeader};

use super::{Desk, NUMBER, TEMPLATE, request};
use command_types::batch::ValueSource;

async fn read(desk: &Desk, text: &str) -> CsvFile {
    let path = desk.folder.path().join("people.csv");
    std::fs::write(&path, text).unwrap();
    desk.core.messaging.read_csv(&path).await.unwrap()
}

async fn plan(desk: &Desk, file: &CsvFile) -> BatchPlan {
    let mut request = request(&desk.workspace, TEMPLATE, NUMBER, file);
    let fixed = |part: &str| (part.to_owned(), ValueSource::Fixed { value: "x".to_owned() });
    let values = [fixed("body.1"), fixed("body.2")].into();
    request.source = BatchSource::Csv { file: file.id.clone(), to: file.columns[0].clone(), name: None, values };
    request.options.overrides = vec!["to.kind".to_owned()];
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

#[tokio::test]
async fn the_first_person_of_a_file_without_header_is_a_recipient() {
    let desk = Desk::start().await;
    for first in ["'+5511981234567", "\u{202a}+5511981234567\u{202c}", "+55\u{a0}11\u{a0}98123\u{2011}4567"] {
        let file = read(&desk, &format!("{first},Ana\n+5511981234568,Rui\n")).await;
        assert_eq!((file.has_header, file.header_uncertain, file.rows), (false, false, 2), "{first}");
        assert_eq!(file.number_columns, ["Column 1"], "{first}");
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
