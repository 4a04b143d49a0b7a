//! Security configuration of the window and the build: exact policies, capabilities, permissions, features and lock
//! files. A change here must be deliberate, because it has to be made in two files.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn json_of(file: &str) -> Value {
    serde_json::from_str(&fs::read_to_string(root().join(file)).unwrap()).unwrap()
}

fn names_in(folder: &str) -> Vec<String> {
    let entries = fs::read_dir(root().join(folder)).unwrap();
    let mut names: Vec<_> =
        entries.map(|entry| entry.unwrap().file_name().to_str().expect("a name in UTF-8").to_owned()).collect();
    names.sort();
    names
}

#[test]
fn the_window_has_exactly_this_policy() {
    let app = &json_of("tauri.conf.json")["app"];
    // The app opens its only window itself, with handlers that block navigation to other pages.
    assert_eq!(app["windows"], json!([]));
    assert_eq!(
        app["security"],
        json!({
            "csp": {
                "default-src": "'none'",
                "script-src": "'self'",
                // The digest of the only framework style without a nonce: it hides the isolation frame.
                "style-src": "'self' 'sha256-YEercZJImS+vUX2bz7vkQ0aA4rtBIPLuCEWz+yraQ/g='",
                "img-src": "'self' data:",
                "media-src": "blob:",
                "font-src": "'self'",
                "connect-src": "ipc: http://ipc.localhost",
                "worker-src": "'none'",
                "object-src": "'none'",
                "manifest-src": "'none'",
                "base-uri": "'none'",
                "form-action": "'none'",
                "frame-ancestors": "'none'"
            },
            "freezePrototype": true,
            "pattern": { "use": "isolation", "options": { "dir": "src-tauri/isolation" } },
            "capabilities": ["main"]
        })
    );
    assert_eq!(app.as_object().unwrap().keys().collect::<Vec<_>>(), ["windows", "security"]);
    // The files of the platforms are merged over it.
    for platform in ["linux", "windows", "macos"] {
        let overrides = json_of(&format!("tauri.{platform}.conf.json"));
        for key in overrides.as_object().unwrap().keys() {
            assert!(["$schema", "productName", "bundle"].contains(&key.as_str()), "{platform} overrides {key}");
        }
    }
}

#[test]
fn the_page_may_call_only_the_commands_of_the_app() {
    assert_eq!(names_in("src-tauri/capabilities"), ["main.json"]);
    let mut capability = json_of("src-tauri/capabilities/main.json");
    capability.as_object_mut().unwrap().remove("description");
    assert_eq!(capability, json!({"identifier": "main", "windows": ["main"], "permissions": ["commands"]}));
    // A test in `src/ipc.rs` compares its list with the list of commands.
    assert_eq!(names_in("src-tauri/permissions"), ["commands.toml"]);
    let permissions = fs::read_to_string(root().join("src-tauri/permissions/commands.toml")).unwrap();
    assert_eq!(permissions.matches("[[permission]]").count(), 1);
    assert!(!permissions.contains("scope"), "a command has no scope");
    assert_eq!(names_in("src-tauri/isolation"), ["index.html", "index.js"]);
}

/// Metadata of every package for this platform, with the enabled features.
fn metadata() -> Value {
    let host = Command::new("rustc").arg("-vV").output().unwrap();
    let host = String::from_utf8(host.stdout).unwrap();
    let host = host.lines().find_map(|line| line.strip_prefix("host: ")).expect("rustc names its host");
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--locked", "--offline", "--format-version", "1", "--filter-platform", host])
        .args(["--features", "template-desk/custom-protocol"])
        .current_dir(root())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn a_release_has_no_inspector_and_no_remote_access() {
    let metadata = metadata();
    let nodes = metadata["resolve"]["nodes"].as_array().unwrap();
    let features_of = |name: &str| -> Vec<&str> {
        let packages = metadata["packages"].as_array().unwrap();
        let package = packages.iter().find(|package| package["name"] == name).expect(name);
        let node = nodes.iter().find(|node| node["id"] == package["id"]).expect(name);
        node["features"].as_array().unwrap().iter().map(|feature| feature.as_str().unwrap()).collect()
    };
    for package in ["tauri", "tauri-runtime", "tauri-runtime-wry", "wry"] {
        let features = features_of(package);
        for feature in ["devtools", "protocol-asset", "unstable", "macos-private-api", "native-tls", "rustls-tls"] {
            assert!(!features.contains(&feature), "{package} has {feature}: {features:?}");
        }
    }
    assert!(features_of("tauri").contains(&"isolation"));
    let plugins: Vec<_> = metadata["packages"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|package| package["name"].as_str().filter(|name| name.starts_with("tauri-plugin-")))
        .collect();
    // A plugin brings commands of its own, which the page may not call.
    assert_eq!(plugins, ["tauri-plugin-single-instance", "tauri-plugin-updater"]);
}

#[test]
fn every_build_uses_the_locked_versions() {
    for file in ["Makefile", ".cargo/config.toml", ".ci/run", "tests/fuzz/run.sh", "README.md", "packaging/build.sh"] {
        for line in fs::read_to_string(root().join(file)).unwrap().lines() {
            let builds = ["build", "run", "test", "clippy", "check", "bench", "doc"];
            let cargo = builds.iter().any(|verb| line.contains(&format!("cargo {verb} ")))
                || (file.starts_with(".cargo") && line.contains("= \"run "));
            assert!(!cargo || line.contains("--locked"), "{file}: {line}");
            assert!(!line.contains("npm install") && !line.contains("npm i "), "{file}: {line}");
        }
    }
}

/// Platforms whose packages can't be inspected here.
const UNSEEN: [&str; 6] = ["android", "darwin", "freebsd", "openharmony", "win32", "netbsd"];

#[test]
fn the_lock_file_of_the_ui_names_the_source_of_each_package() {
    let lock = json_of("ui/package-lock.json");
    let packages = lock["packages"].as_object().unwrap();
    assert!(packages.len() > 100, "the lock file is not what it was");
    for (place, package) in packages.iter().filter(|(place, _)| !place.is_empty()) {
        let name = place.rsplit_once("node_modules/").expect(place).1;
        let version = package["version"].as_str().expect(place);
        let file = name.rsplit('/').next().unwrap_or_default();
        let expected = format!("https://registry.npmjs.org/{name}/-/{file}-{version}.tgz");
        assert_eq!(package["resolved"], expected, "{place}");
        let any = |key: &str, words: &[&str]| {
            let values = package[key].as_array().into_iter().flatten().filter_map(Value::as_str).collect::<Vec<_>>();
            values.iter().any(|word| words.contains(word))
        };
        // Binaries of development tools for other platforms, which are never installed here.
        let unseen = package["optional"] == true
            && package["dev"] == true
            && (any("os", &UNSEEN) || any("libc", &["musl"]) || any("cpu", &["arm", "ppc64", "riscv64", "s390x"]));
        let sealed = package["integrity"].as_str().is_some_and(|digest| digest.starts_with("sha512-"));
        assert!(sealed || unseen, "{place} has no integrity");
    }
}
