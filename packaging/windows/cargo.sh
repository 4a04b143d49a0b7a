#!/usr/bin/env bash
# Runs cargo for Windows on Linux: packaging/windows/cargo.sh build --release … Its target folder is target/windows.
#
# With a toolchain that has the target (rustup target add x86_64-pc-windows-gnu), that is used; otherwise the compiler and the
# sources of the standard library from Debian, from which the library is built.
set -euo pipefail
cd "$(dirname "$0")/../.."
readonly TARGET=x86_64-pc-windows-gnu
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-target}/windows" CARGO_INCREMENTAL=0
export CC_x86_64_pc_windows_gnu=x86_64-w64-mingw32-gcc AR_x86_64_pc_windows_gnu=x86_64-w64-mingw32-ar
export CARGO_TARGET_X86_64_PC_WINDOWS_GNU_LINKER=x86_64-w64-mingw32-gcc
# Warnings of this project are errors; the flag is not stable yet.
export CARGO_BUILD_WARNINGS=deny RUSTC_BOOTSTRAP=1

command="$1"
shift
library=()
if [[ ! -d "$(rustc --print sysroot)/lib/rustlib/$TARGET/lib" ]]; then
  export RUSTC=/usr/bin/rustc
  [[ -x $RUSTC && -d "$($RUSTC --print sysroot)/lib/rustlib/src/rust/library" ]] || {
    echo "No standard library for Windows: run rustup target add $TARGET, or install rustc-web and rust-web-src of Debian." >&2
    exit 1
  }
  library=(-Zbuild-std=std,panic_unwind)
fi
exec cargo "$command" -Zwarnings "${library[@]}" --target "$TARGET" --locked "$@"
