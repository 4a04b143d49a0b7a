//! Findings of what nobody filled in.

use super::*;

#[test]
fn addresses_that_stand_for_another_one() {
    let of = |url: &str| codes(&with_buttons(json!([{"type": "URL", "text": "Open", "url": url}])));
    for url in [
        "https://www.example.com/sale",
        "https://example.org",
        "http://EXAMPLE.net:8080/?a=b",
        "https://shop.example.com/x",
        "http://localhost:3000/a",
        "https://127.0.0.1/",
        "https://shop.test/a",
        "https://shop.invalid",
        "https://yourdomain.com/x",
        "https://www.your-site.com",
        "https://your-company.co.uk/a",
        "https://seusite.com.br/ofertas",
        "https://www.tudominio.com",
        "https://tienda.su-empresa.mx",
        "https://exemplo.com.br/a",
        "https://user@ejemplo.com/a",
    ] {
        assert_eq!(of(url), ["url.placeholder"], "{url}");
    }
    for url in [
        "https://example.company.com/a",
        "https://www.flores.example/a",
        "https://notexample.com",
        "https://example.com.acme-store.com/a",
        "https://acme.com/example.com",
        "https://acme.com/?to=yourdomain.com",
        "https://localhost-tours.com",
        "https://testing.com",
    ] {
        assert_eq!(of(url), [""; 0], "{url}");
    }
    let sample = json!([{"type": "URL", "text": "Open", "url": "https://acme.com/{{1}}", "example": ["https://www.example.com/1"]}]);
    let found = lint_json(&with_buttons(sample));
    let at: Vec<_> = found.iter().map(|finding| (finding.code, finding.path.as_str())).collect();
    assert_eq!(at, [("url.placeholder", "/components/1/buttons/0/example/0")]);
    assert!(found[0].needs_override());
}

#[test]
fn texts_that_nobody_filled_in() {
    for (text, found) in [
        ("Hello [NAME], your order is ready.", Some("[NAME]")),
        ("Olá [nome do cliente], tudo bem?", Some("[nome do cliente]")),
        ("Pague [valor] hasta [fecha].", Some("[valor]")),
        ("Lorem Ipsum dolor sit amet.", Some("Lorem Ipsum")),
        ("Order at www.yourdomain.com.", Some("www.yourdomain.com")),
        ("Write to ana@example.com today.", Some("example.com")),
        ("Veja *https://seusite.com/x* agora.", Some("seusite.com")),
        ("[Acme] Your order is ready [today].", None),
        ("See example.company.com for more.", None),
        ("The sale runs on localhost terms.", None),
        ("Item [1] of [2] is here.", None),
        ("é [", None),
    ] {
        let warnings = lint_json(&with_body(text, json!([])));
        let words =
            warnings.iter().find(|finding| finding.code == "text.placeholder").map(|finding| &finding.values["words"]);
        assert_eq!(words.map(String::as_str), found, "{text}");
        assert!(warnings.iter().all(|finding| !finding.blocks()), "{text}");
    }
}

#[test]
fn numbers_that_nobody_answers() {
    let of =
        |number: &str| codes(&with_buttons(json!([{"type": "PHONE_NUMBER", "text": "Call", "phone_number": number}])));
    assert_eq!(of("+12125550143"), ["phone.placeholder"]);
    for number in ["+15550051310", "+5511955501234", "12125551143"] {
        assert_eq!(of(number), [""; 0], "{number}");
    }
}

fn codes(template: &Value) -> Vec<&'static str> {
    lint_json(template).iter().map(|finding| finding.code).collect()
}
