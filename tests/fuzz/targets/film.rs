//! The readers of films and pictures that are this app's own: boxes, parameter sets, samples, what a file tells of its
//! encoding. They refuse; they never panic, and never read more than there is.

#![no_main]

use requests::attachment::fuzzing::{film, picture_encoding};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    film(bytes);
    picture_encoding(bytes);
});
