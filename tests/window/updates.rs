//! A newer version replaces the app, which is an AppImage here: a file that `$APPIMAGE` names.

use std::collections::HashMap;
use std::fs::Permissions;
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ring::signature::{Ed25519KeyPair, KeyPair as _};
use serde_json::json;

use super::desktop::{Desktop, Keyring};
use super::x_windows::wait_until;

/// A small program in place of the new version: it prints its environment.
const NEW_VERSION: &str = "/usr/bin/env";
const VERSION: &str = "99.0.0";

/// Files by their paths, on a server.
#[derive(Clone, Default)]
struct Files(Arc<Mutex<HashMap<String, Vec<u8>>>>);

impl Files {
    /// Starts the server, and returns its address.
    fn serve(&self) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let files = self.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let mut request = [0; 4096];
                let length = stream.read(&mut request).unwrap_or_default();
                let request = String::from_utf8_lossy(&request[..length]).into_owned();
                let path = request.split_whitespace().nth(1).unwrap_or_default();
                let file = files.0.lock().unwrap().get(path).cloned().unwrap_or_default();
                let head = format!("HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: {}\r\n\r\n", file.len());
                let _closed = stream.write_all(&[head.as_bytes(), &file].concat());
            }
        });
        address
    }

    fn put(&self, path: &str, content: impl Into<Vec<u8>>) {
        self.0.lock().unwrap().insert(path.to_owned(), content.into());
    }
}

/// The public key of a new publisher, and its signature of a file, as minisign writes them.
fn sign(file: &[u8]) -> (String, String) {
    let (id, key) = ([7; 8], Ed25519KeyPair::from_seed_unchecked(&[7; 32]).unwrap());
    let encode = |bytes: &[u8]| STANDARD.encode([b"Ed", id.as_slice(), bytes].concat());
    let public_key = format!("untrusted comment: x\n{}\n", encode(key.public_key().as_ref()));
    let comment = format!("timestamp:1\tfile:desk.AppImage\tversion:{VERSION}");
    let signature = key.sign(file);
    let of_comment = STANDARD.encode(key.sign(&[signature.as_ref(), comment.as_bytes()].concat()));
    let signature = encode(signature.as_ref());
    let signature = format!("untrusted comment: x\n{signature}\ntrusted comment: {comment}\n{of_comment}\n");
    (STANDARD.encode(public_key), STANDARD.encode(signature))
}

/// The bytes of the desk's databases.
fn stored(folder: &Path) -> Vec<u8> {
    let files = ["desk.sqlite", "desk.sqlite-wal"].map(|name| std::fs::read(folder.join(name)).unwrap_or_default());
    files.concat()
}

#[tokio::test]
async fn a_signed_version_replaces_the_app_after_its_orderly_end_and_a_changed_one_does_not() {
    let files = Files::default();
    let address = files.serve();
    let new_version = std::fs::read(NEW_VERSION).unwrap();
    let (public_key, signature) = sign(&new_version);
    let platform = format!("linux-{}", std::env::consts::ARCH);
    let file = json!({ "url": format!("{address}/desk.AppImage"), "signature": signature });
    let latest = json!({ "version": VERSION, "notes": "Faster lists.", "platforms": { platform: file } });
    files.put("/latest.json", latest.to_string());
    // Its signature names the version, and is not of these bytes.
    files.put("/desk.AppImage", [new_version.as_slice(), b"x"].concat());

    let mut desktop = Desktop::start("updates", Keyring::Absent);
    let app_image: PathBuf = desktop.be_app_image("desk.AppImage");
    std::fs::write(&app_image, "the old version").unwrap();
    std::fs::set_permissions(&app_image, Permissions::from_mode(0o755)).unwrap();
    let page = desktop.open_app().await;
    page.click("button", "New template").await;
    page.click("button", "Start empty").await;
    page.fill("textbox", "Body text", "Typed just before the update.").await;
    page.click("link", "Settings").await;
    page.click("tab", "Updates").await;
    page.fill("textbox", "Address", &format!("{address}/latest.json")).await;
    page.fill("textbox", "Public key", &public_key).await;
    page.click("switch", "Check once a day").await;
    page.click("button", "Save").await;
    page.wait_for_text("Version 99.0.0 is available").await;
    page.wait_for_text("Faster lists.").await;
    page.check_accessibility("an update").await;
    page.screenshot("available").await;

    page.click("button", "Install and restart").await;
    page.wait_for_text("The new version was not installed").await;
    page.wait_for_text("The signature does not match the key or the version").await;
    page.screenshot("refused").await;
    assert_eq!(std::fs::read(&app_image).unwrap(), b"the old version");
    assert!(!desktop.logs().contains("APPIMAGE="), "what is not signed was started");

    files.put("/desk.AppImage", new_version.as_slice());
    page.click("button", "Install and restart").await;
    wait_until("the new version runs", || desktop.logs().contains("APPIMAGE=")).await;
    assert_eq!(std::fs::read(&app_image).unwrap(), new_version);
    let journal = std::fs::read_to_string(desktop.data_folder().join("logbook.json")).unwrap();
    assert!(journal.contains("\"running\": false"), "it was closed in order before: {journal}");
    let stored = stored(&desktop.data_folder());
    assert!(memchr::memmem::find(&stored, b"Typed just before the update.").is_some(), "the draft is lost");
}
