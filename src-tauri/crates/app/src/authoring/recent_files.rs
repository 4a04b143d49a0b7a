//! Recently chosen files.

use std::path::PathBuf;

use model::media;
use model::vocabulary::HeaderFormat;
use store::desk::RecentFile;

use crate::authoring::Authoring;
use command_types::composer::{Attachment, PickFile};
use command_types::error::Result;
use outgoing::attachment;
use outgoing::now;

const MAX_OFFERED: usize = 12;

impl Authoring {
    /// Recent files that fit a header format, newest first. Files that no longer exist are left out.
    pub async fn list_recent_files(&self, request: PickFile) -> Result<Vec<Attachment>> {
        let known = self.0.context.desk.recent_files().await?;
        let format = HeaderFormat::from(request.format.as_str());
        let fits = |mime: &str| request.format.is_empty() || media::fits(&format, mime);
        let mut fitting = known.into_iter().filter(|file| fits(&file.mime)).map(|file| PathBuf::from(file.path));
        let mut offered: Vec<Attachment> = Vec::new();
        loop {
            // Checked concurrently: making a thumbnail takes a while.
            let batch: Vec<_> = fitting.by_ref().take(MAX_OFFERED - offered.len()).collect();
            if batch.is_empty() {
                return Ok(offered);
            }
            let looks: Vec<_> =
                batch.into_iter().map(|path| tokio::spawn(async move { attachment::inspect(&path).await })).collect();
            for look in looks {
                // Files that are gone, unreadable or of another type now are not offered.
                if let Ok(Ok(file)) = look.await
                    && fits(&file.mime)
                {
                    offered.push(file);
                }
            }
        }
    }

    /// Records a file as recent. A storage failure is ignored.
    pub(crate) async fn remember_file(&self, file: &Attachment) {
        let recent = RecentFile { path: file.path.clone(), mime: file.mime.clone(), used_at: now() };
        if let Err(error) = self.0.context.desk.record_file(recent).await {
            tracing::warn!(%error, "a file could not be added to the recent files");
        }
    }
}
