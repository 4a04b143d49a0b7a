#!/usr/bin/env bash
# Runs the window tests N times, then all other tests N / 2 times, each second run beside two busy loops and a busy disk. The
# other tests run by each clock of clocks.txt before they run by the real one; the files of the UI tests come in another order
# each time. The second argument limits the runs to `window` or to `others`.
# Prints how often which test failed; what failed runs left is in artifacts/flakes. `make flakes` compiles first.
set -uo pipefail
export NO_COLOR=1
# A load is a process group, so that it ends with what it started.
set -m
cd "$(dirname "$0")/.."
readonly RUNS=${1:-20}
readonly PART=${2:-}
[[ $PART =~ ^(window|others)?$ ]] || { echo "PART is window or others." >&2; exit 2; }
((RUNS > 1)) || { echo "At least two runs, one of them beside load." >&2; exit 2; }
readonly KEPT=artifacts/flakes

rm -rf "$KEPT"
mkdir -p "$KEPT"
load=()
folder=$(mktemp -d)
trap 'stop_load; rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM

start_load() {
  for _ in 1 2; do
    (while :; do :; done) &
    load+=($!)
  done
  (while :; do dd if=/dev/zero of="$folder/load" bs=1M count=256 conv=fdatasync status=none; done) &
  load+=($!)
}

stop_load() {
  ((${#load[@]})) && kill -- "${load[@]/#/-}" 2>/dev/null; wait "${load[@]}" 2>/dev/null
  load=()
}

failed=0
# run NUMBER TARGET…: one run of targets of the Makefile, by the clock of TZ and TESTS_CLOCK.
run() {
  local number=$1 log seed=$RANDOM started=$SECONDS beside="" result=passed
  shift
  log="$KEPT/$1-$number.log"
  if ((number % 2 == 0)); then
    start_load
    beside=" beside load"
  fi
  rm -rf artifacts/window
  if ! PROPTEST_RNG_SEED=$seed "${MAKE:-make}" --keep-going "$@" UI_TESTS="--sequence.shuffle.files --sequence.seed=$seed" >"$log" 2>&1; then
    result="FAILED (seed $seed)"
    failed=$((failed + 1))
    [[ ! -d artifacts/window ]] || cp -r artifacts/window "$KEPT/$1-$number"
  fi
  stop_load
  printf '%-12s run %2d%-12s %5d s  %s\n' "$1" "$number" "$beside" $((SECONDS - started)) \
    "$result${TESTS_CLOCK:+, $TZ $TESTS_CLOCK}"
}

runs_of_window() {
  local number
  for ((number = 1; number <= RUNS; number++)); do
    run "$number" window-test
  done
}

runs_of_others() {
  local number clock clocks
  mapfile -t clocks <tests/clocks.txt
  for ((number = 1; number <= RUNS / 2; number++)); do
    if ((number <= ${#clocks[@]})); then
      clock=${clocks[number - 1]}
      TZ=${clock%|*} TESTS_CLOCK=${clock#*|} run "$number" rust-test ui-test
    else
      run "$number" rust-test ui-test
    fi
  done
}

[[ $PART == others ]] || runs_of_window
[[ $PART == window ]] || runs_of_others

echo
if ((failed)); then
  echo "failures, and the test:"
  grep -hE '^test .* \.\.\. FAILED$|^ *FAIL |^hangs: | hangs: ' "$KEPT"/*.log | sed -E 's/^test (.*) \.\.\. FAILED$/\1/; s/^ *FAIL +//' |
    sort | uniq -c | sort -rn
  echo "all logs: $KEPT"
  exit 1
fi
echo "no run failed"
