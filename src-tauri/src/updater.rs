//! Installs newer versions with Tauri's updater: it verifies the file, and replaces the app as its system does. The core
//! downloads the file, so the plugin sends nothing; its commands are not for the page.

use std::io;
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};

use app::ports::{Installer, UpdateFile, UpdateSource};
use command_types::updates::{Installation, UpdateProblem};
use serde_json::{Value, json};
use tauri::{AppHandle, Config, Url};
use tauri_plugin_updater::{Error, Update, UpdaterExt as _};

const PLUGIN: &str = "updater";
/// The plugin requires an address, and is never asked to request it.
const NOT_REQUESTED: &str = "https://updates.invalid/";

/// Takes the source of newer versions out of the configuration of the build, and leaves the plugin one without any.
pub(crate) fn configure(config: &mut Config) -> Option<UpdateSource> {
    let built_in = config.plugins.0.insert(PLUGIN.to_owned(), json!({ "pubkey": "" }))?;
    let text = |value: &Value| value.as_str().filter(|text| !text.is_empty()).map(str::to_owned);
    Some(UpdateSource { address: text(&built_in["endpoints"][0])?, public_key: text(&built_in["pubkey"])? })
}

/// The installer of this copy.
#[derive(Debug)]
pub(crate) struct AppInstaller {
    handle: AppHandle,
    built_in: Option<UpdateSource>,
    next: AfterExit,
}

impl AppInstaller {
    pub(crate) fn new(handle: AppHandle, built_in: Option<UpdateSource>, next: AfterExit) -> Self {
        Self { handle, built_in, next }
    }

    /// The update that a file contains, which need not be verified yet.
    fn update(&self, file: &UpdateFile) -> Result<Update, Error> {
        let updater = self
            .handle
            .updater_builder()
            .endpoints(vec![Url::parse(NOT_REQUESTED)?])?
            .pubkey(file.public_key.as_str())
            .target(file.system.as_str())
            // The app has ended by then.
            .on_before_exit(|| {})
            .build()?;
        // Also requires that the signature names the announced version.
        let update = updater.restore_update(serde_json::from_str(&file.announcement)?)?;
        update.ok_or(Error::ReleaseNotFound)
    }
}

impl Installer for AppInstaller {
    fn installation(&self) -> Installation {
        installation()
    }

    fn built_in_source(&self) -> Option<UpdateSource> {
        self.built_in.clone()
    }

    fn install(&self, file: UpdateFile) -> Result<(), UpdateProblem> {
        let update = self.update(&file).map_err(problem)?;
        update.verify(&file.bytes).map_err(problem)?;
        #[cfg(windows)]
        let step = Step { update, bytes: file.bytes };
        // The running program keeps the file that it was started from.
        #[cfg(not(windows))]
        let step = update.install(&file.bytes).map(|()| Step).map_err(problem)?;
        *self.next.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(step);
        self.handle.exit(0);
        Ok(())
    }
}

/// What follows once the app has ended in order. Clones share it.
#[derive(Clone, Default)]
pub(crate) struct AfterExit(Arc<Mutex<Option<Step>>>);

impl std::fmt::Debug for AfterExit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("AfterExit")
    }
}

/// The installer for Windows replaces files that must not be open.
#[cfg(windows)]
struct Step {
    update: Update,
    bytes: Vec<u8>,
}

/// The new version is in place of the old one.
#[cfg(not(windows))]
struct Step;

impl AfterExit {
    /// Starts the new version or its installer, in place of this process if there is one.
    pub(crate) fn run(self) -> ExitCode {
        let Some(step) = self.0.lock().unwrap_or_else(PoisonError::into_inner).take() else {
            return ExitCode::SUCCESS;
        };
        let reason = start(step);
        crate::dialogs::show_start_error(&format!("The new version could not be started: {reason}"));
        ExitCode::FAILURE
    }
}

/// Returns only if that fails.
#[cfg(windows)]
fn start(Step { update, bytes }: Step) -> String {
    update.install(&bytes).map_or_else(|error| error.to_string(), |()| "the installer did not start".to_owned())
}

/// Replaces this process, whose locks and connections end with it.
#[cfg(not(any(windows, target_os = "macos")))]
fn start(_step: Step) -> String {
    use std::os::unix::process::CommandExt as _;
    match appimage() {
        Some(file) => std::process::Command::new(file).exec().to_string(),
        None => "its file is not known".to_owned(),
    }
}

#[cfg(target_os = "macos")]
fn start(_step: Step) -> String {
    tauri::process::restart(&tauri::Env::default())
}

#[cfg(windows)]
fn installation() -> Installation {
    let exe = std::env::current_exe();
    let is_installed = exe.is_ok_and(|exe| exe.with_file_name("uninstall.exe").is_file());
    if is_installed { Installation::WindowsInstaller } else { Installation::Folder }
}

#[cfg(target_os = "macos")]
fn installation() -> Installation {
    let exe = std::env::current_exe().unwrap_or_default();
    let is_app = exe.parent().is_some_and(|folder| folder.ends_with("Contents/MacOS"));
    if is_app { Installation::MacApp } else { Installation::Folder }
}

#[cfg(not(any(windows, target_os = "macos")))]
fn installation() -> Installation {
    use tauri::utils::config::BundleType;
    if appimage().is_some() {
        return Installation::AppImage;
    }
    match tauri::utils::platform::bundle_type() {
        Some(BundleType::Deb) => Installation::DebPackage,
        Some(BundleType::Rpm) => Installation::RpmPackage,
        _ => Installation::Folder,
    }
}

/// The file that this program is in, if it is an AppImage. Programs that an AppImage starts inherit its variables.
#[cfg(not(any(windows, target_os = "macos")))]
fn appimage() -> Option<std::path::PathBuf> {
    let mounted = std::path::PathBuf::from(std::env::var_os("APPDIR").filter(|folder| !folder.is_empty())?);
    let is_inside = std::env::current_exe().is_ok_and(|exe| exe.starts_with(mounted));
    std::env::var_os("APPIMAGE").filter(|file| !file.is_empty() && is_inside).map(Into::into)
}

fn problem(error: Error) -> UpdateProblem {
    tracing::warn!(%error, "a newer version cannot be installed");
    match error {
        Error::Minisign(_) | Error::Base64(_) | Error::SignatureUtf8(_) | Error::SignedVersionMismatch { .. } => {
            UpdateProblem::WrongSignature {}
        }
        Error::MissingSignedVersion => UpdateProblem::NoSignedVersion {},
        Error::TargetNotFound(system) => UpdateProblem::NoFile { system },
        Error::Serialization(_) | Error::Semver(_) | Error::UrlParse(_) | Error::ReleaseNotFound => {
            UpdateProblem::Malformed {}
        }
        Error::InvalidUpdaterFormat | Error::BinaryNotFoundInArchive => UpdateProblem::WrongFormat {},
        Error::TempDirNotOnSameMountPoint => UpdateProblem::NotWritable {},
        Error::Io(error) => match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => UpdateProblem::DiskFull {},
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => UpdateProblem::NotWritable {},
            _ => UpdateProblem::InstallerFailed { reason: error.to_string() },
        },
        other => UpdateProblem::InstallerFailed { reason: other.to_string() },
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    fn config(plugins: Value) -> Config {
        serde_json::from_value(json!({ "identifier": "app.template-desk", "plugins": plugins })).unwrap()
    }

    #[test]
    fn a_build_names_a_source_only_if_its_configuration_has_an_address_and_a_key() {
        for plugins in [
            json!({}),
            json!({ "updater": {} }),
            json!({ "updater": { "endpoints": ["https://example.com/latest.json"] } }),
            json!({ "updater": { "endpoints": [], "pubkey": "RWQ" } }),
            json!({ "updater": { "endpoints": ["https://example.com/latest.json"], "pubkey": "" } }),
        ] {
            assert_eq!(configure(&mut config(plugins.clone())), None, "{plugins}");
        }
        let address = "https://example.com/latest.json".to_owned();
        let mut named = config(json!({ "updater": { "endpoints": [address], "pubkey": "RWQ" } }));
        assert_eq!(configure(&mut named), Some(UpdateSource { address, public_key: "RWQ".to_owned() }));
        // The plugin itself requests nothing.
        assert_eq!(named.plugins.0["updater"], json!({ "pubkey": "" }));
    }

    #[test]
    fn a_copy_that_was_built_here_does_not_replace_itself() {
        assert_eq!(installation(), Installation::Folder);
    }

    #[test]
    fn what_the_disk_refuses_is_named() {
        let io = |kind| problem(Error::Io(io::Error::from(kind)));
        assert_eq!(io(io::ErrorKind::StorageFull), UpdateProblem::DiskFull {});
        assert_eq!(io(io::ErrorKind::PermissionDenied), UpdateProblem::NotWritable {});
        assert_eq!(io(io::ErrorKind::ReadOnlyFilesystem), UpdateProblem::NotWritable {});
        assert!(matches!(io(io::ErrorKind::NotFound), UpdateProblem::InstallerFailed { .. }));
    }
}
