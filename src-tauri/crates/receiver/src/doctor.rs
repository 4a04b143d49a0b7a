//! Finds out why a delivery was refused, from its headers, its body and the secrets that are known.
//!
//! A signature cannot be read backwards, so everything is tried: other secrets, other ways to write a secret, other
//! algorithms, and the bodies that this one may have been before something on the way changed it. What is said was
//! proven by a signature that fits; what could not be proven is said to be so. The work is bounded, and no more is
//! told of a secret than its name.

mod change;
mod diagnosis;
mod form;
mod json;
mod probe;
#[cfg(test)]
mod tests;

pub use diagnosis::{Algorithm, Change, Diagnosis, Edge, Fault, Sign};
use json::Text;
use probe::Probe;
use secrecy::{ExposeSecret as _, SecretString};

use crate::signature;

/// Bodies that are kept to be tried in further ways.
const MOST_KEPT: usize = 64;

/// What arrived.
#[derive(Clone, Copy, Debug)]
pub struct Evidence<'a> {
    /// Its headers, names in lower case.
    pub headers: &'a [(String, String)],
    /// Its body.
    pub body: &'a [u8],
    /// Whether that is the whole body.
    pub whole: bool,
}

/// A secret that may have signed.
#[derive(Clone, Debug)]
pub struct KnownSecret {
    /// What to call it.
    pub name: String,
    /// The tag of the other route that it belongs to; absent for a secret of the path that was called.
    pub route: Option<String>,
    /// The secret.
    pub secret: SecretString,
}

/// What an examination found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Examination {
    /// What it found.
    pub diagnosis: Diagnosis,
    /// How many signatures and digests it computed for that.
    pub attempts: u32,
}

/// Examines a delivery. Empty secrets are left out, since anyone can sign with them.
#[must_use]
pub fn examine(evidence: Evidence<'_>, secrets: &[KnownSecret]) -> Examination {
    let usable = secrets.iter().filter(|known| !known.secret.expose_secret().is_empty());
    let (own, others): (Vec<&KnownSecret>, Vec<&KnownSecret>) = usable.partition(|known| known.route.is_none());
    let mut values = evidence.headers.iter().filter(|(name, _)| name == signature::HEADER.as_str());
    match (values.next(), values.next()) {
        (Some((_, value)), None) => examine_value(value, evidence, &own, &others),
        (Some(_), Some(_)) => Examination { diagnosis: Diagnosis::DuplicateHeader {}, attempts: 0 },
        (None, _) => examine_other_headers(evidence, &own),
    }
}

/// Whether a header of this name, in lower case, seems to be a signature.
#[must_use]
pub fn is_signature_header(name: &str) -> bool {
    ["signature", "hmac", "x-hub"].iter().any(|part| name.contains(part))
}

/// There is no header of the right name; perhaps one of another name has the signature.
fn examine_other_headers(evidence: Evidence<'_>, own: &[&KnownSecret]) -> Examination {
    const MOST_HEADERS: usize = 4;
    let mut attempts = 0;
    let mut first = None;
    let others = evidence.headers.iter().filter(|(name, _)| is_signature_header(name)).take(MOST_HEADERS);
    for (name, value) in others {
        first.get_or_insert(name);
        if !evidence.whole {
            break;
        }
        let mut probe = Probe::new(form::read(value).tags, own);
        let secret = probe.signed_by(evidence.body);
        let secret = secret.or_else(|| probe.other_algorithm(evidence.body).and_then(|(_, known)| known));
        attempts += probe.attempts();
        if let Some(known) = secret {
            let (other_header, secret) = (Some(name.clone()), Some(known.name.clone()));
            return Examination { diagnosis: Diagnosis::NoHeader { other_header, secret }, attempts };
        }
    }
    Examination { diagnosis: Diagnosis::NoHeader { other_header: first.cloned(), secret: None }, attempts }
}

fn examine_value(value: &str, evidence: Evidence<'_>, own: &[&KnownSecret], others: &[&KnownSecret]) -> Examination {
    let form::Form { faults, tags } = form::read(value);
    let mut probe = Probe::new(tags, own);
    let diagnosis = if faults.is_empty() {
        examine_digest(&mut probe, evidence, own, others)
    } else if evidence.whole {
        misshapen(&mut probe, evidence.body, faults)
    } else {
        Diagnosis::WrongForm { faults, secret: None }
    };
    Examination { diagnosis, attempts: probe.attempts() }
}

/// The header's form is wrong, which may be all or may come from another algorithm.
fn misshapen(probe: &mut Probe<'_>, body: &[u8], faults: Vec<Fault>) -> Diagnosis {
    if let Some(known) = probe.signed_by(body) {
        return Diagnosis::WrongForm { faults, secret: Some(known.name.clone()) };
    }
    match probe.other_algorithm(body) {
        Some((algorithm, known)) => {
            Diagnosis::WrongAlgorithm { algorithm, secret: known.map(|known| known.name.clone()) }
        }
        None => Diagnosis::WrongForm { faults, secret: None },
    }
}

/// The header's form is right.
fn examine_digest(
    probe: &mut Probe<'_>,
    evidence: Evidence<'_>,
    own: &[&KnownSecret],
    others: &[&KnownSecret],
) -> Diagnosis {
    if !evidence.whole {
        return if own.is_empty() { Diagnosis::NoSecret {} } else { Diagnosis::BodyNotKept {} };
    }
    let body = evidence.body;
    if let Some(known) = probe.signed_by(body) {
        return Diagnosis::Valid { by: known.name.clone() };
    }
    if let Some(known) = probe.signed_by_other(body, others) {
        let route = known.route.clone().unwrap_or_default();
        return Diagnosis::OtherRoute { route, secret: known.name.clone() };
    }
    if own.is_empty() {
        return Diagnosis::NoSecret {};
    }
    if let Some((known, edge)) = probe.signed_by_variant(body) {
        return Diagnosis::SecretEdges { edge, secret: known.name.clone() };
    }
    if let Some((algorithm, known)) = probe.other_algorithm(body) {
        return Diagnosis::WrongAlgorithm { algorithm, secret: known.map(|known| known.name.clone()) };
    }
    if let Some((changes, known)) = body_before(probe, body) {
        return Diagnosis::BodyChanged { changes, secret: known.name.clone() };
    }
    let tried = own.iter().take(probe::MOST_OWN_SECRETS).map(|known| known.name.clone()).collect();
    Diagnosis::OtherSecret { tried, attempts: probe.attempts(), signs: signs(evidence) }
}

/// A body that may have been signed, and what was undone to get it, the last change first.
struct Earlier {
    undone: Vec<Change>,
    body: Vec<u8>,
}

/// Looks for the body that was signed: what this one was before one or two changes, and each of those as other
/// libraries write JSON. What is likely comes first, since a large body uses up the bounds.
fn body_before<'a>(probe: &mut Probe<'a>, body: &[u8]) -> Option<(Vec<Change>, &'a KnownSecret)> {
    let received = [Earlier { undone: Vec::new(), body: body.to_vec() }];
    let mut once = Vec::new();
    let mut twice = Vec::new();
    undo(probe, &received, &mut once)
        .or_else(|| rewrite(probe, &received, false))
        .or_else(|| rewrite(probe, &once, false))
        .or_else(|| undo(probe, &once, &mut twice))
        .or_else(|| rewrite(probe, &twice, false))
        .or_else(|| rewrite(probe, &received, true))
        .or_else(|| rewrite(probe, &once, true))
}

/// Undoes one more change of each body; what is no match is kept for further trying.
fn undo<'a>(
    probe: &mut Probe<'a>,
    bodies: &[Earlier],
    kept: &mut Vec<Earlier>,
) -> Option<(Vec<Change>, &'a KnownSecret)> {
    for later in bodies {
        if probe.is_spent() {
            return None;
        }
        for (change, body) in change::before(&later.body) {
            if later.undone.contains(&change) {
                continue;
            }
            let undone = [later.undone.as_slice(), &[change]].concat();
            if let Some(known) = probe.guess(&body) {
                return Some((in_order(&[], &undone), known));
            }
            // An empty body was nothing else before.
            if kept.len() < MOST_KEPT && !body.is_empty() {
                kept.push(Earlier { undone, body });
            }
        }
    }
    None
}

/// Writes each body that is JSON in other styles.
fn rewrite<'a>(probe: &mut Probe<'a>, bodies: &[Earlier], rare: bool) -> Option<(Vec<Change>, &'a KnownSecret)> {
    for Earlier { undone, body } in bodies {
        let Ok(text) = std::str::from_utf8(body) else { continue };
        if probe.is_spent() {
            return None;
        }
        let text = Text::read(text);
        if !text.has_structure() {
            continue;
        }
        for style in text.styles(rare) {
            if probe.is_spent() {
                return None;
            }
            let Some((earlier, mut changes)) = text.write(style) else { continue };
            if let Some(known) = probe.guess(earlier.as_bytes()) {
                if text.is_laid_out_unlike(&earlier) {
                    changes.insert(0, Change::Reserialised);
                }
                return Some((in_order(&changes, undone), known));
            }
        }
    }
    None
}

/// Changes in the order in which they happened: those of the JSON, then those that were undone, the last one first.
fn in_order(json: &[Change], undone: &[Change]) -> Vec<Change> {
    json.iter().chain(undone.iter().rev()).copied().collect()
}

/// What is odd about a body that nothing could be proven from.
fn signs(evidence: Evidence<'_>) -> Vec<Sign> {
    let mut signs = Vec::new();
    if evidence.body.is_empty() {
        signs.push(Sign::EmptyBody);
        return signs;
    }
    let packed = evidence
        .headers
        .iter()
        .any(|(name, value)| name == "content-encoding" && ["gzip", "deflate", "br", "zstd"].contains(&value.trim()));
    match std::str::from_utf8(evidence.body) {
        Err(_) => signs.push(Sign::NotUtf8),
        Ok(text) => {
            let json = serde_json::from_str::<serde::de::IgnoredAny>(text);
            match &json {
                Err(error) if error.is_eof() => signs.push(Sign::EndsEarly),
                Err(_) => signs.push(Sign::NotJson),
                Ok(_) if packed => signs.push(Sign::Unpacked),
                Ok(_) => {}
            }
            if text.contains('\u{fffd}') {
                signs.push(Sign::LostCharacters);
            }
        }
    }
    signs
}
