//! The announcement, `latest.json` of Tauri: `{"version", "notes", "platforms": {SYSTEM: {"url", "signature"}}}`, and a
//! `page` that Tauri does not know. https://v2.tauri.app/plugin/updater/#static-json-file
//!
//! It is not signed itself. The version counts because the signature of a file names it.

use std::collections::BTreeMap;

use serde::Deserialize;
use url::Url;

use super::signature::{PublicKey, signed_version};
use command_types::updates::{Announcement, Installation, UpdateProblem};

/// A version of three numbers, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Version([u32; 3]);

impl Version {
    /// Parses `major.minor.patch`, with or without a `v` before it. Pre-releases are not announced.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let mut numbers = text.strip_prefix('v').unwrap_or(text).split('.').map(|number| {
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

impl std::fmt::Display for Version {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [major, minor, patch] = self.0;
        write!(f, "{major}.{minor}.{patch}")
    }
}

#[derive(Deserialize)]
struct Document {
    version: String,
    notes: Option<String>,
    page: Option<String>,
    platforms: BTreeMap<String, File>,
}

#[derive(Deserialize)]
struct File {
    url: String,
    signature: String,
}

/// A file that an announcement names for this system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct AnnouncedFile {
    /// Its key in `platforms`.
    pub(super) system: String,
    pub(super) url: String,
}

/// An announcement that was read, with the file for this system. Systems whose copies do not replace themselves need none.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Verified {
    pub(super) announcement: Announcement,
    pub(super) version: Version,
    pub(super) file: Option<AnnouncedFile>,
}

/// Parses an announcement from `address`, and verifies that the key signed a file of this version.
pub(super) fn verify(
    body: &[u8],
    address: &Url,
    key: &PublicKey,
    installation: Installation,
) -> Result<Verified, UpdateProblem> {
    let document: Document = serde_json::from_slice(body).map_err(|_| UpdateProblem::Malformed {})?;
    let version = Version::parse(&document.version).ok_or(UpdateProblem::Malformed {})?;
    let systems = systems(installation);
    let own = systems.iter().find_map(|system| document.platforms.get_key_value(system));
    let proof = match own {
        None if !installation.is_replaceable() => document.platforms.iter().next(),
        own => own,
    };
    let Some((system, File { url, signature })) = proof else {
        return Err(UpdateProblem::NoFile { system: systems.into_iter().next_back().unwrap_or_default() });
    };
    if Version::parse(&signed_version(signature, key)?) != Some(version) {
        return Err(UpdateProblem::WrongSignature {});
    }
    let file = installation.is_replaceable().then(|| AnnouncedFile { system: system.clone(), url: url.clone() });
    let announcement = Announcement {
        version: version.to_string(),
        notes: document.notes.unwrap_or_default(),
        page: document.page.filter(|page| is_page(page, address)),
    };
    Ok(Verified { announcement, version, file })
}

/// Whether a page may be opened from an announcement. The announcement is not signed, so its host vouches for the page.
fn is_page(page: &str, address: &Url) -> bool {
    let fits = Url::parse(page).is_ok_and(|url| url.scheme() == "https" && url.host() == address.host())
        && page.starts_with("https://")
        && !page.chars().any(|c| c.is_control() || c.is_whitespace());
    if !fits {
        tracing::warn!("the page of the announcement is no https address on its host and is not shown");
    }
    fits
}

/// How announcements name this system, the most precise name first.
fn systems(installation: Installation) -> Vec<String> {
    let os = if cfg!(target_os = "macos") { "darwin" } else { std::env::consts::OS };
    let arch = match std::env::consts::ARCH {
        "x86" => "i686",
        "arm" => "armv7",
        other => other,
    };
    let package = match installation {
        Installation::WindowsInstaller => Some("nsis"),
        Installation::AppImage => Some("appimage"),
        Installation::MacApp => Some("app"),
        Installation::DebPackage => Some("deb"),
        Installation::RpmPackage => Some("rpm"),
        Installation::Folder => None,
    };
    let precise = package.map(|package| format!("{os}-{arch}-{package}"));
    precise.into_iter().chain([format!("{os}-{arch}")]).collect()
}
