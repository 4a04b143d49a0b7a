//! Tests of the whole project: architecture rules, and the built app in a real window.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]

mod architecture;
mod licences;
mod macos;
mod security;
mod start;

/// Drives the built app; it needs the UI in the binary, and WebKitGTK's driver.
#[cfg(all(feature = "custom-protocol", target_os = "linux"))]
mod window;
