//! SHA-256 digests: announced by messages, and used as names of files.

use std::fmt::Write as _;
use std::io::Read as _;
use std::path::Path;
use std::pin::Pin;
use std::task::{Context, Poll};

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};
use ring::digest::{self, SHA256};
use tokio::io::AsyncWrite;

/// A digest that a message announces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnnouncedDigest(String);

impl AnnouncedDigest {
    /// Parses base64 (either alphabet, padding optional) or hex.
    pub fn read(text: &str) -> Option<Self> {
        const BYTES: usize = 32;
        let text = text.trim();
        if text.len() == 2 * BYTES && text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Some(Self(text.to_ascii_lowercase()));
        }
        let text = text.trim_end_matches('=');
        let bytes = STANDARD_NO_PAD.decode(text).or_else(|_| URL_SAFE_NO_PAD.decode(text)).ok()?;
        (bytes.len() == BYTES).then(|| Self(hex(&bytes)))
    }

    /// Whether it equals the digest `sha256`, in hex.
    pub fn matches(&self, sha256: &str) -> bool {
        self.0 == sha256
    }
}

/// Bytes as lower-case hexadecimal digits.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut hex, byte| {
        write!(hex, "{byte:02x}").expect("writing to a string does not fail");
        hex
    })
}

/// The digest of bytes, in hex.
#[must_use]
pub fn of(bytes: &[u8]) -> String {
    hex(digest::digest(&SHA256, bytes).as_ref())
}

/// The digest of a file, in hex, and its length.
pub fn of_file(path: &Path) -> std::io::Result<(String, u64)> {
    let mut file = std::fs::File::open(path)?;
    let mut context = digest::Context::new(&SHA256);
    let mut piece = vec![0; 128 * 1024];
    let mut bytes = 0;
    loop {
        match file.read(&mut piece)? {
            0 => return Ok((hex(context.finish().as_ref()), bytes)),
            read => {
                context.update(&piece[..read]);
                bytes += read as u64;
            }
        }
    }
}

/// The SHA-256 of bytes in hex.
#[must_use]
pub fn of_bytes(bytes: &[u8]) -> String {
    hex(digest::digest(&SHA256, bytes).as_ref())
}

/// Computes the digest of data while writing it to a file.
pub struct DigestWriter {
    file: tokio::fs::File,
    context: digest::Context,
}

impl DigestWriter {
    pub fn new(file: tokio::fs::File) -> Self {
        Self { file, context: digest::Context::new(&SHA256) }
    }

    /// The digest in hex.
    pub fn finish(self) -> String {
        hex(self.context.finish().as_ref())
    }
}

impl std::fmt::Debug for DigestWriter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Digesting").finish_non_exhaustive()
    }
}

impl AsyncWrite for DigestWriter {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<std::io::Result<usize>> {
        let written = std::task::ready!(Pin::new(&mut self.file).poll_write(cx, bytes))?;
        self.context.update(&bytes[..written]);
        Poll::Ready(Ok(written))
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.file).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.file).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use super::{AnnouncedDigest, hex};

    #[test]
    fn digests_are_read_in_all_encodings() {
        let bytes = [0xfb; 32];
        let known = hex(&bytes);
        for text in [
            known.as_str(),
            &known.to_uppercase(),
            &format!(" {known}\n"),
            "+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/s=",
            "+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/s",
            "-_v7-_v7-_v7-_v7-_v7-_v7-_v7-_v7-_v7-_v7-_s=",
        ] {
            assert!(AnnouncedDigest::read(text).is_some_and(|announced| announced.matches(&known)), "{text}");
        }
        for text in ["", "x", "no digest at all", &known[1..], "AAAA", &"g".repeat(64)] {
            assert_eq!(AnnouncedDigest::read(text), None, "{text}");
        }
    }
}
