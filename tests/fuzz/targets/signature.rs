//! The signature header and its body. The input is the header's value, a newline, and the body.
//!
//! Only the correct signature is accepted, with digits of either case; every rejection has a reason.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::{Corpus, fuzz_target};
use receiver::signed_by;
use ring::hmac;
use secrecy::SecretString;

const SECRETS: [&str; 2] = ["app-secret-demo", "previous-secret"];

static KNOWN: LazyLock<Vec<SecretString>> = LazyLock::new(|| SECRETS.map(SecretString::from).to_vec());

fn signature(secret: &str, body: &[u8]) -> String {
    let tag = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes()), body);
    let digits: String = tag.as_ref().iter().map(|byte| format!("{byte:02x}")).collect();
    format!("sha256={digits}")
}

fuzz_target!(|data: &[u8]| -> Corpus {
    let cut = data.iter().position(|byte| *byte == b'\n').unwrap_or(data.len());
    let (value, body) = (&data[..cut], data.get(cut + 1..).unwrap_or_default());
    let Ok(value) = std::str::from_utf8(value) else { return Corpus::Reject };
    let headers = |value: &str| vec![("X-Hub-Signature-256".to_owned(), value.to_owned())];
    let valid: Vec<_> = SECRETS.iter().map(|secret| signature(secret, body)).collect();
    let expected = valid.iter().position(|valid| {
        value.strip_prefix("sha256=").is_some_and(|digits| valid["sha256=".len()..].eq_ignore_ascii_case(digits))
    });
    assert_eq!(signed_by(&headers(value), body, &KNOWN).ok(), expected);
    for (index, valid) in valid.iter().enumerate() {
        assert_eq!(signed_by(&headers(valid), body, &KNOWN), Ok(index));
        let mut twice = headers(valid);
        twice.extend(headers(value));
        assert!(signed_by(&twice, body, &KNOWN).is_err(), "of two headers none counts");
    }
    assert!(signed_by(&headers(&signature("", body)), body, &["".into()]).is_err(), "anyone signs with no secret");
    Corpus::Keep
});
