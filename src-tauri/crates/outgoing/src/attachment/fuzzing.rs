//! Entry points of `tests/fuzz` to the file parsers.

use std::io::Cursor;

use super::{Properties, Subject, fitted, guarded, jpeg, picture};

/// Parses bytes as the headers of a picture and of a video. This is the app's own code, so panics are not caught.
pub fn headers(bytes: &[u8]) {
    for subject in [Subject::Picture, Subject::Video] {
        let _properties = Properties::read(&mut Cursor::new(bytes), subject);
    }
}

/// Makes a thumbnail as the app does. The decoder is a library and may fail or panic.
pub fn thumbnail(bytes: &[u8]) {
    let _thumbnail = guarded(|| jpeg(&fitted(picture(Cursor::new(bytes))?)));
}
