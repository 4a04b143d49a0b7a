//! Writes the TypeScript contract of the commands to `ui/src/bindings`, or to the folder given.

fn main() -> anyhow::Result<()> {
    let folder = std::env::args_os().nth(1).map_or_else(
        || std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("ui/src/bindings"),
        std::path::PathBuf::from,
    );
    template_desk::ipc::export_bindings(&folder)?;
    Ok(())
}
