//! The history: what a sandbox says about the days before its first start.

use std::collections::{BTreeMap, BTreeSet};

use model::event::kind::ItemKind;
use model::item::{Decoded, items};
use reqwest::Method;
use sandbox::{Options, Profile, Seed};
use serde_json::{Value, json};

use crate::bench::{Bench, Recorder, TEMPLATES, answer, hook, options, until};

fn with_history() -> Options {
    Options { seed: Some(Seed::History), ..options() }
}

/// All sends, over pages of a size.
async fn sends(bench: &Bench, limit: usize) -> Vec<Value> {
    let (mut all, mut after) = (Vec::new(), Some(0));
    while let Some(position) = after {
        let (status, page) = bench.get(&format!("/sandbox/history/sends?after={position}&limit={limit}")).await;
        assert_eq!(status, 200, "{page}");
        all.extend(page["data"].as_array().unwrap().iter().cloned());
        after = page["next"].as_u64();
    }
    all
}

async fn until_delivered(bench: &Bench) {
    until("the history is delivered", async || {
        let (_, summary) = bench.get("/sandbox/history").await;
        (summary["events"]["delivered"] == summary["events"]["total"]).then_some(())
    })
    .await;
}

/// Every item that was received, by its key, with its kind.
fn received(recorder: &Recorder) -> Vec<(String, ItemKind)> {
    let mut all = Vec::new();
    for delivery in recorder.all() {
        assert!(delivery.is_signed());
        for item in items(&delivery.bytes) {
            assert!(!matches!(item.decode(), Decoded::Other), "{} cannot be read: {}", item.field, item.value.get());
            all.push((format!("{}@{:?}", item.key, item.entry_at), item.kind));
        }
    }
    all
}

fn by_kind(items: &[(String, ItemKind)]) -> BTreeMap<&str, usize> {
    let mut counts = BTreeMap::new();
    for (_, kind) in items {
        *counts.entry(kind.as_str()).or_default() += 1;
    }
    counts
}

#[tokio::test]
async fn events_are_signed_and_read_as_what_they_are() {
    let (bench, recorder) = Bench::with_recorder(with_history()).await;
    let sent = sends(&bench, 700).await;
    until_delivered(&bench).await;
    let all = received(&recorder);
    let unique: BTreeSet<&String> = all.iter().map(|(key, _)| key).collect();
    assert_eq!(unique.len(), all.len(), "nothing is reported twice");
    let counts = by_kind(&all);
    assert!(counts["status"] > 6_000 && counts["message"] > 200, "{counts:?}");
    for kind in [
        "template_status",
        "template_quality",
        "template_category",
        "user_action",
        "user_preferences",
        "phone_number_name",
        "phone_number_quality",
        "account_review",
        "business_capability",
    ] {
        assert!(counts.contains_key(kind), "no {kind} among {counts:?}");
    }
    // Many events in one delivery, in the order in which they happened.
    assert!(recorder.all().len() < all.len() / 50);
    let known: BTreeSet<&str> = sent.iter().map(|send| send["message_id"].as_str().unwrap()).collect();
    let (mut last, mut priced, mut failed) = (0, 0, BTreeSet::new());
    for (field, value) in recorder.changes().into_iter().filter(|(field, _)| field == "messages") {
        for status in value["statuses"].as_array().into_iter().flatten() {
            assert!(known.contains(status["id"].as_str().unwrap()), "{field} of a message that was not sent");
            let at: i64 = status["timestamp"].as_str().unwrap().parse().unwrap();
            assert!(at >= last, "{status}");
            last = at;
            priced += usize::from(status["pricing"]["category"].is_string());
            failed.extend(status["errors"][0]["code"].as_i64());
        }
    }
    assert!(priced > 4_000 && failed.len() >= 4, "{priced} {failed:?}");
    bench.stop().await;
}

#[tokio::test]
async fn the_minimal_profile_reports_what_the_contract_names() {
    let (bench, recorder) = Bench::with_recorder(Options { profile: Profile::Minimal, ..with_history() }).await;
    sends(&bench, 1_000).await;
    until_delivered(&bench).await;
    let all = received(&recorder);
    let counts = by_kind(&all);
    assert_eq!(counts.keys().copied().collect::<Vec<_>>(), ["message", "status", "template_status"]);
    for (field, value) in recorder.changes() {
        if field == "message_template_status_update" {
            assert_eq!(value.as_object().unwrap().len(), 4, "{value}");
        }
        for message in value["messages"].as_array().into_iter().flatten() {
            assert!(message.get("context").is_none(), "{message}");
        }
        for status in value["statuses"].as_array().into_iter().flatten() {
            assert!(status["conversation"].get("expiration_timestamp").is_none(), "{status}");
            assert!(status["pricing"].get("type").is_none() && status.get("errors").is_none(), "{status}");
        }
    }
    for received in recorder.all() {
        for entry in received.json()["entry"].as_array().unwrap() {
            assert!(entry.get("time").is_none());
        }
    }
    bench.stop().await;
}

#[tokio::test]
async fn a_restart_in_the_middle_loses_nothing_and_repeats_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("sandbox.json");
    let recorder = Recorder::start().await;
    let seeded = || Options { state_file: Some(file.clone()), webhook: hook(&recorder), ..with_history() };
    let first = Bench::start(seeded()).await;
    // The receiver is down after some deliveries.
    recorder.answer(&[200, 200, 200, 503]);
    first.settings(json!({ "delivery": { "first_retry_ms": 60_000 } })).await;
    let sent = sends(&first, 1_000).await;
    until("the receiver refuses one", async || (recorder.all().len() == 4).then_some(())).await;
    let id = first.get("/sandbox/history").await.1["id"].clone();
    let phones = first.get("/sandbox/phones").await.1;
    first.stop().await;

    let second = Bench::start(seeded()).await;
    second.settings(json!({ "delivery": { "first_retry_ms": 1 } })).await;
    let pending = second.get("/sandbox/deliveries").await.1["data"][0]["id"].clone();
    let (status, _) = answer(second.request(Method::POST, &format!("/sandbox/deliveries/{pending}/redeliver"))).await;
    assert_eq!(status, 200);
    let moved = json!(sent).to_string().replace(&base_of(&sent), &second.base);
    let again = json!(sends(&second, 1_000).await).to_string();
    assert!(again == moved, "the sends are the same, at another address");
    until_delivered(&second).await;
    assert_eq!(second.get("/sandbox/history").await.1["id"], id);
    assert_eq!(second.get("/sandbox/phones").await.1, phones, "the phones are filled once");
    let mut all = recorder.all();
    let refused = all.remove(3);
    assert_eq!(all[3].bytes, refused.bytes);
    let mut keys = BTreeSet::new();
    for delivery in &all {
        for item in items(&delivery.bytes) {
            assert!(keys.insert(format!("{}@{:?}", item.key, item.entry_at)), "{} came twice", item.key);
        }
    }
    let total = second.get("/sandbox/history").await.1["events"]["total"].as_u64().unwrap();
    assert_eq!(keys.len() as u64, total);
    second.stop().await;
}

/// The address of the sandbox that the links of these sends lead to.
fn base_of(sends: &[Value]) -> String {
    let text = json!(sends).to_string();
    let end = text.find("/sandbox/public/").unwrap();
    text[..end].rsplit('"').next().unwrap().to_owned()
}

#[tokio::test]
async fn sends_are_requests_that_the_provider_accepts() {
    let (bench, _recorder) = Bench::with_recorder(Options { seed: Some(Seed::History), ..options() }).await;
    let sent = sends(&bench, 1_000).await;
    let (_, list) = bench.get(&format!("{TEMPLATES}?status=APPROVED")).await;
    let approved: BTreeSet<String> =
        list["data"].as_array().unwrap().iter().map(|record| record["uuid"].as_str().unwrap().to_owned()).collect();
    let mut tried = BTreeSet::new();
    for send in &sent {
        let Some(template) = send["template"].as_str().filter(|template| approved.contains(*template)) else {
            continue;
        };
        if tried.insert(template) {
            let path = format!("/messaging/provider/{}/send-message", send["number"].as_str().unwrap());
            let (status, body) = bench.post(&path, send["request"].clone()).await;
            assert_eq!(status, 200, "{body} for {send}");
        }
    }
    assert!(tried.len() >= 8, "{tried:?}");
    let (_, summary) = bench.get("/sandbox/history").await;
    assert_eq!(summary["batch"]["rows"].as_array().unwrap().len(), 250);
    assert!(summary["submissions"].as_array().unwrap().len() >= 10);
    assert!(summary["drafts"].as_array().unwrap().len() >= 2 && summary["recipients"].as_array().unwrap().len() >= 20);
    assert_eq!(sent.len() as u64, summary["sends"].as_u64().unwrap());
    bench.stop().await;
}

#[tokio::test]
async fn templates_have_ages_and_phones_show_conversations() {
    let bench = Bench::start(with_history()).await;
    let (_, list) = bench.get(TEMPLATES).await;
    let created: BTreeSet<&str> =
        list["data"].as_array().unwrap().iter().map(|record| record["created_at"].as_str().unwrap()).collect();
    assert!(created.len() >= 17, "{created:?}");
    let feedback = list["data"].as_array().unwrap().iter().find(|record| record["name"] == "feedback").unwrap();
    assert_eq!(feedback["previous_category"], "UTILITY");
    let phones = until("the phones are filled", async || {
        let (_, phones) = bench.get("/sandbox/phones").await;
        let phones = phones["data"].as_array().unwrap().clone();
        (!phones.is_empty()).then_some(phones)
    })
    .await;
    assert!(phones.len() >= 38, "{} phones", phones.len());
    let mut media = 0;
    for phone in phones {
        let (_, phone) = bench.get(&format!("/sandbox/phones/{}", phone["recipient"].as_str().unwrap())).await;
        let phone = phone.get("data").cloned().unwrap_or(phone);
        for item in phone["items"].as_array().unwrap() {
            let address = ["image", "document"].iter().find_map(|kind| item["content"][kind]["s3_url"].as_str());
            if let Some(address) = address {
                assert_eq!(bench.client.get(address).send().await.unwrap().status(), 200);
                media += 1;
            }
        }
    }
    assert!(media >= 6, "{media} files");
    bench.stop().await;
}

#[tokio::test]
async fn a_free_text_reaches_everybody_who_wrote_in_the_last_day() {
    let (bench, recorder) = Bench::with_recorder(with_history()).await;
    sends(&bench, 500).await;
    until_delivered(&bench).await;
    let lately = chrono::Utc::now().timestamp() - 23 * 60 * 60;
    let mut wrote = BTreeMap::new();
    for value in recorder.inbound() {
        let message = &value["messages"][0];
        if message["timestamp"].as_str().unwrap().parse::<i64>().unwrap() > lately {
            let (from, number) = (message["from"].as_str().unwrap(), value["metadata"]["phone_number_id"].as_str());
            wrote
                .insert(from.to_owned(), (number.unwrap().to_owned(), value["contacts"][0]["profile"]["name"].clone()));
        }
    }
    assert!(!wrote.is_empty());
    for (person, (number, name)) in wrote {
        let path = format!("/messaging/provider/{number}/send-message");
        let text = json!({"messaging_product": "messaging", "recipient_type": "individual", "to": person,
            "type": "text", "text": {"body": "Oi"}});
        let (status, sent) = bench.post(&path, text).await;
        assert_eq!(status, 200, "{sent}");
        let id = sent["messages"][0]["id"].clone();
        let outcome = until("the text has an outcome", async || {
            let phone = bench.get(&format!("/sandbox/phones/{person}")).await.1["data"].clone();
            assert_eq!(phone["name"], name);
            let shown = [&phone["items"], &phone["not_shown"]].map(|list| list.as_array().unwrap().clone()).concat();
            let ours = shown.into_iter().find(|item| item["message_id"] == id)?;
            ["failed", "delivered", "read"].contains(&ours["status"].as_str()?).then(|| ours["status"].clone())
        })
        .await;
        assert_ne!(outcome, "failed", "{person}");
    }
    bench.stop().await;
}

#[tokio::test]
async fn other_seeds_have_no_history() {
    for (seed, templates) in [(None, 0), (Some(Seed::Empty), 0), (Some(Seed::Samples), 18)] {
        let (bench, recorder) = Bench::with_recorder(Options { seed, ..options() }).await;
        assert_eq!(bench.get("/sandbox/history").await.0, 404);
        assert_eq!(bench.get("/sandbox/history/sends").await.0, 404);
        assert_eq!(bench.get(TEMPLATES).await.1["data"].as_array().unwrap().len(), templates);
        let (_, index) = bench.get("/sandbox").await;
        assert_eq!(index["wabas"].as_array().unwrap().len(), if seed.is_some() { 3 } else { 0 });
        assert!(recorder.all().is_empty());
        bench.stop().await;
    }
}
