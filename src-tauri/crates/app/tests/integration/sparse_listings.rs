//! Listings with less data than the cache, with duplicates, or unreadable: the list shown afterwards.

use command_types::composer::{CreateDraft, DraftId};
use command_types::error::DeskError;
use command_types::event::DeskEvent;
use command_types::history::HistoryQuery;
use command_types::template::{DeleteTemplate, TemplateId, TemplatePage, TemplateQuery, TemplateRow};
use command_types::workspace::{SaveWorkspace, SecretInput, SecretKind, WorkspaceId, WorkspaceSettings};
use serde_json::{Value, json};

use super::sending::{Desk, listed};
use super::webhooks::{Recorder, wait_until};

fn template(name: &str) -> Value {
    json!({"name": name, "components": [{"type": "BODY", "text": format!("Hello from {name}")}]})
}

fn templates(count: usize) -> Vec<Value> {
    (1..=count).map(|number| template(&format!("name_{number:03}"))).collect()
}

/// Answers requests for the listing with these bytes.
fn answer_raw(provider: &Recorder, body: &str) {
    let head = format!("200 OK\r\ncontent-type: application/json\r\ncontent-length: {}", body.len());
    provider.answer_to("GET ", &head, body.as_bytes());
}

async fn page(desk: &Desk) -> TemplatePage {
    let query = TemplateQuery { workspace: desk.workspace(), limit: 500, ..TemplateQuery::default() };
    desk.core().templates.list_templates(query).await.unwrap()
}

async fn rows(desk: &Desk) -> Vec<TemplateRow> {
    let mut rows = page(desk).await.rows;
    rows.sort_by(|a, b| a.reference.cmp(&b.reference));
    rows
}

async fn row(desk: &Desk, reference: &str) -> TemplateRow {
    rows(desk).await.into_iter().find(|row| row.reference == reference).expect("the template is listed")
}

fn id(desk: &Desk, reference: &str) -> TemplateId {
    TemplateId { workspace: desk.workspace(), reference: reference.to_owned() }
}

fn workspace(desk: &Desk) -> WorkspaceId {
    WorkspaceId { workspace: desk.workspace() }
}

/// The kinds of the history entries, newest first.
async fn kinds(desk: &Desk, reference: &str) -> Vec<String> {
    let query = HistoryQuery {
        workspace: desk.workspace(),
        reference: reference.to_owned(),
        limit: 100,
        ..HistoryQuery::default()
    };
    let entries = desk.core().templates.get_history(query).await.unwrap().entries;
    entries.into_iter().map(|entry| entry.kind.as_str().to_owned()).collect()
}

fn list(desk: &Desk, templates: &[Value]) {
    super::sending::list(&desk.provider, templates);
}

#[tokio::test]
async fn a_template_that_was_listed_as_archived_has_its_earlier_status_after_it_was_unarchived() {
    let mut archived = templates(2);
    archived[1]["status"] = json!("ARCHIVED");
    let desk = Desk::start(&archived).await;
    desk.provider.answer_json("POST ", "200 OK", &json!({"success": true}));
    list(&desk, &templates(2));
    desk.core().bulk_actions.unarchive_template(id(&desk, "t2")).await.unwrap();
    wait_until("the status is that of the listing", async || row(&desk, "t2").await.status == "APPROVED").await;
}

#[tokio::test]
async fn an_archived_template_stays_archived_if_the_listing_omits_the_state() {
    let desk = Desk::start(&templates(2)).await;
    desk.provider.answer_json("POST ", "200 OK", &json!({"success": true}));
    desk.core().bulk_actions.archive_template(id(&desk, "t2")).await.unwrap();
    let archived = async || row(&desk, "t2").await.archived == Some(true);
    // The listing contains it, without its archive state.
    desk.refresh().await;
    assert!(archived().await, "the listing does not say");
    // The listing leaves out archived templates.
    list(&desk, &templates(1));
    desk.refresh().await;
    desk.refresh().await;
    assert!(archived().await, "and it is not removed");
    assert_eq!(desk.core().templates.list_removed(workspace(&desk)).await.unwrap(), []);
    let reported = kinds(&desk, "t2").await;
    assert!(!reported.iter().any(|kind| kind == "deleted" || kind == "unarchived"), "{reported:?}");
    // A later action here counts as well.
    desk.core().bulk_actions.unarchive_template(id(&desk, "t2")).await.unwrap();
    list(&desk, &templates(2));
    desk.refresh().await;
    assert!(!archived().await);
    // A listing with the archive state takes precedence.
    let mut with_archive_state = templates(2);
    with_archive_state[1]["archived"] = json!(true);
    list(&desk, &with_archive_state);
    desk.refresh().await;
    assert!(archived().await);
    with_archive_state[1]["archived"] = json!(false);
    list(&desk, &with_archive_state);
    desk.refresh().await;
    assert!(!archived().await);
    desk.harness.close().await;
}

#[tokio::test]
async fn a_missing_category_is_unknown_until_it_is_reported() {
    let mut unsaid = listed(&templates(2));
    for template in &mut unsaid {
        template.as_object_mut().unwrap().remove("category");
    }
    let mut desk = Desk::start(&templates(1)).await;
    desk.provider.answer_json("GET ", "200 OK", &json!({"data": unsaid}));
    desk.refresh().await;
    assert_eq!(row(&desk, "t1").await.category, "utility", "the reported value is kept");
    assert_eq!(row(&desk, "t2").await.category, "", "it was not reported");
    let query = TemplateQuery { categories: vec!["marketing".to_owned()], ..TemplateQuery::default() };
    let query = TemplateQuery { workspace: desk.workspace(), limit: 10, ..query };
    assert_eq!(desk.core().templates.list_templates(query).await.unwrap().total, 0);
    let detail = desk.core().templates.get_template(id(&desk, "t2")).await.unwrap();
    assert!(serde_json::to_value(&detail.template).unwrap().get("category").is_none());
    assert!(detail.findings.iter().all(|finding| finding.path != "/category"), "{:?}", detail.findings);

    // The first known value is not a change.
    list(&desk, &templates(2));
    desk.refresh().await;
    assert_eq!(row(&desk, "t2").await.category, "utility");
    for reference in ["t1", "t2"] {
        assert!(!kinds(&desk, reference).await.contains(&"category".to_owned()), "{reference}");
        assert_eq!(row(&desk, reference).await.asked_category, None, "{reference}");
    }
    let reported = desk
        .harness
        .event(|event| match event {
            DeskEvent::SyncFinished { .. } => Some(None),
            DeskEvent::TemplateCategoryChanged { name, .. } => Some(Some(name.clone())),
            _ => None,
        })
        .await;
    assert_eq!(reported, None);
    desk.harness.close().await;
}

#[tokio::test]
async fn a_collapsed_listing_removes_nothing_until_it_is_confirmed() {
    let desk = Desk::start(&templates(12)).await;
    let count = async || rows(&desk).await.len();
    let mut before = page(&desk).await;
    for fewer in [0, 3] {
        list(&desk, &templates(fewer));
        let report = desk.core().templates.refresh_templates(workspace(&desk)).await.unwrap();
        let kept = 12 - fewer as u64;
        assert_eq!((report.total, report.kept, report.changes), (fewer as u64, kept, 0));
        let now = page(&desk).await;
        assert_eq!((now.rows.len(), now.kept, now.as_of), (12, kept, before.as_of), "the list is as old as before");
        assert_eq!(desk.core().templates.list_removed(workspace(&desk)).await.unwrap(), []);
        // They are listed again: the next collapse is a first one.
        list(&desk, &templates(12));
        desk.refresh().await;
        before = page(&desk).await;
        assert_eq!(before.kept, 0);
    }
    list(&desk, &templates(3));
    desk.refresh().await;
    desk.refresh().await;
    assert_eq!(count().await, 3, "two listings say so");
    assert_eq!(desk.core().templates.list_removed(workspace(&desk)).await.unwrap().len(), 9);
    // Half of them and a few more is not a collapse, and nothing is if the provider states the total: the listing counts,
    // and what it omits is missing until the next one.
    list(&desk, &templates(2));
    for (left, missing) in [(3, 1), (2, 0)] {
        before = page(&desk).await;
        desk.refresh().await;
        let now = page(&desk).await;
        assert_eq!((now.rows.len(), now.kept), (left, 0));
        assert!(now.as_of > before.as_of);
        assert_eq!(now.rows.iter().filter(|row| row.missing_since.is_some()).count(), missing);
    }
    desk.provider.answer_json("GET ", "200 OK", &json!({"data": [], "total": 0}));
    desk.refresh().await;
    assert_eq!((count().await, page(&desk).await.kept), (2, 0));
    desk.refresh().await;
    assert_eq!(count().await, 0);
    desk.harness.close().await;
}

#[tokio::test]
async fn a_listing_without_readable_records_is_an_error_with_the_answer() {
    let desk = Desk::start(&templates(3)).await;
    for body in [r#"{"data":[{}]}"#, r#"[null, 1, "x"]"#, "[[]]", r#"{"data":[{"name":"a"}]}"#, r#"{"items":[]}"#] {
        answer_raw(&desk.provider, body);
        for _ in 0..2 {
            let error = desk.core().templates.refresh_templates(workspace(&desk)).await.unwrap_err();
            assert!(matches!(&error, DeskError::Unreadable { body: shown, .. } if shown == body), "{body}: {error:?}");
        }
        assert_eq!(rows(&desk).await.len(), 3, "{body}");
    }
    desk.harness.close().await;
}

#[tokio::test]
async fn an_invalid_string_skips_one_record_only() {
    let desk = Desk::start(&templates(3)).await;
    let mut now = listed(&templates(4));
    now[0]["status"] = json!("PAUSED");
    // It was deleted elsewhere: an unreadable record next to it does not matter.
    now.remove(2);
    let text = json!({"data": now}).to_string().replace("Hello from name_002", r"Hello \ud800");
    answer_raw(&desk.provider, &text);
    for _ in 0..2 {
        let report = desk.core().templates.refresh_templates(workspace(&desk)).await.unwrap();
        assert_eq!((report.total, report.skipped), (2, 1));
    }
    let rows = rows(&desk).await;
    let names: Vec<_> = rows.iter().map(|row| row.name.as_str()).collect();
    assert_eq!(names, ["name_001", "name_002", "name_004"]);
    assert_eq!((rows[0].status.as_str(), rows[1].excerpt.as_str()), ("PAUSED", "Hello from name_002"));
    desk.harness.close().await;
}

#[tokio::test]
async fn a_damaged_record_without_identity_removes_nothing() {
    let desk = Desk::start(&templates(3)).await;
    let mut now = listed(&templates(2));
    now[1]["uuid"] = json!("");
    let text = json!({"data": now}).to_string().replace("Hello from name_002", r"Hello \ud800");
    answer_raw(&desk.provider, &text);
    let report = desk.core().templates.refresh_templates(workspace(&desk)).await.unwrap();
    assert_eq!((report.total, report.skipped), (1, 1));
    assert_eq!(rows(&desk).await.len(), 3, "it may be any of them");
    desk.harness.close().await;
}

/// A template that is listed once per WABA has both WABAs, however often it is listed so.
#[tokio::test]
async fn a_template_listed_once_per_waba_is_one_template() {
    let desk = Desk::start(&[]).await;
    let of = |waba: u64, fields: Value| {
        let mut record = listed(&[template("both")]).remove(0);
        record["waba_id"] = json!(waba);
        record.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        record
    };
    let both = json!({"data": [of(1, json!({"id": "11"})), of(2, json!({"id": "22"}))]});
    desk.provider.answer_json("GET ", "200 OK", &both);
    for _ in 0..2 {
        desk.refresh().await;
        let row = row(&desk, "t1").await;
        assert_eq!(row.wabas, ["1", "2"]);
    }
    assert!(!kinds(&desk, "t1").await.contains(&"waba_ids".to_owned()));
    // An edit reaches both.
    let (workspace, from_template) = (desk.workspace(), Some("t1".to_owned()));
    let edit = CreateDraft { workspace, from_template, edit: true, ..CreateDraft::default() };
    let draft = desk.core().authoring.create_draft(edit).await.unwrap();
    let context = desk.core().authoring.get_edit_context(DraftId { draft: draft.id }).await.unwrap();
    assert_eq!((draft.waba_ids, context.waba_ids), (row(&desk, "t1").await.wabas, row(&desk, "t1").await.wabas));
    // A listing without WABAs changes nothing; one with another WABA does.
    list(&desk, &[template("both")]);
    desk.refresh().await;
    assert_eq!(row(&desk, "t1").await.wabas, ["1", "2"]);
    desk.provider.answer_json("GET ", "200 OK", &json!({"data": [of(2, json!({}))]}));
    desk.refresh().await;
    assert_eq!(row(&desk, "t1").await.wabas, ["2"]);
    assert!(kinds(&desk, "t1").await.contains(&"waba_ids".to_owned()));
    desk.harness.close().await;
}

/// Unarchiving a removed template, and looking for it at the provider.
#[tokio::test]
async fn an_unlisted_template_is_restored_by_lookup_or_unarchiving() {
    let mut desk = Desk::start(&templates(8)).await;
    // Archived elsewhere, on a provider that leaves out archived templates.
    list(&desk, &templates(5));
    desk.refresh().await;
    desk.refresh().await;
    let said = |event: &DeskEvent| match event {
        DeskEvent::TemplatesRemoved { count, .. } => Some(*count),
        _ => None,
    };
    assert_eq!(desk.harness.event(said).await, 3);
    let (core, of) = (desk.core().clone(), desk.workspace());
    let removed = async || {
        let removed = core.templates.list_removed(WorkspaceId { workspace: of.clone() }).await.unwrap();
        removed.into_iter().map(|removed| (removed.reference, removed.can_unarchive)).collect::<Vec<_>>()
    };
    let mut all = removed().await;
    all.sort();
    assert_eq!(all, ["t6", "t7", "t8"].map(|reference| (reference.to_owned(), true)));

    // The provider refuses: it stays removed.
    desk.provider.answer_json("POST ", "404 Not Found", &json!({"message": "no such template"}));
    assert!(desk.core().bulk_actions.unarchive_template(id(&desk, "t6")).await.is_err());
    assert_eq!(removed().await.len(), 3);
    // The provider accepts: the template is restored in its last state, and the provider is searched by its name.
    desk.provider.answer_json("POST ", "200 OK", &json!({"success": true}));
    desk.core().bulk_actions.unarchive_template(id(&desk, "t6")).await.unwrap();
    let back = row(&desk, "t6").await;
    assert_eq!((back.name.as_str(), back.status.as_str(), back.archived), ("name_006", "APPROVED", Some(false)));
    assert_eq!(removed().await.len(), 2);
    desk.harness.event(|event| matches!(event, DeskEvent::TemplatesChanged { .. }).then_some(())).await;

    // Looking again finds it or not, and removes no other template.
    let searched = |name: &str| format!("search={name}");
    let found = async |reference: &str| loop {
        match desk.core().templates.look_for_template(id(&desk, reference)).await {
            Ok(looked) => break looked.found,
            // The search after the unarchiving is still in flight.
            Err(error) => assert!(matches!(error, DeskError::Conflict { .. }), "{error:?}"),
        }
        crate::webhooks::next_poll().await;
    };
    assert!(!found("t7").await);
    list(&desk, &templates(7));
    assert!(found("t7").await);
    let last = desk.provider.requests().into_iter().rfind(|request| request.head[0].starts_with("GET ")).unwrap();
    assert!(last.head[0].contains(&searched("name_007")), "{}", last.head[0]);
    assert_eq!(rows(&desk).await.len(), 7);
    assert_eq!(removed().await, [("t8".to_owned(), true)]);
    assert!(matches!(
        desk.core().templates.look_for_template(id(&desk, "nobody")).await,
        Err(DeskError::NotFound { .. })
    ));
    desk.harness.close().await;
}

/// A template that was archived here and is not listed is kept until the provider itself does not know it.
#[tokio::test]
async fn an_archived_template_deleted_elsewhere_can_be_deleted() {
    let desk = Desk::start(&templates(2)).await;
    desk.provider.answer_json("POST ", "200 OK", &json!({"success": true}));
    desk.provider.answer_json("DELETE ", "404 Not Found", &json!({"message": "no such template"}));
    desk.core().bulk_actions.archive_template(id(&desk, "t2")).await.unwrap();
    let delete = async |reference: &str, name: &str| {
        let request = DeleteTemplate {
            workspace: desk.workspace(),
            reference: reference.to_owned(),
            confirmed_name: name.to_owned(),
        };
        desk.core().bulk_actions.delete_template(request).await
    };
    // The listing has it: the answer is an error.
    assert!(delete("t1", "name_001").await.is_err());
    list(&desk, &templates(1));
    desk.refresh().await;
    delete("t2", "name_002").await.unwrap();
    let names: Vec<_> = rows(&desk).await.into_iter().map(|row| row.name).collect();
    assert_eq!(names, ["name_001"]);
    desk.harness.close().await;
}

/// Endless pages with different records: the person sees the progress, cancels, and keeps the previous templates.
#[tokio::test]
async fn an_endless_listing_can_be_cancelled() {
    let mut desk = Desk::start(&templates(3)).await;
    let record = listed(&[template("endless")]).remove(0);
    let endless = super::lists::endless(record).await;
    let settings = desk.core().workspaces.get_workspace(workspace(&desk)).await.unwrap().settings;
    let elsewhere = WorkspaceSettings { base_url: endless, ..settings };
    let token = SecretInput { kind: SecretKind::Token, number: None, value: "another".into() };
    let request = SaveWorkspace {
        workspace: Some(desk.workspace()),
        settings: elsewhere,
        secrets: vec![token],
        session_only: false,
    };
    desk.core().workspaces.save_workspace(request.clone()).await.unwrap();
    let tested = desk.core().workspaces.test_connection(request).await.unwrap();
    let last = tested.steps.last().unwrap();
    assert_eq!((last.name.as_str(), last.templates, last.more), ("listing", Some(1), true), "one page");
    let core = desk.core().clone();
    let id = workspace(&desk);
    let refreshing = tokio::spawn(async move { core.templates.refresh_templates(id).await });
    desk.harness.event(|event| matches!(event, DeskEvent::SyncProgress { pages: 20, .. }).then_some(())).await;
    desk.core().templates.cancel_refresh(workspace(&desk)).await.unwrap();
    let report = refreshing.await.unwrap().unwrap();
    assert!(report.cancelled && report.pages >= 20, "{report:?}");
    let names: Vec<_> = rows(&desk).await.into_iter().map(|row| row.name).collect();
    assert!(names.iter().filter(|name| name.starts_with("name_")).count() == 3, "nothing is removed");
    desk.harness.close().await;
}
