//! A response of the provider: its status in the first two bytes, whether it claims to be text in the third, then its
//! body.
//!
//! It must not panic, and nothing that is stored or emitted may contain the token, which a hostile provider may echo.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::{Corpus, fuzz_target};
use provider_client::fuzzing::{Reader, TOKEN};

static READER: LazyLock<Reader> = LazyLock::new(|| Reader::new().expect("the made-up provider has an address"));

fuzz_target!(|data: &[u8]| -> Corpus {
    let [first, second, said, body @ ..] = data else { return Corpus::Reject };
    // Three digits, as HTTP requires; half of all responses are successful.
    let status = if first % 2 == 0 { 200 } else { 100 + u16::from_be_bytes([*first, *second]) % 900 };
    let kinds = [None, Some(&b"application/json"[..]), Some(b"text/plain; charset=utf-8"), Some(b"text/html")];
    for told in READER.read(status, kinds[usize::from(said % 4)], body) {
        assert!(!told.contains(TOKEN), "{told}");
    }
    Corpus::Keep
});
