#!/usr/bin/env bash
# Checks the types of the app and of tdesk for macOS on Linux, for both processors; nothing is linked. The C parts are compiled by
# zig, of PyPI's package ziglang. The target folder is target/macos.
#
#   packaging/macos/check.sh aarch64   only this processor
set -euo pipefail
cd "$(dirname "$0")/../.."
source packaging/cross.sh
readonly ZIG=0.15.1
CARGO_TARGET_DIR="$(realpath -m "${CARGO_TARGET_DIR:-target}")/macos"
export CARGO_TARGET_DIR
# There is no SDK of Apple: asking xcrun for one would fail.
export SDKROOT=/
tools="$CARGO_TARGET_DIR/tools"
if [[ "$("$tools/bin/python" -m ziglang version 2>/dev/null)" != "$ZIG" ]]; then
  python3 -m venv --clear "$tools"
  "$tools/bin/python" -m pip install --quiet "ziglang==$ZIG"
fi

# wrapper NAME ARGUMENTS…: zig under the name of a tool. It names processors in its own way, and refuses options of Apple's compiler.
wrapper() {
  cat >"$tools/$1" <<SCRIPT
#!/usr/bin/env bash
arguments=()
skip=
for argument in "\$@"; do
  if [[ \$skip ]]; then skip=; continue; fi
  case \$argument in
    --target=* | -mmacosx-version-min=* | -gdwarf-2) ;;
    -arch | -target | -isysroot) skip=1 ;;
    *) arguments+=("\$argument") ;;
  esac
done
exec "$tools/bin/python" -m ziglang ${*:2} "\${arguments[@]}"
SCRIPT
  chmod +x "$tools/$1"
}
wrapper ar ar

(( $# )) || set -- aarch64 x86_64
for processor in "$@"; do
  target="$processor-apple-darwin"
  name="${target//-/_}"
  wrapper "cc-$processor" cc -target "$processor-macos"
  export "CC_$name=$tools/cc-$processor" "AR_$name=$tools/ar"
  echo "Checking for $target"
  cross_cargo "$target" check --features custom-protocol --package template-desk --package cli
done
