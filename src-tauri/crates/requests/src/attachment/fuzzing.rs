//! Entries for `tests/fuzz` into the readers of files.

use std::io::Cursor;

use super::{STACK, encoding, fitted, guarded, jpeg, page, picture, video};

/// Reads a film as far as its decoder: index, parameter sets and first key frame. What reads here is this app's own
/// code, so that nothing is caught.
pub fn film(bytes: &[u8]) {
    let _stream = video::stream(&mut Cursor::new(bytes));
    let _encoding = encoding::of_film(&mut Cursor::new(bytes));
}

/// Reads how a picture is encoded.
pub fn picture_encoding(bytes: &[u8]) {
    let _encoding = encoding::of_picture(&mut Cursor::new(bytes));
}

/// Draws a thumbnail as the app does: the decoders of others may refuse and panic, and nothing else.
///
/// # Panics
/// When no thread can be started, or what guards the decoders lets something through.
pub fn thumbnail(bytes: &[u8]) {
    let drawing = std::thread::Builder::new().stack_size(STACK);
    let drawn = std::thread::scope(|scope| {
        let drawn = drawing.spawn_scoped(scope, || {
            guarded(|| {
                let drawn = if bytes.starts_with(b"%PDF") {
                    page::first(bytes)?
                } else if bytes.get(4..8) == Some(b"ftyp") {
                    video::first_key_frame(&mut Cursor::new(bytes))?
                } else {
                    picture(Cursor::new(bytes))?
                };
                jpeg(&fitted(drawn))
            })
        });
        drawn.map(std::thread::ScopedJoinHandle::join)
    });
    drawn.expect("a thread can be started").expect("the guard lets no panic through");
}
