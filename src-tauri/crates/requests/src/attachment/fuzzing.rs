//! Entries for `tests/fuzz` into the readers of files.

use std::io::Cursor;

use super::{Properties, Subject, fitted, guarded, jpeg, picture};

/// Reads bytes as the headers of a picture and of a video. This is the app's own code, so nothing is caught.
pub fn headers(bytes: &[u8]) {
    for subject in [Subject::Picture, Subject::Video] {
        let _properties = Properties::read(&mut Cursor::new(bytes), subject);
    }
}

/// Makes a thumbnail as the app does: the decoder, which is a library, may refuse and panic.
pub fn thumbnail(bytes: &[u8]) {
    let _thumbnail = guarded(|| jpeg(&fitted(picture(Cursor::new(bytes))?)));
}
