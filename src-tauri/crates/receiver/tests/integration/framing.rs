//! Framing of requests: wrong lengths, and smuggled requests.

use crate::support::{Running, SECRET, post, signature, signed};

fn head(framing: &str, body: &[u8]) -> String {
    let signature = signature(SECRET, body);
    format!("POST /webhook HTTP/1.1\r\nHost: localhost\r\nX-Hub-Signature-256: {signature}\r\n{framing}\r\n")
}

/// The statuses of all responses until the connection is closed.
async fn statuses(running: &Running, request: impl AsRef<[u8]>) -> Vec<String> {
    let mut client = running.connect().await;
    client.write(request).await;
    // Half-close, so that the receiver does not wait for more.
    tokio::io::AsyncWriteExt::shutdown(&mut client.0).await.unwrap();
    let answers = client.rest().await;
    answers.split("HTTP/1.1 ").skip(1).map(|answer| answer[..3].to_owned()).collect()
}

#[tokio::test]
async fn malformed_http_is_rejected() {
    let running = Running::start().await;
    let signed = signature(SECRET, b"{}");
    for request in [
        "\r\n\r\nnonsense\r\n\r\n".to_owned(),
        "GET /webhook HTTP/9.9\r\n\r\n".to_owned(),
        format!(
            "POST /webhook HTTP/1.1\r\nHost: localhost\r\nX-Hub-Signature-256: {signed}\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{{}}"
        ),
        format!(
            "POST /webhook HTTP/1.1\r\nHost: localhost\r\nX-Hub-Signature-256: {signed}\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{{}}\r\n0\r\n\r\n"
        ),
    ] {
        let mut client = running.connect().await;
        client.write(&request).await;
        if let Some(answer) = client.answer().await {
            assert_eq!(answer.status, 400, "{request}");
        }
    }
    assert_eq!(running.delivery_log.append_calls(), 0);
    assert_eq!(running.deliver(b"{}").await.status, 200);
}

/// A request with an invalid or ambiguous length is never a delivery.
#[tokio::test]
async fn invalid_lengths_are_rejected() {
    let running = Running::start().await;
    let lengths = ["-2", "+2", "0x2", "2 2", "2,3", "two", "18446744073709551618", "2\r\nContent-Length: 3"];
    for length in lengths {
        let request = head(&format!("Content-Length: {length}\r\n"), b"{}") + "{}";
        assert_eq!(statuses(&running, request).await, ["400"], "{length}");
    }
    // Shorter than the body: the signature covers more. The rest is not a request.
    let answers = statuses(&running, head("Content-Length: 1\r\n", b"{}") + "{}").await;
    assert_eq!(answers, ["401", "400"]);
    // Longer: the end never arrives.
    let answers = statuses(&running, head("Content-Length: 3\r\n", b"{}") + "{}").await;
    assert!(answers.is_empty() || answers == ["400"], "{answers:?}");
    assert_eq!(running.delivery_log.append_calls(), 0);
    // Without a length, the body is empty.
    assert_eq!(statuses(&running, head("", b"")).await, ["200"]);
    assert_eq!(running.delivery_log.stored()[0].body.len(), 0);
}

/// Two framings in one request: whichever a proxy used, a request hidden in it is not executed.
#[tokio::test]
async fn requests_with_two_framings_are_rejected() {
    let running = Running::start().await;
    let hidden = signed(SECRET, b"hidden");
    let hidden = String::from_utf8(hidden).unwrap();
    let chunked = "2\r\n{}\r\n0\r\n\r\n";
    for framing in [
        format!("Content-Length: {}\r\nTransfer-Encoding: chunked\r\n", chunked.len() + hidden.len()),
        format!("Transfer-Encoding: chunked\r\nContent-Length: {}\r\n", chunked.len() + hidden.len()),
        "Transfer-Encoding: chunked\r\nContent-Length: 2\r\n".to_owned(),
    ] {
        let before = running.delivery_log.append_calls();
        let answers = statuses(&running, head(&framing, b"{}") + chunked + &hidden).await;
        // The chunked framing applies, and the connection is closed afterwards.
        assert_eq!(answers, ["200"], "{framing}");
        assert_eq!(running.delivery_log.append_calls(), before + 1);
    }
    for stored in running.delivery_log.stored() {
        assert_eq!(stored.body.as_ref(), b"{}");
    }
}

/// Encodings other than `chunked` alone have no unambiguous end.
#[tokio::test]
async fn other_transfer_encodings_are_rejected() {
    let running = Running::start().await;
    let chunked = "2\r\n{}\r\n0\r\n\r\n";
    for framing in [
        "Transfer-Encoding: identity\r\nContent-Length: 2\r\n",
        "Transfer-Encoding: xchunked\r\n",
        "Transfer-Encoding: chunked, identity\r\n",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n",
        "Transfer-Encoding : chunked\r\n",
        "Transfer-Encoding: \"chunked\"\r\n",
    ] {
        assert_eq!(statuses(&running, head(framing, b"{}") + chunked).await, ["400"], "{framing}");
    }
    let old = head("Transfer-Encoding: chunked\r\n", b"{}").replace("HTTP/1.1", "HTTP/1.0");
    assert_eq!(statuses(&running, old + chunked).await, ["400"]);
    assert_eq!(running.delivery_log.append_calls(), 0);
}

#[tokio::test]
async fn invalid_chunks_are_rejected() {
    let running = Running::start().await;
    for chunks in [
        "zz\r\n{}\r\n0\r\n\r\n",
        "-2\r\n{}\r\n0\r\n\r\n",
        "ffffffffffffffffff\r\n{}\r\n0\r\n\r\n",
        "2\r\n{}XX0\r\n\r\n",
        "1\r\n{}\r\n0\r\n\r\n",
        "2\r\n{}\r\n",
        "2\r\n{",
    ] {
        let answers = statuses(&running, head("Transfer-Encoding: chunked\r\n", b"{}") + chunks).await;
        assert!(answers.is_empty() || answers == ["400"], "{chunks:?}: {answers:?}");
    }
    assert_eq!(running.delivery_log.append_calls(), 0);
}

/// Trailers follow the checked body and may come from any intermediary.
#[tokio::test]
async fn a_signature_in_a_trailer_does_not_count() {
    let running = Running::start().await;
    let signature = signature(SECRET, b"{}");
    let head = "POST /webhook HTTP/1.1\r\nHost: localhost\r\nTrailer: X-Hub-Signature-256\r\nTransfer-Encoding: chunked\r\n\r\n";
    let request = format!("{head}2\r\n{{}}\r\n0\r\nX-Hub-Signature-256: {signature}\r\n\r\n");
    let answer = running.send(request).await;
    assert_eq!((answer.status, answer.reason().as_str()), (401, "missing"));
    // A signature header that is present is neither duplicated nor replaced.
    let request = format!(
        "{}2\r\n{{}}\r\n0\r\nX-Hub-Signature-256: sha256=00\r\n\r\n",
        self::head("Transfer-Encoding: chunked\r\n", b"{}")
    );
    assert_eq!(running.send(request).await.status, 200);
}

/// Heads that parsers interpret differently.
#[tokio::test]
async fn ambiguous_heads_are_rejected() {
    let running = Running::start().await;
    let signature = signature(SECRET, b"{}");
    for (header, statuses_) in [
        // A name with a space, a folded value, a control character: an invalid head.
        (format!("X-Hub-Signature-256 : {signature}\r\n"), vec!["400"]),
        (format!("X-Hub-Signature-256:\r\n {signature}\r\n"), vec!["400"]),
        (format!("X-Hub-Signature-256: {signature}\0\r\n"), vec!["400"]),
        // Other names are other headers.
        (format!("X_Hub_Signature_256: {signature}\r\n"), vec!["401"]),
        (format!("X-Hub-Signature-256-: {signature}\r\n"), vec!["401"]),
        (format!("X-Hub-Signature-256: {signature}, {signature}\r\n"), vec!["401"]),
        (format!("X-Hub-Signature-256: {signature}\r\nx-hub-signature-256: {signature}\r\n"), vec!["401"]),
        // White space around a value is not part of it.
        (format!("X-HUB-SIGNATURE-256: \t {signature} \t \r\n"), vec!["200"]),
    ] {
        assert_eq!(statuses(&running, post("/webhook", &header, b"{}")).await, statuses_, "{header:?}");
    }
    assert_eq!(running.delivery_log.append_calls(), 1);
}

/// If a sender that uses `Expect` is refused and sends its body anyway, the body must not be parsed as a request.
#[tokio::test]
async fn the_body_of_a_request_refused_before_continue_is_not_parsed() {
    let running = Running::start().await;
    let hidden = signed(SECRET, b"hidden");
    let refused = [("/elsewhere", "Host: localhost", "404"), ("/webhook", "Host: evil.example", "421")];
    for (path, host, status) in refused {
        let head = format!(
            "POST {path} HTTP/1.1\r\n{host}\r\nExpect: 100-continue\r\nContent-Length: {}\r\n\r\n",
            hidden.len()
        );
        let answers = statuses(&running, [head.as_bytes(), &hidden].concat()).await;
        assert_eq!(answers, [status]);
    }
    assert_eq!(running.delivery_log.append_calls(), 0);
}

/// Pipelined requests are handled one by one; broken framing ends the connection.
#[tokio::test]
async fn pipelined_requests_stop_at_broken_framing() {
    let running = Running::start().await;
    let good = |body: &[u8]| signed(SECRET, body);
    let broken = b"POST /webhook HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n".to_vec();
    let requests = [good(b"1"), post("/elsewhere", "", b"22"), good(b"3"), broken, good(b"4")].concat();
    assert_eq!(statuses(&running, requests).await, ["200", "404", "200", "400"]);
    assert_eq!(running.delivery_log.stored().len(), 2);
}
