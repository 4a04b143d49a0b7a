//! The profile `agency`, and statuses that differ between the WABAs of a template.

use std::collections::BTreeSet;

use reqwest::Method;
use sandbox::{Options, Profile, Seed};
use serde_json::{Value, json};

use crate::bench::{Bench, Recorder, TEMPLATES, answer, assert_refused, options, template, until};

const RECIPIENT: &str = "5511988887777";
/// A template in three WABAs, which are approved, paused and rejected.
const DIFFERING: &str = "loyalty_points";

fn agency() -> Options {
    Options { profile: Profile::Agency, seed: Some(Seed::Samples), adopt_unknown: false, ..options() }
}

async fn named(bench: &Bench, name: &str) -> Vec<Value> {
    let (_, listed) = bench.get(&format!("{TEMPLATES}?search={name}")).await;
    listed["data"].as_array().unwrap().clone()
}

/// The numbers of each WABA.
async fn numbers(bench: &Bench) -> Vec<(u64, String)> {
    let (_, index) = bench.get("/sandbox").await;
    let wabas = index["wabas"].as_array().unwrap().iter();
    wabas.map(|waba| (waba["id"].as_u64().unwrap(), waba["numbers"][0]["id"].as_str().unwrap().to_owned())).collect()
}

/// The status of a send from a number, and the channel's code.
async fn send(bench: &Bench, number: &str, parameters: &[&str]) -> (u16, Value) {
    let parameters: Vec<Value> = parameters.iter().map(|text| json!({ "type": "text", "text": text })).collect();
    let message = json!({
        "messaging_product": "messaging", "to": RECIPIENT, "type": "template",
        "template": {
            "name": DIFFERING, "language": { "code": "pt_BR" },
            "components": [{ "type": "body", "parameters": parameters }],
        },
    });
    let (status, body) = bench.post(&format!("/messaging/provider/{number}/send-message"), message).await;
    (status, body["code"].clone())
}

/// The last event about a template in a WABA, as its entry names it.
fn event_in(recorder: &Recorder, waba: u64, name: &str) -> Option<Value> {
    let entries = recorder.all().into_iter().flat_map(|received| received.json()["entry"].as_array().unwrap().clone());
    let id = json!(waba.to_string());
    let of_waba = entries.filter(|entry| entry["id"] == id);
    let values =
        of_waba.flat_map(|entry| entry["changes"].as_array().unwrap().clone()).map(|mut change| change["value"].take());
    values.filter(|value| value["message_template_name"] == name).last()
}

#[tokio::test]
async fn it_has_accounts_of_two_businesses_with_a_number_each() {
    let bench = Bench::start(agency()).await;
    let (_, index) = bench.get("/sandbox").await;
    let wabas: Vec<(&str, &str)> = index["wabas"]
        .as_array()
        .unwrap()
        .iter()
        .map(|waba| (waba["name"].as_str().unwrap(), waba["business_id"].as_str().unwrap()))
        .collect();
    let (flowers, clinic) = (sandbox::seed::BUSINESS, sandbox::seed::OTHER_BUSINESS);
    assert_eq!(
        wabas,
        [
            ("Ip\u{ea} Flores", flowers),
            ("Ip\u{ea} Flores Atacado", flowers),
            ("Cl\u{ed}nica Aurora", clinic),
            ("Ip\u{ea} Flores Eventos", flowers),
        ]
    );
    let numbers: BTreeSet<String> = numbers(&bench).await.into_iter().map(|(_, number)| number).collect();
    assert_eq!(numbers.len(), 4);
    // The other profiles keep their three.
    let other = Bench::start(Options { profile: Profile::Whatsapp, ..agency() }).await;
    assert_eq!(other.get("/sandbox").await.1["wabas"].as_array().unwrap().len(), 3);
    assert!(named(&other, DIFFERING).await.is_empty());
}

/// Contract §2.1: the WABAs of a template are inside one business manager.
#[tokio::test]
async fn templates_are_in_one_two_and_three_accounts_of_one_business() {
    for seed in [Seed::Samples, Seed::History] {
        let bench = Bench::start(Options { seed: Some(seed), ..agency() }).await;
        let (_, listed) = bench.get(TEMPLATES).await;
        let records = listed["data"].as_array().unwrap();
        let sizes: BTreeSet<usize> =
            records.iter().map(|record| record["waba_ids"].as_array().unwrap().len()).collect();
        assert_eq!(sizes.into_iter().collect::<Vec<_>>(), [1, 2, 3]);
        let (_, index) = bench.get("/sandbox").await;
        let owner = |waba: &Value| index["wabas"].as_array().unwrap().iter().find(|of| of["id"] == *waba).unwrap();
        for record in records {
            for waba in record["waba_ids"].as_array().unwrap() {
                assert_eq!(owner(waba)["business_id"], record["business_id"], "{}", record["name"]);
            }
        }
    }
    // As the channel, it creates none in two businesses.
    let bench = Bench::start(agency()).await;
    let mut body = template("both");
    body["waba_ids"] = json!([sandbox::seed::THIRD_WABA, sandbox::seed::OTHER_WABA]);
    assert_refused(bench.post(TEMPLATES, body).await, 400, "waba_ids[1]");
}

/// The records and refusals are those of the profile `whatsapp`.
#[tokio::test]
async fn it_is_as_strict_and_as_detailed_as_the_channel() {
    let (agency, whatsapp) =
        (Bench::start(agency()).await, Bench::start(Options { profile: Profile::Whatsapp, ..agency() }).await);
    let fields = async |bench: &Bench| {
        let records = bench.get(TEMPLATES).await.1["data"].as_array().unwrap().clone();
        let spring = records.into_iter().find(|record| record["name"] == "spring_sale").unwrap();
        spring.as_object().unwrap().keys().cloned().collect::<Vec<_>>()
    };
    assert_eq!(fields(&agency).await, fields(&whatsapp).await);
    let mut flawed = template("flawed");
    flawed["waba_ids"] = json!([sandbox::seed::WABA]);
    flawed["components"][0]["text"] = json!("{{1}} e {{2}}");
    let refused = agency.post(TEMPLATES, flawed.clone()).await;
    assert_eq!(refused.0, 400);
    assert_eq!(refused, whatsapp.post(TEMPLATES, flawed).await);
}

#[tokio::test]
async fn the_status_differs_by_account() {
    let (bench, recorder) = Bench::with_recorder(agency()).await;
    let record = named(&bench, DIFFERING).await.remove(0);
    assert_eq!(record["status"], "APPROVED");
    let [first, second, third] = [0, 1, 2].map(|index| record["waba_ids"][index].as_u64().unwrap());
    for (waba, status, reason) in [(second, "PAUSED", "NONE"), (third, "REJECTED", "TAG_CONTENT_MISMATCH")] {
        let value = until(status, async || event_in(&recorder, waba, DIFFERING)).await;
        assert_eq!((&value["event"], &value["reason"]), (&json!(status), &json!(reason)));
        assert_eq!(
            value["message_template_id"].to_string(),
            record["template_ids"][waba.to_string()].as_str().unwrap()
        );
    }
    assert_eq!(event_in(&recorder, first, DIFFERING), None, "nothing changed there");
    // A record has one status, with no field for others.
    assert_eq!(named(&bench, DIFFERING).await[0]["status"], "APPROVED");
    for (waba, number) in numbers(&bench).await {
        let wanted = match waba {
            of if of == first => (200, Value::Null),
            of if of == second => (400, json!(132_015)),
            _ => (400, json!(132_001)),
        };
        assert_eq!(send(&bench, &number, &["Ana", "120"]).await, wanted, "{waba}");
    }
    // The same name in an account of another business is another record, with its own status.
    let reminders = named(&bench, "visit_reminder").await;
    let standing: Vec<_> = reminders.iter().map(|record| (&record["business_id"], &record["status"])).collect();
    let (flowers, clinic) = (json!(sandbox::seed::BUSINESS), json!(sandbox::seed::OTHER_BUSINESS));
    assert_eq!(standing, [(&clinic, &json!("PENDING")), (&flowers, &json!("APPROVED"))]);
}

#[tokio::test]
async fn a_decision_is_about_one_account() {
    let (bench, recorder) = Bench::with_recorder(Options { review: sandbox::ReviewPolicy::Manual, ..options() }).await;
    let mut body = template("decided");
    body["waba_ids"] = json!([2001, 2002]);
    let uuid = bench.create(body).await;
    let path = format!("/sandbox/templates/{uuid}/decision");
    let decide = async |decision: Value| bench.post(&path, decision).await;
    let (status, body) = decide(json!({ "event": "APPROVED", "waba_id": 2002 })).await;
    assert_eq!((status, &body["data"]["status"]), (200, &json!("PENDING")), "the record shows the first one");
    until("approved", async || event_in(&recorder, 2002, "decided")).await;
    assert_eq!(event_in(&recorder, 2001, "decided"), None);
    // In review in one account, so it cannot be edited.
    let edit = json!({ "components": [{ "type": "BODY", "text": "Um texto novo." }] });
    assert_refused(bench.put(&format!("{TEMPLATES}/{uuid}"), edit.clone()).await, 409, "PENDING");
    // The review decides where it is pending.
    bench.settings(json!({ "review": "reject" })).await;
    bench.until_status(&uuid, "REJECTED").await;
    let rejected = until("rejected", async || event_in(&recorder, 2001, "decided")).await;
    assert_eq!(rejected["event"], "REJECTED");
    assert_eq!(event_in(&recorder, 2002, "decided").unwrap()["event"], "APPROVED");
    // One for all of them.
    let (_, body) = decide(json!({ "event": "PAUSED" })).await;
    assert_eq!(body["data"]["status"], "PAUSED");
    until("paused", async || event_in(&recorder, 2002, "decided").filter(|value| value["event"] == "PAUSED")).await;
    bench.settings(json!({ "review": "manual" })).await;
    assert_eq!(bench.put(&format!("{TEMPLATES}/{uuid}"), edit).await.0, 200);

    for (decision, field) in [
        (json!({ "event": "APPROVED", "waba_id": 2003 }), "2001, 2002"),
        (json!({ "event": "ARCHIVED", "waba_id": 2001 }), "waba_id"),
        (json!({ "event": "APPROVED", "waba_id": 2001, "new_category": "MARKETING" }), "new_category"),
    ] {
        assert_refused(decide(decision).await, 400, field);
    }
}

#[tokio::test]
async fn differing_statuses_survive_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let state = Options { state_file: Some(folder.path().join("state.json")), ..agency() };
    let bench = Bench::start(state.clone()).await;
    let numbers = numbers(&bench).await;
    named(&bench, DIFFERING).await;
    let paused = async |bench: &Bench| send(bench, &numbers[1].1, &["Ana", "120"]).await;
    until("paused", async || (paused(&bench).await.1 == 132_015).then_some(())).await;
    bench.stop().await;
    let bench = Bench::start(state).await;
    assert_eq!(paused(&bench).await, (400, json!(132_015)));
    let (status, _) = answer(bench.request(Method::GET, "/sandbox")).await;
    assert_eq!(status, 200);
    bench.stop().await;
}
