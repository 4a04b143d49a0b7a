//! Values that a column or a field gives the parts of each row: cleaned, rewritten, and replaced with the fallback where
//! they are blank.

use std::collections::BTreeMap;

use model::send::{ColumnTransform, PartKind, is_blank, send_form, tidy};
use model::template::Template;

use super::candidates::Rows;
use super::checked_row::{Candidate, capped};
use crate::messaging::Messaging;
use command_types::batch::{FallbackUse, PreviewValues, ValuePreview, ValueSource};
use command_types::error::Result;
use outgoing::compute::blocking;

/// Cleans and rewrites the texts of all rows, fills blank values with their fallback, and counts the rows where it did so. What is
/// filled here is stored with the row, so every send of it has the same value. A value that cannot be rewritten is emptied,
/// and a problem of its row.
pub(super) fn fill_cells(
    values: &BTreeMap<String, ValueSource>,
    template: &Template,
    rows: &mut [Candidate],
) -> Vec<FallbackUse> {
    let parts = send_form(template).parts;
    let mut uses = Vec::new();
    for (part, source) in values {
        let ValueSource::Column { column, fallback, transform } = source else { continue };
        let is_text = parts.iter().any(|known| known.id == *part && known.kind == PartKind::Text);
        // A blank fallback would leave the value as empty as it is.
        let fallback = fallback.as_deref().filter(|fallback| !is_blank(fallback));
        if is_text {
            let texts = rows.iter_mut().filter_map(|row| row.own.get_mut(part));
            texts.filter(|value| !is_blank(value)).for_each(|value| *value = tidy(value));
        }
        let transform = transform.as_ref().filter(|_| is_text).map(|transform| {
            let cells = rows.iter().filter_map(|row| row.own.get(part)).filter(|value| !is_blank(value));
            ColumnTransform::of(transform, &template.language, cells.map(String::as_str))
        });
        let mut filled = 0;
        for row in rows.iter_mut() {
            let Some(value) = row.own.get_mut(part) else { continue };
            if is_blank(value) {
                if let Some(fallback) = fallback {
                    filled += 1;
                    fallback.clone_into(value);
                } else if is_text {
                    *value = tidy(value);
                }
            } else if let Some(transform) = &transform {
                match transform.apply(part, value) {
                    Ok(rewritten) => *value = rewritten,
                    Err(problem) => {
                        value.clear();
                        row.problems.push(problem);
                    }
                }
            }
        }
        if let Some(fallback) = fallback.filter(|_| filled > 0) {
            uses.push(FallbackUse {
                part: part.clone(),
                column: column.clone(),
                fallback: fallback.to_owned(),
                rows: filled,
            });
        }
    }
    uses
}

impl Messaging {
    /// What becomes of the values of columns, by the first of them that is not blank, and of how many rows it cannot be said.
    ///
    /// # Errors
    /// As of [`Self::check_batch`].
    pub async fn preview_values(&self, request: PreviewValues) -> Result<Vec<ValuePreview>> {
        let template = self.send_plan(&request.workspace, &request.reference).await?.template;
        let Rows { candidates, .. } = self.candidates(&request.workspace, &request.source).await?;
        let values = request.source.values().clone();
        blocking(move || previews(&values, &template, candidates)).await
    }
}

fn previews(
    values: &BTreeMap<String, ValueSource>,
    template: &Template,
    mut rows: Vec<Candidate>,
) -> Vec<ValuePreview> {
    let is_rewritten = |source: &ValueSource| matches!(source, ValueSource::Column { transform: Some(_), .. });
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
    fill_cells(values, template, &mut rows);
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
