//! A bulk action and `kill -9`: no template gets two requests, requests in flight are unknown until the listing shows
//! the result, and the rest is sent afterwards.

use std::collections::BTreeMap;
use std::path::Path;

use command_types::bulk_action::{BulkAction, BulkActionKind, BulkActionQuery, ItemState, PlanBulkAction};
use command_types::template::TemplateTarget;
use command_types::workspace::{SaveWorkspace, WorkspaceId};
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use serde_json::{Value, json};
use store::desk::RunState;
use tempfile::TempDir;

use super::super::batches::provider::Reply;
use super::super::batches::settings;
use super::super::bulk_actions::provider::{Provider, uuid};
use super::Form;
use super::check;
use super::desk::{Desk, with_timeout};
use super::in_process::open;

/// Plans a bulk action on this many templates in a data folder.
async fn planned(folder: &Path, provider: &Provider, templates: u32) -> BulkAction {
    let core = open(folder).await;
    let request =
        SaveWorkspace { workspace: None, settings: settings(&provider.url), secrets: Vec::new(), session_only: false };
    let workspace = core.workspaces.save_workspace(request).await.unwrap().id;
    core.templates.refresh_templates(WorkspaceId { workspace: workspace.clone() }).await.unwrap();
    let target = TemplateTarget::References { references: (0..templates).map(uuid).collect() };
    let bulk_action = core
        .bulk_actions
        .plan_bulk_action(PlanBulkAction { workspace, action: BulkActionKind::Archive, target })
        .await
        .unwrap();
    assert_eq!(bulk_action.total, templates);
    core.close().await;
    bulk_action
}

fn command(name: &str, bulk_action: &BulkAction) -> String {
    format!("{name} {}", json!({"workspace": bulk_action.workspace, "id": bulk_action.id, "limit": 1}))
}

/// The state of a bulk action in the desk's file right after opening it: each template's state.
async fn stored_state(folder: &Path, bulk_action: &BulkAction) -> (RunState, BTreeMap<String, ItemState>) {
    let desk = store::Desk::open(&folder.join("desk.sqlite")).unwrap();
    let found = desk.bulk_action(&bulk_action.id).await.unwrap().unwrap();
    let items = desk.bulk_action_items(&bulk_action.id, None, 0, 1_000).await.unwrap();
    desk.close();
    let states: BTreeMap<_, _> = items.into_iter().map(|item| (item.template_ref, item.state)).collect();
    for (state, n) in &found.counts {
        assert_eq!(states.values().filter(|stored_state| *stored_state == state).count(), *n as usize, "{state}");
    }
    (found.state, states)
}

async fn wait_for_count(provider: &Provider, operations: usize) {
    with_timeout("the operations", async {
        while provider.operations().len() < operations {
            crate::webhooks::next_poll().await;
        }
    })
    .await;
}

/// Opens the desk until all unknown items are reconciled.
async fn settled(folder: &Path, bulk_action: &BulkAction) {
    let core = open(folder).await;
    let query = BulkActionQuery {
        workspace: bulk_action.workspace.clone(),
        id: bulk_action.id.clone(),
        limit: 1,
        ..BulkActionQuery::default()
    };
    with_timeout("the listing", async {
        while core
            .bulk_actions
            .get_bulk_action(query.clone())
            .await
            .unwrap()
            .bulk_action
            .counts
            .iter()
            .any(|counted| counted.value == ItemState::Unknown)
        {
            crate::webhooks::next_poll().await;
        }
    })
    .await;
    core.close().await;
}

/// Killed with requests in flight, and killed at random until every template has got a request.
pub(super) async fn killed(form: Form) {
    killed_in_flight().await;
    let rounds = form.rounds(1, 20);
    let (mut kills, mut unknown) = (0, 0);
    for round in 0..rounds {
        let (killed, lost) = killed_at_random(round, form.pick(80, 300)).await;
        kills += killed;
        unknown += lost;
    }
    println!("bulk action kills={kills} unknown={unknown} twice=0 left_out=0");
}

/// The provider holds all requests: they are in flight when the process is killed.
async fn killed_in_flight() {
    const TEMPLATES: u32 = 60;
    const ANSWERED: usize = 20;
    let temp = TempDir::new().unwrap();
    let (folder, provider) = (temp.path().join("desk"), Provider::start(TEMPLATES).await);
    let bulk_action = planned(&folder, &provider, TEMPLATES).await;
    provider.answers(|before, _| if before < ANSWERED { Reply::Accepted } else { Reply::Later });
    let mut desk = Desk::start(&folder, None).await;
    assert_eq!(desk.ask(&command("start-order", &bulk_action)).await["state"], "running");
    wait_for_count(&provider, ANSWERED + 4).await;
    desk.kill().await;
    let asked = provider.asked();

    let (state, items) = stored_state(&folder, &bulk_action).await;
    assert_eq!(state, RunState::Interrupted);
    for (reference, state) in &items {
        let left = asked.contains_key(reference);
        assert!(
            if left { [ItemState::Done, ItemState::Unknown].contains(state) } else { *state == ItemState::Planned },
            "{reference}"
        );
    }
    let unknown: Vec<_> =
        items.iter().filter(|(_, state)| **state == ItemState::Unknown).map(|(reference, _)| reference).collect();
    assert!(unknown.len() >= 4, "{unknown:?}");

    // Items that the listing shows as done are done; the others have failed and may be retried.
    settled(&folder, &bulk_action).await;
    let (_, items) = stored_state(&folder, &bulk_action).await;
    let done = |reference: &String| items[reference] == ItemState::Done;
    assert_eq!(
        unknown.iter().filter(|reference| done(reference)).count(),
        provider.archived() - (asked.len() - unknown.len())
    );
    assert!(unknown.iter().all(|reference| done(reference) || items[*reference] == ItemState::Failed));
    assert_eq!(provider.asked(), asked, "nothing is sent automatically");

    provider.answers(|_, _| Reply::Accepted);
    let mut desk = Desk::start(&folder, None).await;
    assert_eq!(desk.ask(&command("retry-order", &bulk_action)).await["state"], "running");
    assert_eq!(desk.ask(&command("order-ends", &bulk_action)).await["state"], "done");
    desk.close().await;
    assert_eq!(provider.archived(), TEMPLATES as usize, "none left out");
    let failed = |reference: &String| items[reference] == ItemState::Failed;
    assert!(provider.asked().iter().all(|(reference, times)| *times == 1 + usize::from(failed(reference))));
}

/// Killed repeatedly at random. Returns the number of kills and of items that were unknown.
async fn killed_at_random(seed: u64, templates: u32) -> (u32, usize) {
    let mut random = StdRng::seed_from_u64(seed);
    let temp = TempDir::new().unwrap();
    let (folder, provider) = (temp.path().join("desk"), Provider::start(templates).await);
    let bulk_action = planned(&folder, &provider, templates).await;
    let (mut kills, mut unknown) = (0, 0);
    let mut name = "start-order";
    loop {
        let mut desk = Desk::start(&folder, None).await;
        let answer: Value = desk.ask(&command(name, &bulk_action)).await;
        if answer["state"] != "running" {
            // All remaining items were sent before the kill, but the end was not recorded.
            assert!(answer.get("failed").is_some(), "{answer}");
            desk.close().await;
            break;
        }
        name = "retry-order";
        let next = provider.operations().len() + random.random_range(5..40);
        if provider.archived() + 40 >= templates as usize {
            assert_eq!(desk.ask(&command("order-ends", &bulk_action)).await["state"], "done");
            desk.close().await;
            break;
        }
        wait_for_count(&provider, next).await;
        desk.kill().await;
        kills += 1;
        let verdict = check::open(&folder.join("desk.sqlite"))
            .query_row("PRAGMA integrity_check(1)", [], |row| row.get::<_, String>(0))
            .unwrap();
        assert_eq!(verdict, "ok");
        let (_, items) = stored_state(&folder, &bulk_action).await;
        unknown += items.values().filter(|state| **state == ItemState::Unknown).count();
        settled(&folder, &bulk_action).await;
    }
    let (state, items) = stored_state(&folder, &bulk_action).await;
    assert_eq!(state, RunState::Done);
    assert!(items.values().all(|state| *state == ItemState::Done), "{items:?}");
    assert_eq!(provider.archived(), templates as usize);
    assert!(provider.asked().values().all(|times| *times == 1), "none twice");
    assert!(kills > 0);
    (kills, unknown)
}
