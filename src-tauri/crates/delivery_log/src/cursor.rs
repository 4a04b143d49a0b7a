//! The position of a desk in a log.
//!
//! A database or file that was restored from a backup gives numbers again. So a position consists of checkpoints: the
//! number of a delivery, and the random mark of its commit. The desk goes on after the newest checkpoint that the log
//! has.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use uuid::Uuid;

/// Begins every cursor of this format.
const FORMAT: &str = "2.";
/// Checkpoints of a cursor: the newest, and one for each distance from it, which grow fourfold.
const MAX_CHECKPOINTS: usize = 16;
const CHECKPOINT_BYTES: usize = 24;
/// Maximum length of a cursor in characters.
pub const MAX_LENGTH: usize = FORMAT.len() + (MAX_CHECKPOINTS * CHECKPOINT_BYTES).div_ceil(3) * 4;

/// A delivery up to which everything was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Checkpoint {
    /// 0 before the first.
    pub seq: i64,
    /// [`Uuid::nil`] if the log has no such delivery.
    pub mark: Uuid,
}

/// The position of a desk, opaque to it. Without checkpoints, before the oldest delivery that the log has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cursor {
    /// Newest first.
    checkpoints: Vec<Checkpoint>,
}

impl Cursor {
    /// The newest checkpoint.
    #[must_use]
    pub fn position(&self) -> Option<Checkpoint> {
        self.checkpoints.first().copied()
    }

    /// The number up to which everything was read.
    pub(crate) fn seq(&self) -> i64 {
        self.position().map_or(0, |position| position.seq)
    }

    /// Newest first.
    pub(crate) fn checkpoints(&self) -> &[Checkpoint] {
        &self.checkpoints
    }

    /// Forgets what is after a checkpoint, or everything.
    pub(crate) fn go_back(&mut self, to: Option<i64>) {
        self.checkpoints.retain(|checkpoint| to.is_some_and(|to| checkpoint.seq <= to));
    }

    /// Records that everything up to a delivery was read.
    pub fn advance(&mut self, to: Checkpoint) {
        if self.position().is_some_and(|newest| newest.seq == to.seq) {
            self.checkpoints.remove(0);
        }
        self.checkpoints.insert(0, to);
        // The oldest of each distance stays, so that it reaches the next one.
        let mut rest = self.checkpoints.split_off(1);
        rest.retain(|checkpoint| checkpoint.seq < to.seq);
        rest.reverse();
        rest.dedup_by_key(|checkpoint| distance(to.seq - checkpoint.seq));
        self.checkpoints.extend(rest.into_iter().rev());
    }

    /// As text for a URL.
    #[must_use]
    pub fn encode(&self) -> String {
        let mut bytes = Vec::with_capacity(MAX_CHECKPOINTS * CHECKPOINT_BYTES);
        for checkpoint in &self.checkpoints {
            bytes.extend(checkpoint.seq.to_be_bytes());
            bytes.extend(checkpoint.mark.as_bytes());
        }
        format!("{FORMAT}{}", URL_SAFE_NO_PAD.encode(bytes))
    }

    /// Reads a cursor; `None` if no log made it.
    #[must_use]
    pub fn decode(text: &str) -> Option<Self> {
        if text.len() > MAX_LENGTH {
            return None;
        }
        let bytes = URL_SAFE_NO_PAD.decode(text.strip_prefix(FORMAT)?).ok()?;
        let (parts, rest) = bytes.as_chunks::<CHECKPOINT_BYTES>();
        let checkpoint = |part: &[u8; CHECKPOINT_BYTES]| {
            let (seq, mark) = part.split_first_chunk()?;
            Some(Checkpoint { seq: i64::from_be_bytes(*seq), mark: Uuid::from_slice(mark).ok()? })
        };
        let checkpoints = parts.iter().map(checkpoint).collect::<Option<Vec<_>>>()?;
        let is_descending = checkpoints.is_sorted_by(|newer, older| newer.seq > older.seq);
        let is_cursor = rest.is_empty()
            && checkpoints.len() <= MAX_CHECKPOINTS
            && is_descending
            && checkpoints.last().is_none_or(|oldest| oldest.seq >= 0);
        is_cursor.then_some(Self { checkpoints })
    }
}

/// The class of a distance: 0 up to 3, 1 up to 15, and so on. There is one class less than checkpoints.
fn distance(seqs: i64) -> usize {
    let class = usize::try_from(seqs.max(1).ilog2() / 2).unwrap_or(0);
    class.min(MAX_CHECKPOINTS - 2)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn checkpoint(seq: i64) -> Checkpoint {
        Checkpoint { seq, mark: Uuid::from_u128(seq.unsigned_abs().into()) }
    }

    fn cursor(seqs: impl IntoIterator<Item = i64>) -> Cursor {
        let mut cursor = Cursor::default();
        seqs.into_iter().for_each(|seq| cursor.advance(checkpoint(seq)));
        cursor
    }

    fn seqs(cursor: &Cursor) -> Vec<i64> {
        cursor.checkpoints().iter().map(|checkpoint| checkpoint.seq).collect()
    }

    #[test]
    fn checkpoints_are_denser_near_the_position() {
        assert_eq!(seqs(&cursor([0])), [0]);
        assert_eq!(seqs(&cursor([0, 1, 1, 2])), [2, 0]);
        let long = seqs(&cursor(0..=100_000));
        let distances: Vec<i64> = long.iter().map(|seq| 100_000 - seq).collect();
        assert!(distances.len() >= 8 && distances[1] <= 3, "{distances:?}");
        for pair in distances[1..].windows(2) {
            assert!(pair[0] < pair[1] && pair[1] <= pair[0] * 16, "{distances:?}");
        }
    }

    #[test]
    fn a_cursor_goes_back() {
        let mut restored = cursor((0..=1_000).step_by(10));
        restored.go_back(Some(500));
        assert!(seqs(&restored).first().is_some_and(|seq| *seq <= 500));
        restored.go_back(None);
        assert_eq!(restored, Cursor::default());
    }

    #[test]
    fn texts_that_no_log_made_are_refused() {
        let too_long = format!("2.{}", "A".repeat(MAX_LENGTH));
        let negative = cursor([-1]).encode();
        let ascending = Cursor { checkpoints: vec![checkpoint(1), checkpoint(2)] }.encode();
        for wrong in ["", "2", "1.", "1.e30", "2.e30=", "2.AAAA", &too_long, &negative, &ascending] {
            assert_eq!(Cursor::decode(wrong), None, "{wrong}");
        }
        assert_eq!(Cursor::decode("2."), Some(Cursor::default()));
        const { assert!(MAX_LENGTH < 4 << 10) };
    }

    proptest! {
        #[test]
        fn whatever_is_encoded_is_decoded(steps in prop::collection::vec(0_i64..1 << 40, 0..300)) {
            let mut seq = 0_i64;
            let seqs = steps.into_iter().map(|step| { seq = seq.saturating_add(step); seq });
            let cursor = cursor(seqs);
            let text = cursor.encode();
            prop_assert!(text.len() <= MAX_LENGTH, "{}", text.len());
            prop_assert!(text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte)));
            prop_assert_eq!(Cursor::decode(&text), Some(cursor));
        }

        #[test]
        fn decoding_does_not_panic(text in "2\\.[A-Za-z0-9_-]{0,600}") {
            if let Some(cursor) = Cursor::decode(&text) {
                prop_assert_eq!(cursor.encode(), text);
            }
        }
    }
}
