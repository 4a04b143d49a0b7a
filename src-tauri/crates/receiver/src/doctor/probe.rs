//! Computes signatures over guesses, within bounds.

use std::{
    collections::HashSet,
    hash::{BuildHasher as _, RandomState},
};

use ring::{digest, hmac};
use secrecy::ExposeSecret as _;

use super::{Algorithm, Edge, KnownSecret, form};

/// Signatures computed over changed bodies, and the bytes of all of these bodies. One of 256 KiB is tried in a hundred
/// ways.
pub(super) const MOST_ATTEMPTS: u32 = 1_024;
pub(super) const MOST_BYTES: usize = 32 * 1024 * 1024;
/// The path's own secrets that are tried; more are never in use at once.
pub(super) const MOST_OWN_SECRETS: usize = 4;
/// Other paths' secrets that are tried.
pub(super) const MOST_OTHER_SECRETS: usize = 200;

/// The digests of a header, and the secrets of its path.
pub(super) struct Probe<'a> {
    tags: Vec<Vec<u8>>,
    own: Vec<(&'a KnownSecret, hmac::Key)>,
    attempts: u32,
    bytes_left: usize,
    attempts_left: u32,
    seen: HashSet<u64>,
    hasher: RandomState,
}

impl<'a> Probe<'a> {
    pub(super) fn new(tags: Vec<Vec<u8>>, own: &[&'a KnownSecret]) -> Self {
        let own = own
            .iter()
            .take(MOST_OWN_SECRETS)
            .map(|known| (*known, key(hmac::HMAC_SHA256, known.secret.expose_secret().as_bytes())));
        Self {
            tags,
            own: own.collect(),
            attempts: 0,
            bytes_left: MOST_BYTES,
            attempts_left: MOST_ATTEMPTS,
            seen: HashSet::new(),
            hasher: RandomState::new(),
        }
    }

    /// How many signatures were computed so far.
    pub(super) fn attempts(&self) -> u32 {
        self.attempts
    }

    /// Whether nothing more may be guessed about the body.
    pub(super) fn is_spent(&self) -> bool {
        self.attempts_left == 0 || self.bytes_left == 0
    }

    /// The own secret that signed exactly these bytes.
    pub(super) fn signed_by(&mut self, body: &[u8]) -> Option<&'a KnownSecret> {
        let tags = &self.tags;
        let attempts = &mut self.attempts;
        self.own.iter().find(|(_, key)| verifies(key, body, tags, attempts)).map(|(known, _)| *known)
    }

    /// [`Probe::signed_by`] for a guess, which is tried once and only while there is room for more.
    pub(super) fn guess(&mut self, body: &[u8]) -> Option<&'a KnownSecret> {
        if self.is_spent() {
            return None;
        }
        // Making a guess costs no less than trying it, so one that was made before counts too.
        self.bytes_left = self.bytes_left.saturating_sub(body.len());
        if !self.seen.insert(self.hasher.hash_one(body)) {
            return None;
        }
        let before = self.attempts;
        let found = self.signed_by(body);
        self.attempts_left = self.attempts_left.saturating_sub(self.attempts - before);
        found
    }

    /// The secret of another path that signed these bytes.
    pub(super) fn signed_by_other<'b>(&mut self, body: &[u8], others: &[&'b KnownSecret]) -> Option<&'b KnownSecret> {
        others.iter().take(MOST_OTHER_SECRETS).copied().find(|known| {
            let key = key(hmac::HMAC_SHA256, known.secret.expose_secret().as_bytes());
            verifies(&key, body, &self.tags, &mut self.attempts)
        })
    }

    /// The own secret that signed these bytes once it is written in another way.
    pub(super) fn signed_by_variant(&mut self, body: &[u8]) -> Option<(&'a KnownSecret, Edge)> {
        for (known, _) in &self.own {
            for (edge, secret) in variants(known.secret.expose_secret()) {
                if verifies(&key(hmac::HMAC_SHA256, &secret), body, &self.tags, &mut self.attempts) {
                    return Some((known, edge));
                }
            }
        }
        None
    }

    /// The other algorithm that gives one of the digests, with the own secret it used.
    pub(super) fn other_algorithm(&mut self, body: &[u8]) -> Option<(Algorithm, Option<&'a KnownSecret>)> {
        let plain = [
            (Algorithm::PlainSha1, &digest::SHA1_FOR_LEGACY_USE_ONLY),
            (Algorithm::PlainSha256, &digest::SHA256),
            (Algorithm::PlainSha512, &digest::SHA512),
        ];
        for (algorithm, digest) in plain {
            if self.is_digest(digest, &[body]) {
                return Some((algorithm, None));
            }
        }
        for place in 0..self.own.len() {
            let known = self.own[place].0;
            let secret = known.secret.expose_secret().as_bytes();
            let keyed = [
                (Algorithm::HmacSha1, hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY, secret, body),
                (Algorithm::HmacSha384, hmac::HMAC_SHA384, secret, body),
                (Algorithm::HmacSha512, hmac::HMAC_SHA512, secret, body),
                (Algorithm::Swapped, hmac::HMAC_SHA256, body, secret),
            ];
            for (algorithm, hash, secret, message) in keyed {
                if verifies(&key(hash, secret), message, &self.tags, &mut self.attempts) {
                    return Some((algorithm, Some(known)));
                }
            }
            for (algorithm, parts) in
                [(Algorithm::SecretThenBody, [secret, body]), (Algorithm::BodyThenSecret, [body, secret])]
            {
                if self.is_digest(&digest::SHA256, &parts) {
                    return Some((algorithm, Some(known)));
                }
            }
        }
        None
    }

    /// Nobody waits for this answer at the door, so its time tells nothing to anyone.
    fn is_digest(&mut self, algorithm: &'static digest::Algorithm, parts: &[&[u8]]) -> bool {
        if !self.tags.iter().any(|tag| tag.len() == algorithm.output_len()) {
            return false;
        }
        self.attempts += 1;
        let mut context = digest::Context::new(algorithm);
        for part in parts {
            context.update(part);
        }
        let digest = context.finish();
        self.tags.iter().any(|tag| tag == digest.as_ref())
    }
}

fn key(algorithm: hmac::Algorithm, secret: &[u8]) -> hmac::Key {
    hmac::Key::new(algorithm, secret)
}

fn verifies(key: &hmac::Key, body: &[u8], tags: &[Vec<u8>], attempts: &mut u32) -> bool {
    let length = key.algorithm().digest_algorithm().output_len();
    tags.iter().filter(|tag| tag.len() == length).any(|tag| {
        *attempts += 1;
        hmac::verify(key, body, tag).is_ok()
    })
}

/// The keys that a secret becomes when one side has it with something around it, or reads it as an encoding.
fn variants(secret: &str) -> Vec<(Edge, Vec<u8>)> {
    let mut variants: Vec<(Edge, Vec<u8>)> = Vec::new();
    let bare = secret.trim();
    let unquoted = bare.trim_matches(['"', '\'']);
    if bare.len() < secret.len() {
        variants.push((Edge::OwnBlanks, bare.into()));
    }
    if unquoted.len() < bare.len() {
        variants.push((Edge::OwnQuotes, unquoted.into()));
    }
    for end in ["\n", "\r\n", "\r"] {
        variants.push((Edge::SenderNewline, format!("{bare}{end}").into()));
    }
    for spaced in [format!("{bare} "), format!(" {bare}")] {
        variants.push((Edge::SenderBlank, spaced.into()));
    }
    for quoted in [format!("\"{bare}\""), format!("'{bare}'")] {
        variants.push((Edge::SenderQuotes, quoted.into()));
    }
    variants.extend(form::unhex(bare).map(|bytes| (Edge::HexBytes, bytes)));
    let marked = bare.strip_prefix("whsec_").unwrap_or(bare);
    variants.extend(form::unbase64(marked.as_bytes()).map(|bytes| (Edge::Base64Bytes, bytes)));
    variants.push((Edge::HexText, hex(bare.as_bytes()).into()));
    variants.push((Edge::Base64Text, base64(bare.as_bytes()).into()));
    for cased in [bare.to_lowercase(), bare.to_uppercase()] {
        variants.push((Edge::LetterCase, cased.into()));
    }
    // What is the secret itself was tried already; an empty one signs for everybody.
    variants.retain(|(_, variant)| !variant.is_empty() && variant != secret.as_bytes());
    variants
}

pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

pub(super) fn base64(bytes: &[u8]) -> String {
    use ::base64::{Engine as _, engine::general_purpose::STANDARD};
    STANDARD.encode(bytes)
}
