//! Announcements of newer versions, from a local server.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use command_types::Nothing;
use command_types::error::DeskError;
use command_types::updates::{Announcement, UpdateProblem, UpdateSettings, UpdateState};
use ring::signature::{Ed25519KeyPair, KeyPair as _};
use serde_json::{Value, json};

use super::harness::Harness;
use super::webhooks::{Recorder, wait_until};

const PAGE: &str = "https://example.com/template-desk";

struct Company(Ed25519KeyPair);

impl Company {
    fn new(seed: u8) -> Self {
        Self(Ed25519KeyPair::from_seed_unchecked(&[seed; 32]).unwrap())
    }

    fn public_key(&self) -> String {
        STANDARD.encode(self.0.public_key())
    }

    fn sign(&self, version: &str, url: &str, notes: &str) -> Value {
        let signature = self.0.sign(format!("template-desk-update\n{version}\n{url}\n{notes}").as_bytes());
        json!({ "version": version, "url": url, "notes": notes, "signature": STANDARD.encode(signature) })
    }

    fn settings(&self, server: &Recorder) -> UpdateSettings {
        UpdateSettings { enabled: true, address: server.url.clone(), public_key: self.public_key() }
    }
}

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
    server.answer_json("", "200 OK", &company.sign("99.0.0", PAGE, "Faster lists.\nNew reports."));
    let saved = harness.core.updates.save_update_settings(company.settings(&server)).await.unwrap();
    let announced = Announcement {
        version: "99.0.0".to_owned(),
        url: PAGE.to_owned(),
        notes: "Faster lists.\nNew reports.".to_owned(),
    };
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
    harness.core.updates.save_update_settings(company.settings(&server)).await.unwrap();
    assert_eq!(server.requests().len(), 1);

    // A day later, it does.
    let folder = harness.close().await;
    let desk = rusqlite::Connection::open(folder.path().join("desk/desk.sqlite")).unwrap();
    let stored: String =
        desk.query_row("SELECT value FROM setting WHERE key = 'updates'", [], |row| row.get(0)).unwrap();
    let mut stored: Value = serde_json::from_str(&stored).unwrap();
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
    server.answer_json("", "200 OK", &company.sign(env!("CARGO_PKG_VERSION"), PAGE, ""));
    let saved = harness.core.updates.save_update_settings(company.settings(&server)).await.unwrap();
    assert_eq!((saved.available, saved.problem), (None, None));
    harness.close().await;
}

#[tokio::test]
async fn what_is_not_signed_with_the_key_is_rejected() {
    let harness = Harness::start().await;
    let (server, company) = (Recorder::start().await, Company::new(1));
    let good = company.sign("99.0.0", PAGE, "notes");
    let changed = |field: &str, value: &str| {
        let mut announcement = good.clone();
        announcement[field] = value.into();
        announcement
    };
    server.answer_json("", "200 OK", &Company::new(2).sign("99.0.0", PAGE, "notes"));
    harness.core.updates.save_update_settings(company.settings(&server)).await.unwrap();
    assert_eq!(state(&harness).await.problem, Some(UpdateProblem::WrongSignature {}));
    for (announcement, problem) in [
        (changed("version", "99.0.1"), UpdateProblem::WrongSignature {}),
        (changed("url", "https://evil.example/"), UpdateProblem::WrongSignature {}),
        (changed("notes", "other notes"), UpdateProblem::WrongSignature {}),
        (changed("signature", ""), UpdateProblem::WrongSignature {}),
        (changed("signature", "no Base64"), UpdateProblem::WrongSignature {}),
        (changed("version", "99.0"), UpdateProblem::Malformed {}),
        // Signed, and yet nothing to open.
        (company.sign("99.0.0", "http://example.com/", ""), UpdateProblem::Malformed {}),
        (company.sign("99.0.0", "file:///etc/passwd", ""), UpdateProblem::Malformed {}),
        (company.sign("99.0.0\nhttps://example.com", PAGE, ""), UpdateProblem::Malformed {}),
        (json!({ "version": "99.0.0", "url": PAGE, "notes": "" }), UpdateProblem::Malformed {}),
        (json!([]), UpdateProblem::Malformed {}),
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

#[tokio::test]
async fn a_downgrade_is_rejected_and_the_newest_version_stays_announced() {
    let harness = Harness::start().await;
    let (server, company) = (Recorder::start().await, Company::new(1));
    server.answer_json("", "200 OK", &company.sign("0.0.1", PAGE, ""));
    let saved = harness.core.updates.save_update_settings(company.settings(&server)).await.unwrap();
    let downgrade = |version: &str| Some(UpdateProblem::Downgrade { version: version.to_owned() });
    assert_eq!((saved.available, saved.problem), (None, downgrade("0.0.1")), "older than the app");

    server.answer_json("", "200 OK", &company.sign("99.0.1", PAGE, ""));
    check(&harness).await;
    // An announcement of before, with its valid signature.
    server.answer_json("", "200 OK", &company.sign("99.0.0", PAGE, ""));
    let checked = check(&harness).await;
    assert_eq!(checked.problem, downgrade("99.0.0"));
    assert_eq!(checked.available.unwrap().version, "99.0.1");

    // Another key starts again.
    let other = Company::new(2);
    server.answer_json("", "200 OK", &other.sign("99.0.0", PAGE, ""));
    let saved = harness.core.updates.save_update_settings(other.settings(&server)).await.unwrap();
    assert_eq!((saved.available.map(|found| found.version), saved.problem), (Some("99.0.0".to_owned()), None));
    harness.close().await;
}

#[tokio::test]
async fn cut_large_moved_and_missing_answers_are_named() {
    let harness = Harness::start().await;
    let (server, trap, company) = (Recorder::start().await, Recorder::start().await, Company::new(1));
    let good = company.sign("99.0.0", PAGE, "").to_string();
    trap.answer_json("", "200 OK", &company.sign("99.0.0", PAGE, ""));
    let limit = 64 * 1024;
    let large = company.sign("99.0.0", PAGE, &"x".repeat(limit));
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
    for (status, code) in [("302 Found", 302), ("308 Permanent Redirect", 308), ("404 Not Found", 404)] {
        server.answer(status, &format!("location: {}\r\n", trap.url));
        assert_eq!(check(&harness).await.problem, Some(UpdateProblem::Status { status: code }));
    }
    assert_eq!(trap.requests().len(), 0, "redirects are not followed");
    server.hang_up_on("");
    assert_eq!(check(&harness).await.problem, Some(UpdateProblem::Unreachable {}));
    assert_eq!(state(&harness).await.available, None);
    harness.close().await;
}

#[tokio::test]
async fn settings_that_cannot_work_are_rejected_at_their_field() {
    let harness = Harness::start().await;
    let good = UpdateSettings {
        enabled: true,
        address: "https://example.com/desk.json".to_owned(),
        public_key: Company::new(1).public_key(),
    };
    for (settings, at) in [
        (UpdateSettings { address: String::new(), ..good.clone() }, "address"),
        (UpdateSettings { address: "http://example.com/desk.json".to_owned(), ..good.clone() }, "address"),
        (UpdateSettings { public_key: String::new(), ..good.clone() }, "publicKey"),
        (UpdateSettings { public_key: "c2hvcnQ=".to_owned(), enabled: false, ..good.clone() }, "publicKey"),
    ] {
        let refused = harness.core.updates.save_update_settings(settings.clone()).await;
        assert!(matches!(refused, Err(DeskError::InvalidInput { field, .. }) if field == at), "{settings:?}");
    }
    assert_eq!(state(&harness).await.settings, UpdateSettings::default());
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
