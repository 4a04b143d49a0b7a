//! The account of a new draft in a workspace with several.

use app::SANDBOX_ID;
use command_types::composer::{CreateDraft, Draft, DraftId};
use command_types::transfer::{FindTemplates, FoundTemplates};
use command_types::workspace::WorkspaceId;
use model::starter::StarterName;
use sandbox::{Profile, seed};

use super::harness::Harness;

fn new_draft() -> CreateDraft {
    CreateDraft { workspace: SANDBOX_ID.to_owned(), ..CreateDraft::default() }
}

async fn create(harness: &Harness, request: CreateDraft) -> Draft {
    harness.core.authoring.create_draft(request).await.unwrap()
}

async fn find(harness: &Harness, text: &str, waba_ids: &[&str]) -> FoundTemplates {
    let waba_ids = waba_ids.iter().map(|waba| (*waba).to_owned()).collect();
    let request = FindTemplates { workspace: SANDBOX_ID.to_owned(), text: text.to_owned(), waba_ids };
    harness.core.template_files.find_templates(request).await.unwrap()
}

const TEXT: &str = r#"{"name": "hi", "language": "en", "category": "utility", "components": []}"#;

#[tokio::test]
async fn a_new_draft_is_for_the_account_that_was_asked_for_or_used_last_else_for_none() {
    let harness = Harness::start_with_profile(Profile::Agency).await;
    let [first, other] = [seed::WABA, seed::SECOND_WABA].map(|waba| waba.to_string());
    let none: Vec<String> = Vec::new();
    let only_other = vec![other.clone()];

    // Nothing says which: no account is chosen for the person.
    let starter = CreateDraft { from_starter: Some(StarterName::OrderConfirmed), ..new_draft() };
    for request in [new_draft(), starter.clone()] {
        let draft = create(&harness, request).await;
        assert_eq!(draft.waba_ids, none);
        harness.core.authoring.delete_draft(DraftId { draft: draft.id }).await.unwrap();
    }
    assert_eq!(find(&harness, TEXT, &[]).await.waba_ids, none);

    // The one that the list shows.
    let asked = CreateDraft { waba_ids: only_other.clone(), ..starter };
    assert_eq!(create(&harness, asked).await.waba_ids, only_other);
    assert_eq!(find(&harness, TEXT, &[&first]).await.waba_ids, [first]);
    // An account that the settings do not have is not one.
    let unknown = CreateDraft { waba_ids: vec!["1".to_owned()], ..new_draft() };
    // The one that was used last.
    assert_eq!(create(&harness, unknown).await.waba_ids, only_other);
    assert_eq!(find(&harness, TEXT, &[]).await.waba_ids, only_other);

    let rows = harness.core.authoring.list_drafts(WorkspaceId { workspace: SANDBOX_ID.to_owned() }).await.unwrap();
    assert!(rows.iter().all(|row| row.waba_ids == only_other), "{rows:?}");
    harness.close().await;
}

#[tokio::test]
async fn a_template_that_names_its_accounts_keeps_them() {
    let harness = Harness::start_with_profile(Profile::Agency).await;
    let text = TEXT.replace("\"name\"", &format!("\"waba_ids\": [{}], \"name\"", seed::SECOND_WABA));
    let found = find(&harness, &text, &[&seed::WABA.to_string()]).await;
    assert_eq!(found.templates[0].draft.waba_ids, [seed::SECOND_WABA.to_string()]);
    harness.close().await;
}
