//! The preloaded disk and clock of `tests/faults/lostsync.c`: built once, controlled through a mapped file.

use std::fs::File;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use tempfile::TempDir;

/// The calls that can be made to fail.
#[derive(Clone, Copy, Debug)]
pub(super) enum Call {
    Sync,
    Write,
    Open,
    Rename,
}

/// The disk of one data folder: its faults, and the content after a power failure.
#[derive(Debug)]
pub(super) struct Disk {
    folder: PathBuf,
    temp: TempDir,
    control: File,
    /// 0 to 100: probability that an unsynced write survives a power failure.
    pub(super) tear: u32,
    pub(super) seed: u64,
    /// Whether it tracks the content after a power failure.
    shadowed: bool,
}

const STALLED: u64 = 1;
const FULL: u64 = 2;
const PROBABILITY: u64 = 3;
const FAILED: u64 = 7;
const WORDS: u64 = 12;

impl Disk {
    /// A disk for `folder`, with the current content durable.
    pub(super) fn new(folder: &Path, shadowed: bool) -> Self {
        let temp = TempDir::new().unwrap();
        let control =
            File::options().create(true).read(true).write(true).truncate(true).open(temp.path().join("control"));
        let control = control.unwrap();
        control.set_len(WORDS * 8).unwrap();
        std::fs::create_dir(temp.path().join("shadow")).unwrap();
        let disk = Self { folder: folder.to_owned(), temp, control, tear: 0, seed: 1, shadowed };
        if shadowed {
            copy_files(folder, &disk.shadow());
        }
        disk
    }

    fn shadow(&self) -> PathBuf {
        self.temp.path().join("shadow")
    }

    /// The environment of a process on this disk.
    pub(super) fn environment(&self) -> Vec<(&'static str, String)> {
        let text = |path: &Path| path.to_str().unwrap().to_owned();
        let mut environment = vec![
            ("LD_PRELOAD", text(library())),
            ("FAULTS_DIR", text(&self.folder)),
            ("FAULTS_CONTROL", text(&self.temp.path().join("control"))),
            ("FAULTS_SEED", self.seed.to_string()),
            ("FAULTS_TEAR", self.tear.to_string()),
        ];
        if self.shadowed {
            environment.push(("FAULTS_SHADOW", text(&self.shadow())));
        }
        environment
    }

    /// Reduces the folder to its durable content, like a power failure. The process must have ended.
    pub(super) fn cut(&self) {
        for file in files(&self.folder) {
            std::fs::remove_file(file).unwrap();
        }
        copy_files(&self.shadow(), &self.folder);
    }

    /// Shifts the wall clock.
    pub(super) fn set_clock(&self, seconds: i64) {
        self.set(0, seconds);
    }

    /// Whether flushes hang.
    pub(super) fn set_stalled(&self, stalled: bool) {
        self.set(STALLED, stalled.into());
    }

    /// Whether no space is left.
    pub(super) fn set_full(&self, full: bool) {
        self.set(FULL, full.into());
    }

    /// Probability that a call fails, in millionths.
    pub(super) fn set_failing(&self, call: Call, millionths: i64) {
        self.set(PROBABILITY + call as u64, millionths);
    }

    pub(super) fn failed(&self, call: Call) -> i64 {
        let mut word = [0; 8];
        self.control.read_exact_at(&mut word, (FAILED + call as u64) * 8).unwrap();
        i64::from_ne_bytes(word)
    }

    fn set(&self, word: u64, value: i64) {
        self.control.write_all_at(&value.to_ne_bytes(), word * 8).unwrap();
    }
}

/// The plain files of a folder.
pub(super) fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.filter(|path| path.is_file()).collect()
}

/// Copies the plain files of a folder, except the lock, which contains no data, and the shared memory of SQLite.
pub(super) fn copy_files(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for file in files(from) {
        let name = file.file_name().unwrap().to_str().unwrap().to_owned();
        if name != "lock" && !name.ends_with("-shm") {
            std::fs::copy(&file, to.join(name)).unwrap();
        }
    }
}

/// The shim, built on first use.
fn library() -> &'static Path {
    static LIBRARY: OnceLock<(TempDir, PathBuf)> = OnceLock::new();
    let (_, path) = LIBRARY.get_or_init(|| {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/faults/lostsync.c");
        let folder = TempDir::new().unwrap();
        let library = folder.path().join("lostsync.so");
        let built = Command::new("cc")
            .args(["-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o"])
            .args([&library, &source])
            .args(["-ldl", "-lpthread"])
            .output()
            .expect("a C compiler is at hand: it builds the bundled SQLite too");
        assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
        (folder, library)
    });
    path
}
