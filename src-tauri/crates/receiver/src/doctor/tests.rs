//! Each diagnosis: a delivery is signed, then changed once, and the doctor detects the change.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{collections::HashSet, io::Write as _};

use flate2::{Compression, write::GzEncoder, write::ZlibEncoder};
use hyper::{HeaderMap, header::HeaderValue};
use proptest::prelude::*;

use super::*;

const SECRET: &str = "app-secret-demo";
/// JSON in the channel's format (upstream §9.2).
const CHANNEL: &str = r#"{"object":"whatsapp_business_account","entry":[{"id":"0","changes":[{"field":"messages","value":{"text":"caf\u00e9 \ud83d\ude00 a@b.c https:\/\/x","n":1.0,"o":{}}}]}]}"#;
/// Maximum number of signatures that any diagnosis may compute: for each own secret the body as received, 8 variants of
/// the secret and 18 bodies before a change; for each other secret one.
const MAX_ATTEMPTS: u32 = 4 * (1 + 8 + 18) + 200;

fn known(name: &str, route: Option<&str>, secret: &str) -> KnownSecret {
    KnownSecret { name: name.to_owned(), route: route.map(str::to_owned), secret: secret.into() }
}

fn own(secrets: &[&str]) -> Vec<KnownSecret> {
    let names = ["current", "previous"];
    secrets.iter().zip(names).map(|(secret, name)| known(name, None, secret)).collect()
}

fn mac(algorithm: hmac::Algorithm, secret: &str, body: &[u8]) -> Vec<u8> {
    hmac::sign(&hmac::Key::new(algorithm, secret.as_bytes()), body).as_ref().to_vec()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn base64(bytes: &[u8]) -> String {
    use ::base64::{Engine as _, engine::general_purpose::STANDARD};
    STANDARD.encode(bytes)
}

fn signed(secret: &str, body: &[u8]) -> String {
    format!("sha256={}", hex(&mac(hmac::HMAC_SHA256, secret, body)))
}

fn sha1(secret: &str, body: &[u8]) -> String {
    format!("sha1={}", hex(&mac(hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY, secret, body)))
}

fn header(value: &str) -> Vec<(String, String)> {
    vec![("x-hub-signature-256".to_owned(), value.to_owned())]
}

fn diagnose(headers: &[(String, String)], body: &[u8], secrets: &[KnownSecret]) -> Diagnosis {
    let examination = examine(Evidence { headers, body, whole: true }, secrets);
    assert!(examination.attempts <= MAX_ATTEMPTS, "{examination:?}");
    examination.diagnosis
}

fn other_secret(tried: &[&str]) -> Diagnosis {
    Diagnosis::OtherSecret { tried: tried.iter().map(|name| (*name).to_owned()).collect() }
}

fn gzip(body: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(body).unwrap();
    encoder.finish().unwrap()
}

fn zlib(body: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(body).unwrap();
    encoder.finish().unwrap()
}

fn utf16(text: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    text.encode_utf16().flat_map(bytes).collect()
}

#[test]
fn changes_of_the_body_are_named() {
    use Change::{
        BomAdded, BomRemoved, CharsetChanged, Compressed, LineEndings, NewlineAdded, NewlineRemoved, Reserialised,
    };
    let value: serde_json::Value = serde_json::from_str(CHANNEL).unwrap();
    let (compact, indented) = (value.to_string(), serde_json::to_string_pretty(&value).unwrap());
    let bytes = |text: &str| text.as_bytes().to_vec();
    let bom = |text: &str| format!("\u{feff}{text}").into_bytes();
    let (lines, latin) = ("{\n  \"a\": 1\n}", r#"{"t":"café"}"#);
    let signs = r#"{"t":"\u003Cb a\u0040b \u0025"}"#;
    // The signed body, the received one, and the change.
    let cases: Vec<(Vec<u8>, Vec<u8>, Change)> = vec![
        (bytes(CHANNEL), bytes(&compact), Reserialised),
        (bytes(CHANNEL), bytes(&indented), Reserialised),
        (bytes(CHANNEL), bytes(&format!("{indented}\n")), Reserialised),
        (bytes(signs), bytes(r#"{"t":"<b a@b %"}"#), Reserialised),
        (bytes(&compact), bytes(CHANNEL), Reserialised),
        (bytes(r#"{"a": [1, 2], "b": "x, é"}"#), bytes(r#"{"a":[1,2],"b":"x, é"}"#), Reserialised),
        (bytes(r#"{"a": [1, 2], "b": "\u00e9"}"#), bytes(r#"{"a":[1,2],"b":"é"}"#), Reserialised),
        (
            bytes(r#"{"b":1.50,"a":12345678901234567890123}"#),
            bytes(r#"{ "b": 1.50, "a": 12345678901234567890123 }"#),
            Reserialised,
        ),
        (bytes(CHANNEL), bytes(&format!("{CHANNEL}\n")), NewlineAdded),
        (bytes(CHANNEL), bytes(&format!(" {CHANNEL}\r\n")), NewlineAdded),
        (bytes(&format!("{CHANNEL}\n")), bytes(CHANNEL), NewlineRemoved),
        (bytes(&format!("{CHANNEL}\r\n")), bytes(CHANNEL), NewlineRemoved),
        (bytes(lines), bytes(&lines.replace('\n', "\r\n")), LineEndings),
        (bytes(&lines.replace('\n', "\r\n")), bytes(lines), LineEndings),
        (bytes(CHANNEL), bom(CHANNEL), BomAdded),
        (bom(CHANNEL), bytes(CHANNEL), BomRemoved),
        (bytes(latin), b"{\"t\":\"caf\xe9\"}".to_vec(), CharsetChanged),
        (bytes(latin), bytes(r#"{"t":"cafÃ©"}"#), CharsetChanged),
        (bytes(latin), utf16(latin, u16::to_le_bytes), CharsetChanged),
        (bytes(latin), utf16(latin, u16::to_be_bytes), CharsetChanged),
        (bytes(latin), utf16(&format!("\u{feff}{latin}"), u16::to_le_bytes), CharsetChanged),
        (bytes(latin), utf16(&format!("\u{feff}{latin}"), u16::to_be_bytes), CharsetChanged),
        (bytes(CHANNEL), gzip(CHANNEL.as_bytes()), Compressed),
        (bytes(CHANNEL), zlib(CHANNEL.as_bytes()), Compressed),
    ];
    for (original, received, change) in &cases {
        let name = String::from_utf8_lossy(received);
        let secrets = own(&["newer", SECRET]);
        let by_known = header(&signed(SECRET, original));
        let expected = Diagnosis::BodyChanged { change: *change, secret: "previous".to_owned() };
        assert_eq!(diagnose(&by_known, received, &secrets), expected, "{name}");
        let unchanged = diagnose(&by_known, original, &secrets);
        assert_eq!(unchanged, Diagnosis::Valid { by: "previous".to_owned() }, "{name}");
        let by_unknown = header(&signed("unknown", original));
        assert_eq!(diagnose(&by_unknown, received, &secrets), other_secret(&["current", "previous"]), "{name}");
    }
    assert_eq!(cases.iter().map(|(_, _, change)| change).collect::<HashSet<_>>().len(), 8);
}

#[test]
fn a_cut_body_is_named_whatever_the_secret_is() {
    for received in ["", "{\"a\":", &CHANNEL[..CHANNEL.len() - 4]] {
        let found = diagnose(&header(&signed(SECRET, CHANNEL.as_bytes())), received.as_bytes(), &own(&[SECRET]));
        assert_eq!(found, Diagnosis::BodyCut {}, "{received}");
    }
    for received in ["{}", "hello", "{}{"] {
        let found = diagnose(&header(&signed("unknown", b"x")), received.as_bytes(), &own(&[SECRET]));
        assert_eq!(found, other_secret(&["current"]), "{received}");
    }
}

#[test]
fn missing_and_repeated_headers_are_named() {
    let body = CHANNEL.as_bytes();
    let (good, sha1) = (signed(SECRET, body), sha1(SECRET, body));
    let none = |other: Option<&str>, secret: Option<&str>| Diagnosis::NoHeader {
        other_header: other.map(str::to_owned),
        secret: secret.map(str::to_owned),
    };
    let cases: [(&[(&str, &str)], Diagnosis); 8] = [
        (&[], none(None, None)),
        (&[("content-type", "application/json")], none(None, None)),
        (&[("x-hub-signature", &sha1)], none(Some("x-hub-signature"), Some("current"))),
        (&[("x-hub-signature", "sha1=00")], none(Some("x-hub-signature"), None)),
        (&[("x-hub-signature256", &good)], none(Some("x-hub-signature256"), Some("current"))),
        (
            &[("webhook-signature", "v1,AAAA"), ("x-provider-hmac", &good)],
            none(Some("x-provider-hmac"), Some("current")),
        ),
        (&[("x-hub-signature-256", &good), ("x-hub-signature-256", &good)], Diagnosis::DuplicateHeader {}),
        (&[("x-hub-signature", &sha1), ("x-hub-signature-256", &good)], Diagnosis::Valid { by: "current".to_owned() }),
    ];
    for (headers, diagnosis) in cases {
        let owned: Vec<_> = headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        assert_eq!(diagnose(&owned, body, &own(&[SECRET])), diagnosis, "{headers:?}");
    }
}

#[test]
fn malformed_values_and_other_algorithms_are_named() {
    use Fault::{Base64, Empty, MissingPrefix, NotHex, OtherPrefix, Quotes};
    let body = CHANNEL.as_bytes();
    let digest = mac(hmac::HMAC_SHA256, SECRET, body);
    let (digits, base64) = (hex(&digest), base64(&digest));
    let wrong = |faults: &[Fault], secret: Option<&str>| Diagnosis::WrongForm {
        faults: faults.to_vec(),
        secret: secret.map(str::to_owned),
    };
    let sha1_by = |secret: Option<&str>| Diagnosis::WrongAlgorithm { secret: secret.map(str::to_owned) };
    let fits = Some("current");
    for (value, diagnosis) in [
        (format!("sha256={}", digits.to_uppercase()), Diagnosis::Valid { by: "current".to_owned() }),
        (String::new(), wrong(&[Empty], None)),
        ("  ".to_owned(), wrong(&[Empty], None)),
        (format!("\"sha256={digits}\""), wrong(&[Quotes], fits)),
        (digits.clone(), wrong(&[MissingPrefix], fits)),
        (format!("SHA256={digits}"), wrong(&[OtherPrefix], fits)),
        (format!("v1={digits}"), wrong(&[OtherPrefix], fits)),
        (format!("sha256:{digits}"), wrong(&[OtherPrefix], fits)),
        (format!("sha256={base64}"), wrong(&[Base64], fits)),
        (base64.clone(), wrong(&[MissingPrefix, Base64], fits)),
        (format!("sha256={}", &digits[..63]), wrong(&[NotHex], None)),
        (format!("sha256={}g", &digits[..63]), wrong(&[NotHex], None)),
        ("sha256=".to_owned(), wrong(&[NotHex], None)),
        ("sha256=\u{fffd}\u{fffd}".to_owned(), wrong(&[NotHex], None)),
        ("no".to_owned(), wrong(&[MissingPrefix, NotHex], None)),
        (signed("unknown", body).replace("sha256=", ""), wrong(&[MissingPrefix], None)),
        (sha1(SECRET, body), sha1_by(fits)),
        (sha1(SECRET, body).replace("sha1=", "sha256="), sha1_by(fits)),
        (sha1(SECRET, body).replace("sha1=", ""), sha1_by(fits)),
        (sha1("unknown", body), sha1_by(None)),
    ] {
        assert_eq!(diagnose(&header(&value), body, &own(&[SECRET])), diagnosis, "{value}");
    }
}

#[test]
fn secrets_of_other_routes_are_named() {
    let body = CHANNEL.as_bytes();
    let secrets = [
        known("current", None, "mine"),
        known("current", Some("other"), ""),
        known("previous", Some("other"), "theirs"),
    ];
    let theirs = Diagnosis::OtherRoute { route: "other".to_owned(), secret: "previous".to_owned() };
    let by_theirs = header(&signed("theirs", body));
    assert_eq!(diagnose(&by_theirs, body, &secrets), theirs);
    // Also if the path has no secret of its own.
    assert_eq!(diagnose(&by_theirs, body, &secrets[1..]), theirs);
    assert_eq!(diagnose(&header(&signed("x", body)), body, &secrets[1..]), Diagnosis::NoSecret {});
    assert_eq!(diagnose(&header(&signed("", body)), body, &own(&["", ""])), Diagnosis::NoSecret {});
}

#[test]
fn secrets_with_extra_characters_are_named() {
    for (ours, theirs, edge) in [
        ("s3cr3t\n", "s3cr3t", Edge::OwnBlanks),
        (" s3cr3t", "s3cr3t", Edge::OwnBlanks),
        ("\"s3cr3t\"", "s3cr3t", Edge::OwnQuotes),
        ("s3cr3t", "s3cr3t\n", Edge::SenderNewline),
        ("s3cr3t", "s3cr3t\r\n", Edge::SenderNewline),
        ("s3cr3t", "s3cr3t ", Edge::SenderBlank),
        ("s3cr3t", " s3cr3t", Edge::SenderBlank),
        ("s3cr3t", "\"s3cr3t\"", Edge::SenderQuotes),
        ("s3cr3t", "'s3cr3t'", Edge::SenderQuotes),
    ] {
        let found = diagnose(&header(&signed(theirs, CHANNEL.as_bytes())), CHANNEL.as_bytes(), &own(&["x", ours]));
        assert_eq!(found, Diagnosis::SecretEdges { edge, secret: "previous".to_owned() }, "{ours:?}");
    }
}

#[test]
fn no_digest_is_computed_over_an_incomplete_body() {
    let part = |value: Option<&str>, secrets: &[KnownSecret]| {
        let headers = value.map(header).unwrap_or_default();
        let examination = examine(Evidence { headers: &headers, body: b"{", whole: false }, secrets);
        assert_eq!(examination.attempts, 0);
        examination.diagnosis
    };
    let good = signed(SECRET, b"{}");
    assert_eq!(part(Some(&good), &own(&[SECRET])), Diagnosis::BodyNotKept {});
    assert_eq!(part(Some(&good), &[]), Diagnosis::NoSecret {});
    let faults = vec![Fault::MissingPrefix, Fault::NotHex];
    assert_eq!(part(Some("no"), &own(&[SECRET])), Diagnosis::WrongForm { faults, secret: None });
    assert_eq!(part(Some(&sha1(SECRET, b"{}")), &own(&[SECRET])), Diagnosis::WrongAlgorithm { secret: None });
    assert_eq!(part(None, &own(&[SECRET])), Diagnosis::NoHeader { other_header: None, secret: None });
}

#[test]
fn work_is_bounded_for_hostile_bodies_and_many_secrets() {
    const LENGTH: usize = 256 * 1024;
    let foreign = header(&signed("unknown", b"..."));
    let mut secrets: Vec<_> = (0..10).map(|number| known("own", None, &format!("own {number}"))).collect();
    secrets.extend((0..500).map(|number| known("other", Some("other"), &format!("other {number}"))));
    for body in [
        vec![b'['; LENGTH],
        vec![b'\n'; LENGTH],
        vec![0xff; LENGTH],
        format!("[{}1]", "\"é/<%@\",\n ".repeat(LENGTH / 16)).into_bytes(),
        gzip(&vec![b'['; 8 * 1024 * 1024]),
        vec![b' '; 2 * 1024 * 1024],
    ] {
        diagnose(&foreign, &body, &secrets);
        let largest = body::candidates(&body).map(|(_, before)| before.len()).max().unwrap_or_default();
        assert!(largest <= 6 * 1024 * 1024, "{largest} bytes");
    }
}

#[test]
fn a_diagnosis_holds_no_secret() {
    let secrets = own(&["n3wer-s3cr3t", SECRET]);
    let body = format!("{CHANNEL}\n");
    for value in
        [signed(SECRET, CHANNEL.as_bytes()), signed(&format!("{SECRET}\n"), body.as_bytes()), sha1(SECRET, b"")]
    {
        let headers = header(&value);
        let examination = examine(Evidence { headers: &headers, body: body.as_bytes(), whole: true }, &secrets);
        let printed = format!("{examination:?}{}{secrets:?}", serde_json::to_string(&examination.diagnosis).unwrap());
        assert!(!printed.contains(SECRET) && !printed.contains("n3wer-s3cr3t"), "{printed}");
    }
}

/// The codes that the UI and scripts match.
#[test]
fn codes_are_stable() {
    let secret = || "current".to_owned();
    for (diagnosis, json) in [
        (Diagnosis::Plain {}, r#"{"kind":"plain"}"#),
        (
            Diagnosis::NoHeader { other_header: Some("x".to_owned()), secret: None },
            r#"{"kind":"noHeader","otherHeader":"x","secret":null}"#,
        ),
        (
            Diagnosis::OtherRoute { route: "w".to_owned(), secret: secret() },
            r#"{"kind":"otherRoute","workspace":"w","secret":"current"}"#,
        ),
        (
            Diagnosis::BodyChanged { change: Change::Reserialised, secret: secret() },
            r#"{"kind":"bodyChanged","change":"reserialised","secret":"current"}"#,
        ),
    ] {
        assert_eq!(serde_json::to_string(&diagnosis).unwrap(), json);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases.max(512)))]

    /// The doctor and the endpoint agree on what is valid.
    #[test]
    fn the_diagnosis_agrees_with_the_endpoint(
        secret in "[ -~]{0,12}",
        signer in "[ -~]{0,12}",
        body in prop::collection::vec(any::<u8>(), 0..200),
        other in prop::option::of(prop::collection::vec(any::<u8>(), 0..200)),
        junk in prop::option::of("[ -~é]{0,90}"),
        same in any::<bool>(),
    ) {
        let signer = if same { secret.clone() } else { signer };
        let value = junk.unwrap_or_else(|| signed(&signer, other.as_ref().unwrap_or(&body)));
        let Ok(header_value) = HeaderValue::from_bytes(value.as_bytes()) else { return Ok(()) };
        let map: HeaderMap = [(signature::HEADER, header_value)].into_iter().collect();
        let keys = signature::keys(&[secret.as_str().into()]);
        let accepted = signature::verify(&map, &body, &keys).is_ok();
        let found = diagnose(&header(&value), &body, &own(&[&secret]));
        prop_assert_eq!(matches!(found, Diagnosis::Valid { .. }), accepted, "{:?}", found);
    }

    #[test]
    fn any_input_gets_a_diagnosis(
        value in ".{0,120}",
        name in "(x-hub-signature(-256)?|[a-z-]{1,20}signature)",
        body in prop_oneof![
            prop::collection::vec(any::<u8>(), 0..300),
            r#"([{}\[\],:"\\ u/d8é😀%&;+=0-9a-fA-F\n\r]|.){0,120}"#.prop_map(String::into_bytes),
        ],
    ) {
        diagnose(&[(name, value)], &body, &own(&["a secret", "another"]));
        let found = diagnose(&header(&signed("unknown", &body)), &body, &own(&["a secret", "another"]));
        let is_unproven = matches!(found, Diagnosis::OtherSecret { .. } | Diagnosis::BodyCut {});
        prop_assert!(is_unproven, "{:?}", found);
    }
}
