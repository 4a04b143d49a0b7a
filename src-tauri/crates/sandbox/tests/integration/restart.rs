//! The state file: acknowledged changes survive a crash, and a restart resumes pending work.

use std::path::Path;

use reqwest::Method;
use reqwest::multipart::{Form, Part};
use sandbox::{OpenError, Options, Sandbox};
use serde_json::{Value, json};

use crate::bench::{Bench, NUMBER, PNG, Recorder, SECRET, TEMPLATES, answer, hook, message, options, template, until};

/// A copy of the files of a running sandbox.
fn copied(file: &Path) -> tempfile::TempDir {
    let copy = tempfile::tempdir().unwrap();
    std::fs::copy(file, copy.path().join("sandbox.json")).unwrap();
    let media = file.with_file_name("sandbox.json.media");
    std::fs::create_dir(copy.path().join("sandbox.json.media")).unwrap();
    for entry in std::fs::read_dir(media).unwrap() {
        let path = entry.unwrap().path();
        std::fs::copy(&path, copy.path().join("sandbox.json.media").join(path.file_name().unwrap())).unwrap();
    }
    copy
}

#[tokio::test]
async fn state_survives_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("sandbox.json");
    let first = Bench::start(Options { state_file: Some(file.clone()), ..options() }).await;
    let uuid = first.approved(template("kept")).await;
    let form = Form::new()
        .text("name", "pictured")
        .text("language", "pt_BR")
        .text("category", "marketing")
        .text("waba_ids", "2001")
        .text("components", r#"[{"type":"HEADER","format":"IMAGE"},{"type":"BODY","text":"Imagem"}]"#)
        .part("header_file", Part::bytes(PNG.to_vec()).file_name("a.png"));
    let (status, body) = answer(first.request(Method::POST, TEMPLATES).multipart(form)).await;
    assert_eq!(status, 200, "{body}");
    let pictured = body["uuid"].as_str().unwrap().to_owned();
    answer(first.request(Method::POST, &format!("{TEMPLATES}/{uuid}/archive"))).await;
    let before = first.record(&uuid).await.unwrap();
    // Not stopped: acknowledged changes are on disk already.
    let copy = copied(&file);
    let file = copy.path().join("sandbox.json");
    let second = Bench::start(Options { state_file: Some(file.clone()), ..options() }).await;
    assert_eq!(second.record(&uuid).await.unwrap(), before);
    let record = second.until_status(&pictured, "APPROVED").await;
    let address = record["components"][0]["example"]["header_handle"][0].as_str().unwrap();
    assert!(address.starts_with(&second.base), "{address}");
    assert_eq!(second.client.get(address).send().await.unwrap().bytes().await.unwrap(), PNG);
    let (status, _) = second.post(TEMPLATES, template("kept")).await;
    assert_eq!(status, 409, "names stay taken");
    second.stop().await;
    assert!(!std::fs::read_to_string(&file).unwrap().contains(SECRET));
}

#[tokio::test]
async fn deliveries_reviews_and_sends_continue_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("sandbox.json");
    let first = Bench::start(Options { state_file: Some(file.clone()), ..options() }).await;
    first.approved(template("sent_later")).await;
    first.settings(json!({ "delivery": { "paused": true, "first_retry_ms": 1 }, "review_delay_ms": 1 })).await;
    let id = first.send(message("sent_later", "5511987654321")).await;
    let pending = first.create(template("reviewed_later")).await;
    first.stop().await;

    let recorder = Recorder::start().await;
    let again = Options { state_file: Some(file.clone()), webhook: hook(&recorder), ..options() };
    let second = Bench::start(again).await;
    second.until_status(&pending, "APPROVED").await;
    assert!(recorder.all().is_empty(), "the pause is kept too");
    recorder.answer(&[503, 503]);
    second.settings(json!({ "delivery": { "paused": false } })).await;
    until("every status", async || (recorder.statuses(&id).len() >= 3).then_some(())).await;
    second.stop().await;
}

#[tokio::test]
async fn phones_names_scripts_and_settings_survive_a_restart() {
    const TO: &str = "5511987654321";
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("sandbox.json");
    let kept = || Options { state_file: Some(file.clone()), stored_settings: true, ..options() };
    let first = Bench::start(kept()).await;
    first.approved(template("remembered")).await;
    first.put(&format!("/sandbox/phones/{TO}"), json!({ "name": "Ana" })).await;
    first.put(&format!("/sandbox/phones/{TO}/script"), json!({ "next": "stop", "count": 3 })).await;
    first.put("/sandbox/phones/*/script", json!({ "next": "fail", "code": 131_026 })).await;
    first.settings(json!({ "auto_read": false, "media_links": "url", "review": "manual", "review_delay_ms": 7 })).await;
    first.send(message("remembered", TO)).await;
    let phone = first.get(&format!("/sandbox/phones/{TO}")).await.1;
    let text = json!({ "body": "Oi" });
    assert_eq!(first.post(&format!("/sandbox/phones/{TO}/text"), text).await.0, 200);
    let settings = first.get("/sandbox/settings").await.1;
    assert_eq!(phone["data"]["name"], "Ana");
    first.stop().await;

    let second = Bench::start(kept()).await;
    let phone = second.get(&format!("/sandbox/phones/{TO}")).await.1["data"].clone();
    assert_eq!(phone["name"], "Ana");
    assert_eq!(phone["items"][0]["content"]["text"]["body"], "Oi");
    assert_eq!(phone["not_shown"].as_array().unwrap().len(), 1);
    assert_eq!(
        second.get("/sandbox/scripts").await.1["data"],
        json!({ "*": { "next": "fail", "code": 131_026 }, TO: { "next": "stop", "count": 2 } })
    );
    assert_eq!(second.get("/sandbox/settings").await.1, settings);
    second.stop().await;
    // Without `stored_settings`, the options of the start apply.
    let third = Bench::start(Options { state_file: Some(file.clone()), ..options() }).await;
    assert_eq!(third.get("/sandbox/settings").await.1["review"], "auto");
}

/// A state file from a version before scripts, names, taps and expiry of URLs.
#[tokio::test]
async fn a_state_file_of_an_older_version_is_read() {
    const TO: &str = "5511987654321";
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("sandbox.json");
    let kept = || Options { state_file: Some(file.clone()), ..options() };
    let first = Bench::start(kept()).await;
    first.approved(template("older")).await;
    let id = first.send(message("older", TO)).await;
    let items = async |bench: &Bench| bench.get(&format!("/sandbox/phones/{TO}")).await.1["data"]["items"].clone();
    until("it is read", async || (items(&first).await[0]["status"] == "read").then_some(())).await;
    let form = Form::new().part("file", Part::bytes(PNG.to_vec()).file_name("a.png"));
    let path = format!("/sandbox/phones/{TO}/media");
    assert_eq!(answer(first.request(Method::POST, &path).multipart(form)).await.0, 200);
    let text = json!({ "body": "Bom dia", "number": NUMBER });
    assert_eq!(first.post("/sandbox/phones/5511900001111/text", text).await.0, 200);
    first.stop().await;

    let mut state: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    let remove = |value: &mut Value, keys: &[&str]| {
        let object = value.as_object_mut().unwrap();
        for key in keys {
            assert!(object.remove(*key).is_some(), "{key}");
        }
    };
    remove(&mut state, &["scripts"]);
    remove(&mut state["settings"], &["auto_read", "media_links", "media_url_ms", "throttle"]);
    state["phones"]
        .as_object_mut()
        .unwrap()
        .values_mut()
        .for_each(|phone| remove(phone, &["since", "last_at", "excerpt"]));
    state["messages"].as_object_mut().unwrap().values_mut().for_each(|message| remove(message, &["script", "taps"]));
    let media = state["media"].as_object_mut().unwrap();
    media.values_mut().for_each(|media| remove(media, &["url_expires", "thumbnail"]));
    // A status that was still scheduled when the file was written.
    let sequence: u64 = state["messages"].as_object().unwrap().keys().next().unwrap().parse().unwrap();
    state["messages"][sequence.to_string()]["statuses"] = json!([{ "status": "sent", "at": 1 }]);
    state["phones"][TO]["items"] = json!([]);
    state["schedule"] = json!([
        { "at": 1, "sequence": 1, "task": "status", "message": sequence, "status": "delivered", "last": true },
    ]);
    std::fs::write(&file, serde_json::to_vec(&state).unwrap()).unwrap();

    let second = Bench::start(kept()).await;
    until("it is on the phone", async || {
        let item = items(&second).await[0].clone();
        (item["message_id"] == id && item["status"] == "delivered").then_some(())
    })
    .await;
    assert_eq!(second.get("/sandbox/scripts").await.1["data"], json!({}));
    let phones = second.get("/sandbox/phones").await.1["data"].clone();
    let excerpts: Vec<&Value> = phones.as_array().unwrap().iter().map(|phone| &phone["excerpt"]).collect();
    assert_eq!(excerpts[0], "Bom dia");
    assert!(excerpts[1].as_str().unwrap().contains("Ana"), "{excerpts:?}");
}

#[tokio::test]
async fn the_service_window_closes_after_a_day() {
    const TO: &str = "5511987654321";
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("sandbox.json");
    let recorder = Recorder::start().await;
    let kept = || Options { state_file: Some(file.clone()), webhook: hook(&recorder), ..options() };
    let text = json!({ "messaging_product": "messaging", "to": TO, "type": "text", "text": { "body": "Oi" } });
    let outcome = async |bench: &Bench, count: usize| {
        let id = bench.send(text.clone()).await;
        until("every status", async || Some(recorder.statuses(&id)).filter(|statuses| statuses.len() == count)).await
    };
    let wrote_before = |ms: i64| {
        let mut state: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
        let now = i64::try_from(std::time::UNIX_EPOCH.elapsed().unwrap().as_millis()).unwrap();
        state["phones"][TO]["wrote"][NUMBER] = json!(now - ms);
        std::fs::write(&file, serde_json::to_vec(&state).unwrap()).unwrap();
    };
    let first = Bench::start(kept()).await;
    assert_eq!(outcome(&first, 1).await[0]["errors"][0]["code"], 131_047);
    assert_eq!(first.post(&format!("/sandbox/phones/{TO}/text"), json!({ "body": "Oi" })).await.0, 200);
    assert_eq!(outcome(&first, 3).await[0]["status"], "sent");
    first.stop().await;
    const DAY_MS: i64 = 24 * 60 * 60 * 1000;
    wrote_before(DAY_MS - 60_000);
    let second = Bench::start(kept()).await;
    assert_eq!(outcome(&second, 3).await[0]["status"], "sent");
    second.stop().await;
    wrote_before(DAY_MS + 60_000);
    let third = Bench::start(kept()).await;
    assert_eq!(outcome(&third, 1).await[0]["errors"][0]["code"], 131_047);
}

#[tokio::test]
async fn a_foreign_file_is_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("notes.txt");
    std::fs::write(&file, "my notes").unwrap();
    let opened = Sandbox::open(Options { state_file: Some(file.clone()), ..options() });
    assert!(matches!(opened, Err(OpenError::Malformed { .. })), "{opened:?}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "my notes");
    // Other JSON is rejected like any other text.
    for other in ["{}", r#"{"name":"a_template","components":[]}"#] {
        std::fs::write(&file, other).unwrap();
        let opened = Sandbox::open(Options { state_file: Some(file.clone()), ..options() });
        assert!(matches!(opened, Err(OpenError::Malformed { .. })), "{other}: {opened:?}");
        assert_eq!(std::fs::read_to_string(&file).unwrap(), other);
    }
    let opened = Sandbox::open(Options { state_file: Some(folder.path().to_owned()), ..options() });
    assert!(matches!(opened, Err(OpenError::Read { .. })), "{opened:?}");
}

#[tokio::test]
async fn answers_wait_for_the_disk_and_report_failures() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("sandbox.json");
    let bench = Bench::start(Options { state_file: Some(file), ..options() }).await;
    bench.create(template("stored")).await;
    let in_the_way = folder.path().join("sandbox.json.writing");
    std::fs::create_dir(&in_the_way).unwrap();
    let (status, body) = bench.post(TEMPLATES, template("not_stored")).await;
    assert_eq!(status, 503, "{body}");
    assert!(body["details"].as_str().unwrap().contains("state file"), "{body}");
    std::fs::remove_dir(&in_the_way).unwrap();
    bench.create(template("stored_again")).await;
}

#[tokio::test]
async fn an_unwritable_state_file_is_reported_at_the_start() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("missing").join("sandbox.json");
    let opened = Sandbox::open(Options { state_file: Some(file), ..options() });
    assert!(matches!(opened, Err(OpenError::Write { .. })), "{opened:?}");
}

#[tokio::test]
async fn invalid_options_are_refused() {
    for channel in ["", "sandbox", "a/b", "a b"] {
        let opened = Sandbox::open(options().with_channel(channel));
        assert!(matches!(opened, Err(OpenError::Channel(_))), "{channel}: {opened:?}");
    }
    let opened = Sandbox::open(Options { workspace: "not-a-uuid".to_owned(), ..options() });
    assert!(matches!(opened, Err(OpenError::Workspace(_))), "{opened:?}");
}

#[tokio::test]
async fn a_seeded_sandbox_has_templates_in_every_state_and_seeds_once() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("sandbox.json");
    let seeded = || Options { state_file: Some(file.clone()), seed: Some(sandbox::Seed::Samples), ..options() };
    let first = Bench::start(seeded()).await;
    let (_, list) = first.get(TEMPLATES).await;
    let records = list["data"].as_array().unwrap();
    for status in ["PENDING", "APPROVED", "REJECTED", "PAUSED", "DISABLED"] {
        assert!(records.iter().any(|record| record["status"] == status), "{status}");
    }
    assert!(records.iter().any(|record| record["archived"] == true));
    let pictured = records.iter().find(|record| record["name"] == "spring_sale").unwrap();
    let address = pictured["components"][0]["example"]["header_handle"][0].as_str().unwrap();
    assert_eq!(first.client.get(address).send().await.unwrap().headers()["content-type"], "image/png");
    first.stop().await;
    let second = Bench::start(seeded()).await;
    assert_eq!(second.get(TEMPLATES).await.1["data"].as_array().unwrap().len(), records.len());
}
