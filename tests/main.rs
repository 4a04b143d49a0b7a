//! Black-box and whole-window tests.
