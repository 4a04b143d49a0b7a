//! Diagnostics have no name, number, text, address or secret of a workspace in use, whatever the log files hold.

use app::SANDBOX_ID;
use command_types::conversations::{ContactQuery, ConversationQuery};
use command_types::recipients::SaveRecipient;
use command_types::support::PageFailure;
use command_types::template::TemplateQuery;
use command_types::workspace::SaveWorkspace;
use serde_json::json;

use super::harness::Harness;

const TOKEN: &str = "EAAGm0PX4ZCpsBAOopenZBfile7QZDZD";
const NUMBER: &str = "5511984417263";

/// Names, numbers and texts of a business of 60 days, and what was entered by hand.
async fn planted(harness: &Harness) -> Vec<String> {
    let core = &harness.core;
    let workspace = || SANDBOX_ID.to_owned();
    let mut planted: Vec<String> =
        [TOKEN, NUMBER, "98441-7263", "Ipê Flores Ltda", "Caetana", "Jardim das Rosas"].map(str::to_owned).to_vec();
    let query = TemplateQuery { workspace: workspace(), limit: 500, ..TemplateQuery::default() };
    for row in core.templates.list_templates(query).await.unwrap().rows {
        planted.extend([row.name, row.reference]);
    }
    let query = ContactQuery { workspace: workspace(), limit: 500, ..ContactQuery::default() };
    for contact in core.conversations.list_contacts(query).await.unwrap().rows {
        let query = ConversationQuery {
            workspace: workspace(),
            contact: contact.contact.clone(),
            number: None,
            after: None,
            limit: 50,
        };
        for message in core.conversations.list_conversation(query).await.unwrap().messages {
            let message = serde_json::to_value(message).unwrap();
            planted.extend(message["text"].as_str().map(str::to_owned));
        }
        planted.extend([contact.contact, contact.name, contact.excerpt]);
    }
    let is_telling = |text: &String| text.chars().count() > 6;
    planted.retain(is_telling);
    planted
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_that_people_wrote_is_in_diagnostics() {
    let harness = Harness::start_after_history().await;
    let core = harness.core.clone();
    let recipient = SaveRecipient {
        id: None,
        workspace: SANDBOX_ID.to_owned(),
        name: "Caetana".to_owned(),
        number: format!("+{NUMBER}"),
        country: None,
        labels: vec!["Jardim das Rosas".to_owned()],
        note: String::new(),
    };
    core.messaging.save_recipient(recipient).await.unwrap();
    let workspace: SaveWorkspace = serde_json::from_value(json!({
        "workspace": null,
        "settings": {
            "name": "Ipê Flores Ltda", "baseUrl": format!("https://{TOKEN}.example.org/{TOKEN}"), "channel": "messaging",
            "workspaceUuid": "5a9db0c5-0000-4000-8000-000000000009", "wabaIds": ["102290129340398"],
        },
        "secrets": [{"kind": "token", "value": TOKEN}],
    }))
    .unwrap();
    core.workspaces.save_workspace(workspace).await.unwrap();

    let planted = planted(&harness).await;
    assert!(planted.len() > 50, "the business has templates and conversations: {planted:?}");
    let text = core.data.diagnostics(Vec::new()).await.unwrap();
    for secret in ["sandbox-token", "sandbox-webhook-secret"] {
        assert!(!text.contains(secret), "{secret} is in {text}");
    }
    let logs = harness.folder.path().join("desk/logs");
    std::fs::create_dir_all(&logs).unwrap();
    let line = |text: &String| {
        let line = text.replace('\n', " ");
        format!(
            "2026-11-23T12:30:00.000000Z ERROR app::text: 7: the provider answered error={line} (os error 5)\n\
             2026-11-23T12:30:00.000000Z  WARN {line}: {line}\n{line}\n"
        )
    };
    std::fs::write(logs.join("template-desk.2026-11-23.log"), planted.iter().map(line).collect::<String>()).unwrap();
    for text in &planted {
        let failure = PageFailure {
            name: text.clone(),
            message: text.clone(),
            stack: format!("{text}@tauri://localhost/assets/index-C4f_x.js:1:2\n{text}"),
            components: text.clone(),
            screen: format!("#/{text}"),
        };
        let details = core.data.report_page_failure(failure).await.unwrap().text;
        assert!(!details.contains(text.as_str()), "{text} is in {details}");
    }

    let text =
        core.data.diagnostics(vec![("desktop", "GNOME".to_owned()), ("session", TOKEN.repeat(3))]).await.unwrap();
    for expected in ["desktop: GNOME", "[Rows of desk.sqlite]", "recipient: ", "provider: https on another computer"] {
        assert!(text.contains(expected), "{expected} is not in {text}");
    }
    assert!(text.contains("ERROR app::text:7 the provider answered error=… (os error 5)"), "{text}");
    for planted in &planted {
        assert!(!text.contains(planted.as_str()), "{planted} is in {text}");
    }
    assert!(!text.contains(&harness.folder.path().display().to_string()), "{text}");

    let file = harness.folder.path().join("diagnostics.txt");
    core.data.save_diagnostics_to(&file, text.clone()).await.unwrap();
    assert_eq!(std::fs::read_to_string(&file).unwrap(), text);
    drop(core);
    harness.close().await;
}
