//! Contract §2.2, §4.2 and §4.3 for every kind of template that can be composed, as JSON and as the bytes of a form.

use reqwest::Method;
use reqwest::multipart::{Form, Part};
use sandbox::{Options, Profile};
use serde_json::{Value, json};

use crate::bench::{Bench, PNG, TEMPLATES, answer, assert_refused, options};

fn creation(name: &str, category: &str, components: Value) -> Value {
    json!({ "waba_ids": [2001], "name": name, "category": category, "language": "pt_BR", "components": components })
}

fn image(handle: &str) -> Value {
    json!({ "type": "HEADER", "format": "IMAGE", "example": { "header_handle": [handle] } })
}

fn body(text: &str) -> Value {
    json!({ "type": "BODY", "text": text })
}

fn row(buttons: Value) -> Value {
    json!({ "type": "BUTTONS", "buttons": buttons })
}

fn card(header: Value, buttons: Value) -> Value {
    json!({ "components": [header, row(buttons)] })
}

fn carousel(cards: Value) -> Value {
    json!([body("Escolha o seu"), { "type": "CAROUSEL", "cards": cards }])
}

fn otp(button: Value) -> Value {
    json!([
        { "type": "BODY", "add_security_recommendation": true },
        { "type": "FOOTER", "code_expiration_minutes": 5 },
        row(json!([button])),
    ])
}

/// One creation for each kind (upstream §2).
fn kinds() -> Vec<Value> {
    let product = json!({ "type": "HEADER", "format": "PRODUCT" });
    let apps = json!([{ "package_name": "com.example.app", "signature_hash": "K8a/AINcGX7" }]);
    let quick = json!({ "type": "QUICK_REPLY", "text": "Quero este" });
    let url = json!({
        "type": "URL",
        "text": "Abrir",
        "url": "https://x.example/o?c={{1}}",
        "example": ["https://x.example/o?c=abc"],
    });
    let phone = json!({ "type": "PHONE_NUMBER", "text": "Ligar", "phone_number": "551155500101" });
    let code = json!({ "type": "COPY_CODE", "example": "FLORES15" });
    let flow = json!({
        "type": "FLOW",
        "text": "Marcar",
        "flow_id": "123456",
        "flow_action": "navigate",
        "navigate_screen": "START",
        "icon": "DOCUMENT",
    });
    let call = json!({ "type": "VOICE_CALL", "text": "Falar agora", "ttl_minutes": 1440 });
    let contact = json!({ "type": "REQUEST_CONTACT_INFO" });
    let only = |kind: &str, text: &str| row(json!([{ "type": kind, "text": text }]));
    let text_header = json!({ "type": "HEADER", "format": "TEXT", "text": "A nossa escolha" });
    let mut order =
        creation("order", "utility", json!([body("Seu pedido espera."), only("ORDER_DETAILS", "Copiar Pix")]));
    order["display_format"] = json!("ORDER_DETAILS");
    let mut lite = creation("lite", "marketing", json!([body("Uma semana de flores")]));
    lite["type"] = json!("marketing_lite");
    lite["message_send_ttl_seconds"] = json!(43_200);
    vec![
        creation(
            "buttons",
            "marketing",
            json!([body("Todos os jeitos"), row(json!([quick, quick, url, url, phone, code, flow, call, contact]))]),
        ),
        creation(
            "media_cards",
            "marketing",
            carousel(json!(
                [card(image("4::b25l"), json!([quick, url])), card(image("4::dHdv"), json!([quick, url])),]
            )),
        ),
        creation(
            "phone_cards",
            "marketing",
            carousel(json!([card(image("4::b25l"), json!([phone])), card(image("4::dHdv"), json!([phone])),])),
        ),
        creation(
            "product_cards",
            "marketing",
            carousel(json!([
                card(product.clone(), json!([{ "type": "SPM", "text": "View" }])),
                card(product.clone(), json!([{ "type": "SPM", "text": "View" }])),
            ])),
        ),
        creation(
            "product_links",
            "marketing",
            carousel(json!([card(product.clone(), json!([url])), card(product.clone(), json!([url])),])),
        ),
        creation(
            "offer",
            "marketing",
            json!([
                image("4::b25l"),
                { "type": "LIMITED_TIME_OFFER", "limited_time_offer": { "text": "S\u{f3} hoje!", "has_expiration": true } },
                body("Use o c\u{f3}digo at\u{e9} a meia-noite."),
                row(json!([code, url])),
            ]),
        ),
        creation(
            "otp_copy",
            "authentication",
            otp(json!({ "type": "OTP", "otp_type": "COPY_CODE", "text": "Copiar" })),
        ),
        creation(
            "otp_one_tap",
            "authentication",
            otp(json!({
                "type": "OTP", "otp_type": "ONE_TAP", "text": "Copiar", "autofill_text": "Preencher", "supported_apps": apps,
            })),
        ),
        creation(
            "otp_zero_tap",
            "authentication",
            otp(json!({
                "type": "OTP", "otp_type": "ZERO_TAP", "zero_tap_terms_accepted": true, "supported_apps": apps,
            })),
        ),
        creation("catalog", "marketing", json!([body("Veja tudo"), only("CATALOG", "View catalog")])),
        creation("products", "marketing", json!([text_header, body("Veja estas"), only("MPM", "View items")])),
        creation("product", "marketing", json!([product, body("Veja esta"), only("SPM", "View")])),
        creation("place", "utility", json!([{ "type": "HEADER", "format": "LOCATION" }, body("Estamos aqui")])),
        creation("calls", "utility", json!([body("Podemos ligar?"), { "type": "CALL_PERMISSION_REQUEST" }])),
        order,
        lite,
    ]
}

#[tokio::test]
async fn every_kind_is_approved_and_listed_as_created() {
    let bench = Bench::start(options()).await;
    for sent in kinds().into_iter().filter(|sent| !is_rewritten(sent)) {
        let uuid = bench.approved(sent.clone()).await;
        let record = bench.record(&uuid).await.unwrap();
        for (field, value) in sent.as_object().unwrap() {
            assert_eq!(&record[field], value, "{field} of {}", sent["name"]);
        }
    }
}

/// The channel writes the texts of authentication templates itself.
fn is_rewritten(creation: &Value) -> bool {
    creation["category"] == "authentication"
}

#[tokio::test]
async fn authentication_templates_are_listed_with_the_channels_texts() {
    let code = "https://www.whatsapp.com/otp/code/?otp_type=ONE_TAP&code_expiration_minutes=5&cta_display_name=Preencher\
        &package_name=com.example.app&signature_hash=K8a%2FAINcGX7&code=otp";
    for profile in [Profile::Whatsapp, Profile::Minimal] {
        let bench = Bench::start(Options { profile, ..options() }).await;
        let one_tap = kinds().into_iter().find(|sent| sent["name"] == "otp_one_tap").unwrap();
        let (_, made) = bench.post(TEMPLATES, one_tap.clone()).await;
        let uuid = made["uuid"].as_str().unwrap_or_else(|| panic!("{made}"));
        bench.until_status(uuid, "APPROVED").await;
        let mut listed = json!([
            {
                "type": "BODY",
                "text": "*{{1}}* é seu código de verificação. Para sua segurança, não o compartilhe.",
                "example": { "body_text": [["123456"]] },
                "add_security_recommendation": true,
            },
            { "type": "FOOTER", "text": "Este código expira em 5 minutos.", "code_expiration_minutes": 5 },
            row(json!([{
                "type": "URL",
                "text": "Copiar",
                "url": format!("{code}{{{{1}}}}"),
                "example": [format!("{code}123456")],
            }])),
        ]);
        if profile == Profile::Minimal {
            listed[0].as_object_mut().unwrap().remove("add_security_recommendation");
            listed[1].as_object_mut().unwrap().remove("code_expiration_minutes");
        }
        assert_eq!(bench.record(uuid).await.unwrap()["components"], listed);

        // What is listed cannot be sent back.
        if profile == Profile::Whatsapp {
            let mut again = one_tap;
            again["name"] = json!("otp_as_listed");
            again["components"] = listed;
            assert_refused(bench.post(TEMPLATES, again).await, 400, "components[0]");
        }
    }
}

#[tokio::test]
async fn every_kind_is_created_by_multipart() {
    let bench = Bench::start(options()).await;
    for sent in kinds() {
        let mut form = Form::new().text("waba_ids", "2001");
        for (field, value) in sent.as_object().unwrap().iter().filter(|(field, _)| *field != "waba_ids") {
            form = form.text(field.clone(), value.as_str().map_or_else(|| value.to_string(), str::to_owned));
        }
        let (status, made) = answer(bench.request(Method::POST, TEMPLATES).multipart(form)).await;
        assert_eq!(status, 200, "{made}");
        if !is_rewritten(&sent) {
            assert_eq!(made["data"]["components"], sent["components"]);
        }
        assert_eq!(made["data"]["message_send_ttl_seconds"], sent["message_send_ttl_seconds"]);
        let edit = Form::new().text("components", sent["components"].to_string()).text("sub_category", "CUSTOM");
        let path = format!("{TEMPLATES}/{}", made["uuid"].as_str().unwrap());
        bench.until_status(made["uuid"].as_str().unwrap(), "APPROVED").await;
        let (status, edited) = answer(bench.request(Method::PUT, &path).multipart(edit)).await;
        assert_eq!(status, 200, "{edited}");
        if !is_rewritten(&sent) {
            assert_eq!(edited["data"]["components"], sent["components"]);
        }
    }
}

fn file(tail: &str) -> Part {
    Part::bytes([PNG, tail.as_bytes()].concat()).file_name(format!("{tail}.png"))
}

async fn download(bench: &Bench, address: &Value) -> Vec<u8> {
    let response = bench.client.get(address.as_str().unwrap()).send().await.unwrap();
    assert_eq!(response.status(), 200);
    response.bytes().await.unwrap().to_vec()
}

/// Only the cards that await a file take one, in order; the others keep their sample.
#[tokio::test]
async fn files_are_assigned_to_cards_without_one() {
    let bench = Bench::start(options()).await;
    let quick = json!([{ "type": "QUICK_REPLY", "text": "Quero" }]);
    let cards = |handles: &[&str]| {
        let cards: Vec<Value> = handles.iter().map(|handle| card(image(handle), quick.clone())).collect();
        carousel(json!(cards))
    };
    let form = |components: &Value| {
        Form::new()
            .text("waba_ids", "2001")
            .text("name", "some_files")
            .text("language", "pt_BR")
            .text("category", "marketing")
            .part("carousel_files[]", file("second"))
            .part("carousel_files[]", file("fourth"))
            .text("components", components.to_string())
    };
    let components = cards(&["4::b25l", "UPLOAD_PENDING", "4::dGhyZWU=", "UPLOAD_PENDING"]);
    let (status, made) = answer(bench.request(Method::POST, TEMPLATES).multipart(form(&components))).await;
    assert_eq!(status, 200, "{made}");
    let handle = |record: &Value, card: usize| {
        record["components"][1]["cards"][card]["components"][0]["example"]["header_handle"][0].clone()
    };
    assert_eq!(handle(&made["data"], 0), "4::b25l");
    assert_eq!(handle(&made["data"], 2), "4::dGhyZWU=");
    assert!(download(&bench, &handle(&made["data"], 1)).await.ends_with(b"second"));
    assert!(download(&bench, &handle(&made["data"], 3)).await.ends_with(b"fourth"));

    // A sample that is somebody else's address is none.
    let foreign = cards(&["https://scontent.example/v/1.jpg", "4::b25l"]);
    let foreign = creation("foreign", "marketing", foreign);
    assert_refused(bench.post(TEMPLATES, foreign).await, 400, "cards[0].components[0].example.header_handle[0]");

    // An edit sends one file again; the URLs of the other cards are resolved to their files.
    let uuid = made["uuid"].as_str().unwrap();
    let mut listed = bench.until_status(uuid, "APPROVED").await["components"].clone();
    listed[1]["cards"][3]["components"][0]["example"]["header_handle"][0] = json!("UPLOAD_PENDING");
    let edit = Form::new().part("carousel_files[]", file("anew")).text("components", listed.to_string());
    let path = format!("{TEMPLATES}/{uuid}");
    let (status, edited) = answer(bench.request(Method::PUT, &path).multipart(edit)).await;
    assert_eq!(status, 200, "{edited}");
    assert_eq!(handle(&edited["data"], 1), handle(&made["data"], 1));
    assert!(download(&bench, &handle(&edited["data"], 3)).await.ends_with(b"anew"));

    let more = Form::new().part("carousel_files[]", file("one")).part("carousel_files[]", file("two"));
    let more = more.text("components", listed.to_string());
    assert_refused(answer(bench.request(Method::PUT, &path).multipart(more)).await, 400, "carousel_files[]");
}

/// The bytes as another client would write them: files first, the components last, no trailing line.
#[tokio::test]
async fn a_form_is_read_from_its_bytes() {
    let bench = Bench::start(options()).await;
    let mut bytes = Vec::new();
    let mut part = |head: &str, content: &[u8]| {
        bytes.extend(format!("--edge\r\nContent-Disposition: form-data; {head}\r\n\r\n").into_bytes());
        bytes.extend(content);
        bytes.extend(b"\r\n");
    };
    let components = json!([image("UPLOAD_PENDING"), body("Com imagem e pagamento \u{1f337}")]);
    part("name=\"header_file\"; filename=\"flor.png\"\r\nContent-Type: image/png", &[PNG, b"header"].concat());
    part("name=\"pix_file\"; filename=\"pix.pdf\"\r\nContent-Type: application/pdf", b"%PDF-1.7 pix");
    part("name=\"order_file\"; filename=\"order.pdf\"", b"%PDF-1.7 order");
    part("name=\"waba_ids\"", b"2001");
    part("name=\"name\"", b"from_bytes");
    part("name=\"language\"", b"pt_BR");
    part("name=\"category\"", b"utility");
    part("name=\"pix_data\"", br#"{"key":"39580525000189"}"#);
    part("name=\"order_data\"", br#"{"reference_id":"ord-1"}"#);
    part("name=\"components\"", components.to_string().as_bytes());
    bytes.extend(b"--edge--");
    let request = bench.request(Method::POST, TEMPLATES).header("content-type", "multipart/form-data; boundary=edge");
    let (status, made) = answer(request.body(bytes)).await;
    assert_eq!(status, 200, "{made}");
    let data = &made["data"];
    assert_eq!(data["components"][1], components[1]);
    assert_eq!(data["pix_data"], json!({ "key": "39580525000189" }));
    assert_eq!(data["order_data"], json!({ "reference_id": "ord-1" }));
    let header = &data["components"][0]["example"]["header_handle"][0];
    assert_eq!(download(&bench, header).await, [PNG, b"header"].concat());
    assert_eq!(download(&bench, &data["pix_file"]).await, b"%PDF-1.7 pix");
    assert_eq!(download(&bench, &data["order_file"]).await, b"%PDF-1.7 order");
}
