//! Contract §6.1, §6.2 and upstream §8.1: messages from phones, as the bytes that arrive at the webhook.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::Router;
use axum::body::Body;
use axum::http::Method as HttpMethod;
use axum::response::Response;
use axum::routing::any;
use reqwest::Method;
use reqwest::multipart::{Form, Part};
use serde_json::{Value, json};
use tokio::net::TcpListener;

use crate::bench::{Bench, NUMBER, PNG, Recorder, TOKEN, answer, assert_refused, message, options, template, until};

const TO: &str = "5511987654321";

/// The value of the event with the message `id`.
async fn arrived(recorder: &Recorder, id: &Value) -> Value {
    until(&format!("inbound {id}"), async || {
        recorder.inbound().into_iter().find(|value| value["messages"][0]["id"] == *id)
    })
    .await
}

async fn bench_with_phone() -> (Bench, Recorder) {
    let (bench, recorder) = Bench::with_recorder(options()).await;
    bench.approved(template("greeting")).await;
    bench.send(message("greeting", TO)).await;
    (bench, recorder)
}

async fn send_file(bench: &Bench, bytes: &[u8], filename: &str) -> Value {
    let form = Form::new().part("file", Part::bytes(bytes.to_vec()).file_name(filename.to_owned()));
    let (status, body) =
        answer(bench.request(Method::POST, &format!("/sandbox/phones/{TO}/media")).multipart(form)).await;
    assert_eq!(status, 200, "{body}");
    body["message_id"].clone()
}

#[tokio::test]
async fn custom_items_are_sent_unchanged() {
    let (bench, recorder) = bench_with_phone().await;
    let path = format!("/sandbox/phones/{TO}/message");
    for item in [
        json!({ "type": "location", "location": { "latitude": -23.55, "longitude": -46.63, "name": "Loja" } }),
        json!({ "type": "contacts", "contacts": [{ "name": { "formatted_name": "Ana" }, "phones": [{ "phone": "+55 11" }] }] }),
        json!({ "type": "reaction", "reaction": { "message_id": "wamid.X", "emoji": "\u{1f44d}" } }),
        json!({ "type": "order", "order": { "catalog_id": "1", "product_items": [
            { "product_retailer_id": "a", "quantity": 2, "item_price": 10.5, "currency": "BRL" } ] } }),
        json!({ "type": "interactive", "context": { "from": "1", "id": "wamid.Y" },
            "interactive": { "type": "list_reply", "list_reply": { "id": "i", "title": "t", "description": "d" } } }),
        json!({ "type": "interactive", "interactive": { "type": "nfm_reply",
            "nfm_reply": { "name": "flow", "body": "Sent", "response_json": "{\"a\":1}" } } }),
        json!({ "type": "system", "system": { "body": "changed", "wa_id": "551199", "type": "user_changed_number" } }),
        json!({ "type": "unsupported", "errors": [{ "code": 131_051, "title": "Message type unknown" }] }),
        json!({ "type": "hologram", "hologram": { "depth": 18_014_398_509_481_985_u64, "of": [null, true] } }),
    ] {
        let (status, body) = bench.post(&path, json!({ "message": item })).await;
        assert_eq!(status, 200, "{body}");
        let value = arrived(&recorder, &body["message_id"]).await;
        assert_eq!(value["metadata"]["phone_number_id"], NUMBER);
        let mut message = value["messages"][0].as_object().unwrap().clone();
        assert_eq!(message.remove("from"), Some(json!(TO)));
        assert!(message.remove("id").unwrap().as_str().unwrap().starts_with("wamid."));
        assert!(message.remove("timestamp").unwrap().as_str().unwrap().parse::<u64>().is_ok());
        assert_eq!(Value::Object(message), item);
    }
    // Given members are kept, including an identifier, a timestamp and a sender.
    let own = json!({ "from": "", "id": "own-id", "timestamp": "1", "type": "text", "text": { "body": "x" } });
    let (_, body) = bench.post(&path, json!({ "message": own })).await;
    assert_eq!(body["message_id"], "own-id");
    let value = arrived(&recorder, &json!("own-id")).await;
    assert_eq!(value["messages"][0], own);
    for (body, field) in [
        (json!({}), "message"),
        (json!({ "message": "text" }), "string"),
        (json!({ "message": {} }), "message.type"),
        (json!({ "message": { "type": 1 } }), "message.type"),
        (json!({ "message": { "type": "text", "id": 5 } }), "message.id"),
        (json!({ "message": { "type": "text" }, "number": "1" }), "number"),
    ] {
        assert_refused(bench.post(&path, body).await, 400, field);
    }
}

#[tokio::test]
async fn answers_quote_what_the_phone_shows() {
    let (bench, recorder) = bench_with_phone().await;
    let sent = bench.send(message("greeting", TO)).await;
    let shown = async || bench.get(&format!("/sandbox/phones/{TO}")).await.1["data"]["items"].clone();
    until("both are on the phone", async || (shown().await.as_array()?.len() == 2).then_some(())).await;
    let path = format!("/sandbox/phones/{TO}/text");
    let (_, body) = bench.post(&path, json!({ "body": "sim", "reply_to": sent })).await;
    let value = arrived(&recorder, &body["message_id"]).await;
    assert_eq!(value["messages"][0]["context"], json!({ "from": NUMBER, "id": sent }));
    let own = body["message_id"].clone();
    let (_, body) = bench.post(&path, json!({ "body": "quero", "reply_to": own })).await;
    let value = arrived(&recorder, &body["message_id"]).await;
    assert_eq!(value["messages"][0]["context"], json!({ "from": TO, "id": own }));
    assert_refused(bench.post(&path, json!({ "body": "x", "reply_to": "wamid.NONE" })).await, 400, "reply_to");
}

#[tokio::test]
async fn names_and_new_phones_are_stored() {
    let (bench, recorder) = bench_with_phone().await;
    let path = "/sandbox/phones/5511900001111";
    assert_eq!(bench.put(path, json!({})).await.0, 200);
    assert_eq!(bench.put(path, json!({ "name": " Jos\u{e9} " })).await.1["data"]["name"], "Jos\u{e9}");
    assert_eq!(bench.put(path, json!({})).await.1["data"]["name"], "Jos\u{e9}", "no name leaves the name");
    let (_, body) = bench.post(&format!("{path}/text"), json!({ "body": "Oi", "number": NUMBER })).await;
    let value = arrived(&recorder, &body["message_id"]).await;
    assert_eq!(value["contacts"], json!([{ "profile": { "name": "Jos\u{e9}" }, "wa_id": "5511900001111" }]));
    let (_, phones) = bench.get("/sandbox/phones").await;
    let phone = phones["data"].as_array().unwrap().iter().find(|phone| phone["recipient"] == "5511900001111").unwrap();
    assert_eq!((&phone["excerpt"], &phone["named"]), (&json!("Oi"), &json!(true)));
    assert_refused(bench.put("/sandbox/phones/abc", json!({})).await, 400, "recipient");
    assert_refused(bench.put(path, json!({ "name": "n".repeat(101) })).await, 400, "name");
    assert_refused(bench.put(path, json!({ "nick": "n" })).await, 400, "nick");
}

#[tokio::test]
async fn media_messages_have_the_configured_links() {
    let (bench, recorder) = bench_with_phone().await;
    for (links, public, downloads) in [("both", true, 200), ("url", false, 200), ("expired", false, 404)] {
        bench.settings(json!({ "media_links": links })).await;
        let id = send_file(&bench, PNG, "a.png").await;
        let value = arrived(&recorder, &id).await;
        let image = &value["messages"][0]["image"];
        assert_eq!(image.get("s3_url").is_some(), public, "{links}");
        let url = image["url"].as_str().unwrap();
        assert_eq!(bench.client.get(url).send().await.unwrap().status(), 401, "{links}: the token is needed");
        let response = bench.client.get(url).bearer_auth(TOKEN).send().await.unwrap();
        assert_eq!(response.status(), downloads, "{links}");
        if downloads == 200 {
            assert_eq!(response.bytes().await.unwrap(), PNG);
        } else {
            let body: Value = response.json().await.unwrap();
            assert_refused((404, body), 404, image["id"].as_str().unwrap());
        }
    }
    // The lifetime of the URL is configurable; files that were sent before keep theirs.
    bench.settings(json!({ "media_links": "both", "media_url_ms": 0 })).await;
    let id = send_file(&bench, PNG, "a.png").await;
    let image = arrived(&recorder, &id).await["messages"][0]["image"].clone();
    let guarded = bench.client.get(image["url"].as_str().unwrap()).bearer_auth(TOKEN).send().await.unwrap();
    assert_eq!(guarded.status(), 404);
    let public = bench.client.get(image["s3_url"].as_str().unwrap()).send().await.unwrap();
    assert_eq!(public.bytes().await.unwrap(), PNG, "the public link never expires");
    assert_refused(bench.put("/sandbox/settings", json!({ "media_links": "none" })).await, 400, "none");
}

#[tokio::test]
async fn stickers_and_voice_messages_are_marked() {
    let (bench, recorder) = bench_with_phone().await;
    for (bytes, filename, kind, field, value) in [
        (&b"RIFF\x10\0\0\0WEBPVP8X\x0a\0\0\0\x02\0\0\0"[..], "a.webp", "sticker", "animated", true),
        (b"RIFF\x10\0\0\0WEBPVP8X\x0a\0\0\0\x10\0\0\0", "a.webp", "sticker", "animated", false),
        (b"OggS sound", "a.ogg", "audio", "voice", true),
        (b"ID3 song", "a.mp3", "audio", "voice", false),
    ] {
        let id = send_file(&bench, bytes, filename).await;
        let message = arrived(&recorder, &id).await["messages"][0].clone();
        assert_eq!(message["type"], kind);
        assert_eq!(message[kind][field], value, "{filename}: {message}");
    }
    let large = vec![b'x'; 100 * 1024 + 1];
    let sticker = [&b"RIFF\x10\0\0\0WEBPVP8 "[..], &large].concat();
    let form = Form::new().part("file", Part::bytes(sticker).file_name("a.webp"));
    let refused = answer(bench.request(Method::POST, &format!("/sandbox/phones/{TO}/media")).multipart(form)).await;
    assert_refused(refused, 400, "102400");
}

#[tokio::test]
async fn taps_are_stored_with_the_message() {
    let (bench, _recorder) = Bench::with_recorder(options()).await;
    let mut tapped = template("tapped");
    tapped["components"].as_array_mut().unwrap().push(json!({ "type": "BUTTONS", "buttons": [
        { "type": "QUICK_REPLY", "text": "Sim" }, { "type": "QUICK_REPLY", "text": "Outro" } ] }));
    bench.approved(tapped).await;
    let id = bench.send(message("tapped", TO)).await;
    let item = async || bench.get(&format!("/sandbox/phones/{TO}")).await.1["data"]["items"][0].clone();
    until("it is on the phone", async || (item().await["message_id"] == id).then_some(())).await;
    for button in [1, 0] {
        let (status, body) = bench.post(&format!("/sandbox/phones/{TO}/tap"), json!({ "button": button })).await;
        assert_eq!(status, 200, "{body}");
    }
    let taps = item().await["taps"].clone();
    let buttons: Vec<&Value> = taps.as_array().unwrap().iter().map(|tap| &tap["button"]).collect();
    assert_eq!(buttons, [1, 0]);
    assert!(taps[0]["at"].is_i64() && taps[0].get("card").is_none());
}

/// A server that declares a small picture, and then sends an unlimited number of bytes.
async fn lying_server(asked: Arc<AtomicUsize>, size: usize) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let link = format!("http://{}/small.png", listener.local_addr().unwrap());
    let picture = any(move |method: HttpMethod| {
        let asked = Arc::clone(&asked);
        async move {
            let response = Response::builder().header("content-type", "image/png");
            if method == HttpMethod::HEAD {
                return response.header("content-length", "1024").body(Body::empty()).unwrap();
            }
            let chunk = 64 * 1024;
            let chunks = (0..size.div_ceil(chunk)).map(move |index| {
                asked.fetch_add(1, Ordering::SeqCst);
                let mut bytes = vec![0; chunk.min(size - index * chunk)];
                if index == 0 {
                    bytes[..PNG.len()].copy_from_slice(PNG);
                }
                Ok::<_, std::io::Error>(bytes)
            });
            response.body(Body::from_stream(futures_util::stream::iter(chunks))).unwrap()
        }
    });
    tokio::spawn(async move { axum::serve(listener, Router::new().fallback_service(picture)).await });
    link
}

fn pictured(link: &str) -> Value {
    let mut body = message("pictured", TO);
    body["template"]["components"] =
        json!([{ "type": "header", "parameters": [{ "type": "image", "image": { "link": link } }] }]);
    body
}

#[tokio::test]
async fn a_link_with_a_wrong_size_fails_with_the_contract_error() {
    let (bench, recorder) = Bench::with_recorder(options()).await;
    let mut template = template("pictured");
    template["components"] = json!([
        { "type": "HEADER", "format": "IMAGE", "example": { "header_handle": ["4::aGFuZGxl"] } },
        { "type": "BODY", "text": "Uma imagem" },
    ]);
    bench.approved(template).await;
    let failed = async |link: &str| {
        let id = bench.send(pictured(link)).await;
        let status = until("a status", async || recorder.statuses(&id).pop()).await;
        assert_eq!(status["status"], "failed", "{status}");
        status["errors"][0].clone()
    };
    let link = lying_server(Arc::default(), 6_000_000).await;
    assert_eq!(bench.client.head(&link).send().await.unwrap().headers()["content-length"], "1024");
    let error = failed(&link).await;
    let reason = error["details"]["reason"].as_str().unwrap();
    assert!(reason.contains("6000000") && reason.contains("5242880"), "{reason}");
    assert_eq!(
        error,
        json!({
            "code": 131_053,
            "title": "Media upload error",
            "message": error["message"],
            "retryable": false,
            "classification": "UserError",
            "details": { "file_size_bytes": 6_000_000, "max_size_bytes": 5_242_880, "reason": reason },
        })
    );
    // A download that never ends is aborted; the reported size is the number of bytes read.
    let asked = Arc::new(AtomicUsize::new(0));
    let endless = lying_server(Arc::clone(&asked), usize::MAX / 2).await;
    let error = failed(&endless).await;
    let size = error["details"]["file_size_bytes"].as_u64().unwrap();
    assert!((5_242_881..64 * 1024 * 1024).contains(&size), "{size}");
    assert!(asked.load(Ordering::SeqCst) < 4096);
}
