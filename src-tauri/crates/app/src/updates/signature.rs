//! Signatures of minisign, as Tauri's tools write them: https://jedisct1.github.io/minisign/.
//!
//! Only what the signature says about itself is verified here, before anything is downloaded: it names the version that it was
//! made for. Whether it fits the file is verified by who installs it.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ring::signature::{ED25519, UnparsedPublicKey};

use command_types::updates::UpdateProblem;

/// First bytes of a key.
const ALGORITHM: &[u8] = b"Ed";
const KEY_ID_BYTES: usize = 8;
const KEY_BYTES: usize = 32;
const SIGNATURE_BYTES: usize = 64;

/// A key that files are signed with, encoded: algorithm, identifier, Ed25519 key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PublicKey([u8; ALGORITHM.len() + KEY_ID_BYTES + KEY_BYTES]);

impl PublicKey {
    /// Parses what `tauri signer generate` writes, which is the file of minisign in Base64; that file; or its second line.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let file = match text.split_whitespace().count() {
            1 => decoded(text.trim()).and_then(|bytes| String::from_utf8(bytes).ok()),
            _ => None,
        };
        let key = file.as_deref().unwrap_or(text).split_whitespace().last()?;
        let key = Self(decoded(key)?.try_into().ok()?);
        key.0.starts_with(ALGORITHM).then_some(key)
    }

    /// The key as `tauri signer generate` writes it.
    pub(super) fn for_tauri(self) -> String {
        STANDARD.encode(format!("untrusted comment: minisign public key\n{}\n", STANDARD.encode(self.0)))
    }

    fn id(&self) -> &[u8] {
        &self.0[ALGORITHM.len()..][..KEY_ID_BYTES]
    }

    fn key(&self) -> &[u8] {
        &self.0[ALGORITHM.len() + KEY_ID_BYTES..]
    }
}

/// The version that a signature was made for.
pub(super) fn signed_version(signature: &str, key: &PublicKey) -> Result<String, UpdateProblem> {
    let comment = trusted_comment(signature, key).ok_or(UpdateProblem::WrongSignature {})?;
    let version = comment.split('\t').find_map(|field| field.strip_prefix("version:"));
    version.map(str::to_owned).ok_or(UpdateProblem::NoSignedVersion {})
}

/// The comment that the key signed together with the signature of the file.
fn trusted_comment(signature: &str, key: &PublicKey) -> Option<String> {
    let text = String::from_utf8(decoded(signature)?).ok()?;
    let mut lines = text.lines().skip(1);
    let of_file = decoded(lines.next()?)?;
    let comment = lines.next()?.strip_prefix("trusted comment: ")?;
    let of_comment = decoded(lines.next()?)?;
    let (head, of_file) = of_file.split_at_checked(ALGORITHM.len() + KEY_ID_BYTES)?;
    if !head.ends_with(key.id()) || of_file.len() != SIGNATURE_BYTES {
        return None;
    }
    let signed = [of_file, comment.as_bytes()].concat();
    UnparsedPublicKey::new(&ED25519, key.key()).verify(&signed, &of_comment).ok()?;
    Some(comment.to_owned())
}

fn decoded(text: &str) -> Option<Vec<u8>> {
    STANDARD.decode(text).ok()
}
