//! The desk: data that people created here stays unchanged.

use store::desk::{
    Answer, CallState, Draft, Observation, OutcomeReport, ReadMark, RecentFile, Reply, SendFilter, SendKind,
    SendOutcome, SendRecord, Submission, SubmissionKind, TemplateEvent, Version, VersionOrigin, Workspace,
};
use store::{Desk, StoreError};

fn workspace(id: &str, position: i64) -> Workspace {
    Workspace { id: id.to_owned(), position, settings: r#"{"name":"A"}"#.to_owned(), created_at: 1, updated_at: 1 }
}

fn draft(id: &str, updated_at: i64) -> Draft {
    Draft {
        id: id.to_owned(),
        workspace_id: "w".to_owned(),
        name: String::new(),
        language: "pt_BR".to_owned(),
        document: r#"{"b":1,"a":2}"#.to_owned(),
        template_ref: None,
        created_at: 1,
        updated_at,
    }
}

fn submission(id: &str) -> Submission {
    Submission {
        id: id.to_owned(),
        workspace_id: "w".to_owned(),
        draft_id: Some("d".to_owned()),
        template_ref: None,
        waba: "10".to_owned(),
        kind: SubmissionKind::Create,
        request: "{}".to_owned(),
        state: CallState::Recorded,
        response_status: None,
        response_body: None,
        error: None,
        created_at: 5,
        answered_at: None,
        status_before: Some("APPROVED".to_owned()),
        files: Some("{\"header\":null,\"cards\":[]}".to_owned()),
    }
}

fn send(id: &str, created_at: i64) -> SendRecord {
    SendRecord {
        id: id.to_owned(),
        workspace_id: "w".to_owned(),
        number: "1".to_owned(),
        recipient: format!("55{}", created_at % 2),
        template_name: "promo".to_owned(),
        language: "pt_BR".to_owned(),
        template_ref: Some("r".to_owned()),
        payload: "{\"to\" : \"55\"}".to_owned(),
        tracking_id: Some(format!("td-{id}")),
        created_at,
        ..SendRecord::default()
    }
}

fn accepted(at: i64) -> Answer {
    Answer { state: CallState::Accepted, status: Some(200), body: Some("not JSON".to_owned()), error: None, at }
}

fn report(message: &str, tracking: Option<&str>, status: &str, at: i64) -> OutcomeReport {
    OutcomeReport {
        workspace_id: "w".to_owned(),
        message_id: message.to_owned(),
        tracking_id: tracking.map(str::to_owned),
        outcome: SendOutcome { status: status.to_owned(), at, seq: at, received_at: Some(0), ..SendOutcome::default() },
        ..OutcomeReport::default()
    }
}

async fn desk(dir: &tempfile::TempDir) -> Desk {
    let desk = Desk::open(&dir.path().join("desk.sqlite")).unwrap();
    desk.upsert_workspace(workspace("w", 0)).await.unwrap();
    desk
}

#[tokio::test(flavor = "multi_thread")]
async fn workspaces_settings_and_drafts_are_stored() {
    let dir = tempfile::tempdir().unwrap();
    let desk = desk(&dir).await;
    desk.upsert_workspace(workspace("v", -1)).await.unwrap();
    assert_eq!(desk.workspaces().await.unwrap(), [workspace("v", -1), workspace("w", 0)]);
    let changed = Workspace { position: 5, created_at: 99, updated_at: 2, ..workspace("v", 0) };
    desk.upsert_workspace(changed).await.unwrap();
    let found = desk.workspace("v").await.unwrap().unwrap();
    assert_eq!((found.position, found.created_at, found.updated_at), (5, 1, 2), "created_at does not change");
    let broken = Workspace { settings: "{".to_owned(), ..workspace("x", 0) };
    assert!(matches!(desk.upsert_workspace(broken).await, Err(StoreError::Sqlite(_))));

    assert_eq!(desk.setting("theme").await.unwrap(), None);
    desk.set_setting("theme", "\"dark\"".to_owned()).await.unwrap();
    desk.set_setting("theme", "\"light\"".to_owned()).await.unwrap();
    assert_eq!(desk.setting("theme").await.unwrap().as_deref(), Some("\"light\""));

    desk.upsert_draft(draft("d1", 10)).await.unwrap();
    desk.upsert_draft(draft("d2", 20)).await.unwrap();
    desk.upsert_draft(Draft { name: "promo".to_owned(), created_at: 7, ..draft("d1", 30) }).await.unwrap();
    let drafts = desk.drafts("w").await.unwrap();
    assert_eq!(drafts.iter().map(|draft| draft.id.as_str()).collect::<Vec<_>>(), ["d1", "d2"]);
    assert_eq!((drafts[0].name.as_str(), drafts[0].created_at), ("promo", 1));
    assert_eq!(desk.draft("d2").await.unwrap().unwrap().document, r#"{"b":1,"a":2}"#, "text as it was");
    assert!(desk.upsert_draft(Draft { workspace_id: "nowhere".to_owned(), ..draft("d3", 1) }).await.is_err());
    assert!(desk.delete_draft("d2").await.unwrap());
    assert!(!desk.delete_draft("d2").await.unwrap());
    assert_eq!(desk.draft("d2").await.unwrap(), None);
}

#[tokio::test(flavor = "multi_thread")]
async fn submissions_remain_when_their_draft_is_deleted() {
    let dir = tempfile::tempdir().unwrap();
    let desk = desk(&dir).await;
    desk.upsert_draft(draft("d", 1)).await.unwrap();
    desk.record_submission(submission("s1")).await.unwrap();
    desk.record_submission(Submission { created_at: 6, waba: "11".to_owned(), ..submission("s2") }).await.unwrap();
    assert!(desk.record_submission(submission("s1")).await.is_err(), "never twice");
    assert!(desk.finish_submission("s1", accepted(9), Some("ref".to_owned())).await.unwrap());
    assert!(!desk.finish_submission("none", accepted(9), None).await.unwrap());
    let done = desk.submission("s1").await.unwrap().unwrap();
    assert_eq!((done.state, done.response_status, done.answered_at), (CallState::Accepted, Some(200), Some(9)));
    assert_eq!(desk.submissions_of_template("w", "ref", 10).await.unwrap(), std::slice::from_ref(&done));
    assert_eq!(desk.submissions_of_draft("d").await.unwrap().len(), 2);
    desk.delete_draft("d").await.unwrap();
    let remaining = desk.submissions("w", 10).await.unwrap();
    assert_eq!(remaining.iter().map(|submission| submission.id.as_str()).collect::<Vec<_>>(), ["s2", "s1"]);
    assert_eq!(remaining[1].draft_id, None);
    assert_eq!(desk.submissions("w", 1).await.unwrap().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn recent_files_are_listed_newest_first_and_the_oldest_are_deleted() {
    let dir = tempfile::tempdir().unwrap();
    let desk = desk(&dir).await;
    let file = |number: i64, used_at| RecentFile {
        path: format!("/pictures/{number}.png"),
        mime: "image/png".to_owned(),
        used_at,
    };
    for number in 0..250 {
        desk.record_file(file(number, number)).await.unwrap();
    }
    desk.record_file(RecentFile { mime: "image/jpeg".to_owned(), ..file(100, 900) }).await.unwrap();
    desk.record_file(file(101, 1)).await.unwrap();
    let known = desk.recent_files().await.unwrap();
    assert_eq!(known.len(), 200);
    let paths: Vec<_> = known.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(paths[..3], ["/pictures/101.png", "/pictures/100.png", "/pictures/249.png"], "the clock may go back");
    assert_eq!(paths[199], "/pictures/50.png");
    assert_eq!((known[0].used_at, known[1].used_at, known[1].mime.as_str()), (901, 900, "image/jpeg"));
}

#[tokio::test(flavor = "multi_thread")]
async fn unfinished_calls_are_unknown_after_a_crash() {
    let dir = tempfile::tempdir().unwrap();
    let desk = desk(&dir).await;
    assert_eq!(desk.interrupted(), &store::desk::Interrupted::default());
    desk.upsert_draft(draft("d", 1)).await.unwrap();
    for id in ["s1", "s2"] {
        desk.record_send(send(id, 1)).await.unwrap();
        desk.record_submission(submission(id)).await.unwrap();
    }
    desk.finish_send("s1", accepted(2), Some("m1".to_owned())).await.unwrap();
    desk.finish_submission("s1", accepted(2), None).await.unwrap();
    drop(desk);
    let desk = Desk::open(&dir.path().join("desk.sqlite")).unwrap();
    assert_eq!(desk.interrupted().sends, ["s2"]);
    assert_eq!(desk.interrupted().submissions, ["s2"]);
    assert_eq!(desk.send("s2").await.unwrap().unwrap().state, CallState::Unknown);
    assert_eq!(desk.send("s1").await.unwrap().unwrap().state, CallState::Accepted);
    assert_eq!(desk.submission("s2").await.unwrap().unwrap().state, CallState::Unknown);
    // A later report resolves it.
    desk.store_outcomes(vec![report("m2", Some("td-s2"), "delivered", 7)]).await.unwrap();
    let found = desk.send("s2").await.unwrap().unwrap();
    assert_eq!((found.message_id.as_deref(), found.status.as_deref()), (Some("m2"), Some("delivered")));
    drop(desk);
    let desk = Desk::open(&dir.path().join("desk.sqlite")).unwrap();
    assert_eq!(desk.interrupted(), &store::desk::Interrupted::default(), "reported once");
}

#[tokio::test(flavor = "multi_thread")]
async fn statuses_match_sends_by_tracking_id_or_message_id() {
    let dir = tempfile::tempdir().unwrap();
    let desk = desk(&dir).await;
    let untracked = |id: &str| SendRecord { tracking_id: None, ..send(id, 1) };
    desk.record_send(send("a", 1)).await.unwrap();
    desk.record_send(untracked("b")).await.unwrap();
    desk.record_send(untracked("c")).await.unwrap();
    assert!(desk.record_send(SendRecord { id: "z".to_owned(), ..send("a", 1) }).await.is_err(), "one tracking id each");
    desk.finish_send("b", accepted(2), Some("mb".to_owned())).await.unwrap();
    let reports = vec![
        report("ma", Some("td-a"), "read", 30),
        report("ma", Some("td-a"), "sent", 10),
        report("ma", None, "delivered", 20),
        report("mb", Some("someone's"), "failed", 15),
        report("mx", Some("td-x"), "sent", 15),
        report("mx", None, "sent", 15),
    ];
    assert_eq!(desk.store_outcomes(reports.clone()).await.unwrap(), ["a", "b"]);
    assert!(desk.store_outcomes(reports).await.unwrap().is_empty(), "kept once");
    let a = desk.send("a").await.unwrap().unwrap();
    assert_eq!((a.status.as_deref(), a.status_at, a.message_id.as_deref()), (Some("read"), Some(30), Some("ma")));
    assert_eq!(a.state, CallState::Recorded, "the state of the call does not change");
    assert_eq!(a.payload, "{\"to\" : \"55\"}", "exactly as sent");
    let outcomes = desk.outcomes("a").await.unwrap();
    assert_eq!(outcomes.iter().map(|o| o.status.as_str()).collect::<Vec<_>>(), ["sent", "delivered", "read"]);
    assert_eq!(desk.send("c").await.unwrap().unwrap().status, None);
    assert_eq!(desk.send_of("w", "mb", None).await.unwrap().unwrap().id, "b");
    assert_eq!(desk.send_of("w", "unheard", Some("td-a")).await.unwrap().unwrap().id, "a");
    assert_eq!(desk.send_of("w", "unheard", None).await.unwrap(), None);
}

/// However many edits followed.
#[tokio::test(flavor = "multi_thread")]
async fn the_last_created_template_is_found() {
    let dir = tempfile::tempdir().unwrap();
    let desk = desk(&dir).await;
    let created = |id: &str, draft: &str, waba: &str, created_at| Submission {
        draft_id: Some(draft.to_owned()),
        waba: waba.to_owned(),
        created_at,
        ..submission(id)
    };
    for submission in [
        created("s1", "d1", "10", 1),
        created("s2", "d2", "10", 2),
        created("s3", "d2", "20", 3),
        created("s4", "d3", "30", 4),
        Submission { kind: SubmissionKind::Edit, ..created("s5", "d4", "10", 5) },
    ] {
        let id = submission.draft_id.clone().unwrap();
        desk.upsert_draft(draft(&id, 1)).await.unwrap();
        desk.record_submission(submission).await.unwrap();
    }
    let wabas = async |known: &[&str]| {
        let known: Vec<String> = known.iter().map(|waba| (*waba).to_owned()).collect();
        let found = desk.last_creation("w", &known).await.unwrap();
        let mut wabas: Vec<String> = found.into_iter().map(|submission| submission.waba).collect();
        wabas.sort();
        wabas
    };
    assert_eq!(wabas(&["10", "20", "30"]).await, ["30"]);
    assert_eq!(wabas(&["10", "20"]).await, ["10", "20"], "of one draft");
    assert_eq!(wabas(&["40"]).await, [""; 0]);
}

/// Two workspaces of one provider may receive the same identifiers, by chance or because a payload was sent from both.
#[tokio::test(flavor = "multi_thread")]
async fn statuses_and_replies_update_only_sends_of_their_workspace() {
    let dir = tempfile::tempdir().unwrap();
    let desk = desk(&dir).await;
    desk.upsert_workspace(workspace("v", 1)).await.unwrap();
    desk.record_send(send("ours", 1)).await.unwrap();
    desk.finish_send("ours", accepted(2), Some("m".to_owned())).await.unwrap();
    desk.record_send(send("tracked", 1)).await.unwrap();
    let foreign = |message: &str, tracking: Option<&str>| OutcomeReport {
        workspace_id: "v".to_owned(),
        ..report(message, tracking, "failed", 5)
    };
    let reports = vec![foreign("m", None), foreign("m", Some("td-ours")), foreign("new", Some("td-tracked"))];
    assert!(desk.store_outcomes(reports).await.unwrap().is_empty(), "by message and by tracking identifier");
    let reply = |workspace: &str| Reply {
        workspace_id: workspace.to_owned(),
        message_id: "m".to_owned(),
        at: 6,
        is_tap: false,
    };
    assert!(desk.store_replies(vec![reply("v")]).await.unwrap().is_empty());
    assert_eq!(desk.send_of("v", "m", Some("td-ours")).await.unwrap(), None);
    for id in ["ours", "tracked"] {
        let send = desk.send(id).await.unwrap().unwrap();
        assert_eq!((send.status, send.replied_at), (None, None), "{id}");
    }
    assert_eq!(desk.store_outcomes(vec![report("m", None, "read", 5)]).await.unwrap(), ["ours"]);
    assert_eq!(desk.store_replies(vec![reply("w")]).await.unwrap(), ["ours"]);
}

/// Callback data may be sent again unchanged, with the identifier of the earlier send in it.
#[tokio::test(flavor = "multi_thread")]
async fn a_message_id_takes_precedence_over_the_tracking_id() {
    let dir = tempfile::tempdir().unwrap();
    let desk = desk(&dir).await;
    desk.record_send(send("first", 1)).await.unwrap();
    desk.record_send(SendRecord { tracking_id: None, ..send("second", 2) }).await.unwrap();
    for (id, message) in [("first", "m1"), ("second", "m2")] {
        desk.finish_send(id, accepted(3), Some(message.to_owned())).await.unwrap();
    }
    assert_eq!(desk.store_outcomes(vec![report("m2", Some("td-first"), "read", 4)]).await.unwrap(), ["second"]);
    assert_eq!(desk.send("first").await.unwrap().unwrap().status, None);
    // If the response had another message id, only the tracking id matches.
    assert_eq!(desk.store_outcomes(vec![report("unheard", Some("td-first"), "sent", 5)]).await.unwrap(), ["first"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_repeated_status_adds_fields_and_removes_none() {
    let dir = tempfile::tempdir().unwrap();
    let desk = desk(&dir).await;
    desk.record_send(send("a", 1)).await.unwrap();
    let bare = report("ma", Some("td-a"), "sent", 10);
    let again = |outcome| OutcomeReport { outcome, ..bare.clone() };
    let priced = again(SendOutcome {
        seq: 40,
        received_at: Some(41),
        pricing: Some("{\"billable\":true}".to_owned()),
        callback_data: Some("x".to_owned()),
        ..bare.outcome.clone()
    });
    let other = again(SendOutcome {
        seq: 50,
        pricing: Some("{}".to_owned()),
        conversation: Some("{}".to_owned()),
        ..bare.outcome.clone()
    });
    for (report, grew) in
        [(&bare, true), (&bare, false), (&priced, true), (&other, true), (&priced, false), (&bare, false)]
    {
        assert_eq!(!desk.store_outcomes(vec![report.clone()]).await.unwrap().is_empty(), grew, "{report:?}");
    }
    let outcomes = desk.outcomes("a").await.unwrap();
    assert_eq!(outcomes.len(), 1);
    let kept = &outcomes[0];
    assert_eq!((kept.seq, kept.received_at), (10, Some(0)), "its first delivery");
    assert_eq!(kept.pricing.as_deref(), Some("{\"billable\":true}"));
    assert_eq!((kept.conversation.as_deref(), kept.callback_data.as_deref()), (Some("{}"), Some("x")));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_batch_row_is_sent_once_unless_it_was_refused() {
    let dir = tempfile::tempdir().unwrap();
    let desk = desk(&dir).await;
    let of_row = |id: &str, row| SendRecord {
        batch: Some(("b".to_owned(), row)),
        kind: SendKind::Text,
        request: Some("{\"text\":\"Oi\"}".to_owned()),
        url: Some("http://provider/send".to_owned()),
        ..send(id, 1)
    };
    desk.record_send(of_row("first", 1)).await.unwrap();
    assert_eq!(desk.send("first").await.unwrap(), Some(of_row("first", 1)), "stored completely");
    desk.record_send(of_row("other", 2)).await.unwrap();
    assert!(desk.record_send(of_row("twice", 1)).await.is_err(), "in flight");
    let refused = Answer { state: CallState::Refused, ..accepted(2) };
    desk.finish_send("first", refused, None).await.unwrap();
    desk.record_send(of_row("again", 1)).await.unwrap();
    for state in [CallState::Accepted, CallState::Unknown] {
        desk.finish_send("again", Answer { state, ..accepted(3) }, None).await.unwrap();
        assert!(desk.record_send(of_row("thrice", 1)).await.is_err(), "{state:?}");
    }
    let filter =
        SendFilter { workspace_id: "w".to_owned(), batch: Some("b".to_owned()), limit: 9, ..SendFilter::default() };
    let ids: Vec<_> = desk.sends(filter).await.unwrap().rows.into_iter().map(|send| send.id).collect();
    assert_eq!(ids, ["other", "again"], "without the attempt that was repeated");
}

#[tokio::test(flavor = "multi_thread")]
async fn sends_are_paged_newest_first() {
    let dir = tempfile::tempdir().unwrap();
    let desk = desk(&dir).await;
    for number in 0..25 {
        // Several with one instant.
        desk.record_send(send(&format!("s{number:02}"), number / 3)).await.unwrap();
    }
    desk.finish_send("s03", accepted(1), None).await.unwrap();
    let ids = async |filter: SendFilter| {
        let mut filter = SendFilter { workspace_id: "w".to_owned(), limit: 4, ..filter };
        let mut ids = Vec::new();
        loop {
            let page = desk.sends(filter.clone()).await.unwrap();
            assert!(page.rows.len() <= 4);
            ids.extend(page.rows.into_iter().map(|send| send.id));
            let Some(next) = page.next else { return ids };
            filter.before = Some(next);
        }
    };
    let mut expected: Vec<_> = (0..25).map(|number| format!("s{number:02}")).collect();
    expected.reverse();
    assert_eq!(ids(SendFilter::default()).await, expected);
    let filter = SendFilter { state: Some("accepted".into()), ..SendFilter::default() };
    assert_eq!(ids(filter).await, ["s03"]);
    let filter = SendFilter { recipients: vec!["551".to_owned()], ..SendFilter::default() };
    assert_eq!(ids(filter).await.len(), 12);
    let filter = SendFilter { recipients: vec!["none".to_owned(), "551".to_owned()], ..SendFilter::default() };
    assert_eq!(ids(filter).await.len(), 12);
    let filter = SendFilter { template_ref: Some("r".to_owned()), ..SendFilter::default() };
    assert_eq!(ids(filter).await.len(), 25);
    let filter = SendFilter { template_name: Some("other".to_owned()), ..SendFilter::default() };
    assert!(ids(filter).await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn history_is_stored_once_and_listed_newest_first() {
    let dir = tempfile::tempdir().unwrap();
    let desk = desk(&dir).await;
    let version = |id: &str, at| Version {
        id: id.to_owned(),
        workspace_id: "w".to_owned(),
        template_ref: "r".to_owned(),
        at,
        origin: VersionOrigin::Submitted,
        document: "{}".to_owned(),
    };
    desk.add_version(version("1", 1)).await.unwrap();
    desk.add_version(version("2", 2)).await.unwrap();
    assert_eq!(desk.versions("w", "r").await.unwrap(), [version("2", 2), version("1", 1)]);

    let event = |key: &str, at, channel: Option<&str>, name: &str| TemplateEvent {
        workspace_id: "w".to_owned(),
        key: key.to_owned(),
        template_name: name.to_owned(),
        language: "pt_BR".to_owned(),
        channel_id: channel.map(str::to_owned),
        waba: None,
        at,
        event: "APPROVED".to_owned(),
        reason: None,
        value: "{}".to_owned(),
    };
    let events = vec![event("a", 1, Some("7"), "promo"), event("b", 2, None, "promo"), event("c", 3, Some("7"), "")];
    assert_eq!(desk.store_template_events(events.clone()).await.unwrap(), 3);
    assert_eq!(desk.store_template_events(events).await.unwrap(), 0);
    let keys = async |channel| {
        let found = desk.template_events("w", "promo", "pt_BR", channel, 10).await.unwrap();
        found.into_iter().map(|event| event.key).collect::<Vec<_>>()
    };
    assert_eq!(keys(None).await, ["b", "a"]);
    assert_eq!(keys(Some("7")).await, ["c", "b", "a"]);

    let seen = |at, reference: &str| Observation {
        since: Some(at - 1),
        workspace_id: "w".to_owned(),
        template_ref: reference.to_owned(),
        at,
        field: "status".to_owned(),
        waba: Some("10".to_owned()),
        before: None,
        after: Some("APPROVED".to_owned()),
    };
    desk.store_observations(vec![seen(1, "r"), seen(2, "q"), seen(3, "r")], Vec::new()).await.unwrap();
    assert_eq!(desk.observations_of("w", "r", 10).await.unwrap(), [seen(3, "r"), seen(1, "r")]);
    assert_eq!(desk.observations("w", 2).await.unwrap(), [seen(3, "r"), seen(2, "q")]);

    let mark = |item_id| ReadMark { workspace_id: "w".to_owned(), contact: "55".to_owned(), item_id };
    desk.advance_read_marks(vec![mark(5)]).await.unwrap();
    desk.advance_read_marks(vec![mark(3)]).await.unwrap();
    assert_eq!(desk.read_marks().await.unwrap(), [mark(5)]);
}

#[tokio::test(flavor = "multi_thread")]
async fn deleting_a_workspace_deletes_everything_in_it() {
    let dir = tempfile::tempdir().unwrap();
    let desk = desk(&dir).await;
    desk.upsert_draft(draft("d", 1)).await.unwrap();
    desk.record_submission(submission("s")).await.unwrap();
    desk.record_send(send("s", 1)).await.unwrap();
    desk.store_outcomes(vec![report("m", Some("td-s"), "sent", 1)]).await.unwrap();
    let mark = ReadMark { workspace_id: "w".to_owned(), contact: "55".to_owned(), item_id: 1 };
    desk.advance_read_marks(vec![mark]).await.unwrap();
    assert!(desk.delete_workspace("w").await.unwrap());
    assert!(!desk.delete_workspace("w").await.unwrap());
    drop(desk);
    let raw = rusqlite::Connection::open(dir.path().join("desk.sqlite")).unwrap();
    let tables: Vec<String> = raw
        .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
        .unwrap()
        .query_map([], |row| row.get(0))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    assert!(tables.len() > 8);
    for table in tables {
        let rows: i64 = raw.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0)).unwrap();
        assert_eq!(rows, 0, "{table}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_write_completes_when_its_caller_is_dropped() {
    let dir = tempfile::tempdir().unwrap();
    let desk = desk(&dir).await;
    // Polled once, then dropped.
    let mut write = Box::pin(desk.set_setting("k", "1".to_owned()));
    let _ = write.as_mut().poll(&mut std::task::Context::from_waker(std::task::Waker::noop()));
    drop(write);
    drop(desk);
    let desk = Desk::open(&dir.path().join("desk.sqlite")).unwrap();
    assert_eq!(desk.setting("k").await.unwrap().as_deref(), Some("1"));
}
