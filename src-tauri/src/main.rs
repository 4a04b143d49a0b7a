//! Entry point of the window.

#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

/// Copies of a secret in buffers of HTTP and JSON end with their buffers; a removed workspace leaves none in memory.
#[global_allocator]
static WIPING: zeroizing_alloc::ZeroAlloc<std::alloc::System> = zeroizing_alloc::ZeroAlloc(std::alloc::System);

fn main() -> std::process::ExitCode {
    template_desk::run()
}
