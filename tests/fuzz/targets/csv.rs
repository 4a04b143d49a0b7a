//! A file of recipients and values, in whatever encoding, with whatever delimiter.
//!
//! Read or refused, never a panic; what is read has its columns and rows once each.

#![no_main]

use app::messaging::batches::fuzzing::read;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| read(bytes));
