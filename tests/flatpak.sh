#!/usr/bin/env bash
# Tests the Flatpak: makes it of the Debian package, installs it for one person, starts it and removes it. The runtime of
# GNOME is not downloaded; one made of Debian's packages takes its place, with the same libraries by name. Root is required.
#
#   tests/flatpak.sh [DEB]
#
#   CLEAN_ROOT=FILE   tar of a root with libwebkit2gtk-4.1-0; without it, mmdebstrap builds one
set -euo pipefail
cd "$(dirname "$0")/.."
deb="$(realpath "${1:-$(echo "${CARGO_TARGET_DIR:-target}"/release/bundle/deb/*.deb)}")"
[[ -f $deb ]] || { echo "No package at $deb: run make package first." >&2; exit 1; }
(( EUID == 0 )) || { echo "The runtime needs root: run sudo tests/flatpak.sh." >&2; exit 1; }
# Mounts and processes of the test end with it.
[[ -n "${FLATPAK_TEST_INSIDE:-}" ]] ||
  FLATPAK_TEST_INSIDE=1 exec unshare --mount --pid --fork --kill-child --mount-proc "$0" "$@"

step() { printf '\n== %s\n' "$*"; }
fail() { printf 'FAILED: %s\n' "$*" >&2; exit 1; }

readonly ID=app.template_desk.TemplateDesk PLATFORM=app.template_desk.TestPlatform PERSON=65534
work="$(mktemp -d)"
trap 'rm -rf --one-file-system "$work"' EXIT
chmod 755 "$work"
home="$work/home"
mkdir -p "$home/runtime"
export FLATPAK_USER_DIR="$home/flatpak"

step "A runtime of Debian's packages"
platform="$work/platform"
mkdir -p "$platform/root"
if [[ -n "${CLEAN_ROOT:-}" ]]; then
  tar --extract --file "$CLEAN_ROOT" --directory "$platform/root"
else
  mmdebstrap --quiet --variant=minbase --include=ca-certificates,fonts-dejavu-core,fonts-noto-color-emoji,libwebkit2gtk-4.1-0,xdg-utils \
    "${SUITE:-$(. /etc/os-release && echo "$VERSION_CODENAME")}" "$platform/root"
fi
mv "$platform/root/usr" "$platform/usr"
mv "$platform/root/etc" "$platform/usr/etc"
rm -rf "$platform"/usr/share/{doc,info,locale,man}
ln -sf ../sbin/ldconfig "$platform/usr/bin/ldconfig"
mkdir "$platform/files"
reference="$PLATFORM/$(flatpak --default-arch)/1"
printf '[Runtime]\nname=%s\nruntime=%s\nsdk=%s\n' "$PLATFORM" "$reference" "$reference" >"$platform/metadata"
rm -rf "$platform/root"
flatpak build-export --runtime "$work/platforms" "$platform" 1 >"$work/platform.log"
rm -rf "$platform"
flatpak remote-add --user --no-gpg-verify platforms "$work/platforms"
flatpak install --user --noninteractive platforms "$reference" >>"$work/platform.log"

step "The Flatpak"
env OUTPUT="$work/template-desk.flatpak" PLATFORM="$PLATFORM" packaging/flatpak/build.sh "$deb" >"$work/build.log" 2>&1 ||
  { tail -n 30 "$work/build.log"; fail "it cannot be built"; }
flatpak install --user --noninteractive --no-related --bundle "$work/template-desk.flatpak"
files="$(flatpak info --user --show-location "$ID")"
entry="$files/export/share/applications/$ID.desktop"
desktop-file-validate "$entry"
grep -q '^Exec=.* --command=template-desk --file-forwarding app.template_desk.TemplateDesk @@u %u @@$' "$entry" ||
  fail "links are not passed to the app: $(grep '^Exec' "$entry")"
grep -qx 'MimeType=x-scheme-handler/template-desk;' "$entry" || fail "the scheme of links is not registered"
[[ -f "$files/export/share/icons/hicolor/scalable/apps/$ID.svg" ]] || fail "the icon has another name"
# Its folder and name depend on the version of flatpak-builder.
metainfo="$(find "$files/files/share" -name "$ID.*.xml" ! -path '*/app-info/*')"
appstreamcli validate --no-net "$metainfo"
grep -q "<launchable type=\"desktop-id\">$ID.desktop<" "$metainfo" ||
  fail "software centres do not find the desktop entry"

step "Start it"
chown -R "$PERSON" "$home"
as_person() {
  setpriv --reuid="$PERSON" --regid="$PERSON" --clear-groups env -i PATH=/usr/bin:/bin LC_ALL=C.UTF-8 HOME="$home" \
    XDG_RUNTIME_DIR="$home/runtime" FLATPAK_USER_DIR="$FLATPAK_USER_DIR" "$@"
}
chmod 700 "$home/runtime"
data="$home/.var/app/$ID/data/app.template-desk"
log="$work/app.log"
# A second start passes its link to the first, and ends.
cat >"$work/session.sh" <<'SESSION'
flatpak run app.template_desk.TemplateDesk &
until [ -e "$1" ] || ! kill -0 $!; do sleep 0.2; done
flatpak run app.template_desk.TemplateDesk template-desk://templates/1 && echo "the second start ended"
wait $!
SESSION
as_person dbus-run-session -- xvfb-run --auto-servernum --server-args="-screen 0 1280x900x24" \
  sh "$work/session.sh" "$work/shown" >"$log" 2>&1 &
pid=$!
for _ in $(seq 600); do
  [[ -s "$data/desk.sqlite" && -s "$data/cache.sqlite" ]] && pgrep -x WebKitWebProces >/dev/null && break
  kill -0 "$pid" 2>/dev/null || break
  sleep 0.2
done
pgrep -x WebKitWebProces >/dev/null || { cat "$log"; fail "the window does not open"; }
touch "$work/shown"
for _ in $(seq 300); do
  grep -q 'the second start ended' "$log" && break
  sleep 0.2
done
grep -q 'the second start ended' "$log" || { cat "$log"; fail "a second start does not reach the first"; }
kill -TERM "$(pgrep -x template-desk | head -n 1)"
ended=0
wait "$pid" || ended=$?
(( ended == 0 )) || { cat "$log"; fail "the app ended with $ended"; }
! grep -E ' ERROR |panicked' "$log" || fail "the app logged an error"

step "Remove it"
as_person flatpak uninstall --user --noninteractive "$ID" >"$work/remove.log" || { cat "$work/remove.log"; fail "it is not removed"; }
[[ ! -e "$files" ]] || fail "$files is left"
[[ -s "$data/desk.sqlite" ]] || fail "the data of the person is gone"

printf '\nBuilt, installed, started and removed.\n'
