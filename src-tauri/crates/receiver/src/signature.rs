//! `X-Hub-Signature-256`: `sha256=` and the HMAC-SHA256 of the body's bytes in hexadecimal (upstream §9.2).

use hyper::{
    HeaderMap,
    header::{HeaderName, HeaderValue},
};
use ring::hmac;
use secrecy::{ExposeSecret as _, SecretString};

use crate::Reason;

/// The only header with the signature. The older SHA-1 header is ignored.
pub(crate) const HEADER: HeaderName = HeaderName::from_static("x-hub-signature-256");

/// The key for a secret, or `None` if it is empty: anyone can sign with an empty secret.
fn key(secret: &SecretString) -> Option<hmac::Key> {
    let secret = secret.expose_secret();
    (!secret.is_empty()).then(|| hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes()))
}

/// The keys for secrets, each with the index of its secret. Empty secrets have none.
pub(crate) fn keys(secrets: &[SecretString]) -> Vec<(usize, hmac::Key)> {
    secrets.iter().enumerate().filter_map(|(index, secret)| Some((index, key(secret)?))).collect()
}

/// Checks the signature of the bytes as received; any of the keys may have made it. Returns the index of its secret.
pub(crate) fn verify(headers: &HeaderMap, body: &[u8], keys: &[(usize, hmac::Key)]) -> Result<usize, Reason> {
    if keys.is_empty() {
        return Err(Reason::NoSecret);
    }
    let mut values = headers.get_all(HEADER).iter();
    let value = values.next().ok_or(Reason::SignatureMissing)?;
    if values.next().is_some() {
        return Err(Reason::SignatureDuplicate);
    }
    let tag = tag(value.as_bytes()).ok_or(Reason::SignatureMalformed)?;
    let signer = keys.iter().find(|(_, key)| hmac::verify(key, body, &tag).is_ok());
    signer.map(|(index, _)| *index).ok_or(Reason::SignatureMismatch)
}

/// Index of the secret in `secrets` that made the signature in the stored headers of a delivery.
///
/// # Errors
/// The [`Reason`] for which such a delivery would be refused.
pub fn signed_by(headers: &[(String, String)], body: &[u8], secrets: &[SecretString]) -> Result<usize, Reason> {
    let mut map = HeaderMap::new();
    for (_, value) in headers.iter().filter(|(name, _)| name.eq_ignore_ascii_case(HEADER.as_str())) {
        map.append(HEADER, HeaderValue::from_str(value).map_err(|_| Reason::SignatureMalformed)?);
    }
    verify(&map, body, &keys(secrets))
}

/// The digest in a header's value, if its form is valid.
pub(crate) fn tag(value: &[u8]) -> Option<[u8; 32]> {
    value.strip_prefix(b"sha256=").and_then(decode_hex)
}

fn decode_hex(digits: &[u8]) -> Option<[u8; 32]> {
    if digits.len() != 64 {
        return None;
    }
    let mut bytes = [0; 32];
    for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
        let high = char::from(pair[0]).to_digit(16)?;
        let low = char::from(pair[1]).to_digit(16)?;
        *byte = u8::try_from(high << 4 | low).expect("two hexadecimal digits make one byte");
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use proptest::{prelude::*, test_runner::TestRunner};

    use super::*;

    /// The body of the second and third vector of upstream §9.2.
    const ESCAPED: &str = r#"{"object":"whatsapp_business_account","entry":[{"id":"0","changes":[{"field":"messages","value":{"text":"caf\u00e9 \ud83d\ude00 a\u0040b.c https:\/\/x"}}]}]}"#;
    const REWRITTEN: &str = r#"{"object":"whatsapp_business_account","entry":[{"id":"0","changes":[{"field":"messages","value":{"text":"café 😀 a@b.c https://x"}}]}]}"#;
    const ESCAPED_HEX: &str = "8d64216ae9aa9eaf56c7979497d967340577c6e0c6ed9f510f8f0ae65de3c266";
    const REWRITTEN_HEX: &str = "0f91a5b23538d2782f44f8367194f4a3057d8f33d9d3bb02ff35b3fc77a47180";

    fn keys(secrets: &[&str]) -> Vec<(usize, hmac::Key)> {
        super::keys(&secrets.iter().map(|secret| SecretString::from(*secret)).collect::<Vec<_>>())
    }

    fn headers<'a>(values: impl IntoIterator<Item = &'a [u8]>) -> HeaderMap {
        values.into_iter().map(|value| (HEADER, HeaderValue::from_bytes(value).unwrap())).collect()
    }

    fn check(header: &str, body: &[u8], secrets: &[&str]) -> Result<usize, Reason> {
        verify(&headers([header.as_bytes()]), body, &keys(secrets))
    }

    fn hex(bytes: &[u8]) -> String {
        bytes.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    fn signed(secret: &str, body: &[u8]) -> String {
        format!("sha256={}", hex(hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes()), body).as_ref()))
    }

    #[test]
    fn vectors() {
        assert_eq!(ESCAPED.len(), 157);
        let first = "sha256=b6978b21c4467654c466607663db9b43fae44b71083568df403e0a077089208e";
        assert_eq!(check(first, br#"{"object":"whatsapp_business_account"}"#, &["test-app-secret"]), Ok(0));
        let second = format!("sha256={ESCAPED_HEX}");
        assert_eq!(check(&second, ESCAPED.as_bytes(), &["app-secret-demo"]), Ok(0));
        let third = format!("sha256={REWRITTEN_HEX}");
        assert_eq!(check(&third, REWRITTEN.as_bytes(), &["app-secret-demo"]), Ok(0));
        assert_eq!(check(&third, ESCAPED.as_bytes(), &["app-secret-demo"]), Err(Reason::SignatureMismatch));
        assert_eq!(check(&second, REWRITTEN.as_bytes(), &["app-secret-demo"]), Err(Reason::SignatureMismatch));
    }

    #[test]
    fn any_of_several_secrets_signs() {
        let header = signed("previous", b"{}");
        assert_eq!(check(&header, b"{}", &["current", "previous"]), Ok(1));
        assert_eq!(check(&header, b"{}", &["previous", "current"]), Ok(0));
        assert_eq!(check(&header, b"{}", &["current", "next"]), Err(Reason::SignatureMismatch));
    }

    #[test]
    fn a_stored_delivery_can_be_verified_again() {
        let secrets = |secrets: &[&str]| secrets.iter().map(|secret| SecretString::from(*secret)).collect::<Vec<_>>();
        let stored = |value: &str| vec![("X-Hub-Signature-256".to_owned(), value.to_owned())];
        let signed = signed("before", b"{}");
        assert_eq!(signed_by(&stored(&signed), b"{}", &secrets(&["now", "before"])), Ok(1));
        assert_eq!(signed_by(&stored(&signed), b"{}", &secrets(&["", "before"])), Ok(1));
        assert_eq!(signed_by(&stored(&signed), b"{ }", &secrets(&["now", "before"])), Err(Reason::SignatureMismatch));
        assert_eq!(signed_by(&[], b"{}", &secrets(&["now"])), Err(Reason::SignatureMissing));
        assert_eq!(signed_by(&stored(&signed), b"{}", &secrets(&[""])), Err(Reason::NoSecret));
        assert_eq!(signed_by(&stored("sha256=\n"), b"{}", &secrets(&["now"])), Err(Reason::SignatureMalformed));
        let twice = [stored(&signed), stored(&signed)].concat();
        assert_eq!(signed_by(&twice, b"{}", &secrets(&["before"])), Err(Reason::SignatureDuplicate));
    }

    #[test]
    fn digits_are_read_without_case() {
        let upper = format!("sha256={}", ESCAPED_HEX.to_uppercase());
        assert_eq!(check(&upper, ESCAPED.as_bytes(), &["app-secret-demo"]), Ok(0));
    }

    #[test]
    fn no_secret_accepts_nothing() {
        let by_empty = signed("", b"{}");
        for secrets in [&[][..], &[""][..], &["", ""][..]] {
            assert_eq!(check(&by_empty, b"{}", secrets), Err(Reason::NoSecret));
        }
    }

    #[test]
    fn other_forms_are_malformed() {
        let hex = ESCAPED_HEX;
        let forms = [
            String::new(),
            "sha256=".to_owned(),
            hex.to_owned(),
            format!("SHA256={hex}"),
            format!("Sha256={hex}"),
            format!("sha1={hex}"),
            format!("sha256 ={hex}"),
            format!("sha256= {hex}"),
            format!("sha256:{hex}"),
            format!("sha256={}", &hex[..63]),
            format!("sha256={}", &hex[..62]),
            format!("sha256={hex}0"),
            format!("sha256={hex}00"),
            format!("sha256={hex} "),
            format!("sha256={}g", &hex[..63]),
            format!("sha256=0x{}", &hex[..62]),
            format!("sha256=+{}", &hex[..63]),
            format!("sha256={hex},sha256={hex}"),
            format!("\"sha256={hex}\""),
        ];
        for form in forms {
            let verified = check(&form, ESCAPED.as_bytes(), &["app-secret-demo"]);
            assert_eq!(verified, Err(Reason::SignatureMalformed), "{form:?}");
        }
        let not_ascii = headers([b"sha256=\xff\xfe".as_slice()]);
        assert_eq!(verify(&not_ascii, b"{}", &keys(&["s"])), Err(Reason::SignatureMalformed));
    }

    #[test]
    fn exactly_one_header() {
        let header = signed("s", b"{}");
        assert_eq!(verify(&HeaderMap::new(), b"{}", &keys(&["s"])), Err(Reason::SignatureMissing));
        let twice = headers([header.as_bytes(), header.as_bytes()]);
        assert_eq!(verify(&twice, b"{}", &keys(&["s"])), Err(Reason::SignatureDuplicate));
        let mut older = HeaderMap::new();
        older.insert("x-hub-signature", HeaderValue::from_str(&header).unwrap());
        assert_eq!(verify(&older, b"{}", &keys(&["s"])), Err(Reason::SignatureMissing));
    }

    /// One change to a signed delivery.
    #[derive(Clone, Debug)]
    enum Change {
        FlipBodyBit(prop::sample::Index, u8),
        CutBody(prop::sample::Index),
        GrowBody(Vec<u8>),
        FlipHeaderBit(prop::sample::Index, u8),
        CutHeader(prop::sample::Index),
        GrowHeader(Vec<u8>),
        ReplaceTag([u8; 32]),
        OtherSecret(String),
    }

    fn change() -> impl Strategy<Value = Change> {
        prop_oneof![
            (any::<prop::sample::Index>(), 0..8u8).prop_map(|(at, bit)| Change::FlipBodyBit(at, bit)),
            any::<prop::sample::Index>().prop_map(Change::CutBody),
            prop::collection::vec(any::<u8>(), 1..8).prop_map(Change::GrowBody),
            (any::<prop::sample::Index>(), 0..8u8).prop_map(|(at, bit)| Change::FlipHeaderBit(at, bit)),
            any::<prop::sample::Index>().prop_map(Change::CutHeader),
            prop::collection::vec(any::<u8>(), 1..8).prop_map(Change::GrowHeader),
            any::<[u8; 32]>().prop_map(Change::ReplaceTag),
            "[ -~]{0,40}".prop_map(Change::OtherSecret),
        ]
    }

    /// Applies a change to a signed pair and checks the result.
    fn check_changed(secret: &str, original: &[u8], change: Change) -> Result<(), TestCaseError> {
        let mut body = original.to_vec();
        let mut header = signed(secret, original).into_bytes();
        let mut signer = secret.to_owned();
        match change {
            Change::FlipBodyBit(at, bit) => {
                let at = at.index(body.len());
                body[at] ^= 1 << bit;
            }
            Change::CutBody(at) => body.truncate(at.index(body.len())),
            Change::GrowBody(more) => body.extend(more),
            Change::FlipHeaderBit(at, bit) => {
                let at = at.index(header.len());
                header[at] ^= 1 << bit;
            }
            Change::CutHeader(at) => header.truncate(at.index(header.len())),
            Change::GrowHeader(more) => header.extend(more),
            Change::ReplaceTag(tag) => header = format!("sha256={}", hex(&tag)).into_bytes(),
            Change::OtherSecret(other) => {
                signer = other;
                header = signed(&signer, original).into_bytes();
            }
        }
        // Changing the case of a hexadecimal digit results in the same signature.
        let same_tag =
            header.eq_ignore_ascii_case(signed(secret, original).as_bytes()) && header.starts_with(b"sha256=");
        let unchanged = same_tag && body == original && signer == secret;
        // An invalid header value never reaches the check.
        let Ok(value) = HeaderValue::from_bytes(&header) else { return Ok(()) };
        let map: HeaderMap = [(HEADER, value)].into_iter().collect();
        prop_assert_eq!(verify(&map, &body, &keys(&[secret])).is_ok(), unchanged);
        Ok(())
    }

    fn check_changed_pairs(cases: u32) {
        let pair = ("[ -~]{1,40}", prop::collection::vec(any::<u8>(), 1..512), change());
        let judge = |(secret, original, change): (String, Vec<u8>, Change)| check_changed(&secret, &original, change);
        let mut runner = TestRunner::new(ProptestConfig::with_cases(cases));
        if let Err(failure) = runner.run(&pair, judge) {
            panic!("{failure}");
        }
    }

    #[test]
    fn a_changed_pair_is_never_accepted() {
        check_changed_pairs(4_096);
    }

    #[test]
    #[ignore = "a full fault run; make faults"]
    fn full_a_million_changed_pairs() {
        check_changed_pairs(1_000_000);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases.max(4096)))]

        #[test]
        fn a_signed_body_is_accepted(secret in ".{1,80}", body in prop::collection::vec(any::<u8>(), 0..512)) {
            prop_assert!(check(&signed(&secret, &body), &body, &["another", &secret]).is_ok());
        }
    }
}
