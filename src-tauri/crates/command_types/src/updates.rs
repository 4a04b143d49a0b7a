//! Newer versions: where they are announced, and how one is installed.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Where announcements are read. Nothing is requested while `enabled` is false.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase", default)]
pub struct UpdateSettings {
    /// Whether the announcement is read once a day.
    pub enabled: bool,
    /// Address of the announcement: `https`, or `http` on this computer. Empty: that of the build.
    pub address: String,
    /// minisign key that the files are signed with, as `tauri signer generate` or minisign writes it. Empty: that of the
    /// build.
    pub public_key: String,
}

/// The settings, what the last check found, and how far an installation is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct UpdateState {
    pub settings: UpdateSettings,
    /// Address of the announcement of who built this app, if the build has one.
    pub built_in_address: Option<String>,
    pub version: String,
    pub installation: Installation,
    /// The newest version that was announced, if it is newer than this one.
    pub available: Option<Announcement>,
    /// The installation that runs, or how the last one failed.
    pub step: Option<InstallStep>,
    /// When the announcement was last requested, in milliseconds since 1970.
    pub checked_at: Option<i64>,
    /// Why the last check failed.
    pub problem: Option<UpdateProblem>,
}

/// How this copy of the app was installed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub enum Installation {
    /// By the installer for Windows, for one person.
    WindowsInstaller,
    AppImage,
    /// An app of macOS.
    MacApp,
    DebPackage,
    RpmPackage,
    /// Otherwise: built here, or copied.
    Folder,
}

impl Installation {
    /// Whether the app can replace itself.
    #[must_use]
    pub fn is_replaceable(self) -> bool {
        matches!(self, Self::WindowsInstaller | Self::AppImage | Self::MacApp)
    }
}

/// A version that was announced with a valid signature.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct Announcement {
    /// Three numbers, such as `1.4.0`. Signed.
    pub version: String,
    /// What is new, as plain text. May be empty. Not signed.
    pub notes: String,
    /// `https` address of a page about it, on the host of the announcement. Not signed.
    pub page: Option<String>,
}

/// How far the installation of a version is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum InstallStep {
    Downloading {
        /// Bytes received.
        received: u64,
        /// Bytes in all, if the server names them.
        total: Option<u64>,
    },
    /// The file is here. It is checked, and what is being sent is awaited.
    Finishing {},
    Failed {
        problem: UpdateProblem,
    },
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum UpdateProblem {
    /// No connection, or no answer in time.
    Unreachable {},
    /// The answer has another status than 200.
    Status {
        status: u16,
    },
    /// The answer or its redirect names an address that is not requested: without encryption, or in a private network
    /// of another host.
    AddressRefused {},
    /// The answer ended before its end.
    Incomplete {},
    TooLarge {
        /// Maximum size in bytes.
        limit: u64,
    },
    Malformed {},
    /// Something is not signed with the key, or the signature is for another version.
    WrongSignature {},
    /// The signature names no version, so that an old file could be announced as a new one.
    NoSignedVersion {},
    /// The announced version is older than this app, or than one that was announced before.
    Downgrade {
        version: String,
    },
    /// The announcement has no file for this system.
    NoFile {
        /// The system, as announcements name it, such as `windows-x86_64`.
        system: String,
    },
    /// Something is sent that must not be cut.
    Busy {},
    DiskFull {},
    /// The app may not replace itself.
    NotWritable {},
    /// The file is no program that this system can install.
    WrongFormat {},
    /// The system refused to start the installer, or to write the new version.
    InstallerFailed {
        reason: String,
    },
    /// The app was closed for the installation of this version, and is still the one before.
    NotInstalled {
        version: String,
    },
}
