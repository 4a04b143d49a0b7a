//! The bundle for macOS, as far as it can be checked without a Mac: what is added to its property list, its icon, its
//! disk image and its signature.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use plist::{Dictionary, Value};
use regex::Regex;

const PROPERTIES: &str = "packaging/macos/Info.plist";
/// Side of an icon in the window of the disk image, with the name below it. Positions are those of the centre.
const ICON: u64 = 128;
const NAME: u64 = 32;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn text_of(file: impl AsRef<Path>) -> String {
    fs::read_to_string(root().join(file)).unwrap()
}

fn config(file: &str) -> serde_json::Value {
    serde_json::from_str(&text_of(file)).unwrap()
}

fn bundle() -> serde_json::Value {
    config("tauri.macos.conf.json")["bundle"].clone()
}

fn properties() -> Dictionary {
    Value::from_file(root().join(PROPERTIES)).unwrap().into_dictionary().unwrap()
}

fn texts(value: &Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(|text| text.as_string().unwrap()).collect()
}

#[test]
fn links_are_registered_for_the_same_scheme_on_every_system() {
    let scheme = "template-desk";
    let properties = properties();
    let types = properties["CFBundleURLTypes"].as_array().unwrap();
    let [registered] = types.as_slice() else { panic!("one kind of links: {types:?}") };
    let registered = registered.as_dictionary().unwrap();
    assert_eq!(texts(&registered["CFBundleURLSchemes"]), [scheme]);
    let identifier = config("tauri.conf.json")["identifier"].clone();
    assert_eq!(registered["CFBundleURLName"].as_string(), identifier.as_str());
    assert!(text_of("packaging/linux/template-desk.desktop").contains(&format!("x-scheme-handler/{scheme};")));
    assert!(text_of("packaging/windows/installer.nsi").contains(&format!(r"Software\Classes\{scheme}")));
    assert!(text_of("src-tauri/src/deep_link.rs").contains(&format!("SCHEME: &str = \"{scheme}:\"")));
}

#[test]
fn the_property_list_is_part_of_the_bundle_and_repeats_nothing_that_the_bundler_writes() {
    assert_eq!(bundle()["macOS"]["infoPlist"], PROPERTIES);
    assert!(!root().join("Info.plist").exists(), "the bundler would read this one too");
    let properties = properties();
    for written in ["CFBundleIdentifier", "CFBundleName", "CFBundleVersion", "LSMinimumSystemVersion"] {
        assert!(!properties.contains_key(written), "{written}");
    }
    assert_eq!(config("tauri.conf.json")["bundle"]["category"], "Business");
}

#[test]
fn macos_asks_for_access_in_every_language_of_the_app() {
    let properties = properties();
    let languages: BTreeSet<String> = fs::read_dir(root().join("ui/src/locales"))
        .unwrap()
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.file_type().unwrap().is_dir())
        .map(|entry| entry.file_name().into_string().unwrap())
        .collect();
    let localized: BTreeSet<String> =
        texts(&properties["CFBundleLocalizations"]).into_iter().map(str::to_owned).collect();
    assert_eq!(localized, languages);
    assert_eq!(properties["CFBundleDevelopmentRegion"].as_string(), Some("en"));

    let asked: BTreeSet<&str> =
        properties.keys().map(String::as_str).filter(|key| key.ends_with("UsageDescription")).collect();
    assert!(asked.contains("NSDocumentsFolderUsageDescription"), "{asked:?}");
    let line = Regex::new(r#"^"(\w+)" = "([^"\\]+)";$"#).unwrap();
    let mut packed = BTreeSet::new();
    for language in languages.iter().filter(|language| *language != "en") {
        let file = format!("packaging/macos/{language}.lproj/InfoPlist.strings");
        let content = text_of(&file);
        let translated: BTreeSet<&str> = content
            .lines()
            .map(|text| {
                let found = line.captures(text).unwrap_or_else(|| panic!("{file}: {text}"));
                let key = found.get(1).unwrap().as_str();
                assert_ne!(properties[key].as_string(), Some(&found[2]), "{file}: {key} is not translated");
                key
            })
            .collect();
        assert_eq!(translated, asked, "{file}");
        packed.insert((format!("Resources/{language}.lproj/InfoPlist.strings"), file));
    }
    let files: BTreeSet<(String, String)> =
        serde_json::from_value::<std::collections::BTreeMap<_, _>>(bundle()["macOS"]["files"].clone())
            .unwrap()
            .into_iter()
            .collect();
    assert_eq!(files, packed);
}

/// The page is built for the engine of Safari 18, which macOS has had since version 15.
#[test]
fn the_minimum_system_has_the_engine_that_the_page_is_built_for() {
    assert!(text_of("ui/vite.config.ts").contains(r#"target: "safari18""#));
    assert_eq!(bundle()["macOS"]["minimumSystemVersion"], "15.0");
}

/// The app is not sandboxed: it reads template files and data folders wherever people keep them. The hardened runtime
/// needs no exception, because the page runs in processes of the system.
#[test]
fn the_bundle_has_the_hardened_runtime_and_no_entitlements() {
    let macos = &bundle()["macOS"];
    assert_eq!(macos["hardenedRuntime"], true);
    assert!(macos.get("entitlements").is_none());
    // An ad-hoc signature, which macOS needs to show notifications. APPLE_SIGNING_IDENTITY replaces it.
    assert_eq!(macos["signingIdentity"], "-");
}

/// Types of the parts of an icon, and the pixels of their sides.
const ICON_PARTS: [(&[u8; 4], u32); 10] = [
    (b"is32", 16),
    (b"il32", 32),
    (b"ic11", 32),
    (b"ic12", 64),
    (b"ic07", 128),
    (b"ic13", 256),
    (b"ic08", 256),
    (b"ic14", 512),
    (b"ic09", 512),
    (b"ic10", 1024),
];

#[test]
fn the_icon_has_every_size_once_and_twice_as_dense() {
    let path: PathBuf = root().join("icons/icon.icns");
    let bytes = fs::read(&path).unwrap();
    let number = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
    assert_eq!(&bytes[..4], b"icns");
    assert_eq!(number(4) as usize, bytes.len());
    let mut sizes = std::collections::BTreeMap::new();
    let mut at = 8;
    while at < bytes.len() {
        let (kind, end) = (&bytes[at..at + 4], at + number(at + 4) as usize);
        let content = &bytes[at + 8..end];
        let side = content.starts_with(b"\x89PNG").then(|| image::load_from_memory(content).unwrap().width());
        sizes.insert(kind.to_vec(), side);
        at = end;
    }
    for (kind, side) in ICON_PARTS {
        let name = String::from_utf8_lossy(kind);
        let found = sizes.get(kind.as_slice()).unwrap_or_else(|| panic!("{name} is missing"));
        // The two smallest are not PNG files.
        assert_eq!(found.unwrap_or(side), side, "{name}");
    }
}

#[test]
fn the_disk_image_shows_both_icons_beside_each_other_in_its_window() {
    let image = &bundle()["macOS"]["dmg"];
    let number = |of: &str, name: &str| image[of][name].as_u64().unwrap();
    let (width, height) = (number("windowSize", "width"), number("windowSize", "height"));
    let places = ["appPosition", "applicationFolderPosition"].map(|icon| (number(icon, "x"), number(icon, "y")));
    for (x, y) in places {
        assert!(x >= ICON / 2 && x + ICON / 2 <= width && y >= ICON / 2 && y + ICON / 2 + NAME <= height, "{x} {y}");
    }
    let [(app, row), (folder, same_row)] = places;
    assert!(app + ICON < folder && row == same_row, "{places:?}");
}
