//! Files of the address book: what an import would change, what it changed, and the way back.

use command_types::error::DeskError;
use command_types::language::{Language, WindowLanguage};
use command_types::opt_outs::NoteMarketing;
use command_types::recipient_files::{
    ExportRecipients, RecipientFaultCode, RecipientImport, RecipientImportId, RecipientImportRequest,
    RecipientImportUndone,
};
use command_types::recipients::{DeleteRecipients, Recipient, RecipientQuery, SaveRecipient};
use command_types::workspace::WorkspaceId;

use super::Desk;

const ANA: &str = "5511987654321";
/// The number of Ana as WhatsApp knows it.
const ANA_FORMER: &str = "551187654321";
const BIA: &str = "5511987654322";

impl Desk {
    async fn checked(&self, content: &[u8]) -> RecipientImport {
        let path = self.folder.path().join("people.csv");
        std::fs::write(&path, content).unwrap();
        let request = WorkspaceId { workspace: self.workspace.clone() };
        self.core.messaging.import_recipients_from(&path, request).await.unwrap()
    }

    fn choices(&self, import: &RecipientImport) -> RecipientImportRequest {
        RecipientImportRequest {
            workspace: self.workspace.clone(),
            id: import.id.clone().unwrap(),
            ..RecipientImportRequest::default()
        }
    }

    async fn planned(&self, request: &RecipientImportRequest) -> RecipientImport {
        self.core.messaging.plan_recipient_import(request.clone()).await.unwrap()
    }

    async fn stored(&self, request: &RecipientImportRequest) -> RecipientImport {
        self.core.messaging.store_recipient_import(request.clone()).await.unwrap()
    }

    async fn imported(&self, content: &[u8]) -> (RecipientImport, RecipientImportId) {
        let request = self.choices(&self.checked(content).await);
        let stored = self.stored(&request).await;
        (stored, RecipientImportId { workspace: request.workspace, id: request.id })
    }

    async fn undone(&self, import: RecipientImportId) -> RecipientImportUndone {
        self.core.messaging.undo_recipient_import(import).await.unwrap()
    }

    async fn book(&self) -> Vec<Recipient> {
        let query = RecipientQuery { workspace: self.workspace.clone(), ..RecipientQuery::default() };
        self.core.messaging.list_recipients(query).await.unwrap().rows
    }

    /// The people as `number/name/labels/note`, by number.
    async fn people(&self) -> Vec<String> {
        let book = self.book().await.into_iter();
        let mut people: Vec<String> = book
            .map(|person| format!("{}/{}/{}/{}", person.number, person.name, person.labels.join("+"), person.note))
            .collect();
        people.sort();
        people
    }

    async fn saved(&self, name: &str, number: &str, labels: &[&str], note: &str) -> Recipient {
        let person = SaveRecipient {
            workspace: self.workspace.clone(),
            name: name.to_owned(),
            number: number.to_owned(),
            labels: labels.iter().map(|label| (*label).to_owned()).collect(),
            note: note.to_owned(),
            ..SaveRecipient::default()
        };
        self.core.messaging.save_recipient(person).await.unwrap()
    }

    async fn changed(&self, person: Recipient, change: impl FnOnce(&mut SaveRecipient)) {
        let Recipient { id, workspace, name, number, labels, note, .. } = person;
        let number = format!("+{number}");
        let mut changed = SaveRecipient { id: Some(id), workspace, name, number, labels, note, country: None };
        change(&mut changed);
        self.core.messaging.save_recipient(changed).await.unwrap();
    }

    async fn person(&self, number: &str) -> Recipient {
        self.book().await.into_iter().find(|person| person.number == number).unwrap()
    }

    async fn stop_marketing(&self, number: &str) {
        let (workspace, contact) = (self.workspace.clone(), number.to_owned());
        let note = NoteMarketing { workspace, contact, is_stopped: true, ..NoteMarketing::default() };
        self.core.conversations.note_marketing(note).await.unwrap();
    }

    fn sql(&self, sql: &str) {
        let desk = rusqlite::Connection::open(self.folder.path().join("desk/desk.sqlite")).unwrap();
        desk.execute_batch(sql).unwrap();
    }
}

/// New, known, changed and repeated people, and faulty rows.
fn counts(import: &RecipientImport) -> [u32; 5] {
    [import.added, import.known, import.changed, import.repeated, import.faulty]
}

/// Messy numbers, a person twice, one who is known in another spelling, and rows that are left out.
fn file() -> String {
    format!(
        "Telefone;Nome;Etiquetas;Observação;CPF\r\n\
         {ANA_FORMER};Ana da loja;VIP, piloto;likes tulips;1\r\n\
         tel:+55 11 98765-4322;  Bia   Reis ;vip;\"two\r\nlines\";2\r\n\
         '+55 (11) 98765-4323;;;;3\r\n\
         5511987654322;Beatriz;time;again;4\r\n\
         5,51199E+12;Dora;;;5\r\n\
         ;Eva;;;6\r\n\
         +55 11 98765-4324;Fábio;{};;7\r\n",
        "x".repeat(41)
    )
}

#[tokio::test]
async fn an_import_says_what_would_happen_before_anything_is_stored() {
    let desk = Desk::start().await;
    desk.saved("Ana Lima", ANA, &["VIP"], "").await;
    let before = desk.people().await;
    let import = desk.checked(file().as_bytes()).await;
    assert_eq!((import.name.as_str(), counts(&import)), ("people.csv", [2, 1, 1, 1, 3]));
    let columns: Vec<_> = import.columns.iter().map(|read| (read.field.as_str(), read.columns.join("|"))).collect();
    let expected = [("number", "Telefone"), ("name", "Nome"), ("labels", "Etiquetas"), ("note", "Observação")];
    assert_eq!(columns, expected.map(|(field, column)| (field, column.to_owned())));
    assert_eq!(import.unread_columns, ["CPF"]);
    let faults: Vec<_> = import.faults.iter().map(|fault| (fault.line, fault.code, fault.value.as_str())).collect();
    let long = "x".repeat(41);
    assert_eq!(
        faults,
        [
            (7, RecipientFaultCode::Number, "5,51199E+12"),
            (8, RecipientFaultCode::Number, ""),
            (9, RecipientFaultCode::LabelTooLong, long.as_str()),
        ]
    );
    let reasons: Vec<_> =
        import.faults.iter().map(|fault| fault.problem.as_ref().map(|problem| problem.code.as_str())).collect();
    assert_eq!(reasons, [Some("to.invalid"), Some("to.missing"), None]);
    assert_eq!(desk.people().await, before, "nothing is stored yet");

    // The counts follow the choices.
    let request = desk.choices(&import);
    let replacing = RecipientImportRequest { label: " Spring  fair ".to_owned(), replaces: true, ..request.clone() };
    assert_eq!(counts(&desk.planned(&replacing).await), counts(&import));
    assert_eq!(counts(&desk.planned(&request).await), counts(&import));
    let long = RecipientImportRequest { label: "x".repeat(41), ..request.clone() };
    for refused in [
        desk.core.messaging.plan_recipient_import(long.clone()).await,
        desk.core.messaging.store_recipient_import(long).await,
    ] {
        assert!(matches!(&refused, Err(DeskError::InvalidInput { field, .. }) if field == "label"), "{refused:?}");
    }
    let elsewhere = RecipientImportRequest { workspace: "other".to_owned(), ..request.clone() };
    assert!(desk.core.messaging.store_recipient_import(elsewhere).await.is_err());

    let stored = desk.stored(&request).await;
    assert_eq!(counts(&stored), counts(&import));
    let people = [
        "5511987654321/Ana Lima/piloto+VIP/likes tulips",
        "5511987654322/Bia Reis/time+VIP/two\r\nlines",
        "5511987654323///",
    ];
    assert_eq!(desk.people().await, people, "labels as the address book spells them; Ana keeps her number and name");
    let twice = desk.core.messaging.store_recipient_import(request).await.unwrap_err();
    assert!(matches!(twice, DeskError::NotFound { .. }), "{twice:?}");

    // The same file again changes nobody.
    assert_eq!(counts(&desk.checked(file().as_bytes()).await), [0, 3, 0, 1, 3]);
    desk.close().await;
}

#[tokio::test]
async fn names_and_notes_of_the_file_replace_those_of_the_book_if_the_person_says_so() {
    let desk = Desk::start().await;
    desk.saved("Ana Lima", ANA, &["team"], "old").await;
    desk.saved("Bia", "5511987654322", &[], "kept").await;
    let content = format!("phone,name,note\n+{ANA},Ana L.,new\n+5511987654322,,\n");
    let request = desk.choices(&desk.checked(content.as_bytes()).await);
    assert_eq!(counts(&desk.planned(&request).await), [0, 2, 0, 0, 0]);
    let request = RecipientImportRequest { replaces: true, ..request };
    assert_eq!(counts(&desk.planned(&request).await), [0, 2, 1, 0, 0]);
    let request = RecipientImportRequest { label: "Fair".to_owned(), ..request };
    assert_eq!(counts(&desk.stored(&request).await), [0, 2, 2, 0, 0]);
    let people = ["5511987654321/Ana L./Fair+team/new", "5511987654322/Bia/Fair/kept"];
    assert_eq!(desk.people().await, people, "empty cells replace nothing");
    desk.close().await;
}

#[tokio::test]
async fn a_later_row_of_a_person_fills_in_what_the_first_leaves_empty() {
    let desk = Desk::start().await;
    desk.saved("Bia", BIA, &[], "old").await;
    let content = format!(
        "phone,name,note\n+{ANA},,\n+{ANA_FORMER},Ana Lima,likes tulips\n+{ANA},Other,other\n\
         +{BIA},,new\n+{BIA},Bia Reis,newer\n"
    );
    let request = desk.choices(&desk.checked(content.as_bytes()).await);
    assert_eq!(counts(&desk.planned(&request).await), [1, 1, 0, 3, 0]);
    let request = RecipientImportRequest { replaces: true, ..request };
    assert_eq!(counts(&desk.stored(&request).await), [1, 1, 1, 3, 0]);
    assert_eq!(desk.people().await, ["5511987654321/Ana Lima//likes tulips", "5511987654322/Bia Reis//new"]);
    desk.close().await;
}

#[tokio::test]
async fn of_both_spellings_of_a_number_that_of_the_file_is_meant() {
    for (number, people) in [
        (ANA, ["551187654321/Former//", "5511987654321/Current/new/"]),
        (ANA_FORMER, ["551187654321/Former/new/", "5511987654321/Current//"]),
    ] {
        let desk = Desk::start().await;
        desk.saved("Current", ANA, &[], "").await;
        desk.saved("Former", BIA, &[], "").await;
        desk.sql(&format!("UPDATE recipient SET number = '{ANA_FORMER}' WHERE number = '{BIA}'"));
        let content = format!("phone,labels\n+{number},new\n");
        assert_eq!(counts(&desk.imported(content.as_bytes()).await.0), [0, 1, 1, 0, 0]);
        assert_eq!(desk.people().await, people);
        desk.close().await;
    }
}

#[tokio::test]
async fn numbers_without_country_code_are_read_by_the_country_that_was_chosen() {
    let desk = Desk::start().await;
    let content = b"Mobile Phone,First Name,Last Name\n06 12 34 56 78,Zo\xc3\xa9,Petit\n";
    let request = desk.choices(&desk.checked(content).await);
    let french = RecipientImportRequest { country: Some("FR".to_owned()), ..request.clone() };
    let brazilian = RecipientImportRequest { country: Some("BR".to_owned()), ..request };
    assert_eq!(counts(&desk.planned(&brazilian).await)[4], 1);
    assert_eq!(counts(&desk.planned(&french).await)[4], 0);
    desk.stored(&french).await;
    assert_eq!(desk.people().await, ["33612345678/Zoé Petit//"]);
    desk.close().await;
}

#[tokio::test]
async fn files_of_other_programs_are_read_in_their_encodings() {
    let desk = Desk::start().await;
    let outlook = "\"First Name\",\"Last Name\",\"Home Phone\",\"Mobile Phone\",\"Home Fax\",\"Categories\",\"Notes\"\r\n\
                   \"José\",\"Peña\",\"+55 11 3071-0000\",\"+55 11 98765-4331\",\"+55 11 3071-0001\",\"Loja;VIP\",\"\"\r\n\
                   \"Conceição\",\"\",\"+55 11 98765-4332\",\"\",\"\",\"\",\"a \"\"note\"\"\"\r\n";
    let expected = ["5511987654331/José Peña/Loja+VIP/", "5511987654332/Conceição//a \"note\""];
    let windows: Vec<u8> = outlook.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect();
    let utf_16: Vec<u8> = "\u{feff}".encode_utf16().chain(outlook.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    for content in [windows, utf_16, format!("\u{feff}{outlook}").into_bytes()] {
        let (import, id) = desk.imported(&content).await;
        assert_eq!(counts(&import), [2, 0, 0, 0, 0]);
        assert_eq!(import.unread_columns, ["Home Fax"]);
        assert_eq!(desk.people().await, expected);
        desk.undone(id).await;
    }
    // Without a header, and a file in which nothing is known to be a number.
    let (import, _) = desk.imported(b"Ana,+55 11 98765-4321\nBia,+55 11 98765-4322\n").await;
    assert_eq!(counts(&import), [2, 0, 0, 0, 0]);
    let import = desk.checked(b"a,b\n5511987654321,447700900123\n").await;
    assert_eq!((import.id, import.unknown_columns), (None, Some(vec!["a".to_owned(), "b".to_owned()])));
    desk.close().await;
}

#[tokio::test]
async fn an_import_is_taken_back_except_for_what_was_changed_since() {
    let desk = Desk::start().await;
    desk.saved("Ana Lima", ANA, &["team"], "").await;
    desk.saved("Gil", "5511987654329", &[], "").await;
    let before = desk.book().await;
    let content = format!(
        "phone,name,labels,note\n+{ANA},Ana,\"VIP,new\",likes tulips\n+5511987654329,,VIP,\n\
         +5511987654322,Bia,VIP,\n+5511987654323,Caio,VIP,\n"
    );
    let (import, id) = desk.imported(content.as_bytes()).await;
    assert_eq!(counts(&import), [2, 2, 2, 0, 0]);
    let undone = desk.undone(id.clone()).await;
    assert_eq!(undone, RecipientImportUndone { kept: 0 });
    assert_eq!(desk.book().await, before);
    assert!(desk.core.messaging.undo_recipient_import(id).await.is_err(), "it was taken back already");

    let (_, id) = desk.imported(content.as_bytes()).await;
    desk.changed(desk.person(ANA).await, |ana| {
        ana.note = "likes roses".to_owned();
        ana.labels.retain(|label| label != "VIP");
        ana.labels.push("since".to_owned());
    })
    .await;
    desk.changed(desk.person("5511987654322").await, |bia| bia.name = "Beatriz".to_owned()).await;
    let gil = desk.person("5511987654329").await.id;
    desk.core
        .messaging
        .delete_recipients(DeleteRecipients { workspace: desk.workspace.clone(), ids: vec![gil] })
        .await
        .unwrap();
    let undone = desk.undone(id).await;
    assert_eq!(undone, RecipientImportUndone { kept: 3 }, "two were changed, one was deleted");
    let people = ["5511987654321/Ana Lima/since+team/likes roses", "5511987654322/Beatriz/VIP/"];
    assert_eq!(desk.people().await, people);
    desk.close().await;
}

#[tokio::test]
async fn a_failed_write_changes_nothing_and_can_be_tried_again() {
    let desk = Desk::start().await;
    desk.saved("Ana", ANA, &[], "").await;
    let before = desk.book().await;
    let content = format!("phone,name,labels\n+{ANA},Ana,VIP\n+5511987654322,Bia,\n+5511987654323,Caio,\n");
    let request = desk.choices(&desk.checked(content.as_bytes()).await);
    desk.sql(
        "CREATE TRIGGER full BEFORE INSERT ON recipient WHEN NEW.name = 'Caio' BEGIN SELECT RAISE(FAIL, 'full'); END",
    );
    assert!(desk.core.messaging.store_recipient_import(request.clone()).await.is_err());
    assert_eq!(desk.book().await, before);
    desk.sql("DROP TRIGGER full");
    assert_eq!(counts(&desk.stored(&request).await), [2, 1, 1, 0, 0]);

    let id = RecipientImportId { workspace: request.workspace, id: request.id };
    desk.sql("CREATE TRIGGER full BEFORE DELETE ON recipient BEGIN SELECT RAISE(FAIL, 'full'); END");
    let imported = desk.book().await;
    assert!(desk.core.messaging.undo_recipient_import(id.clone()).await.is_err());
    assert_eq!(desk.book().await, imported);
    desk.sql("DROP TRIGGER full");
    desk.undone(id).await;
    assert_eq!(desk.book().await, before);
    desk.close().await;
}

#[tokio::test]
async fn an_exported_file_gives_the_same_people_back_in_every_language() {
    let desk = Desk::start().await;
    desk.saved("Ana \"Zé\" Lima", ANA, &["VIP", "São Paulo; SP"], "two\nlines, and a; b").await;
    desk.saved("=1+1", "+5215512345678", &["=label"], "-note").await;
    desk.changed(desk.person("5215512345678").await, |person| person.note = "=2+2;=3".to_owned()).await;
    desk.saved("Bia", BIA, &["a, b"], "'=cell of a formula; '-1").await;
    desk.imported(b"phone\n+44 7400 123456\n").await;
    desk.stop_marketing(BIA).await;
    let people = desk.people().await;
    assert!(people.contains(&"447400123456///".to_owned()));
    let path = desk.folder.path().join("exported.csv");
    for (language, header, stopped) in [
        (Language::English, "name,phone,labels,note,marketing", "stopped"),
        (Language::Portuguese, "nome;telefone;etiquetas;nota;marketing", "interrompido"),
        (Language::Spanish, "nombre;teléfono;etiquetas;nota;marketing", "detenido"),
    ] {
        desk.core.workspaces.set_window_language(WindowLanguage { language }).await.unwrap();
        let query = RecipientQuery { workspace: desk.workspace.clone(), ..RecipientQuery::default() };
        let request = ExportRecipients { query, ids: None };
        let exported = desk.core.messaging.export_recipients_to(&path, request).await.unwrap();
        assert_eq!(exported.rows, 4);
        let content = std::fs::read_to_string(&path).unwrap();
        assert!(content.starts_with(&format!("\u{feff}{header}\r\n")), "{content}");
        let marked = content.lines().filter(|line| line.ends_with(stopped)).collect::<Vec<_>>();
        assert!(matches!(marked.as_slice(), [bia] if bia.starts_with("Bia")), "{content}");
        assert!(content.contains("+55 11 98765-4321") && content.contains("+52 15512345678"), "{content}");
        assert_eq!(counts(&desk.checked(content.as_bytes()).await), [0, 4, 0, 0, 0], "{content}");

        let ids = desk.book().await.into_iter().map(|person| person.id).collect();
        let everyone = DeleteRecipients { workspace: desk.workspace.clone(), ids };
        desk.core.messaging.delete_recipients(everyone).await.unwrap();
        let (import, _) = desk.imported(content.as_bytes()).await;
        assert_eq!(counts(&import), [4, 0, 0, 0, 0]);
        assert_eq!(desk.people().await, people, "{language:?}");
    }
    // Those whom a query finds, or who are marked.
    let query = RecipientQuery {
        workspace: desk.workspace.clone(),
        label: Some("VIP".to_owned()),
        ..RecipientQuery::default()
    };
    for (ids, name) in [(None, "Ana \"Zé\" Lima"), (Some(vec![desk.person(BIA).await.id]), "Bia")] {
        let request = ExportRecipients { query: query.clone(), ids };
        assert_eq!(desk.core.messaging.export_recipients_to(&path, request).await.unwrap().rows, 1);
        let import = desk.checked(&std::fs::read(&path).unwrap()).await;
        assert_eq!(counts(&import), [0, 1, 0, 0, 0], "{name}");
    }
    desk.close().await;
}

#[tokio::test]
async fn people_without_a_name_can_be_changed_and_restored() {
    let desk = Desk::start().await;
    desk.imported(format!("phone\n+{ANA}\n").as_bytes()).await;
    desk.changed(desk.person(ANA).await, |person| person.note = "x".to_owned()).await;
    let person = desk.person(ANA).await;
    assert_eq!((person.name.as_str(), person.formatted.as_str()), ("", "+55 11 98765-4321"));
    let ids = vec![person.id.clone()];
    desk.core.messaging.delete_recipients(DeleteRecipients { workspace: desk.workspace.clone(), ids }).await.unwrap();
    desk.changed(person, |_| ()).await;
    assert_eq!(desk.people().await, ["5511987654321///x"]);
    let taken = SaveRecipient {
        workspace: desk.workspace.clone(),
        name: "Bia".to_owned(),
        number: ANA_FORMER.to_owned(),
        country: Some("+".to_owned()),
        ..SaveRecipient::default()
    };
    let refused = desk.core.messaging.save_recipient(taken).await.unwrap_err();
    assert!(refused.to_string().starts_with("+55 11 98765-4321 has this number"), "{refused}");
    desk.close().await;
}

#[tokio::test]
async fn a_file_of_many_people_is_imported_and_taken_back() {
    use std::fmt::Write as _;

    let desk = Desk::start().await;
    let mut content = "phone,name,labels\n".to_owned();
    for place in 0..20_000 {
        writeln!(content, "+55119{:08},Person {place},list", 80_000_000 + place).unwrap();
    }
    let (import, id) = desk.imported(content.as_bytes()).await;
    assert_eq!(counts(&import), [20_000, 0, 0, 0, 0]);
    assert_eq!(desk.undone(id).await, RecipientImportUndone { kept: 0 });
    assert!(desk.book().await.is_empty());
    desk.close().await;
}
