#!/usr/bin/env bash
# Packs the Debian package of the Tauri CLI again, so that the same input gives the same bytes, and adds the versions of
# the libraries that the binaries were linked with to `Depends`.
#
#   packaging/repack-deb.sh FILE.deb
set -euo pipefail
deb="$(realpath "$1")"
: "${SOURCE_DATE_EPOCH:?set it to the time of the release, in seconds since 1970}"
export SOURCE_DATE_EPOCH LC_ALL=C
umask 022

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
root="$work/root"
dpkg-deb --raw-extract "$deb" "$root"

# dpkg-shlibdeps expects a source package around it.
mkdir "$work/debian"
printf 'Source: template-desk\n\nPackage: template-desk\nArchitecture: any\n' >"$work/debian/control"
libraries="$(cd "$work" && dpkg-shlibdeps -O root/usr/bin/template-desk root/usr/bin/tdesk | sed -n 's/^shlibs:Depends=//p')"
[[ -n "$libraries" ]] || { echo "No library that the binaries need belongs to a Debian package." >&2; exit 1; }
# The Tauri CLI lists the first two without a version.
sed -i "s/^\(Depends: .*\), libwebkit2gtk-4.1-0, libgtk-3-0$/\1, $libraries/" "$root/DEBIAN/control"
grep -q '^Depends: .*libc6' "$root/DEBIAN/control" || { echo "Depends of the Tauri CLI has changed." >&2; exit 1; }

(cd "$root" && find usr -type f | sort | xargs -d '\n' md5sum >DEBIAN/md5sums)
find "$root" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +
# Level 9 looks for repetitions in 64 MiB, so that the two programs share what they have in common; level 6, in 8 MiB.
dpkg-deb --root-owner-group -Zxz -z9 --build "$root" "$deb" >/dev/null
