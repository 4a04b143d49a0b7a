//! `tdesk sandbox` as a process: the ready line, the contract's endpoints, shutdown, and wrong usage.

use serde_json::{Value, json};
use tokio::time::timeout;

use crate::receiving::{Folder, Running, TIMEOUT, run, stderr, tdesk};

const WORKSPACE: &str = "9c1f5a52-0a52-4f6e-9d3e-0c1f8f2b7a11";

/// The arguments that every sandbox needs here.
fn arguments<'a>(more: &[&'a str]) -> Vec<&'a str> {
    let mut arguments = vec!["sandbox", "--listen", "127.0.0.1:0", "--token", "T", "--workspace", WORKSPACE];
    arguments.extend(more);
    arguments
}

/// A running sandbox and a client for it.
struct Served {
    process: Running,
    url: String,
    client: reqwest::Client,
}

impl Served {
    async fn start(more: &[&str]) -> Self {
        let mut process = Running::spawn(tdesk(&arguments(more)));
        let line = process.line().await;
        let ready: Value = serde_json::from_str(&line).unwrap();
        let url = ready["listening"].as_str().unwrap().to_owned();
        assert_eq!(line, format!("{{\"ready\":true,\"listening\":\"{url}\"}}\n"));
        // The child process installs its provider only for itself.
        let _already_chosen = rustls::crypto::ring::default_provider().install_default();
        Self { process, url, client: reqwest::Client::builder().no_proxy().build().unwrap() }
    }

    async fn request(&self, method: reqwest::Method, path: &str, body: Option<Value>) -> (u16, Value) {
        let mut request = self
            .client
            .request(method, format!("{}{path}", self.url))
            .bearer_auth("T")
            .header("x-workspace-uuid", WORKSPACE);
        if let Some(body) = body {
            request = request.json(&body);
        }
        let response = request.send().await.unwrap();
        (response.status().as_u16(), response.json().await.unwrap())
    }

    async fn get(&self, path: &str) -> Value {
        let (status, body) = self.request(reqwest::Method::GET, path, None).await;
        assert_eq!(status, 200, "{body}");
        body
    }

    async fn create(&self, path: &str) -> Value {
        let template = json!({
            "waba_ids": [2001], "name": "hello", "category": "utility", "language": "en_US",
            "components": [{ "type": "BODY", "text": "Your order has arrived." }],
        });
        let (status, body) = self.request(reqwest::Method::POST, path, Some(template)).await;
        assert_eq!(status, 200, "{body}");
        body
    }

    /// Waits until the one template has a status.
    async fn wait_for_status(&self, path: &str, status: &str) {
        let reached = async {
            while self.get(path).await["data"][0]["status"] != status {
                crate::receiving::next_poll().await;
            }
        };
        timeout(TIMEOUT, reached).await.expect("the status comes in time");
    }

    async fn stop(self) {
        let (code, out, err) = self.process.stop().await;
        assert_eq!(code, Some(0), "{err}");
        assert_eq!(out, "", "nothing but the ready line goes to stdout");
    }
}

#[tokio::test]
async fn it_serves_the_contract_and_stops_on_a_signal() {
    for signal in ["TERM", "INT"] {
        let served = Served::start(&["--review-delay-ms", "0"]).await;
        let path = "/messaging/provider/workspace-templates";
        let unauthorized = served.client.get(format!("{}{path}", served.url)).send().await.unwrap();
        assert_eq!(unauthorized.status(), 401);
        assert_eq!(served.get(path).await["data"], json!([]), "no samples were requested");
        served.create(path).await;
        served.wait_for_status(path, "APPROVED").await;
        served.process.signal(signal).await;
        let (code, _, err) = served.process.end().await;
        assert_eq!(code, Some(0), "{err}");
    }
}

#[tokio::test]
async fn options_are_applied() {
    let served = Served::start(&["--review", "manual", "--channel", "whatsapp", "--seed", "--strict-accounts"]).await;
    let index = served.get("/sandbox").await;
    assert_eq!(index["messaging_product"], "whatsapp");
    assert_eq!(index["workspace"], WORKSPACE);
    let settings = served.get("/sandbox/settings").await;
    assert_eq!(settings["review"], "manual");
    assert_eq!(settings["adopt_unknown"], false);
    let list = served.get("/whatsapp/provider/workspace-templates").await;
    assert!(!list["data"].as_array().unwrap().is_empty());
    served.stop().await;
}

#[tokio::test]
async fn seeds_are_applied() {
    for (arguments, templates, has_history) in [
        (&["--seed", "history"][..], 18, true),
        (&["--seed", "samples"], 18, false),
        (&["--seed"], 18, false),
        (&["--seed", "empty"], 0, false),
        (&[], 0, false),
    ] {
        let served = Served::start(arguments).await;
        let listed = served.get("/messaging/provider/workspace-templates").await;
        assert_eq!(listed["data"].as_array().unwrap().len(), templates, "{arguments:?}");
        let (_, history) = served.request(reqwest::Method::GET, "/sandbox/history", None).await;
        assert_eq!(history["sends"].as_u64().is_some(), has_history, "{history}");
        served.stop().await;
    }
}

#[tokio::test]
async fn the_profile_and_more_workspaces_are_applied() {
    const FURTHER: &str = "9c1f5a52-0a52-4f6e-9d3e-0c1f8f2b7a12";
    let served = Served::start(&["--profile", "minimal", "--seed", "--additional-workspace", FURTHER]).await;
    let listed = served.get("/messaging/provider/workspace-templates").await;
    assert_eq!(listed.as_object().unwrap().keys().collect::<Vec<_>>(), ["data"]);
    assert!(listed["data"].as_array().unwrap().iter().all(|record| record.get("archived").is_none()));
    let request = served.client.get(format!("{}/messaging/provider/workspace-templates", served.url));
    let further = request.bearer_auth("T").header("x-workspace-uuid", FURTHER).send().await.unwrap();
    assert_eq!(further.json::<Value>().await.unwrap(), json!({ "data": [] }));
    served.stop().await;
}

#[tokio::test]
async fn the_agency_profile_has_several_accounts_and_faults_on_demand() {
    let served = Served::start(&["--profile", "agency", "--seed", "--strict-accounts"]).await;
    let wabas = served.get("/sandbox").await["wabas"].as_array().unwrap().clone();
    let businesses: std::collections::BTreeSet<_> = wabas.iter().map(|waba| waba["business_id"].to_string()).collect();
    assert_eq!((wabas.len(), businesses.len()), (4, 2));
    let path = "/messaging/provider/workspace-templates?search=loyalty_points";
    let uuid = served.get(path).await["data"][0]["uuid"].clone();
    let faults = |body: Value| served.request(reqwest::Method::POST, "/sandbox/faults", Some(body));
    let (status, body) =
        faults(json!({ "operations": ["list"], "answer": "omit", "template": uuid, "times": 1 })).await;
    assert_eq!(status, 200, "{body}");
    assert_eq!(served.get(path).await["data"], json!([]));
    assert_eq!(served.get(path).await["data"][0]["uuid"], uuid);
    faults(json!({ "operations": ["list"], "answer": 401, "when": "before" })).await;
    assert_eq!(served.request(reqwest::Method::GET, path, None).await.0, 401);
    served.request(reqwest::Method::DELETE, "/sandbox/faults", None).await;
    served.get(path).await;
    served.stop().await;
}

#[tokio::test]
async fn the_state_survives_a_restart() {
    let folder = Folder::new();
    let state = folder.path().join("state.json");
    let more = ["--state", state.to_str().unwrap(), "--review", "manual"];
    let path = "/messaging/provider/workspace-templates";
    let first = Served::start(&more).await;
    first.create(path).await;
    let before = first.get(path).await;
    // Killed, not stopped: acknowledged changes are on disk.
    first.process.signal("KILL").await;
    first.process.end().await;
    let second = Served::start(&more).await;
    assert_eq!(second.get(path).await, before);
    second.stop().await;
}

#[tokio::test]
async fn signed_webhooks_reach_a_receiver() {
    let folder = Folder::new();
    let receiver = folder.receive(&[]).await;
    let address = format!("{}/webhook", receiver.url);
    let served =
        Served::start(&["--webhook-url", &address, "--webhook-secret-env", "CURRENT", "--review-delay-ms", "0"]).await;
    served.create("/messaging/provider/workspace-templates").await;
    let stored = async {
        loop {
            let events = folder.events(&[]).await;
            if let Some(event) = events.into_iter().next() {
                return event;
            }
        }
    };
    let event = timeout(TIMEOUT, stored).await.expect("the event comes in time");
    assert_eq!(event["kind"], "template_status");
    assert_eq!(event["value"]["event"], "APPROVED");
    assert_eq!(event["value"]["message_template_name"], "hello");
    served.stop().await;
}

#[tokio::test]
async fn wrong_usage_is_reported_and_exits_with_2() {
    for (more, words) in [
        (vec!["--workspace", "not-a-uuid"], "not-a-uuid"),
        (vec!["--review", "perhaps"], "perhaps"),
        (vec!["--profile", "rich"], "rich"),
        (vec!["--additional-workspace", "not-a-uuid"], "not-a-uuid"),
        (vec!["--channel", "a/b"], "a/b"),
        (vec!["--webhook-url", "http://127.0.0.1:1"], "--webhook-secret-env"),
        (vec!["--webhook-url", "nowhere", "--webhook-secret-env", "CURRENT"], "nowhere"),
        (vec!["--webhook-url", "http://127.0.0.1:1", "--webhook-secret-env", "EMPTY"], "EMPTY"),
        (vec!["--webhook-url", "http://127.0.0.1:1", "--webhook-secret-env", "ABSENT"], "ABSENT"),
        (vec!["--listen", "nowhere"], "nowhere"),
        (vec!["--client-id", "me"], "--client-secret-env"),
    ] {
        // Each argument once: the tested arguments replace the defaults.
        let mut whole = vec!["sandbox", "--token", "T"];
        if !more.contains(&"--workspace") {
            whole.extend(["--workspace", WORKSPACE]);
        }
        whole.extend(&more);
        let output = run(&whole).await;
        assert_eq!(output.status.code(), Some(2), "{more:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(words), "{more:?}: {}", stderr(&output));
        assert!(output.stdout.is_empty());
    }
    let empty = run(&["sandbox", "--token", "", "--workspace", WORKSPACE]).await;
    assert_eq!(empty.status.code(), Some(2), "{}", stderr(&empty));
}

#[tokio::test]
async fn unavailable_resources_exit_with_3() {
    let taken = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let output = run(&["sandbox", "--token", "T", "--workspace", WORKSPACE, "--listen", &address]).await;
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    assert!(stderr(&output).contains(&address));

    let folder = Folder::new();
    let notes = folder.path().join("notes.txt");
    std::fs::write(&notes, "my notes").unwrap();
    let output = run(&arguments(&["--state", notes.to_str().unwrap()])).await;
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    assert!(stderr(&output).contains("notes.txt"));
    assert_eq!(std::fs::read_to_string(&notes).unwrap(), "my notes");
}

#[tokio::test]
async fn two_sandboxes_cannot_share_a_state_file() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join("state.json");
    let state = ["--state", state.to_str().unwrap()];
    let first = Served::start(&state).await;
    let second = run(&arguments(&state)).await;
    assert_eq!((second.status.code(), second.stdout.as_slice()), (Some(3), &b""[..]));
    assert!(stderr(&second).contains("another sandbox keeps its state in"), "{}", stderr(&second));
    first.create("/messaging/provider/workspace-templates").await;
    first.stop().await;
    let third = Served::start(&state).await;
    assert_eq!(third.get("/messaging/provider/workspace-templates").await["data"].as_array().unwrap().len(), 1);
    third.stop().await;
}
