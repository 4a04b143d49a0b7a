//! Signatures of the bytes as received, compared with `openssl`.

use std::io::Write as _;
use std::process::{Command, Stdio};

use crate::support::{Running, SECRET, post, signature};

/// Bodies that a receiver might normalize, each with the output of `printf '…' | openssl dgst -sha256 -hmac current`.
const VECTORS: [(&[u8], &str); 10] = [
    (br#"{"u":"https:\/\/x.example\/a"}"#, "734974076bdd6599abea404156290a9ae75715cc2c9c5447e19e07f2ae6f61cf"),
    (br#"{"t":"caf\u00e9 \ud83d\ude00"}"#, "bc489b65c09f7a636044536be60e0a1fc56bca2ea19d4eb5fd1c18e81051b357"),
    (br#"{"a":1,"a":2}"#, "de1721d8f01caa2f1f44054159619d5f10cdaf4256a412d7aff6b6c686ac6058"),
    (b"\xef\xbb\xbf{\"a\":1}", "ec2ba39e434a5c131d9d0b1a91bbd4a706a8491048dbb27fefc3d4d32a13e6a4"),
    (b"{\"a\":1}\n", "da6aaab5e21a0ada6fb49d6f867ff6aa66ee1cc8c7c905e5de6e801ac99e873a"),
    (b"{\"a\":1}\r\n", "fab7fba330d4ee0d28c59c5a793f051ca1b3b2ada70d4151ee98c00403c48176"),
    (b"", "db45d1ee5dad2cdd6d36dc7b674a816ceea1dde572cd6cc555431c695600a098"),
    (b"{\"t\":\"caf\xc3\xa9\"}", "7e5d73362319dc61a50293348288a4f5eed3ba28b672747effa3248a049256d1"),
    (b"{\"t\":\"caf\xe9\"}", "412cad791b9bb222f47b37f0a53002ec63b8f3f00e4228289854c2033d7aba6d"),
    (b"\x00\xff\xfe", "73a1435fb9b57802f05077032d22733cd4b2e824141ef4ff685708ba51c74bf5"),
];

/// The result of the local `openssl`; `None` if it is not installed.
fn openssl(body: &[u8]) -> Option<String> {
    let mut command = Command::new("openssl");
    command.args(["dgst", "-sha256", "-hmac", SECRET]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().ok()?;
    child.stdin.take().unwrap().write_all(body).unwrap();
    let output = child.wait_with_output().unwrap();
    let line = String::from_utf8(output.stdout).unwrap();
    line.trim().rsplit(' ').next().map(str::to_owned)
}

fn chunked(signature: &str, body: &[u8], length: usize) -> Vec<u8> {
    let head = format!("POST /webhook HTTP/1.1\r\nHost: localhost\r\nX-Hub-Signature-256: {signature}\r\n");
    let mut request = format!("{head}Transfer-Encoding: chunked\r\n\r\n").into_bytes();
    for chunk in body.chunks(length) {
        request.extend(format!("{:x};a=b\r\n", chunk.len()).bytes());
        request.extend(chunk);
        request.extend(b"\r\n");
    }
    request.extend(b"0\r\n\r\n");
    request
}

/// In one piece or in many, the result is that of `openssl`, and the bytes are unchanged.
#[tokio::test]
async fn signature_checks_agree_with_openssl() {
    let running = Running::start().await;
    for (body, digits) in VECTORS {
        assert!(openssl(body).is_none_or(|digest| digest == digits), "{digits}");
        let value = format!("sha256={digits}");
        assert_eq!(signature(SECRET, body), value);
        let header = format!("X-Hub-Signature-256: {value}\r\n");
        let mut requests = vec![post("/webhook", &header, body)];
        requests.extend([1, 2, 7, 1000].map(|length| chunked(&value, body, length)));
        for request in requests {
            assert_eq!(running.send(request).await.status, 200, "{digits}");
            assert_eq!(running.delivery_log.stored().last().unwrap().body.as_ref(), body);
        }
    }
    let append_calls = running.delivery_log.append_calls();
    for (body, digits) in VECTORS {
        // The signatures of the other bodies are wrong for this one.
        for (_, other) in VECTORS.iter().filter(|(_, other)| *other != digits) {
            let header = format!("X-Hub-Signature-256: sha256={other}\r\n");
            assert_eq!(running.send(post("/webhook", &header, body)).await.status, 401);
        }
        let header = format!("X-Hub-Signature-256: sha256={digits}\r\n");
        for near in [[body, b" "].concat(), [body, b"\n"].concat(), [b" ", body].concat(), [body, b"\0"].concat()] {
            assert_eq!(running.send(post("/webhook", &header, &near)).await.status, 401);
        }
    }
    assert_eq!(running.delivery_log.append_calls(), append_calls);
}

/// The same content in other bytes has another signature.
#[tokio::test]
async fn rewritten_bodies_are_rejected() {
    let running = Running::start().await;
    let pairs: [(&[u8], &[u8]); 6] = [
        (br#"{"u":"https:\/\/x"}"#, br#"{"u":"https://x"}"#),
        (br#"{"t":"caf\u00e9"}"#, "{\"t\":\"café\"}".as_bytes()),
        (br#"{"t":"\u00e9"}"#, br#"{"t":"\u00E9"}"#),
        (b"\xef\xbb\xbf{}", b"{}"),
        (b"{}\n", b"{}"),
        (br#"{"a":1,"a":2}"#, br#"{"a":2}"#),
    ];
    for (sent, rewritten) in pairs {
        let header = format!("X-Hub-Signature-256: {}\r\n", signature(SECRET, sent));
        let answer = running.send(post("/webhook", &header, rewritten)).await;
        assert_eq!((answer.status, answer.reason().as_str()), (401, "mismatch"));
    }
    assert_eq!(running.delivery_log.append_calls(), 0);
}
