//! Opt-outs in a workspace with several businesses: for which numbers they count, replies that are opt-outs, the list, and
//! files of opt-outs.

use command_types::Nothing;
use command_types::batch::{BatchPlanRequest, BatchQuery, BatchSource, StartBatch, ValueSource};
use command_types::error::DeskError;
use command_types::language::{Language, WindowLanguage};
use command_types::opt_outs::{
    AddOptOut, AddOptOuts, MarketingSource, MarketingStop, NoteMarketing, OptOut, OptOutImport, OptOutImportId,
    OptOutList, OptOutNotAdded, OptOutPerson, OptOutQuery, OptOutWordsFault, OptOutWordsFaultCode, SaveOptOutWords,
    SavedOptOutWords,
};
use command_types::send::SendOptions;
use command_types::workspace::{SendingNumber, WorkspaceId};
use serde_json::{Value, json};

use super::{Desk, RECIPIENT};
use crate::webhooks::wait_until;

const THEN: u64 = 1_700_000_000;
/// Two numbers of the florist, in an account each, and one of the clinic.
pub(super) const SHOP: &str = "300000000000001";
const EVENTS: &str = "300000000000002";
pub(super) const CLINIC: &str = "300000000000003";

fn promo(name: &str, business: &str, wabas: &[&str]) -> Value {
    json!({"name": name, "category": "marketing", "business_id": business, "waba_ids": wabas,
           "components": [{"type": "BODY", "text": "Olá {{1}}, temos uma oferta para você hoje."}]})
}

fn event(waba: &str, number: Option<&str>, field: &str, mut value: Value) -> String {
    value["messaging_product"] = json!("messaging");
    if let Some(number) = number {
        value["metadata"] = json!({"display_phone_number": "15550100000", "phone_number_id": number});
    }
    json!({"object": "messaging_business_account",
           "entry": [{"id": waba, "changes": [{"field": field, "value": value}]}]})
    .to_string()
}

fn preference(waba: &str, number: Option<&str>, value: &str, at: u64) -> String {
    let preference = json!({"wa_id": RECIPIENT, "category": "marketing_messages", "value": value, "timestamp": at});
    event(waba, number, "user_preferences", json!({"user_preferences": [preference]}))
}

/// A message to a number of the florist or the clinic.
pub(super) fn message(id: &str, from: &str, number: &str, content: Value, at: u64) -> String {
    let mut message = json!({"from": from, "id": id, "timestamp": at.to_string()});
    message.as_object_mut().unwrap().extend(content.as_object().unwrap().clone());
    let waba = if number == CLINIC { "300" } else { "100" };
    let value = json!({"contacts": [{"wa_id": from, "profile": {"name": "Ana"}}], "messages": [message]});
    event(waba, Some(number), "messages", value)
}

pub(super) fn text(body: &str) -> Value {
    json!({"type": "text", "text": {"body": body}})
}

impl Desk {
    pub(super) async fn agency() -> Self {
        Self::agency_with(promo("florist", "1", &["100", "200"])).await
    }

    /// With this template of the florist.
    async fn agency_with(florist: Value) -> Self {
        let desk = Self::start(&[florist, promo("clinic", "2", &["300"])]).await;
        let number = |id: &str, label: &str, waba: &str| SendingNumber {
            id: id.to_owned(),
            label: label.to_owned(),
            waba_id: waba.to_owned(),
            ..SendingNumber::default()
        };
        let numbers =
            vec![number(SHOP, "Shop", "100"), number(EVENTS, "Events", "200"), number(CLINIC, "Clinic", "300")];
        desk.set_numbers(numbers).await;
        desk
    }

    /// The numbers from which a person gets no marketing, by their names.
    pub(super) async fn stopped_from(&self, to: &str) -> Vec<&'static str> {
        let mut stopped = Vec::new();
        for (number, name, template) in [(SHOP, "Shop", "t1"), (EVENTS, "Events", "t1"), (CLINIC, "Clinic", "t2")] {
            let mut request = self.request(template, &[("body.1", "Ana")]);
            (request.number, request.to) = (number.to_owned(), format!("+{to}"));
            let preview = self.core().messaging.preview_send(request).await.unwrap();
            if preview.problems.iter().any(|problem| problem.code.as_str() == "to.optedOut") {
                stopped.push(name);
            }
        }
        stopped
    }

    pub(super) async fn opt_outs(&self, search: &str) -> OptOutList {
        let query = OptOutQuery { workspace: self.workspace(), search: Some(search.to_owned()), limit: 100 };
        self.core().conversations.list_opt_outs(query).await.unwrap()
    }

    async fn conversation_stop(&self) -> Option<MarketingStop> {
        self.conversation(None).await.marketing_stop
    }

    /// Returns what still stops the marketing to the person.
    pub(super) async fn note_about(&self, is_stopped: bool, number: &str, waba: Option<&str>) -> Vec<MarketingStop> {
        let note = NoteMarketing {
            workspace: self.workspace(),
            contact: RECIPIENT.to_owned(),
            is_stopped,
            number: Some(number.to_owned()),
            waba: waba.map(str::to_owned),
        };
        self.core().conversations.note_marketing(note).await.unwrap().stops
    }

    pub(super) async fn allow(&self, row: &OptOut) {
        self.note_about(false, &row.number, Some(&row.waba)).await;
    }

    async fn set_words(&self, words: &[&str]) -> Result<Vec<String>, OptOutWordsFault> {
        let words = words.iter().map(|word| (*word).to_owned()).collect();
        let request = SaveOptOutWords { workspace: self.workspace(), words };
        let SavedOptOutWords { saved, fault } = self.core().conversations.save_opt_out_words(request).await.unwrap();
        saved.map(|list| list.words).ok_or_else(|| fault.unwrap())
    }

    pub(super) async fn check_file(&self, content: &[u8]) -> Result<OptOutImport, DeskError> {
        let path = self.harness.folder.path().join("stops.csv");
        std::fs::write(&path, content).unwrap();
        let request = WorkspaceId { workspace: self.workspace() };
        self.core().conversations.import_opt_outs_from(&path, request).await
    }

    async fn import(&self, content: &[u8]) -> Result<OptOutImport, DeskError> {
        let checked = self.check_file(content).await?;
        let Some(id) = checked.id.clone() else { return Ok(checked) };
        let request = OptOutImportId { workspace: self.workspace(), id };
        self.core().conversations.store_opt_outs(request).await
    }

    async fn export(&self) -> String {
        let path = self.harness.folder.path().join("export.csv");
        let request = WorkspaceId { workspace: self.workspace() };
        self.core().conversations.export_opt_outs_to(&path, request).await.unwrap();
        std::fs::read_to_string(path).unwrap()
    }
}

const FLORIST: [&str; 2] = ["Shop", "Events"];
const ALL: [&str; 3] = ["Shop", "Events", "Clinic"];

#[tokio::test]
async fn a_stop_counts_for_every_number_of_its_business_and_for_no_other_business() {
    let mut desk = Desk::agency().await;
    desk.deliver(&preference("200", Some(EVENTS), "stop", THEN)).await;
    assert_eq!(desk.stopped_from(RECIPIENT).await, FLORIST);
    let only = &desk.opt_outs("").await.rows[0];
    assert_eq!(only.stop.accounts.as_deref(), Some("Shop, Events"));

    // A number that the workspace does not know, of an account that it knows.
    desk.deliver(&preference("300", Some("309"), "stop", THEN + 1)).await;
    assert_eq!(desk.stopped_from(RECIPIENT).await, ALL);
    desk.deliver(&preference("100", Some(SHOP), "resume", THEN + 2)).await;
    assert_eq!(desk.stopped_from(RECIPIENT).await, ["Clinic"]);
    desk.harness.close().await;
}

#[tokio::test]
async fn a_stop_of_an_unknown_account_counts_for_all_and_without_businesses_accounts_count() {
    let mut desk = Desk::agency().await;
    desk.deliver(&preference("0", None, "stop", THEN)).await;
    assert_eq!(desk.stopped_from(RECIPIENT).await, ALL);
    assert_eq!(desk.opt_outs("").await.rows[0].stop.accounts, None);
    desk.harness.close().await;

    let mut template = promo("florist", "", &["100", "200"]);
    template.as_object_mut().unwrap().remove("business_id");
    let mut desk = Desk::agency_with(template).await;
    desk.deliver(&preference("200", None, "stop", THEN)).await;
    assert_eq!(desk.stopped_from(RECIPIENT).await, ["Events"]);
    desk.harness.close().await;
}

#[tokio::test]
async fn notes_are_about_the_business_of_the_conversation() {
    let mut desk = Desk::agency().await;
    desk.note_about(true, CLINIC, None).await;
    assert_eq!(desk.stopped_from(RECIPIENT).await, ["Clinic"]);
    // The conversation is with the shop.
    desk.deliver(&message("wamid.1", RECIPIENT, SHOP, text("Oi"), THEN)).await;
    assert_eq!(desk.conversation_stop().await, None);
    desk.note_about(true, SHOP, None).await;
    let stop = desk.conversation_stop().await.unwrap();
    assert_eq!((stop.source, stop.accounts.as_deref()), (MarketingSource::Note, Some("Shop, Events")));
    let left = desk.note_about(false, EVENTS, None).await;
    assert_eq!(desk.stopped_from(RECIPIENT).await, ["Clinic"], "another number of the same business");
    let left: Vec<_> = left.iter().map(|stop| (stop.source, stop.accounts.as_deref())).collect();
    assert_eq!(left, [(MarketingSource::Note, Some("Clinic"))], "what is left is said");
    assert_eq!(desk.note_about(false, CLINIC, None).await, []);
    desk.harness.close().await;
}

#[tokio::test]
async fn a_reply_or_a_tap_with_an_opt_out_word_stops_the_marketing_of_its_business() {
    let mut desk = Desk::agency().await;
    desk.deliver(&message("wamid.1", RECIPIENT, SHOP, text("Não pare as ofertas!"), THEN)).await;
    assert_eq!(desk.stopped_from(RECIPIENT).await, [""; 0]);
    let tap = json!({"type": "button", "button": {"text": "SAIR", "payload": "b2"}});
    desk.deliver(&message("wamid.2", RECIPIENT, SHOP, tap, THEN + 1)).await;
    assert_eq!(desk.stopped_from(RECIPIENT).await, FLORIST);
    let stop = desk.conversation_stop().await.unwrap();
    assert_eq!((stop.source, stop.since), (MarketingSource::Reply, (THEN as i64 + 1) * 1_000));

    // A person here takes it back; reading all deliveries again does not bring it back, and a new reply does.
    desk.note_about(false, SHOP, None).await;
    assert_eq!(desk.stopped_from(RECIPIENT).await, [""; 0]);
    desk.core().webhooks.rebuild_projection(Nothing {}).await.unwrap();
    desk.harness.wait_for_projection().await;
    assert_eq!(desk.stopped_from(RECIPIENT).await, [""; 0]);
    desk.deliver(&message("wamid.3", RECIPIENT, CLINIC, text(" “Stop!” "), THEN + 2)).await;
    assert_eq!(desk.stopped_from(RECIPIENT).await, ["Clinic"]);
    desk.deliver(&preference("300", Some(CLINIC), "resume", THEN + 3)).await;
    assert_eq!(desk.stopped_from(RECIPIENT).await, [""; 0]);

    let edit = json!({"type": "edit", "edit": {"original_message_id": "wamid.1", "message": text("Parar")}});
    desk.deliver(&message("wamid.4", RECIPIENT, SHOP, edit, 4_000_000_000)).await;
    assert_eq!(desk.stopped_from(RECIPIENT).await, FLORIST, "the text was edited into a word");
    desk.harness.close().await;
}

#[tokio::test]
async fn edited_words_count_from_then_on_also_after_a_rebuild() {
    let mut desk = Desk::agency().await;
    desk.deliver(&message("wamid.1", RECIPIENT, SHOP, text("Chega"), THEN)).await;
    desk.deliver(&message("wamid.2", "5511987654322", SHOP, text("sair"), THEN)).await;
    assert_eq!(desk.set_words(&[" Chega ", "CHEGA", "ok"]).await.unwrap(), ["Chega", "ok"]);
    let stopped = async |desk: &Desk| {
        let rows = desk.opt_outs("").await.rows;
        let mut people: Vec<_> = rows.into_iter().map(|row| row.person).collect();
        people.sort();
        people
    };
    assert_eq!(stopped(&desk).await, ["5511987654322"]);
    desk.deliver(&message("wamid.3", "5511987654323", SHOP, text("chega!"), THEN)).await;
    desk.deliver(&message("wamid.4", "5511987654324", SHOP, text("sair"), THEN)).await;
    assert_eq!(stopped(&desk).await, ["5511987654322", "5511987654323"]);
    desk.core().webhooks.rebuild_projection(Nothing {}).await.unwrap();
    desk.harness.wait_for_projection().await;
    assert_eq!(stopped(&desk).await, ["5511987654322", "5511987654323"]);

    let fault = desk.set_words(&["ok", "!!"]).await.unwrap_err();
    assert_eq!((fault.code, fault.word.as_str()), (OptOutWordsFaultCode::Empty, "!!"));
    let request = WorkspaceId { workspace: desk.workspace() };
    let known = desk.core().conversations.list_opt_out_words(request).await.unwrap();
    assert_eq!(known.words, ["Chega", "ok"]);
    assert!(known.preset.iter().any(|word| word == "descadastrar"));
    assert_eq!(desk.set_words(&[]).await.unwrap(), [""; 0]);
    desk.harness.close().await;
}

#[tokio::test]
async fn the_list_names_everybody_once_for_each_business_and_allows_again() {
    let mut desk = Desk::agency().await;
    desk.deliver(&message("wamid.1", RECIPIENT, SHOP, text("stop"), THEN)).await;
    desk.deliver(&preference("300", Some(CLINIC), "stop", THEN + 5)).await;
    let add =
        |person: &str| AddOptOut { workspace: desk.workspace(), person: person.to_owned(), ..AddOptOut::default() };
    desk.core().conversations.add_opt_out(add("(11) 91234-5678")).await.unwrap();
    let problem = desk.core().conversations.add_opt_out(add("12")).await.unwrap().problem.unwrap();
    assert_eq!((problem.field.as_str(), problem.code.as_str()), ("to", "to.invalid"));

    let list = desk.opt_outs("").await;
    let shown: Vec<_> = list.rows.iter().map(|row| (row.formatted.as_str(), row.stop.source.as_str())).collect();
    assert_eq!(
        shown,
        [("+55 11 91234-5678", "note"), ("+55 11 98765-4321", "preference"), ("+55 11 98765-4321", "reply")]
    );
    assert_eq!(list.rows[1].name.as_deref(), Some("Ana"));
    for (search, found) in [("aná", 2), ("ana clinic", 1), ("91234", 1), ("nobody", 0)] {
        assert_eq!((desk.opt_outs(search).await.found, list.total), (found, 3), "{search}");
    }
    desk.allow(&list.rows[2]).await;
    desk.allow(&list.rows[1]).await;
    assert_eq!(desk.stopped_from(RECIPIENT).await, ["Clinic"], "a choice in WhatsApp is left to the person");
    assert_eq!(desk.opt_outs("").await.total, 2);
    desk.harness.close().await;
}

#[tokio::test]
async fn a_file_is_imported_whole_or_not_at_all() {
    let desk = Desk::agency().await;
    // Windows-1252, as a spreadsheet writes it.
    let faulty = b"Telefone;Nome;since;how;number;account;business\r\n\
        +55 11 98765-4321;Jos\xe9;2025-11-28;note;;;\r\n\
        5,51199E+12;;;;;;\r\n\
        ;Nobody;;;;;\r\n\
        +55 11 98765-4322;;28/11/2025;;;;\r\n\
        +55 11 98765-4323;;2999-01-01;;;;\r\n\
        +55 11 98765-4324;;;by letter;;;\r\n\
        +55 11 98765-4325;;;;Warehouse;;\r\n\
        +55 11 98765-4326;;;;;2E+14;\r\n\
        +55 11 98765-4327;;;;;;9\r\n\
        +55 11 98765-4328;;;;;;;=1+1\r\n";
    let import = desk.import(faulty).await.unwrap();
    let faults: Vec<_> = import.faults.iter().map(|fault| (fault.line, fault.code.as_str())).collect();
    assert_eq!(
        faults,
        [
            (3, "person"),
            (4, "person"),
            (5, "since"),
            (6, "sinceFuture"),
            (7, "how"),
            (8, "number"),
            (9, "account"),
            (10, "business"),
            (11, "cells"),
        ]
    );
    assert_eq!((import.rows, import.faulty, desk.opt_outs("").await.total), (10, 9, 0));

    let good = "\u{feff}person,since,how,number,account,business\n\
        +55 11 98765-4321,2025-11-28,reply,Shop,,\n5511987654322,,,,,2\nBR.13491208655302741918,2025-11-28T10:00:00Z,,,,\n";
    let import = desk.import(good.as_bytes()).await.unwrap();
    assert_eq!((import.rows, import.faulty, import.faults), (3, 0, vec![]));
    assert_eq!(desk.stopped_from(RECIPIENT).await, FLORIST);
    assert_eq!(desk.stopped_from("5511987654322").await, ["Clinic"]);

    // What is exported is imported elsewhere.
    let exported = desk.export().await;
    let row = format!("5511987654321,,2025-11-28T00:00:00.000Z,reply,{SHOP},100,1\r\n");
    assert!(exported.starts_with("\u{feff}person,name,since,how,number,account,business\r\n"), "{exported}");
    assert!(exported.contains(&row), "{exported}");
    let other = Desk::agency().await;
    assert_eq!(other.import(exported.as_bytes()).await.unwrap().faulty, 0);
    assert_eq!(other.export().await, exported);

    for (language, header) in [
        (Language::Portuguese, "pessoa;nome;desde;como;número de envio;conta;empresa\r\n"),
        (Language::Spanish, "persona;nombre;desde;cómo;número de envío;cuenta;empresa\r\n"),
    ] {
        other.core().workspaces.set_window_language(WindowLanguage { language }).await.unwrap();
        let written = other.export().await;
        assert!(written.trim_start_matches('\u{feff}').starts_with(header), "{written}");
        let third = Desk::agency().await;
        assert_eq!(third.import(written.as_bytes()).await.unwrap().faulty, 0);
        assert_eq!(third.export().await, exported, "read in a window of another language");
        third.harness.close().await;
    }
    // The column of people is known by its words, or by its numbers.
    for (file, person) in [
        ("Nombre;Teléfono móvil;Desde\nEva;5511987650001;2025-11-28\n", "5511987650001"),
        ("nome;número\nEva;5511987650002\n", "5511987650002"),
        ("cliente,code\nEva,5511987650003\n", "5511987650003"),
        ("Número;CPF\n5511987650004;52998224725\n", "5511987650004"),
        ("pedido;numero\n11987659999;5511987650005\n", "5511987650005"),
        ("Number,order\n5511987650006,5511987650099\n", "5511987650006"),
        ("order,celular\n5511987650099,5511987650007\n", "5511987650007"),
    ] {
        assert_eq!(desk.import(file.as_bytes()).await.unwrap().faulty, 0, "{file}");
        assert_eq!(desk.stopped_from(person).await, ALL, "{file}");
    }

    let unknown = desk.import(b"a,b\n1,2\n").await.unwrap();
    assert_eq!((unknown.unknown_columns.map(|columns| columns.len()), unknown.added), (Some(2), 0));
    assert_eq!(desk.import(b"+55 11 98765-4329\n").await.unwrap().faulty, 0);
    assert_eq!(desk.stopped_from("5511987654329").await, ALL);
    desk.harness.close().await;
    other.harness.close().await;
}

/// Messages were also sent to the number without its ninth digit, which is the same person's.
#[tokio::test]
async fn a_person_is_listed_with_the_number_they_wrote_with_and_not_with_one_that_was_only_tried() {
    let mut desk = Desk::agency().await;
    let tried = |id: &str, at| {
        let errors = json!([{"code": 131_050, "title": "User stopped marketing messages"}]);
        let failed =
            json!({"id": id, "status": "failed", "timestamp": at, "recipient_id": "551187654321", "errors": errors});
        event("100", Some(SHOP), "messages", json!({"statuses": [failed]}))
    };
    let listed = async |desk: &Desk| {
        let rows = desk.opt_outs("").await.rows;
        rows.into_iter().map(|row| (row.person, row.name)).collect::<Vec<_>>()
    };
    desk.deliver(&tried("wamid.1", "1700000000")).await;
    assert_eq!(listed(&desk).await, [("551187654321".to_owned(), None)], "nothing else is known");
    desk.import(b"person\n+55 11 98765-4321\n").await.unwrap();
    let of_file = (RECIPIENT.to_owned(), None);
    assert_eq!(listed(&desk).await, [of_file.clone(), of_file], "the number of the file, for one business and for all");

    let mut other = Desk::agency().await;
    other.deliver(&message("wamid.2", RECIPIENT, SHOP, text("Oi"), THEN)).await;
    other.deliver(&tried("wamid.3", "1700000009")).await;
    assert_eq!(listed(&other).await, [(RECIPIENT.to_owned(), Some("Ana".to_owned()))]);
    assert!(other.export().await.contains("5511987654321,Ana,"));
    other.harness.close().await;
    desk.harness.close().await;
}

#[tokio::test]
async fn an_imported_stop_counts_although_marketing_was_allowed_here_later() {
    let desk = Desk::agency().await;
    desk.note_about(false, "", None).await;
    let import = desk.import(b"person,since\n+55 11 98765-4321,2020-01-01\n").await.unwrap();
    assert_eq!(import.faulty, 0);
    assert_eq!(desk.stopped_from(RECIPIENT).await, ALL);
    desk.harness.close().await;
}

#[tokio::test]
async fn an_import_says_who_is_not_added_because_marketing_was_allowed_again() {
    let mut desk = Desk::agency().await;
    desk.deliver(&message("wamid.1", RECIPIENT, SHOP, text("sair"), THEN)).await;
    desk.deliver(&message("wamid.2", "5511987654322", CLINIC, text("sair"), THEN)).await;
    let exported = desk.export().await;
    let outcome = |import: &OptOutImport| (import.added, import.known, import.not_added.len());
    let again = desk.import(exported.as_bytes()).await.unwrap();
    assert_eq!(outcome(&again), (0, 2, 0));

    for number in [SHOP, CLINIC] {
        desk.note_about(false, number, None).await;
    }
    let reply = b"person,since,how\n+55 11 98765-4321,2020-01-01,reply\n";
    for (file, outcomes) in [(&reply[..], (0, 0, 1)), (exported.as_bytes(), (0, 1, 1))] {
        let import = desk.import(file).await.unwrap();
        assert_eq!(outcome(&import), outcomes);
        let [not_added] = &import.not_added[..] else { panic!("{import:?}") };
        let (name, by) = (not_added.name.as_deref(), not_added.allowed_by);
        assert_eq!((not_added.person.as_str(), name, by), (RECIPIENT, Some("Ana"), MarketingSource::Note));
        // Nobody is listed who gets marketing.
        let listed: Vec<_> = desk.opt_outs("").await.rows.into_iter().map(|row| row.person).collect();
        assert_eq!((desk.stopped_from(RECIPIENT).await, listed), (vec![], vec!["5511987654322".to_owned()]));
    }

    let import = desk.import(exported.as_bytes()).await.unwrap();
    let person = |row: &OptOutNotAdded| OptOutPerson {
        person: row.person.clone(),
        number: row.number.clone(),
        waba: row.waba.clone(),
    };
    let people = import.not_added.iter().map(person).collect();
    let add = AddOptOuts { workspace: desk.workspace(), people };
    desk.core().conversations.add_opt_outs(add).await.unwrap();
    assert_eq!(desk.stopped_from(RECIPIENT).await, FLORIST);
    assert_eq!(desk.opt_outs("").await.total, 2);
    desk.harness.close().await;
}

#[tokio::test]
async fn a_batch_asks_for_its_own_number_also_before_each_row_leaves() {
    let mut desk = Desk::agency().await;
    desk.deliver(&preference("100", Some(SHOP), "stop", THEN)).await;
    let path = desk.harness.folder.path().join("people.csv");
    std::fs::write(&path, "phone\n+5511987654321\n+5511987654322\n+5511987654323\n").unwrap();
    let file = desk.core().messaging.read_csv(&path).await.unwrap();
    let request = |number: &str, reference: &str| BatchPlanRequest {
        workspace: desk.workspace(),
        reference: reference.to_owned(),
        number: number.to_owned(),
        country: None,
        source: BatchSource::Csv {
            file: file.id.clone(),
            to: file.columns[0].clone(),
            name: None,
            values: [("body.1".to_owned(), ValueSource::Fixed { value: "você".to_owned() })].into(),
        },
        options: SendOptions::default(),
    };
    let florist = desk.core().messaging.plan_batch(request(EVENTS, "t1")).await.unwrap();
    let problem = &florist.problems[0].problem;
    assert_eq!((florist.good, problem.code.as_str()), (2, "to.optedOut"));
    assert_eq!(
        problem.message,
        "This person stopped marketing messages from Shop, Events on 2023-11-14 (in WhatsApp). You can still send \
         utility and authentication templates."
    );
    let clinic = desk.core().messaging.plan_batch(request(CLINIC, "t2")).await.unwrap();
    assert_eq!((clinic.good, clinic.problems.len()), (3, 0));

    // To the florist, which does not matter here, and to the clinic.
    desk.deliver(&message("wamid.1", "5511987654322", SHOP, text("sair"), THEN)).await;
    desk.deliver(&message("wamid.2", "5511987654323", CLINIC, text("sair"), THEN)).await;
    let start = StartBatch { batch: clinic.id.clone(), skip_bad: false };
    let started = desk.core().messaging.start_batch(start).await.unwrap();
    wait_until("the batch ends", async || {
        let query = BatchQuery { batch: started.id.clone(), ..BatchQuery::default() };
        desk.core().messaging.get_batch(query).await.unwrap().batch.state.as_str() == "done"
    })
    .await;
    let mut to: Vec<_> = desk.sent().iter().map(|sent| sent["to"].as_str().unwrap().to_owned()).collect();
    to.sort();
    assert_eq!(to, ["5511987654321", "5511987654322"]);
    desk.harness.close().await;
}
