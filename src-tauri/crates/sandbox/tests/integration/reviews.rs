//! Contract §3.1 and §6.5: the outcome for a pending template, and its event.

use sandbox::{Options, Profile, ReviewPolicy};
use serde_json::{Value, json};

use crate::bench::{Bench, Recorder, TEMPLATES, assert_refused, options, template, until};

fn flawed(name: &str) -> Value {
    let mut body = template(name);
    body["components"][0]["text"] = json!("Duas vari\u{e1}veis {{1}}{{2}} que se tocam aqui.");
    body
}

async fn event(recorder: &Recorder, name: &str, event: &str) -> Value {
    until(&format!("{event} of {name}"), async || {
        recorder.changes().into_iter().find_map(|(field, value)| {
            let wanted = value["message_template_name"] == name && value["event"] == event;
            (field == "message_template_status_update" && wanted).then_some(value)
        })
    })
    .await
}

#[tokio::test]
async fn each_policy_has_its_outcome() {
    for (policy, good, bad) in [
        (ReviewPolicy::Auto, "APPROVED", "REJECTED"),
        (ReviewPolicy::Approve, "APPROVED", "APPROVED"),
        (ReviewPolicy::Reject, "REJECTED", "REJECTED"),
    ] {
        let (bench, recorder) = Bench::with_recorder(Options { review: policy, ..options() }).await;
        for (body, outcome) in [(template("good"), good), (flawed("bad"), bad)] {
            let name = body["name"].as_str().unwrap().to_owned();
            let uuid = bench.create(body).await;
            let record = bench.until_status(&uuid, outcome).await;
            let value = event(&recorder, &name, outcome).await;
            assert_eq!(value["message_template_id"].as_u64().unwrap().to_string(), record["id"], "{policy:?}");
            assert_eq!(value["message_template_language"], "pt_BR");
            assert_eq!(value["message_template_category"], "UTILITY");
            if outcome == "REJECTED" {
                assert_eq!(value["reason"], "INVALID_FORMAT");
                assert!(value["rejection_info"]["reason"].is_string(), "{value}");
                assert!(value["rejection_info"]["recommendation"].is_string(), "{value}");
                assert_eq!(record["rejected_reason"], "INVALID_FORMAT");
                assert_eq!(record["rejection_info"], value["rejection_info"]);
            } else {
                assert_eq!(value["reason"], "NONE");
                assert!(value.get("rejection_info").is_none());
            }
        }
    }
}

#[tokio::test]
async fn an_automatic_rejection_names_the_field() {
    let (bench, recorder) = Bench::with_recorder(options()).await;
    bench.create(flawed("flawed")).await;
    let value = event(&recorder, "flawed", "REJECTED").await;
    let recommendation = value["rejection_info"]["recommendation"].as_str().unwrap();
    assert!(recommendation.contains("components[0].text"), "{recommendation}");
}

#[tokio::test]
async fn a_rejected_template_is_approved_once_it_is_corrected() {
    let (bench, recorder) = Bench::with_recorder(options()).await;
    let uuid = bench.create(flawed("mended")).await;
    let record = bench.until_status(&uuid, "REJECTED").await;
    assert!(record["rejection_info"].is_object());
    let path = format!("{TEMPLATES}/{uuid}");
    // A partly corrected template is rejected again, with its own explanation.
    let body = |text: &str| json!({ "components": [{ "type": "BODY", "text": text }] });
    let (status, answer) = bench.put(&path, body("Um n\u{fa}mero {{1}} sem exemplo, no meio das palavras.")).await;
    assert_eq!((status, &answer["data"]["status"]), (200, &json!("PENDING")));
    assert_eq!(answer["data"]["rejected_reason"], "NONE");
    assert!(answer["data"].get("rejection_info").is_none(), "{answer}");
    let again = bench.until_status(&uuid, "REJECTED").await;
    let advice = again["rejection_info"]["recommendation"].as_str().unwrap();
    assert!(advice.contains("components[0].example.body_text[0][0]"), "{advice}");
    assert_eq!(bench.put(&path, body("Nenhum n\u{fa}mero, s\u{f3} palavras.")).await.0, 200);
    let record = bench.until_status(&uuid, "APPROVED").await;
    assert_eq!(record["rejected_reason"], "NONE");
    let events: Vec<Value> = until("five events", async || {
        let events: Vec<Value> = recorder.changes().into_iter().map(|(_, value)| value["event"].clone()).collect();
        (events.len() == 5).then_some(events)
    })
    .await;
    assert_eq!(events, ["REJECTED", "PENDING", "REJECTED", "PENDING", "APPROVED"]);
}

#[tokio::test]
async fn reject_once_rejects_one_template() {
    let bench = Bench::start(Options { review: ReviewPolicy::RejectOnce, ..options() }).await;
    assert_eq!(bench.get("/sandbox/settings").await.1["review"], "reject_once");
    let uuid = bench.create(template("tried")).await;
    let record = bench.until_status(&uuid, "REJECTED").await;
    assert_eq!(record["rejected_reason"], "INVALID_FORMAT");
    let advice = record["rejection_info"]["recommendation"].as_str().unwrap();
    assert!(advice.contains("`components[0].text`"), "{advice}");
    assert_eq!(bench.get("/sandbox/settings").await.1["review"], "auto");
    bench.approved(template("after_it")).await;
    let edit = json!({ "components": [{ "type": "BODY", "text": "Outro texto, sem vari\u{e1}veis." }] });
    assert_eq!(bench.put(&format!("{TEMPLATES}/{uuid}"), edit).await.0, 200);
    bench.until_status(&uuid, "APPROVED").await;

    // A strict reviewer objects to the warnings of the rules first.
    bench.settings(json!({ "review": "reject_once" })).await;
    let mut doubtful = template("doubtful");
    doubtful["components"][0]["text"] = json!("Veja https://bit.ly/flores, {{1}}: o pedido {{2}} chegou bem hoje.");
    let uuid = bench.create(doubtful).await;
    let record = bench.until_status(&uuid, "REJECTED").await;
    assert!(record["rejection_info"]["reason"].as_str().unwrap().contains("bit.ly"), "{record}");
}

#[tokio::test]
async fn reject_once_does_not_affect_pending_templates() {
    let bench = Bench::start(Options { review: ReviewPolicy::Manual, ..options() }).await;
    let waiting = bench.create(template("waiting")).await;
    bench.settings(json!({ "review": "reject_once" })).await;
    let next = bench.create(template("next")).await;
    bench.until_status(&next, "REJECTED").await;
    bench.until_status(&waiting, "APPROVED").await;
}

#[tokio::test]
async fn the_reason_of_a_rejection_can_be_chosen() {
    let (bench, recorder) = Bench::with_recorder(Options { review: ReviewPolicy::Reject, ..options() }).await;
    bench.settings(json!({ "rejection_reason": "PROMOTIONAL" })).await;
    let uuid = bench.create(template("loud")).await;
    let record = bench.until_status(&uuid, "REJECTED").await;
    assert_eq!(record["rejected_reason"], "PROMOTIONAL");
    let value = event(&recorder, "loud", "REJECTED").await;
    assert_eq!(value["reason"], "PROMOTIONAL");
    assert!(value.get("rejection_info").is_none(), "words come with INVALID_FORMAT only: {value}");
    assert_refused(bench.put("/sandbox/settings", json!({ "rejection_reason": " " })).await, 400, "rejection_reason");
}

#[tokio::test]
async fn template_events_are_sent_for_each_waba() {
    let (bench, recorder) = Bench::with_recorder(options()).await;
    let mut body = template("everywhere");
    body["waba_ids"] = json!([2001, 2002]);
    bench.approved(body).await;
    let entries = until("both entries", async || {
        let entries: Vec<Value> =
            recorder.all().iter().flat_map(|received| received.json()["entry"].as_array().unwrap().clone()).collect();
        (entries.len() == 2).then_some(entries)
    })
    .await;
    let mut wabas: Vec<&str> = entries.iter().map(|entry| entry["id"].as_str().unwrap()).collect();
    wabas.sort_unstable();
    assert_eq!(wabas, ["2001", "2002"]);
    assert!(entries.iter().all(|entry| entry["time"].is_u64()));
    let ids: Vec<&Value> = entries.iter().map(|entry| &entry["changes"][0]["value"]["message_template_id"]).collect();
    assert_ne!(ids[0], ids[1]);
}

#[tokio::test]
async fn the_manual_policy_waits_for_a_decision() {
    let (bench, recorder) = Bench::with_recorder(Options { review: ReviewPolicy::Manual, ..options() }).await;
    let uuid = bench.create(template("decided")).await;
    let path = format!("/sandbox/templates/{uuid}/decision");
    for (decision, status) in [
        (json!({ "event": "REJECTED", "reason": "SCAM" }), "REJECTED"),
        (json!({ "event": "APPROVED" }), "APPROVED"),
        (json!({ "event": "FLAGGED", "disable_info": { "disable_date": 1_800_000_000 } }), "APPROVED"),
        (json!({ "event": "PAUSED", "other_info": { "title": "FIRST_PAUSE", "description": "d" } }), "PAUSED"),
        (json!({ "event": "REINSTATED" }), "APPROVED"),
        (json!({ "event": "DISABLED" }), "DISABLED"),
        (json!({ "event": "PENDING" }), "PENDING"),
        (json!({ "event": "SOMETHING_NEW" }), "SOMETHING_NEW"),
    ] {
        let (code, body) = bench.post(&path, decision.clone()).await;
        assert_eq!(code, 200, "{body}");
        assert_eq!(body["data"]["status"], status, "after {decision}");
        let value = event(&recorder, "decided", decision["event"].as_str().unwrap()).await;
        for (key, wanted) in decision.as_object().unwrap() {
            assert_eq!(&value[key], wanted, "{key}");
        }
    }
    assert_refused(bench.post(&path, json!({ "reason": "x" })).await, 400, "event");
    assert_refused(bench.post(&path, json!({ "event": "APPROVED", "reasons": "x" })).await, 400, "reasons");
    let unknown = "/sandbox/templates/00000000-0000-4000-8000-000000000000/decision";
    assert_refused(bench.post(unknown, json!({ "event": "APPROVED" })).await, 404, "00000000");
}

#[tokio::test]
async fn a_wrong_category_is_changed_with_an_event() {
    let (bench, recorder) = Bench::with_recorder(Options { review: ReviewPolicy::Manual, ..options() }).await;
    let uuid = bench.create(template("moved")).await;
    let path = format!("/sandbox/templates/{uuid}/decision");
    let (_, body) = bench.post(&path, json!({ "event": "APPROVED", "new_category": "MARKETING" })).await;
    assert_eq!(body["data"]["category"], "marketing");
    let value = event(&recorder, "moved", "APPROVED").await;
    assert_eq!(value["message_template_category"], "MARKETING");
    let change = until("the change of category", async || {
        recorder.changes().into_iter().find_map(|(field, value)| (field == "template_category_update").then_some(value))
    })
    .await;
    assert_eq!(change["previous_category"], "UTILITY");
    assert_eq!(change["new_category"], "MARKETING");
}

#[tokio::test]
async fn a_new_policy_applies_to_pending_templates() {
    let bench = Bench::start(Options { review: ReviewPolicy::Manual, ..options() }).await;
    let uuid = bench.create(template("waited")).await;
    assert_eq!(bench.record(&uuid).await.unwrap()["status"], "PENDING");
    bench.settings(json!({ "review": "approve" })).await;
    bench.until_status(&uuid, "APPROVED").await;
}

#[tokio::test]
async fn named_variables_without_their_format_are_rejected() {
    let body = |name: &str| {
        json!({"waba_ids": [102_290_129_340_398_u64], "name": name, "language": "pt_BR", "category": "utility",
            "components": [{"type": "BODY", "text": "Ol\u{e1} {{first_name}}, a visita \u{e9} hoje mesmo.",
                "example": {"body_text_named_params": [{"param_name": "first_name", "example": "Ana"}]}}]})
    };
    for profile in [Profile::Whatsapp, Profile::Minimal] {
        let bench = Bench::start(Options { profile, ..options() }).await;
        let create = async |body: Value| {
            let (status, answer) = bench.post(TEMPLATES, body).await;
            assert_eq!(status, 200, "{answer}");
            let uuid = answer["uuid"].as_str().or_else(|| answer["data"]["uuid"].as_str());
            uuid.unwrap().to_owned()
        };
        let uuid = create(body("without")).await;
        let record = bench.until_status(&uuid, "REJECTED").await;
        assert_eq!(record.get("parameter_format"), None, "{record}");
        let mut with_format = body("with");
        with_format["parameter_format"] = json!("NAMED");
        let uuid = create(with_format).await;
        let record = bench.until_status(&uuid, "APPROVED").await;
        assert_eq!(record["parameter_format"], "NAMED");
        assert_eq!(record.get("type"), None, "what was not sent is not listed: {record}");
    }
}
