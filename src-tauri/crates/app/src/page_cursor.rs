//! Cursors of pages whose rows are ordered by instant and identifier.

use command_types::error::{DeskError, Result};

/// The cursor of a page whose last row is identified by an instant and an identifier.
pub(crate) fn page_cursor(at: i64, id: &str) -> String {
    format!("{at} {id}")
}

/// Parses a [`page_cursor`]; `None` for the first page.
pub(crate) fn parse_page_cursor(after: Option<&str>) -> Result<Option<(i64, String)>> {
    let Some(after) = after.filter(|after| !after.is_empty()) else { return Ok(None) };
    let mark = after.split_once(' ').and_then(|(at, id)| Some((at.parse().ok()?, id.to_owned())));
    mark.map(Some).ok_or_else(page_is_missing)
}

/// The refusal of a cursor that no page had.
pub(crate) fn page_is_missing() -> DeskError {
    DeskError::invalid("after", "This page does not exist. Reload the list.")
}
