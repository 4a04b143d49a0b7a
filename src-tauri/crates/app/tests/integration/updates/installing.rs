//! Downloads, and what is given to the host to install.

use app::ports::UpdateFile;
use command_types::Nothing;
use command_types::error::DeskError;
use command_types::event::DeskEvent;
use command_types::send::SendId;
use command_types::updates::{InstallStep, Installation, UpdateProblem, UpdateSettings, UpdateState};
use serde_json::json;
use tempfile::TempDir;

use super::company::{CONTENT, Company, FILE, ScriptedInstaller, system};
use super::{check, cut_server, state};
use crate::harness::Harness;
use crate::sending::{Desk, hello};
use crate::webhooks::Recorder;

/// A desk that a version was announced to, by a server that has the file.
async fn announced(harness: &Harness, company: &Company) -> Recorder {
    let server = Recorder::start().await;
    server.answer_json("GET /hook", "200 OK", &company.announce("99.0.0", &server));
    server.answer_to(&format!("GET {FILE}"), &format!("200 OK\r\ncontent-length: {}", CONTENT.len()), CONTENT);
    let saved = harness.core.updates.save_update_settings(company.settings(&server)).await.unwrap();
    assert_eq!((saved.available.map(|found| found.version), saved.step), (Some("99.0.0".to_owned()), None));
    server
}

async fn install(harness: &Harness) -> UpdateState {
    harness.core.updates.install_update(Nothing {}).await.unwrap()
}

fn failed(state: &UpdateState) -> &UpdateProblem {
    match &state.step {
        Some(InstallStep::Failed { problem }) => problem,
        other => panic!("it did not fail: {other:?}"),
    }
}

#[tokio::test]
async fn a_file_is_downloaded_by_a_request_that_identifies_nobody_and_given_to_the_host() {
    let installer = ScriptedInstaller::of(Installation::WindowsInstaller);
    let mut harness = Harness::start_with_installer(TempDir::new().unwrap(), installer.clone()).await;
    let company = Company::new(1);
    let server = announced(&harness, &company).await;
    assert_eq!(server.requests().len(), 1, "nothing is downloaded before the person asks for it");
    harness.emitted();
    let installed = install(&harness).await;
    assert_eq!(installed.step, Some(InstallStep::Finishing {}), "the host ends the app");
    assert!(harness.emitted().iter().any(|event| matches!(event, DeskEvent::UpdatesChanged {})));

    let requests = server.requests();
    assert_eq!((requests.len(), requests[1].head[0].as_str()), (2, "GET /desk.bin HTTP/1.1"));
    let mut names: Vec<_> =
        requests[1].head.iter().skip(1).map(|line| line.split(':').next().unwrap().to_lowercase()).collect();
    names.sort();
    assert_eq!(names, ["accept", "host"], "nothing tells who asks");

    let files = installer.installed();
    let [UpdateFile { announcement, system: of, public_key, bytes }] = files.as_slice() else { panic!("{files:?}") };
    assert_eq!((of, public_key, bytes.as_slice()), (&system(), &company.public_key(), CONTENT));
    let announcement: serde_json::Value = serde_json::from_str(announcement).unwrap();
    assert_eq!(announcement, company.announce("99.0.0", &server));
    harness.close().await;
}

#[tokio::test]
async fn a_version_that_the_host_did_not_install_stays_available_and_says_why() {
    let installer = ScriptedInstaller::of(Installation::AppImage);
    let harness = Harness::start_with_installer(TempDir::new().unwrap(), installer.clone()).await;
    let _server = announced(&harness, &Company::new(1)).await;
    for problem in [UpdateProblem::WrongSignature {}, UpdateProblem::DiskFull {}, UpdateProblem::NotWritable {}] {
        installer.fail_with(problem.clone());
        let state = install(&harness).await;
        assert_eq!((failed(&state), state.available.is_some()), (&problem, true));
    }
    // The app goes on, so nothing is missing at its next start.
    let folder = harness.close().await;
    let harness = Harness::start_in(folder).await;
    assert_eq!(state(&harness).await.step, None);
    harness.close().await;
}

/// The installer was cancelled, or the system stopped it.
#[tokio::test]
async fn a_start_of_the_same_version_after_an_installation_says_so_once() {
    let installer = ScriptedInstaller::of(Installation::WindowsInstaller);
    let harness = Harness::start_with_installer(TempDir::new().unwrap(), installer).await;
    let _server = announced(&harness, &Company::new(1)).await;
    install(&harness).await;
    let folder = harness.close().await;

    let harness = Harness::start_in(folder).await;
    let started = state(&harness).await;
    assert_eq!(failed(&started), &UpdateProblem::NotInstalled { version: "99.0.0".to_owned() });
    let folder = harness.close().await;
    let harness = Harness::start_in(folder).await;
    assert_eq!(state(&harness).await.step, None);
    harness.close().await;
}

#[tokio::test]
async fn a_file_that_does_not_come_is_named_and_nothing_is_installed() {
    let installer = ScriptedInstaller::of(Installation::WindowsInstaller);
    let harness = Harness::start_with_installer(TempDir::new().unwrap(), installer.clone()).await;
    let company = Company::new(1);
    let server = announced(&harness, &company).await;
    let get = format!("GET {FILE}");
    server.answer_to(&get, "404 Not Found\r\ncontent-length: 0", b"");
    assert_eq!(failed(&install(&harness).await), &UpdateProblem::Status { status: 404 });
    let limit = 256 << 20;
    server.answer_to(&get, &format!("200 OK\r\ncontent-length: {}", limit + 1), b"");
    assert_eq!(failed(&install(&harness).await), &UpdateProblem::TooLarge { limit });
    server.hang_up_on(&get);
    assert_eq!(failed(&install(&harness).await), &UpdateProblem::Unreachable {});

    let cut = cut_server("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf".to_owned()).await;
    for (url, problem) in [
        (cut.as_str(), UpdateProblem::Incomplete {}),
        ("http://example.com/desk.bin", UpdateProblem::AddressRefused {}),
        ("https://192.168.0.1/desk.bin", UpdateProblem::AddressRefused {}),
        ("no address", UpdateProblem::Malformed {}),
    ] {
        let mut announcement = company.announce("99.0.0", &server);
        announcement["platforms"][system()]["url"] = json!(url);
        server.answer_json("GET /hook", "200 OK", &announcement);
        check(&harness).await;
        assert_eq!(failed(&install(&harness).await), &problem, "{url}");
    }
    assert_eq!(installer.installed().len(), 0);
    harness.close().await;
}

#[tokio::test]
async fn nothing_is_installed_without_a_newer_version() {
    let installer = ScriptedInstaller::of(Installation::WindowsInstaller);
    let harness = Harness::start_with_installer(TempDir::new().unwrap(), installer.clone()).await;
    let company = Company::new(1);
    let refused = harness.core.updates.install_update(Nothing {}).await;
    assert!(matches!(refused, Err(DeskError::NotFound { .. })), "{refused:?}");
    let server = announced(&harness, &company).await;
    let off = UpdateSettings { enabled: false, ..company.settings(&server) };
    harness.core.updates.save_update_settings(off).await.unwrap();
    let refused = harness.core.updates.install_update(Nothing {}).await;
    assert!(matches!(refused, Err(DeskError::NotFound { .. })), "{refused:?}");
    assert_eq!(installer.installed().len(), 0);
    harness.close().await;
}

#[tokio::test]
async fn an_installation_cuts_no_message_that_is_being_sent() {
    let installer = ScriptedInstaller::of(Installation::WindowsInstaller);
    let harness = Harness::start_with_installer(TempDir::new().unwrap(), installer.clone()).await;
    let desk = Desk::start_with(harness, &[hello()]).await;
    let server = announced(&desk.harness, &Company::new(1)).await;
    // It waits to be sent again.
    let limited = "429 Too Many Requests\r\nretry-after: 20";
    desk.provider.answer_json("POST ", limited, &json!({"message": "slow down"}));
    let send = desk.core().messaging.send_template(desk.request("t1", &[("body.1", "Ana")])).await.unwrap();
    assert!(send.retry_at.is_some());
    assert_eq!(failed(&install(&desk.harness).await), &UpdateProblem::Busy {});
    assert_eq!((server.requests().len(), installer.installed().len()), (1, 0), "nothing is downloaded for nothing");

    desk.core().messaging.cancel_send(SendId { send: send.id }).await.unwrap();
    assert_eq!(install(&desk.harness).await.step, Some(InstallStep::Finishing {}));
    assert_eq!(installer.installed().len(), 1);
    desk.harness.close().await;
}
