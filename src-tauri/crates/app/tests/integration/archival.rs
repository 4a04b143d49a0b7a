//! Templates that the channel will archive or delete because nobody uses them.

use chrono::{DateTime, Months, TimeDelta, Utc};
use command_types::template::{TemplateId, TemplateQuery, TemplateRow, TemplateSort};
use model::archival::ArchivalKind;
use serde_json::{Value, json};

use super::sending::Desk;

fn template(name: &str, fields: Value) -> Value {
    let mut template = json!({"name": name, "language": "pt_BR", "category": "marketing",
        "status": "APPROVED", "waba_ids": [10], "components": [{"type": "BODY", "text": "Oi"}]});
    template.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    template
}

fn at_risk(workspace: &str) -> TemplateQuery {
    TemplateQuery {
        workspace: workspace.to_owned(),
        at_risk: Some(true),
        sort: TemplateSort::Name,
        limit: 500,
        ..TemplateQuery::default()
    }
}

/// Reports a status of a template that it got at `at`.
async fn report(desk: &mut Desk, name: &str, event: &str, at: DateTime<Utc>) {
    let body = json!({"object": "messaging_business_account", "entry": [{"id": "10", "time": at.timestamp(), "changes": [
        {"field": "message_template_status_update", "value": {"event": event, "message_template_id": 7,
         "message_template_name": name, "message_template_language": "pt_BR"}}]}]});
    desk.deliver(&body.to_string()).await;
}

fn names(rows: &[TemplateRow]) -> Vec<&str> {
    rows.iter().map(|row| row.name.as_str()).collect()
}

#[tokio::test]
async fn templates_that_will_be_archived_or_deleted_are_at_risk_until_they_are_used() {
    let now = Utc::now();
    let days_ago = |days| now - TimeDelta::days(days);
    let archived = |days| json!({"archived": true, "archived_at": days_ago(days).to_rfc3339()});
    let mut desk = Desk::start(&[
        template("a_yearly", json!({})),
        template("b_new", json!({})),
        template("c_unknown", json!({})),
        template("d_archived", archived(5)),
        // The provider kept it, although the channel's time is over.
        template("e_kept", archived(60)),
        template("f_deleting", json!({"status": "PENDING_DELETION"})),
    ])
    .await;
    let yearly = now - Months::new(11) - TimeDelta::days(5);
    report(&mut desk, "a_yearly", "APPROVED", yearly).await;
    report(&mut desk, "b_new", "APPROVED", days_ago(3)).await;
    report(&mut desk, "f_deleting", "PENDING_DELETION", yearly).await;
    let core = desk.core();
    let found = core.templates.list_templates(at_risk(&desk.workspace())).await.unwrap();
    assert_eq!(names(&found.rows), ["a_yearly", "d_archived"]);
    let board = core.templates.get_review_board(at_risk(&desk.workspace()).into()).await.unwrap();
    assert_eq!(board.needs.at_risk, 2);
    let carded: Vec<&str> = board.columns.iter().flat_map(|column| names(&column.rows)).collect();
    assert_eq!(carded, ["a_yearly", "d_archived"]);

    // The page says when, or why that is unknown.
    let of = async |reference: &str| {
        let id = TemplateId { workspace: desk.workspace(), reference: reference.to_owned() };
        core.templates.get_template(id).await.unwrap()
    };
    let yearly_page = of("t1").await;
    let archival = yearly_page.row.archival.clone().unwrap();
    let second = |at: DateTime<Utc>| at.timestamp() * 1_000;
    assert_eq!((archival.kind, archival.last_activity), (ArchivalKind::Coming, Some(second(yearly))));
    assert_eq!(archival.archived_at, Some(second(yearly + Months::new(12))));
    assert!(archival.archived_at.unwrap() < yearly_page.risk_until);
    assert_eq!(of("t3").await.row.archival.map(|archival| archival.kind), Some(ArchivalKind::UnknownUse));
    assert_eq!(of("t4").await.row.archival.map(|archival| archival.kind), Some(ArchivalKind::Archived));
    assert_eq!(of("t6").await.row.archival, None);

    // A send keeps it.
    core.messaging.send_template(desk.request("t1", &[])).await.unwrap();
    let found = core.templates.list_templates(at_risk(&desk.workspace())).await.unwrap();
    assert_eq!(names(&found.rows), ["d_archived"]);
}
