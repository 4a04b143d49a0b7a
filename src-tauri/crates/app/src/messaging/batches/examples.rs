//! Which rows of a batch are shown as examples.

use model::send::SendValues;

use super::checked_row::Checked;
use command_types::batch::ExampleKind;

/// Examples besides the first and the longest row.
const MAX_OTHERS: usize = 3;

/// The first row, the longest, and up to three others in the order of the rows. The others depend on the content only: the
/// same file has the same examples.
pub(super) fn choose<'r>(rows: &[&'r Checked]) -> Vec<(ExampleKind, &'r Checked)> {
    let Some((first, rest)) = rows.split_first() else { return Vec::new() };
    let mut chosen = vec![(ExampleKind::First, *first)];
    // The text of the template has the same length in all rows.
    let longest = rest.iter().max_by_key(|row| (length(&row.candidate.own), std::cmp::Reverse(row.candidate.row)));
    let longest = longest.filter(|row| length(&row.candidate.own) > length(&first.candidate.own));
    chosen.extend(longest.map(|row| (ExampleKind::Longest, *row)));
    let content = rows.iter().fold(FNV_OFFSET, |hash, row| hash_row(hash, row));
    let mut others: Vec<(u64, &Checked)> = rest
        .iter()
        .filter(|row| longest.is_none_or(|longest| longest.candidate.row != row.candidate.row))
        .map(|row| (hash_bytes(content, &row.candidate.row.to_le_bytes()), *row))
        .collect();
    others.sort_by_key(|(hash, row)| (*hash, row.candidate.row));
    others.truncate(MAX_OTHERS);
    others.sort_by_key(|(_, row)| row.candidate.row);
    chosen.extend(others.into_iter().map(|(_, row)| (ExampleKind::Other, row)));
    chosen
}

/// Characters of the values of a row.
fn length(values: &SendValues) -> usize {
    values.values().map(|value| value.chars().count()).sum()
}

/// FNV-1a, whose hashes are the same in every version and on every machine.
const FNV_OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
const FNV_PRIME: u64 = 0x0100_0000_01b3;

fn hash_row(hash: u64, row: &Checked) -> u64 {
    let hash = hash_bytes(hash, row.recipient.as_bytes());
    row.candidate.own.values().fold(hash, |hash, value| hash_bytes(hash_bytes(hash, &[0]), value.as_bytes()))
}

fn hash_bytes(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(FNV_PRIME))
}
