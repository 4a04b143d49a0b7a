//! Which column fills which part: guesses for a chosen file, and what was chosen for a batch.

use std::sync::Arc;

use model::send::{ColumnGuess, guess_columns, send_form};

use super::ChosenFile;
use crate::context::lock;
use crate::csv_header;
use crate::messaging::Messaging;
use command_types::batch::{BatchId, BatchPlanRequest, BatchSource};
use command_types::batch_mapping::{BatchMapping, FileColumns, GuessColumns};
use command_types::error::{DeskError, Missing, Result};
use outgoing::compute;

impl Messaging {
    /// The columns of a chosen file that fit the recipient and the parts of a template, by their names.
    ///
    /// # Errors
    /// [`DeskError::NotFound`] for the template, or when the file has to be chosen again.
    pub async fn guess_columns(&self, request: GuessColumns) -> Result<ColumnGuess> {
        let file = self.chosen_file(&request.file)?;
        let template = self.send_plan(&request.workspace, &request.reference).await?.template;
        let numbers = csv_header::number_columns(&file.table);
        compute::run(move || guess_columns(&file.table.columns, &numbers, &send_form(&template).parts)).await
    }

    /// What fills the messages of a batch; `None` if it is not known.
    ///
    /// # Errors
    /// [`DeskError::NotFound`] when there is no such batch.
    pub async fn get_batch_mapping(&self, request: BatchId) -> Result<Option<BatchMapping>> {
        let batch = self.load_batch(&request.batch).await?;
        // Stored JSON that can no longer be read must not hide the batch.
        Ok(batch.mapping.as_deref().and_then(|json| serde_json::from_str(json).ok()))
    }

    pub(super) fn chosen_file(&self, id: &str) -> Result<Arc<ChosenFile>> {
        let files = lock(&self.0.batches.files);
        let file = files.iter().find(|(known, _)| known == id).map(|(_, file)| file.clone());
        file.ok_or_else(|| DeskError::not_found(Missing::ChosenFile))
    }
}

/// What a request chose for a batch, with its file.
pub(super) fn mapping(request: &BatchPlanRequest, file: Option<&ChosenFile>) -> BatchMapping {
    let file = match (&request.source, file) {
        (BatchSource::Csv { to, name, .. }, Some(file)) => {
            let has_header = file.table.header.is_some();
            Some(FileColumns { has_header, to: to.clone(), name: name.clone().filter(|name| !name.is_empty()) })
        }
        _ => None,
    };
    BatchMapping { file, country: request.country.clone(), values: request.source.values().clone() }
}
