//! `tdesk check` on a desk whose templates come from the sandbox.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Output;
use std::sync::Arc;

use app::ports::{EventSink, NoInstaller, NoKeyring};
use app::{Core, Options};
use command_types::insights::RateCardImport;
use command_types::opt_outs::AddOptOut;
use command_types::workspace::{SaveWorkspace, SecretInput, SecretKind, SendingNumber, WorkspaceId, WorkspaceSettings};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::provider::{Provider, TOKEN, WORKSPACE, stdout};
use crate::receiving::{run, stderr};

const NUMBER: &str = "106540352242922";
const CARD: &str = "market,category,price,currency,valid_from\nBrazil,marketing,0.0625,USD,2026-07-01\n";

struct Desk {
    provider: Provider,
    folder: TempDir,
}

impl Desk {
    /// A desk with two templates, a person who stopped marketing messages, and prices.
    async fn start() -> Self {
        let provider = Provider::start(false).await;
        let folder = TempDir::new().unwrap();
        let body = |name: &str, category: &str, language: &str| {
            json!({"name": name, "language": language, "category": category, "components": [
                {"type": "BODY", "text": "Olá {{1}}, até {{2}} na loja.", "example": {"body_text": [["Ana", "hoje"]]}}]})
        };
        for (file, template) in [
            ("offer.json", body("offer", "marketing", "pt_BR")),
            ("order.json", body("order", "utility", "pt_BR")),
            ("order_en.json", body("order", "utility", "en_US")),
        ] {
            let path = folder.path().join(file);
            std::fs::write(&path, template.to_string()).unwrap();
            let pushed = provider.push(&[path.to_str().unwrap(), "--waba", "1"]).await;
            assert_eq!(pushed.status.code(), Some(0), "{} {}", stdout(&pushed), stderr(&pushed));
        }
        provider.reviewed().await;
        let core = open(&folder.path().join("desk")).await;
        let settings = WorkspaceSettings {
            name: "Loja".to_owned(),
            base_url: provider.url.clone(),
            channel: "messaging".to_owned(),
            workspace_uuid: WORKSPACE.to_owned(),
            default_country: "BR".to_owned(),
            numbers: vec![SendingNumber { id: NUMBER.to_owned(), label: "Main".to_owned(), ..Default::default() }],
            ..WorkspaceSettings::default()
        };
        let secrets = vec![SecretInput { kind: SecretKind::Token, number: None, value: TOKEN.into() }];
        let request = SaveWorkspace { workspace: None, settings, secrets, session_only: true };
        let workspace = core.workspaces.save_workspace(request).await.unwrap().id;
        let id = WorkspaceId { workspace: workspace.clone() };
        core.templates.refresh_templates(id.clone()).await.unwrap();
        let stop = AddOptOut { workspace, person: "+55 11 98123-0003".to_owned(), country: None, number: None };
        core.conversations.add_opt_out(stop).await.unwrap();
        let card = folder.path().join("rates.csv");
        std::fs::write(&card, CARD).unwrap();
        let _: RateCardImport = core.insights.import_rate_card_from(&card, id).await.unwrap();
        core.close().await;
        Self { provider, folder }
    }

    fn file(&self, content: &str) -> String {
        let path = self.folder.path().join("people.csv");
        std::fs::write(&path, content).unwrap();
        path.to_str().unwrap().to_owned()
    }

    async fn check(&self, content: &str, more: &[&str]) -> Output {
        let file = self.file(content);
        let desk = self.folder.path().join("desk");
        let base = ["check", &file, "--desk", desk.to_str().unwrap()];
        run(&[&base, more].concat()).await
    }

    async fn json(&self, content: &str, more: &[&str]) -> (i32, Value) {
        let output = self.check(content, &[more, &["--json"]].concat()).await;
        let json = serde_json::from_str(&stdout(&output)).unwrap_or_else(|_| panic!("{}", stderr(&output)));
        (output.status.code().unwrap(), json)
    }

    /// Size and time of the last change of every file. The shared memory of an existing log has the locks of readers.
    fn files(&self) -> BTreeMap<String, (u64, Option<std::time::SystemTime>)> {
        let entries = std::fs::read_dir(self.folder.path().join("desk")).unwrap().map(Result::unwrap);
        let state = |entry: std::fs::DirEntry| {
            let (name, metadata) = (entry.file_name().into_string().unwrap(), entry.metadata().unwrap());
            let changed = Some(metadata.modified().unwrap()).filter(|_| !name.ends_with("-shm"));
            (name, (metadata.len(), changed))
        };
        entries.map(state).collect()
    }

    async fn sent(&self) -> usize {
        let phones = self.provider.get("/sandbox/phones").await;
        phones["data"].as_array().or(phones.as_array()).unwrap().len()
    }
}

async fn open(folder: &Path) -> Core {
    let options = Options {
        data_folder: app::lock_data_folder(folder).unwrap(),
        keyring: Arc::new(NoKeyring),
        events: EventSink::new(|_event| {}),
        sandbox: None,
        receiver_address: Some("127.0.0.1:0".to_owned()),
        loopback_media: true,
        installer: Arc::new(NoInstaller),
    };
    Core::open(options).await.unwrap()
}

/// Columns that are called like the parts.
const CLEAN: &str = "telefone,nome,1,2\n+5511981230001,Ana,Ana,hoje\n11 98123-0002,Rui,Rui,amanhã\n";

#[tokio::test]
async fn a_clean_file_is_checked_as_the_window_does_and_nothing_changes() {
    let desk = Desk::start().await;
    let before = desk.files();
    let output = desk.check(CLEAN, &["--template", "offer"]).await;
    assert_eq!(output.status.code(), Some(0), "{} {}", stdout(&output), stderr(&output));
    let text = stdout(&output);
    for line in [
        "offer (pt_BR, marketing) from 106540352242922\n",
        "  number from telefone, name from nome\n",
        "  body.1 from 1\n",
        "1 numbers without country code were read as numbers of BR\n",
        "cost today: 0.125 USD for 2 messages\n",
        "people.csv: 2 rows, 2 can be sent, 0 cannot\n",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
    let (code, json) = desk.json(CLEAN, &["--template", "offer:pt-BR", "--workspace", "Loja"]).await;
    assert_eq!((code, &json["clean"], &json["check"]["good"]), (0, &json!(true), &json!(2)));
    assert_eq!(json["check"]["cost"]["total"], "0.125");
    assert_eq!(json["check"].get("id"), None);
    assert_eq!(desk.files(), before, "the desk is as it was");
    assert_eq!(desk.sent().await, 0);
}

#[tokio::test]
async fn an_open_window_does_not_prevent_a_check() {
    let desk = Desk::start().await;
    let core = open(&desk.folder.path().join("desk")).await;
    let output = desk.check(CLEAN, &["--template", "offer"]).await;
    assert_eq!(output.status.code(), Some(0), "{} {}", stdout(&output), stderr(&output));
    core.close().await;
}

#[tokio::test]
async fn rows_that_would_be_left_out_are_named() {
    let desk = Desk::start().await;
    let rows = "telefone,1,2\n+5511981230001,Ana,hoje\n12,Rui,hoje\n+5511981230003,Lia,hoje\n+5511981230004,,hoje\n";
    let (code, json) = desk.json(rows, &["--template", "offer"]).await;
    let problems = |json: &Value| -> Vec<(u64, String)> {
        let of =
            |found: &Value| (found["row"].as_u64().unwrap(), found["problem"]["code"].as_str().unwrap().to_owned());
        json["check"]["problems"].as_array().unwrap().iter().map(of).collect()
    };
    let expected = [(3, "to.invalid"), (4, "to.optedOut"), (5, "value.missing")];
    assert_eq!(problems(&json), expected.map(|(row, code)| (row, code.to_owned())));
    assert_eq!((code, &json["check"]["good"], &json["check"]["bad"]), (1, &json!(1), &json!(3)));

    // Utility messages reach people who stopped marketing.
    let more = ["--template", "order:pt_BR", "--fallback", "body.1=cliente"];
    let (code, json) = desk.json(rows, &more).await;
    assert_eq!((code, problems(&json)), (1, vec![(3, "to.invalid".to_owned())]));
    assert_eq!(json["check"]["fallbacks"][0]["rows"], 1);
    let text = stdout(&desk.check(rows, &more).await);
    assert!(text.contains("row 3 (12): error at to (to.invalid): "), "{text}");
    assert!(text.contains("1 rows: “cliente” for body.1, which is empty\n"), "{text}");
}

#[tokio::test]
async fn options_map_and_format_columns() {
    let desk = Desk::start().await;
    let rows = "fone;cliente;quando\n+5511981230001;ANA SOUZA;28/11/2026\n+5511981230002;Rui;09/06/2026\n";
    let more = ["--template", "order:en_US", "--map", "body.1=cliente", "--map", "body.2=quando"];
    let formats = ["--format", "body.1=title-case", "--format", "body.2=date"];
    let (code, json) = desk.json(rows, &[more.as_slice(), &formats].concat()).await;
    assert_eq!(code, 0, "{json}");
    let sample = json["check"]["sample"].to_string();
    for text in ["Ana Souza", "November 28, 2026", "June 9, 2026"] {
        assert!(sample.contains(text), "{text}: {sample}");
    }
    let (code, json) = desk.json(rows, &[more.as_slice(), &["--format", "body.2=date:month-first"]].concat()).await;
    assert_eq!((code, &json["check"]["problems"][0]["problem"]["code"]), (1, &json!("value.dateUnread")));
    let fixed = ["--template", "order:en_US", "--map", "body.1=cliente", "--value", "body.2=today"];
    assert_eq!(desk.json(rows, &fixed).await.0, 0);
}

#[tokio::test]
async fn a_check_that_cannot_be_made_says_what_to_do() {
    let desk = Desk::start().await;
    let unnamed = "Ana;x\nRui;y\n";
    let broken = "telefone,1,2\n+5511981230001,\"Ana,hoje\n";
    for (content, more, code, printed) in [
        (CLEAN, &["--template", "nothing"][..], 1, "The template `nothing` was not found"),
        (CLEAN, &["--template", "offer:en_US"], 1, "it exists in pt_BR"),
        (CLEAN, &["--template", "order"], 2, "Choose the language of `order`: "),
        (CLEAN, &["--template", "offer", "--workspace", "Other"], 2, "Choose one of the workspaces “Loja”."),
        (CLEAN, &["--template", "offer", "--to", "fax"], 2, "The file has no column “fax”"),
        (CLEAN, &["--template", "offer", "--map", "body.1=fax"], 2, "The file has no column “fax”"),
        (CLEAN, &["--template", "offer", "--map", "body.9=nome"], 2, "no part `body.9`; it has body.1, body.2"),
        (CLEAN, &["--template", "offer", "--format", "body.1=upper"], 2, "`upper` is no format"),
        ("telefone,nome\n+5511981230001,Ana\n", &["--template", "offer"], 2, "nothing fills body.1, body.2"),
        (unnamed, &["--template", "offer"], 2, "--header yes or no"),
        (broken, &["--template", "offer"], 1, "people.csv: line 2: "),
    ] {
        let output = desk.check(content, more).await;
        assert_eq!(output.status.code(), Some(code), "{more:?}: {} {}", stdout(&output), stderr(&output));
        assert!(stderr(&output).contains(printed), "{printed}: {}", stderr(&output));
        assert_eq!(stdout(&output), "");
    }
    let folder = desk.folder.path().join("desk");
    let missing = run(&["check", "/nowhere.csv", "--desk", folder.to_str().unwrap(), "--template", "offer"]).await;
    assert_eq!(missing.status.code(), Some(3), "{}", stderr(&missing));
    let file = desk.file(CLEAN);
    let no_desk = run(&["check", &file, "--desk", desk.folder.path().to_str().unwrap(), "--template", "offer"]).await;
    assert_eq!(no_desk.status.code(), Some(3), "{}", stderr(&no_desk));
    assert!(stderr(&no_desk).contains("could not read the desk in"), "{}", stderr(&no_desk));
    let unset = run(&["check", &file, "--template", "offer"]).await;
    assert_eq!(unset.status.code(), Some(2), "{}", stderr(&unset));
}
