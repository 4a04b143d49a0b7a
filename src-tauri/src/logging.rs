//! Logs go to standard error and to files of the data folder; `TEMPLATE_DESK_LOG` sets the level. Tokens, numbers and
//! bodies are never logged.

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

/// Maximum number of log files, one per day.
const MAX_FILES: usize = 7;

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
        if tracing_subscriber::fmt().with_env_filter(filter).with_writer(writer).try_init().is_err() {
            tracing::debug!("logging was started before");
        }
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

/// Daily log files that only their owner can read.
#[derive(Debug)]
struct DailyFiles {
    appender: RollingFileAppender,
    folder: PathBuf,
    /// Day of the newest file with restricted permissions, in UTC as in the appender.
    restricted_on: Option<NaiveDate>,
}

impl DailyFiles {
    fn open(folder: &Path) -> anyhow::Result<Self> {
        private::create_folder(folder).context("the folder cannot be created")?;
        let appender = RollingFileAppender::builder()
            .rotation(Rotation::DAILY)
            .filename_prefix("template-desk")
            .filename_suffix("log")
            .max_log_files(MAX_FILES)
            .build(folder)?;
        Ok(Self { appender, folder: folder.to_owned(), restricted_on: None })
    }

    fn restrict_permissions(&self) -> io::Result<()> {
        std::fs::read_dir(&self.folder)?.try_for_each(|entry| private::restrict(&entry?.path()))
    }
}

impl Write for DailyFiles {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        // Read before the write: if the day ends in between, the next line restricts the new file.
        let today = Utc::now().date_naive();
        let written = self.appender.write(line)?;
        if self.restricted_on != Some(today) {
            self.restricted_on = Some(today);
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
}
