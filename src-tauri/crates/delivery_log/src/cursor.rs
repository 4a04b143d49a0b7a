//! The position of a desk in a log: a position in the streams of each node.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::stream::Stream;

/// How many streams before the current one a cursor remembers. A database that was restored from a backup lacks the
/// newest streams; the desk goes on after the newest one that both know.
const REMEMBERED: usize = 8;
/// Begins every cursor of this format.
const FORMAT: &str = "1.";
/// Maximum length of a cursor in characters.
pub const MAX_LENGTH: usize = 16 << 10;

/// The position of a desk. Opaque to it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cursor(BTreeMap<String, Position>);

/// The position in the streams of a node. Everything before it was read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Position {
    #[serde(rename = "s")]
    stream: Uuid,
    /// The last delivery that was read.
    #[serde(rename = "n")]
    seq: i64,
    /// Earlier streams, newest first.
    #[serde(rename = "b", default, skip_serializing_if = "Vec::is_empty")]
    before: Vec<Uuid>,
}

/// A part of a stream to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Next<'s> {
    pub stream: &'s Stream,
    /// Read the deliveries after this one.
    pub after: i64,
}

impl Cursor {
    /// The position after everything in these streams.
    #[must_use]
    pub fn end_of(streams: &[Stream]) -> Self {
        let mut cursor = Self::default();
        for stream in streams {
            cursor.read_to(stream, stream.last_seq);
        }
        cursor
    }

    /// Records that everything of a stream up to `seq` was read, and everything of earlier streams of its node.
    pub fn read_to(&mut self, stream: &Stream, seq: i64) {
        match self.0.get_mut(&stream.node) {
            Some(position) if position.stream == stream.id => position.seq = seq,
            Some(position) => {
                let former = std::mem::replace(&mut position.stream, stream.id);
                position.seq = seq;
                position.before.retain(|id| *id != stream.id);
                position.before.insert(0, former);
                position.before.truncate(REMEMBERED);
            }
            None => {
                let position = Position { stream: stream.id, seq, before: Vec::new() };
                self.0.insert(stream.node.clone(), position);
            }
        }
    }

    /// What to read next: for each node the first stream with unread deliveries. `streams` are in the order of their
    /// nodes, and those of a node in the order in which they began.
    #[must_use]
    pub fn next<'s>(&self, streams: &'s [Stream]) -> Vec<Next<'s>> {
        let unread = |node: &'s [Stream]| self.unread(node).next();
        streams.chunk_by(|one, next| one.node == next.node).filter_map(unread).collect()
    }

    /// Number of deliveries after this position.
    #[must_use]
    pub fn behind(&self, streams: &[Stream]) -> u64 {
        let nodes = streams.chunk_by(|one, next| one.node == next.node);
        let behind = |next: Next<'_>| u64::try_from(next.stream.last_seq - next.after).unwrap_or(0);
        nodes.flat_map(|node| self.unread(node)).map(behind).sum()
    }

    /// The unread parts of the streams of one node.
    fn unread<'s>(&self, node: &'s [Stream]) -> impl Iterator<Item = Next<'s>> + use<'s> {
        let position = node.first().and_then(|stream| self.0.get(&stream.node));
        let index = |id: &Uuid| node.iter().position(|stream| stream.id == *id);
        let (from, seq) = match position {
            None => (0, None),
            Some(position) => match index(&position.stream) {
                Some(at) => (at, Some(position.seq)),
                // The log was restored from a backup, or retention has removed the stream. Of the streams before it
                // everything was read; without one of them, a repetition is better than a loss.
                None => (position.before.iter().find_map(index).map_or(0, |at| at + 1), None),
            },
        };
        let after = move |(at, stream): (usize, &'s Stream)| {
            let read = seq.filter(|_| at == from).unwrap_or(i64::MIN);
            Next { stream, after: read.max(stream.first_seq - 1) }
        };
        node.iter().enumerate().skip(from).map(after).filter(|next| next.after < next.stream.last_seq)
    }

    /// As text for a URL, without nodes that the log no longer has. If it becomes too long, it remembers fewer streams,
    /// which costs repetitions after the log was restored from a backup.
    #[must_use]
    pub fn encode(&self, streams: &[Stream]) -> String {
        let mut cursor = self.clone();
        cursor.0.retain(|node, _| streams.iter().any(|stream| stream.node == *node));
        let mut remembered = REMEMBERED;
        loop {
            let json = serde_json::to_vec(&cursor).unwrap_or_default();
            let text = format!("{FORMAT}{}", URL_SAFE_NO_PAD.encode(json));
            if text.len() <= MAX_LENGTH || remembered == 0 {
                return text;
            }
            remembered /= 2;
            cursor.0.values_mut().for_each(|position| position.before.truncate(remembered));
        }
    }

    /// Reads a cursor; `None` if no log made it.
    #[must_use]
    pub fn decode(text: &str) -> Option<Self> {
        if text.len() > MAX_LENGTH {
            return None;
        }
        let json = URL_SAFE_NO_PAD.decode(text.strip_prefix(FORMAT)?).ok()?;
        serde_json::from_slice(&json).ok()
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    fn stream(node: &str, id: u128, first_seq: i64, last_seq: i64) -> Stream {
        Stream { id: Uuid::from_u128(id), node: node.into(), first_seq, last_seq }
    }

    fn parts(cursor: &Cursor, streams: &[Stream]) -> Vec<(u128, i64)> {
        cursor.next(streams).into_iter().map(|next| (next.stream.id.as_u128(), next.after)).collect()
    }

    #[test]
    fn each_node_is_read_in_order_and_once() {
        let streams = [stream("a", 1, 1, 3), stream("a", 2, 4, 5), stream("b", 3, 1, 0), stream("b", 4, 1, 2)];
        let mut cursor = Cursor::default();
        assert_eq!((parts(&cursor, &streams), cursor.behind(&streams)), (vec![(1, 0), (4, 0)], 7));
        cursor.read_to(&streams[0], 2);
        assert_eq!((parts(&cursor, &streams), cursor.behind(&streams)), (vec![(1, 2), (4, 0)], 5));
        cursor.read_to(&streams[0], 3);
        assert_eq!(parts(&cursor, &streams), [(2, 3), (4, 0)]);
        cursor.read_to(&streams[1], 5);
        cursor.read_to(&streams[3], 2);
        assert_eq!((parts(&cursor, &streams), cursor.behind(&streams)), (vec![], 0));
        assert_eq!(parts(&Cursor::end_of(&streams), &streams), []);
    }

    #[test]
    fn a_restored_log_repeats_at_most_and_loses_nothing() {
        // Read: all of stream 1, which ended at 9, and 2 up to 20.
        let mut cursor = Cursor::default();
        cursor.read_to(&stream("a", 1, 1, 9), 9);
        cursor.read_to(&stream("a", 2, 10, 20), 20);
        // The backup is from the time of stream 1; the receiver began stream 3 with numbers that stream 2 had, too.
        let restored = [stream("a", 1, 1, 5), stream("a", 3, 6, 8)];
        assert_eq!(parts(&cursor, &restored), [(3, 5)]);
        // The backup is from the time of stream 2.
        let restored = [stream("a", 1, 1, 9), stream("a", 2, 10, 12), stream("a", 3, 13, 14)];
        assert_eq!(parts(&cursor, &restored), [(3, 12)]);
        // Another log, or retention has removed all: everything is read.
        let other = [stream("a", 7, 1, 2)];
        assert_eq!(parts(&cursor, &other), [(7, 0)]);
    }

    #[test]
    fn cursors_survive_a_url_and_foreign_texts_do_not_become_one() {
        let mut cursor = Cursor::default();
        for id in 1..=20 {
            cursor.read_to(&stream("node ü/?", id, 1, 5), 5);
        }
        let text = cursor.encode(&[stream("node ü/?", 20, 1, 5)]);
        assert!(text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte)));
        assert_eq!(Cursor::decode(&text).unwrap(), cursor);
        let too_long = format!("1.{}", "A".repeat(MAX_LENGTH));
        for wrong in ["", "1", "1.", "2.e30", "1.e30=", "1.bm8", too_long.as_str()] {
            assert_eq!(Cursor::decode(wrong), None, "{wrong}");
        }
        assert_eq!(Cursor::decode("1.e30"), Some(Cursor::default()));
    }

    #[test]
    fn cursors_stay_short_and_forget_nodes_that_are_gone() {
        let (mut cursor, mut streams) = (Cursor::default(), Vec::new());
        for node in 0..100 {
            for id in 0..10 {
                let stream = stream(&format!("node-{node:03}"), node * 100 + id, 1, 5);
                cursor.read_to(&stream, 5);
                if id == 9 {
                    streams.push(stream);
                }
            }
        }
        let text = cursor.encode(&streams);
        assert!(text.len() <= MAX_LENGTH, "{}", text.len());
        assert_eq!(Cursor::decode(&text).unwrap().behind(&streams), 0);
        let fewer = Cursor::decode(&cursor.encode(&streams[..2])).unwrap();
        assert_eq!(fewer.0.len(), 2);
    }
}
