//! Values that a column or a field gives the parts of each row: cleaned, and replaced with the fallback where they are blank.

use std::collections::BTreeMap;

use model::send::{PartKind, SendPart, is_blank, tidy, title_case};

use super::checked_row::Candidate;
use command_types::batch::{FallbackUse, ValueSource, ValueTransform};

/// Cleans and rewrites the texts of all rows, fills blank values with their fallback, and counts the rows where it did so. What is
/// filled here is stored with the row, so every send of it has the same value.
pub(super) fn fill_cells(
    values: &BTreeMap<String, ValueSource>,
    parts: &[SendPart],
    rows: &mut [Candidate],
) -> Vec<FallbackUse> {
    let mut uses = Vec::new();
    for (part, source) in values {
        let ValueSource::Column { column, fallback, transform } = source else { continue };
        let is_text = parts.iter().any(|known| known.id == *part && known.kind == PartKind::Text);
        // A blank fallback would leave the value as empty as it is.
        let fallback = fallback.as_deref().filter(|fallback| !is_blank(fallback));
        let mut filled = 0;
        for value in rows.iter_mut().filter_map(|row| row.own.get_mut(part)) {
            if let Some(fallback) = fallback.filter(|_| is_blank(value)) {
                filled += 1;
                fallback.clone_into(value);
            } else if is_text {
                *value = tidy(value);
                if *transform == Some(ValueTransform::TitleCase) {
                    *value = title_case(value);
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
