//! Contract §2.4 and §6; upstream §9: envelopes, signatures over the bytes, retries, and delivery faults.

use reqwest::Method;
use sandbox::Webhook;
use serde_json::{Value, json};

use crate::bench::{Bench, NUMBER, Recorder, SECRET, answer, assert_refused, message, options, template, until};

async fn emit(bench: &Bench, value: Value) {
    let (status, body) =
        bench.post("/sandbox/events", json!({ "field": "account_update", "entry_id": "2001", "value": value })).await;
    assert_eq!(status, 200, "{body}");
}

async fn arrived(recorder: &Recorder, count: usize) {
    until(&format!("{count} deliveries"), async || (recorder.all().len() >= count).then_some(())).await;
}

fn numbers(recorder: &Recorder) -> Vec<u64> {
    recorder.changes().iter().map(|(_, value)| value["n"].as_u64().unwrap()).collect()
}

/// Waits until every delivery is finished, so that nothing more can arrive.
async fn settled(bench: &Bench) -> Vec<Value> {
    until("all deliveries settled", async || {
        let (_, body) = bench.get("/sandbox/deliveries").await;
        let deliveries = body["data"].as_array().unwrap().clone();
        let open = deliveries.iter().any(|delivery| delivery["outcome"] == "pending");
        (!open && body["events_waiting"] == 0).then_some(deliveries)
    })
    .await
}

#[tokio::test]
async fn an_envelope_is_signed_over_its_escaped_bytes() {
    let (bench, recorder) = Bench::with_recorder(options()).await;
    emit(&bench, json!({ "text": "caf\u{e9} \u{1f600} https://x", "n": 18_014_398_509_481_985_u64 })).await;
    arrived(&recorder, 1).await;
    let received = &recorder.all()[0];
    assert_eq!(received.headers["content-type"], "application/json");
    assert!(received.is_signed());
    let text = std::str::from_utf8(&received.bytes).unwrap();
    assert!(text.is_ascii());
    assert!(text.contains(r#""text":"caf\u00e9 \ud83d\ude00 https:\/\/x""#), "{text}");
    assert!(text.contains("18014398509481985"), "every digit stays: {text}");
    let body = received.json();
    assert_eq!(body["object"], "messaging_business_account");
    assert_eq!(body["entry"][0]["id"], "2001");
    assert_eq!(body["entry"][0]["changes"][0]["field"], "account_update");
    assert_eq!(body["entry"][0]["changes"][0]["value"]["text"], "caf\u{e9} \u{1f600} https://x");
}

#[tokio::test]
async fn deliveries_are_retried_unchanged_until_answered_200() {
    let (bench, recorder) = Bench::with_recorder(options()).await;
    recorder.answer(&[500, 301, 204, 401, 503]);
    emit(&bench, json!({ "n": 1 })).await;
    let deliveries = settled(&bench).await;
    let received = recorder.all();
    assert_eq!(received.len(), 6);
    assert!(received.iter().all(|one| one.bytes == received[0].bytes && one.is_signed()));
    assert_eq!(deliveries.len(), 1);
    assert_eq!(deliveries[0]["outcome"], "delivered");
    let statuses: Vec<u64> = deliveries[0]["attempts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|attempt| attempt["status"].as_u64().unwrap())
        .collect();
    assert_eq!(statuses, [500, 301, 204, 401, 503, 200]);
}

#[tokio::test]
async fn retries_back_off_and_old_events_are_dropped() {
    let (bench, recorder) = Bench::with_recorder(options()).await;
    recorder.answer(&[500; 20]);
    bench
        .settings(json!({ "delivery": { "first_retry_ms": 4, "longest_retry_ms": 64, "give_up_after_ms": 300 } }))
        .await;
    emit(&bench, json!({ "n": 1 })).await;
    let deliveries = settled(&bench).await;
    assert_eq!(deliveries[0]["outcome"], "dropped");
    let tries = recorder.all().len();
    // At most 4 + 8 + 16 + 32 + 64 + 64 + 64 milliseconds fit.
    assert!((2..=8).contains(&tries), "{tries}");
}

#[tokio::test]
async fn an_unreachable_receiver_gets_events_later() {
    let bench = Bench::start(options()).await;
    bench.settings(json!({ "delivery": { "first_retry_ms": 1, "longest_retry_ms": 20 } })).await;
    bench.sandbox.set_webhook(Some(Webhook::new("http://127.0.0.1:9/nobody", SECRET.into()).unwrap()));
    emit(&bench, json!({ "n": 1 })).await;
    let error = until("a failed try", async || {
        let (_, body) = bench.get("/sandbox/deliveries").await;
        body["data"][0]["attempts"][0]["error"].as_str().map(str::to_owned)
    })
    .await;
    assert!(error.contains("refused"), "{error}");
    let recorder = Recorder::start().await;
    let (status, body) = bench.put("/sandbox/webhook", json!({ "url": recorder.url, "secret": SECRET })).await;
    assert_eq!(status, 200, "{body}");
    assert!(!body.to_string().contains(SECRET), "the secret is never shown");
    arrived(&recorder, 1).await;
    assert!(recorder.all()[0].is_signed());
}

#[tokio::test]
async fn events_without_an_address_are_stored_and_delivered_later() {
    let bench = Bench::start(options()).await;
    emit(&bench, json!({ "n": 1 })).await;
    let deliveries = settled(&bench).await;
    assert_eq!(deliveries[0]["outcome"], "unaddressed");
    let recorder = Recorder::start().await;
    bench.put("/sandbox/webhook", json!({ "url": recorder.url, "secret": SECRET })).await;
    let path = format!("/sandbox/deliveries/{}/redeliver", deliveries[0]["id"]);
    assert_eq!(answer(bench.request(Method::POST, &path)).await.0, 200);
    arrived(&recorder, 1).await;
    settled(&bench).await;
    assert_eq!(answer(bench.request(Method::POST, &path)).await.0, 200);
    arrived(&recorder, 2).await;
    let received = recorder.all();
    assert_eq!(received[0].bytes, received[1].bytes);
    assert_refused(answer(bench.request(Method::POST, "/sandbox/deliveries/999999/redeliver")).await, 404, "999999");
}

#[tokio::test]
async fn events_are_duplicated_if_configured() {
    let (bench, recorder) = Bench::with_recorder(options()).await;
    bench.settings(json!({ "delivery": { "duplicates": 2 } })).await;
    emit(&bench, json!({ "n": 1 })).await;
    settled(&bench).await;
    let received = recorder.all();
    assert_eq!(received.len(), 3);
    assert!(received.iter().all(|one| one.bytes == received[0].bytes));
}

#[tokio::test]
async fn a_pause_postpones_all_events() {
    let (bench, recorder) = Bench::with_recorder(options()).await;
    bench.settings(json!({ "delivery": { "paused": true } })).await;
    for n in 1..=3 {
        emit(&bench, json!({ "n": n })).await;
    }
    let (_, body) = bench.get("/sandbox/deliveries").await;
    assert_eq!(body["events_waiting"], 3);
    assert_eq!(recorder.all().len(), 0);
    bench.settings(json!({ "delivery": { "paused": false } })).await;
    arrived(&recorder, 3).await;
    assert_eq!(numbers(&recorder), [1, 2, 3]);
}

#[tokio::test]
async fn a_delay_postpones_each_event() {
    let (bench, recorder) = Bench::with_recorder(options()).await;
    bench.settings(json!({ "delivery": { "delay_ms": 3_600_000 } })).await;
    emit(&bench, json!({ "n": 1 })).await;
    bench.settings(json!({ "delivery": { "delay_ms": 1 } })).await;
    let (_, body) = bench.get("/sandbox/deliveries").await;
    assert_eq!(body["events_waiting"], 1);
    assert_eq!(body["data"], json!([]));
    assert!(recorder.all().is_empty());
}

#[tokio::test]
async fn events_are_batched_and_reordered_if_configured() {
    let (bench, recorder) = Bench::with_recorder(options()).await;
    bench.settings(json!({ "delivery": { "paused": true, "batch": 2, "window_ms": 0 } })).await;
    for n in 1..=5 {
        emit(&bench, json!({ "n": n })).await;
    }
    bench.settings(json!({ "delivery": { "paused": false } })).await;
    settled(&bench).await;
    assert_eq!(recorder.all().len(), 3);
    assert_eq!(numbers(&recorder), [1, 2, 3, 4, 5]);
    assert!(recorder.all().iter().all(crate::bench::Received::is_signed));

    bench.settings(json!({ "delivery": { "paused": true, "batch": 1, "reorder": true, "window_ms": 1 } })).await;
    for n in 6..=8 {
        emit(&bench, json!({ "n": n })).await;
    }
    bench.settings(json!({ "delivery": { "paused": false } })).await;
    settled(&bench).await;
    assert_eq!(numbers(&recorder)[5..], [8, 7, 6]);
}

#[tokio::test]
async fn signatures_are_wrong_or_missing_if_configured() {
    let (bench, recorder) = Bench::with_recorder(options()).await;
    for (form, header) in [("wrong", true), ("missing", false), ("right", true)] {
        bench.settings(json!({ "delivery": { "signature": form } })).await;
        let before = recorder.all().len();
        emit(&bench, json!({ "n": 1 })).await;
        arrived(&recorder, before + 1).await;
        let received = &recorder.all()[before];
        assert_eq!(received.headers.contains_key("x-hub-signature-256"), header, "{form}");
        assert_eq!(received.is_signed(), form == "right", "{form}");
    }
}

#[tokio::test]
async fn a_number_can_have_its_own_address() {
    let (bench, recorder) = Bench::with_recorder(options()).await;
    let own = Recorder::start().await;
    let (status, body) =
        bench.put("/sandbox/webhook", json!({ "url": own.url, "secret": SECRET, "number": NUMBER })).await;
    assert_eq!(status, 200, "{body}");
    bench.approved(template("routed")).await;
    let id = bench.send(message("routed", "5511987654321")).await;
    until("three statuses", async || (own.statuses(&id).len() == 3).then_some(())).await;
    settled(&bench).await;
    assert!(recorder.changes().iter().all(|(field, _)| field == "message_template_status_update"));
    assert!(own.changes().iter().all(|(field, _)| field == "messages"));
}

/// Contract §6: the webhook is configured per number, and template events go there too.
#[tokio::test]
async fn template_events_without_an_address_go_to_the_numbers_of_their_waba() {
    let (bench, common) =
        Bench::with_recorder(sandbox::Options { seed: Some(sandbox::Seed::Samples), ..options() }).await;
    settled(&bench).await;
    bench.put("/sandbox/webhook", json!({ "url": null })).await;
    let (first, second, shared) = (Recorder::start().await, Recorder::start().await, Recorder::start().await);
    let (of_first_waba, of_second_waba) = (sandbox::seed::NUMBER, sandbox::seed::SECOND_NUMBER);
    for (number, recorder) in
        [(of_first_waba, &first), (of_second_waba, &second), (NUMBER, &shared), ("10987654322", &shared)]
    {
        let webhook = json!({ "number": number, "url": recorder.url, "secret": SECRET });
        let (status, body) = bench.put("/sandbox/webhook", webhook).await;
        assert_eq!(status, 200, "{body}");
    }
    // One of two WABAs, and two numbers that send from any WABA and share one webhook.
    let mut body = template("of_one_waba");
    body["waba_ids"] = json!([sandbox::seed::WABA]);
    bench.approved(body).await;
    settled(&bench).await;
    for (recorder, wanted) in [(&first, 1), (&second, 0), (&shared, 1), (&common, 0)] {
        let events: Vec<Value> = recorder.changes().into_iter().map(|(_, value)| value["event"].clone()).collect();
        assert_eq!(events, vec![json!("APPROVED"); wanted]);
        assert!(recorder.all().iter().all(super::bench::Received::is_signed));
    }
    // A WABA without a declared number: its events go to the numbers that send from any WABA.
    emit(&bench, json!({ "n": 1 })).await;
    settled(&bench).await;
    assert_eq!((first.all().len(), second.all().len(), shared.all().len()), (1, 0, 2));
}

#[tokio::test]
async fn the_handshake_is_sent_on_request() {
    let (bench, recorder) = Bench::with_recorder(options()).await;
    let (status, body) = bench.post("/sandbox/webhook/verify", json!({ "verify_token": "v" })).await;
    assert_eq!(status, 200, "{body}");
    // The recorder answers 200 without the challenge.
    assert_eq!(body["verified"], false);
    assert_eq!(body["status"], 200);
    drop(recorder);
    let without = Bench::start(options()).await;
    assert_refused(without.post("/sandbox/webhook/verify", json!({ "verify_token": "v" })).await, 409, "webhook");
}

#[tokio::test]
async fn settings_change_by_field_and_refuse_invalid_values() {
    let bench = Bench::start(options()).await;
    let (_, before) = bench.get("/sandbox/settings").await;
    bench.settings(json!({ "status_delay_ms": 5, "delivery": { "timeout_ms": 77 } })).await;
    let (_, after) = bench.get("/sandbox/settings").await;
    assert_eq!(after["status_delay_ms"], 5);
    assert_eq!(after["delivery"]["timeout_ms"], 77);
    assert_eq!(after["delivery"]["concurrency"], before["delivery"]["concurrency"]);
    assert_eq!(after["review"], before["review"]);
    for (changes, field) in [
        (json!({ "reviews": "auto" }), "reviews"),
        (json!({ "review": "maybe" }), "maybe"),
        (json!({ "status_delay_ms": -1 }), "-1"),
        (json!({ "delivery": { "duplicates": 101 } }), "delivery.duplicates"),
        (json!({ "delivery": { "batch": 0 } }), "delivery.batch"),
        (json!({ "delivery": { "concurrency": 0 } }), "delivery.concurrency"),
        (json!({ "delivery": { "timeout_ms": 0 } }), "delivery.timeout_ms"),
        (json!({ "delivery": { "speed": 1 } }), "speed"),
    ] {
        assert_refused(bench.put("/sandbox/settings", changes).await, 400, field);
    }
    for (webhook, field) in [
        (json!({ "url": "not an address", "secret": "s" }), "url"),
        (json!({ "url": "ftp://x", "secret": "s" }), "url"),
        (json!({ "url": "http://127.0.0.1:1" }), "secret"),
        (json!({ "address": "http://127.0.0.1:1" }), "address"),
    ] {
        assert_refused(bench.put("/sandbox/webhook", webhook).await, 400, field);
    }
    assert_refused(bench.post("/sandbox/events", json!({ "value": {} })).await, 400, "field");
}
