//! Contract §6.1, §6.2 and §6.4: what recipients see, and their actions.

use reqwest::Method;
use reqwest::multipart::{Form, Part};
use serde_json::{Value, json};

use crate::bench::{Bench, NUMBER, PNG, Recorder, TOKEN, answer, assert_refused, message, options, until};

const TO: &str = "5511987654321";

fn with_buttons() -> Value {
    json!({
        "waba_ids": [2001],
        "name": "with_buttons",
        "category": "marketing",
        "language": "pt_BR",
        "components": [
            { "type": "BODY", "text": "Ol\u{e1} {{1}}, o pedido {{2}} chegou. O que achou?", "example": { "body_text": [["Ana", "42"]] } },
            { "type": "FOOTER", "text": "Loja" },
            { "type": "BUTTONS", "buttons": [
                { "type": "QUICK_REPLY", "text": "Gostei" },
                { "type": "QUICK_REPLY", "text": "N\u{e3}o gostei" },
                { "type": "URL", "text": "Site", "url": "https://loja.example/" },
            ] },
        ],
    })
}

async fn inbound(recorder: &Recorder, id: &str) -> Value {
    until(&format!("inbound {id}"), async || {
        recorder.inbound().into_iter().find(|value| value["messages"][0]["id"] == id)
    })
    .await
}

async fn phone(bench: &Bench) -> Value {
    let (status, body) = bench.get(&format!("/sandbox/phones/{TO}")).await;
    assert_eq!(status, 200, "{body}");
    body["data"].clone()
}

/// Sends [`with_buttons`] and waits until it is read.
async fn received(bench: &Bench) -> String {
    bench.approved(with_buttons()).await;
    let mut body = message("with_buttons", TO);
    body["biz_opaque_callback_data"] = json!("{\"hidden\":true}");
    body["template"]["components"].as_array_mut().unwrap().push(json!({
        "type": "button", "sub_type": "quick_reply", "index": "0",
        "parameters": [{ "type": "payload", "payload": "LIKED" }],
    }));
    let id = bench.send(body).await;
    until("the message is read", async || (phone(bench).await["items"][0]["status"] == "read").then_some(())).await;
    id
}

#[tokio::test]
async fn the_phone_shows_the_rendered_message() {
    let bench = Bench::start(options()).await;
    let id = received(&bench).await;
    let phone = phone(&bench).await;
    let item = &phone["items"][0];
    assert_eq!(item["direction"], "received");
    assert_eq!(item["message_id"], id);
    let text: String =
        item["bubble"]["body"][0]["runs"].as_array().unwrap().iter().map(|run| run["text"].as_str().unwrap()).collect();
    assert_eq!(text, "Ol\u{e1} Ana, o pedido 42 chegou. O que achou?");
    assert_eq!(item["bubble"]["footer"], "Loja");
    assert_eq!(item["bubble"]["buttons"][2]["label"], "Site");
    assert_eq!(item["quick_replies"][0], json!({ "card": null, "index": 0, "label": "Gostei", "payload": "LIKED" }));
    assert_eq!(item["quick_replies"][1]["payload"], "N\u{e3}o gostei");
    assert!(!phone.to_string().contains("hidden"), "callback data stay hidden from the person");
    let (_, phones) = bench.get("/sandbox/phones").await;
    assert_eq!(phones["data"][0]["recipient"], TO);
    assert_eq!(phones["data"][0]["messages"], 1);
    assert_eq!(phones["data"][0]["excerpt"], "Ol\u{e1} Ana, o pedido 42 chegou. O que achou?");
    let (_, empty) = bench.get("/sandbox/phones/5511900000000").await;
    assert_eq!(empty["data"]["items"], json!([]));
    assert_refused(bench.get("/sandbox/phones/nobody").await, 404, "nobody");
}

#[tokio::test]
async fn a_tap_is_sent_in_both_forms() {
    let (bench, recorder) = Bench::with_recorder(options()).await;
    let id = received(&bench).await;
    let path = format!("/sandbox/phones/{TO}/tap");

    let (status, body) = bench.post(&path, json!({ "message_id": id, "button": 0, "form": "button" })).await;
    assert_eq!(status, 200, "{body}");
    let value = inbound(&recorder, body["message_id"].as_str().unwrap()).await;
    assert_eq!(value["messaging_product"], "messaging");
    assert_eq!(value["metadata"]["phone_number_id"], NUMBER);
    assert_eq!(value["contacts"][0]["wa_id"], TO);
    assert!(value["contacts"][0]["profile"]["name"].is_string());
    let message = &value["messages"][0];
    assert_eq!(message["from"], TO);
    assert_eq!(message["type"], "button");
    assert_eq!(message["button"], json!({ "payload": "LIKED", "text": "Gostei" }));
    assert_eq!(message["context"]["id"], id);
    assert!(message["timestamp"].as_str().unwrap().parse::<u64>().is_ok());

    // The form of the contract §6.4, which is the default.
    let (_, body) = bench.post(&path, json!({ "button": "N\u{e3}o gostei" })).await;
    let value = inbound(&recorder, body["message_id"].as_str().unwrap()).await;
    let message = &value["messages"][0];
    assert_eq!(message["type"], "interactive");
    assert_eq!(
        message["interactive"],
        json!({ "type": "button_reply", "button_reply": { "id": "N\u{e3}o gostei", "title": "N\u{e3}o gostei" } })
    );
    assert_eq!(message["context"]["id"], id);
    assert_eq!(phone(&bench).await["items"].as_array().unwrap().len(), 3);

    for (body, field) in [
        (json!({ "message_id": id, "button": 2 }), "button"),
        (json!({ "message_id": id, "button": "Outro" }), "button"),
        (json!({ "message_id": id, "button": 0, "card": 1 }), "button"),
        (json!({ "message_id": "wamid.unknown", "button": 0 }), "message_id"),
        (json!({ "message_id": id }), "button"),
        (json!({ "button": 0, "extra": 1 }), "extra"),
    ] {
        assert_refused(bench.post(&path, body).await, 400, field);
    }
    assert_refused(bench.post("/sandbox/phones/5511911111111/tap", json!({ "button": 0 })).await, 400, "message_id");
}

#[tokio::test]
async fn the_quick_reply_of_a_card_can_be_tapped() {
    let (bench, recorder) =
        Bench::with_recorder(sandbox::Options { seed: Some(sandbox::Seed::Samples), ..options() }).await;
    let (_, list) = bench.get("/messaging/provider/workspace-templates?search=bouquets").await;
    let cards = list["data"][0]["components"][1]["cards"].as_array().unwrap().clone();
    let image = &cards[0]["components"][0]["example"]["header_handle"][0];
    let card = |index: usize| {
        json!({ "card_index": index, "components": [
            { "type": "header", "parameters": [{ "type": "image", "image": { "link": image } }] },
            { "type": "button", "sub_type": "quick_reply", "index": "0",
              "parameters": [{ "type": "payload", "payload": format!("CARD-{index}") }] },
            { "type": "button", "sub_type": "url", "index": "1", "parameters": [{ "type": "text", "text": "x" }] },
        ] })
    };
    let mut body = message("bouquets", TO);
    body["template"]["components"] = json!([
        { "type": "body", "parameters": [{ "type": "text", "text": "Ana" }] },
        { "type": "carousel", "cards": (0..cards.len()).map(card).collect::<Vec<_>>() },
    ]);
    body["template"]["components"][1]["cards"][1]["components"][0]["parameters"][0]["image"]["link"] =
        json!(format!("{}?own", image.as_str().unwrap()));
    let id = bench.send(body).await;
    let item = until("the message is on the phone", async || {
        let items = phone(&bench).await["items"].clone();
        (items[0]["bubble"]["cards"].as_array()?.len() == cards.len()).then(|| items[0].clone())
    })
    .await;
    let link = item["bubble"]["cards"][1]["header"]["link"].as_str().unwrap();
    assert!(link.ends_with("?own"), "the picture is the one of this send, not the sample: {link}");
    let path = format!("/sandbox/phones/{TO}/tap");
    let (status, body) = bench.post(&path, json!({ "message_id": id, "card": 1, "button": 0 })).await;
    assert_eq!(status, 200, "{body}");
    let value = inbound(&recorder, body["message_id"].as_str().unwrap()).await;
    assert_eq!(value["messages"][0]["interactive"]["button_reply"]["id"], "CARD-1");
    let taps = phone(&bench).await["items"][0]["taps"].clone();
    assert_eq!((&taps[0]["card"], &taps[0]["button"]), (&json!(1), &json!(0)));
}

#[tokio::test]
async fn a_text_from_a_phone_is_delivered() {
    let (bench, recorder) = Bench::with_recorder(options()).await;
    assert_refused(bench.post(&format!("/sandbox/phones/{TO}/text"), json!({ "body": "x" })).await, 400, "number");
    received(&bench).await;
    let path = format!("/sandbox/phones/{TO}/text");
    let (status, body) = bench.post(&path, json!({ "body": "Ol\u{e1} / \u{1f600}" })).await;
    assert_eq!(status, 200, "{body}");
    let value = inbound(&recorder, body["message_id"].as_str().unwrap()).await;
    assert_eq!(value["messages"][0]["type"], "text");
    assert_eq!(value["messages"][0]["text"], json!({ "body": "Ol\u{e1} / \u{1f600}" }));
    assert!(value["messages"][0].get("context").is_none());
    for (body, field) in [
        (json!({}), "body"),
        (json!({ "body": " " }), "body"),
        (json!({ "body": "x".repeat(4097) }), "body"),
        (json!({ "body": "x", "number": "1" }), "number"),
    ] {
        assert_refused(bench.post(&path, body).await, 400, field);
    }
}

#[tokio::test]
async fn a_text_is_edited_and_deleted_on_the_phone_that_sent_it() {
    let (bench, recorder) = Bench::with_recorder(options()).await;
    received(&bench).await;
    let text = bench.sandbox.write_text(TO, "At seven", None, None).unwrap();
    let edit = bench.sandbox.revise_text(TO, &text, Some("At eight")).unwrap();
    let message = inbound(&recorder, &edit).await["messages"][0].clone();
    let new = json!({ "type": "text", "text": { "body": "At eight" } });
    assert_eq!(message["edit"], json!({ "original_message_id": text, "message": new }));
    let excerpt = || bench.sandbox.phones().into_iter().find(|phone| phone.recipient == TO).unwrap().excerpt;
    assert_eq!(excerpt(), "At eight");
    let deletion = bench.sandbox.revise_text(TO, &text, None).unwrap();
    let last = bench.sandbox.phones().into_iter().find(|phone| phone.recipient == TO).unwrap();
    assert_eq!((last.last_kind.as_str(), last.excerpt.as_str()), ("revoke", ""));
    let message = inbound(&recorder, &deletion).await["messages"][0].clone();
    assert_eq!((&message["type"], &message["revoke"]), (&json!("revoke"), &json!({ "original_message_id": text })));
    for (message, text, path) in [(&text, Some(" "), "/body"), (&edit, None, "/message_id")] {
        let refused = bench.sandbox.revise_text(TO, message, text).unwrap_err();
        assert_eq!(refused.path.as_deref(), Some(path));
    }
    assert!(bench.sandbox.revise_text("15550002222", &text, None).is_err());
}

/// The last status of a message of [`TO`].
async fn settled(bench: &Bench, id: &str) -> Value {
    until("the message ends", async || {
        let phone = phone(bench).await;
        let items = phone["items"].as_array().into_iter().chain(phone["not_shown"].as_array()).flatten();
        let message = items.into_iter().find(|item| item["message_id"] == id)?;
        ["read", "failed"].iter().any(|last| message["status"] == *last).then(|| message.clone())
    })
    .await
}

#[tokio::test]
async fn a_phone_stops_the_marketing_of_one_business() {
    let (bench, recorder) = Bench::with_recorder(options()).await;
    received(&bench).await;
    let path = format!("/sandbox/phones/{TO}/marketing");
    let (status, body) = bench.post(&path, json!({ "value": "stop" })).await;
    assert_eq!((status, &body["data"]["marketing_stopped"][0]), (200, &json!(NUMBER)), "{body}");
    let of = |(field, value): (String, Value)| (field == "user_preferences").then_some(value);
    let event = until("the event", async || recorder.changes().into_iter().find_map(of)).await;
    assert_eq!(event["metadata"]["phone_number_id"], NUMBER);
    let preference = &event["user_preferences"][0];
    assert_eq!((&preference["wa_id"], &preference["value"]), (&json!(TO), &json!("stop")));
    assert_eq!(preference["category"], "marketing_messages");
    let refused = bench.send(message("with_buttons", TO)).await;
    let failed = settled(&bench, &refused).await;
    assert_eq!((&failed["status"], &failed["error"]["code"]), (&json!("failed"), &json!(131_050)));

    let (_, body) = bench.post(&path, json!({ "value": "resume", "number": NUMBER })).await;
    assert_eq!(body["data"]["marketing_stopped"], json!([]));
    let sent = bench.send(message("with_buttons", TO)).await;
    assert_eq!(settled(&bench, &sent).await["status"], "read");
    for (body, field) in [(json!({ "value": "later" }), "later"), (json!({ "value": "stop", "number": "1" }), "number")]
    {
        assert_refused(bench.post(&path, body).await, 400, field);
    }
}

#[tokio::test]
async fn media_of_every_kind_is_delivered_with_both_addresses() {
    let (bench, recorder) = Bench::with_recorder(options()).await;
    received(&bench).await;
    let path = format!("/sandbox/phones/{TO}/media");
    let post = async |form: Form| answer(bench.request(Method::POST, &path).multipart(form)).await;
    for (bytes, filename, kind, mime_type) in [
        (PNG, "a.png", "image", "image/png"),
        (b"\xff\xd8\xff\xe0 jpeg", "a.jpg", "image", "image/jpeg"),
        (b"RIFF\x10\0\0\0WEBPVP8 ", "a.webp", "sticker", "image/webp"),
        (b"\0\0\0\x18ftypisom film", "a.mp4", "video", "video/mp4"),
        (b"OggS sound", "a.ogg", "audio", "audio/ogg; codecs=opus"),
        (b"%PDF-1.7 paper", "a.pdf", "document", "application/pdf"),
    ] {
        let form = Form::new().part("file", Part::bytes(bytes.to_vec()).file_name(filename)).text("caption", "Veja");
        let (status, body) = post(form).await;
        assert_eq!(status, 200, "{body}");
        let value = inbound(&recorder, body["message_id"].as_str().unwrap()).await;
        let message = &value["messages"][0];
        assert_eq!(message["type"], kind);
        let media = &message[kind];
        assert_eq!(media["mime_type"], mime_type);
        assert!(media["id"].is_string());
        assert_eq!(media["sha256"].as_str().unwrap().len(), 64);
        assert_eq!(media["caption"] == "Veja", matches!(kind, "image" | "video" | "document"));
        assert_eq!(media["filename"] == filename, kind == "document");

        let public = bench.client.get(media["s3_url"].as_str().unwrap()).send().await.unwrap();
        assert_eq!(public.status(), 200);
        assert_eq!(public.bytes().await.unwrap(), bytes);
        let url = media["url"].as_str().unwrap();
        assert_eq!(answer(bench.client.get(url)).await.0, 401);
        let guarded = bench.client.get(url).bearer_auth(TOKEN).send().await.unwrap();
        assert_eq!(guarded.bytes().await.unwrap(), bytes);
    }
    let file = |bytes: &[u8]| Part::bytes(bytes.to_vec()).file_name("a");
    for (form, field) in [
        (Form::new().text("caption", "no file"), "file"),
        (Form::new().part("file", file(b"")), "file"),
        (Form::new().part("file", file(b"\0\x01\x02")), "file"),
        (Form::new().part("file", file(PNG)).text("type", "audio"), "type"),
        (Form::new().part("file", file(PNG)).text("type", "hologram"), "type"),
    ] {
        assert_refused(post(form).await, 400, field);
    }
    let (status, _) = post(Form::new().part("file", file(PNG)).text("type", "document")).await;
    assert_eq!(status, 200, "anything can be sent as a document");
    assert_refused(bench.get("/sandbox/media/unknown").await, 404, "unknown");
    assert_refused(bench.get("/sandbox/public/..%2F..%2Fetc%2Fpasswd").await, 404, "passwd");
}
