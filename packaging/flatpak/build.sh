#!/usr/bin/env bash
# Makes the Flatpak of the Debian package: target/release/bundle/flatpak/template-desk.flatpak. The runtime and the SDK that
# app.template_desk.TemplateDesk.json names are installed already.
#
#   packaging/flatpak/build.sh [DEB]   DEB: the package of `make package`, unless another is named
#
#   OUTPUT=FILE     another place
#   PLATFORM=NAME   another runtime, branch 1, which is its own SDK: for the test
set -euo pipefail
cd "$(dirname "$0")/../.."
bundle="${CARGO_TARGET_DIR:-target}/release/bundle"
deb="$(realpath "${1:-$(echo "$bundle"/deb/*.deb)}")"
[[ -f $deb ]] || { echo "No package at $deb: run make package first." >&2; exit 1; }
output="$(realpath -m "${OUTPUT:-$bundle/flatpak/template-desk.flatpak}")"
export LC_ALL=C.UTF-8 SOURCE_DATE_EPOCH="${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}"
readonly ID=app.template_desk.TemplateDesk

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
dpkg-deb --extract "$deb" "$work"
cp "packaging/flatpak/$ID.json" "$work/manifest.json"
# Where the runtime comes from that a computer lacks.
origin=(--runtime-repo=https://dl.flathub.org/repo/flathub.flatpakrepo)
if [[ -n ${PLATFORM:-} ]]; then
  origin=()
  # It has no program that makes a catalogue for software centres.
  sed -i "s/org\.gnome\.\(Platform\|Sdk\)/$PLATFORM/; s/\"runtime-version\": .*/\"runtime-version\": \"1\", \"appstream-compose\": false,/" \
    "$work/manifest.json"
fi
cd "$work"
flatpak-builder --user --disable-rofiles-fuse --disable-cache --state-dir="$work/state" --repo="$work/repository" \
  "$work/build" manifest.json
mkdir -p "$(dirname "$output")"
flatpak build-bundle "${origin[@]}" "$work/repository" "$output" "$ID"
sha256sum "$output"
