//! The account of a new draft in a workspace with several.

use app::SANDBOX_ID;
use command_types::composer::{CreateDraft, Draft, DraftId};
use command_types::transfer::{FindTemplates, FoundTemplates};
use command_types::workspace::WorkspaceId;
use model::starter::StarterName;
use sandbox::seed;

use super::connection::workspace;
use super::harness::Harness;

const FIRST: &str = "200000000000001";
const OTHER: &str = "200000000000002";
const TEXT: &str = r#"{"name": "hi", "language": "en", "category": "utility", "components": []}"#;

/// A workspace with two accounts, at a provider that is not asked.
struct Two(Harness, String);

impl Two {
    async fn start() -> Self {
        let harness = Harness::start().await;
        let mut request = workspace("http://127.0.0.1:9", "t");
        request.settings.waba_ids = vec![FIRST.to_owned(), OTHER.to_owned()];
        let id = harness.core.workspaces.save_workspace(request).await.unwrap().id;
        Self(harness, id)
    }

    async fn create(&self, from_starter: Option<StarterName>, waba_ids: &[&str]) -> Draft {
        let waba_ids = waba_ids.iter().map(|waba| (*waba).to_owned()).collect();
        let request = CreateDraft { workspace: self.1.clone(), from_starter, waba_ids, ..CreateDraft::default() };
        self.0.core.authoring.create_draft(request).await.unwrap()
    }

    async fn find(&self, text: &str, waba_ids: &[&str]) -> FoundTemplates {
        let waba_ids = waba_ids.iter().map(|waba| (*waba).to_owned()).collect();
        let request = FindTemplates { workspace: self.1.clone(), text: text.to_owned(), waba_ids };
        self.0.core.template_files.find_templates(request).await.unwrap()
    }
}

#[tokio::test]
async fn a_new_draft_is_for_the_account_that_was_asked_for_or_used_last_else_for_none() {
    let two = Two::start().await;
    let starter = Some(StarterName::OrderConfirmed);
    // Nothing says which: no account is chosen for the person.
    for source in [None, starter] {
        let draft = two.create(source, &[]).await;
        assert_eq!(draft.waba_ids, [""; 0]);
        two.0.core.authoring.delete_draft(DraftId { draft: draft.id }).await.unwrap();
    }
    assert_eq!(two.find(TEXT, &[]).await.waba_ids, [""; 0]);
    // The one that the list shows.
    assert_eq!(two.create(starter, &[OTHER]).await.waba_ids, [OTHER]);
    assert_eq!(two.find(TEXT, &[FIRST]).await.waba_ids, [FIRST]);
    // The one that was used last; an account that the settings do not have is not one.
    assert_eq!(two.create(None, &["1"]).await.waba_ids, [OTHER]);
    assert_eq!(two.find(TEXT, &[]).await.waba_ids, [OTHER]);

    // Two were used last: neither is chosen for the person. A draft without an account says nothing.
    let last = two.create(None, &[FIRST, OTHER]).await;
    for _ in 0..2 {
        let draft = two.create(None, &[]).await;
        assert_eq!(draft.waba_ids, [""; 0]);
    }
    for draft in two.0.core.authoring.list_drafts(WorkspaceId { workspace: two.1.clone() }).await.unwrap() {
        if draft.id == last.id || draft.waba_ids.is_empty() {
            two.0.core.authoring.delete_draft(DraftId { draft: draft.id }).await.unwrap();
        }
    }

    let rows = two.0.core.authoring.list_drafts(WorkspaceId { workspace: two.1.clone() }).await.unwrap();
    assert!(rows.len() == 2 && rows.iter().all(|row| row.waba_ids == [OTHER]), "{rows:?}");
    two.0.close().await;
}

#[tokio::test]
async fn a_template_that_names_its_accounts_keeps_them() {
    let two = Two::start().await;
    let text = TEXT.replace("\"name\"", &format!("\"waba_ids\": [{OTHER}], \"name\""));
    assert_eq!(two.find(&text, &[FIRST]).await.templates[0].draft.waba_ids, [OTHER]);
    two.0.close().await;
}

#[tokio::test]
async fn a_first_template_of_the_sandbox_needs_no_choice() {
    let harness = Harness::start().await;
    let request = CreateDraft { workspace: SANDBOX_ID.to_owned(), ..CreateDraft::default() };
    assert_eq!(harness.core.authoring.create_draft(request).await.unwrap().waba_ids, [seed::WABA.to_string()]);
    harness.close().await;
}
