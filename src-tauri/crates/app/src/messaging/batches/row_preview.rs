//! The message of one row of a batch.

use model::render::render;
use model::send::preview_fill;

use super::plan::request_of;
use super::rows::shown_row;
use crate::messaging::Messaging;
use command_types::batch_row::{BatchRowPreview, PreviewBatchRow};
use command_types::error::{DeskError, Missing, Result};
use outgoing::recipient::explicit;

impl Messaging {
    /// The message of a row as it would be sent now, with the values that were planned.
    ///
    /// # Errors
    /// [`DeskError::NotFound`] when there is no such row, or the template is not listed any more.
    pub async fn preview_batch_row(&self, request: PreviewBatchRow) -> Result<BatchRowPreview> {
        let batch = self.load_batch(&request.batch).await?;
        let found = self.0.context.desk.batch_rows_at(&batch.id, &[request.row]).await?.pop();
        let row = found.ok_or_else(|| DeskError::not_found(Missing::Row))?;
        let own = serde_json::from_str(&row.planned.filled)
            .map_err(|error| DeskError::Storage { reason: format!("row {}: {error}", request.row) })?;
        let recipient = &row.planned.recipient;
        let values = request_of(&super::read_request(&batch)?, &explicit(recipient, recipient), &own).values;
        let template = self.send_plan(&batch.workspace_id, &batch.template_ref).await?.template;
        let bubble = render(&template, &preview_fill(&template, &values));
        Ok(BatchRowPreview { row: shown_row(row), values, bubble })
    }
}
