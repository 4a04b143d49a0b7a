//! Access to a folder of Windows: for its person, the system and administrators, as to a profile. `icacls` sets it,
//! because the standard library has no function for it.

use std::path::Path;

/// Whether a folder is in the profile of the person, which other people cannot open. Both paths are canonical.
fn is_in(folder: &Path, profile: Option<&Path>) -> bool {
    profile.is_some_and(|profile| profile.parent().is_some() && folder.starts_with(profile))
}

/// The identifier in the answer of `whoami /user /fo csv /nh`: `"desktop\ana","S-1-5-21-…-1001"`.
fn identifier(answer: &str) -> Option<&str> {
    let identifier = answer.trim().strip_suffix('"')?.rsplit_once('"')?.1;
    let numbers = identifier.strip_prefix("S-1-")?;
    numbers.split('-').all(|number| number.parse::<u64>().is_ok()).then_some(identifier)
}

/// Arguments of `icacls` after the folder: full access for the person, the system and administrators, passed on to what
/// is below, and nothing from above. Identifiers are the same in every language of Windows.
fn access(person: &str) -> [String; 5] {
    const SYSTEM: &str = "S-1-5-18";
    const ADMINISTRATORS: &str = "S-1-5-32-544";
    let full = |who: &str| format!("*{who}:(OI)(CI)F");
    ["/inheritance:r".to_owned(), "/grant:r".to_owned(), full(person), full(SYSTEM), full(ADMINISTRATORS)]
}

/// Removes the access of other people from a folder and what is below it. A folder in the profile has none to remove.
///
/// # Errors
/// Those of the programs of Windows; a file system without access control refuses.
#[cfg(windows)]
pub(super) fn restrict_folder(path: &Path) -> std::io::Result<()> {
    let profile = std::env::var_os("USERPROFILE").and_then(|profile| std::fs::canonicalize(profile).ok());
    if is_in(&std::fs::canonicalize(path)?, profile.as_deref()) {
        return Ok(());
    }
    let person = answer("whoami", Path::new("/user"), &["/fo", "csv", "/nh"])?;
    let person = identifier(&person).ok_or_else(|| std::io::Error::other("whoami names no person"))?;
    answer("icacls", path, &access(person)).map(drop)
}

/// The output of a program of Windows. Those in `PATH` may be others.
#[cfg(windows)]
fn answer(program: &str, first: &Path, arguments: &[impl AsRef<std::ffi::OsStr>]) -> std::io::Result<String> {
    use std::os::windows::process::CommandExt as _;
    /// No console window.
    const CREATE_NO_WINDOW: u32 = 0x0800_0000;
    let system = std::env::var_os("SystemRoot").unwrap_or_else(|| r"C:\Windows".into());
    let output = std::process::Command::new(Path::new(&system).join("System32").join(program).with_extension("exe"))
        .arg(first)
        .args(arguments)
        .creation_flags(CREATE_NO_WINDOW)
        .output()?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    Err(std::io::Error::other(format!("{program} ended with {}", output.status)))
}

#[cfg(test)]
mod tests {
    #![cfg_attr(windows, expect(clippy::unwrap_used, reason = "a failed expectation is the test's failure"))]

    use super::*;

    #[test]
    fn the_profile_is_private_already() {
        let root = if cfg!(windows) { r"C:\" } else { "/" };
        let at = |path: &str| Path::new(root).join(path);
        for (folder, profile, is_inside) in [
            (at("Users/ana/AppData"), Some(at("Users/ana")), true),
            (at("Users/ana"), Some(at("Users/ana")), true),
            (at("Users/ana2"), Some(at("Users/ana")), false),
            (at("desk"), Some(at("Users/ana")), false),
            // A service of the system has no profile, or a whole drive.
            (at("desk"), Some(at("")), false),
            (at("desk"), None, false),
        ] {
            assert_eq!(is_in(&folder, profile.as_deref()), is_inside, "{folder:?} {profile:?}");
        }
    }

    #[test]
    fn a_person_is_named_by_identifier() {
        for (answer, expected) in [
            (
                "\"desktop\\ana\",\"S-1-5-21-1004336348-1177238915-682003330-1001\"\r\n",
                Some("S-1-5-21-1004336348-1177238915-682003330-1001"),
            ),
            ("\"nt-autorität\\system\",\"S-1-5-18\"\r\n", Some("S-1-5-18")),
            ("\"a\"\"b\\c\",\"S-1-5-18\"", Some("S-1-5-18")),
            ("\"desktop\\ana\",\"S-1-5-18:(OI)F\"", None),
            ("\"desktop\\ana\",\"\"", None),
            ("S-1-5-18", None),
            ("", None),
        ] {
            assert_eq!(identifier(answer), expected, "{answer}");
        }
    }

    #[test]
    fn only_the_person_the_system_and_administrators_have_access() {
        let arguments = access("S-1-5-21-1-2-3-1001").join(" ");
        assert_eq!(
            arguments,
            "/inheritance:r /grant:r *S-1-5-21-1-2-3-1001:(OI)(CI)F *S-1-5-18:(OI)(CI)F *S-1-5-32-544:(OI)(CI)F"
        );
    }

    /// The folder is not in the profile, as one that `TEMPLATE_DESK_HOME` names.
    #[cfg(windows)]
    #[test]
    fn a_folder_outside_the_profile_is_restricted_with_its_files() {
        let folder = Path::new(r"C:\").join(format!("template-desk-{}", std::process::id()));
        std::fs::create_dir(&folder).unwrap();
        std::fs::write(folder.join("desk.sqlite"), "").unwrap();
        restrict_folder(&folder).unwrap();
        for path in [folder.clone(), folder.join("desk.sqlite")] {
            let listed = answer("icacls", &path, &[] as &[&str]).unwrap();
            assert!(!listed.contains("Users:") && !listed.contains("Everyone"), "{listed}");
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
