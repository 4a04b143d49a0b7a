//! Access to the receiver: accepted host names, and no web pages (DNS rebinding).

use crate::support::{Running, SECRET, post, signature, signed};

/// Every form of a host, as bytes on the wire.
#[tokio::test]
async fn hosts() {
    let running = Running::start().await;
    let rest = format!("X-Hub-Signature-256: {}\r\nContent-Length: 2\r\n", signature(SECRET, b"{}"));
    let port = running.address.port();
    let this = format!("Host: 127.0.0.1:{port}\r\n");
    let cases: [(&str, &str, u16); 51] = [
        ("/webhook", &this, 200),
        ("/webhook", "Host: localhost\r\n", 200),
        ("/webhook", "HOST: LocalHost\r\n", 200),
        ("/webhook", "host:localhost\r\n", 200),
        ("/webhook", "Host:   localhost  \r\n", 200),
        ("/webhook", "Host: localhost.\r\n", 200),
        ("/webhook", "Host: localhost:1\r\n", 200),
        ("/webhook", "Host: localhost:65535\r\n", 200),
        ("/webhook", "Host: 127.0.0.1:9\r\n", 200),
        ("/webhook", "Host: 192.0.2.7\r\n", 200),
        ("/webhook", "Host: [::1]\r\n", 200),
        ("/webhook", "Host: [::1]:8787\r\n", 200),
        ("/webhook", "Host: [2001:DB8::1]:8787\r\n", 200),
        ("/webhook", "Host: hooks.example.org\r\n", 200),
        ("/webhook", "Host: Hooks.EXAMPLE.org:443\r\n", 200),
        ("/webhook", "Host: hooks.example.org.:443\r\n", 200),
        ("http://hooks.example.org/webhook", "Host: hooks.example.org\r\n", 200),
        ("http://hooks.example.org:80/webhook", "Host: hooks.example.org\r\n", 200),
        ("HTTP://LOCALHOST/webhook", "Host: localhost\r\n", 200),
        ("http://localhost/webhook", "", 200),
        ("/webhook", "", 421),
        ("/webhook", "Host:\r\n", 421),
        ("/webhook", "Host: \r\n", 421),
        ("/webhook", "Host: evil.example\r\n", 421),
        ("/webhook", "Host: hooks.example.org.evil.example\r\n", 421),
        ("/webhook", "Host: evil.hooks.example.org\r\n", 421),
        ("/webhook", "Host: xhooks.example.org\r\n", 421),
        ("/webhook", "Host: localhost.evil.example\r\n", 421),
        ("/webhook", "Host: 127.0.0.1.evil.example\r\n", 421),
        ("/webhook", "Host: 127.0.0.1@evil.example\r\n", 421),
        ("/webhook", "Host: evil.example@127.0.0.1\r\n", 421),
        ("/webhook", "Host: localhost:80@evil.example\r\n", 421),
        ("/webhook", "Host: localhost, evil.example\r\n", 421),
        ("/webhook", "Host: localhost evil.example\r\n", 421),
        ("/webhook", "Host: localhost/evil.example\r\n", 421),
        ("/webhook", "Host: http://localhost\r\n", 421),
        ("/webhook", "Host: evil.example:localhost\r\n", 421),
        ("/webhook", "Host: localhost:port\r\n", 421),
        ("/webhook", "Host: localhost:99999\r\n", 421),
        ("/webhook", "Host: ::1\r\n", 421),
        ("/webhook", "Host: [::1].evil.example\r\n", 421),
        ("/webhook", "Host: [::1\r\n", 421),
        ("/webhook", "Host: 2130706433\r\n", 421),
        ("/webhook", "Host: 0x7f000001\r\n", 421),
        ("/webhook", "Host: 127.1\r\n", 421),
        ("/webhook", "Host: \u{142}ocalhost\r\n", 421),
        ("/webhook", "Host: localhost\r\nHost: evil.example\r\n", 421),
        ("/webhook", "Host: localhost\r\nHost: localhost\r\n", 421),
        ("http://evil.example/webhook", "Host: localhost\r\n", 421),
        ("http://localhost/webhook", "Host: evil.example\r\n", 421),
        ("/webhook", "X-Forwarded-Host: localhost\r\nHost: evil.example\r\n", 421),
    ];
    let mut accepted = 0;
    for (target, host, status) in cases {
        let answer = running.send(format!("POST {target} HTTP/1.1\r\n{host}{rest}\r\n{{}}")).await;
        assert_eq!(answer.status, status, "{target} {host:?}");
        accepted += usize::from(status == 200);
    }
    // HTTP/1.0 allows a request without a host, which is refused.
    assert_eq!(running.send(format!("POST /webhook HTTP/1.0\r\n{rest}\r\n{{}}")).await.status, 421);
    assert_eq!(running.delivery_log.stored().len(), accepted);
}

/// Pages are refused regardless of their origin, and so are their preflight requests.
#[tokio::test]
async fn origins() {
    let running = Running::start().await;
    let signed = format!("X-Hub-Signature-256: {}\r\n", signature(SECRET, b"{}"));
    for origin in ["http://localhost", "null", "", "https://hooks.example.org", "file://"] {
        for name in ["Origin", "origin", "ORIGIN"] {
            let answer = running.send(post("/webhook", &format!("{name}: {origin}\r\n{signed}"), b"{}")).await;
            assert_eq!((answer.status, answer.reason().as_str()), (403, "browserOrigin"), "{name}: {origin}");
            assert!(answer.headers.iter().all(|(name, _)| !name.starts_with("access-control")));
        }
    }
    let preflight = "OPTIONS /webhook HTTP/1.1\r\nHost: localhost\r\nOrigin: http://evil.example\r\n\
                     Access-Control-Request-Method: POST\r\n\r\n";
    assert_eq!(running.send(preflight).await.status, 403);
    assert_eq!(running.delivery_log.append_calls(), 0);
}

#[tokio::test]
async fn answers_carry_no_banner() {
    let running = Running::start().await;
    let requests = [
        signed(SECRET, b"{}"),
        signed("wrong", b"{}"),
        post("/elsewhere", "", b""),
        b"GET /webhook HTTP/1.1\r\nHost: localhost\r\n\r\n".to_vec(),
    ];
    for request in requests {
        let answer = running.send(request).await;
        let known = ["allow", "connection", "content-length", "content-type", "date", "x-content-type-options"];
        let unknown: Vec<_> = answer.headers.iter().filter(|(name, _)| !known.contains(&name.as_str())).collect();
        assert!(unknown.is_empty(), "{unknown:?}");
    }
}

/// Invalid HTTP is answered by the HTTP library, without a `Server` header.
#[tokio::test]
async fn malformed_requests_get_no_banner() {
    let running = Running::start().await;
    for request in ["nonsense\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "POST / HTTP/1.1\r\nHost: a\r\n: b\r\n\r\n"] {
        let mut client = running.connect().await;
        client.write(request).await;
        let answer = client.rest().await.to_lowercase();
        assert!(answer.starts_with("http/1.1 4"), "{answer}");
        for banner in ["server", "hyper", "x-powered-by", "tdesk", "template"] {
            assert!(!answer.contains(banner), "{answer}");
        }
    }
}
