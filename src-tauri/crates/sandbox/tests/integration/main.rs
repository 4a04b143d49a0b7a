//! Black-box tests of the sandbox over raw HTTP.
