//! Parses the value of a signature header leniently, and lists its faults.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use ring::hmac;

use super::Fault;
use crate::signature;

const SHA1_BYTES: usize = 20;
const SHA256_BYTES: usize = 32;

/// The value of a signature header.
#[derive(Debug, Default)]
pub(super) struct Signature {
    /// Faults; empty if the endpoint accepts the form.
    pub(super) faults: Vec<Fault>,
    /// The SHA-1 or SHA-256 digest; empty if there is none.
    pub(super) digest: Vec<u8>,
}

impl Signature {
    /// The algorithm with digests of this length.
    pub(super) fn algorithm(&self) -> Option<hmac::Algorithm> {
        match self.digest.len() {
            SHA1_BYTES => Some(hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY),
            SHA256_BYTES => Some(hmac::HMAC_SHA256),
            _ => None,
        }
    }

    pub(super) fn is_sha1(&self) -> bool {
        self.digest.len() == SHA1_BYTES
    }
}

pub(super) fn read(value: &str) -> Signature {
    if let Some(digest) = signature::tag(value.as_bytes()) {
        return Signature { faults: Vec::new(), digest: digest.to_vec() };
    }
    let mut faults = Vec::new();
    let bare = value.trim_matches(|character: char| character.is_whitespace() || matches!(character, '"' | '\''));
    if bare.is_empty() {
        return Signature { faults: vec![Fault::Empty], digest: Vec::new() };
    }
    if bare.len() < value.len() {
        faults.push(Fault::Quotes);
    }
    let text = match bare.strip_prefix("sha256=") {
        Some(text) => text,
        None => {
            let (fault, text) = without_other_prefix(bare);
            faults.push(fault);
            text
        }
    };
    let digest = match unhex(text) {
        Some(digest) => digest,
        None => {
            let decoded = STANDARD.decode(text).ok().filter(|bytes| is_digest(bytes));
            faults.push(if decoded.is_some() { Fault::Base64 } else { Fault::NotHex });
            decoded.unwrap_or_default()
        }
    };
    Signature { faults, digest }
}

/// Strips a prefix such as `SHA256=` or `v1=`; base64 may also end in `=`.
fn without_other_prefix(value: &str) -> (Fault, &str) {
    match value.split_once(['=', ':']) {
        Some((_, text)) if !text.trim_matches('=').is_empty() => (Fault::OtherPrefix, text),
        _ => (Fault::MissingPrefix, value),
    }
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    let nibbles = text.chars().map(|digit| u8::try_from(digit.to_digit(16)?).ok()).collect::<Option<Vec<u8>>>()?;
    let (pairs, []) = nibbles.as_chunks::<2>() else { return None };
    Some(pairs.iter().map(|[high, low]| high << 4 | low).collect()).filter(|bytes: &Vec<u8>| is_digest(bytes))
}

fn is_digest(bytes: &[u8]) -> bool {
    matches!(bytes.len(), SHA1_BYTES | SHA256_BYTES)
}
