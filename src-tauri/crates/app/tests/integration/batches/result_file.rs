//! The file with the outcomes of a batch.

use std::collections::BTreeMap;

use chrono::{DateTime, SecondsFormat};
use command_types::batch::{BatchId, BatchSource, StartBatch};
use command_types::language::{Language, WindowLanguage};

use super::super::webhooks::wait_until;
use super::provider::Reply;
use super::replies::{message, tap, text};
use super::round::{deliver, now, report, sender};
use super::{BAD, Desk, NUMBER, TEMPLATE, recipient, request};

/// The file of a batch: each row by the names of the columns.
async fn exported(desk: &Desk, id: &str) -> BTreeMap<u32, BTreeMap<String, String>> {
    let path = desk.folder.path().join("outcomes.csv");
    desk.core.messaging.export_batch_to(&path, BatchId { batch: id.to_owned() }).await.unwrap();
    let rows = csv::Reader::from_path(&path).unwrap().into_deserialize::<BTreeMap<String, String>>();
    rows.map(Result::unwrap).map(|row| (row["row"].parse().unwrap(), row)).collect()
}

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
        assert_eq!([6, 7, 10, 17].map(|place: usize| again.columns[place].as_str()), columns);
        let first = ["Ana, a 1.ª", "Recife", &recipient(2), "12/5", "PE", "'=1+1", "2", "+55 11 98740-0002"];
        assert_eq!(again.sample[0][..8], first);
        assert_eq!(again.sample[1][..6], ["Bia", "Ouro;Preto", &recipient(3), "13/5", "MG", "1,5"]);
        assert_eq!([0, 2].map(|row: usize| again.sample[row][10].as_str()), states);
        assert!(again.sample[2][17].contains(reason), "{}", again.sample[2][17]);
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

/// Elsewhere people ask for each time in a column of its own (gophish/gophish 1079).
#[tokio::test]
async fn outcomes_have_the_times_that_are_known() {
    let mut desk = Desk::start().await;
    let refused = recipient(8);
    desk.provider.answers(move |_, to| {
        let body = r#"{"error":{"code":131026,"message":"Message undeliverable"}}"#;
        if to == refused { Reply::Status("400 Bad Request", "", body) } else { Reply::Accepted }
    });
    let id = desk.started().await;
    desk.wait_until_ended(&id).await;
    let sender = sender(&desk).await;
    let at = now() / 1_000 * 1_000;
    let later = |seconds: i64| at + seconds * 1_000;
    for (line, status, code, at) in [
        (2, "sent", None, at),
        (2, "delivered", None, later(1)),
        (2, "read", None, later(2)),
        // Reported again.
        (2, "read", None, later(9)),
        (3, "read", None, later(3)),
        (5, "failed", Some(131_026), later(1)),
    ] {
        report(&desk, &sender, &recipient(line), status, code, at).await;
    }
    let nth = desk.provider.sends().iter().position(|body| body["to"] == recipient(7)).unwrap();
    let of_message = tap(&format!("wamid.{nth}"), "Sim", "yes");
    deliver(&sender, message(&recipient(6), "wamid.in.6", later(4), text("Quem é?"))).await;
    deliver(&sender, message(&recipient(7), "wamid.in.7", later(5), of_message)).await;
    deliver(&sender, message(&recipient(7), "wamid.in.8", later(6), text("Até já"))).await;
    wait_until("all is known", async || {
        let rows = exported(&desk, &id).await;
        let is_known = |row: u32, column: &str| !rows[&row][column].is_empty();
        rows[&2]["state"] == "read"
            && rows[&3]["state"] == "read"
            && rows[&5]["state"] == "failed"
            && is_known(6, "replied_at")
            && is_known(7, "tapped_at")
            && is_known(7, "button")
    })
    .await;

    let rows = exported(&desk, &id).await;
    let shown = |seconds: i64| {
        let at = DateTime::from_timestamp_millis(later(seconds)).unwrap();
        at.to_rfc3339_opts(SecondsFormat::Secs, true)
    };
    let none = String::new;
    let of = |row: u32| {
        ["delivered_at", "read_at", "replied_at", "tapped_at", "button"].map(|column| rows[&row][column].clone())
    };
    assert_eq!(rows[&2]["sent_at"], shown(0));
    assert_eq!(of(2), [shown(1), shown(2), none(), none(), none()]);
    assert_eq!(of(3), [shown(3), shown(3), none(), none(), none()], "what was read was delivered");
    assert_eq!(of(6), [none(), none(), shown(4), none(), none()]);
    assert_eq!(of(7), [none(), none(), shown(5), shown(5), "Sim".to_owned()], "the first answer");
    for row in [4, 5, 8, BAD[0]] {
        assert_eq!(of(row), [none(), none(), none(), none(), none()], "{row}");
    }
    let is_sent = [3, 4, 5, 8, BAD[0]].map(|row| !rows[&row]["sent_at"].is_empty());
    assert_eq!(is_sent, [true, true, true, false, false]);
    desk.close().await;
}
