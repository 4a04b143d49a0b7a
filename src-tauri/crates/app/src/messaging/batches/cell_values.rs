//! Values that a column or a field gives the parts of each row: cleaned, rewritten, and replaced with the fallback where
//! they are blank.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering};

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
    /// Number of rows where the fallback took the place of a blank cell.
    uses: AtomicU32,
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
        let transform = transform
            .as_ref()
            .filter(|_| is_text)
            .map(|transform| ColumnTransform::of(transform, language, cells.filter(|cell| !is_blank(cell)).map(tidy)));
        // A blank fallback would leave the value as empty as it is.
        let fallback = fallback.as_deref().filter(|fallback| !is_blank(fallback));
        Some(Self { part, column, fallback, is_text, transform, uses: AtomicU32::new(0) })
    }

    /// # Errors
    /// The problem of a cell that cannot be rewritten. Its value is empty then, so that nothing leaves as it was written.
    fn fill(&self, value: &mut String) -> Result<(), SendProblem> {
        let blank = is_blank(value);
        if let Some(fallback) = self.fallback.filter(|_| blank) {
            fallback.clone_into(value);
            self.uses.fetch_add(1, Ordering::Relaxed);
            return Ok(());
        }
        if self.is_text
            && let Cow::Owned(tidied) = tidy(value)
        {
            *value = tidied;
        }
        if let Some(transform) = self.transform.as_ref().filter(|_| !blank) {
            let rewritten = transform.apply(self.part, value);
            value.clear();
            value.push_str(&rewritten?);
        }
        Ok(())
    }
}

/// Cleans and rewrites the texts of rows, and fills blank values with their fallback. What is filled here is stored with
/// the row, so every send of it has the same value.
#[derive(Debug)]
pub(super) struct ColumnFills<'v>(Vec<ColumnFill<'v>>);

impl<'v> ColumnFills<'v> {
    /// Reads the cells of all rows for what only some of them say.
    pub(super) fn of(values: &'v BTreeMap<String, ValueSource>, template: &Template, rows: &[Candidate]) -> Self {
        let parts = send_form(template).parts;
        let column = |filled: (&'v String, &'v ValueSource)| {
            let cells = rows.iter().filter_map(|row| row.own.get(filled.0)).map(String::as_str);
            ColumnFill::of(filled, &template.language, &parts, cells)
        };
        Self(values.iter().filter_map(column).collect())
    }

    /// Fills one of the rows. A value that cannot be rewritten is emptied, and a problem of the row.
    pub(super) fn fill(&self, row: &mut Candidate) {
        for column in &self.0 {
            let Some(value) = row.own.get_mut(column.part) else { continue };
            row.problems.extend(column.fill(value).err());
        }
    }

    /// The fallbacks that were used so far, in how many rows.
    pub(super) fn uses(&self) -> Vec<FallbackUse> {
        let of_column = |column: &ColumnFill<'_>| {
            let rows = column.uses.load(Ordering::Relaxed);
            Some(FallbackUse {
                part: column.part.to_owned(),
                column: column.column.to_owned(),
                fallback: column.fallback.filter(|_| rows > 0)?.to_owned(),
                rows,
            })
        };
        self.0.iter().filter_map(of_column).collect()
    }
}
