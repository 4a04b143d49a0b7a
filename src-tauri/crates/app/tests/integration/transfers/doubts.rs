//! Imports after lost answers, from old lists, and carried out in part: nothing is created twice.

use std::path::PathBuf;

use app::Core;
use command_types::error::DeskError;
use command_types::event::DeskEvent;
use command_types::transfer::{
    Import, ImportAction, ImportDoubt, ImportId, ImportState, MAY_BE_REPEATED, PlanImport, RunImport, RunState,
};
use serde_json::{Value, json};

use super::super::harness::{Harness, picture};
use super::provider::{Provider, Reply};
use super::{WABA, actions, connected, listed, planned, pushed, states, step, template, write};

const FILES: [&str; 3] = ["n_01.json", "n_02.json", "n_03.json"];
const DOUBTS: [ImportDoubt; 2] = [ImportDoubt::UnknownOutcome, ImportDoubt::OutdatedList];

/// A folder with new templates.
fn folder_of(harness: &Harness, files: &[&str]) -> PathBuf {
    let folder = harness.folder.path().join("templates");
    std::fs::create_dir(&folder).unwrap();
    for file in files {
        write(&folder, file, &template(file.trim_end_matches(".json"), "Good day to you."));
    }
    folder
}

/// Names of the templates that the provider was asked to create.
fn names(provider: &Provider) -> Vec<Value> {
    let name = |body: &[u8]| serde_json::from_slice::<Value>(body).unwrap()["name"].clone();
    provider.requests().iter().map(|request| name(&request.body)).collect()
}

async fn overridden(core: &Core, id: &str, file: &str) -> Import {
    let overrides = vec![MAY_BE_REPEATED.to_owned()];
    let run = RunImport { id: id.to_owned(), files: vec![file.to_owned()], overrides };
    core.template_files.run_import(run).await.unwrap()
}

#[tokio::test]
async fn a_check_after_a_lost_answer_asks_the_provider_again() {
    let harness = Harness::start().await;
    let core = harness.core.clone();
    let provider = Provider::start(Vec::new()).await;
    let workspace = connected(&core, &provider).await;
    let folder = folder_of(&harness, &FILES);
    let plan = planned(&core, &workspace, &folder, &[WABA]).await;
    assert_eq!((plan.outdated_list.as_ref(), provider.listings()), (None, 1));
    provider.answers(|before| if before == 1 { Reply::DoneWithoutAnswer } else { Reply::Done });
    provider.fail_listings(true);
    let outcomes = pushed(&core, &plan, &FILES).await;
    let lost = FILES[1];
    assert_eq!(states(&outcomes)[1], (lost, ImportState::Unknown));

    // The list cannot be fetched: said in the plan, and nothing is sent without an override.
    let plan = planned(&core, &workspace, &folder, &[WABA]).await;
    let outdated = plan.outdated_list.clone().unwrap();
    assert!(outdated.listed_at.is_some() && matches!(outdated.error, Some(DeskError::Service { status: 500, .. })));
    assert_eq!((step(&plan, lost).action, &*step(&plan, lost).doubts), (ImportAction::Create, &DOUBTS[..]));
    assert_eq!(step(&plan, lost).needs_override, [MAY_BE_REPEATED]);
    let outcomes = pushed(&core, &plan, &[lost]).await;
    assert_eq!(states(&outcomes), [(lost, ImportState::Skipped)]);
    assert!(
        matches!(&outcomes[0].error, Some(DeskError::Conflict { message, .. }) if message.contains("got no answer"))
    );
    assert_eq!(names(&provider), ["n_01", "n_02", "n_03"]);

    provider.fail_listings(false);
    let plan = planned(&core, &workspace, &folder, &[WABA]).await;
    assert_eq!(actions(&plan), FILES.map(|file| (file, ImportAction::Unchanged)));
    assert_eq!(plan.outdated_list, None);
    harness.close().await;
}

#[tokio::test]
async fn a_template_whose_submission_was_lost_is_submitted_again_only_after_an_override() {
    let harness = Harness::start().await;
    let core = harness.core.clone();
    let provider = Provider::start(Vec::new()).await;
    let workspace = connected(&core, &provider).await;
    let folder = folder_of(&harness, &FILES[..1]);
    let file = FILES[0];
    // Planned before the answer to another plan of the same file is lost.
    let earlier = planned(&core, &workspace, &folder, &[WABA]).await;
    let plan = planned(&core, &workspace, &folder, &[WABA]).await;
    provider.answers(|_| Reply::Lost);
    assert_eq!(states(&pushed(&core, &plan, &[file]).await), [(file, ImportState::Unknown)]);
    provider.answers(|_| Reply::Done);
    let refused = pushed(&core, &earlier, &[file]).await;
    assert_eq!(states(&refused), [(file, ImportState::Failed)]);
    assert!(
        matches!(&refused[0].error, Some(DeskError::Conflict { message, .. }) if message.contains("got no answer"))
    );
    assert_eq!(provider.requests().len(), 1);

    let plan = planned(&core, &workspace, &folder, &[WABA]).await;
    assert_eq!((plan.outdated_list, &*plan.steps[0].doubts), (None, &DOUBTS[..1]));
    assert_eq!(overridden(&core, &plan.id, file).await.outcomes[0].state, ImportState::Done);
    assert_eq!(provider.requests().len(), 2);
    // In another WABA there is no doubt.
    let plan = planned(&core, &workspace, &folder, &["7"]).await;
    assert_eq!((plan.steps[0].action, &*plan.steps[0].doubts), (ImportAction::Create, &[][..]));
    harness.close().await;
}

#[tokio::test]
async fn a_resumed_import_ends_with_a_listing_while_an_outcome_is_unknown() {
    let harness = Harness::start().await;
    let core = harness.core.clone();
    let provider = Provider::start(Vec::new()).await;
    let workspace = connected(&core, &provider).await;
    let folder = folder_of(&harness, &FILES);
    let plan = planned(&core, &workspace, &folder, &[WABA]).await;
    provider.answers(|before| if before == 0 { Reply::Lost } else { Reply::Unauthorized });
    let outcomes = pushed(&core, &plan, &FILES).await;
    let (unknown, failed, not_sent) = (ImportState::Unknown, ImportState::Failed, ImportState::NotSent);
    assert_eq!(states(&outcomes), [(FILES[0], unknown), (FILES[1], failed), (FILES[2], not_sent)]);
    // The list cannot be fetched: what else is at the provider is not known.
    let id = ImportId { id: plan.id.clone() };
    provider.fail_listings(true);
    let refused = core.template_files.resume_import(id.clone()).await.unwrap_err();
    assert!(matches!(refused, DeskError::Service { status: 500, .. }), "{refused:?}");
    assert_eq!(provider.requests().len(), 2);

    // The template appears only during the next run.
    provider.fail_listings(false);
    let late = provider.clone();
    provider.answers(move |before| {
        if before == 2 {
            late.change(|templates| templates.push(listed("late", "n_01", "Good day to you.", "PENDING")));
        }
        Reply::Done
    });
    let resumed = core.template_files.resume_import(id).await.unwrap();
    assert_eq!(resumed.state, RunState::Done);
    assert_eq!(states(&resumed.outcomes), FILES.map(|file| (file, ImportState::Done)));
    assert_eq!(names(&provider), ["n_01", "n_02", "n_02", "n_03"]);
    harness.close().await;
}

/// A list that was requested 16 minutes ago, and cannot be refreshed.
#[tokio::test]
async fn an_import_planned_from_an_old_list_says_so() {
    let harness = Harness::start().await;
    let provider = Provider::start(vec![listed("there", "n_02", "Hello there.", "APPROVED")]).await;
    let workspace = connected(&harness.core, &provider).await;
    let folder = folder_of(&harness, &FILES[..2]);
    let cache = rusqlite::Connection::open(harness.folder.path().join("desk/cache.sqlite")).unwrap();
    cache.busy_timeout(std::time::Duration::from_secs(30)).unwrap();
    assert_eq!(cache.execute("UPDATE listing SET asked_at = asked_at - 16 * 60 * 1000", ()).unwrap(), 1);
    drop(cache);
    let core = harness.core.clone();
    // Created elsewhere in the meantime.
    provider.change(|templates| templates.push(listed("new", "n_01", "Good day to you.", "APPROVED")));
    provider.fail_listings(true);
    let plan = planned(&core, &workspace, &folder, &[WABA]).await;
    assert_eq!(actions(&plan), [(FILES[0], ImportAction::Create), (FILES[1], ImportAction::Edit)]);
    assert!(plan.outdated_list.as_ref().unwrap().listed_at.is_some());
    assert_eq!((&*plan.steps[0].doubts, &*plan.steps[1].doubts), (&[ImportDoubt::OutdatedList][..], &[][..]));
    let outcomes = pushed(&core, &plan, &FILES[..1]).await;
    assert_eq!(states(&outcomes), [(FILES[0], ImportState::Skipped)]);
    assert!(matches!(&outcomes[0].error, Some(DeskError::Conflict { message, .. }) if message.contains("may exist")));
    assert_eq!(provider.requests().len(), 0);
    provider.fail_listings(false);
    let plan = planned(&core, &workspace, &folder, &[WABA]).await;
    assert_eq!((plan.outdated_list, plan.steps[0].action), (None, ImportAction::Unchanged));
    harness.close().await;
}

/// With a file, each WABA has its own request, and a limit may stop the second one.
#[tokio::test]
async fn a_partly_created_template_says_where_and_the_import_waits() {
    const OTHER: &str = "200000000000002";
    let mut harness = Harness::start().await;
    let core = harness.core.clone();
    let provider = Provider::start(Vec::new()).await;
    let workspace = connected(&core, &provider).await;
    let folder = folder_of(&harness, &["b.json"]);
    let mut with_file = template("a", "Good day to you.");
    let header = json!({"type": "HEADER", "format": "IMAGE", "example": {"header_handle": ["UPLOAD_PENDING"]}});
    with_file["components"].as_array_mut().unwrap().insert(0, header);
    write(&folder, "a.json", &with_file);
    std::fs::rename(picture(&folder), folder.join("a.header.png")).unwrap();
    let plan = planned(&core, &workspace, &folder, &[WABA, OTHER]).await;
    assert_eq!(plan.steps[0].action, ImportAction::Create, "{plan:?}");
    provider.answers(|before| if before == 1 { Reply::LimitedForSeconds } else { Reply::Done });
    let run = {
        let (core, id) = (core.clone(), plan.id.clone());
        let files = vec!["a.json".to_owned(), "b.json".to_owned()];
        tokio::spawn(async move {
            core.template_files.run_import(RunImport { id, files, overrides: Vec::new() }).await.unwrap()
        })
    };
    harness
        .event(|event| match event {
            DeskEvent::ImportProgress { id, waiting_until: Some(_), .. } if *id == plan.id => Some(()),
            _ => None,
        })
        .await;
    assert_eq!(provider.requests().len(), 2, "the next file waits");
    let listings = provider.listings();
    core.template_files.cancel_import(ImportId { id: plan.id.clone() }).await.unwrap();
    let import = run.await.unwrap();
    assert_eq!(provider.requests().len(), 2);
    assert_eq!(states(&import.outcomes), [("a.json", ImportState::Failed), ("b.json", ImportState::Cancelled)]);
    let partial = &import.outcomes[0];
    assert!(matches!(partial.error, Some(DeskError::RateLimited { retry_after: Some(20), .. })), "{partial:?}");
    assert_eq!((partial.is_partial, import.resumable), (true, 1), "only the other file is sent again");
    assert_eq!((&*partial.accepted_wabas, &*partial.open_wabas), (&[WABA.to_owned()][..], &[OTHER.to_owned()][..]));

    // The rest is planned after a new listing; the end of the import may have fetched one too.
    let request = PlanImport {
        workspace,
        folder: folder.display().to_string(),
        wabas: [WABA, OTHER].map(str::to_owned).to_vec(),
    };
    let plan = core.template_files.plan_import(request).await.unwrap();
    assert!(provider.listings() > listings);
    assert_eq!((plan.steps[0].action, &*plan.steps[0].wabas), (ImportAction::Create, &[OTHER.to_owned()][..]));
    assert_eq!(pushed(&core, &plan, &["a.json"]).await[0].state, ImportState::Done);
    let last = String::from_utf8_lossy(&provider.requests()[2].body).into_owned();
    assert!(last.contains(&format!("name=\"waba_ids\"\r\n\r\n{OTHER}\r\n")), "{last}");
    harness.close().await;
}
