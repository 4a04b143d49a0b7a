//! Recently used files of drafts, to choose them again.

use rusqlite::params;

use super::Desk;
use crate::StoreError;
use crate::rows::all;

/// Maximum number of stored files.
const MAX_FILES: u32 = 200;

/// A local file that was used in a draft. It may no longer exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecentFile {
    pub path: String,
    /// MIME type detected from its bytes; empty if unknown.
    pub mime: String,
    /// When it was last chosen or sent.
    pub used_at: i64,
}

impl Desk {
    /// Records that a file was used, and deletes the oldest ones. The file recorded last is the newest, even when
    /// several are recorded in one millisecond or the clock goes back.
    pub async fn record_file(&self, file: RecentFile) -> Result<(), StoreError> {
        self.database
            .write(move |c| {
                c.prepare_cached(
                    "INSERT INTO recent_file (path, mime, used_at)
                     VALUES (?1, ?2, max(?3, coalesce((SELECT max(used_at) + 1 FROM recent_file), ?3)))
                     ON CONFLICT DO UPDATE SET mime = excluded.mime, used_at = excluded.used_at",
                )?
                .execute(params![file.path, file.mime, file.used_at])?;
                c.prepare_cached(
                    "DELETE FROM recent_file WHERE path IN
                       (SELECT path FROM recent_file ORDER BY used_at DESC, path LIMIT -1 OFFSET ?1)",
                )?
                .execute([MAX_FILES])?;
                Ok(())
            })
            .await
    }

    /// The files used last, newest first.
    pub async fn recent_files(&self) -> Result<Vec<RecentFile>, StoreError> {
        self.database
            .read(|c| {
                all(c, "SELECT path, mime, used_at FROM recent_file ORDER BY used_at DESC, path", [], |row| {
                    Ok(RecentFile { path: row.get("path")?, mime: row.get("mime")?, used_at: row.get("used_at")? })
                })
            })
            .await
    }
}
