//! Licences of the dependencies: each comes from the registry under a licence that permits redistribution of the app.
//!
//! The lock files are read directly. Known vulnerabilities need a database from the network and are not checked here:
//! `cargo audit` does that.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// Permissive licences, and the Mozilla Public License, whose terms apply only to its own files.
const ALLOWED: [&str; 15] = [
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "CDLA-Permissive-2.0",
    "ISC",
    "MIT",
    "MPL-2.0",
    // The engine of the fuzz targets, which is not in any package.
    "NCSA",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];
const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// Whether an SPDX expression can be satisfied with the allowed licences. `AND` binds closer than `OR`; `/` is an older
/// form of `OR`.
fn is_met(expression: &str) -> bool {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut rest = words.as_slice();
    let met = any(&mut rest);
    met && rest.is_empty()
}

fn any(words: &mut &[&str]) -> bool {
    let mut met = all(words);
    while let ["OR", rest @ ..] = *words {
        *words = rest;
        met |= all(words);
    }
    met
}

fn all(words: &mut &[&str]) -> bool {
    let mut met = one(words);
    while let ["AND", rest @ ..] = *words {
        *words = rest;
        met &= one(words);
    }
    met
}

fn one(words: &mut &[&str]) -> bool {
    match *words {
        ["(", rest @ ..] => {
            *words = rest;
            let met = any(words);
            match *words {
                [")", rest @ ..] => {
                    *words = rest;
                    met
                }
                _ => false,
            }
        }
        [licence, "WITH", exception, rest @ ..] => {
            *words = rest;
            ALLOWED.contains(&format!("{licence} WITH {exception}").as_str())
        }
        [licence, rest @ ..] => {
            *words = rest;
            ALLOWED.contains(licence)
        }
        [] => false,
    }
}

/// The workspaces, each with a lock file.
fn workspaces() -> [PathBuf; 2] {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    [root.to_owned(), root.join("tests/fuzz")]
}

/// Every package of the lock file, or those of this platform if the others were never fetched. `None` if those were not
/// fetched either, as for the fuzz targets before their first run.
fn packages(workspace: &Path) -> Option<Vec<Value>> {
    let version = Command::new("rustc").arg("-vV").output().unwrap();
    let version = String::from_utf8_lossy(&version.stdout).into_owned();
    let platform = version.lines().find_map(|line| line.strip_prefix("host: ")).expect("rustc knows its platform");
    let listed = |filter: &[&str]| {
        let output = Command::new(env!("CARGO"))
            .args(["metadata", "--locked", "--offline", "--format-version", "1"])
            .args(filter)
            .current_dir(workspace)
            .output()
            .unwrap();
        let metadata: Value = serde_json::from_slice(&output.stdout).ok()?;
        metadata["packages"].as_array().cloned()
    };
    listed(&[]).or_else(|| listed(&["--filter-platform", platform]))
}

#[test]
fn every_dependency_has_an_allowed_licence() {
    let [root, fuzz] = workspaces();
    let packages = packages(&root)
        .expect("what the tests are built from is there")
        .into_iter()
        .chain(packages(&fuzz).unwrap_or_default());
    let mut count = 0;
    for package in packages {
        let name = format!("{} {}", package["name"], package["version"]);
        count += 1;
        let licence = package["license"].as_str();
        assert!(
            licence.is_some_and(is_met),
            "{name} is under {licence:?}: replace it, or list the licence if it allows it"
        );
        let source = package["source"].as_str();
        assert!(source.is_none_or(|source| source == REGISTRY), "{name} comes from {source:?}, which may change or go");
    }
    assert!(count > 300, "only {count} packages were looked at");
}

#[test]
fn licence_expressions_are_evaluated() {
    for (expression, met) in [
        ("MIT", true),
        ("GPL-3.0-only", false),
        ("MIT OR GPL-3.0-only", true),
        ("MIT AND GPL-3.0-only", false),
        ("MIT/Apache-2.0", true),
        ("Apache-2.0 / MIT", true),
        ("(MIT OR GPL-3.0-only) AND Unicode-3.0", true),
        ("MIT OR Apache-2.0 AND GPL-3.0-only", true),
        ("(MIT OR Apache-2.0) AND GPL-3.0-only", false),
        ("Apache-2.0 WITH LLVM-exception OR GPL-2.0-only", true),
        ("GPL-2.0-only WITH LLVM-exception", false),
        ("", false),
        ("(MIT", false),
        ("MIT MIT", false),
    ] {
        assert_eq!(is_met(expression), met, "{expression}");
    }
}
