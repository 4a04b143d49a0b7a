//! Thumbnails of PDFs, pictures and films, drawn as the app draws them. The decoders of others may panic, which the app
//! catches; they must not take all memory, never end, or end the process.

#![no_main]

use requests::attachment::fuzzing::thumbnail;
use libfuzzer_sys::fuzz_target;

fuzz_target!(
    init: {
        // The engine ends the process at every panic, also at those that are caught.
        std::panic::set_hook(Box::new(|_| {}));
    },
    |bytes: &[u8]| thumbnail(bytes)
);
