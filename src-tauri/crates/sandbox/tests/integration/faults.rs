//! Faults: the response that a client gets although its request was carried out, and the counts of carried-out
//! requests.

use reqwest::{Method, RequestBuilder};
use sandbox::{Options, Profile};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::bench::{Bench, TEMPLATES, TOKEN, WORKSPACE, answer, assert_refused, message, options, send_path, template};

const RECIPIENT: &str = "5511988887777";

/// The client's view of a response: status, `Retry-After` and body, or `None` without a response.
async fn outcome(request: RequestBuilder) -> Option<(u16, Option<String>, String)> {
    let response = request.send().await.ok()?;
    let status = response.status().as_u16();
    let retry_after = response.headers().get("retry-after").map(|value| value.to_str().unwrap().to_owned());
    Some((status, retry_after, response.text().await.unwrap()))
}

async fn set(bench: &Bench, fault: Value) {
    let (status, body) = bench.post("/sandbox/faults", fault).await;
    assert_eq!(status, 200, "{body}");
}

async fn counts(bench: &Bench, recipient: &str) -> (Value, Value) {
    let (_, body) = bench.get("/sandbox/counts").await;
    let count = &body["recipients"][recipient];
    (count["requests"].clone(), count["messages"].clone())
}

/// A status and its `Retry-After`.
type Answered = (u16, Option<String>);

/// The answers of faults and the responses that the client gets.
fn answers() -> [(Value, Option<Answered>); 8] {
    let status = |status: u16| (json!({ "answer": status }), Some((status, None)));
    [
        (json!({ "answer": "cut" }), None),
        status(500),
        status(502),
        status(503),
        (json!({ "answer": 503, "retry_after": 2 }), Some((503, Some("2".to_owned())))),
        status(504),
        status(520),
        status(408),
    ]
}

#[tokio::test]
async fn a_request_is_carried_out_before_its_answer_is_lost() {
    for profile in [Profile::Whatsapp, Profile::Minimal] {
        let bench = Bench::start(Options { profile, ..options() }).await;
        for (round, (fault, wanted)) in answers().into_iter().enumerate() {
            let name = format!("round_{round}");
            let lost = async |operation: &str, request: RequestBuilder| {
                let mut fault = fault.clone();
                fault["operations"] = json!([operation]);
                fault["times"] = json!(1);
                set(&bench, fault).await;
                let got = outcome(request).await.map(|(status, retry_after, body)| {
                    assert_eq!(body, "", "{operation} under {status}");
                    (status, retry_after)
                });
                assert_eq!(got, wanted, "{operation} in round {round}");
                assert_eq!(bench.get("/sandbox/faults").await.1["data"], json!([]), "it was for one request");
            };
            lost("create", bench.request(Method::POST, TEMPLATES).json(&template(&name))).await;
            let (_, listed) = bench.get(&format!("{TEMPLATES}?search={name}")).await;
            let uuid = listed["data"][0]["uuid"].as_str().expect("it was created").to_owned();
            bench.until_status(&uuid, "APPROVED").await;

            let recipient = format!("55119888877{round:02}");
            lost("send", bench.request(Method::POST, &send_path()).json(&message(&name, &recipient))).await;
            assert_eq!(counts(&bench, &recipient).await, (json!(1), json!(1)));

            let path = format!("{TEMPLATES}/{uuid}");
            let components = json!([{ "type": "BODY", "text": format!("Um texto novo em {name}.") }]);
            lost("edit", bench.request(Method::PUT, &path).json(&json!({ "components": components }))).await;
            assert_eq!(bench.until_status(&uuid, "APPROVED").await["components"], components);

            bench.settings(json!({ "minimal": { "archived": false } })).await;
            let is_listed_as_active = async || {
                bench.record(&uuid).await.is_some_and(|record| record.get("archived").is_none_or(|flag| flag == false))
            };
            lost("archive", bench.request(Method::POST, &format!("{path}/archive"))).await;
            assert!(!is_listed_as_active().await);
            lost("unarchive", bench.request(Method::POST, &format!("{path}/unarchive"))).await;
            assert!(is_listed_as_active().await);
            lost("delete", bench.request(Method::DELETE, &path)).await;
            assert_eq!(bench.record(&uuid).await, None);
        }
    }
}

/// No byte of the response is sent: a client can't mistake a part of it for a response.
#[tokio::test]
async fn a_dropped_connection_returns_no_byte() {
    let bench = Bench::start(options()).await;
    bench.approved(template("cut")).await;
    set(&bench, json!({ "operations": ["send"], "answer": "cut" })).await;
    let body = message("cut", RECIPIENT).to_string();
    let host = bench.base.trim_start_matches("http://");
    let mut stream = TcpStream::connect(host).await.unwrap();
    let request = format!(
        "POST {} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {TOKEN}\r\nx-workspace-uuid: {WORKSPACE}\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        send_path(),
        body.len()
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answered = Vec::new();
    let ended = stream.read_to_end(&mut answered).await;
    assert!(ended.is_err() || answered.is_empty(), "{}", String::from_utf8_lossy(&answered));
    assert!(answered.is_empty());
    assert_eq!(counts(&bench, RECIPIENT).await, (json!(1), json!(1)));
    // Other connections still work.
    assert_eq!(bench.get("/sandbox/faults").await.0, 200);
}

#[tokio::test]
async fn a_fault_affects_only_its_operations() {
    let bench = Bench::start(options()).await;
    let one = bench.approved(template("one")).await;
    let other = bench.approved(template("other")).await;
    set(&bench, json!({ "operations": ["send"], "answer": 502, "recipient": RECIPIENT, "times": 2 })).await;
    set(&bench, json!({ "operations": ["archive", "delete"], "answer": 504, "template": one })).await;
    let send =
        async |to: &str| outcome(bench.request(Method::POST, &send_path()).json(&message("one", to))).await.unwrap().0;
    assert_eq!(send("5511900000001").await, 200);
    // A refused request was not carried out, and triggers no fault.
    let unknown = bench.request(Method::POST, &send_path()).json(&message("nobody_knows", RECIPIENT));
    assert_eq!(outcome(unknown).await.unwrap().0, 400);
    assert_eq!((send(RECIPIENT).await, send(RECIPIENT).await, send(RECIPIENT).await), (502, 502, 200));
    assert_eq!(counts(&bench, RECIPIENT).await, (json!(4), json!(3)));
    let archive = async |uuid: &str| {
        outcome(bench.request(Method::POST, &format!("{TEMPLATES}/{uuid}/archive"))).await.unwrap().0
    };
    assert_eq!((archive(&one).await, archive(&other).await, archive(&one).await), (504, 200, 504));
    let (_, body) = answer(bench.request(Method::DELETE, "/sandbox/faults")).await;
    assert_eq!(body["data"], json!([]));
    assert_eq!(archive(&one).await, 200);
}

#[tokio::test]
async fn a_fault_before_the_request_prevents_it() {
    let bench = Bench::start(options()).await;
    bench.approved(template("undone")).await;
    set(&bench, json!({ "operations": ["send"], "answer": "cut", "when": "before", "times": 1 })).await;
    assert_eq!(outcome(bench.request(Method::POST, &send_path()).json(&message("undone", RECIPIENT))).await, None);
    assert_eq!(counts(&bench, RECIPIENT).await, (json!(1), json!(0)));
    bench.send(message("undone", RECIPIENT)).await;
    assert_eq!(counts(&bench, RECIPIENT).await, (json!(2), json!(1)));
    let (_, body) = bench.get("/sandbox/counts").await;
    assert_eq!(body["total"], json!({ "requests": 2, "messages": 1 }));
    let (_, body) = answer(bench.request(Method::DELETE, "/sandbox/counts")).await;
    assert_eq!(body, json!({ "total": { "requests": 0, "messages": 0 }, "recipients": {} }));
}

#[tokio::test]
async fn random_faults_affect_some_requests() {
    let bench = Bench::start(options()).await;
    bench.approved(template("chance")).await;
    set(&bench, json!({ "operations": ["send"], "answer": 503, "one_in": 2 })).await;
    let mut met = 0;
    for _round in 0..64 {
        let request = bench.request(Method::POST, &send_path()).json(&message("chance", RECIPIENT));
        met += usize::from(outcome(request).await.unwrap().0 == 503);
    }
    // Out of this range with a probability of 2 in 2^64.
    assert!((1..64).contains(&met), "{met} of 64");
    assert_eq!(counts(&bench, RECIPIENT).await, (json!(64), json!(64)));
}

#[tokio::test]
async fn faults_and_counts_survive_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let kept = || Options { state_file: Some(folder.path().join("state.json")), ..options() };
    let bench = Bench::start(kept()).await;
    bench.approved(template("kept")).await;
    set(&bench, json!({ "operations": ["send"], "answer": 500, "times": 2 })).await;
    let send = async |bench: &Bench| {
        outcome(bench.request(Method::POST, &send_path()).json(&message("kept", RECIPIENT))).await.unwrap().0
    };
    assert_eq!(send(&bench).await, 500);
    bench.stop().await;
    let bench = Bench::start(kept()).await;
    assert_eq!((send(&bench).await, send(&bench).await), (500, 200));
    assert_eq!(counts(&bench, RECIPIENT).await, (json!(3), json!(3)));
}

#[tokio::test]
async fn an_invalid_fault_is_refused_with_its_field() {
    let bench = Bench::start(options()).await;
    for (fault, field) in [
        (json!({ "operations": [], "answer": 500 }), "operations"),
        (json!({ "operations": ["read"], "answer": 500 }), "read"),
        (json!({ "operations": ["send"], "answer": 200 }), "answer"),
        (json!({ "operations": ["send"], "answer": "break" }), "answer"),
        (json!({ "operations": ["send"] }), "answer"),
        (json!({ "operations": ["send"], "answer": "cut", "retry_after": 1 }), "retry_after"),
        (json!({ "operations": ["send"], "answer": 503, "retry_after": 100_000 }), "retry_after"),
        (json!({ "operations": ["send"], "answer": 503, "times": 0 }), "times"),
        (json!({ "operations": ["send"], "answer": 503, "from": 0 }), "from"),
        (json!({ "operations": ["send"], "answer": 503, "offset": 1 }), "offset"),
        (json!({ "operations": ["list"], "answer": "date" }), "offset"),
        (json!({ "operations": ["list"], "answer": "date", "offset": 400_000_000 }), "offset"),
        (json!({ "operations": ["list"], "answer": "date", "offset": 1, "when": "before" }), "when"),
        (json!({ "operations": ["list"], "answer": "date", "offset": 1, "retry_after": 1 }), "retry_after"),
        (json!({ "operations": ["list"], "answer": "omit" }), "template"),
        (json!({ "operations": ["list", "send"], "answer": "omit" }), "list"),
        (json!({ "operations": ["send"], "answer": 503, "one_in": 0 }), "one_in"),
        (json!({ "operations": ["send"], "answer": 503, "recipient": "Ana" }), "recipient"),
        (json!({ "operations": ["send"], "answer": 503, "when": "never" }), "never"),
        (json!({ "operations": ["send"], "answer": 503, "extra": 1 }), "extra"),
    ] {
        assert_refused(bench.post("/sandbox/faults", fault).await, 400, field);
    }
    let unknown = json!({ "operations": ["edit"], "answer": 503, "template": WORKSPACE });
    assert_refused(bench.post("/sandbox/faults", unknown).await, 404, WORKSPACE);
    let obstacle = json!({ "operations": ["send"], "status": 500 });
    assert_refused(bench.post("/sandbox/templates/*/refuse", obstacle).await, 400, "operations");
}

/// The names of a listing, newest first.
fn names(listed: &Value) -> Vec<&str> {
    let records = listed["data"].as_array().unwrap().iter();
    records.map(|record| record["name"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn a_listing_leaves_a_template_out() {
    for profile in [Profile::Whatsapp, Profile::Minimal, Profile::Agency] {
        let bench = Bench::start(Options { profile, ..options() }).await;
        let mut uuids = Vec::new();
        for name in ["one", "two", "three"] {
            uuids.push(bench.approved(template(name)).await);
        }
        let whole = bench.get(TEMPLATES).await.1;
        set(&bench, json!({ "operations": ["list"], "answer": "omit", "template": uuids[1], "times": 1 })).await;
        // A listing that would not have it does not use the fault up.
        assert_eq!(names(&bench.get(&format!("{TEMPLATES}?search=three")).await.1), ["three"]);
        assert_eq!(names(&bench.get(TEMPLATES).await.1), ["three", "one"], "{profile:?}");
        assert_eq!(bench.get(TEMPLATES).await.1, whole, "once");

        set(&bench, json!({ "operations": ["list"], "answer": "omit", "template": uuids[1] })).await;
        for _ in 0..2 {
            assert_eq!(names(&bench.get(TEMPLATES).await.1), ["three", "one"], "until it is cleared");
        }
        // It exists: it can be sent and archived.
        bench.send(message("two", RECIPIENT)).await;
        assert_eq!(bench.post(&format!("{TEMPLATES}/{}/archive", uuids[1]), json!({})).await.0, 200);
        if profile != Profile::Minimal {
            // Pages are those of the whole list.
            let first = bench.get(&format!("{TEMPLATES}?limit=2")).await.1;
            assert_eq!(names(&first), ["three"]);
            let after = first["paging"]["cursors"]["after"].as_str().unwrap();
            assert_eq!(names(&bench.get(&format!("{TEMPLATES}?limit=2&after={after}")).await.1), ["one"]);
        }
        bench.request(Method::DELETE, "/sandbox/faults").send().await.unwrap();
        assert_eq!(names(&bench.get(TEMPLATES).await.1), ["three", "two", "one"]);
    }
}

/// Seconds between the `Date` of a response and the clock.
async fn date_offset(request: RequestBuilder) -> i64 {
    let response = request.send().await.unwrap();
    let date = response.headers()["date"].to_str().unwrap();
    assert!(date.ends_with(" GMT"), "{date}");
    chrono::DateTime::parse_from_rfc2822(date).unwrap().timestamp() - chrono::Utc::now().timestamp()
}

#[tokio::test]
async fn the_date_of_responses_is_off() {
    const DAY: i64 = 24 * 60 * 60;
    let bench = Bench::start(options()).await;
    bench.approved(template("dated")).await;
    let list = || bench.request(Method::GET, TEMPLATES);
    for offset in [-2 * DAY, DAY] {
        set(&bench, json!({ "operations": ["list", "archive"], "answer": "date", "offset": offset })).await;
        assert!((date_offset(list()).await - offset).abs() < 60);
        // The rest of the response is as it is.
        assert_eq!(names(&bench.get(TEMPLATES).await.1), ["dated"]);
        let send = bench.request(Method::POST, &send_path()).json(&message("dated", RECIPIENT));
        assert!(date_offset(send).await.abs() < 60, "another operation");
        bench.request(Method::DELETE, "/sandbox/faults").send().await.unwrap();
        assert!(date_offset(list()).await.abs() < 60);
    }
    // A refusal has it too.
    set(&bench, json!({ "operations": ["send"], "answer": "date", "offset": DAY })).await;
    let send = bench.request(Method::POST, &send_path()).json(&message("unknown", RECIPIENT));
    let refused = send.try_clone().unwrap().send().await.unwrap();
    assert_eq!(refused.status(), 400);
    assert!((date_offset(send).await - DAY).abs() < 60);
}

/// Contract §5: 401 has a body of two strings.
#[tokio::test]
async fn credentials_are_refused_from_a_request_on() {
    for profile in [Profile::Whatsapp, Profile::Minimal, Profile::Agency] {
        let bench = Bench::start(Options { profile, ..options() }).await;
        bench.approved(template("refused")).await;
        let fault = json!({ "operations": ["list", "send"], "answer": 401, "when": "before", "from": 3 });
        set(&bench, fault).await;
        assert_eq!(bench.get(TEMPLATES).await.0, 200);
        bench.send(message("refused", RECIPIENT)).await;
        assert_eq!(bench.get("/sandbox/faults").await.1["data"][0]["from"], 1, "it counts down");
        for request in [
            bench.request(Method::GET, TEMPLATES),
            bench.request(Method::POST, &send_path()).json(&message("refused", RECIPIENT)),
            bench.request(Method::GET, TEMPLATES),
        ] {
            let (status, body) = answer(request).await;
            assert_eq!(status, 401);
            assert_eq!(body.as_object().unwrap().keys().collect::<Vec<_>>(), ["message", "details"], "{body}");
        }
        assert_eq!(counts(&bench, RECIPIENT).await.1, json!(1), "only the first was carried out");
        bench.request(Method::DELETE, "/sandbox/faults").send().await.unwrap();
        assert_eq!(bench.get(TEMPLATES).await.0, 200);
    }
}
