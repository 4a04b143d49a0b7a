//! Starts the app when a person logs in: an entry of their account, made and removed by them only.

use std::path::Path;

use auto_launch::{AutoLaunch, AutoLaunchBuilder, LinuxLaunchMode, MacOSLaunchMode, WindowsEnableMode};
use command_types::error::{DeskError, Result};

use crate::arguments::HIDDEN;

/// The name of the entry, which *Task Manager* and *Login Items* show.
const NAME: &str = "Template Desk";
/// What an error names: the entry is in a folder, in the registry or in a launch agent.
const ENTRY: &str = "Start at login";

/// The entry of this person; `None` if the app cannot make one: a Flatpak cannot write to the account.
pub(crate) struct LoginStart(Option<AutoLaunch>);

impl LoginStart {
    pub(crate) fn of_this_app() -> Self {
        if Path::new(crate::home::FLATPAK).exists() {
            return Self(None);
        }
        // The file of an AppImage is mounted elsewhere at each start.
        let program = match std::env::var_os("APPIMAGE") {
            Some(image) => Ok(image.into()),
            None => std::env::current_exe(),
        };
        let entry = program.ok().and_then(|program| {
            let path = quoted(program.to_str()?);
            AutoLaunchBuilder::new()
                .set_app_name(NAME)
                .set_app_path(&path)
                .set_args(&[HIDDEN])
                .set_linux_launch_mode(LinuxLaunchMode::XdgAutostart)
                .set_macos_launch_mode(MacOSLaunchMode::LaunchAgent)
                .set_windows_enable_mode(WindowsEnableMode::CurrentUser)
                .build()
                .ok()
        });
        Self(entry)
    }

    /// Whether the app starts at login; `None` if that cannot be set here.
    pub(crate) fn is_on(&self) -> Option<bool> {
        self.0.as_ref()?.is_enabled().inspect_err(|error| tracing::debug!(%error, "no entry of the login")).ok()
    }

    /// Makes or removes the entry.
    ///
    /// # Errors
    /// [`DeskError::File`] if the system refuses it.
    pub(crate) fn set(&self, on: bool) -> Result<()> {
        let refused = |reason: String| DeskError::file(ENTRY, reason);
        let entry = self.0.as_ref().ok_or_else(|| refused("this system has no place for it".to_owned()))?;
        // Windows fails to remove what is not there.
        let changed = match (on, self.is_on()) {
            (true, _) => entry.enable(),
            (false, Some(false)) => Ok(()),
            (false, _) => entry.disable(),
        };
        changed.map_err(|error| refused(error.to_string()))
    }
}

/// A path as the entry has to contain it: systems take an unquoted one with a space for a program and its arguments
/// (<https://github.com/zzzgydi/auto-launch/issues/32>).
fn quoted(path: &str) -> String {
    match () {
        // A launch agent has a list of arguments.
        () if cfg!(target_os = "macos") => path.to_owned(),
        () if cfg!(windows) => format!("\"{path}\""),
        // Desktop Entry Specification, "The Exec key": a value is unescaped before its quotation is read.
        () => {
            let escaped = path.chars().fold(String::with_capacity(path.len() + 2), |mut escaped, character| {
                match character {
                    '\\' => escaped.push_str(r"\\\\"),
                    '"' | '`' | '$' => escaped.extend(['\\', '\\', character]),
                    '%' => escaped.push_str("%%"),
                    other => escaped.push(other),
                }
                escaped
            });
            format!("\"{escaped}\"")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_with_spaces_is_one_program() {
        for (path, on_windows, on_linux) in [
            ("/usr/bin/template-desk", "\"/usr/bin/template-desk\"", "\"/usr/bin/template-desk\""),
            ("/home/a b/100%.AppImage", "\"/home/a b/100%.AppImage\"", "\"/home/a b/100%%.AppImage\""),
            ("/a/$b\\c", "\"/a/$b\\c\"", r#""/a/\\$b\\\\c""#),
        ] {
            let expected = match () {
                () if cfg!(target_os = "macos") => path,
                () if cfg!(windows) => on_windows,
                () => on_linux,
            };
            assert_eq!(quoted(path), expected);
        }
    }
}
