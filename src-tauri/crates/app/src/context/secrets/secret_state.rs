//! The state of one secret: its value and location, or why it cannot be read.

use secrecy::SecretString;

use super::{Audience, field};
use crate::context::ports::KeyringFailure;
use command_types::error::{DeskError, Result};
use command_types::keyring::KeyringProblem;
use command_types::workspace::{SecretKind, SecretPlace};

#[derive(Clone)]
pub(crate) struct SecretState {
    pub(crate) secret: Option<SecretString>,
    pub(crate) place: SecretPlace,
    /// Where it may be sent; absent for secrets that are not sent, and for credentials that an older version stored.
    pub(crate) audience: Option<Audience>,
    pub(super) failure: Option<KeyringFailure>,
}

impl SecretState {
    pub(super) const ABSENT: Self = Self { secret: None, place: SecretPlace::Absent, audience: None, failure: None };

    pub(super) fn unread(failure: KeyringFailure) -> Self {
        let place = match failure.problem {
            KeyringProblem::Locked => SecretPlace::Locked,
            _ => SecretPlace::Unreadable,
        };
        Self { secret: None, place, audience: None, failure: Some(failure) }
    }

    /// Whether the keyring may hold it but cannot be read. A stale entry counts as read.
    pub(crate) fn is_unread(&self) -> bool {
        matches!(self.place, SecretPlace::Locked | SecretPlace::Unreadable)
    }

    /// The credential, for requests to `origin`.
    ///
    /// # Errors
    /// [`DeskError::CredentialsForOtherAddress`] when it is bound to another origin; otherwise as [`SecretState::require`].
    pub(crate) fn require_for(self, kind: SecretKind, origin: &str) -> Result<SecretString> {
        match &self.audience {
            Some(audience) if audience.origin != origin => Err(DeskError::CredentialsForOtherAddress {
                stored: audience.origin.clone(),
                configured: origin.to_owned(),
            }),
            _ => self.require(kind),
        }
    }

    /// Where it is, for requests to `origin`.
    pub(crate) fn place_for(&self, origin: &str) -> SecretPlace {
        match &self.audience {
            Some(audience) if audience.origin != origin => SecretPlace::OtherAddress,
            _ => self.place,
        }
    }

    /// # Errors
    /// [`DeskError::KeyringUnavailable`] when the keyring cannot be read; [`DeskError::MissingCredentials`] when there
    /// is no secret.
    pub(crate) fn require(self, kind: SecretKind) -> Result<SecretString> {
        match (self.secret, self.failure) {
            (Some(secret), _) => Ok(secret),
            (None, Some(failure)) => Err(keyring_error(failure, kind, self.place == SecretPlace::Stale)),
            (None, None) => Err(DeskError::MissingCredentials {}),
        }
    }
}

pub(super) fn keyring_error(failure: KeyringFailure, kind: SecretKind, stale: bool) -> DeskError {
    DeskError::KeyringUnavailable {
        reason: failure.reason,
        problem: failure.problem,
        field: Some(field(kind).to_owned()),
        stale,
    }
}
