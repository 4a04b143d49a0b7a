//! `tdesk`: the same use cases without a window.

fn main() {}
