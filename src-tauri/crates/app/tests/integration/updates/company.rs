//! Who publishes versions, and a host that installs them.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use app::ports::{Installer, UpdateFile, UpdateSource};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use command_types::updates::{Installation, UpdateProblem, UpdateSettings};
use ring::signature::{Ed25519KeyPair, KeyPair as _};
use serde_json::{Value, json};

use crate::webhooks::Recorder;

/// Where the announced file is.
pub(super) const FILE: &str = "/desk.bin";
pub(super) const CONTENT: &[u8] = b"the new version";

/// A publisher with a minisign key.
pub(super) struct Company {
    id: [u8; 8],
    key: Ed25519KeyPair,
}

impl Company {
    pub(super) fn new(seed: u8) -> Self {
        Self { id: [seed; 8], key: Ed25519KeyPair::from_seed_unchecked(&[seed; 32]).unwrap() }
    }

    pub(super) fn public_key(&self) -> String {
        let key = [b"Ed", self.id.as_slice(), self.key.public_key().as_ref()].concat();
        STANDARD.encode(format!("untrusted comment: minisign public key\n{}\n", STANDARD.encode(key)))
    }

    /// The signature of a file, with a comment that is signed too.
    pub(super) fn sign(&self, file: &[u8], comment: &str) -> String {
        let signature = self.key.sign(file);
        let of_comment = self.key.sign(&[signature.as_ref(), comment.as_bytes()].concat());
        let signature = STANDARD.encode([b"Ed", self.id.as_slice(), signature.as_ref()].concat());
        let of_comment = STANDARD.encode(of_comment);
        STANDARD.encode(format!("untrusted comment: x\n{signature}\ntrusted comment: {comment}\n{of_comment}\n"))
    }

    /// `latest.json` with a file on `server` for this system.
    pub(super) fn announce(&self, version: &str, server: &Recorder) -> Value {
        let signature = self.sign(CONTENT, &format!("timestamp:1\tfile:desk.bin\tversion:{version}"));
        let file = json!({ "url": format!("{}{FILE}", server.origin()), "signature": signature });
        json!({ "version": version, "notes": "", "platforms": { (system()): file } })
    }

    pub(super) fn settings(&self, server: &Recorder) -> UpdateSettings {
        UpdateSettings { enabled: true, address: server.url.clone(), public_key: self.public_key() }
    }
}

/// How announcements name this system.
pub(super) fn system() -> String {
    format!("{}-{}", std::env::consts::OS, std::env::consts::ARCH)
}

/// Records what it is given to install.
pub(super) struct ScriptedInstaller {
    installation: Installation,
    built_in: Option<UpdateSource>,
    installed: Mutex<Vec<UpdateFile>>,
    /// How the next installations end; then they succeed.
    problems: Mutex<VecDeque<UpdateProblem>>,
}

impl ScriptedInstaller {
    pub(super) fn of(installation: Installation) -> Arc<Self> {
        Arc::new(Self { installation, built_in: None, installed: Mutex::default(), problems: Mutex::default() })
    }

    pub(super) fn built_with(settings: &UpdateSettings) -> Arc<Self> {
        let (address, public_key) = (settings.address.clone(), settings.public_key.clone());
        let built_in = Some(UpdateSource { address, public_key });
        let installation = Installation::WindowsInstaller;
        Arc::new(Self { installation, built_in, installed: Mutex::default(), problems: Mutex::default() })
    }

    pub(super) fn fail_with(&self, problem: UpdateProblem) {
        self.problems.lock().unwrap().push_back(problem);
    }

    pub(super) fn installed(&self) -> Vec<UpdateFile> {
        self.installed.lock().unwrap().clone()
    }
}

impl Installer for ScriptedInstaller {
    fn installation(&self) -> Installation {
        self.installation
    }

    fn built_in_source(&self) -> Option<UpdateSource> {
        self.built_in.clone()
    }

    fn install(&self, file: UpdateFile) -> Result<(), UpdateProblem> {
        self.installed.lock().unwrap().push(file);
        self.problems.lock().unwrap().pop_front().map_or(Ok(()), Err)
    }
}
