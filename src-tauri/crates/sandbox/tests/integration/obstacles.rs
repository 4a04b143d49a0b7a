//! Obstacles: the response that a client gets for a failing operation on a template.

use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

use crate::bench::{Bench, TEMPLATES, answer, assert_refused, options, template};

fn operation(bench: &Bench, uuid: &str, operation: &str) -> RequestBuilder {
    match operation {
        "edit" => {
            let components = json!([{ "type": "BODY", "text": "Another text." }]);
            bench.request(Method::PUT, &format!("{TEMPLATES}/{uuid}")).json(&json!({ "components": components }))
        }
        "delete" => bench.request(Method::DELETE, &format!("{TEMPLATES}/{uuid}")),
        other => bench.request(Method::POST, &format!("{TEMPLATES}/{uuid}/{other}")),
    }
}

async fn refuse(bench: &Bench, uuid: &str, obstacle: Value) {
    let (status, body) = bench.post(&format!("/sandbox/templates/{uuid}/refuse"), obstacle.clone()).await;
    assert_eq!((status, &body["data"]), (200, &obstacle));
}

#[tokio::test]
async fn an_operation_fails_the_configured_number_of_times() {
    let bench = Bench::start(options()).await;
    let uuid = bench.approved(template("one")).await;
    let other = bench.approved(template("two")).await;
    for (name, operations) in
        [("edit", json!(["edit"])), ("archive", json!(["archive", "edit"])), ("unarchive", json!(["unarchive"]))]
    {
        refuse(&bench, &uuid, json!({ "operations": operations, "status": 500, "times": 2, "code": 2 })).await;
        let before = bench.record(&uuid).await;
        for _ in 0..2 {
            let (status, body) = answer(operation(&bench, &uuid, name)).await;
            assert_eq!((status, &body["code"]), (500, &json!(2)), "{name}");
            assert!(body["message"].is_string() && body["details"].is_string(), "{body}");
            assert_eq!(bench.record(&uuid).await, before, "{name}");
        }
        assert_eq!(answer(operation(&bench, &uuid, name)).await.0, 200, "{name}");
    }
    refuse(&bench, &uuid, json!({ "operations": ["delete"], "status": 403, "message": "Not you" })).await;
    for name in ["archive", "unarchive"] {
        assert_eq!(answer(operation(&bench, &uuid, name)).await.0, 200, "{name} is another operation");
    }
    for _ in 0..3 {
        let (status, body) = answer(operation(&bench, &uuid, "delete")).await;
        assert_eq!((status, &body["message"]), (403, &json!("Not you")));
    }
    assert_eq!(answer(operation(&bench, &other, "delete")).await.0, 200, "another template");
    let path = format!("/sandbox/templates/{uuid}/refuse");
    assert_eq!(answer(bench.request(Method::DELETE, &path)).await, (200, json!({ "data": null })));
    assert_eq!(answer(operation(&bench, &uuid, "delete")).await.0, 200);
    assert_refused(answer(operation(&bench, &uuid, "delete")).await, 404, "");
}

#[tokio::test]
async fn templates_can_return_rate_limits() {
    let bench = Bench::start(options()).await;
    let (one, two) = (bench.approved(template("one")).await, bench.approved(template("two")).await);
    let slow = json!({ "operations": ["archive"], "status": 429, "times": 2, "retry_after": 7 });
    refuse(&bench, "*", slow).await;
    refuse(&bench, &two, json!({ "operations": ["archive"], "status": 400, "times": 1 })).await;
    let response = operation(&bench, &one, "archive").send().await.unwrap();
    assert_eq!((response.status().as_u16(), &response.headers()["retry-after"]), (429, &"7".parse().unwrap()));
    assert_eq!(answer(operation(&bench, &two, "archive")).await.0, 400, "its own goes before that of all");
    assert_eq!(answer(operation(&bench, &two, "archive")).await.0, 429);
    assert_eq!(answer(operation(&bench, &two, "archive")).await.0, 200);
    assert_eq!(answer(operation(&bench, &one, "archive")).await.0, 200);
}

#[tokio::test]
async fn invalid_obstacles_are_refused_at_their_field() {
    let bench = Bench::start(options()).await;
    let uuid = bench.approved(template("one")).await;
    for (body, field) in [
        (json!({ "operations": [], "status": 500 }), "operations"),
        (json!({ "operations": ["archive"], "status": 200 }), "status"),
        (json!({ "operations": ["archive"], "status": 600 }), "status"),
        (json!({ "operations": ["archive"], "status": 500, "times": 0 }), "times"),
        (json!({ "operations": ["archive"], "status": 500, "often": 1 }), "often"),
        (json!({ "status": 500 }), "operations"),
    ] {
        assert_refused(bench.post(&format!("/sandbox/templates/{uuid}/refuse"), body).await, 400, field);
    }
    let unknown = "/sandbox/templates/00000000-0000-4000-8000-000000000000/refuse";
    let (status, _) = bench.post(unknown, json!({ "operations": ["archive"], "status": 500 })).await;
    assert_eq!(status, 404);
    assert_eq!(answer(operation(&bench, &uuid, "archive")).await.0, 200, "nothing was set");
}
