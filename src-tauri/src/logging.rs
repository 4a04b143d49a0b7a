//! Logs go to standard error and to files of the data folder, limited in number and size; `TEMPLATE_DESK_LOG` sets the
//! level. Tokens, numbers and bodies are never logged.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use anyhow::Context as _;
use app::private;
use chrono::{NaiveDate, Utc};
use tracing_appender::non_blocking::{NonBlocking, WorkerGuard};
use tracing_appender::rolling::{RollingFileAppender, Rotation};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::writer::{MakeWriterExt as _, OptionalWriter};

/// Maximum number of log files: one per day, two if the first one of a day is full.
const MAX_FILES: usize = 7;
/// Maximum size of a log file in bytes.
const MAX_FILE_BYTES: u64 = 5 << 20;
const PREFIX: &str = "template-desk";
const SUFFIX: &str = "log";

/// Writer of the log files, once the data folder is known.
static FILES: OnceLock<NonBlocking> = OnceLock::new();

/// The log of this process. Buffered lines are written to the file when it is dropped.
#[derive(Debug, Default)]
pub(crate) struct Log {
    writer: OnceLock<WorkerGuard>,
}

impl Log {
    /// Starts logging to standard error. A second call in the same process has no effect.
    pub(crate) fn start() -> Self {
        let filter = EnvFilter::try_from_env("TEMPLATE_DESK_LOG").unwrap_or_else(|_| EnvFilter::new("info,tao=error"));
        let writer = io::stderr.and(|| FILES.get().cloned().map_or_else(OptionalWriter::none, OptionalWriter::some));
        // The line of the source identifies a message in diagnostics, which leave out most of its words.
        let subscriber = tracing_subscriber::fmt().with_env_filter(filter).with_line_number(true);
        // Errors of the log itself would be printed to a terminal that may have been closed, which panics.
        let subscriber = subscriber.log_internal_errors(false);
        if subscriber.with_writer(writer).try_init().is_err() {
            tracing::debug!("logging was started before");
        }
        log_panics();
        Self::default()
    }

    /// Also logs to files in `folder`. If that fails, the app runs without them.
    pub(crate) fn write_files(&self, folder: &Path) {
        match DailyFiles::open(folder) {
            // A separate thread writes the lines, so that a slow disk blocks no other thread.
            Ok(files) => {
                let (files, guard) = tracing_appender::non_blocking(files);
                let (_second, _second_guard) = (FILES.set(files), self.writer.set(guard));
            }
            Err(error) => tracing::warn!("no log files are written: {error:#}"),
        }
    }
}

/// Logs where a thread panicked, before the panic is reported as usual. Its message may contain anything and is not
/// logged.
fn log_panics() {
    let report = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if let Some(place) = panic.location() {
            let (file, line) = (place.file(), place.line());
            tracing::error!(place = %format_args!("{file}:{line}"), "a thread panicked");
        }
        report(panic);
    }));
}

/// Daily log files that only their owner can read.
#[derive(Debug)]
struct DailyFiles {
    appender: RollingFileAppender,
    folder: PathBuf,
    /// Day of the newest file, in UTC as in the appender, once its permissions are restricted.
    day: Option<NaiveDate>,
    /// Size of the newest file in bytes.
    size: u64,
    max_size: u64,
}

impl DailyFiles {
    fn open(folder: &Path) -> anyhow::Result<Self> {
        Self::open_with(folder, MAX_FILE_BYTES)
    }

    fn open_with(folder: &Path, max_size: u64) -> anyhow::Result<Self> {
        private::create_folder(folder).context("the folder cannot be created")?;
        Ok(Self { appender: appender(folder)?, folder: folder.to_owned(), day: None, size: 0, max_size })
    }

    /// Starts the file of `day` again. What it held is kept in a second file, in place of what that one held.
    fn replace_full_file(&mut self, day: NaiveDate) -> anyhow::Result<()> {
        let full = self.folder.join(format!("{PREFIX}.{day}.full.{SUFFIX}"));
        std::fs::rename(self.file_of(day), full)?;
        self.appender = appender(&self.folder)?;
        self.day = None;
        Ok(())
    }

    fn file_of(&self, day: NaiveDate) -> PathBuf {
        self.folder.join(format!("{PREFIX}.{day}.{SUFFIX}"))
    }

    fn restrict_permissions(&self) -> io::Result<()> {
        std::fs::read_dir(&self.folder)?.try_for_each(|entry| private::restrict(&entry?.path()))
    }
}

fn appender(folder: &Path) -> anyhow::Result<RollingFileAppender> {
    let builder = RollingFileAppender::builder().rotation(Rotation::DAILY).max_log_files(MAX_FILES);
    Ok(builder.filename_prefix(PREFIX).filename_suffix(SUFFIX).build(folder)?)
}

impl Write for DailyFiles {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        // Read before the write: if the day ends in between, the next line restricts the new file.
        let today = Utc::now().date_naive();
        if self.day == Some(today) && self.size + line.len() as u64 > self.max_size {
            // If the file cannot be renamed, a longer log is better than none; it is tried again after as many bytes.
            let _is_replaced = self.replace_full_file(today);
            self.size = 0;
        }
        let written = self.appender.write(line)?;
        self.size += written as u64;
        if self.day != Some(today) {
            self.day = Some(today);
            self.size = std::fs::metadata(self.file_of(today)).map_or(written as u64, |file| file.len());
            // A file that can't be restricted is still in a folder that only its owner can open.
            let _is_restricted = self.restrict_permissions();
        }
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.appender.flush()
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed expectation is the test's failure")]

    use super::*;

    #[cfg(unix)]
    #[test]
    fn log_files_are_private_and_at_most_seven() {
        use std::os::unix::fs::PermissionsExt as _;

        let data_folder = tempfile::tempdir().unwrap();
        let folder = data_folder.path().join("logs");
        let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
        std::fs::create_dir(&folder).unwrap();
        for day in 1..=9 {
            std::fs::write(folder.join(format!("template-desk.2026-01-0{day}.log")), "old").unwrap();
        }
        let mut files = DailyFiles::open(&folder).unwrap();
        files.write_all(b"a line\n").unwrap();
        files.flush().unwrap();
        let logs: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        assert_eq!((logs.len(), mode(&folder)), (MAX_FILES, 0o700));
        assert!(logs.iter().all(|log| mode(log) == 0o600));
        assert!(logs.iter().any(|log| std::fs::read(log).unwrap() == b"a line\n"));
    }

    #[test]
    fn a_full_file_is_replaced_and_the_newest_lines_are_kept() {
        let data_folder = tempfile::tempdir().unwrap();
        let folder = data_folder.path().join("logs");
        // The size of what an earlier process wrote counts.
        let mut files = DailyFiles::open_with(&folder, 100).unwrap();
        files.write_all(b"a line of an earlier process\n").unwrap();
        drop(files);
        let mut files = DailyFiles::open_with(&folder, 100).unwrap();
        for number in 0..1_000 {
            files.write_all(format!("line {number:04}\n").as_bytes()).unwrap();
            let sizes: Vec<u64> =
                std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().metadata().unwrap().len()).collect();
            assert!(sizes.len() <= 4 && sizes.iter().all(|size| *size <= 100), "{sizes:?}");
        }
        files.flush().unwrap();
        let mut text: Vec<String> = std::fs::read_dir(&folder)
            .unwrap()
            .map(|entry| std::fs::read_to_string(entry.unwrap().path()).unwrap())
            .collect();
        text.sort();
        assert!(text.concat().ends_with("line 0998\nline 0999\n"), "{text:?}");
    }
}
