#!/usr/bin/env bash
# Makes the installer of what `make windows` built: target/windows/bundle/template-desk_VERSION_x64-setup.exe.
#
#   TAURI_SIGNING_PRIVATE_KEY=KEY DOWNLOADS=https://EXAMPLE/FOLDER   also sign it for apps that update themselves, and write
#     latest.json beside it: docs/packaging.md. TAURI_CLI: name and version for npx
#   CERTIFICATE=FILE.p12 CERTIFICATE_PASSWORD_FILE=FILE   sign the programs and the installer, with osslsigncode
#   VERSION=0.2.0   another version than that of Cargo.toml, for the test of an upgrade
#   OUTPUT=FILE     another place
set -euo pipefail
cd "$(dirname "$0")/../.."
export LC_ALL=C.UTF-8 SOURCE_DATE_EPOCH="${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}"
built="${CARGO_TARGET_DIR:-target}/windows/x86_64-pc-windows-gnu/release"
version="${VERSION:-$(sed -n '/^\[workspace.package\]/,/^$/s/^version = "\(.*\)"/\1/p' Cargo.toml)}"
output="$(realpath -m "${OUTPUT:-${CARGO_TARGET_DIR:-target}/windows/bundle/template-desk_${version}_x64-setup.exe}")"
files="$(mktemp -d)"
trap 'rm -rf "$files"' EXIT

sign() {
  [[ -n ${CERTIFICATE:-} ]] || return 0
  osslsigncode sign -pkcs12 "$CERTIFICATE" -readpass "${CERTIFICATE_PASSWORD_FILE:?name a file with the password of the certificate}" \
    -n "Template Desk" -h sha256 ${TIMESTAMP_SERVER:+-ts "$TIMESTAMP_SERVER"} -in "$1" -out "$1.signed" >/dev/null
  mv "$1.signed" "$1"
}

for file in template-desk.exe tdesk.exe WebView2Loader.dll; do
  [[ -f $built/$file ]] || { echo "$built/$file is missing: run make windows first." >&2; exit 1; }
  cp "$built/$file" "$files/$file"
done
sign "$files/template-desk.exe"
sign "$files/tdesk.exe"
touch --date="@$SOURCE_DATE_EPOCH" "$files"/*
mkdir -p "$(dirname "$output")"
makensis -V2 -WX -DVERSION="$version" -DROOT="$PWD" -DFILES="$files" -DOUTPUT="$output" packaging/windows/installer.nsi
sign "$output"
[[ -n ${CERTIFICATE:-} ]] || echo "The installer is not signed: Windows will show a warning before it opens it." >&2
sha256sum "$output"
if [[ -n ${TAURI_SIGNING_PRIVATE_KEY:-}${TAURI_SIGNING_PRIVATE_KEY_PATH:-} ]]; then
  packaging/announce.sh "$version" windows-x86_64 "$output"
fi
