//! Which compilers of JavaScriptCore the page's process has. See
//! `docs/decisions/0040-no-optimizing-compilers-in-the-page.md`.

/// Environment variable by which JavaScriptCore turns its optimizing compilers, DFG and FTL, on or off.
const OPTIMIZING_COMPILERS: &str = "JSC_useDFGJIT";

/// Turns off the optimizing compilers of the page's process, which inherits the environment: they delay the start and
/// take memory. A value that is set already is kept.
#[cfg(target_os = "linux")]
pub(crate) fn turn_off_optimizing() {
    // There is only one thread yet, so nothing reads the environment meanwhile. Without the variable the page is slower
    // to start, and nothing else; there is no log to write to yet.
    let _is_set = gtk::glib::setenv(OPTIMIZING_COMPILERS, "0", false);
}

/// The pages of other systems have other engines.
#[cfg(not(target_os = "linux"))]
pub(crate) fn turn_off_optimizing() {}

/// Keeps the choice from a program that the app starts: a browser would run slowly with it.
pub(crate) fn leave_to(command: &mut tokio::process::Command) {
    command.env_remove(OPTIMIZING_COMPILERS);
}
