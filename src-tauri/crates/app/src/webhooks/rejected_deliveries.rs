//! Rejected deliveries: the last ones, in memory only, so that a person can see why nothing arrives.

mod log;

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use receiver::doctor::{self, Diagnosis, Evidence, KnownSecret};

pub(crate) use self::log::LINE_INTERVAL;
use self::log::RejectionLog;
use crate::webhooks::endpoint;
use command_types::receiver::{RefusedDelivery, RefusedDetail};

/// Number of deliveries kept.
const MAX_DELIVERIES: usize = 200;
/// Maximum total size of their bodies.
const MAX_BODY_BYTES: usize = 16 * 1024 * 1024;
/// How much of a body the list shows, in characters.
const MAX_EXCERPT_LENGTH: usize = 2_000;

/// The last rejected deliveries.
#[derive(Debug, Default)]
pub(crate) struct RejectedDeliveries {
    deliveries: Mutex<Deliveries>,
    log: RejectionLog,
}

#[derive(Debug, Default)]
struct Deliveries {
    last_id: u64,
    body_bytes: usize,
    entries: VecDeque<RejectedDelivery>,
}

#[derive(Clone, Debug)]
struct RejectedDelivery {
    id: u64,
    refused: Arc<endpoint::RefusedDelivery>,
    /// The diagnosis with the secrets of that generation.
    found: Option<(u64, Diagnosis)>,
}

/// The secrets for diagnosing deliveries. The generation changes with the secrets.
#[derive(Clone, Debug)]
pub(crate) struct DiagnosisSecrets {
    pub(crate) generation: u64,
    /// Each secret with its workspace and the path of its endpoint.
    pub(crate) known: Vec<(String, KnownSecret)>,
}

impl RejectedDeliveries {
    /// Newest first. Diagnosing may take seconds if many large bodies are kept.
    pub(crate) fn list(&self, secrets: &DiagnosisSecrets) -> Vec<RefusedDelivery> {
        let entries: Vec<RejectedDelivery> = self.lock().entries.iter().rev().cloned().collect();
        entries.into_iter().map(|entry| self.row(&entry, secrets)).collect()
    }

    pub(crate) fn get(&self, id: &str, secrets: &DiagnosisSecrets) -> Option<RefusedDetail> {
        let id: u64 = id.parse().ok()?;
        let entry = self.lock().entries.iter().find(|entry| entry.id == id)?.clone();
        let row = self.row(&entry, secrets);
        let refused = &entry.refused;
        Some(RefusedDetail {
            row,
            method: refused.method.clone(),
            host: refused.host.clone(),
            peer: refused.peer.to_string(),
            headers: refused.headers.clone(),
            body: String::from_utf8_lossy(&refused.body).into_owned(),
            body_base64: STANDARD.encode(&refused.body),
            kept: refused.body.len() as u64,
        })
    }

    /// Records a rejection. If it is the first one of its reason, the caller then calls [`Self::summarise`] after each
    /// [`LINE_INTERVAL`] until it returns `false`.
    pub(crate) fn take(&self, refused: endpoint::RefusedDelivery) -> bool {
        let is_first = self.log.add(&refused);
        let mut deliveries = self.lock();
        deliveries.last_id += 1;
        deliveries.body_bytes += refused.body.len();
        let entry = RejectedDelivery { id: deliveries.last_id, refused: Arc::new(refused), found: None };
        deliveries.entries.push_back(entry);
        if deliveries.entries.len() > MAX_DELIVERIES
            && let Some(oldest) = deliveries.entries.pop_front()
        {
            deliveries.body_bytes -= oldest.refused.body.len();
        }
        deliveries.drop_oldest_bodies();
        is_first
    }

    /// Logs how many were rejected for this reason since the last line. Returns whether there were any.
    pub(crate) fn summarise(&self, reason: endpoint::Reason) -> bool {
        self.log.summarise(reason)
    }

    fn row(&self, entry: &RejectedDelivery, secrets: &DiagnosisSecrets) -> RefusedDelivery {
        let refused = &entry.refused;
        let at = refused.refused_at.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        RefusedDelivery {
            id: entry.id.to_string(),
            at: i64::try_from(at.as_millis()).unwrap_or(i64::MAX),
            workspace: refused.route.clone(),
            path: refused.path.clone(),
            status: refused.reason.status(),
            reason: refused.reason,
            size: refused.body_bytes as u64,
            // A character has at most four bytes.
            excerpt: String::from_utf8_lossy(&refused.body[..refused.body.len().min(MAX_EXCERPT_LENGTH * 4)])
                .chars()
                .take(MAX_EXCERPT_LENGTH)
                .collect(),
            diagnosis: self.diagnosis(entry, secrets),
        }
    }

    fn diagnosis(&self, entry: &RejectedDelivery, secrets: &DiagnosisSecrets) -> Diagnosis {
        if let Some((generation, diagnosis)) = &entry.found
            && *generation == secrets.generation
        {
            return diagnosis.clone();
        }
        let diagnosis = diagnose(&entry.refused, &secrets.known);
        if let Some(known) = self.lock().entries.iter_mut().find(|known| known.id == entry.id) {
            known.found = Some((secrets.generation, diagnosis.clone()));
        }
        diagnosis
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Deliveries> {
        self.deliveries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Deliveries {
    /// Limits memory: a sender that floods displaces the bodies of older deliveries.
    fn drop_oldest_bodies(&mut self) {
        for entry in &mut self.entries {
            if self.body_bytes <= MAX_BODY_BYTES {
                return;
            }
            self.body_bytes -= entry.refused.body.len();
            // The diagnosis made while the body was kept remains valid until the secrets change.
            let mut refused = endpoint::RefusedDelivery::clone(&entry.refused);
            refused.body = Default::default();
            refused.whole = false;
            entry.refused = Arc::new(refused);
        }
    }
}

fn diagnose(refused: &endpoint::RefusedDelivery, known: &[(String, KnownSecret)]) -> Diagnosis {
    if !refused.reason.is_about_signature() {
        return Diagnosis::Plain {};
    }
    let known: Vec<KnownSecret> = known
        .iter()
        .cloned()
        .map(|(path, known)| if path == refused.path { KnownSecret { route: None, ..known } } else { known })
        .collect();
    let evidence = Evidence { headers: &refused.headers, body: &refused.body, whole: refused.whole };
    doctor::examine(evidence, &known).diagnosis
}

#[cfg(test)]
mod tests;
