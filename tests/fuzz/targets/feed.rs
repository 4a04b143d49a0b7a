//! What a desk and a server read of each other: a line of a page, and a cursor after the byte 0.
//!
//! Neither may panic; what was read is written again in the same words, and a cursor stays what it is.

#![no_main]

use delivery_log::cursor::Cursor;
use feed::Line;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    if let Some(cursor) = data.strip_prefix(&[0]) {
        let Some(cursor) = std::str::from_utf8(cursor).ok().and_then(Cursor::decode) else { return };
        assert_eq!(Cursor::decode(&cursor.encode()), Some(cursor));
    } else if let Ok(line) = Line::parse(data) {
        let mut written = Vec::new();
        line.write(&mut written).expect("what was read can be written");
        if let Some(text) = written.strip_suffix(b"\n") {
            assert_eq!(Line::parse(text).expect("what was written can be read"), line);
        }
    }
});
