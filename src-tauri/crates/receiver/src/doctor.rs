//! Diagnoses why the signature of a delivery was refused, from its headers, its body and the known secrets.
//!
//! Each diagnosis is one direct check: another secret, the secret with characters around it, another algorithm, or the
//! body before one known change. Only a matching signature proves a secret or a change. A diagnosis has names of
//! secrets, never a part of one.

mod body;
mod diagnosis;
mod header;
mod secret;
#[cfg(test)]
mod tests;

pub use diagnosis::{Change, Diagnosis, Edge, Fault};
use header::Signature;
use ring::hmac;
use secrecy::{ExposeSecret as _, SecretString};

use crate::signature;

/// Maximum number of secrets of the called path that are tried.
const MAX_OWN_SECRETS: usize = 4;
/// Maximum number of secrets of other paths that are tried.
const MAX_OTHER_SECRETS: usize = 200;
/// Maximum number of headers other than `X-Hub-Signature-256` that are tried.
const MAX_OTHER_HEADERS: usize = 4;

/// A delivery as received.
#[derive(Clone, Copy, Debug)]
pub struct Evidence<'a> {
    /// Its headers, names in lower case.
    pub headers: &'a [(String, String)],
    pub body: &'a [u8],
    /// Whether `body` is the whole body.
    pub whole: bool,
}

/// A secret that may have signed a delivery.
#[derive(Clone, Debug)]
pub struct KnownSecret {
    /// Its name in a diagnosis.
    pub name: String,
    /// The tag of its route, if that is another one; absent for a secret of the called path.
    pub route: Option<String>,
    pub secret: SecretString,
}

/// A diagnosis and its cost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Examination {
    pub diagnosis: Diagnosis,
    /// Number of signatures computed.
    pub attempts: u32,
}

/// Diagnoses a delivery. Empty secrets are ignored, since anyone can sign with them.
#[must_use]
pub fn examine(evidence: Evidence<'_>, secrets: &[KnownSecret]) -> Examination {
    let usable = secrets.iter().filter(|known| !known.secret.expose_secret().is_empty());
    let (mut own, mut others): (Vec<_>, Vec<_>) = usable.partition(|known| known.route.is_none());
    own.truncate(MAX_OWN_SECRETS);
    others.truncate(MAX_OTHER_SECRETS);
    let mut examiner = Examiner { evidence, own, others, attempts: 0 };
    let diagnosis = examiner.diagnose();
    Examination { diagnosis, attempts: examiner.attempts }
}

/// Whether a header of this name, in lower case, seems to be a signature.
#[must_use]
pub fn is_signature_header(name: &str) -> bool {
    ["signature", "hmac", "x-hub"].iter().any(|part| name.contains(part))
}

struct Examiner<'a> {
    evidence: Evidence<'a>,
    /// The secrets of the called path.
    own: Vec<&'a KnownSecret>,
    /// The secrets of other paths.
    others: Vec<&'a KnownSecret>,
    attempts: u32,
}

impl<'a> Examiner<'a> {
    fn diagnose(&mut self) -> Diagnosis {
        let mut values = self.evidence.headers.iter().filter(|(name, _)| name == signature::HEADER.as_str());
        match (values.next(), values.next()) {
            (Some((_, value)), None) => self.diagnose_value(value),
            (Some(_), Some(_)) => Diagnosis::DuplicateHeader {},
            (None, _) => self.diagnose_missing_header(),
        }
    }

    /// `X-Hub-Signature-256` is missing; another header may have the signature.
    fn diagnose_missing_header(&mut self) -> Diagnosis {
        let others = self.evidence.headers.iter().filter(|(name, _)| is_signature_header(name)).take(MAX_OTHER_HEADERS);
        let mut first = None;
        for (name, value) in others {
            first.get_or_insert(name);
            if let Some(known) = self.signer(&header::read(value)) {
                return Diagnosis::NoHeader { other_header: Some(name.clone()), secret: Some(known.name.clone()) };
            }
        }
        Diagnosis::NoHeader { other_header: first.cloned(), secret: None }
    }

    fn diagnose_value(&mut self, value: &str) -> Diagnosis {
        let signature = header::read(value);
        if signature.is_sha1() {
            return Diagnosis::WrongAlgorithm { secret: self.signer(&signature).map(|known| known.name.clone()) };
        }
        if !signature.faults.is_empty() {
            let secret = self.signer(&signature).map(|known| known.name.clone());
            return Diagnosis::WrongForm { faults: signature.faults, secret };
        }
        if self.evidence.whole {
            self.diagnose_mismatch(&signature)
        } else if self.own.is_empty() {
            Diagnosis::NoSecret {}
        } else {
            Diagnosis::BodyNotKept {}
        }
    }

    /// The header is well-formed, so the secret or the body is wrong.
    fn diagnose_mismatch(&mut self, signature: &Signature) -> Diagnosis {
        let body = self.evidence.body;
        if let Some(known) = self.signer(signature) {
            return Diagnosis::Valid { by: known.name.clone() };
        }
        for known in self.others.clone() {
            if self.matches(signature, known.secret.expose_secret(), body) {
                let route = known.route.clone().unwrap_or_default();
                return Diagnosis::OtherRoute { route, secret: known.name.clone() };
            }
        }
        if self.own.is_empty() {
            return Diagnosis::NoSecret {};
        }
        for known in self.own.clone() {
            for (edge, variant) in secret::variants(known.secret.expose_secret()) {
                if self.matches(signature, &variant, body) {
                    return Diagnosis::SecretEdges { edge, secret: known.name.clone() };
                }
            }
        }
        for (change, before) in body::candidates(body) {
            if let Some(known) = self.signer_of(signature, &before) {
                return Diagnosis::BodyChanged { change, secret: known.name.clone() };
            }
        }
        if body::is_cut(body) {
            return Diagnosis::BodyCut {};
        }
        Diagnosis::OtherSecret { tried: self.own.iter().map(|known| known.name.clone()).collect() }
    }

    /// The path's own secret that signed the received body; `None` if the body is incomplete.
    fn signer(&mut self, signature: &Signature) -> Option<&'a KnownSecret> {
        if self.evidence.whole { self.signer_of(signature, self.evidence.body) } else { None }
    }

    fn signer_of(&mut self, signature: &Signature, body: &[u8]) -> Option<&'a KnownSecret> {
        self.own.clone().into_iter().find(|known| self.matches(signature, known.secret.expose_secret(), body))
    }

    fn matches(&mut self, signature: &Signature, secret: &str, body: &[u8]) -> bool {
        let Some(algorithm) = signature.algorithm() else { return false };
        self.attempts += 1;
        hmac::verify(&hmac::Key::new(algorithm, secret.as_bytes()), body, &signature.digest).is_ok()
    }
}
