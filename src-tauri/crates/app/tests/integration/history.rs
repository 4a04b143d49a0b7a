//! The history of a template: received webhooks, differences between listings, and gaps.

use command_types::activity::EventQuery;
use command_types::event::DeskEvent;
use command_types::history::{
    CompareVersions, GapReason, HistoryEntry, HistoryOutcome, HistoryQuery, HistorySource, TemplateHistory,
};
use command_types::template::{DeleteTemplate, TemplateQuery};
use command_types::workspace::WorkspaceId;
use serde_json::{Value, json};

use super::harness::Harness;
use super::sending::{Desk, WEBHOOK_SECRET, hello, list, listed};
use super::webhooks::{Provider, wait_until};

/// A delivery about the template, or the one named in the value, with a timestamp in seconds.
fn about(field: &str, seconds: i64, said: Value) -> String {
    let mut value =
        json!({"message_template_id": 7, "message_template_name": "hello", "message_template_language": "pt-BR"});
    value.as_object_mut().unwrap().extend(said.as_object().unwrap().clone());
    json!({"object": "messaging_business_account",
           "entry": [{"id": "waba-1", "time": seconds, "changes": [{"field": field, "value": value}]}]})
    .to_string()
}

fn query(workspace: &str) -> HistoryQuery {
    HistoryQuery { workspace: workspace.to_owned(), reference: "t1".to_owned(), limit: 500, ..HistoryQuery::default() }
}

async fn history(desk: &Desk) -> TemplateHistory {
    desk.core().templates.get_history(query(&desk.workspace())).await.unwrap()
}

/// Source, kind, before and after, newest first.
fn entries_of(entries: &[HistoryEntry]) -> Vec<(HistorySource, &str, Option<&str>, Option<&str>)> {
    entries
        .iter()
        .map(|entry| (entry.source, entry.kind.as_str(), entry.before.as_deref(), entry.after.as_deref()))
        .collect()
}

/// Name, reference and event of the next emitted status.
async fn status_entries(desk: &mut Desk) -> (String, Option<String>, String) {
    desk.harness
        .event(|event| match event {
            DeskEvent::TemplateStatusChanged { name, reference, event, .. } => {
                Some((name.clone(), reference.clone(), event.clone()))
            }
            _ => None,
        })
        .await
}

fn with(fields: Value) -> Value {
    let mut template = hello();
    template.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    template
}

#[tokio::test]
async fn a_flagged_template_is_marked_in_lists_until_its_quality_is_back() {
    let mut desk = Desk::start(&[with(json!({"status": "APPROVED"}))]).await;
    let flagged = async |desk: &Desk| {
        let query = TemplateQuery { workspace: desk.workspace(), limit: 10, ..TemplateQuery::default() };
        let page = desk.core().templates.list_templates(query.clone()).await.unwrap();
        assert_eq!(page.rows[0].status, "APPROVED", "it can still be sent");
        assert_eq!(page.flagged, desk.core().templates.get_review_board(query.into()).await.unwrap().flagged);
        page.flagged.into_iter().map(|(reference, cause)| (reference, cause.disabled_on)).collect::<Vec<_>>()
    };
    assert_eq!(flagged(&desk).await, []);
    let now = chrono::Utc::now().timestamp();
    let flag = json!({"event": "FLAGGED", "disable_info": {"disable_date": "2026-12-03"}});
    desk.deliver(&about("message_template_status_update", now - 60, flag)).await;
    assert_eq!(flagged(&desk).await, [("t1".to_owned(), Some("2026-12-03".to_owned()))]);
    // Its row is the same, but not what lists show of it.
    desk.harness.event(|event| matches!(event, DeskEvent::TemplatesChanged { .. }).then_some(())).await;
    desk.deliver(&about("message_template_status_update", now - 30, json!({"event": "APPROVED"}))).await;
    assert_eq!(flagged(&desk).await, []);
    desk.harness.close().await;
}

#[tokio::test]
async fn every_change_has_one_entry_with_its_source() {
    use HistorySource::{Gap, Sync, Webhook};

    let mut desk = Desk::start(&[with(json!({"status": "PENDING"}))]).await;
    assert_eq!(entries_of(&history(&desk).await.entries), [], "a first listing has no history");

    let now = chrono::Utc::now().timestamp();
    desk.deliver(&about("message_template_status_update", now - 60, json!({"event": "PENDING"}))).await;
    let approved = json!({"event": "APPROVED", "message_template_category": "MARKETING"});
    let approved = about("message_template_status_update", now - 30, approved);
    desk.deliver(&approved).await;
    desk.deliver(&approved).await;
    let quality = json!({"previous_quality_score": "GREEN", "new_quality_score": "YELLOW"});
    desk.deliver(&about("message_template_quality_update", now - 20, quality)).await;
    let notice = json!({"correct_category": "UTILITY", "new_category": "MARKETING"});
    desk.deliver(&about("template_category_update", now - 10, notice)).await;
    let board = TemplateQuery { workspace: desk.workspace(), limit: 10, ..TemplateQuery::default() };
    let coming = desk.core().templates.get_review_board(board.into()).await.unwrap().coming_categories;
    let coming: Vec<_> = coming.iter().map(|(of, coming)| (of.as_str(), coming.category.as_str())).collect();
    assert_eq!(coming, [("t1", "utility")]);
    let kind = Some("template_category".to_owned());
    let announced = EventQuery { workspace: Some(desk.workspace()), kind, limit: 1, ..EventQuery::default() };
    let events = desk.core().webhooks.list_events(announced).await.unwrap().rows;
    assert_eq!(events[0].summary, "MARKETING → UTILITY · announced");

    // Webhooks have reported everything in the listing, except its own category and a new text.
    let other = json!([{"type": "BODY", "text": "Oi {{1}}, tudo bem com você hoje?"}]);
    let listed = json!({"status": "APPROVED", "category": "marketing", "quality_score": {"score": "YELLOW"}, "components": other});
    list(&desk.provider, &[with(listed)]);
    let before = history(&desk).await;
    desk.deliver(&about("message_template_components_update", now - 5, json!({"message_template_element": "Oi"})))
        .await;
    // The new content is fetched at once.
    wait_until("the new text is seen", async || {
        history(&desk).await.entries.iter().any(|entry| entry.source == Sync && entry.kind.as_str() == "content")
    })
    .await;
    let after = history(&desk).await;
    let entries = entries_of(&after.entries);
    assert_eq!(
        entries,
        [
            (Sync, "content", None, None),
            (Webhook, "content", None, None),
            (Webhook, "category", Some("MARKETING"), Some("UTILITY")),
            (Webhook, "quality", Some("GREEN"), Some("YELLOW")),
            (Webhook, "status", None, Some("APPROVED")),
            (Webhook, "status", None, Some("PENDING")),
            (Gap, "gap", None, None),
        ]
    );
    assert_eq!(entries_of(&before.entries), entries[2..], "a listing does not repeat what webhooks reported");
    assert_eq!((after.total, after.removed, after.name.as_str()), (7, false, "hello"));

    let status = &after.entries[4];
    assert_eq!((status.at, status.exact, status.deliveries), ((now - 30) * 1_000, true, Some(2)));
    let raw: Value = serde_json::from_str(status.raw.as_deref().unwrap()).unwrap();
    assert_eq!(raw["message_template_language"], "pt-BR", "the event as it came");
    assert!(status.item.is_some(), "and where it is");
    assert_eq!(after.entries[2].field.as_deref(), Some("announced"));
    assert_eq!(after.entries[6].gap, Some(GapReason::NotListed), "the previous state is unknown");
    let decision = &after.decisions[0];
    assert_eq!((decision.outcome.as_deref(), decision.took_ms, decision.exact), (Some("APPROVED"), Some(30_000), true));

    let content = &after.entries[0];
    assert!(!content.exact && content.not_before.is_some_and(|since| since < content.at));
    let versions = desk.core().templates.list_versions(id(&desk)).await.unwrap();
    assert_eq!(versions.iter().map(|version| version.origin.as_str()).collect::<Vec<_>>(), ["observed", "observed"]);
    assert_eq!(content.version.as_deref(), Some(versions[0].id.as_str()));
    let compare = |left: &str, right: &str| CompareVersions {
        workspace: desk.workspace(),
        reference: "t1".to_owned(),
        left: left.to_owned(),
        right: right.to_owned(),
    };
    let compared = desk.core().templates.compare_versions(compare(&versions[1].id, "current")).await.unwrap();
    let text = compared.changes.iter().find(|change| change.path == "/components/BODY/text").unwrap();
    assert_eq!(text.before.as_deref(), Some("Olá {{1}}, tudo bem com você hoje?"));
    assert_eq!(text.after.as_deref(), Some("Oi {{1}}, tudo bem com você hoje?"));
    assert_eq!(desk.core().templates.compare_versions(compare("current", &versions[0].id)).await.unwrap().changes, []);
    assert!(desk.core().templates.compare_versions(compare("current", "no version")).await.is_err());

    let only = HistoryQuery { kinds: vec!["status".into()], offset: 1, limit: 1, ..query(&desk.workspace()) };
    let page = desk.core().templates.get_history(only).await.unwrap();
    assert_eq!((page.total, entries_of(&page.entries)), (2, vec![(Webhook, "status", None, Some("PENDING"))]));

    // A file has another address in each listing: that is not a change.
    desk.refresh().await;
    assert_eq!(history(&desk).await.total, 7);
}

fn id(desk: &Desk) -> command_types::template::TemplateId {
    command_types::template::TemplateId { workspace: desk.workspace(), reference: "t1".to_owned() }
}

#[tokio::test]
async fn a_deleted_template_keeps_its_history() {
    let desk = Desk::start(&[with(json!({"id": "7"}))]).await;
    let workspace = || WorkspaceId { workspace: desk.workspace() };
    assert_eq!(desk.core().templates.list_removed(workspace()).await.unwrap(), []);
    list(&desk.provider, &[]);
    // An empty listing is accepted after a second one confirms it.
    desk.refresh().await;
    desk.refresh().await;
    let removed = desk.core().templates.list_removed(workspace()).await.unwrap();
    assert_eq!(removed.len(), 1);
    assert_eq!((removed[0].reference.as_str(), removed[0].name.as_str(), removed[0].exact), ("t1", "hello", false));
    let gone = history(&desk).await;
    assert_eq!((gone.removed, gone.language.as_str(), gone.entries[0].kind.as_str()), (true, "pt_BR", "deleted"));
    assert!(!gone.entries[0].exact);
    // It is listed again.
    list(&desk.provider, &[hello()]);
    desk.refresh().await;
    assert_eq!(desk.core().templates.list_removed(workspace()).await.unwrap(), []);
    assert!(!history(&desk).await.removed);
    let unknown = HistoryQuery { reference: "t9".to_owned(), ..query(&desk.workspace()) };
    assert!(desk.core().templates.get_history(unknown).await.is_err());
}

#[tokio::test]
async fn own_actions_have_one_entry_and_are_kept() {
    let mut desk = Desk::start(&[hello()]).await;
    let taken = json!({"success": true});
    for start in ["POST ", "DELETE "] {
        desk.provider.answer_json(start, "200 OK", &taken);
    }
    desk.core().bulk_actions.archive_template(id(&desk)).await.unwrap();
    let now = chrono::Utc::now().timestamp();
    desk.deliver(&about("message_template_status_update", now, json!({"event": "ARCHIVED"}))).await;
    list(&desk.provider, &[with(json!({"archived": true}))]);
    desk.refresh().await;
    let archived = history(&desk).await;
    let entry = &archived.entries[0];
    assert_eq!(entries_of(&archived.entries)[0], (HistorySource::Own, "archived", None, None));
    assert_eq!((entry.outcome, entry.exact, entry.deliveries), (Some(HistoryOutcome::Done), true, Some(1)));
    assert_eq!(archived.total, 1, "it was listed before: {:?}", entries_of(&archived.entries));

    let delete =
        DeleteTemplate { workspace: desk.workspace(), reference: "t1".to_owned(), confirmed_name: "hello".to_owned() };
    desk.core().bulk_actions.delete_template(delete).await.unwrap();
    list(&desk.provider, &[]);
    desk.refresh().await;
    let gone = history(&desk).await;
    assert_eq!(entries_of(&gone.entries)[0], (HistorySource::Own, "deleted", None, None));
    assert_eq!((gone.total, gone.removed, gone.name.as_str()), (2, true, "hello"));
    let removed = desk.core().templates.list_removed(WorkspaceId { workspace: desk.workspace() }).await.unwrap();
    assert_eq!((removed.len(), removed[0].exact, removed[0].at), (1, true, gone.entries[0].at));
}

/// The list was read at first, and several times more.
#[tokio::test]
async fn a_history_begins_with_the_first_listing() {
    let mut desk = Desk::start(&[with(json!({"id": "7"}))]).await;
    let first_listed = desk.core().templates.list_templates(all(&desk)).await.unwrap().as_of.unwrap();
    desk.refresh().await;
    desk.refresh().await;
    let last_listed = desk.core().templates.list_templates(all(&desk)).await.unwrap().as_of.unwrap();
    let later = first_listed / 1_000 + 1;
    desk.deliver(&about("message_template_status_update", later, json!({"event": "PAUSED"}))).await;
    let paused = history(&desk).await;
    assert_eq!(entries_of(&paused.entries), [(HistorySource::Webhook, "status", None, Some("PAUSED"))]);
    assert_eq!(paused.known_since, Some(first_listed));

    list(&desk.provider, &[]);
    desk.refresh().await;
    desk.refresh().await;
    let gone = history(&desk).await;
    let removed = gone.entries.iter().find(|entry| entry.kind.as_str() == "deleted").unwrap();
    assert_eq!(removed.not_before, Some(last_listed));
    assert_eq!((gone.total, gone.known_since), (2, Some(first_listed)));
}

fn all(desk: &Desk) -> TemplateQuery {
    TemplateQuery { workspace: desk.workspace(), limit: 10, ..TemplateQuery::default() }
}

#[tokio::test]
async fn a_review_is_reported_by_webhook_or_listing() {
    let mut desk = Desk::start(&[hello()]).await;
    // A listing shows it; a later event is not emitted again.
    let rejected = with(json!({"status": "REJECTED", "rejected_reason": "INVALID_FORMAT"}));
    list(&desk.provider, &[rejected]);
    desk.refresh().await;
    assert_eq!(status_entries(&mut desk).await, ("hello".to_owned(), Some("t1".to_owned()), "REJECTED".to_owned()));
    let now = chrono::Utc::now().timestamp();
    let event = json!({"event": "REJECTED", "reason": "INVALID_FORMAT"});
    desk.deliver(&about("message_template_status_update", now, event)).await;
    // An event about a template whose creation is not answered yet is emitted with its name.
    let other = json!({"event": "APPROVED", "message_template_name": "goodbye", "message_template_id": 9});
    desk.deliver(&about("message_template_status_update", now, other)).await;
    assert_eq!(status_entries(&mut desk).await, ("goodbye".to_owned(), None, "APPROVED".to_owned()));
}

#[tokio::test]
async fn a_change_while_offline_has_a_gap() {
    let desk = Desk::start(&[hello()]).await;
    let (workspace, keyring) = (desk.workspace(), desk.harness.keyring.clone());
    let provider = desk.provider;
    let folder = desk.harness.close().await;

    let harness = Harness::start_with(folder, keyring).await;
    let webhooks = Provider::for_workspace(&harness.core, workspace.clone()).await;
    list(&provider, &[with(json!({"status": "PAUSED"}))]);
    harness.core.templates.refresh_templates(WorkspaceId { workspace: workspace.clone() }).await.unwrap();
    wait_until("the gap is known", async || {
        let history = harness.core.templates.get_history(query(&workspace)).await.unwrap();
        history.entries.iter().any(|entry| entry.gap == Some(GapReason::NotListening))
    })
    .await;
    let first = harness.core.templates.get_history(query(&workspace)).await.unwrap();
    let (change, gap) = (&first.entries[0], &first.entries[1]);
    assert_eq!((change.source, change.after.as_deref()), (HistorySource::Sync, Some("PAUSED")));
    assert!(change.not_before < gap.not_before && gap.not_before.unwrap() < gap.at && gap.at <= change.at);

    // A webhook that reported the change while the receiver was listening leaves no gap.
    let mut desk = Desk { harness, provider, webhooks };
    let now = chrono::Utc::now().timestamp();
    desk.deliver(&about("message_template_status_update", now, json!({"event": "APPROVED"}))).await;
    list(&desk.provider, &[hello()]);
    desk.refresh().await;
    let then = history(&desk).await;
    assert_eq!(then.total, first.total + 1, "only the webhook: {:?}", entries_of(&then.entries));
    assert_eq!(desk.webhooks.deliver(WEBHOOK_SECRET, "no envelope").await, 200);
}

/// `{"total": 3}` with two templates and no way to the third: it may still exist.
#[tokio::test]
async fn an_incomplete_listing_removes_no_template() {
    let three = [with(json!({})), with(json!({"name": "second"})), with(json!({"name": "third"}))];
    let desk = Desk::start(&three).await;
    let names = async || {
        let query = TemplateQuery { workspace: desk.workspace(), limit: 10, ..TemplateQuery::default() };
        let page = desk.core().templates.list_templates(query).await.unwrap();
        let mut names: Vec<String> = page.rows.into_iter().map(|row| row.name).collect();
        names.sort();
        (names, page.as_of)
    };
    let before = names().await;
    assert_eq!(before.0, ["hello", "second", "third"]);

    let two = listed(&[with(json!({"status": "PAUSED"})), with(json!({"name": "second"}))]);
    desk.provider.answer_json("GET ", "200 OK", &json!({"data": two, "total": 3}));
    let report = desk.core().templates.refresh_templates(WorkspaceId { workspace: desk.workspace() }).await.unwrap();
    assert_eq!((report.total, report.missing), (2, 1));
    assert_eq!(names().await, before, "nothing is removed, and the listing time is unchanged");
    let removed = desk.core().templates.list_removed(WorkspaceId { workspace: desk.workspace() }).await.unwrap();
    assert_eq!(removed, [], "and nothing is reported as removed");
    let seen = history(&desk).await;
    assert_eq!(
        entries_of(&seen.entries)[0],
        (HistorySource::Sync, "status", Some("APPROVED"), Some("PAUSED")),
        "what it shows is known"
    );

    list(&desk.provider, &three[..2]);
    for left in [&["hello", "second", "third"][..], &["hello", "second"]] {
        let id = WorkspaceId { workspace: desk.workspace() };
        let report = desk.core().templates.refresh_templates(id).await.unwrap();
        assert_eq!(report.missing, 0);
        assert_eq!(names().await.0, left, "two listings that are whole tell");
    }
}
