//! The file with the outcomes of a batch.

use command_types::batch::{BatchId, BatchSource, StartBatch};
use command_types::language::{Language, WindowLanguage};

use super::{Desk, NUMBER, TEMPLATE, recipient, request};

#[tokio::test]
async fn outcomes_follow_the_columns_of_the_file_and_are_read_again_in_every_language() {
    let mut desk = Desk::start().await;
    let core = desk.core.clone();
    let list = format!(
        "nome,cidade,numero,dia,State,nota\n\"Ana, a 1.ª\",Recife,{},12/5,PE,=1+1\nBia,\"Ouro;Preto\",{},13/5,MG,\"1,5\"\nCaio,Rio,123,14/5,RJ,\n",
        recipient(2),
        recipient(3)
    );
    let path = desk.folder.path().join("list.csv");
    std::fs::write(&path, list).unwrap();
    let read = core.messaging.read_csv(&path).await.unwrap();
    let plan = core.messaging.plan_batch(request(&desk.workspace, TEMPLATE, NUMBER, &read)).await.unwrap();
    assert_eq!((plan.good, plan.bad, plan.is_file_too_large), (2, 1, false));
    core.messaging.start_batch(StartBatch { batch: plan.id.clone(), skip_bad: true }).await.unwrap();
    desk.wait_until_ended(&plan.id).await;

    for (language, delimiter, columns, states, reason) in [
        (Language::English, ",", ["row", "recipient", "state (2)", "problem"], ["accepted", "skipped"], "is too short"),
        (
            Language::Portuguese,
            ";",
            ["linha", "destinatário", "status", "problema"],
            ["aceito", "pulado"],
            "é curto demais",
        ),
        (
            Language::Spanish,
            ";",
            ["fila", "destinatario", "estado", "problema"],
            ["aceptado", "omitido"],
            "es demasiado corto",
        ),
    ] {
        core.workspaces.set_window_language(WindowLanguage { language }).await.unwrap();
        let path = desk.folder.path().join("out.csv");
        core.messaging.export_batch_to(&path, BatchId { batch: plan.id.clone() }).await.unwrap();
        let again = core.messaging.read_csv(&path).await.unwrap();
        assert_eq!((again.delimiter.as_str(), again.has_header, again.rows), (delimiter, true, 3));
        assert_eq!(again.columns[..6], ["nome", "cidade", "numero", "dia", "State", "nota"]);
        assert_eq!([6, 7, 10, 11].map(|place: usize| again.columns[place].as_str()), columns);
        let first = ["Ana, a 1.ª", "Recife", &recipient(2), "12/5", "PE", "'=1+1", "2", "+55 11 98740-0002"];
        assert_eq!(again.sample[0][..8], first);
        assert_eq!(again.sample[1][..6], ["Bia", "Ouro;Preto", &recipient(3), "13/5", "MG", "1,5"]);
        assert_eq!([0, 2].map(|row: usize| again.sample[row][10].as_str()), states);
        assert!(again.sample[2][11].contains(reason), "{}", again.sample[2][11]);
        // The list of outcomes is a list of people, too.
        let mut second = request(&desk.workspace, TEMPLATE, NUMBER, &again);
        let BatchSource::Csv { to, .. } = &mut second.source else { panic!("a file") };
        columns[1].clone_into(to);
        second.options.overrides = vec!["to.repeated".to_owned()];
        assert_eq!(core.messaging.plan_batch(second).await.unwrap().good, 2);
    }
    desk.close().await;
}

#[tokio::test]
async fn a_file_that_is_too_large_is_not_kept_and_the_check_says_so() {
    let desk = Desk::start().await;
    let core = desk.core.clone();
    let rows: Vec<String> =
        (2..102).map(|line| format!("{},Ana,12/5,{}", recipient(line), "x".repeat(90_000))).collect();
    let path = desk.folder.path().join("large.csv");
    std::fs::write(&path, format!("numero,nome,dia,biografia\n{}\n", rows.join("\n"))).unwrap();
    let read = core.messaging.read_csv(&path).await.unwrap();
    let plan = core.messaging.plan_batch(request(&desk.workspace, TEMPLATE, NUMBER, &read)).await.unwrap();
    assert_eq!((plan.good, plan.is_file_too_large), (100, true));
    let path = desk.folder.path().join("out.csv");
    core.messaging.export_batch_to(&path, BatchId { batch: plan.id }).await.unwrap();
    assert!(std::fs::read_to_string(&path).unwrap().starts_with("\u{feff}row,recipient,"));
    desk.close().await;
}
