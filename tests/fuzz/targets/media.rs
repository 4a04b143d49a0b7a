//! The readers of picture and video headers that are this app's own, and thumbnails of pictures, made as the app makes
//! them. The readers refuse; they never panic, and never read more than there is. The decoder of pictures may panic,
//! which the app catches; it must not take all memory, never end, or end the process.

#![no_main]

use libfuzzer_sys::fuzz_target;
use requests::attachment::fuzzing::{headers, thumbnail};

fuzz_target!(|bytes: &[u8]| {
    headers(bytes);
    // The engine ends the process at every panic, also at those that are caught.
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    thumbnail(bytes);
    std::panic::set_hook(hook);
});
