//! The message of one row of a batch that is being filled in.

use std::collections::BTreeMap;

use model::render::render;
use model::send::{PartKind, SendValues, is_blank, preview_fill, send_form};
use model::template::Template;

use super::candidates::{Reading, Rows};
use super::cell_values::ColumnFills;
use super::checked_row::{Candidate, capped};
use super::plan::{common, request_of, with_unread};
use crate::messaging::Messaging;
use command_types::batch::ValueSource;
use command_types::batch_mapping::{BatchPreview, PreviewBatch, ValuePreview};
use command_types::error::Result;
use outgoing::compute::blocking;

impl Messaging {
    /// What the recipient of a row would get, with the values that the plan would have, and what becomes of columns with
    /// a format. Columns that are not chosen or missing leave their parts empty. Fetches nothing.
    ///
    /// # Errors
    /// [`command_types::error::DeskError::NotFound`] for the template or the file.
    pub async fn preview_batch(&self, request: PreviewBatch) -> Result<BatchPreview> {
        let PreviewBatch { batch, row } = request;
        let plan = self.send_plan(&batch.workspace, &batch.reference).await?;
        // A format is read from the whole column.
        let is_read_whole = batch.source.values().values().any(is_rewritten);
        let only = (!is_read_whole).then_some(row as usize);
        let rows = self.candidates(&batch.workspace, &batch.source, Reading::Preview { only }).await?;
        let Rows { fixed, mut candidates, .. } = rows;
        blocking(move || {
            let columns = previews(batch.source.values(), &plan.template, &mut candidates);
            let shown = candidates.into_iter().nth(only.map_or(row as usize, |_| 0));
            let common = common(&batch, fixed);
            let request = shown.as_ref().map_or_else(|| common.clone(), |row| request_of(&common, &row.to, &row.own));
            let mut preview = plan.preview(&request)?;
            if let Some(row) = &shown {
                preview.problems = with_unread(preview.problems, row);
                let values = with_gaps(&plan.template, batch.source.values(), &request.values);
                preview.bubble = render(&plan.template, &preview_fill(&plan.template, &values));
            }
            Ok(BatchPreview { values: request.values, preview, columns })
        })
        .await?
    }
}

/// The values, with the variable itself where the row has no text for it: a sample in its place would look like a value.
fn with_gaps(template: &Template, sources: &BTreeMap<String, ValueSource>, values: &SendValues) -> SendValues {
    let mut shown = values.clone();
    for part in send_form(template).parts.into_iter().filter(|part| part.context.is_some()) {
        let is_of_column = matches!(sources.get(&part.id), Some(ValueSource::Column { .. }));
        if is_of_column && part.kind == PartKind::Text && values.get(&part.id).is_none_or(|value| is_blank(value)) {
            shown.insert(part.id, format!("{{{{{}}}}}", part.label));
        }
    }
    shown
}

fn is_rewritten(source: &ValueSource) -> bool {
    matches!(source, ValueSource::Column { transform: Some(_), .. })
}

/// Fills the rows, and tells of each column with a format what becomes of the first cell that is not blank.
fn previews(values: &BTreeMap<String, ValueSource>, template: &Template, rows: &mut [Candidate]) -> Vec<ValuePreview> {
    let mut previews: Vec<(usize, ValuePreview)> = Vec::new();
    for (part, _) in values.iter().filter(|(_, source)| is_rewritten(source)) {
        let cell = |row: &Candidate| row.own.get(part).filter(|value| !is_blank(value)).cloned();
        let first = rows.iter().enumerate().find_map(|(place, row)| Some((place, cell(row)?)));
        let Some((place, written)) = first else { continue };
        let part = part.clone();
        let row = rows[place].row;
        let preview = ValuePreview { part, row, written: capped(&written), value: None, problem: None, unread: 0 };
        previews.push((place, preview));
    }
    let fills = ColumnFills::of(values, template, rows);
    rows.iter_mut().for_each(|row| fills.fill(row));
    let finish = |(place, mut preview): (usize, ValuePreview)| {
        let of_part = |row: &Candidate| row.problems.iter().find(|problem| problem.field == preview.part).cloned();
        preview.problem = of_part(&rows[place]).or_else(|| rows.iter().find_map(of_part));
        preview.unread = u32::try_from(rows.iter().filter_map(of_part).count()).unwrap_or(u32::MAX);
        let value = rows[place].own.get(&preview.part).filter(|value| !value.is_empty());
        preview.value = value.map(|value| capped(value));
        preview
    };
    previews.into_iter().map(finish).collect()
}
