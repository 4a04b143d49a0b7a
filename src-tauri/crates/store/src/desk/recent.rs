//! Files that were chosen for drafts, to choose them again.

use rusqlite::params;

use super::Desk;
use crate::StoreError;
use crate::database::all;

/// How many are kept.
const KEPT: u32 = 200;

/// A file of this machine that went with a draft. It may be gone by now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecentFile {
    /// Where it was.
    pub path: String,
    /// Its type as read from its bytes; empty where they told none.
    pub mime: String,
    /// When it was last chosen or sent.
    pub used_at: i64,
}

impl Desk {
    /// Notes that a file was used; the oldest are forgotten. The file noted last is the newest, even when several are
    /// noted in one millisecond or the clock goes back.
    ///
    /// # Errors
    /// [`StoreError`] when it cannot be written.
    pub async fn note_file(&self, file: RecentFile) -> Result<(), StoreError> {
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
                .execute([KEPT])?;
                Ok(())
            })
            .await
    }

    /// The files used last, newest first.
    ///
    /// # Errors
    /// [`StoreError`] when the file cannot be read.
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
