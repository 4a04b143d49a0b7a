//! The app's own parsers of picture and video headers, and thumbnails as the app makes them. The parsers reject invalid
//! input; they never panic, and never read beyond the input. The picture decoder may panic, which the app catches; it
//! must not exhaust the memory, run endlessly, or end the process.

#![no_main]

use libfuzzer_sys::fuzz_target;
use outgoing::attachment::fuzzing::{headers, thumbnail};

fuzz_target!(|bytes: &[u8]| {
    headers(bytes);
    // The fuzzing engine ends the process at every panic, including those that are caught.
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    thumbnail(bytes);
    std::panic::set_hook(hook);
});
