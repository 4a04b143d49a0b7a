//! A lost cache: the listing is fetched again, and the other metadata is restored from the desk.

use std::path::Path;

use app::Core;
use app::SANDBOX_ID;
use command_types::composer::CreateDraft;
use command_types::event::DeskEvent;
use command_types::send::{SendOptions, SendRequest};
use command_types::submission::SubmitDraft;
use command_types::template::{TemplateId, TemplatePage, TemplateQuery, TemplateRow};
use command_types::workspace::WorkspaceId;
use model::vocabulary::{Category, TemplateStatus};
use sandbox::review::Decision;
use sandbox::{ReviewPolicy, seed};
use serde_json::{Value, json};

use super::harness::Harness;
use super::sending::{Desk, hello, list};

async fn page(core: &Core, workspace: &str) -> TemplatePage {
    let query = TemplateQuery { workspace: workspace.to_owned(), limit: 500, ..TemplateQuery::default() };
    core.templates.list_templates(query).await.unwrap()
}

async fn refreshed(core: &Core, workspace: &str) -> Vec<TemplateRow> {
    core.templates.refresh_templates(WorkspaceId { workspace: workspace.to_owned() }).await.unwrap();
    page(core, workspace).await.rows
}

fn named<'a>(rows: &'a [TemplateRow], name: &str) -> &'a TemplateRow {
    rows.iter().find(|row| row.name == name).unwrap()
}

fn id(row: &TemplateRow) -> TemplateId {
    TemplateId { workspace: SANDBOX_ID.to_owned(), reference: row.reference.clone() }
}

fn delete(folder: &Path) {
    for file in ["cache.sqlite", "cache.sqlite-wal", "cache.sqlite-shm"] {
        let _not_there = std::fs::remove_file(folder.join("desk").join(file));
    }
}

/// As left by a version with other cache tables: the format number is in the file's header.
fn age(folder: &Path) {
    const USER_VERSION: std::ops::Range<usize> = 60..64;
    let path = folder.join("desk/cache.sqlite");
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[USER_VERSION].copy_from_slice(&1_u32.to_be_bytes());
    std::fs::write(path, bytes).unwrap();
}

async fn review(harness: &mut Harness, row: &TemplateRow, decision: Decision) {
    harness.sandbox.decide(&row.reference, &decision).unwrap();
    let word = decision.event.as_str();
    harness
        .event(|event| match event {
            DeskEvent::TemplateStatusChanged { reference, event, .. } => {
                (reference.as_ref() == Some(&row.reference) && event == word).then_some(())
            }
            _ => None,
        })
        .await;
}

async fn created(harness: &Harness) {
    let draft = CreateDraft { workspace: SANDBOX_ID.to_owned(), ..CreateDraft::default() };
    let mut draft = harness.core.authoring.create_draft(draft).await.unwrap();
    draft.template = serde_json::from_value(json!({"name": "parcel_ready", "language": "en_US", "category": "utility",
        "waba_ids": [seed::WABA], "components": [{"type": "BODY", "text": "Your parcel is ready."}]}))
    .unwrap();
    let draft = harness.core.authoring.save_draft(draft).await.unwrap();
    let submit = SubmitDraft { draft: draft.id, despite_findings: true, overrides: Vec::new(), resend_unknown: false };
    assert!(harness.core.authoring.submit_draft(submit).await.unwrap().complete);
}

async fn sent(harness: &mut Harness, row: &TemplateRow) {
    let form = harness.core.messaging.get_send_form(id(row)).await.unwrap();
    let required = form.parts.iter().filter(|part| part.required);
    let values = required.map(|part| {
        let sample = Some(part.sample.clone()).filter(|sample| !sample.is_empty());
        (part.id.clone(), sample.unwrap_or_else(|| "Ana".to_owned()))
    });
    let request = SendRequest {
        answers: None,
        known_category: None,
        workspace: SANDBOX_ID.to_owned(),
        reference: row.reference.clone(),
        number: seed::NUMBER.to_owned(),
        to: "5511987654321".to_owned(),
        country: None,
        values: values.collect(),
        options: SendOptions { track: true, ..SendOptions::default() },
    };
    let send = harness.core.messaging.send_template(request).await.unwrap();
    harness.wait_for_send_state(&send.id, "read").await;
}

#[tokio::test]
async fn the_listing_is_restored_after_the_cache_is_lost() {
    let mut harness = Harness::start().await;
    let mut settings = harness.sandbox.settings();
    settings.review = ReviewPolicy::Manual;
    harness.sandbox.set_settings(settings).unwrap();
    created(&harness).await;
    let rows = refreshed(&harness.core, SANDBOX_ID).await;
    let category = Decision { new_category: Some(Category::Marketing), ..Decision::of(TemplateStatus::Approved) };
    review(&mut harness, named(&rows, "parcel_ready"), category).await;
    let in_waba = |row: &&TemplateRow| row.wabas.contains(&seed::WABA.to_string()) && row.header.is_none();
    let active = |row: &&TemplateRow| row.status == "APPROVED" && row.archived != Some(true) && in_waba(row);
    let [to_send, to_archive, to_pause] = rows.iter().filter(active).take(3).collect::<Vec<_>>()[..] else {
        panic!("{rows:?}")
    };
    sent(&mut harness, to_send).await;
    harness.core.bulk_actions.archive_template(id(to_archive)).await.unwrap();
    review(&mut harness, to_pause, Decision::of(TemplateStatus::Paused)).await;
    harness.wait_for_projection().await;

    let before = refreshed(&harness.core, SANDBOX_ID).await;
    let now = |row: &TemplateRow| before.iter().find(|now| now.reference == row.reference).unwrap();
    let parcel = named(&before, "parcel_ready");
    assert_eq!((parcel.status.as_str(), parcel.asked_category.as_deref()), ("APPROVED", Some("utility")));
    assert!(
        now(to_send).last_sent_at.is_some()
            && now(to_archive).archived == Some(true)
            && now(to_pause).status == "PAUSED"
    );
    for row in [parcel, now(to_archive), now(to_pause)] {
        assert!(row.state_since.is_some() && row.state_since_exact, "{row:?}");
    }
    assert!(before.iter().any(|row| row.state_since.is_none()), "the others are unknown");

    for lose in [delete, age] {
        let folder = harness.close().await;
        lose(folder.path());
        harness = Harness::start_in(folder).await;
        assert_eq!(page(&harness.core, SANDBOX_ID).await.as_of, None, "nothing remains");
        harness.event(|event| matches!(event, DeskEvent::SyncFinished { .. }).then_some(())).await;
        let after = page(&harness.core, SANDBOX_ID).await.rows;
        assert_eq!(after, before);
    }
    harness.close().await;
}

/// A delivery about `t1` with a timestamp in seconds.
fn paused(seconds: i64) -> String {
    let value = json!({"message_template_id": 7, "message_template_name": "first", "message_template_language": "pt-BR",
                       "event": "PAUSED"});
    json!({"object": "messaging_business_account", "entry": [{"id": "waba-1", "time": seconds, "changes": [
           {"field": "message_template_status_update", "value": value}]}]})
    .to_string()
}

/// As [`hello`], with another name and these fields.
fn template(name: &str, fields: Value) -> Value {
    let mut template = hello();
    template["name"] = json!(name);
    template.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    template
}

#[tokio::test]
async fn metadata_is_restored_for_a_provider_without_timestamps() {
    let plain = |name| template(name, json!({}));
    let mut desk = Desk::start(&[plain("first"), plain("second"), plain("third"), plain("fourth")]).await;
    let workspace = desk.workspace();
    let second = chrono::Utc::now().timestamp() - 60;
    desk.deliver(&paused(second)).await;
    let first = || template("first", json!({"status": "PAUSED"}));
    // A listing shows another status, and a new template in review.
    let other = template("second", json!({"status": "REJECTED", "rejected_reason": "SCAM"}));
    let new = |fields| template("new", fields);
    let fifth = || new(json!({"status": "PENDING"}));
    list(&desk.provider, &[first(), other.clone(), plain("third"), plain("fourth"), fifth()]);
    let shown = refreshed(desk.core(), &workspace).await;
    assert_eq!(named(&shown, "first").state_since, Some(second * 1_000));
    // Then the new one is archived, in another category.
    let fifth = || new(json!({"status": "APPROVED", "category": "marketing", "archived": true}));
    list(&desk.provider, &[first(), other.clone(), plain("third"), plain("fourth"), fifth()]);
    let before = refreshed(desk.core(), &workspace).await;
    let new = named(&before, "new");
    assert_eq!(
        (new.asked_category.as_deref(), new.archived, new.state_since_exact),
        (Some("utility"), Some(true), false)
    );
    assert!(named(&before, "second").state_since.is_some_and(|since| since < new.state_since.unwrap()));
    let order: Vec<_> = before.iter().map(|row| row.name.as_str()).collect();
    assert_eq!(order[..2], ["new", "second"], "the last change is first");

    let Desk { harness, provider, .. } = desk;
    let keyring = harness.keyring.clone();
    let folder = harness.close().await;
    delete(folder.path());
    let harness = Harness::start_with(folder, keyring).await;
    // While the cache was lost, one more changed: at the latest at this listing.
    list(&provider, &[first(), other, plain("third"), template("fourth", json!({"status": "DISABLED"})), fifth()]);
    let after = refreshed(&harness.core, &workspace).await;
    let same = |rows: &[TemplateRow]| rows.iter().filter(|row| row.name != "fourth").cloned().collect::<Vec<_>>();
    assert_eq!(same(&after), same(&before));
    let fourth = named(&after, "fourth");
    assert_eq!((fourth.status.as_str(), fourth.state_since), ("DISABLED", None), "the previous status is unknown");
    harness.close().await;
}

/// The listing has one status for all accounts, and it is the same as before the event.
#[tokio::test]
async fn what_an_event_said_of_one_account_outlives_the_cache() {
    let shared = |fields: Value| {
        let mut fields = fields;
        fields["waba_ids"] = json!([10, 20]);
        template("first", fields)
    };
    let mut desk = Desk::start(&[shared(json!({"status": "APPROVED"}))]).await;
    let workspace = desk.workspace();
    let paused = paused(chrono::Utc::now().timestamp()).replace("waba-1", "20");
    desk.deliver(&paused).await;
    desk.harness.wait_for_projection().await;
    let standing = async |core: &Core| {
        let id = TemplateId { workspace: workspace.clone(), reference: "t1".to_owned() };
        let detail = core.templates.get_template(id).await.unwrap();
        let of_wabas = detail.waba_statuses.iter().map(|of| format!("{} {}", of.waba, of.status));
        (detail.row.status, of_wabas.collect::<Vec<_>>())
    };
    let differing = ("PAUSED".to_owned(), ["20 PAUSED", "10 APPROVED"].map(str::to_owned).to_vec());
    assert_eq!(standing(desk.core()).await, differing);
    let Desk { mut harness, provider, .. } = desk;
    let keyring = harness.keyring.clone();
    for _ in 0..2 {
        let folder = harness.close().await;
        delete(folder.path());
        // The first run with the new cache ends before the workspace is listed.
        harness = Harness::start_with(folder, keyring.clone()).await;
        harness = Harness::start_with(harness.close().await, keyring.clone()).await;
        harness.wait_for_projection().await;
        refreshed(&harness.core, &workspace).await;
        assert_eq!(standing(&harness.core).await, differing);
        refreshed(&harness.core, &workspace).await;
        assert_eq!(standing(&harness.core).await, differing, "also after the next listing");
    }
    // Another status in the listing is news about all of them.
    let folder = harness.close().await;
    delete(folder.path());
    list(&provider, &[shared(json!({"status": "REJECTED", "rejected_reason": "SCAM"}))]);
    let mut harness = Harness::start_with(folder, keyring.clone()).await;
    harness.wait_for_projection().await;
    refreshed(&harness.core, &workspace).await;
    assert_eq!(standing(&harness.core).await, ("REJECTED".to_owned(), Vec::new()));
    harness.close().await;
}
