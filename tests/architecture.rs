//! Architecture rules that the compiler does not enforce.
//!
//! They are checked against the manifests and the sources, so that a violation fails with the name of its file.

mod modules;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use self::modules::Graph;

/// The allowed dependencies of each crate.
const ALLOWED: [(&str, &[&str]); 14] = [
    ("template-desk", &["app", "command_types", "outgoing", "sandbox", "model"]),
    ("cli", &["app", "delivery_log", "feed", "command_types", "template_files", "outgoing", "sandbox", "model"]),
    ("bench", &["cli", "app", "feed", "command_types", "sandbox", "store", "provider_client", "receiver", "model"]),
    ("app", &["feed", "template_files", "outgoing", "command_types", "store", "provider_client", "receiver", "model"]),
    ("template_files", &["outgoing", "command_types", "provider_client", "model"]),
    ("outgoing", &["command_types", "provider_client", "model"]),
    ("command_types", &["store", "provider_client", "receiver", "model"]),
    ("delivery_log", &["feed", "store", "receiver", "model"]),
    ("feed", &["model"]),
    ("store", &["model"]),
    ("provider_client", &["model"]),
    ("receiver", &["model"]),
    ("sandbox", &["model"]),
    ("model", &[]),
];

/// The additional dependencies of tests.
const ALLOWED_IN_TESTS: [(&str, &[&str]); 1] = [("app", &["sandbox", "delivery_log"])];

/// Crates that only the shell may use: user interface and desktop integration.
const SHELL_ONLY: [&str; 11] =
    ["tauri", "tauri-", "wry", "gtk", "webkit2gtk", "keyring", "keyring-core", "secret-service", "rfd", "ksni", "zbus"];

/// Permitted longer files, each a single table: the response to every command.
const LONG_FILES: [&str; 1] = ["ui/test/fake-host.ts"];
const MAX_LINES: usize = 500;

/// The areas of `app` in order, with the modules below and above them: each may depend only on earlier ones.
const AREAS: [&str; 38] = [
    // Below all areas.
    "page_cursor",
    "recorded_answer",
    "text",
    "date_range",
    "decoding",
    "draft_document",
    "spreadsheet",
    "csv_table",
    "csv_header",
    "csv_import",
    "people_columns",
    "context",
    "imports",
    "contact_names",
    "costs",
    "stored_item",
    "own_numbers",
    "account_notices",
    "opt_outs",
    "sender_limits",
    "send_events",
    "chats",
    "jobs",
    "exit",
    // Areas.
    "workspaces",
    "templates",
    "authoring",
    "messaging",
    "bulk_actions",
    "conversations",
    "webhooks",
    "insights",
    "template_files",
    "data",
    "updates",
    "startup",
    // Above all areas.
    "core",
    "desk_copy",
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

struct Package {
    manifest: PathBuf,
    /// Name and kind (`normal`, `dev` or `build`).
    dependencies: Vec<(String, String)>,
}

fn packages() -> BTreeMap<String, Package> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1"])
        .current_dir(root())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let package = |package: &Value| {
        let dependencies = package["dependencies"].as_array().unwrap().iter();
        let dependencies = dependencies
            .map(|dependency| (text(&dependency["name"]), dependency["kind"].as_str().unwrap_or("normal").to_owned()))
            .collect();
        (text(&package["name"]), Package { manifest: text(&package["manifest_path"]).into(), dependencies })
    };
    metadata["packages"].as_array().unwrap().iter().map(package).collect()
}

fn allowed(table: &[(&str, &'static [&'static str])], name: &str) -> &'static [&'static str] {
    table.iter().find(|(package, _)| *package == name).map_or(&[], |(_, allowed)| allowed)
}

#[test]
fn crates_depend_only_on_lower_crates() {
    let packages = packages();
    let expected: Vec<_> = ALLOWED.iter().map(|(name, _)| *name).collect();
    for name in packages.keys() {
        assert!(
            expected.contains(&name.as_str()),
            "{name} is a new crate: list in tests/architecture.rs what it may depend on"
        );
    }
    assert_eq!(packages.len(), expected.len(), "a crate is gone: {:?}", packages.keys());
    for (name, package) in &packages {
        for (dependency, kind) in &package.dependencies {
            if !packages.contains_key(dependency) {
                continue;
            }
            let in_tests = kind == "dev" && allowed(&ALLOWED_IN_TESTS, name).contains(&dependency.as_str());
            let fine = in_tests || allowed(&ALLOWED, name).contains(&dependency.as_str());
            assert!(fine, "{name} must not depend on {dependency} ({kind}): {}", package.manifest.display());
        }
    }
}

#[test]
fn areas_depend_only_on_earlier_areas() {
    let app = Graph::of(&root().join("src-tauri/crates/app/src"));
    let place = |area: &str| {
        let place = AREAS.iter().position(|known| *known == area);
        place.unwrap_or_else(|| panic!("{area} is a new area: give it its place in tests/architecture.rs"))
    };
    for (area, targets) in app.siblings(&[]) {
        for (target, causes) in targets {
            assert!(place(&target) < place(&area), "{area} must not depend on {target}: {causes:?}");
        }
    }
    for area in AREAS {
        assert!(app.modules.contains(&vec![area.to_owned()]), "the area {area} is gone");
    }
}

#[test]
fn only_the_core_file_implements_core() {
    let core = root().join("src-tauri/crates/app/src/core.rs");
    for path in sources().into_iter().filter(|path| path.extension().is_some_and(|kind| kind == "rs") && *path != core)
    {
        let extends = modules::without_tests(&fs::read_to_string(&path).unwrap()).contains("impl Core ");
        assert!(!extends, "{} extends Core: give the method to the area that owns its state", relative(&path));
    }
}

#[test]
fn modules_have_no_cycles() {
    let crates = packages().into_values().map(|package| package.manifest.parent().unwrap().join("src"));
    for source in crates.chain([root().join("src-tauri/src")]).filter(|source| source.is_dir()) {
        let cycles = Graph::of(&source).cycles();
        assert!(cycles.is_empty(), "{}: {cycles:#?}", relative(&source));
    }
    let ui = root().join("ui/src");
    let files: Vec<_> = sources().into_iter().filter(|path| path.starts_with(&ui)).collect();
    let cycles = modules::import_cycles(&ui, &files);
    assert!(cycles.is_empty(), "ui: {cycles:#?}");
}

#[test]
fn only_the_shell_uses_desktop_libraries() {
    for (name, package) in packages() {
        if name == "template-desk" {
            continue;
        }
        for (dependency, _) in &package.dependencies {
            let shell_only = SHELL_ONLY
                .iter()
                .any(|word| dependency == word || (word.ends_with('-') && dependency.starts_with(word)));
            assert!(!shell_only, "{name} must not know {dependency}: it belongs to src-tauri/src alone");
        }
    }
}

#[test]
fn every_crate_has_the_workspace_lints() {
    for (name, package) in packages() {
        let manifest = fs::read_to_string(&package.manifest).unwrap();
        assert!(manifest.contains("[lints]\nworkspace = true"), "{name} does not take the workspace's lints");
    }
}

#[test]
fn files_have_at_most_500_lines() {
    let sources = sources();
    let long: Vec<_> = sources
        .iter()
        .map(|path| (relative(path), fs::read_to_string(path).unwrap().lines().count()))
        .filter(|(path, lines)| *lines > MAX_LINES && !LONG_FILES.contains(&path.as_str()))
        .collect();
    assert!(long.is_empty(), "split these, or list them with a reason: {long:?}");
    for listed in LONG_FILES {
        assert!(sources.iter().any(|path| relative(path) == listed), "{listed} is listed as long and is gone");
    }
}

#[test]
fn rust_files_begin_with_their_purpose() {
    for path in sources().into_iter().filter(|path| path.extension().is_some_and(|kind| kind == "rs")) {
        let begins = fs::read_to_string(&path).unwrap().starts_with("//! ");
        assert!(begins, "{} does not begin with a `//!` comment that says what it is for", relative(&path));
    }
}

#[test]
fn only_the_ipc_folder_imports_tauri() {
    for path in sources().into_iter().filter(|path| is_ui(path)) {
        let name = relative(&path);
        let reaches = fs::read_to_string(&path).unwrap().contains("@tauri-apps/");
        assert!(!reaches || name.starts_with("ui/src/lib/ipc/"), "{name} reaches the host past ui/src/lib/ipc");
    }
}

#[test]
fn features_import_no_other_feature_and_no_barrel() {
    for path in sources().into_iter().filter(|path| is_ui(path)) {
        let name = relative(&path);
        let barrel = path.file_stem().is_some_and(|stem| stem == "index") && name.starts_with("ui/src/");
        assert!(!barrel, "{name} is a barrel file: import from the file itself");
        let Some(own) = name.strip_prefix("ui/src/features/").and_then(|rest| rest.split('/').next()) else { continue };
        for line in fs::read_to_string(&path).unwrap().lines() {
            for (at, _) in line.match_indices("features/") {
                let other = line[at + "features/".len()..].split(['/', '"', '\'']).next().unwrap_or_default();
                let imports = line.contains("import") || line.contains("from ");
                assert!(!imports || other == own, "{name} imports from the feature {other}: {line}");
            }
        }
    }
}

fn is_ui(path: &Path) -> bool {
    path.starts_with(root().join("ui"))
}

fn relative(path: &Path) -> String {
    path.strip_prefix(root()).unwrap().to_string_lossy().replace('\\', "/")
}

/// Every hand-written source file.
fn sources() -> Vec<PathBuf> {
    let mut found = Vec::new();
    for folder in ["src-tauri", "tests", "ui/src", "ui/test"] {
        collect(&root().join(folder), &mut found);
    }
    assert!(found.len() > 50, "the sources are not where they are looked for");
    found
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries {
        let path = entry.unwrap().path();
        if path.is_dir() {
            let skipped = ["node_modules", "target", "gen", "bindings", "dist"];
            if !path.file_name().is_some_and(|name| skipped.iter().any(|skip| name == *skip)) {
                collect(&path, found);
            }
        } else if path.extension().is_some_and(|kind| ["rs", "ts", "tsx", "css"].iter().any(|known| kind == *known)) {
            found.push(path);
        }
    }
}
