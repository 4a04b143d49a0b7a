//! Single requests and their responses.

use receiver::{AllowedHosts, Event, Limits, Reason, Refusal, Route};

use crate::support::{
    DeliveryLogMode, PREVIOUS_SECRET, Running, SECRET, VERIFY_TOKEN, post, routes, signature, signed,
};

#[tokio::test]
async fn a_signed_delivery_is_stored_byte_for_byte() {
    let running = Running::start().await;
    let body = br#"{"object":"whatsapp_business_account", "entry":[]}"#;
    let headers = format!(
        "Content-Type: application/json\r\nUser-Agent: sender/1\r\nAuthorization: Bearer t0p\r\nCookie: c=1\r\n\
         X-Hub-Signature-256: {}\r\n",
        signature(SECRET, body)
    );
    let answer = running.send(post("/webhook", &headers, body)).await;
    assert_eq!(answer.status, 200);
    let stored = running.delivery_log.stored();
    assert_eq!(stored.len(), 1);
    assert_eq!(stored[0].body.as_ref(), body);
    assert_eq!(stored[0].route, "webhook");
    assert_eq!(
        stored[0].headers,
        [
            ("content-type".to_owned(), "application/json".to_owned()),
            ("user-agent".to_owned(), "sender/1".to_owned()),
            ("x-hub-signature-256".to_owned(), signature(SECRET, body)),
        ]
    );
    let stored_event = |event: &Event| matches!(event, Event::Stored { route, path, signed_by: 0, generation: 0, body_bytes: 50 } if route == "webhook" && path == "/webhook");
    assert_eq!(running.count(stored_event), 1);
}

/// A signed body is stored unchanged, whatever its content.
#[tokio::test]
async fn any_signed_content_is_accepted() {
    let running = Running::start().await;
    let bodies: [&[u8]; 12] = [
        b"",
        b"{}",
        b"null",
        b"not json",
        b"{\"entry\":",
        b"\xef\xbb\xbf{\"a\":1}",
        b"{\"a\":1}\n",
        br#"{"a":"caf\u00e9 https:\/\/x \ud83d\ude00"}"#,
        "{\"a\":\"café 😀\"}".as_bytes(),
        br#"{"a":1,"a":2}"#,
        b"\x00\xff\xfe\r\n\r\n",
        &[b'['; 100_000],
    ];
    for (index, body) in bodies.iter().enumerate() {
        let answer = running.deliver(body).await;
        assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(body));
        assert_eq!(running.delivery_log.stored()[index].body.as_ref(), *body);
    }
}

#[tokio::test]
async fn the_previous_secret_is_accepted() {
    let running = Running::start().await;
    assert_eq!(running.send(signed(PREVIOUS_SECRET, b"{}")).await.status, 200);
    assert_eq!(running.send(signed("older", b"{}")).await.status, 401);
    assert_eq!(running.count(|event: &Event| matches!(event, Event::Stored { signed_by: 1, .. })), 1);
}

#[tokio::test]
async fn bad_signatures_get_401_and_store_nothing() {
    let running = Running::start().await;
    let good = signature(SECRET, b"{}");
    let hex = good.strip_prefix("sha256=").unwrap();
    let cases = [
        ("/webhook", String::new(), Reason::SignatureMissing),
        ("/webhook", format!("X-Hub-Signature: {good}\r\n"), Reason::SignatureMissing),
        (
            "/webhook",
            format!("X-Hub-Signature-256: {good}\r\nX-Hub-Signature-256: {good}\r\n"),
            Reason::SignatureDuplicate,
        ),
        ("/webhook", format!("X-Hub-Signature-256: {hex}\r\n"), Reason::SignatureMalformed),
        ("/webhook", format!("X-Hub-Signature-256: SHA256={hex}\r\n"), Reason::SignatureMalformed),
        ("/webhook", format!("X-Hub-Signature-256: {good}0\r\n"), Reason::SignatureMalformed),
        ("/webhook", "X-Hub-Signature-256: \r\n".to_owned(), Reason::SignatureMalformed),
        ("/webhook", format!("X-Hub-Signature-256: {}\r\n", signature(SECRET, b"{} ")), Reason::SignatureMismatch),
        ("/other", format!("X-Hub-Signature-256: {good}\r\n"), Reason::SignatureMismatch),
        ("/bare", format!("X-Hub-Signature-256: {good}\r\n"), Reason::NoSecret),
        ("/empty", format!("X-Hub-Signature-256: {}\r\n", signature("", b"{}")), Reason::NoSecret),
    ];
    for (path, headers, reason) in cases {
        let answer = running.send(post(path, &headers, b"{}")).await;
        assert_eq!(answer.status, 401, "{headers}");
        let json = answer.json();
        assert_eq!(json["message"], "Invalid signature");
        assert_eq!(json["details"], reason.details());
        assert_eq!(json["reason"], reason.as_str());
        assert_eq!(answer.header("content-type"), Some("application/json"));
        let refused = running.refused().pop().unwrap();
        assert_eq!(refused.reason, reason);
        assert_eq!(refused.route.as_deref(), Some(path.trim_start_matches('/')));
        assert_eq!((refused.body.as_ref(), refused.body_bytes), (b"{}".as_slice(), 2));
    }
    assert_eq!(running.delivery_log.append_calls(), 0);
}

#[tokio::test]
async fn upper_and_lower_case_digests_are_accepted() {
    let running = Running::start().await;
    let upper = signature(SECRET, b"{}").to_uppercase().replace("SHA256", "sha256");
    assert_eq!(running.send(post("/webhook", &format!("x-hub-signature-256: {upper}\r\n"), b"{}")).await.status, 200);
}

#[tokio::test]
async fn large_bodies() {
    let running = Running::with(Limits { body_bytes: 300_000, ..Limits::default() }).await;
    let fits = vec![b'x'; 300_000];
    assert_eq!(running.deliver(&fits).await.status, 200);
    assert_eq!(running.delivery_log.stored()[0].body.as_ref(), fits);

    // Sent in full, only declared by its length, with `Expect`, and in chunks.
    let answer = running.deliver(vec![b'x'; 300_001]).await;
    assert_eq!((answer.status, answer.reason().as_str()), (413, "bodyTooLarge"));
    let declared = "POST /webhook HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999\r\n";
    assert_eq!(running.send(format!("{declared}\r\n")).await.status, 413);
    assert_eq!(running.send(format!("{declared}Expect: 100-continue\r\n\r\n")).await.status, 413);
    let head = "POST /webhook HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n493e1\r\n";
    let chunked = [head.as_bytes(), &vec![b'x'; 0x493e1], b"\r\n0\r\n\r\n"].concat();
    let answer = running.send(chunked).await;
    assert_eq!(answer.status, 413);
    assert_eq!(answer.header("connection"), Some("close"));
    assert_eq!(running.delivery_log.append_calls(), 1);
}

#[tokio::test]
async fn expect_continue_is_answered() {
    let running = Running::start().await;
    let mut client = running.connect().await;
    let head = format!("Expect: 100-continue\r\nX-Hub-Signature-256: {}\r\n", signature(SECRET, b"{}"));
    let request = post("/webhook", &head, b"{}");
    client.write(&request[..request.len() - 2]).await;
    let mut go_on = [0; 25];
    tokio::io::AsyncReadExt::read_exact(&mut client.0, &mut go_on).await.unwrap();
    assert_eq!(&go_on, b"HTTP/1.1 100 Continue\r\n\r\n");
    assert_eq!(client.exchange("{}").await.status, 200);
}

#[tokio::test]
async fn paths_and_methods() {
    let running = Running::start().await;
    for path in ["/", "/webhook/", "/Webhook", "/webhook2", "/%77ebhook", "//webhook"] {
        let answer = running.send(post(path, "", b"{}")).await;
        assert_eq!((answer.status, answer.reason().as_str()), (404, "unknownPath"), "{path}");
    }
    for method in ["PUT", "DELETE", "PATCH", "OPTIONS", "HEAD", "TRACE", "BREW"] {
        let request = format!("{method} /webhook HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        let mut client = running.connect().await;
        client.write(request).await;
        let mut answer = Vec::new();
        tokio::io::AsyncReadExt::read_to_end(&mut client.0, &mut answer).await.unwrap();
        let answer = String::from_utf8(answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 405 "), "{answer}");
        assert!(answer.contains("\r\nallow: GET, POST\r\n"), "{answer}");
    }
    // The query is not part of the path.
    let header = format!("X-Hub-Signature-256: {}\r\n", signature(SECRET, b"{}"));
    assert_eq!(running.send(post("/webhook?a=b", &header, b"{}")).await.status, 200);
    assert_eq!(running.delivery_log.append_calls(), 1);
}

#[tokio::test]
async fn a_large_body_to_a_wrong_path_gets_404() {
    let running = Running::start().await;
    let answer = running.send(post("/elsewhere", "", &vec![b'x'; 3_000_000])).await;
    assert_eq!(answer.status, 404);
}

#[tokio::test]
async fn handshakes() {
    let running = Running::start().await;
    let get = |target: String| format!("GET {target} HTTP/1.1\r\nHost: localhost\r\n\r\n");
    let query = "hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token";
    let answer = running.send(get(format!("/webhook?{query}={VERIFY_TOKEN}"))).await;
    assert_eq!((answer.status, answer.body.as_slice()), (200, b"1158201444".as_slice()));
    assert_eq!(answer.header("content-type"), Some("text/plain; charset=utf-8"));
    for (target, reason) in [
        (format!("/webhook?{query}=other"), "verifyTokenMismatch"),
        (format!("/webhook?{query}="), "verifyTokenMismatch"),
        ("/webhook".to_owned(), "malformedHandshake"),
        (format!("/other?{query}="), "noVerifyToken"),
        (format!("/empty?{query}="), "noVerifyToken"),
    ] {
        let answer = running.send(get(target)).await;
        assert_eq!((answer.status, answer.reason().as_str()), (403, reason));
    }
    assert_eq!(running.send(get(format!("/elsewhere?{query}={VERIFY_TOKEN}"))).await.status, 404);
    // The token is in the query, which is never reported.
    assert!(!format!("{:?}", running.refused()).contains(VERIFY_TOKEN));
    assert_eq!(running.count(|event| matches!(event, Event::Subscribed { .. })), 1);
}

#[tokio::test]
async fn only_stored_deliveries_get_200() {
    let running = Running::start().await;
    for (refusal, reason) in [(Refusal::Busy, "busy"), (Refusal::Storage, "storage")] {
        running.delivery_log.set_mode(DeliveryLogMode::Refuses(refusal));
        let answer = running.deliver(b"{}").await;
        assert_eq!((answer.status, answer.reason().as_str()), (503, reason));
        assert!(answer.header("retry-after").unwrap().parse::<u32>().unwrap() > 0);
    }
    running.delivery_log.set_mode(DeliveryLogMode::Stores);
    assert_eq!(running.deliver(b"{}").await.status, 200);
    assert_eq!(running.delivery_log.stored().len(), 1);
    assert_eq!(running.refused().len(), 2);
}

#[tokio::test]
async fn routes_change_while_running() {
    let running = Running::start().await;
    let mut client = running.connect().await;
    assert_eq!(client.exchange(signed(SECRET, b"{}")).await.status, 200);
    let route = Route { secrets: vec!["fresh".into()], ..routes().remove(0) };
    running.routes.replace(vec![route], AllowedHosts::Addresses).unwrap();
    // Also on a connection that was open before.
    assert_eq!(client.exchange(signed(SECRET, b"{}")).await.status, 401);
    assert_eq!(client.exchange(signed("fresh", b"{}")).await.status, 200);
    assert_eq!(client.exchange(post("/other", "", b"{}")).await.status, 404);
}

#[tokio::test]
async fn deliveries_for_an_unreadable_secret_are_refused_temporarily() {
    let running = Running::start().await;
    let handshake = |token: &str| {
        let query = format!("hub.mode=subscribe&hub.challenge=1&hub.verify_token={token}");
        format!("GET /webhook?{query} HTTP/1.1\r\nHost: localhost\r\n\r\n").into_bytes()
    };
    for (secrets, verify_token) in [(vec![], None), (vec![SECRET.into()], Some(VERIFY_TOKEN.into()))] {
        let knows_some = !secrets.is_empty();
        let route = Route { secrets, verify_token, unread: true, ..routes().remove(0) };
        running.routes.replace(vec![route], AllowedHosts::Addresses).unwrap();
        for request in [signed("the one that is locked away", b"{}"), handshake("another")] {
            let answer = running.send(request).await;
            assert_eq!((answer.status, answer.reason().as_str()), (503, "secretsUnread"));
            assert!(answer.header("retry-after").unwrap().parse::<u32>().unwrap() > 0);
        }
        // Requests that no secret can make valid are refused permanently, and those signed with a known secret are
        // accepted.
        assert_eq!(running.send(handshake("")).await.status, 503);
        let malformed = if knows_some { 401 } else { 503 };
        assert_eq!(running.send(post("/webhook", "X-Hub-Signature-256: no\r\n", b"{}")).await.status, malformed);
        assert_eq!(running.send(signed(SECRET, b"{}")).await.status, if knows_some { 200 } else { 503 });
        assert_eq!(running.send(handshake(VERIFY_TOKEN)).await.status, if knows_some { 200 } else { 503 });
    }
}

#[tokio::test]
async fn reports_of_refusals_are_limited_in_size() {
    let running = Running::start().await;
    let path = format!("/{}", "p".repeat(5000));
    let mut header = format!("User-Agent: {}\r\nX-Hub-Signature-256: no\r\n", "u".repeat(5000));
    for number in 0..90 {
        header += &format!("X-{number}: {}\r\n", "v".repeat(300));
    }
    running.send(post(&path, &header, b"{}")).await;
    running.send(post("/webhook", &header, &vec![b'x'; 300_000])).await;
    running.send(post("/webhook", &header, &vec![b'x'; 256 * 1024])).await;
    let refused = running.refused();
    assert_eq!((refused[0].path.len(), refused[0].route.as_deref()), (1024, None));
    assert_eq!((refused[1].body.len(), refused[1].body_bytes, refused[1].whole), (256 * 1024, 300_000, false));
    assert_eq!((refused[2].body.len(), refused[2].body_bytes, refused[2].whole), (256 * 1024, 256 * 1024, true));
    let agent = refused[1].headers.iter().find(|(name, _)| name == "user-agent").unwrap();
    assert_eq!(agent.1.len(), 1024);
    let bytes: usize = refused[1].headers.iter().map(|(name, value)| name.len() + value.len()).sum();
    assert!(
        refused[1].headers.len() <= 64 && bytes <= 16 * 1024,
        "{} headers, {bytes} bytes",
        refused[1].headers.len()
    );
}

/// Of headers that may carry credentials only the names are reported, and the log form has neither headers nor body.
#[tokio::test]
async fn credentials_are_not_reported() {
    let running = Running::start().await;
    let headers = "Authorization: Bearer c4nary\r\nCookie: a=c4nary\r\nX-Api-Key: c4nary\r\nX-Auth: c4nary\r\n\
                   Proxy-Authorization: c4nary\r\nX-Access-Token: c4nary\r\nX-Client-Secret: c4nary\r\n\
                   X-Hub-Signature: sha1=00\r\nX-Request-Id: r3quest\r\n";
    running.send(post("/webhook?hub.verify_token=c4nary", headers, b"b0dy")).await;
    let refused = running.refused().pop().unwrap();
    assert!(refused.headers.iter().all(|(_, value)| !value.contains("c4nary")) && !refused.path.contains("c4nary"));
    let value = |name: &str| refused.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str());
    assert_eq!(value("authorization"), Some(receiver::HIDDEN));
    assert_eq!((value("x-hub-signature"), value("x-request-id")), (Some("sha1=00"), Some("r3quest")));
    let printed = format!("{refused:?}{:?}", Event::Refused(Box::new(refused.clone())));
    assert!(!printed.contains("r3quest") && !printed.contains("b0dy") && !printed.contains("sha1"), "{printed}");
}
