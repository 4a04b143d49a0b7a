//! Deliveries forwarded to a program on this machine, as bytes on the wire.

use command_types::Nothing;
use command_types::activity::{DeliveryScope, ForwardStored, ForwardingState, SetForwarding};
use command_types::error::DeskError;
use command_types::receiver::{ReceiverState, SetReceiver};
use serde_json::json;

use super::harness::Harness;
use super::webhooks::{Provider, Recorder, envelope, signature, status, wait_until};

const SECRET: &str = "the webhook secret";

fn set(url: &str) -> SetForwarding {
    SetForwarding { url: Some(url.to_owned()), workspace: None }
}

fn stored(url: &str, from: u64, to: u64) -> ForwardStored {
    ForwardStored { url: url.to_owned(), scope: DeliveryScope::Range { from, to } }
}

async fn state(harness: &Harness) -> ForwardingState {
    harness.core.webhooks.get_forwarding(Nothing {}).await.unwrap()
}

/// A body that no JSON library would write: escapes, whitespace, a number without a fitting type.
fn odd_body(n: u64) -> String {
    format!(
        "{{ \"object\":\"o\",\r\n\"entry\":[{{\"id\":\"1\",\"changes\":[{{\"field\":\"x{n}\",\"value\":{{\"a\":\"caf\\u00e9 \\/ é\",\"n\":1e400}}}}]}}]}}\n"
    )
}

#[tokio::test]
async fn live_deliveries_are_forwarded_unchanged_with_their_headers() {
    let harness = Harness::start().await;
    let provider = Provider::for_new_workspace(&harness.core, SECRET).await;
    let recorder = Recorder::start().await;
    assert_eq!(provider.deliver(SECRET, &odd_body(0)).await, 200);
    let state_now = harness.core.webhooks.set_forwarding(set(&recorder.url)).await.unwrap();
    assert_eq!(state_now, ForwardingState { url: Some(recorder.url.clone()), ..ForwardingState::default() });
    for n in 1..=3 {
        assert_eq!(provider.deliver(SECRET, &odd_body(n)).await, 200);
    }
    wait_until("three are forwarded", async || state(&harness).await.forwarded == 3).await;
    let requests = recorder.requests();
    for (n, request) in (1..).zip(&requests) {
        let body = odd_body(n);
        assert_eq!(String::from_utf8_lossy(&request.body), body, "in order, none from before");
        assert_eq!(request.head[0], "POST /hook?x=1 HTTP/1.1");
        assert_eq!(request.header("x-hub-signature-256"), [signature(SECRET, &body)]);
        assert_eq!(request.header("content-type"), ["application/json; charset=utf-8"]);
        assert_eq!(request.header("user-agent"), ["provider/1.0"]);
        assert_eq!(request.header("content-length"), [body.len().to_string()]);
        // No additional headers except those that HTTP requires.
        let mut names: Vec<String> =
            request.head.iter().skip(1).map(|line| line.split(':').next().unwrap().to_lowercase()).collect();
        names.sort();
        assert_eq!(names, ["accept", "content-length", "content-type", "host", "user-agent", "x-hub-signature-256"]);
    }
    assert_eq!(requests.len(), 3);

    // A refusal and an ended program are reported; receiving continues.
    recorder.answer("500 Oops", "");
    assert_eq!(provider.deliver(SECRET, &odd_body(4)).await, 200);
    wait_until("one is refused", async || state(&harness).await.failed == 1).await;
    let now = state(&harness).await;
    assert_eq!((now.last_status, now.last_error.unwrap().contains("500")), (Some(500), true));
    let other = harness.core.webhooks.set_forwarding(set("http://localhost:9/")).await.unwrap();
    assert_eq!((other.forwarded, other.failed), (0, 0), "counts start again");
    assert_eq!(provider.deliver(SECRET, &odd_body(5)).await, 200);
    wait_until("the failure is counted", async || state(&harness).await.failed == 1).await;
    assert!(state(&harness).await.last_error.unwrap().contains("no program is listening"));

    // Only one workspace, and then off.
    recorder.answer("200 OK", "");
    let elsewhere = SetForwarding { workspace: Some("another".to_owned()), ..set(&recorder.url) };
    harness.core.webhooks.set_forwarding(elsewhere).await.unwrap();
    assert_eq!(provider.deliver(SECRET, &odd_body(6)).await, 200);
    let here = SetForwarding { workspace: Some(provider.workspace.clone()), ..set(&recorder.url) };
    harness.core.webhooks.set_forwarding(here).await.unwrap();
    assert_eq!(provider.deliver(SECRET, &odd_body(7)).await, 200);
    wait_until("it is forwarded", async || state(&harness).await.forwarded == 1).await;
    let off = harness.core.webhooks.set_forwarding(SetForwarding { url: None, workspace: None }).await.unwrap();
    assert_eq!(off, ForwardingState::default());
    let bodies: Vec<_> = recorder.requests().into_iter().skip(3).map(|request| request.body).collect();
    assert_eq!(bodies, [odd_body(4).into_bytes(), odd_body(7).into_bytes()]);
    harness.close().await;
}

#[tokio::test]
async fn stored_deliveries_are_forwarded_in_order_and_redirects_are_not_followed() {
    let harness = Harness::start().await;
    let provider = Provider::for_new_workspace(&harness.core, SECRET).await;
    let (recorder, trap) = (Recorder::start().await, Recorder::start().await);
    for n in 1..=30 {
        let body = envelope(json!({"statuses": [status(&format!("m{n}"), "sent", "5511", n)]}));
        assert_eq!(provider.deliver(SECRET, &body).await, 200);
    }
    let report = harness.core.webhooks.forward_stored(stored(&recorder.url, 2, 4)).await.unwrap();
    assert_eq!((report.sent, report.failed, report.last_error), (3, 0, None));
    let ids: Vec<String> = recorder
        .requests()
        .iter()
        .map(|request| {
            let body: serde_json::Value = serde_json::from_slice(&request.body).unwrap();
            body["entry"][0]["changes"][0]["value"]["statuses"][0]["id"].as_str().unwrap().to_owned()
        })
        .collect();
    assert_eq!(ids, ["m2", "m3", "m4"]);
    let one = ForwardStored { url: recorder.url.clone(), scope: DeliveryScope::One { seq: 9 } };
    assert_eq!(harness.core.webhooks.forward_stored(one).await.unwrap().sent, 1);
    let none = ForwardStored { url: recorder.url.clone(), scope: DeliveryScope::One { seq: 99 } };
    assert!(matches!(harness.core.webhooks.forward_stored(none).await, Err(DeskError::NotFound { .. })));
    let backwards = harness.core.webhooks.forward_stored(stored(&recorder.url, 4, 2)).await;
    assert!(matches!(backwards, Err(DeskError::InvalidInput { .. })));

    for status in ["301 Moved", "302 Found", "307 Temporary Redirect", "308 Permanent Redirect"] {
        recorder.answer(status, &format!("location: {}\r\n", trap.url));
        let report = harness.core.webhooks.forward_stored(stored(&recorder.url, 1, 1)).await.unwrap();
        assert_eq!((report.sent, report.failed), (0, 1), "{status}");
        assert!(report.last_error.unwrap().contains("redirects are not followed"));
    }
    assert!(trap.requests().is_empty());

    // Nothing listens there: aborted long before the end of the range.
    let gone = harness.core.webhooks.forward_stored(stored("http://[::1]:9/", 1, 30)).await.unwrap();
    assert_eq!((gone.sent, gone.failed), (0, 20));
    assert!(gone.last_error.unwrap().contains("given up"));
    harness.close().await;
}

#[tokio::test]
async fn only_loopback_targets_other_than_the_receiver_are_accepted() {
    let harness = Harness::start().await;
    let provider = Provider::for_new_workspace(&harness.core, SECRET).await;
    let own = provider.url().to_owned();
    let by_name = own.replace("127.0.0.1", "localhost");
    for url in [
        "http://evil.example/hook",
        "http://127.0.0.1.evil.example/hook",
        "http://localhost.evil.example/hook",
        "http://127.0.0.1@evil.example/hook",
        "http://user:word@127.0.0.1:3000/hook",
        "http://192.168.1.10/hook",
        "file:///etc/passwd",
        own.as_str(),
        by_name.as_str(),
    ] {
        let refused = |outcome: Result<(), DeskError>| matches!(outcome, Err(DeskError::InvalidInput { field, .. }) if field == "url");
        assert!(refused(harness.core.webhooks.set_forwarding(set(url)).await.map(drop)), "{url}");
        assert!(refused(harness.core.webhooks.forward_stored(stored(url, 1, 1)).await.map(drop)), "{url}");
    }
    assert_eq!(state(&harness).await, ForwardingState::default(), "a refused setting changes nothing");
    harness.close().await;
}

#[tokio::test]
async fn the_receiver_never_forwards_to_itself_whatever_changes_first() {
    let harness = Harness::start().await;
    let webhooks = &harness.core.webhooks;
    let provider = Provider::for_new_workspace(&harness.core, SECRET).await;
    let busy = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let free = {
        let unused = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        unused.local_addr().unwrap().to_string()
    };
    let field = |outcome: Result<(), DeskError>| match outcome {
        Err(DeskError::InvalidInput { field, .. }) => field,
        other => panic!("{other:?}"),
    };

    // Forwarding to a free port, then the receiver is moved there.
    webhooks.set_forwarding(set(&format!("http://{free}/webhook/{}", provider.workspace))).await.unwrap();
    let moved = webhooks.set_receiver(SetReceiver { address: free.clone() }).await;
    assert_eq!(field(moved.map(drop)), "address");
    assert_eq!(provider.deliver(SECRET, &odd_body(0)).await, 200, "the receiver has not moved");
    webhooks.set_forwarding(SetForwarding { url: None, workspace: None }).await.unwrap();

    // A failed move does not hide the real address.
    let state = webhooks.set_receiver(SetReceiver { address: busy.local_addr().unwrap().to_string() }).await.unwrap();
    assert!(matches!(state, ReceiverState::Listening { .. }), "{state:?}");
    assert_eq!(field(webhooks.set_forwarding(set(provider.url())).await.map(drop)), "url");
    assert_eq!(field(webhooks.forward_stored(stored(provider.url(), 1, 1)).await.map(drop)), "url");

    // Without forwarding, the move is accepted.
    let state = webhooks.set_receiver(SetReceiver { address: free.clone() }).await.unwrap();
    assert_eq!(state, ReceiverState::Listening { address: free.clone(), failed_move: None });
    assert_eq!(field(webhooks.set_forwarding(set(&format!("http://{free}/x"))).await.map(drop)), "url");
    harness.close().await;
}
