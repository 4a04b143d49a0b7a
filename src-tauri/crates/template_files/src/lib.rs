//! Templates as files in a folder, so that they can be kept in git: pull from the provider, edit, push back.
//!
//! A file holds the contract's creation JSON (§4.2); [`file_name`] gives its name. Header media is stored in the same
//! folder: `order_update.pt_BR.header.png` for `order_update.pt_BR.json`, card media as `….card0.png`, `….card1.mp4`.
//! This crate doesn't use the databases.
//!
//! Equal templates give equal bytes: keys have a fixed order, values that a provider renews or fills in don't count as
//! differences, and a file with the same content is not rewritten. Requests are sent the same way as by `submit`.

mod approved;
mod compare;
mod disk;
mod folder_index;
mod plan;
mod pull;
mod push;
mod read;
mod samples;
mod sidecar_media;
mod subfolders;
mod test_send;
mod text;
mod write;

use outgoing::file_name::shown;
use std::path::{Path, PathBuf};

use command_types::error::{DeskError, disk_advice};
use model::send::SendProblem;
pub use plan::{Action, Plan, Step, overridable, plan};
pub use provider_client::{
    Client, Credentials, Endpoint, Error as ProviderError, ListFilter, Sent, Timeouts, WabaField,
};
pub use provider_client::{Reach, Unreachable, parse_base_url};
pub use pull::{PullResult, pull};
pub use push::{Outcome, Progress, push};
pub use read::Links;
pub use samples::Samples;
pub use test_send::{TestContent, TestSend, message_of};
pub use tokio_util::sync::CancellationToken;

pub use approved::Approved;
pub use compare::{changed, creation, has_content};
pub use folder_index::FolderIndex;
pub use plan::{DuplicateCheck, demote, key};
pub use pull::{Creations, MAX_CONCURRENT_WRITES};
pub use read::{Read, refusal};
pub use sidecar_media::{FolderMedia, SidecarMedia};
pub use subfolders::{FilesOfPaths, files_of};
pub use write::write;

/// An error of this crate.
#[derive(Debug, thiserror::Error)]
pub enum FilesError {
    /// The provider rejected the request or could not be reached.
    #[error(transparent)]
    Provider(#[from] provider_client::Error),
    /// A file or folder cannot be read or written.
    #[error("{}: {source}; {}", shown(path), disk_advice(source))]
    Disk { path: PathBuf, source: std::io::Error },
    /// The content of a file is invalid.
    #[error("{}: {problem}", shown(path))]
    Content {
        path: PathBuf,
        /// The problem and the expected content.
        problem: String,
    },
    /// The provider lists no template with this name and language.
    #[error("There is no template `{name}` in the language `{language}`.{known}")]
    NoTemplate {
        name: String,
        language: String,
        /// A sentence that lists the available languages.
        known: String,
    },
    /// Problems that block a message: its errors, and its warnings that are not overridden.
    #[error("The message was not sent.{}", listed(.0))]
    Problems(Vec<SendProblem>),
}

impl From<FilesError> for DeskError {
    fn from(error: FilesError) -> Self {
        match error {
            FilesError::Provider(error) => error.into(),
            FilesError::Disk { path, source } => {
                let advice = disk_advice(&source);
                Self::file_io(shown(&path), &source, format!("{source}; {advice}"))
            }
            FilesError::Content { path, problem } => Self::file(shown(&path), problem),
            other => Self::Internal { message: other.to_string() },
        }
    }
}

/// A line for each problem.
fn listed(problems: &[SendProblem]) -> String {
    let line = |problem: &SendProblem| {
        let weight = if problem.is_error() { "error" } else { "warning" };
        let place = if problem.field.is_empty() { String::new() } else { format!(" at {}", problem.field) };
        format!("\n  {weight}{place} ({}): {}", problem.code.as_str(), problem.message)
    };
    problems.iter().map(line).collect()
}

/// Wraps an I/O error with its path.
pub fn disk(path: &Path) -> impl FnOnce(std::io::Error) -> FilesError {
    let path = path.to_path_buf();
    move |source| FilesError::Disk { path, source }
}

/// Longest stem of a file name, in bytes: with extensions it stays below the 255 bytes that file systems allow.
const MAX_STEM_BYTES: usize = 200;
/// Longest language suffix kept when a long name is shortened, in bytes.
const MAX_LANGUAGE_BYTES: usize = 16;
/// Names that Windows reserves for devices, with any extension.
const RESERVED_NAMES: [&str; 6] = ["con", "prn", "aux", "nul", "conin$", "conout$"];

/// Name of a template's file: `order_update.pt_BR.json`. It is valid on every file system, including those of Windows,
/// and unique even where the file system ignores case: every character of the name other than a lower-case letter,
/// digit, `_` or `-` is percent-encoded, and the end of a very long name is replaced by a digest.
#[must_use]
pub fn file_name(name: &str, language: &str) -> String {
    format!("{}.json", stem(name, language, ""))
}

/// Name of the file of a template that shares its name and language with another one; `mark`, such as the WABA, tells
/// them apart: `order_update.pt_BR~102290129340398.json`.
pub fn distinct_file_name(name: &str, language: &str, mark: &str) -> String {
    format!("{}.json", stem(name, language, &format!("~{}", encoded(mark, u8::is_ascii_alphanumeric))))
}

fn stem(name: &str, language: &str, mark: &str) -> String {
    let language = encoded(language, u8::is_ascii_alphanumeric);
    let mut stem = format!("{}.{language}{mark}", encoded_name(name));
    if stem.len() > MAX_STEM_BYTES {
        let digest = digest(&stem);
        stem.truncate(MAX_STEM_BYTES);
        stem.push_str(&format!("~{digest:016x}"));
        if language.len() <= MAX_LANGUAGE_BYTES {
            stem.push_str(&format!(".{language}"));
        }
    }
    stem
}

/// The name percent-encoded: no upper-case letters, no reserved device name.
fn encoded_name(name: &str) -> String {
    let encoded = encoded(name, |byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    let port = encoded.strip_prefix("com").or(encoded.strip_prefix("lpt"));
    if !RESERVED_NAMES.contains(&encoded.as_str()) && !port.is_some_and(|port| matches!(port.as_bytes(), [b'0'..=b'9']))
    {
        return encoded;
    }
    // `%63on` is not a device name.
    format!("%{:02X}{}", encoded.as_bytes()[0], &encoded[1..])
}

fn encoded(text: &str, is_plain: impl Fn(&u8) -> bool) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        if is_plain(&byte) || matches!(byte, b'_' | b'-') {
            encoded.push(char::from(byte));
        } else {
            encoded.push_str(&format!("%{byte:02X}"));
        }
    }
    encoded
}

/// FNV-1a: stable across machines and versions, unlike the standard hasher.
fn digest(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn advice_fits_the_error_of_the_disk() {
        use std::io::ErrorKind;
        for (kind, advice) in [
            (ErrorKind::StorageFull, "free some space"),
            (ErrorKind::AlreadyExists, "rename it"),
            (ErrorKind::NotFound, "check that it exists"),
        ] {
            let error = || disk(Path::new("a.json"))(kind.into());
            assert!(error().to_string().contains(advice), "{}", error());
            assert!(DeskError::from(error()).to_string().contains(advice), "{kind}");
        }
        let full = disk(Path::new("a.json"))(ErrorKind::StorageFull.into()).to_string();
        assert!(!full.contains("exists"), "{full}");
    }

    #[test]
    fn file_names_are_unique_and_stay_in_their_folder() {
        for (name, language, expected) in [
            ("order_update", "pt_BR", "order_update.pt_BR.json"),
            ("../../etc/passwd", "en", "%2E%2E%2Fetc%2Fpasswd.en.json"),
            ("a.en", "us", "a%2Een.us.json"),
            ("", "", "..json"),
            ("é\n", "e/n", "%C3%A9%0A.e%2Fn.json"),
            // Names reserved by Windows.
            ("con", "en", "%63on.en.json"),
            ("com1", "en", "%63om1.en.json"),
            ("lpt9", "en", "%6Cpt9.en.json"),
            ("com10", "en", "com10.en.json"),
            ("console", "en", "console.en.json"),
            ("CON", "en", "%43%4F%4E.en.json"),
            ("a<b>:\"|?*\\", "en", "a%3Cb%3E%3A%22%7C%3F%2A%5C.en.json"),
            ("ends. ", "en. ", "ends%2E%20.en%2E%20.json"),
            // One letter in two Unicode normalisation forms, and in both cases.
            ("é", "en", "%C3%A9.en.json"),
            ("e\u{301}", "en", "e%CC%81.en.json"),
            ("Order", "en", "%4Frder.en.json"),
            ("a\u{202e}b", "en", "a%E2%80%AEb.en.json"),
        ] {
            let expected = if name.starts_with("../..") { "%2E%2E%2F%2E%2E%2Fetc%2Fpasswd.en.json" } else { expected };
            assert_eq!(file_name(name, language), expected);
        }
        let long = "x".repeat(512);
        let other = format!("{}y", "x".repeat(511));
        assert!(file_name(&long, "pt_BR").len() <= 240);
        assert_ne!(file_name(&long, "pt_BR"), file_name(&other, "pt_BR"));
        assert_ne!(file_name(&long, "pt_BR"), distinct_file_name(&long, "pt_BR", "1"));
        assert!(file_name("a", &"x".repeat(512)).len() <= 240);
        assert!(distinct_file_name("a", "en", &"1".repeat(512)).len() <= 240);
        assert_eq!(distinct_file_name("a", "pt_BR", "12"), "a.pt_BR~12.json");
        // An encoded name never equals the name of another template.
        assert_ne!(file_name("con", "en"), file_name("%63on", "en"));
    }
}
