//! A CSV file of recipients and values, with any encoding and any delimiter.
//!
//! It is parsed or rejected without a panic; a parsed file has its columns and rows exactly once.

#![no_main]

use app::messaging::batches::fuzzing::read;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| read(bytes));
