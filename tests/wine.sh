#!/usr/bin/env bash
# Runs the tests of everything but the window as Windows programs under Wine, after `make windows` or alone. Those that
# tests/wine/left-out.txt names are left out, each with its reason.
#
#   tests/wine.sh [CRATE…]   without a crate, all of them
set -uo pipefail
cd "$(dirname "$0")/.."
crates=("$@")
((${#crates[@]})) || crates=(command_types model outgoing provider_client receiver feed delivery_log sandbox template_files store cli app)

folder="$(realpath -m "${CARGO_TARGET_DIR:-target}")/windows"
export WINEPREFIX="$folder/wine" WINEDEBUG=-all WINEDLLOVERRIDES="mscoree,mshtml="
# Without a display Wine opens no windows.
unset DISPLAY WAYLAND_DISPLAY
system="$WINEPREFIX/drive_c/windows/system32"
mkdir -p "$WINEPREFIX"
[[ -d $system ]] || wineboot --init >/dev/null 2>&1 || { echo "Wine cannot make $WINEPREFIX" >&2; exit 1; }
compile() { x86_64-w64-mingw32-gcc -O2 -o "$system/$1" "${@:2}"; }
compile bcryptprimitives.dll -shared tests/wine/bcryptprimitives.c -ladvapi32 && compile kill.exe tests/wine/kill.c || exit

skip=()
while read -r name _; do
  [[ -z $name || $name == \#* ]] || skip+=(--skip "$name")
done <tests/wine/left-out.txt

packages=()
for crate in "${crates[@]}"; do packages+=(--package "$crate"); done
export CARGO_TARGET_X86_64_PC_WINDOWS_GNU_RUNNER="$PWD/tests/watch.sh wine" PROPTEST_RNG_SEED=${PROPTEST_RNG_SEED:-1}
packaging/windows/cargo.sh test --no-fail-fast "${packages[@]}" -- "${skip[@]}"
