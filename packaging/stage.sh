#!/usr/bin/env bash
# Puts the files of the Linux packages that Tauri does not place itself below artifacts/package/usr.
#
#   packaging/stage.sh TDESK MANUAL   TDESK: the binary; MANUAL: the folder that `--example manual` wrote
#
# The same input gives the same bytes and modification times: SOURCE_DATE_EPOCH is used for all of them.
set -euo pipefail
tdesk="$(realpath "$1")" manual="$(realpath "$2")"
cd "$(dirname "$0")/.."
: "${SOURCE_DATE_EPOCH:?set it to the time of the release, in seconds since 1970}"
export LC_ALL=C TZ=UTC
umask 022

root=artifacts/package
share="$root/usr/share"
rm -rf "$root"
install -d "$root"

put() { install -D -m "${3:-644}" "$1" "$2"; }
put_compressed() {
  put "$1" "$2"
  gzip -9 -n "$2"
}

put "$tdesk" "$root/usr/bin/tdesk" 755
put packaging/linux/app.template_desk.TemplateDesk.metainfo.xml \
  "$share/metainfo/app.template_desk.TemplateDesk.metainfo.xml"
put icons/icon.svg "$share/icons/hicolor/scalable/apps/template-desk.svg"
put packaging/linux/tdesk-receive@.service "$root/usr/lib/systemd/system/tdesk-receive@.service"

put_compressed packaging/linux/template-desk.1 "$share/man/man1/template-desk.1"
for page in "$manual"/man/*.1; do
  put_compressed "$page" "$share/man/man1/$(basename "$page")"
done
put "$manual/bash/tdesk" "$share/bash-completion/completions/tdesk"
put "$manual/zsh/_tdesk" "$share/zsh/vendor-completions/_tdesk"
put "$manual/fish/tdesk.fish" "$share/fish/vendor_completions.d/tdesk.fish"

version="$(sed -n '/^\[workspace.package\]/,/^$/s/^version = "\(.*\)"/\1/p' Cargo.toml)"
maintainer="$(sed -n 's/.*"publisher": "\(.*\)".*/\1/p' tauri.linux.conf.json)"
put packaging/linux/copyright "$share/doc/template-desk/copyright"
put_compressed CHANGELOG.md "$share/doc/template-desk/CHANGELOG.md"
printf 'template-desk (%s) unstable; urgency=medium\n\n  * CHANGELOG.md.gz lists what changed.\n\n -- %s  %s\n' \
  "$version" "$maintainer" "$(date --date="@$SOURCE_DATE_EPOCH" --rfc-email)" >"$root/changelog"
put_compressed "$root/changelog" "$share/doc/template-desk/changelog"
rm "$root/changelog"

find "$root" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +
