//! A provider for `tdesk`: the sandbox in this process, and template files in folders.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::time::Duration;

use sandbox::{Options, Profile, ReviewPolicy, Sandbox, Seed};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::time::timeout;

use crate::receiving::{TIMEOUT, client, stderr, tdesk};

pub(crate) const TOKEN: &str = "tok-canary-88b1e2";
pub(crate) const WORKSPACE: &str = "3f1a5c52-0a52-4f6e-9d3e-0c1f8f2b7a10";
pub(crate) const WABA: &str = "102290129340398";

/// All provider profiles.
pub(crate) const PROFILES: [Profile; 2] = [Profile::Whatsapp, Profile::Minimal];

/// A sandbox in this process, as provider for `tdesk`.
pub(crate) struct Provider {
    pub(crate) url: String,
    pub(crate) sandbox: Sandbox,
}

impl Provider {
    pub(crate) async fn start(seed: bool) -> Self {
        Self::start_as(Profile::Whatsapp, seed).await
    }

    pub(crate) async fn start_as(profile: Profile, seed: bool) -> Self {
        let options = Options {
            profile,
            seed: seed.then_some(Seed::Samples),
            review: ReviewPolicy::Approve,
            review_delay: Duration::ZERO,
            status_delay: Duration::ZERO,
            ..Options::new(TOKEN.into(), WORKSPACE)
        };
        let sandbox = Sandbox::open(options).unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let serving = sandbox.clone();
        tokio::spawn(async move { serving.serve(listener, std::future::pending()).await.unwrap() });
        Self { url, sandbox }
    }

    /// Runs a subcommand with the connection options of the provider.
    pub(crate) async fn run(&self, subcommand: &str, arguments: &[&str]) -> Output {
        run(&self.url, subcommand, arguments).await
    }

    pub(crate) async fn pull(&self, folder: &Path) -> Output {
        self.run("pull", &[folder.to_str().unwrap()]).await
    }

    pub(crate) async fn push(&self, arguments: &[&str]) -> Output {
        self.run("push", arguments).await
    }

    /// The templates as the provider lists them.
    pub(crate) async fn listed(&self) -> Vec<Value> {
        self.get("/messaging/provider/workspace-templates").await["data"].as_array().unwrap().clone()
    }

    /// The provider's response, requested without `tdesk`.
    pub(crate) async fn get(&self, path: &str) -> Value {
        let client = client().get(format!("{}{path}", self.url));
        client.bearer_auth(TOKEN).header("x-workspace-uuid", WORKSPACE).send().await.unwrap().json().await.unwrap()
    }

    /// Posts to the provider without `tdesk`.
    pub(crate) async fn post(&self, path: &str, body: &Value) {
        let client = client().post(format!("{}{path}", self.url)).json(body);
        let answer = client.bearer_auth(TOKEN).header("x-workspace-uuid", WORKSPACE).send().await.unwrap();
        assert!(answer.status().is_success(), "{}", answer.text().await.unwrap());
    }

    /// Waits until every template is reviewed, because the channel refuses edits before.
    pub(crate) async fn reviewed(&self) {
        let done = async {
            while self.listed().await.iter().any(|template| template["status"] == "PENDING") {
                crate::receiving::next_poll().await;
            }
        };
        timeout(TIMEOUT, done).await.expect("reviews end in time");
    }
}

/// Runs a subcommand with the connection options of a provider.
pub(crate) async fn run(url: &str, subcommand: &str, arguments: &[&str]) -> Output {
    let mut whole = vec![subcommand, "--base-url", url, "--workspace", WORKSPACE, "--token-env", "TOKEN"];
    // Samples and media of a test are served by this machine.
    whole.push("--allow-loopback-media");
    whole.extend(arguments);
    let output =
        timeout(TIMEOUT, tdesk(&whole).env("TOKEN", TOKEN).output()).await.expect("tdesk ends in time").unwrap();
    assert!(!stdout(&output).contains(TOKEN) && !stderr(&output).contains(TOKEN), "the token is shown: {output:?}");
    output
}

pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

pub(crate) fn ok(output: Output) -> String {
    assert_eq!(output.status.code(), Some(0), "{} {}", stdout(&output), stderr(&output));
    stdout(&output)
}

pub(crate) fn lines(output: &Output) -> Vec<Value> {
    stdout(output).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

pub(crate) fn template(name: &str, text: &str) -> Value {
    json!({
        "name": name, "language": "en_US", "category": "utility",
        "components": [{"type": "BODY", "text": text}]
    })
}

pub(crate) fn write(folder: &TempDir, name: &str, content: &Value) -> PathBuf {
    let path = folder.path().join(name);
    std::fs::write(&path, content.to_string()).unwrap();
    path
}

/// Every file of a folder with its bytes, except the list of approved files.
pub(crate) fn bytes(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| !path.ends_with(".tdesk-approved"))
        .map(|path| (path.file_name().unwrap().to_str().unwrap().to_owned(), std::fs::read(path).unwrap()))
        .collect()
}

/// The template files of a folder.
pub(crate) fn contents(folder: &Path) -> Vec<(String, String)> {
    let json = bytes(folder).into_iter().filter(|(name, _)| name.ends_with(".json"));
    json.map(|(name, bytes)| (name, String::from_utf8(bytes).unwrap())).collect()
}

/// A picture of one pixel.
pub(crate) fn png() -> Vec<u8> {
    const PIXEL: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89\0\0\0\rIDATx\xdac\xfc\xcf\xc0P\x0f\0\x04\x85\x01\x80\x84\xa9\x8c!\0\0\0\0IEND\xaeB`\x82";
    PIXEL.to_vec()
}
