//! The signed announcement: `{"version", "url", "notes", "signature"}`.
//!
//! The signature is Ed25519, in Base64, over the UTF-8 bytes of
//! `template-desk-update\n<version>\n<url>\n<notes>`. Neither version nor address contains a line break, so that no two
//! announcements have the same bytes.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ring::signature::{ED25519, UnparsedPublicKey};
use serde::Deserialize;
use url::Url;

use command_types::updates::{Announcement, UpdateProblem};

/// First line of the signed bytes, so that a signature made for another purpose is not valid here.
const PURPOSE: &str = "template-desk-update";

/// An Ed25519 key.
pub(super) struct PublicKey([u8; 32]);

impl PublicKey {
    /// Parses 32 bytes in Base64.
    pub(super) fn parse(text: &str) -> Option<Self> {
        STANDARD.decode(text).ok()?.try_into().ok().map(Self)
    }
}

/// A version of three numbers, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Version([u32; 3]);

impl Version {
    /// Parses `major.minor.patch`. Pre-releases are not announced.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let mut numbers = text.split('.').map(|number| {
            let digits = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
            digits.then(|| number.parse().ok()).flatten()
        });
        let version = Self([numbers.next()??, numbers.next()??, numbers.next()??]);
        numbers.next().is_none().then_some(version)
    }

    pub(super) fn of_this_app() -> Self {
        Self::parse(env!("CARGO_PKG_VERSION")).expect("the version of the workspace has three numbers")
    }
}

#[derive(Deserialize)]
struct Signed {
    #[serde(flatten)]
    announcement: Announcement,
    signature: String,
}

/// Parses an announcement and verifies its signature. Nothing of it is used before.
pub(super) fn verify(body: &[u8], key: &PublicKey) -> Result<Announcement, UpdateProblem> {
    let Signed { announcement, signature } = serde_json::from_slice(body).map_err(|_| UpdateProblem::Malformed {})?;
    let Announcement { version, url, notes } = &announcement;
    let is_opened = Url::parse(url).is_ok_and(|parsed| parsed.scheme() == "https")
        && url.starts_with("https://")
        && !url.chars().any(|c| c.is_control() || c.is_whitespace());
    if Version::parse(version).is_none() || !is_opened {
        return Err(UpdateProblem::Malformed {});
    }
    let signature = STANDARD.decode(signature).map_err(|_| UpdateProblem::WrongSignature {})?;
    let signed = format!("{PURPOSE}\n{version}\n{url}\n{notes}");
    UnparsedPublicKey::new(&ED25519, key.0)
        .verify(signed.as_bytes(), &signature)
        .map_err(|_| UpdateProblem::WrongSignature {})?;
    Ok(announcement)
}
