#!/usr/bin/env bash
# Runs cargo for Windows on Linux: packaging/windows/cargo.sh build --release … Its target folder is target/windows.
set -euo pipefail
cd "$(dirname "$0")/../.."
source packaging/cross.sh
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-target}/windows"
export CC_x86_64_pc_windows_gnu=x86_64-w64-mingw32-gcc AR_x86_64_pc_windows_gnu=x86_64-w64-mingw32-ar
export CARGO_TARGET_X86_64_PC_WINDOWS_GNU_LINKER=x86_64-w64-mingw32-gcc
cross_cargo x86_64-pc-windows-gnu "$@"
