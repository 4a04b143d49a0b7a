//! Newer versions, announced and offered by a local server.

mod company;
mod installing;

use command_types::Nothing;
use command_types::error::DeskError;
use command_types::updates::{Announcement, Installation, UpdateProblem, UpdateSettings, UpdateState};
use serde_json::json;

use self::company::{Company, ScriptedInstaller, system};
use super::harness::Harness;
use super::webhooks::{Recorder, wait_until};

async fn state(harness: &Harness) -> UpdateState {
    harness.core.updates.get_updates(Nothing {}).await.unwrap()
}

async fn check(harness: &Harness) -> UpdateState {
    harness.core.updates.check_for_updates(Nothing {}).await.unwrap()
}

#[tokio::test]
async fn nothing_is_requested_until_it_is_switched_on() {
    let harness = Harness::start().await;
    let server = Recorder::start().await;
    let off = state(&harness).await;
    assert_eq!((off.settings.clone(), off.checked_at), (UpdateSettings::default(), None));
    let settings = UpdateSettings { enabled: false, ..Company::new(1).settings(&server) };
    let saved = harness.core.updates.save_update_settings(settings.clone()).await.unwrap();
    assert_eq!(saved.settings, settings);
    assert_eq!(check(&harness).await.checked_at, None);
    assert_eq!(server.requests().len(), 0);
    harness.close().await;
}

#[tokio::test]
async fn a_newer_signed_version_is_announced_by_one_request_a_day_that_identifies_nobody() {
    let harness = Harness::start().await;
    let (server, company) = (Recorder::start().await, Company::new(1));
    let mut announcement = company.announce("99.0.0", &server);
    announcement["notes"] = "Faster lists.\nNew reports.".into();
    server.answer_json("", "200 OK", &announcement);
    let saved = harness.core.updates.save_update_settings(company.settings(&server)).await.unwrap();
    let announced =
        Announcement { version: "99.0.0".to_owned(), notes: "Faster lists.\nNew reports.".to_owned(), page: None };
    assert_eq!((saved.available.as_ref(), saved.problem.as_ref()), (Some(&announced), None));

    let requests = server.requests();
    assert_eq!(requests[0].head[0], "GET /hook?x=1 HTTP/1.1");
    assert!(requests[0].body.is_empty());
    let mut names: Vec<_> =
        requests[0].head.iter().skip(1).map(|line| line.split(':').next().unwrap().to_lowercase()).collect();
    names.sort();
    assert_eq!(names, ["accept", "host"], "nothing tells who asks");

    // A restart on the same day requests nothing more; the announcement is still known.
    let folder = harness.close().await;
    let harness = Harness::start_in(folder).await;
    assert_eq!(state(&harness).await.available, Some(announced));
    let folder = harness.close().await;
    assert_eq!(server.requests().len(), 1);

    // A day later, it is requested again.
    let desk = rusqlite::Connection::open(folder.path().join("desk/desk.sqlite")).unwrap();
    let stored: String =
        desk.query_row("SELECT value FROM setting WHERE key = 'updates'", [], |row| row.get(0)).unwrap();
    let mut stored: serde_json::Value = serde_json::from_str(&stored).unwrap();
    let yesterday = stored["checkedAt"].as_i64().unwrap() - 24 * 60 * 60 * 1_000;
    stored["checkedAt"] = yesterday.into();
    desk.execute("UPDATE setting SET value = ?1 WHERE key = 'updates'", [stored.to_string()]).unwrap();
    drop(desk);
    let harness = Harness::start_in(folder).await;
    wait_until("it is requested again", async || server.requests().len() == 2).await;
    harness.close().await;
}

#[tokio::test]
async fn this_version_is_no_news() {
    let harness = Harness::start().await;
    let (server, company) = (Recorder::start().await, Company::new(1));
    server.answer_json("", "200 OK", &company.announce(env!("CARGO_PKG_VERSION"), &server));
    let saved = harness.core.updates.save_update_settings(company.settings(&server)).await.unwrap();
    assert_eq!((saved.available, saved.problem), (None, None));
    harness.close().await;
}

#[tokio::test]
async fn a_version_counts_only_if_a_file_is_signed_for_it() {
    let installer = ScriptedInstaller::of(Installation::WindowsInstaller);
    let harness = Harness::start_with_installer(tempfile::TempDir::new().unwrap(), installer).await;
    let (server, company) = (Recorder::start().await, Company::new(1));
    let good = company.announce("99.0.0", &server);
    let changed = |path: &str, value: serde_json::Value| {
        let mut announcement = good.clone();
        *announcement.pointer_mut(path).unwrap() = value;
        announcement
    };
    let signature = format!("/platforms/{}/signature", system());
    let (wrong, malformed) = (UpdateProblem::WrongSignature {}, UpdateProblem::Malformed {});
    server.answer_json("", "200 OK", &Company::new(2).announce("99.0.0", &server));
    harness.core.updates.save_update_settings(company.settings(&server)).await.unwrap();
    assert_eq!(state(&harness).await.problem, Some(wrong.clone()));
    for (announcement, problem) in [
        // An old file announced as a newer one.
        (changed("/version", json!("99.0.1")), wrong.clone()),
        (changed(&signature, json!("")), wrong.clone()),
        (changed(&signature, json!("no Base64")), wrong.clone()),
        (changed(&signature, json!(company.sign(b"the file", "timestamp:1"))), UpdateProblem::NoSignedVersion {}),
        (changed("/version", json!("99.0")), malformed.clone()),
        (changed("/platforms", json!(null)), malformed.clone()),
        (changed("/platforms", json!({})), UpdateProblem::NoFile { system: system() }),
        (
            changed("/platforms", json!({ "plan9-x86_64": good["platforms"][system()] })),
            UpdateProblem::NoFile { system: system() },
        ),
        (json!([]), malformed),
    ] {
        server.answer_json("", "200 OK", &announcement);
        let checked = check(&harness).await;
        assert_eq!((checked.available, checked.problem), (None, Some(problem)), "{announcement}");
    }
    server.answer_json("", "200 OK", &good);
    let checked = check(&harness).await;
    assert_eq!((checked.available.map(|found| found.version), checked.problem), (Some("99.0.0".to_owned()), None));
    harness.close().await;
}

/// Who installs packages sees versions that have no file for this system.
#[tokio::test]
async fn a_copy_that_does_not_replace_itself_hears_of_every_signed_version_and_its_page() {
    let installer = ScriptedInstaller::of(Installation::DebPackage);
    let harness = Harness::start_with_installer(tempfile::TempDir::new().unwrap(), installer.clone()).await;
    let (server, company) = (Recorder::start().await, Company::new(1));
    let mut announcement = company.announce("99.0.0", &server);
    announcement["platforms"] = json!({ "windows-x86_64": announcement["platforms"][system()] });
    // The announcement is not signed, so only its own host counts, and only over https.
    for page in ["https://evil.example/", "http://127.0.0.1/", "file:///etc/passwd", "https://127.0.0.1/\n"] {
        announcement["page"] = page.into();
        server.answer_json("", "200 OK", &announcement);
        harness.core.updates.save_update_settings(company.settings(&server)).await.unwrap();
        let available = check(&harness).await.available.unwrap();
        assert_eq!((available.version.as_str(), available.page), ("99.0.0", None), "{page}");
    }
    announcement["page"] = "https://127.0.0.1/desk".into();
    server.answer_json("", "200 OK", &announcement);
    let checked = check(&harness).await;
    assert_eq!(checked.available.unwrap().page.unwrap(), "https://127.0.0.1/desk");

    let refused = harness.core.updates.install_update(Nothing {}).await;
    assert!(matches!(refused, Err(DeskError::Conflict { .. })), "{refused:?}");
    assert_eq!(installer.installed().len(), 0);
    harness.close().await;
}

#[tokio::test]
async fn a_downgrade_is_rejected_and_the_newest_version_stays_announced() {
    let harness = Harness::start().await;
    let (server, company) = (Recorder::start().await, Company::new(1));
    server.answer_json("", "200 OK", &company.announce("0.0.1", &server));
    let saved = harness.core.updates.save_update_settings(company.settings(&server)).await.unwrap();
    let downgrade = |version: &str| Some(UpdateProblem::Downgrade { version: version.to_owned() });
    assert_eq!((saved.available, saved.problem), (None, downgrade("0.0.1")), "older than the app");

    server.answer_json("", "200 OK", &company.announce("99.0.1", &server));
    check(&harness).await;
    // An announcement of before, with its valid signature.
    server.answer_json("", "200 OK", &company.announce("99.0.0", &server));
    let checked = check(&harness).await;
    assert_eq!(checked.problem, downgrade("99.0.0"));
    assert_eq!(checked.available.unwrap().version, "99.0.1");

    // Another key starts again.
    let other = Company::new(2);
    server.answer_json("", "200 OK", &other.announce("99.0.0", &server));
    let saved = harness.core.updates.save_update_settings(other.settings(&server)).await.unwrap();
    assert_eq!((saved.available.map(|found| found.version), saved.problem), (Some("99.0.0".to_owned()), None));
    harness.close().await;
}

#[tokio::test]
async fn cut_large_moved_and_missing_answers_are_named() {
    let harness = Harness::start().await;
    let (server, company) = (Recorder::start().await, Company::new(1));
    let announcement = company.announce("99.0.0", &server);
    let good = announcement.to_string();
    let limit = 64 * 1024;
    let mut large = announcement.clone();
    large["notes"] = "x".repeat(limit).into();
    harness.core.updates.save_update_settings(company.settings(&server)).await.unwrap();

    // Cut by the server, which announced more; the connection is closed.
    let half = good[..good.len() / 2].to_owned();
    let address = cut_server(format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{half}", good.len())).await;
    let settings = UpdateSettings { address, ..company.settings(&server) };
    let saved = harness.core.updates.save_update_settings(settings).await.unwrap();
    assert_eq!((saved.available, saved.problem), (None, Some(UpdateProblem::Incomplete {})));

    harness.core.updates.save_update_settings(company.settings(&server)).await.unwrap();
    server.answer_to("", &format!("200 OK\r\ncontent-length: {}", half.len()), half.as_bytes());
    assert_eq!(check(&harness).await.problem, Some(UpdateProblem::Malformed {}), "cut before it was sent");
    server.answer_json("", "200 OK", &large);
    assert_eq!(check(&harness).await.problem, Some(UpdateProblem::TooLarge { limit: limit as u64 }));
    server.answer("404 Not Found", "");
    assert_eq!(check(&harness).await.problem, Some(UpdateProblem::Status { status: 404 }));
    server.hang_up_on("");
    assert_eq!(check(&harness).await.problem, Some(UpdateProblem::Unreachable {}));
    assert_eq!(state(&harness).await.available, None);
    harness.close().await;
}

#[tokio::test]
async fn a_redirect_is_followed_only_to_where_a_request_may_go() {
    let harness = Harness::start().await;
    let (server, moved, company) = (Recorder::start().await, Recorder::start().await, Company::new(1));
    moved.answer_json("", "200 OK", &company.announce("99.0.0", &server));
    server.answer("302 Found", &format!("location: {}\r\n", moved.url));
    let saved = harness.core.updates.save_update_settings(company.settings(&server)).await.unwrap();
    assert_eq!((saved.available.map(|found| found.version), saved.problem), (Some("99.0.0".to_owned()), None));

    let elsewhere = moved.url.replace("127.0.0.1", "localhost");
    for target in
        [elsewhere.as_str(), "http://example.com/", "https://10.0.0.1/", "https://[::1]/", "file:///etc/passwd"]
    {
        server.answer("308 Permanent Redirect", &format!("location: {target}\r\n"));
        assert_eq!(check(&harness).await.problem, Some(UpdateProblem::AddressRefused {}), "{target}");
    }
    assert_eq!(moved.requests().len(), 1);
    // In a circle.
    server.answer("302 Found", &format!("location: {}\r\n", server.url));
    assert_eq!(check(&harness).await.problem, Some(UpdateProblem::Status { status: 302 }));
    harness.close().await;
}

#[tokio::test]
async fn settings_that_cannot_work_are_rejected_at_their_field() {
    let harness = Harness::start().await;
    let good = UpdateSettings {
        enabled: true,
        address: "https://example.com/latest.json".to_owned(),
        public_key: Company::new(1).public_key(),
    };
    for (settings, at) in [
        (UpdateSettings { address: String::new(), ..good.clone() }, "address"),
        (UpdateSettings { address: "http://example.com/latest.json".to_owned(), ..good.clone() }, "address"),
        (UpdateSettings { public_key: String::new(), ..good.clone() }, "publicKey"),
        (UpdateSettings { public_key: "c2hvcnQ=".to_owned(), enabled: false, ..good.clone() }, "publicKey"),
        (UpdateSettings { enabled: true, ..UpdateSettings::default() }, "address"),
    ] {
        let refused = harness.core.updates.save_update_settings(settings.clone()).await;
        assert!(matches!(refused, Err(DeskError::InvalidInput { field, .. }) if field == at), "{settings:?}");
    }
    assert_eq!(state(&harness).await.settings, UpdateSettings::default());
    harness.close().await;
}

#[tokio::test]
async fn a_build_with_a_source_of_its_own_needs_only_to_be_switched_on() {
    let (server, other, company) = (Recorder::start().await, Recorder::start().await, Company::new(1));
    let installer = ScriptedInstaller::built_with(&company.settings(&server));
    let harness = Harness::start_with_installer(tempfile::TempDir::new().unwrap(), installer).await;
    server.answer_json("", "200 OK", &company.announce("99.0.0", &server));
    let off = state(&harness).await;
    assert_eq!((off.built_in_address.as_deref(), off.settings.enabled), (Some(server.url.as_str()), false));
    assert_eq!(server.requests().len(), 0, "it is off too");
    let on = UpdateSettings { enabled: true, ..UpdateSettings::default() };
    let saved = harness.core.updates.save_update_settings(on).await.unwrap();
    assert_eq!((saved.available.map(|found| found.version), saved.problem), (Some("99.0.0".to_owned()), None));

    // What a person enters replaces it, also the key.
    let (entered, requests) = (Company::new(2), server.requests().len());
    other.answer_json("", "200 OK", &entered.announce("98.0.0", &other));
    let saved = harness.core.updates.save_update_settings(entered.settings(&other)).await.unwrap();
    assert_eq!((saved.available.map(|found| found.version), saved.problem), (Some("98.0.0".to_owned()), None));
    assert_eq!(server.requests().len(), requests);
    harness.close().await;
}

/// Starts a server that closes each connection after its answer. Returns its address.
async fn cut_server(answer: String) -> String {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}/", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut request = [0; 4096];
            if stream.read(&mut request).await.is_ok() {
                let _closed = stream.write_all(answer.as_bytes()).await;
            }
        }
    });
    address
}
