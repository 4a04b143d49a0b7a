//! Embeds the configuration, with capabilities and permissions kept inside `src-tauri`.

fn main() {
    println!("cargo:rerun-if-changed=src-tauri/capabilities");
    println!("cargo:rerun-if-changed=src-tauri/permissions");
    let attributes = tauri_build::Attributes::new()
        .capabilities_path_pattern("./src-tauri/capabilities/**/*")
        .app_manifest(tauri_build::AppManifest::new().permissions_path_pattern("./src-tauri/permissions/**/*"));
    if let Err(error) = tauri_build::try_build(attributes) {
        panic!("{error:#}");
    }
}
