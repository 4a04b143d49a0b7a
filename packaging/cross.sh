# Sourced by the scripts that compile for another system on Linux.

# Warnings of this project are errors; the flag is not stable yet.
export CARGO_BUILD_WARNINGS=deny RUSTC_BOOTSTRAP=1 CARGO_INCREMENTAL=0

# cross_cargo TARGET COMMAND ARGUMENTS…: with a toolchain that has the target (rustup target add TARGET), that is used;
# otherwise the compiler and the sources of the standard library from Debian, from which the library is built.
cross_cargo() {
  local target="$1" command="$2" library=()
  shift 2
  if [[ ! -d "$(rustc --print sysroot)/lib/rustlib/$target/lib" ]]; then
    export RUSTC=/usr/bin/rustc
    [[ -x $RUSTC && -d "$($RUSTC --print sysroot)/lib/rustlib/src/rust/library" ]] || {
      echo "No standard library for $target: run rustup target add $target, or install rustc-web and rust-web-src of Debian." >&2
      return 1
    }
    library=(-Zbuild-std=std,panic_unwind)
  fi
  cargo "$command" -Zwarnings "${library[@]}" --target "$target" --locked "$@"
}
