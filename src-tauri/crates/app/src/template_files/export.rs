//! Exports templates from the cache to a folder.

use std::path::Path;

use futures_util::{FutureExt as _, StreamExt as _};
use model::template::TemplateRecord;

use crate::template_files::TemplateFiles;
use ::template_files::{Creations, FolderIndex, MAX_CONCURRENT_WRITES, Samples, SidecarMedia, key, write};
use command_types::error::{DeskError, Result};
use command_types::template::TemplateRow;
use command_types::transfer::{ExportTemplates, FileProblem, TemplateExport};
use outgoing::file_name::shown;

/// Number of templates read from the cache at once.
const CHUNK_SIZE: usize = 256;
/// Consecutive write failures after which the folder is considered unusable.
const MAX_FAILURES: usize = 8;

impl TemplateFiles {
    /// Writes templates to a folder, one file per name and language, with the samples of their media next to them.
    /// Files of the same templates are replaced, others are not touched. Only the samples are fetched from the network.
    ///
    /// # Errors
    /// [`DeskError::InvalidInput`] when the target contains no template; [`DeskError::File`] when the folder cannot be
    /// written. Problems with single templates are in the result.
    pub async fn export_templates_to(&self, folder: &Path, request: ExportTemplates) -> Result<TemplateExport> {
        let rows = self.0.templates.resolve_target(&request.workspace, &request.target).await?;
        self.write_templates(&request.workspace, rows, folder).await
    }

    pub(super) async fn write_templates(
        &self,
        workspace: &str,
        mut rows: Vec<TemplateRow>,
        folder: &Path,
    ) -> Result<TemplateExport> {
        if rows.is_empty() {
            return Err(DeskError::invalid("target", "No templates are selected. Select some first."));
        }
        rows.sort_by_cached_key(|row| (key(&row.name, &row.language), row.reference.clone()));
        let failed = |error: std::io::Error| DeskError::file_io(shown(folder), &error, error.to_string());
        tokio::fs::create_dir_all(folder).await.map_err(failed)?;
        let (sidecar_media, mut held) = (SidecarMedia::read(folder).await?, FolderIndex::read(folder).await?);
        let mut samples = Samples::new(self.0.context.cancel.clone(), self.0.workspaces.reach(workspace))?;
        if let Some(sandbox) = self.0.workspaces.sandbox(workspace) {
            samples = samples.with_sandbox_address(&sandbox.settings.base_url);
        }
        let mut export = TemplateExport { folder: shown(folder), ..TemplateExport::default() };
        let mut failures = 0;
        let same =
            |one: &TemplateRow, other: &TemplateRow| key(&one.name, &one.language) == key(&other.name, &other.language);
        let groups: Vec<&[TemplateRow]> = rows.chunk_by(same).collect();
        for groups in groups.chunks(CHUNK_SIZE) {
            let mut gathered = Creations::default();
            for group in groups {
                for row in *group {
                    match self.record_to_write(workspace, row).await? {
                        Ok(record) => gathered.add(&record),
                        Err(reason) => gathered.problems.push((row.name.clone(), row.language.clone(), reason)),
                    }
                }
            }
            export.problems.extend(gathered.problems.into_iter().map(|(name, language, reason)| FileProblem {
                reason: format!("The template {reason}."),
                name,
                language,
            }));
            let paths = held.assign_paths(folder, &gathered.creations, None);
            let mut writes = Vec::with_capacity(paths.len());
            for (path, create) in paths.into_iter().zip(gathered.creations) {
                let (name, language) = (create.template.name.clone(), create.template.language.clone());
                let write = write(path, &sidecar_media, Some(&samples), create);
                writes.push(async move { (name, language, write.await) }.boxed());
            }
            let mut written = futures_util::stream::iter(writes).buffered(MAX_CONCURRENT_WRITES);
            while let Some((name, language, one)) = written.next().await {
                let problem = |reason: String| FileProblem { name: name.clone(), language: language.clone(), reason };
                match one {
                    Ok(one) => {
                        failures = 0;
                        export.files += 1;
                        export.media += one.media as u64;
                        export.problems.extend(one.problems.into_iter().map(problem));
                    }
                    Err(error) => {
                        failures += 1;
                        if failures >= MAX_FAILURES {
                            return Err(error.into());
                        }
                        export.problems.push(problem(format!("It could not be written: {error}.")));
                    }
                }
            }
        }
        Ok(export)
    }

    /// The record of a listed template, or why it cannot be written.
    async fn record_to_write(
        &self,
        workspace: &str,
        row: &TemplateRow,
    ) -> Result<std::result::Result<TemplateRecord, String>> {
        // It may have been removed since it was listed.
        let Some(cached) = self.0.context.cache.template(workspace, &row.reference).await? else {
            return Ok(Err("no longer exists".to_owned()));
        };
        Ok(crate::templates::read(&cached).map_err(|error| format!("was skipped: {error}")))
    }
}
