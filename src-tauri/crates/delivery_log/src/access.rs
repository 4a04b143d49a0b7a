//! Tokens of desks.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::digest::{SHA256, digest};
use ring::rand::{SecureRandom as _, SystemRandom};
use secrecy::SecretString;
use serde::{Deserialize, Serialize};

use crate::error::LogError;

/// Begins every token, so that scanners of repositories can find it.
const PREFIX: &str = "tdesk_";
const TOKEN_BYTES: usize = 32;

/// The SHA-256 of a token in hexadecimal. Tokens are random, so that a fast hash is enough.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TokenHash(pub(crate) String);

impl TokenHash {
    #[must_use]
    pub fn of(token: &str) -> Self {
        let hash = digest(&SHA256, token.as_bytes());
        Self(hash.as_ref().iter().map(|byte| format!("{byte:02x}")).collect())
    }

    /// The hash of a text that has the form of a token.
    pub(crate) fn of_valid(text: &str) -> Option<Self> {
        let bytes = URL_SAFE_NO_PAD.decode(text.strip_prefix(PREFIX)?).ok()?;
        (bytes.len() == TOKEN_BYTES).then(|| Self::of(text))
    }
}

/// What a desk may read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Access {
    pub name: String,
    pub hash: TokenHash,
    /// The endpoints that it sees; empty for all.
    pub endpoints: Vec<String>,
    /// When it was added, in Unix milliseconds.
    pub created_at: i64,
}

/// # Errors
/// [`LogError::Access`] when the system has no random numbers.
pub fn new_token() -> Result<SecretString, LogError> {
    let mut bytes = [0; TOKEN_BYTES];
    SystemRandom::new()
        .fill(&mut bytes)
        .map_err(|_| LogError::Access("the system has no random numbers".to_owned()))?;
    Ok(format!("{PREFIX}{}", URL_SAFE_NO_PAD.encode(bytes)).into())
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use secrecy::ExposeSecret as _;

    use super::*;

    #[test]
    fn tokens_are_random_and_kept_as_hashes() {
        let (one, other) = (new_token().unwrap(), new_token().unwrap());
        assert_ne!(one.expose_secret(), other.expose_secret());
        assert_eq!(one.expose_secret().len(), PREFIX.len() + 43);
        // printf 'tdesk_x' | sha256sum
        let hash = TokenHash::of("tdesk_x").0;
        assert_eq!(hash.len(), 64);
        assert!(!hash.contains("tdesk"));
        assert_eq!(TokenHash::of("tdesk_x"), TokenHash(hash));
    }
}
