//! Environment variables that WebKitGTK's process for the page inherits. A value that is set already is kept.

/// Turns the optimizing compilers of JavaScriptCore, DFG and FTL, on or off. See
/// `docs/decisions/0040-no-optimizing-compilers-in-the-page.md`.
const OPTIMIZING_COMPILERS: &str = "JSC_useDFGJIT";

/// Memory of the machine in bytes, which JavaScriptCore reads to decide when it collects garbage. It is no limit. See
/// `docs/decisions/0042-the-page-collects-garbage-earlier.md`.
const MEMORY_SIZE: &str = "JSC_forceRAMSize";
const MEMORY_SIZE_BYTES: &str = "268435456";

/// How large the heap may become until the next collection, as a multiple of its size after the last one, in a page that
/// uses more than half of that memory. See the same decision.
const HEAP_GROWTH: &str = "JSC_largeHeapGrowthFactor";
const HEAP_GROWTH_FACTOR: &str = "1.6";

/// Has WebKitGTK draw with the processor instead of OpenGL. See `docs/decisions/0041-no-opengl-without-a-graphics-card.md`.
const NO_OPENGL: &str = "WEBKIT_DISABLE_COMPOSITING_MODE";

/// Sets the variables. To be called before there is another thread, which could read the environment meanwhile.
pub(crate) fn set() {
    // Without them the page only needs more time and memory; there is no log to write to yet.
    let _is_set = gtk::glib::setenv(OPTIMIZING_COMPILERS, "0", false);
    let _is_set = gtk::glib::setenv(MEMORY_SIZE, MEMORY_SIZE_BYTES, false);
    let _is_set = gtk::glib::setenv(HEAP_GROWTH, HEAP_GROWTH_FACTOR, false);
    if !has_graphics_card(std::path::Path::new("/dev/dri")) {
        let _is_set = gtk::glib::setenv(NO_OPENGL, "1", false);
    }
}

/// Whether Linux lists a device that OpenGL can draw with among its graphics devices. Otherwise OpenGL is software.
fn has_graphics_card(devices: &std::path::Path) -> bool {
    let mut devices = std::fs::read_dir(devices).into_iter().flatten().flatten();
    devices.any(|device| device.file_name().to_string_lossy().starts_with("renderD"))
}

/// Keeps the variables from a program that the app starts: they are meant for the page of this app.
pub(crate) fn leave_out(command: &mut tokio::process::Command) {
    for variable in [OPTIMIZING_COMPILERS, MEMORY_SIZE, HEAP_GROWTH, NO_OPENGL] {
        command.env_remove(variable);
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn a_graphics_card_is_a_render_node() {
        let devices = tempfile::tempdir().unwrap();
        assert!(!has_graphics_card(&devices.path().join("absent")));
        // What a virtual machine has for its screen alone.
        std::fs::write(devices.path().join("card0"), "").unwrap();
        assert!(!has_graphics_card(devices.path()));
        std::fs::write(devices.path().join("renderD128"), "").unwrap();
        assert!(has_graphics_card(devices.path()));
    }
}
