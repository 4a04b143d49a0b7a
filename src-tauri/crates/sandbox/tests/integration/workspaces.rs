//! Several workspaces under one token, and edits in administrative context (contract §4.3).

use reqwest::Method;
use sandbox::Options;
use serde_json::{Value, json};

use crate::bench::{Bench, TEMPLATES, TOKEN, answer, assert_refused, message, options, send_path, template, until};

const OTHER: &str = "9b1d0f7a-93b3-4b1c-8f5e-3a2c4d5e6f70";
const UNDECLARED: &str = "00000000-0000-4000-8000-000000000000";

async fn in_other(bench: &Bench, method: Method, path: &str, body: Option<Value>) -> (u16, Value) {
    let request = bench.bare(method, path).bearer_auth(TOKEN).header("x-workspace-uuid", OTHER);
    answer(match body {
        Some(body) => request.json(&body),
        None => request,
    })
    .await
}

/// Waits until the first template of the other workspace may be edited.
async fn approved_there(bench: &Bench) {
    until("it is approved", async || {
        let (_, body) = in_other(bench, Method::GET, TEMPLATES, None).await;
        (body["data"][0]["status"] == "APPROVED").then_some(())
    })
    .await;
}

async fn start() -> Bench {
    Bench::start(Options { additional_workspaces: vec![OTHER.to_uppercase()], ..options() }).await
}

fn listed(body: &Value) -> Vec<&str> {
    body["data"].as_array().unwrap().iter().map(|record| record["name"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn each_workspace_has_its_own_templates() {
    let bench = start().await;
    let mine = bench.approved(template("mine")).await;
    let mut body = template("theirs");
    body["waba_ids"] = json!([2009]);
    let (status, created) = in_other(&bench, Method::POST, TEMPLATES, Some(body)).await;
    assert_eq!(status, 200, "{created}");
    let theirs = created["uuid"].as_str().unwrap();
    assert_eq!(listed(&bench.get(TEMPLATES).await.1), ["mine"]);
    assert_eq!(listed(&in_other(&bench, Method::GET, TEMPLATES, None).await.1), ["theirs"]);
    for action in ["archive", "unarchive"] {
        assert_refused(bench.post(&format!("{TEMPLATES}/{theirs}/{action}"), json!({})).await, 404, theirs);
        let (status, _) = in_other(&bench, Method::POST, &format!("{TEMPLATES}/{mine}/{action}"), None).await;
        assert_eq!(status, 404);
    }
    assert_refused(answer(bench.request(Method::DELETE, &format!("{TEMPLATES}/{theirs}"))).await, 404, theirs);
    let (status, refused) = in_other(&bench, Method::POST, &send_path(), Some(message("mine", "5511988887777"))).await;
    assert_eq!((status, &refused["code"]), (400, &json!(132_001)));
    let unknown = bench.bare(Method::GET, TEMPLATES).bearer_auth(TOKEN).header("x-workspace-uuid", UNDECLARED);
    assert_refused(answer(unknown).await, 401, UNDECLARED);
}

#[tokio::test]
async fn an_administrator_edits_a_template_of_another_workspace() {
    let bench = start().await;
    let mine = bench.approved(template("mine")).await;
    let (_, created) = in_other(&bench, Method::POST, TEMPLATES, Some(template("theirs"))).await;
    let theirs = created["uuid"].as_str().unwrap();
    let path = format!("{TEMPLATES}/{theirs}");
    approved_there(&bench).await;
    let edit = |workspace: &str, is_administrator: Value| json!({ "sub_category": "X", "workspace_uuid": workspace, "is_administrator": is_administrator });
    assert_refused(bench.put(&path, json!({ "sub_category": "X" })).await, 404, theirs);
    for no in [Value::Null, json!(false)] {
        assert_refused(bench.put(&path, edit(OTHER, no)).await, 400, "workspace_uuid");
    }
    let (status, edited) = bench.put(&path, edit(OTHER, json!(true))).await;
    assert_eq!((status, &edited["data"]["sub_category"]), (200, &json!("X")), "{edited}");
    let my_path = format!("{TEMPLATES}/{mine}");
    assert_refused(bench.put(&my_path, edit(OTHER, json!(true))).await, 404, &mine);
    assert_refused(bench.put(&my_path, edit("elsewhere", json!(true))).await, 400, "workspace_uuid");
    // In a form, where every value is text.
    approved_there(&bench).await;
    let form = reqwest::multipart::Form::new()
        .text("sub_category", "Y")
        .text("workspace_uuid", OTHER)
        .text("is_administrator", "true");
    let (status, edited) = answer(bench.request(Method::PUT, &path).multipart(form)).await;
    assert_eq!((status, &edited["data"]["sub_category"]), (200, &json!("Y")), "{edited}");
}

#[tokio::test]
async fn an_administrator_may_use_an_undeclared_workspace() {
    let bench = start().await;
    let mine = bench.approved(template("mine")).await;
    let path = format!("{TEMPLATES}/{mine}");
    let edit = json!({ "sub_category": "X", "workspace_uuid": UNDECLARED, "is_administrator": true });
    bench.settings(json!({ "adopt_unknown": false })).await;
    assert_refused(bench.put(&path, edit.clone()).await, 400, "workspace_uuid");
    bench.settings(json!({ "adopt_unknown": true })).await;
    let (status, edited) = bench.put(&path, edit).await;
    assert_eq!((status, &edited["data"]["sub_category"]), (200, &json!("X")), "{edited}");
}
