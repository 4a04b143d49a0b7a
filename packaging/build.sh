#!/usr/bin/env bash
# Builds the release and its Linux packages: target/release/bundle/deb and target/release/bundle/rpm. The UI is built
# already. docs/packaging.md says what makes the build reproducible.
#
#   packaging/build.sh TAURI_CLI   TAURI_CLI: name and version for npx
set -euo pipefail
tauri_cli="$1"
cd "$(dirname "$0")/.."
target="${CARGO_TARGET_DIR:-target}"
export SOURCE_DATE_EPOCH="${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}"
export LC_ALL=C TZ=UTC
umask 022

# The paths of this machine are not part of the binaries.
cargo_home="${CARGO_HOME:-$HOME/.cargo}"
paths="--remap-path-prefix=$PWD=/template-desk --remap-path-prefix=$cargo_home=/cargo"
c_paths="-ffile-prefix-map=$PWD=/template-desk -ffile-prefix-map=$cargo_home=/cargo"
RUSTFLAGS="${RUSTFLAGS:-} $paths" CFLAGS="${CFLAGS:-} $c_paths" \
  cargo build --locked --release --features custom-protocol --package template-desk --package cli --bins

manual="$(mktemp -d)"
trap 'rm -rf "$manual"' EXIT
cargo run --locked --quiet --package cli --example manual -- "$manual"
packaging/stage.sh "$target/release/tdesk" "$manual"

touch --date="@$SOURCE_DATE_EPOCH" icons/* "$target/release/template-desk"
rm -rf "$target/release/bundle"
npx --yes "$tauri_cli" bundle --bundles deb,rpm
packaging/repack-deb.sh "$target"/release/bundle/deb/*.deb
sha256sum "$target"/release/bundle/{deb/*.deb,rpm/*.rpm}
