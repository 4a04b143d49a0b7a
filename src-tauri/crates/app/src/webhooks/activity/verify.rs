//! Verifies the signatures of stored deliveries again with the current secrets.

use std::collections::HashMap;

use secrecy::SecretString;
use store::delivery_log::Delivery;

use crate::webhooks::Webhooks;
use crate::webhooks::endpoint::{Reason, signed_by};
use crate::workspaces::SANDBOX_ID;
use command_types::activity::{SignatureReport, SignatureVerdict, VerifySignatures};
use command_types::error::{DeskError, Result};
use command_types::workspace::SecretKind;

/// The signing secrets of a workspace.
enum Signers {
    /// The current secrets of its endpoints, of this number, then the previous ones, which may be empty.
    Workspace(Vec<SecretString>, usize),
    /// The sandbox creates a secret at every start.
    Sandbox(Option<SecretString>),
    /// The workspace no longer exists.
    Gone,
}

/// Verifies signatures, loading each workspace's secrets once.
pub(super) struct Verifier<'a> {
    webhooks: &'a Webhooks,
    signers: HashMap<String, Signers>,
}

impl Webhooks {
    pub(super) fn verifier(&self) -> Verifier<'_> {
        Verifier { webhooks: self, signers: HashMap::new() }
    }

    /// Verifies the signatures of stored deliveries again.
    ///
    /// # Errors
    /// [`DeskError::Cancelled`] when the app closes meanwhile; [`DeskError::Storage`] when the delivery log cannot be
    /// read;
    /// [`DeskError::KeyringUnavailable`] when the keyring cannot be read.
    pub async fn verify_signatures(&self, request: VerifySignatures) -> Result<SignatureReport> {
        let number = |seq: u64| i64::try_from(seq).unwrap_or(i64::MAX);
        let last = self.0.context.reader.last_seq().await?;
        let to = request.to.map_or(last, number).min(last);
        let mut stored_deliveries = self.stored_deliveries(request.from.map_or(1, number), to).await?;
        let workspace = request.workspace.filter(|workspace| !workspace.is_empty());
        let mut verifier = self.verifier();
        let mut report = SignatureReport::default();
        loop {
            let page = stored_deliveries.page().await?;
            if page.is_empty() {
                return Ok(report);
            }
            for delivery in &page {
                if workspace.as_ref().is_none_or(|workspace| *workspace == delivery.route) {
                    report.add(delivery.seq, verifier.verify(delivery).await?);
                }
            }
        }
    }
}

impl Verifier<'_> {
    /// The verdict about a delivery's signature.
    pub(super) async fn verify(&mut self, delivery: &Delivery) -> Result<SignatureVerdict> {
        if !self.signers.contains_key(&delivery.route) {
            let signers = self.find(&delivery.route).await?;
            self.signers.insert(delivery.route.clone(), signers);
        }
        let signed_with = |secrets: &[SecretString]| signed_by(&delivery.headers, &delivery.body, secrets);
        Ok(match &self.signers[&delivery.route] {
            Signers::Workspace(secrets, present) => match signed_with(secrets) {
                Ok(place) if place < *present => SignatureVerdict::Current {},
                Ok(_) => SignatureVerdict::Previous {},
                Err(Reason::SignatureMissing) => SignatureVerdict::Absent {},
                Err(Reason::NoSecret) => SignatureVerdict::NoSecret {},
                Err(_) => SignatureVerdict::Invalid {},
            },
            Signers::Sandbox(secret) => match signed_with(secret.as_slice()) {
                Ok(_) => SignatureVerdict::Current {},
                Err(Reason::SignatureMissing) => SignatureVerdict::Absent {},
                Err(Reason::SignatureMalformed | Reason::SignatureDuplicate) => SignatureVerdict::Invalid {},
                // Signed by an earlier sandbox, or modified: without that secret the two cannot be distinguished.
                Err(_) => SignatureVerdict::Gone {},
            },
            Signers::Gone => SignatureVerdict::Gone {},
        })
    }

    async fn find(&self, route: &str) -> Result<Signers> {
        let inner = &self.webhooks.0;
        if route == SANDBOX_ID {
            return Ok(Signers::Sandbox(
                inner.workspaces.sandbox(SANDBOX_ID).map(|sandbox| sandbox.webhook_secret.clone()),
            ));
        }
        let Some(workspace) = inner.context.desk.workspace(route).await? else { return Ok(Signers::Gone) };
        let endpoint_keys = crate::workspaces::webhook_endpoints::endpoint_keys(&workspace);
        let mut secrets = Vec::with_capacity(2 * endpoint_keys.len());
        for kind in SecretKind::SIGNING {
            for place in &endpoint_keys {
                secrets.push(match inner.context.secrets.look_up(place.owner(), kind).await.require(kind) {
                    Ok(secret) => secret,
                    Err(DeskError::MissingCredentials {}) => SecretString::default(),
                    // A locked keyring must not make a signature count as invalid.
                    Err(error) => return Err(error),
                });
            }
        }
        Ok(Signers::Workspace(secrets, endpoint_keys.len()))
    }
}
