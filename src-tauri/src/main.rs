//! Entry point of the window.

#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

/// Zeroes memory when it is freed, so that no copy of a secret stays in buffers of HTTP and JSON, or of a removed
/// workspace.
#[global_allocator]
static WIPING: zeroizing_alloc::ZeroAlloc<std::alloc::System> = zeroizing_alloc::ZeroAlloc(std::alloc::System);

fn main() -> std::process::ExitCode {
    template_desk::run()
}
