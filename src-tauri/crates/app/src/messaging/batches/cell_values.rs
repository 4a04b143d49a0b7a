//! Values that a column or a field gives the parts of each row: cleaned, rewritten, and replaced with the fallback where
//! they are blank.

use std::collections::BTreeMap;

use model::send::{ColumnTransform, PartKind, SendPart, SendProblem, is_blank, send_form, tidy};
use model::template::Template;

use super::checked_row::Candidate;
use command_types::batch::{FallbackUse, ValueSource};

/// What is done with the cells of the column that fills a part.
#[derive(Debug)]
struct ColumnFill<'v> {
    part: &'v str,
    column: &'v str,
    fallback: Option<&'v str>,
    is_text: bool,
    transform: Option<ColumnTransform>,
}

impl<'v> ColumnFill<'v> {
    /// `None` for a value that is the same for all rows.
    fn of<'c>(
        (part, source): (&'v String, &'v ValueSource),
        language: &str,
        parts: &[SendPart],
        cells: impl Iterator<Item = &'c str>,
    ) -> Option<Self> {
        let ValueSource::Column { column, fallback, transform } = source else { return None };
        let is_text = parts.iter().any(|known| known.id == *part && known.kind == PartKind::Text);
        let transform = transform.as_ref().filter(|_| is_text).map(|transform| {
            let cells: Vec<String> = cells.filter(|cell| !is_blank(cell)).map(tidy).collect();
            ColumnTransform::of(transform, language, cells.iter().map(String::as_str))
        });
        // A blank fallback would leave the value as empty as it is.
        let fallback = fallback.as_deref().filter(|fallback| !is_blank(fallback));
        Some(Self { part, column, fallback, is_text, transform })
    }

    /// Whether the fallback took the place of a blank cell.
    ///
    /// # Errors
    /// The problem of a cell that cannot be rewritten. Its value is empty then, so that nothing leaves as it was written.
    fn fill(&self, value: &mut String) -> Result<bool, SendProblem> {
        let blank = is_blank(value);
        if let Some(fallback) = self.fallback.filter(|_| blank) {
            fallback.clone_into(value);
            return Ok(true);
        }
        if self.is_text {
            *value = tidy(value);
        }
        if let Some(transform) = self.transform.as_ref().filter(|_| !blank) {
            let rewritten = transform.apply(self.part, value);
            value.clear();
            value.push_str(&rewritten?);
        }
        Ok(false)
    }
}

/// Cleans and rewrites the texts of all rows, fills blank values with their fallback, and counts the rows where it did so.
/// What is filled here is stored with the row, so every send of it has the same value. A value that cannot be rewritten is
/// emptied, and a problem of its row.
pub(super) fn fill_cells(
    values: &BTreeMap<String, ValueSource>,
    template: &Template,
    rows: &mut [Candidate],
) -> Vec<FallbackUse> {
    let parts = send_form(template).parts;
    let mut uses = Vec::new();
    for filled in values {
        let cells = rows.iter().filter_map(|row| row.own.get(filled.0)).map(String::as_str);
        let Some(column) = ColumnFill::of(filled, &template.language, &parts, cells) else { continue };
        let mut rows_filled = 0;
        for row in rows.iter_mut() {
            let Some(value) = row.own.get_mut(column.part) else { continue };
            match column.fill(value) {
                Ok(took_fallback) => rows_filled += u32::from(took_fallback),
                Err(problem) => row.problems.push(problem),
            }
        }
        if let Some(fallback) = column.fallback.filter(|_| rows_filled > 0) {
            uses.push(FallbackUse {
                part: column.part.to_owned(),
                column: column.column.to_owned(),
                fallback: fallback.to_owned(),
                rows: rows_filled,
            });
        }
    }
    uses
}
