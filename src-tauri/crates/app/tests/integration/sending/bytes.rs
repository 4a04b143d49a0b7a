//! The exact bytes of a send (contract §2.3, §4.1, §5).

use command_types::send::{SendOptions, SendRequest, SendText};
use serde_json::{Value, json};

use super::{Desk, NUMBER, TOKEN, WORKSPACE_UUID, answer_with, hello};

fn banner() -> Value {
    json!({"name": "banner", "category": "marketing", "components": [
        {"type": "HEADER", "format": "DOCUMENT"},
        {"type": "BODY", "text": "Hi {{1}}, see {{2}} today only."},
        {"type": "FOOTER", "text": "Reply STOP"},
        {"type": "BUTTONS", "buttons": [
            {"type": "QUICK_REPLY", "text": "STOP"},
            {"type": "URL", "text": "Shop", "url": "https://shop.example/{{1}}"}]}]})
}

fn cards() -> Value {
    let card = json!({"components": [
        {"type": "HEADER", "format": "IMAGE"},
        {"type": "BODY", "text": "With {{1}} off."},
        {"type": "BUTTONS", "buttons": [{"type": "QUICK_REPLY", "text": "More"}]}]});
    json!({"name": "cards", "category": "marketing", "components": [
        {"type": "BODY", "text": "Rare plants for sale this week."},
        {"type": "CAROUSEL", "cards": [card, card]}]})
}

#[tokio::test]
async fn messages_match_the_contract_byte_for_byte() {
    let desk = Desk::start(&[hello(), banner(), cards()]).await;
    // Uploads need no reachable link.
    let exactly = "{ \"order\" : 7, \"é\": \"a \\\"b\\\"\" }\n";
    let untracked =
        |request: SendRequest| SendRequest { options: SendOptions { track: false, ..request.options }, ..request };
    let sends = [
        (
            untracked(desk.request("t1", &[("body.1", "Ana \"A\" d'Ávila / 🌷")])),
            r#"{"messaging_product":"messaging","recipient_type":"individual","to":"5511987654321","type":"template","template":{"name":"hello","language":{"code":"pt_BR"},"components":[{"type":"body","parameters":[{"type":"text","text":"Ana \"A\" d'Ávila / 🌷"}]}]}}"#,
        ),
        (
            SendRequest {
                options: SendOptions {
                    exact_callback: true,
                    callback_data: exactly.to_owned(),
                    ..SendOptions::default()
                },
                ..desk.request(
                    "t2",
                    &[
                        ("header.link", "1234567890"),
                        ("header.filename", "offer.pdf"),
                        ("body.1", "Ana"),
                        ("body.2", "tulips"),
                        ("button.0.payload", "stop-1"),
                        ("button.1.url", "tulips"),
                    ],
                )
            },
            r#"{"messaging_product":"messaging","recipient_type":"individual","to":"5511987654321","type":"template","biz_opaque_callback_data":"{ \"order\" : 7, \"é\": \"a \\\"b\\\"\" }\n","template":{"name":"banner","language":{"code":"pt_BR"},"components":[{"type":"header","parameters":[{"type":"document","document":{"id":"1234567890","filename":"offer.pdf"}}]},{"type":"body","parameters":[{"type":"text","text":"Ana"},{"type":"text","text":"tulips"}]},{"type":"button","sub_type":"quick_reply","index":"0","parameters":[{"type":"payload","payload":"stop-1"}]},{"type":"button","sub_type":"url","index":"1","parameters":[{"type":"text","text":"tulips"}]}]}}"#,
        ),
        (
            untracked(desk.request(
                "t3",
                &[
                    ("card.0.header.link", "11"),
                    ("card.0.body.1", "10 %"),
                    ("card.0.button.0.payload", "more-0"),
                    ("card.1.header.link", "12"),
                    ("card.1.body.1", "20 %"),
                    ("card.1.button.0.payload", "more-1"),
                ],
            )),
            r#"{"messaging_product":"messaging","recipient_type":"individual","to":"5511987654321","type":"template","template":{"name":"cards","language":{"code":"pt_BR"},"components":[{"type":"carousel","cards":[{"card_index":0,"components":[{"type":"header","parameters":[{"type":"image","image":{"id":"11"}}]},{"type":"body","parameters":[{"type":"text","text":"10 %"}]},{"type":"button","sub_type":"quick_reply","index":"0","parameters":[{"type":"payload","payload":"more-0"}]}]},{"card_index":1,"components":[{"type":"header","parameters":[{"type":"image","image":{"id":"12"}}]},{"type":"body","parameters":[{"type":"text","text":"20 %"}]},{"type":"button","sub_type":"quick_reply","index":"0","parameters":[{"type":"payload","payload":"more-1"}]}]}]}]}}"#,
        ),
    ];
    for (place, (request, expected)) in sends.into_iter().enumerate() {
        answer_with(&desk.provider, &format!("wamid.{place}"));
        let mut request = request;
        request.options.overrides.push("to.recentMarketing".to_owned());
        let preview = desk.core().messaging.preview_send(request.clone()).await.unwrap();
        assert_eq!(preview.problems, []);
        assert_eq!(preview.callback.as_deref(), request.options.exact_callback.then_some(exactly));
        let row = desk.core().messaging.send_template(request).await.unwrap();
        assert_eq!(row.state.as_str(), "accepted");
        let arrived = desk.provider.requests().pop().unwrap();
        assert_eq!(String::from_utf8(arrived.body).unwrap(), expected);
        // The preview equals the request and the send's page.
        let shown: Value = serde_json::from_str(&preview.payload).unwrap();
        assert_eq!(shown.to_string(), serde_json::from_str::<Value>(expected).unwrap().to_string());
        let detail = desk.detail(&row).await;
        assert_eq!(detail.payload, expected);
        assert_eq!(detail.curl, preview.curl);
        assert!(!format!("{detail:?}{preview:?}").contains(TOKEN));
    }
    let text = SendText {
        workspace: desk.workspace(),
        number: NUMBER.to_owned(),
        to: "5511987654321".to_owned(),
        text: "Oi *Ana*,\n\t\"tudo\" bem? {{1}}".to_owned(),
        // It is sent as typed, once the person has confirmed that.
        options: SendOptions { overrides: vec!["text.variable".to_owned()], ..SendOptions::default() },
        ..SendText::default()
    };
    desk.core().messaging.send_text(text.clone()).await.unwrap();
    let plain = r#"{"messaging_product":"messaging","recipient_type":"individual","to":"5511987654321","type":"text","text":{"body":"Oi *Ana*,\n\t\"tudo\" bem? {{1}}"}}"#;
    assert_eq!(String::from_utf8(desk.provider.requests().pop().unwrap().body).unwrap(), plain);
    desk.core().messaging.send_text(SendText { preview_url: true, ..text }).await.unwrap();
    let with_preview = plain.replace("}}\"}}", "}}\",\"preview_url\":true}}");
    assert_eq!(String::from_utf8(desk.provider.requests().pop().unwrap().body).unwrap(), with_preview);
    desk.harness.close().await;
}

#[tokio::test]
async fn requests_have_the_contract_headers_and_a_curl_command() {
    let desk = Desk::start(&[hello()]).await;
    let answer = json!({"messages": [{"id": "wamid.1"}]});
    desk.provider.answer_json("POST ", "201 Created", &answer);
    let row = desk.core().messaging.send_template(desk.request("t1", &[("body.1", "it's $HOME")])).await.unwrap();
    let sent = desk.provider.requests().pop().unwrap();
    assert_eq!(sent.head[0], format!("POST /api/messaging/provider/{NUMBER}/send-message HTTP/1.1"));
    assert_eq!(sent.header("authorization"), [format!("Bearer {TOKEN}")]);
    assert_eq!(sent.header("x-workspace-uuid"), [WORKSPACE_UUID]);
    assert_eq!(sent.header("content-type"), ["application/json"]);

    let detail = desk.detail(&row).await;
    assert_eq!(detail.request.method, "POST");
    assert_eq!(detail.request.url, format!("{}/api/messaging/provider/{NUMBER}/send-message", desk.provider.origin()));
    assert_eq!(detail.response_status, Some(201), "as it was");
    assert_eq!(detail.response, Some(answer.to_string()));
    // Run by a shell with the token, the command makes the same request.
    let script = format!("curl() {{ for word; do printf '%s\\0' \"$word\"; done; }}\n{}", detail.curl);
    let shell = tokio::process::Command::new("sh").args(["-c", &script]).env("TDESK_TOKEN", TOKEN).output();
    let words = String::from_utf8(shell.await.unwrap().stdout).unwrap();
    let words: Vec<&str> = words.split_terminator('\0').collect();
    assert!(words.contains(&detail.request.url.as_str()), "{words:?}");
    assert!(words.contains(&format!("Authorization: Bearer {TOKEN}").as_str()), "{words:?}");
    assert!(words.contains(&format!("x-workspace-uuid: {WORKSPACE_UUID}").as_str()), "{words:?}");
    assert_eq!(words.last().map(|body| body.as_bytes()), Some(sent.body.as_slice()));
    desk.harness.close().await;
}

#[tokio::test]
async fn callback_data_contains_the_tracking_id() {
    let desk = Desk::start(&[hello()]).await;
    let own = "{\n  \"order\": 12345678901234567890123,\n  \"note\": \"say \\\"hi\\\"\"\n}";
    let mut request = desk.request("t1", &[("body.1", "Ana")]);
    own.clone_into(&mut request.options.callback_data);
    let row = desk.core().messaging.send_template(request).await.unwrap();
    let detail = desk.detail(&row).await;
    let tracking_id = detail.tracking_id.unwrap();
    let data = format!("{{\"order\":12345678901234567890123,\"note\":\"say \\\"hi\\\"\",\"td\":\"{tracking_id}\"}}");
    assert_eq!(detail.callback_data.as_deref(), Some(data.as_str()));
    // Escaped once, as a JSON string.
    let body = String::from_utf8(desk.provider.requests().pop().unwrap().body).unwrap();
    assert!(body.contains(&format!("\"biz_opaque_callback_data\":{},", Value::from(data))), "{body}");
    desk.harness.close().await;
}
