//! Bulk actions: an item is sent only after it is recorded, never while another bulk action processes its template, and
//! counts follow the items.

use std::path::Path;

use store::backup::{back_up, stage, staged};
use store::check::Stopper;
use store::desk::{
    BulkAction, BulkActionItem, BulkActionKind, ItemState, JobKind, RunState, RunStep, SendRecord, Workspace, salvage,
};
use store::{DataFolder, DeliveryLog, Desk, StoreFile};

async fn opened(path: &Path) -> Desk {
    let desk = Desk::open(path).unwrap();
    let workspace = Workspace { id: "w".into(), position: 0, settings: "{}".into(), created_at: 1, updated_at: 1 };
    desk.upsert_workspace(workspace).await.unwrap();
    desk
}

fn bulk_action(id: &str, state: RunState, created_at: i64) -> BulkAction {
    BulkAction {
        id: id.to_owned(),
        workspace_id: "w".to_owned(),
        action: BulkActionKind::Archive,
        state,
        error: None,
        undo_of: None,
        facts: "{}".to_owned(),
        total: 4,
        created_at,
        started_at: None,
        ended_at: None,
        undone: false,
        counts: Vec::new(),
    }
}

/// Templates with these references; for one that begins with `-` there is nothing to do.
fn items(references: &[&str]) -> Vec<BulkActionItem> {
    let item = |(position, reference): (u32, &&str)| BulkActionItem {
        position,
        template_ref: reference.trim_start_matches('-').to_owned(),
        name: "promo".to_owned(),
        language: "pt_BR".to_owned(),
        state: if reference.starts_with('-') { ItemState::Skipped } else { ItemState::Planned },
        ..BulkActionItem::default()
    };
    (0..).zip(references).map(item).collect()
}

async fn counts(desk: &Desk, id: &str) -> Vec<(ItemState, u32)> {
    desk.bulk_action(id).await.unwrap().unwrap().counts
}

fn counted(expected: &[(&str, u32)]) -> Vec<(ItemState, u32)> {
    expected.iter().map(|(state, n)| (ItemState::of(state).unwrap(), *n)).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_item_is_sent_after_it_is_recorded_and_counts_follow() {
    let dir = tempfile::tempdir().unwrap();
    let desk = opened(&dir.path().join("desk.sqlite")).await;
    let planned = bulk_action("o", RunState::Planned, 1);
    assert_eq!(desk.add_bulk_action(planned, items(&["a", "b", "-c", "d"]), 5).await.unwrap(), RunStep::Done);
    assert_eq!(counts(&desk, "o").await, counted(&[("planned", 3), ("skipped", 1)]));
    assert!(!desk.begin_item("o", 0, 2).await.unwrap(), "the bulk action is not running");
    let start = |from, again| desk.start_bulk_action("o", vec![from], again, 3);
    assert_eq!(start(RunState::Done, Vec::new()).await.unwrap(), RunStep::State(RunState::Planned));
    assert_eq!(start(RunState::Planned, Vec::new()).await.unwrap(), RunStep::Done);
    assert!(desk.begin_item("o", 0, 4).await.unwrap());
    assert!(!desk.begin_item("o", 0, 4).await.unwrap(), "it was already sent");
    assert!(!desk.begin_item("o", 2, 4).await.unwrap(), "nothing to do");
    assert!(desk.begin_item("o", 1, 4).await.unwrap());
    assert_eq!(counts(&desk, "o").await, counted(&[("leaving", 2), ("planned", 1), ("skipped", 1)]));
    let failed = Some(r#"{"code":"offline"}"#.to_owned());
    assert!(desk.move_item("o", 0, (ItemState::InFlight, ItemState::Done), None, 5).await.unwrap());
    assert!(desk.move_item("o", 1, (ItemState::InFlight, ItemState::Failed), failed.clone(), 5).await.unwrap());
    assert!(!desk.move_item("o", 1, (ItemState::InFlight, ItemState::Done), None, 6).await.unwrap(), "it was answered");

    // From here on nothing is sent.
    assert_eq!(desk.cancel_job(JobKind::BulkAction, "o", 7).await.unwrap(), RunStep::Done);
    assert!(!desk.begin_item("o", 3, 8).await.unwrap());
    assert_eq!(
        desk.end_job(JobKind::BulkAction, "o", RunState::Interrupted, failed.clone(), 9).await.unwrap(),
        RunState::Cancelled
    );
    let ended = desk.bulk_action("o").await.unwrap().unwrap();
    assert_eq!((ended.state, ended.error, ended.ended_at), (RunState::Cancelled, None, Some(9)));
    assert_eq!(ended.counts, counted(&[("cancelled", 1), ("done", 1), ("failed", 1), ("skipped", 1)]));

    // Only items in the requested states are sent again.
    assert_eq!(start(RunState::Cancelled, vec![ItemState::Failed]).await.unwrap(), RunStep::Done);
    assert_eq!(counts(&desk, "o").await, counted(&[("cancelled", 1), ("done", 1), ("planned", 1), ("skipped", 1)]));
    let again = desk.bulk_action_items("o", Some(ItemState::Planned), 0, 9).await.unwrap();
    assert_eq!(again.iter().map(|item| (item.position, item.attempts)).collect::<Vec<_>>(), [(1, 1)]);
    assert_eq!(again[0].error, failed, "the error remains until it is sent again");
    assert!(desk.begin_item("o", 1, 10).await.unwrap());
    let remaining = desk.bulk_action_items("o", None, 1, 1).await.unwrap().remove(0);
    assert_eq!(
        (remaining.state, remaining.attempts, remaining.sent_at, remaining.error),
        (ItemState::InFlight, 2, Some(10), None)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn two_running_bulk_actions_never_process_the_same_template() {
    let dir = tempfile::tempdir().unwrap();
    let desk = opened(&dir.path().join("desk.sqlite")).await;
    desk.add_bulk_action(bulk_action("o", RunState::Running, 1), items(&["a", "b"]), 5).await.unwrap();
    for (id, references, step) in [
        ("p", vec!["x", "b"], RunStep::Busy("o".to_owned())),
        ("q", vec!["x", "-b"], RunStep::Done),
        ("r", vec!["x"], RunStep::Busy("q".to_owned())),
    ] {
        assert_eq!(
            desk.add_bulk_action(bulk_action(id, RunState::Running, 2), items(&references), 5).await.unwrap(),
            step,
            "{id}"
        );
        assert_eq!(desk.bulk_action(id).await.unwrap().is_some(), step == RunStep::Done, "{id}");
    }
    desk.add_bulk_action(bulk_action("p", RunState::Planned, 3), items(&["b"]), 5).await.unwrap();
    let start = || desk.start_bulk_action("p", vec![RunState::Planned], Vec::new(), 4);
    assert_eq!(start().await.unwrap(), RunStep::Busy("o".to_owned()));
    desk.begin_item("o", 1, 4).await.unwrap();
    assert_eq!(start().await.unwrap(), RunStep::Busy("o".to_owned()));
    desk.move_item("o", 1, (ItemState::InFlight, ItemState::Done), None, 5).await.unwrap();
    assert_eq!(start().await.unwrap(), RunStep::Done);
    assert_eq!(desk.bulk_action("o").await.unwrap().unwrap().state, RunState::Running);
}

#[tokio::test(flavor = "multi_thread")]
async fn after_a_crash_items_in_flight_are_unknown_until_a_listing_reconciles_them() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("desk.sqlite");
    let first = opened(&path).await;
    first.add_bulk_action(bulk_action("o", RunState::Running, 1), items(&["a", "b", "c"]), 5).await.unwrap();
    first.add_bulk_action(bulk_action("p", RunState::Running, 2), items(&["d"]), 5).await.unwrap();
    first.cancel_job(JobKind::BulkAction, "p", 3).await.unwrap();
    first.add_bulk_action(bulk_action("q", RunState::Running, 3), items(&["e", "-f"]), 5).await.unwrap();
    first.begin_item("q", 0, 4).await.unwrap();
    first.move_item("q", 0, (ItemState::InFlight, ItemState::Done), None, 5).await.unwrap();
    for position in [0, 1] {
        first.begin_item("o", position, 4).await.unwrap();
    }
    first.move_item("o", 1, (ItemState::InFlight, ItemState::Done), None, 5).await.unwrap();
    drop(first);

    let desk = Desk::open(&path).unwrap();
    assert_eq!(desk.interrupted().bulk_actions, ["o", "p", "q"]);
    let found = desk.bulk_action("o").await.unwrap().unwrap();
    assert_eq!((found.state, found.ended_at), (RunState::Interrupted, None));
    assert_eq!(found.counts, counted(&[("done", 1), ("planned", 1), ("unknown", 1)]));
    assert_eq!(desk.bulk_action("p").await.unwrap().unwrap().state, RunState::Cancelled);
    assert_eq!(desk.bulk_action("q").await.unwrap().unwrap().state, RunState::Done, "no row remained to be sent");
    let open = desk.unknown_items("w").await.unwrap();
    assert_eq!(open.len(), 1);
    assert_eq!(
        (open[0].bulk_action_id.as_str(), open[0].action, open[0].item.position),
        ("o", BulkActionKind::Archive, 0)
    );
    assert_eq!((open[0].item.sent_at, open[0].item.answered_at), (Some(4), None));
    assert!(desk.unknown_items("v").await.unwrap().is_empty());
    assert_eq!(desk.workspaces_with_unknown_items().await.unwrap(), ["w"]);
    desk.move_item("o", 0, (ItemState::Unknown, ItemState::Done), None, 6).await.unwrap();
    assert!(desk.unknown_items("w").await.unwrap().is_empty());
    assert!(desk.workspaces_with_unknown_items().await.unwrap().is_empty());
    assert_eq!(counts(&desk, "o").await, counted(&[("done", 2), ("planned", 1)]));
}

#[tokio::test(flavor = "multi_thread")]
async fn old_plans_are_deleted_and_an_undone_bulk_action_is_marked() {
    let dir = tempfile::tempdir().unwrap();
    let desk = opened(&dir.path().join("desk.sqlite")).await;
    desk.add_bulk_action(bulk_action("o", RunState::Done, 1), items(&["a"]), 2).await.unwrap();
    for (id, at) in [("p", 2), ("q", 3), ("r", 4)] {
        let undo_of = (id == "r").then(|| "o".to_owned());
        desk.add_bulk_action(BulkAction { undo_of, ..bulk_action(id, RunState::Planned, at) }, items(&["a"]), 2)
            .await
            .unwrap();
    }
    let bulk_actions: Vec<_> = desk
        .bulk_actions("w", 9)
        .await
        .unwrap()
        .into_iter()
        .map(|bulk_action| (bulk_action.id, bulk_action.undone))
        .collect();
    assert_eq!(bulk_actions, [("r".to_owned(), false), ("q".to_owned(), false), ("o".to_owned(), true)]);
    assert!(desk.bulk_action_items("p", None, 0, 9).await.unwrap().is_empty(), "its items are deleted with it");
    assert_eq!(desk.discard_bulk_action("r").await.unwrap(), RunStep::Done);
    assert_eq!(desk.discard_bulk_action("r").await.unwrap(), RunStep::Missing);
    assert_eq!(desk.discard_bulk_action("o").await.unwrap(), RunStep::State(RunState::Done));
    assert!(!desk.bulk_action("o").await.unwrap().unwrap().undone);
}

#[tokio::test(flavor = "multi_thread")]
async fn sends_of_templates_are_counted_by_name_and_language_since_an_instant() {
    let dir = tempfile::tempdir().unwrap();
    let desk = opened(&dir.path().join("desk.sqlite")).await;
    for (id, name, language, created_at) in
        [("1", "promo", "pt_BR", 5), ("2", "promo", "pt_BR", 6), ("3", "promo", "en", 6), ("4", "other", "pt_BR", 6)]
    {
        let send = SendRecord {
            id: id.to_owned(),
            workspace_id: "w".to_owned(),
            template_name: name.to_owned(),
            language: language.to_owned(),
            payload: "{}".to_owned(),
            created_at,
            ..SendRecord::default()
        };
        desk.record_send(send).await.unwrap();
    }
    let of = |name: &str, language: &str| (name.to_owned(), language.to_owned());
    for (templates, since, expected) in [
        (vec![of("promo", "pt_BR")], 5, 2),
        (vec![of("promo", "pt_BR")], 6, 1),
        (vec![of("promo", "pt_BR"), of("promo", "en"), of("gone", "en")], 0, 3),
        (Vec::new(), 0, 0),
    ] {
        assert_eq!(desk.sends_since("w", templates.clone(), since).await.unwrap(), expected, "{templates:?}");
    }
    assert_eq!(desk.sends_since("v", vec![of("promo", "en")], 0).await.unwrap(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_restored_or_salvaged_desk_marks_unsent_items_unknown_and_recounts() {
    let dir = tempfile::tempdir().unwrap();
    let folder = DataFolder::lock(dir.path().join("data")).unwrap();
    drop(DeliveryLog::open(&folder.delivery_log()).unwrap());
    let desk = opened(&folder.desk()).await;
    desk.add_bulk_action(bulk_action("o", RunState::Running, 1), items(&["a", "b", "-c"]), 5).await.unwrap();
    desk.add_bulk_action(bulk_action("p", RunState::Planned, 2), items(&["d"]), 5).await.unwrap();
    desk.begin_item("o", 0, 3).await.unwrap();
    desk.move_item("o", 0, (ItemState::InFlight, ItemState::Done), None, 4).await.unwrap();
    let backups = dir.path().join("backups");
    std::fs::create_dir(&backups).unwrap();
    let (backup, _) = back_up(&folder, &backups, "b1", 4, "1", &Stopper::default()).unwrap();
    desk.close();
    stage(&folder, &backup).unwrap();
    let (_, path) = staged(&folder).unwrap().into_iter().find(|(file, _)| *file == StoreFile::Desk).unwrap();
    let found = Desk::open(&path).unwrap();
    let bulk_action = found.bulk_action("o").await.unwrap().unwrap();
    assert_eq!(
        (bulk_action.state, bulk_action.counts),
        (RunState::Done, counted(&[("done", 1), ("skipped", 1), ("unknown", 1)]))
    );
    assert!(found.bulk_action("p").await.unwrap().is_none(), "a plan can be planned again");

    let salvaged = salvage(&folder.desk()).unwrap();
    let found = Desk::open(&salvaged.file).unwrap();
    assert_eq!(counts(&found, "o").await, counted(&[("done", 1), ("planned", 1), ("skipped", 1)]));
}
