//! Each diagnosis, proven: a delivery is signed, one thing is done to it, and the doctor names that.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod changes;

use std::collections::HashSet;

use changes::{CHANGES, gzip};
use hyper::{HeaderMap, header::HeaderValue};
use proptest::prelude::*;
use ring::{digest, hmac};

use super::{probe::hex, *};

const SECRET: &str = "app-secret-demo";
/// As the channel writes (upstream §9.2).
const CHANNEL: &str = r#"{"object":"whatsapp_business_account","entry":[{"id":"0","changes":[{"field":"messages","value":{"text":"caf\u00e9 \ud83d\ude00 a@b.c https:\/\/x","n":1.0,"n":[],"o":{}}}]}]}"#;
/// As a library without escapes writes.
const PLAIN: &str = r#"{"object":"o","entry":[{"text":"café 😀 a@b.c https://x <b> 100% 'q' & “q” €","n":[1,2,{}]}]}"#;
/// The most signatures that any examination may compute: guesses, exact tries, variants and algorithms together.
const BOUND: u32 = probe::MOST_ATTEMPTS + 4 * (1 + 20 + 8) * 4 + 200 * 4 + 16;

fn known(name: &str, route: Option<&str>, secret: &str) -> KnownSecret {
    KnownSecret { name: name.to_owned(), route: route.map(str::to_owned), secret: secret.into() }
}

fn own(secrets: &[&str]) -> Vec<KnownSecret> {
    let names = ["current", "previous"];
    secrets.iter().zip(names).map(|(secret, name)| known(name, None, secret)).collect()
}

fn mac(algorithm: hmac::Algorithm, secret: &[u8], body: &[u8]) -> Vec<u8> {
    hmac::sign(&hmac::Key::new(algorithm, secret), body).as_ref().to_vec()
}

fn signed(secret: &[u8], body: &[u8]) -> String {
    format!("sha256={}", hex(&mac(hmac::HMAC_SHA256, secret, body)))
}

fn header(value: &str) -> Vec<(String, String)> {
    vec![("x-hub-signature-256".to_owned(), value.to_owned())]
}

fn diagnose(headers: &[(String, String)], body: &[u8], secrets: &[KnownSecret]) -> Diagnosis {
    let examination = examine(Evidence { headers, body, whole: true }, secrets);
    assert!(examination.attempts <= BOUND, "{examination:?}");
    examination.diagnosis
}

/// What the doctor says of `received` where `original` was signed.
fn arrived(original: impl AsRef<[u8]>, received: impl AsRef<[u8]>) -> Diagnosis {
    let header = header(&signed(SECRET.as_bytes(), original.as_ref()));
    diagnose(&header, received.as_ref(), &own(&["newer", SECRET]))
}

fn changed(changes: &[Change]) -> Diagnosis {
    Diagnosis::BodyChanged { changes: changes.to_vec(), secret: "previous".to_owned() }
}

#[test]
fn every_change_of_a_body_is_named() {
    for (name, original, received, changes) in CHANGES.iter() {
        assert_ne!(original, received, "{name}");
        assert_eq!(arrived(original, received), changed(changes), "{name}");
        // Unchanged, it is valid; with a secret that is not known, nothing is claimed.
        assert_eq!(arrived(original, original), Diagnosis::Valid { by: "previous".to_owned() }, "{name}");
        let foreign = header(&signed(b"nobody's", original));
        let diagnosis = diagnose(&foreign, received, &own(&["newer", SECRET]));
        assert!(matches!(&diagnosis, Diagnosis::OtherSecret { tried, .. } if tried == &["current", "previous"]));
    }
}

/// The table above leaves no change out.
#[test]
fn the_table_of_changes_is_complete() {
    let named: HashSet<Change> = CHANGES.iter().flat_map(|(_, _, _, changes)| changes.iter().copied()).collect();
    assert_eq!(named.len(), 26);
}

#[test]
fn vectors_of_the_reference() {
    let body = r#"{"object":"whatsapp_business_account","entry":[{"id":"0","changes":[{"field":"messages","value":{"text":"caf\u00e9 \ud83d\ude00 a\u0040b.c https:\/\/x"}}]}]}"#;
    let rewritten = r#"{"object":"whatsapp_business_account","entry":[{"id":"0","changes":[{"field":"messages","value":{"text":"café 😀 a@b.c https://x"}}]}]}"#;
    let value = "sha256=8d64216ae9aa9eaf56c7979497d967340577c6e0c6ed9f510f8f0ae65de3c266";
    let secrets = own(&[SECRET]);
    assert_eq!(diagnose(&header(value), body.as_bytes(), &secrets), Diagnosis::Valid { by: "current".to_owned() });
    let changes = vec![Change::Unescaped, Change::SlashesUnescaped, Change::SignsUnescaped];
    let expected = Diagnosis::BodyChanged { changes, secret: "current".to_owned() };
    assert_eq!(diagnose(&header(value), rewritten.as_bytes(), &secrets), expected);
}

#[test]
fn headers() {
    let body = CHANNEL.as_bytes();
    let good = signed(SECRET.as_bytes(), body);
    let secrets = own(&[SECRET]);
    let named = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let none = |other: Option<&str>, secret: Option<&str>| Diagnosis::NoHeader {
        other_header: other.map(str::to_owned),
        secret: secret.map(str::to_owned),
    };
    let sha1 = format!("sha1={}", hex(&mac(hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY, SECRET.as_bytes(), body)));
    for (headers, diagnosis) in [
        (vec![], none(None, None)),
        (vec![named("content-type", "application/json")], none(None, None)),
        (vec![named("x-hub-signature", &sha1)], none(Some("x-hub-signature"), Some("current"))),
        (vec![named("x-hub-signature", "sha1=00")], none(Some("x-hub-signature"), None)),
        (vec![named("x-hub-signature256", &good)], none(Some("x-hub-signature256"), Some("current"))),
        (
            vec![named("webhook-signature", "v1,AAAA"), named("x-provider-hmac", &good)],
            none(Some("x-provider-hmac"), Some("current")),
        ),
        (vec![named("x-hub-signature-256", &good), named("x-hub-signature-256", &good)], Diagnosis::DuplicateHeader {}),
        (
            vec![named("x-hub-signature", &sha1), named("x-hub-signature-256", &good)],
            Diagnosis::Valid { by: "current".to_owned() },
        ),
    ] {
        assert_eq!(diagnose(&headers, body, &secrets), diagnosis, "{headers:?}");
    }
}

#[test]
fn misshapen_values_tell_whether_they_are_right_otherwise() {
    let body = CHANNEL.as_bytes();
    let tag = mac(hmac::HMAC_SHA256, SECRET.as_bytes(), body);
    let digits = hex(&tag);
    let wrong = |faults: &[Fault], right: bool| Diagnosis::WrongForm {
        faults: faults.to_vec(),
        secret: right.then(|| "current".to_owned()),
    };
    for (value, diagnosis) in [
        (digits.clone(), wrong(&[Fault::MissingPrefix], true)),
        (format!("sha256={}", probe::base64(&tag)), wrong(&[Fault::Base64], true)),
        (format!("SHA256={digits}"), wrong(&[Fault::UpperCasePrefix], true)),
        (format!("'sha256= {digits}'"), wrong(&[Fault::Quotes, Fault::Spaces], true)),
        (format!("sha256={digits},sha256={digits}"), wrong(&[Fault::SeveralValues], true)),
        (format!("sha256=0x{digits}"), wrong(&[Fault::HexPrefix], true)),
        (format!("sha256={}", probe::base64(digits.as_bytes())), wrong(&[Fault::Base64], true)),
        (String::new(), wrong(&[Fault::Empty], false)),
        (format!("sha256={}", &digits[..63]), wrong(&[Fault::WrongLength], false)),
        (signed(b"other", body).replace("sha256=", ""), wrong(&[Fault::MissingPrefix], false)),
    ] {
        assert_eq!(diagnose(&header(&value), body, &own(&[SECRET])), diagnosis, "{value}");
    }
    // A digest that begins with zeros, printed as one number.
    let (body, digits) = (0_u32..)
        .map(|number| {
            (number.to_string(), hex(&mac(hmac::HMAC_SHA256, SECRET.as_bytes(), number.to_string().as_bytes())))
        })
        .find(|(_, digits)| digits.starts_with('0'))
        .unwrap();
    let value = format!("sha256={}", digits.trim_start_matches('0'));
    assert_eq!(diagnose(&header(&value), body.as_bytes(), &own(&[SECRET])), wrong(&[Fault::WrongLength], true));
}

#[test]
fn other_routes_secrets() {
    let body = CHANNEL.as_bytes();
    let secrets = [
        known("current", None, "mine"),
        known("current", Some("other"), ""),
        known("previous", Some("other"), "theirs"),
    ];
    let found = diagnose(&header(&signed(b"theirs", body)), body, &secrets);
    assert_eq!(found, Diagnosis::OtherRoute { route: "other".to_owned(), secret: "previous".to_owned() });
    // Also where the path has no secret of its own; otherwise that is all there is to say.
    let found = diagnose(&header(&signed(b"theirs", body)), body, &secrets[1..]);
    assert_eq!(found, Diagnosis::OtherRoute { route: "other".to_owned(), secret: "previous".to_owned() });
    assert_eq!(diagnose(&header(&signed(b"x", body)), body, &secrets[1..]), Diagnosis::NoSecret {});
    assert_eq!(diagnose(&header(&signed(b"", body)), body, &own(&["", ""])), Diagnosis::NoSecret {});
}

#[test]
fn secrets_that_were_written_down_differently() {
    let bytes = [7_u8, 0xff, 0x10, 0x80, 0x33, 0x5c, 0x22, 0x01, 0x90];
    let (digits, base64) = (hex(&bytes), probe::base64(&bytes));
    let cases: Vec<(&str, Vec<u8>, Edge)> = vec![
        ("s3cr3t\n", b"s3cr3t".to_vec(), Edge::OwnBlanks),
        (" s3cr3t", b"s3cr3t".to_vec(), Edge::OwnBlanks),
        ("\"s3cr3t\"", b"s3cr3t".to_vec(), Edge::OwnQuotes),
        ("s3cr3t", b"s3cr3t\n".to_vec(), Edge::SenderNewline),
        ("s3cr3t", b"s3cr3t\r\n".to_vec(), Edge::SenderNewline),
        ("s3cr3t", b"s3cr3t ".to_vec(), Edge::SenderBlank),
        ("s3cr3t", b" s3cr3t".to_vec(), Edge::SenderBlank),
        ("s3cr3t", b"\"s3cr3t\"".to_vec(), Edge::SenderQuotes),
        ("s3cr3t", b"'s3cr3t'".to_vec(), Edge::SenderQuotes),
        (&digits, bytes.to_vec(), Edge::HexBytes),
        (&base64, bytes.to_vec(), Edge::Base64Bytes),
        ("s3cr3t!", hex(b"s3cr3t!").into_bytes(), Edge::HexText),
        ("s3cr3t!", probe::base64(b"s3cr3t!").into_bytes(), Edge::Base64Text),
        ("S3cr3t", b"s3cr3t".to_vec(), Edge::LetterCase),
        ("s3cr3t", b"S3CR3T".to_vec(), Edge::LetterCase),
    ];
    for (ours, theirs, edge) in cases {
        let found = diagnose(&header(&signed(&theirs, CHANNEL.as_bytes())), CHANNEL.as_bytes(), &own(&["x", ours]));
        assert_eq!(found, Diagnosis::SecretEdges { edge, secret: "previous".to_owned() }, "{ours:?}");
    }
}

#[test]
fn other_algorithms() {
    let (secret, body) = (SECRET.as_bytes(), CHANNEL.as_bytes());
    let plain = |algorithm, parts: &[&[u8]]| digest::digest(algorithm, &parts.concat()).as_ref().to_vec();
    let cases = [
        (mac(hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY, secret, body), Algorithm::HmacSha1, true),
        (mac(hmac::HMAC_SHA384, secret, body), Algorithm::HmacSha384, true),
        (mac(hmac::HMAC_SHA512, secret, body), Algorithm::HmacSha512, true),
        (mac(hmac::HMAC_SHA256, body, secret), Algorithm::Swapped, true),
        (plain(&digest::SHA1_FOR_LEGACY_USE_ONLY, &[body]), Algorithm::PlainSha1, false),
        (plain(&digest::SHA256, &[body]), Algorithm::PlainSha256, false),
        (plain(&digest::SHA512, &[body]), Algorithm::PlainSha512, false),
        (plain(&digest::SHA256, &[secret, body]), Algorithm::SecretThenBody, true),
        (plain(&digest::SHA256, &[body, secret]), Algorithm::BodyThenSecret, true),
    ];
    for (tag, algorithm, keyed) in cases {
        let expected = Diagnosis::WrongAlgorithm { algorithm, secret: keyed.then(|| "previous".to_owned()) };
        for prefix in ["sha256=", "sha1=", ""] {
            let value = format!("{prefix}{}", hex(&tag));
            assert_eq!(diagnose(&header(&value), body, &own(&["x", SECRET])), expected, "{value}");
        }
    }
}

#[test]
fn signs_of_a_body() {
    let foreign = header(&signed(b"nobody's", b"..."));
    for (body, expected) in [
        (&b""[..], vec![Sign::EmptyBody]),
        (b"{}", vec![]),
        (b"{\"a\":", vec![Sign::EndsEarly]),
        (b"hello", vec![Sign::NotJson]),
        (b"\xff\xfe\xfd", vec![Sign::NotUtf8]),
        ("{\"a\":\"caf\u{fffd}\"}".as_bytes(), vec![Sign::LostCharacters]),
    ] {
        let found = diagnose(&foreign, body, &own(&[SECRET]));
        let Diagnosis::OtherSecret { signs, .. } = found else { panic!("{found:?}") };
        assert_eq!(signs, expected, "{}", String::from_utf8_lossy(body));
    }
    let mut unpacked = foreign;
    unpacked.push(("content-encoding".to_owned(), "gzip".to_owned()));
    let found = diagnose(&unpacked, b"{}", &own(&[SECRET]));
    assert!(matches!(&found, Diagnosis::OtherSecret { signs, .. } if signs == &[Sign::Unpacked]), "{found:?}");
}

/// Without the whole body, nothing is computed.
#[test]
fn parts_of_bodies() {
    let part = |headers: &[(String, String)], secrets: &[KnownSecret]| {
        let examination = examine(Evidence { headers, body: b"{", whole: false }, secrets);
        assert_eq!(examination.attempts, 0);
        examination.diagnosis
    };
    let good = header(&signed(SECRET.as_bytes(), b"{}"));
    assert_eq!(part(&good, &own(&[SECRET])), Diagnosis::BodyNotKept {});
    assert_eq!(part(&good, &[]), Diagnosis::NoSecret {});
    let faults = vec![Fault::MissingPrefix, Fault::NotHex];
    assert_eq!(part(&header("no"), &own(&[SECRET])), Diagnosis::WrongForm { faults, secret: None });
    assert_eq!(part(&[], &own(&[SECRET])), Diagnosis::NoHeader { other_header: None, secret: None });
}

/// However a large body is made, only so many signatures are computed over it.
#[test]
fn work_is_bounded() {
    const LENGTH: usize = 256 * 1024;
    let repeated = |piece: &str| format!("[{}\"x\"]", piece.repeat(LENGTH / piece.len() - 1)).into_bytes();
    let bodies = [
        vec![b'['; LENGTH],
        vec![b'\n'; LENGTH],
        vec![0xff; LENGTH],
        repeated("\"é/<%@ \\/\\u00e9\\u003c\",\n "),
        repeated("\"ÃƒÂ©\","),
        gzip(&vec![b'['; 8 * 1024 * 1024]),
    ];
    let foreign = header(&signed(b"nobody's", b"..."));
    let mut secrets = own(&[SECRET, "second"]);
    secrets.extend((0..10).map(|number| known("current", Some("other"), &format!("other {number}"))));
    for body in bodies {
        let Examination { diagnosis, attempts } =
            examine(Evidence { headers: &foreign, body: &body, whole: true }, &secrets);
        assert!(matches!(diagnosis, Diagnosis::OtherSecret { .. }), "{diagnosis:?}");
        // Two secrets for each of the guesses that fit the bytes, and what is computed before guessing.
        let guesses = u32::try_from(probe::MOST_BYTES / body.len() + 1).unwrap();
        assert!(attempts <= 2 * guesses + 2 * 32 + 10 + 16, "{attempts} over {} bytes", body.len());
        assert!(attempts <= BOUND);
    }
}

/// A secret never stands in what is said.
#[test]
fn no_secret_is_told() {
    for (_, original, received, _) in CHANGES.iter() {
        let secrets = own(&["n3wer-s3cr3t", SECRET]);
        let headers = header(&signed(SECRET.as_bytes(), original));
        let examination = examine(Evidence { headers: &headers, body: received, whole: true }, &secrets);
        let told = format!("{examination:?}{}{secrets:?}", serde_json::to_string(&examination.diagnosis).unwrap());
        assert!(!told.contains(SECRET) && !told.contains("n3wer-s3cr3t"), "{told}");
    }
}

/// The words that the window and scripts match.
#[test]
fn codes() {
    let json = |diagnosis: Diagnosis| serde_json::to_string(&diagnosis).unwrap();
    assert_eq!(json(Diagnosis::Plain {}), r#"{"kind":"plain"}"#);
    assert_eq!(
        json(Diagnosis::NoHeader { other_header: Some("x".to_owned()), secret: None }),
        r#"{"kind":"noHeader","otherHeader":"x","secret":null}"#
    );
    assert_eq!(
        json(Diagnosis::OtherRoute { route: "w".to_owned(), secret: "current".to_owned() }),
        r#"{"kind":"otherRoute","workspace":"w","secret":"current"}"#
    );
    let changes = vec![Change::Reserialised, Change::SlashesUnescaped];
    assert_eq!(
        json(Diagnosis::BodyChanged { changes, secret: "current".to_owned() }),
        r#"{"kind":"bodyChanged","changes":["reserialised","slashesUnescaped"],"secret":"current"}"#
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases.max(512)))]

    /// The doctor never calls valid what the endpoint refuses, nor the other way round.
    #[test]
    fn it_agrees_with_the_endpoint(
        secret in "[ -~]{0,12}",
        signer in "[ -~]{0,12}",
        body in prop::collection::vec(any::<u8>(), 0..200),
        other in prop::option::of(prop::collection::vec(any::<u8>(), 0..200)),
        junk in prop::option::of("[ -~é]{0,90}"),
        same in any::<bool>(),
    ) {
        let signer = if same { secret.clone() } else { signer };
        let value = junk.unwrap_or_else(|| signed(signer.as_bytes(), other.as_ref().unwrap_or(&body)));
        let Ok(header_value) = HeaderValue::from_bytes(value.as_bytes()) else { return Ok(()) };
        let map: HeaderMap = [(signature::HEADER, header_value)].into_iter().collect();
        let keys: Vec<hmac::Key> = signature::key(&secret.as_str().into()).into_iter().collect();
        let accepted = signature::verify(&map, &body, &keys).is_ok();
        let told = diagnose(&header(&value), &body, &own(&[&secret]));
        prop_assert_eq!(matches!(told, Diagnosis::Valid { .. }), accepted, "{:?}", told);
    }

    /// Whatever arrives, it says something.
    #[test]
    fn foreign_bytes_do_no_harm(
        value in ".{0,120}",
        name in "(x-hub-signature(-256)?|[a-z-]{1,20}signature)",
        body in prop_oneof![
            prop::collection::vec(any::<u8>(), 0..300),
            r#"([{}\[\],:"\\ u/d8é😀%&;+=0-9a-fA-F\n\r]|.){0,120}"#.prop_map(String::into_bytes),
        ],
    ) {
        diagnose(&[(name, value)], &body, &own(&["a secret", "another"]));
        let framed = header(&signed(b"nobody's", &body));
        let told = diagnose(&framed, &body, &own(&["a secret", "another"]));
        let is_other_secret = matches!(told, Diagnosis::OtherSecret { .. });
        prop_assert!(is_other_secret, "{:?}", told);
    }
}
