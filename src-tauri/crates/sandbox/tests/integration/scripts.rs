//! Scripts: the configured outcome of the next messages, as events at the webhook; manual reading; rate limits.

use reqwest::Method;
use serde_json::{Value, json};

use crate::bench::{Bench, NUMBER, Recorder, answer, assert_refused, message, options, send_path, template, until};

const TO: &str = "5511987654321";
const OTHER: &str = "5511911112222";

async fn script(bench: &Bench, recipient: &str, script: Value) {
    let (status, body) = bench.put(&format!("/sandbox/phones/{recipient}/script"), script).await;
    assert_eq!(status, 200, "{body}");
}

async fn scripts(bench: &Bench) -> Value {
    bench.get("/sandbox/scripts").await.1["data"].clone()
}

/// Waits until nothing more can arrive, and returns the statuses of a message in order of arrival.
async fn all_statuses(bench: &Bench, recorder: &Recorder, id: &str, count: usize) -> Vec<Value> {
    let statuses = until(&format!("{count} statuses"), async || {
        let statuses = recorder.statuses(id);
        (statuses.len() >= count).then_some(statuses)
    })
    .await;
    until("all deliveries settled", async || {
        let (_, body) = bench.get("/sandbox/deliveries").await;
        let open = body["data"].as_array()?.iter().any(|delivery| delivery["outcome"] == "pending");
        (!open && body["events_waiting"] == 0).then_some(())
    })
    .await;
    assert_eq!(recorder.statuses(id).len(), count, "no more came after these");
    statuses
}

fn words(statuses: &[Value]) -> Vec<&str> {
    statuses.iter().map(|status| status["status"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn each_script_has_its_statuses() {
    let (bench, recorder) = Bench::with_recorder(options()).await;
    bench.approved(template("scripted")).await;
    for (wanted, statuses) in [
        (json!({ "next": "deliver" }), &["sent", "delivered", "read"][..]),
        (json!({ "next": "slow", "ms": 2 }), &["sent", "delivered", "read"]),
        (json!({ "next": "reorder" }), &["read", "delivered", "sent"]),
        (json!({ "next": "stop" }), &["sent"]),
        (json!({ "next": "fail", "code": 131_026 }), &["failed"]),
        (json!({ "next": "fail", "code": 131_000 }), &["sent", "failed"]),
        (json!({ "next": "fail", "code": 131_026, "after_sent": true }), &["sent", "failed"]),
        (
            json!({ "next": "duplicate", "times": 3 }),
            &["sent", "sent", "sent", "delivered", "delivered", "delivered", "read", "read", "read"],
        ),
    ] {
        script(&bench, TO, wanted.clone()).await;
        let id = bench.send(message("scripted", TO)).await;
        let came = all_statuses(&bench, &recorder, &id, statuses.len()).await;
        assert_eq!(words(&came), statuses, "{wanted}");
        for status in came.iter().filter(|status| status["status"] == "failed") {
            assert_eq!(status["errors"][0]["code"], wanted["code"], "{status}");
            for field in ["/title", "/message", "/error_data/details", "/href"] {
                let text = status["errors"][0].pointer(field).and_then(Value::as_str).unwrap_or_default();
                assert!(!text.is_empty(), "{field} in {status}");
            }
        }
    }
    // Without a count, the last script still applies, and only to this recipient.
    assert_eq!(scripts(&bench).await, json!({ TO: { "next": "duplicate", "times": 3 } }));
    let id = bench.send(message("scripted", OTHER)).await;
    assert_eq!(words(&all_statuses(&bench, &recorder, &id, 3).await), ["sent", "delivered", "read"]);
    answer(bench.request(Method::DELETE, &format!("/sandbox/phones/{TO}/script"))).await;
    let id = bench.send(message("scripted", TO)).await;
    assert_eq!(words(&all_statuses(&bench, &recorder, &id, 3).await), ["sent", "delivered", "read"]);
}

#[tokio::test]
async fn duplicates_are_identical_and_late_statuses_keep_their_timestamps() {
    let (bench, recorder) = Bench::with_recorder(options()).await;
    bench.approved(template("twice")).await;
    script(&bench, TO, json!({ "next": "duplicate" })).await;
    let id = bench.send(message("twice", TO)).await;
    all_statuses(&bench, &recorder, &id, 6).await;
    let bodies: Vec<Vec<u8>> = recorder
        .all()
        .into_iter()
        .filter(|received| received.json().to_string().contains(&id))
        .map(|received| received.bytes)
        .collect();
    assert_eq!(bodies.len(), 6);
    assert!(bodies.chunks(2).all(|pair| pair[0] == pair[1]), "each status came twice, byte for byte");

    // A second between the first and the last, so that their timestamps show the order in which they were reached.
    script(&bench, TO, json!({ "next": "reorder", "ms": 500 })).await;
    let id = bench.send(message("twice", TO)).await;
    let came = all_statuses(&bench, &recorder, &id, 3).await;
    assert_eq!(words(&came), ["read", "delivered", "sent"]);
    let times: Vec<i64> = came.iter().map(|status| status["timestamp"].as_str().unwrap().parse().unwrap()).collect();
    assert!(times[0] > times[2] && times.is_sorted_by(|earlier, later| earlier >= later), "{times:?}");
}

#[tokio::test]
async fn a_phone_script_takes_precedence_over_the_common_one() {
    let (bench, recorder) = Bench::with_recorder(options()).await;
    bench.approved(template("counted")).await;
    script(&bench, "*", json!({ "next": "stop", "count": 2 })).await;
    script(&bench, OTHER, json!({ "next": "fail", "code": 131_049, "count": 1 })).await;
    let mut outcomes = Vec::new();
    for (to, count) in [(OTHER, 1), (OTHER, 1), (TO, 1), (TO, 3), (OTHER, 3)] {
        let id = bench.send(message("counted", to)).await;
        let came = all_statuses(&bench, &recorder, &id, count).await;
        outcomes.push(came.last().unwrap()["status"].as_str().unwrap().to_owned());
    }
    assert_eq!(outcomes, ["failed", "sent", "sent", "read", "read"]);
    assert_eq!(scripts(&bench).await, json!({}));
    // A message that is refused immediately does not count.
    script(&bench, TO, json!({ "next": "stop", "count": 1 })).await;
    assert_eq!(bench.post(&send_path(), message("unknown_name", TO)).await.0, 400);
    assert_eq!(scripts(&bench).await[TO]["count"], 1);
}

#[tokio::test]
async fn a_scripted_131053_has_the_contract_object_in_both_forms() {
    let (bench, recorder) = Bench::with_recorder(options()).await;
    bench.approved(template("oversized")).await;
    script(&bench, TO, json!({ "next": "fail", "code": 131_053 })).await;
    for (form, pointer) in [("array", "/errors/0"), ("object", "/error")] {
        bench.settings(json!({ "error_form": form })).await;
        let id = bench.send(message("oversized", TO)).await;
        let failed = all_statuses(&bench, &recorder, &id, 1).await.remove(0);
        let error = failed.pointer(pointer).unwrap();
        assert_eq!(error["code"], 131_053);
        assert_eq!(error["retryable"], false);
        assert_eq!(error["classification"], "UserError");
        assert_eq!(error["details"]["max_size_bytes"], 5_242_880);
        assert!(error["details"]["file_size_bytes"].as_u64().unwrap() > 5_242_880);
        assert!(!error["details"]["reason"].as_str().unwrap().is_empty());
        let keys: Vec<&String> = error.as_object().unwrap().keys().collect();
        assert_eq!(keys, ["code", "title", "message", "retryable", "classification", "details"]);
    }
}

#[tokio::test]
async fn invalid_scripts_are_refused_with_the_field() {
    let bench = Bench::start(options()).await;
    for (recipient, wanted, field) in [
        (TO, json!({}), "next"),
        (TO, json!({ "next": "explode" }), "explode"),
        (TO, json!({ "next": "fail" }), "code"),
        (TO, json!({ "next": "fail", "code": 190 }), "code"),
        (TO, json!({ "next": "duplicate", "times": 1 }), "times"),
        (TO, json!({ "next": "slow", "ms": -1 }), "-1"),
        (TO, json!({ "next": "slow", "ms": 86_400_001_u64 }), "ms"),
        (TO, json!({ "next": "stop", "count": 0 }), "count"),
        (TO, json!({ "next": "stop", "extra": 0 }), "extra"),
        ("nobody", json!({ "next": "stop" }), "recipient"),
    ] {
        assert_refused(bench.put(&format!("/sandbox/phones/{recipient}/script"), wanted).await, 400, field);
    }
    // The path is that of a field, never a value.
    for wanted in [json!({ "next": "explode" }), json!({ "next": "slow", "ms": -1 })] {
        let (_, body) = bench.put(&format!("/sandbox/phones/{TO}/script"), wanted).await;
        assert_eq!(body.get("path"), None, "{body}");
    }
    assert_eq!(scripts(&bench).await, json!({}));
    let codes = bench.get("/sandbox/scripts").await.1["failure_codes"].as_array().unwrap().clone();
    for code in [131_026, 131_047, 131_049, 131_053, 132_000] {
        assert!(codes.contains(&json!(code)), "{code}");
    }
    let bare = answer(bench.bare(Method::GET, "/sandbox/scripts")).await;
    assert_eq!(bare.0, 401, "scripts need the token");
}

#[tokio::test]
async fn undelivered_messages_are_listed_with_those_shown() {
    let (bench, recorder) = Bench::with_recorder(options()).await;
    bench.approved(template("hidden")).await;
    for (wanted, count) in [(json!({ "next": "stop" }), 1), (json!({ "next": "fail", "code": 131_026 }), 1)] {
        script(&bench, TO, wanted).await;
        let id = bench.send(message("hidden", TO)).await;
        all_statuses(&bench, &recorder, &id, count).await;
    }
    let phone = bench.get(&format!("/sandbox/phones/{TO}")).await.1["data"].clone();
    assert_eq!(phone["items"], json!([]));
    let hidden = phone["not_shown"].as_array().unwrap();
    assert_eq!([&hidden[0]["status"], &hidden[1]["status"]], ["sent", "failed"]);
    assert_eq!(hidden[1]["error"]["code"], 131_026);
    assert!(hidden[0].get("error").is_none());
    let tap = json!({ "message_id": hidden[0]["message_id"], "button": 0 });
    let answer = bench.post(&format!("/sandbox/phones/{TO}/tap"), tap).await;
    assert_refused(answer, 400, "message_id");
}

#[tokio::test]
async fn without_automatic_reading_a_message_is_read_manually() {
    let (bench, recorder) = Bench::with_recorder(options()).await;
    bench.approved(template("unread")).await;
    bench.settings(json!({ "auto_read": false })).await;
    let first = bench.send(message("unread", TO)).await;
    assert_eq!(words(&all_statuses(&bench, &recorder, &first, 2).await), ["sent", "delivered"]);
    script(&bench, TO, json!({ "next": "duplicate" })).await;
    let second = bench.send(message("unread", TO)).await;
    all_statuses(&bench, &recorder, &second, 4).await;
    let path = format!("/sandbox/phones/{TO}/read");
    assert_eq!(bench.post(&path, json!({})).await, (200, json!({ "read": 2 })));
    assert_eq!(words(&all_statuses(&bench, &recorder, &first, 3).await)[2..], ["read"]);
    assert_eq!(words(&all_statuses(&bench, &recorder, &second, 6).await)[4..], ["read", "read"]);
    assert_eq!(bench.post(&path, json!({})).await, (200, json!({ "read": 0 })));
    assert_refused(bench.post("/sandbox/phones/nobody/read", json!({})).await, 400, "recipient");
}

#[tokio::test]
async fn reading_manually_before_the_automatic_read_sends_one_status() {
    let (bench, recorder) = Bench::with_recorder(options()).await;
    bench.approved(template("impatient")).await;
    script(&bench, TO, json!({ "next": "slow", "ms": 300 })).await;
    let id = bench.send(message("impatient", TO)).await;
    let path = format!("/sandbox/phones/{TO}/read");
    until("something to read", async || (bench.post(&path, json!({})).await.1["read"] == 1).then_some(())).await;
    // By the time a later message is read, the automatic read of the first one would have happened.
    let later = bench.send(message("impatient", TO)).await;
    all_statuses(&bench, &recorder, &later, 3).await;
    assert_eq!(words(&recorder.statuses(&id)), ["sent", "delivered", "read"]);
}

#[tokio::test]
async fn sends_above_the_rate_limit_are_refused() {
    let bench = Bench::start(options()).await;
    bench.approved(template("paced")).await;
    // Off by default: a batch of any size is accepted.
    for _ in 0..60 {
        bench.send(message("paced", TO)).await;
    }
    bench.settings(json!({ "throttle": { "on": true, "pair_pause_ms": 600_000, "pair_burst": 2 } })).await;
    bench.send(message("paced", TO)).await;
    bench.send(message("paced", TO)).await;
    let response = bench.request(Method::POST, &send_path()).json(&message("paced", TO)).send().await.unwrap();
    assert_eq!(response.status(), 429);
    let wait: u64 = response.headers()["retry-after"].to_str().unwrap().parse().unwrap();
    assert!((590..=600).contains(&wait), "{wait}");
    let body: Value = response.json().await.unwrap();
    assert_eq!(body["code"], 131_056);
    assert_refused((429, body), 429, "to");
    bench.send(message("paced", OTHER)).await;

    // The burst of a number is the volume of one second; another number is not affected.
    bench.settings(json!({ "throttle": { "per_second": 1, "pair_burst": 1000, "pair_pause_ms": 1 } })).await;
    let fast = until("a refusal", async || {
        let answer = bench.post(&send_path(), message("paced", TO)).await;
        (answer.0 != 200).then_some(answer)
    })
    .await;
    assert_eq!(fast.1["code"], 130_429);
    assert_refused(fast, 429, "to");
    let other = send_path().replace(NUMBER, "10987654322");
    assert_eq!(bench.post(&other, message("paced", TO)).await.0, 200);
    for (changes, field) in [
        (json!({ "throttle": { "per_second": 0 } }), "throttle.per_second"),
        (json!({ "throttle": { "pair_pause_ms": 0 } }), "throttle.pair_pause_ms"),
        (json!({ "throttle": { "pair_burst": 1001 } }), "throttle.pair_burst"),
    ] {
        assert_refused(bench.put("/sandbox/settings", changes).await, 400, field);
    }
}
