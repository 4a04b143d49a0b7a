#!/usr/bin/env bash
# Tests the installer of `make windows-package` under Wine, in a prefix of its own: installs, upgrades, refuses a downgrade and
# a running program, updates as the app starts it, removes with and without the data. Takes a picture of its first page:
# artifacts/windows/installer.png. TAURI_CLI: name and version for npx, which signs a version for apps that update themselves.
set -euo pipefail
cd "$(dirname "$0")/.."
target="$(realpath -m "${CARGO_TARGET_DIR:-target}")/windows"
work="$(mktemp -d)"
export WINEPREFIX="$work/wine" WINEDEBUG=-all WINEDLLOVERRIDES="mscoree,mshtml="
display=()
clean_up() {
  wineserver -k 2>/dev/null || true
  ((${#display[@]} == 0)) || kill "${display[@]}" 2>/dev/null || true
  rm -rf "$work"
}
trap clean_up EXIT
step() { printf '\n== %s\n' "$*"; }
fail() { printf 'FAILED: %s\n' "$*" >&2; exit 1; }

installer=("$target"/bundle/template-desk_*_x64-setup.exe)
[[ ${#installer[@]} == 1 && -f ${installer[0]} ]] || fail "no installer, or several, in $target/bundle: run make windows-package"
version="$(basename "${installer[0]}" | sed 's/template-desk_\(.*\)_x64-setup.exe/\1/')"
newer="${version%.*}.$((${version##*.} + 1))"
VERSION="$newer" OUTPUT="$work/newer.exe" packaging/windows/package.sh 2>/dev/null >&2

step "A version is signed and announced for apps that update themselves"
newest="${version%.*}.$((${version##*.} + 2))"
npx --yes "${TAURI_CLI:?name the Tauri CLI for npx}" signer generate --ci --password secret --write-keys "$work/key" >/dev/null
printf 'Faster lists.\n' >"$work/notes.txt"
VERSION="$newest" OUTPUT="$work/newest.exe" TAURI_SIGNING_PRIVATE_KEY_PATH="$work/key" TAURI_SIGNING_PRIVATE_KEY_PASSWORD=secret \
  DOWNLOADS=https://example.com/desk/ NOTES="$work/notes.txt" packaging/windows/package.sh >/dev/null 2>"$work/package.err" ||
  fail "$(<"$work/package.err")"
node - "$work/latest.json" "$newest" <<'END' || fail "it is not announced: $(<"$work/latest.json")"
const { version, notes, platforms } = JSON.parse(require("node:fs").readFileSync(process.argv[2], "utf8"));
const { url, signature } = platforms["windows-x86_64"];
const signed = Buffer.from(signature, "base64").toString();
const isSigned = signed.includes(`\tversion:${process.argv[3]}\n`);
process.exit(version === process.argv[3] && notes === "Faster lists." && url === "https://example.com/desk/newest.exe" && isSigned ? 0 : 1);
END

# Without a display Wine opens no windows.
unset DISPLAY WAYLAND_DISPLAY
wineboot --init >/dev/null 2>&1
x86_64-w64-mingw32-gcc -O2 -shared -o "$WINEPREFIX/drive_c/windows/system32/bcryptprimitives.dll" tests/wine/bcryptprimitives.c -ladvapi32
home="$WINEPREFIX/drive_c/users/$(id -un)"
programs="$home/AppData/Local/Programs/Template Desk"
data="$home/AppData/Local/app.template-desk"
link="$home/AppData/Roaming/Microsoft/Windows/Start Menu/Programs/Template Desk.lnk"
value() { wine reg query "HKCU\\Software\\$1" ${2:+/v "$2"} ${3:+/ve} 2>/dev/null | tr -d '\r' | sed -n 's/^.* REG_[A-Z]* *//p'; }
UNINSTALL='Microsoft\Windows\CurrentVersion\Uninstall\app.template-desk'
installed() { value "$UNINSTALL" DisplayVersion; }
# An uninstaller starts a copy of itself, and ends.
remove() {
  wine "$programs/uninstall.exe" /S "$@" || fail "the removal ended with $?"
  while pgrep --full 'Temp.~nsu' >/dev/null; do sleep 0.1; done
}

step "A silent installation"
wine "${installer[0]}" /S || fail "it ended with $?"
for file in template-desk.exe tdesk.exe WebView2Loader.dll icon.png LICENSE.txt CHANGELOG.txt uninstall.exe; do
  [[ -f $programs/$file ]] || fail "$file was not installed"
done
[[ -f $link ]] || fail "the start menu has no entry"
[[ $(installed) == "$version" ]] || fail "Windows lists version $(installed)"
[[ $(value 'Classes\template-desk\shell\open\command' '' yes) == *'template-desk.exe" "%1"' ]] || fail "links are not passed to the app"
[[ $(wine "$programs/tdesk.exe" --version | tr -d '\r') == "tdesk $version" ]] || fail "tdesk does not start"

step "An upgrade keeps the data"
mkdir -p "$data"
echo precious >"$data/desk.sqlite"
wine "$work/newer.exe" /S || fail "it ended with $?"
[[ $(installed) == "$newer" ]] || fail "Windows lists version $(installed)"
[[ $(<"$data/desk.sqlite") == precious ]] || fail "the data changed"

step "A downgrade is refused"
if wine "${installer[0]}" /S; then fail "it was installed"; fi
[[ $(installed) == "$newer" ]] || fail "Windows lists version $(installed)"

step "A running program is not replaced"
wine "$programs/tdesk.exe" sandbox --token test --workspace 0d7c2c1e-3b5f-4a37-9f2d-5a3c7f0f7a11 --listen 127.0.0.1:0 >"$work/sandbox.out" 2>&1 &
running=$!
until grep -q ready "$work/sandbox.out"; do kill -0 "$running" || fail "the sandbox ended: $(<"$work/sandbox.out")"; sleep 0.2; done
if wine "$work/newer.exe" /S; then fail "it was replaced"; fi

step "An update waits until the app has ended"
wine "$work/newest.exe" /S /UPDATE /ARGS template-desk://templates &
update=$!
sleep 3
[[ $(installed) == "$newer" ]] || fail "it was replaced"
kill "$running"
wait "$running" || true
wait "$update" || fail "it ended with $?"
[[ $(installed) == "$newest" ]] || fail "Windows lists version $(installed)"

step "A running program is not removed"
wine "$programs/tdesk.exe" sandbox --token test --workspace 0d7c2c1e-3b5f-4a37-9f2d-5a3c7f0f7a11 --listen 127.0.0.1:0 >"$work/sandbox.out" 2>&1 &
running=$!
until grep -q ready "$work/sandbox.out"; do kill -0 "$running" || fail "the sandbox ended: $(<"$work/sandbox.out")"; sleep 0.2; done
remove
[[ -f $programs/tdesk.exe && -f $programs/template-desk.exe && -n $(installed) ]] || fail "it was removed"
kill "$running"
wait "$running" || true
wineserver -k
wineserver -w

step "A removal leaves the data, and nothing else"
# As the app makes it when it starts at login.
wine reg add 'HKCU\Software\Microsoft\Windows\CurrentVersion\Run' /v 'Template Desk' /d template-desk.exe /f >/dev/null
remove
[[ -z $(value 'Microsoft\Windows\CurrentVersion\Run' 'Template Desk') ]] || fail "the app would start at login"
[[ ! -e $programs ]] || fail "files are left: $(ls "$programs")"
[[ ! -e $link ]] || fail "the start menu still has an entry"
[[ -z $(installed)$(value 'Classes\template-desk\shell\open\command' '' yes) ]] || fail "the registry still has entries"
[[ $(<"$data/desk.sqlite") == precious ]] || fail "the data is gone"

step "A removal with the data"
wine "${installer[0]}" /S
remove /REMOVEDATA
[[ ! -e $data ]] || fail "the data is still there"

step "The picture"
mkdir -p artifacts/windows
for number in $(seq 90 120); do [[ -e /tmp/.X$number-lock ]] || break; done
Xvfb ":$number" -screen 0 800x600x24 >/dev/null 2>&1 &
display+=($!)
until [[ -S /tmp/.X11-unix/X$number ]]; do sleep 0.1; done
# The server began without a display.
wineserver -k
wineserver -w
export DISPLAY=":$number"
wine "${installer[0]}" &
display+=($!)
for _ in $(seq 60); do xwininfo -root -tree | grep --quiet '"Template Desk' && break; sleep 0.5; done
sleep 2
xwd -root -silent | xwdtopnm -quiet | pnmtopng -quiet >artifacts/windows/installer.png
[[ -s artifacts/windows/installer.png ]] || fail "there is no picture"
wineserver -k
wineserver -w

step "An update as the app starts it asks nothing, and starts the new version"
wine "${installer[0]}" /S
[[ $(installed) == "$version" ]] || fail "Windows lists version $(installed)"
wine "$work/newest.exe" /P /UPDATE /R /ARGS || fail "it ended with $?"
[[ $(installed) == "$newest" ]] || fail "Windows lists version $(installed)"
for _ in $(seq 100); do pgrep --full 'Template Desk.template-desk\.exe' >/dev/null && break; sleep 0.1; done
pgrep --full 'Template Desk.template-desk\.exe' >/dev/null || fail "the new version was not started"
printf '\nall passed\n'
