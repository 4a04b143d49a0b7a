#!/usr/bin/env bash
# Builds the fuzz targets, and runs each for FUZZ_SECONDS (60) on its corpus and seeds, and once on
# oversized inputs. Prints a table; fails if a target crashes, hangs or exceeds a limit.
#
#   FUZZ_SECONDS=600 tests/fuzz/run.sh delivery doctor     two targets, ten minutes each
#   FUZZ_FOLDER=…                                          folder of the corpus and of crashes, kept between runs
set -euo pipefail
cd "$(dirname "$0")"

seconds="${FUZZ_SECONDS:-60}"
host="$(rustc -vV | sed -n 's/^host: //p')"
built="${CARGO_TARGET_DIR:-../../target}/fuzz"
folder="$(realpath -m "${FUZZ_FOLDER:-$built/found}")"
memory=1024
slowest=30
all=(answer csv delivery doctor feed media merge signature template)
targets=("${@:-${all[@]}}")

# The compiler's coverage counters lead the engine. They go into code for the target alone (--target), so that build
# scripts and macros run as ever. Any stable compiler has them.
flags=(-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 -Cllvm-args=-sanitizer-coverage-inline-8bit-counters
  -Cllvm-args=-sanitizer-coverage-pc-table -Cllvm-args=-sanitizer-coverage-trace-compares)
RUSTFLAGS="${flags[*]}" CARGO_TARGET_DIR="$built" cargo build --locked --release --target "$host" \
  $(printf -- ' --bin %s' "${targets[@]}")

# Deep, repetitive and long inputs: time and memory must stay within the limits.
oversized="$folder/oversized"
mkdir -p "$oversized"
head -c 4000000 /dev/zero | tr '\0' '[' > "$oversized/arrays-deep"
yes '{"a":' | tr -d '\n' | head -c 4000000 > "$oversized/objects-deep" || true
{ printf '['; yes '0,' | tr -d '\n' | head -c 4194300 || true; printf '0]'; } > "$oversized/array-of-4-mb"
{ printf '{"object":"a","entry":['; yes '{"id":"1","changes":[{"field":"messages","value":{"statuses":[{}]}}]},' | tr -d '\n' | head -c 3999975 || true; printf 'null]}'; } > "$oversized/entries"
{ printf '{"object":"a","entry":[{"id":"1","changes":[{"field":"messages","value":{"statuses":['; yes '{"id":"wamid.1","status":"sent"},' | tr -d '\n' | head -c 3999968 || true; printf '{}]}}]}]}'; } > "$oversized/statuses"
{ printf '{"name":"a","language":"en","category":"MARKETING","components":['; yes '{"type":"BODY","text":"{{1}} {{2}}"},' | tr -d '\n' | head -c 1999994 || true; printf '{}]}'; } > "$oversized/components"
{ printf 'x-hub-signature-256: sha256=%064d\n\n{"text":"' 0; yes '\/\u00e9\u0041' | tr -d '\n' | head -c 262136 || true; printf '"}'; } > "$oversized/escapes"
head -c 4194304 /dev/zero > "$oversized/zeroes"
{ printf 'to,"'; yes '""' | tr -d '\n' | head -c 4194300 || true; } > "$oversized/quotes"

failed=()
rows=()
for target in "${targets[@]}"; do
  found="$folder/$target"
  mkdir -p "$found" "$folder/crashes"
  log="$folder/$target.log"
  program="$built/$host/release/$target"
  seeds=("seeds/$target")
  # The fixtures of the readers are seeds too.
  [[ "$target" == media ]] && seeds+=(../../src-tauri/crates/outgoing/tests/fixtures)
  limits=(-rss_limit_mb="$memory" -timeout="$slowest" -artifact_prefix="$folder/crashes/$target-" -verbosity=0)
  outcome=ok
  "$program" "${limits[@]}" "$oversized"/* > "$log" 2>&1 || outcome="fails on oversized input"
  if [[ "$outcome" == ok ]]; then
    options=(-max_total_time="$seconds" -print_final_stats=1 -max_len="$([[ "$target" == media ]] && echo 65536 || echo 16384)")
    [[ -e "dictionaries/$target" ]] && options+=(-dict="dictionaries/$target")
    "$program" "${limits[@]}" "${options[@]}" "$found" "${seeds[@]}" >> "$log" 2>&1 || outcome="crashes"
  fi
  statistic() { sed -n "s/^stat::$1: *//p" "$log" | tail -1; }
  rows+=("$target|$(statistic number_of_executed_units)|$(statistic average_exec_per_sec)|$(find "$found" -type f | wc -l)|$(statistic peak_rss_mb)|$outcome")
  if [[ "$outcome" != ok ]]; then
    failed+=("$target")
    tail -30 "$log" >&2
  fi
done

printf '\n%-10s %14s %10s %8s %8s  %s\n' target executions per-second inputs peak-MB outcome
printf '%s\n' "${rows[@]}" | while IFS='|' read -r target executions pace inputs peak outcome; do
  printf '%-10s %14s %10s %8s %8s  %s\n' "$target" "${executions:--}" "${pace:--}" "$inputs" "${peak:--}" "$outcome"
done
if (( ${#failed[@]} )); then
  echo "Inputs that fail are in $folder/crashes; run one again with: $built/$host/release/TARGET FILE" >&2
  exit 1
fi
