#!/usr/bin/env bash
# Runs targets of the Makefile by other clocks: just before and after midnight, on the last day of a year and on a leap day,
# where time differs by quarters of an hour from UTC, and where it has another day (clocks.txt). Each test program begins at
# that time. `make clocks` compiles first.
set -uo pipefail
export NO_COLOR=1
cd "$(dirname "$0")/.."

command -v faketime >/dev/null || {
  echo "faketime is missing: install the package of this name, then try again." >&2
  exit 1
}

failed=0
while IFS='|' read -r zone clock; do
  log="artifacts/clocks-${zone//\//-}-${clock//[ :]/-}.log"
  started=$SECONDS
  result=passed
  mkdir -p artifacts
  # Only the tests see that clock: compilers compare it with the times of files.
  if ! TZ=$zone TESTS_CLOCK="$clock" "${MAKE:-make}" --keep-going "$@" >"$log" 2>&1 </dev/null; then
    result="FAILED, see $log"
    failed=1
    grep -hE '^test .* \.\.\. FAILED$|^ *FAIL |^hangs: ' "$log" || tail -n 5 "$log"
  fi
  printf '%-20s %-20s %5d s  %s\n' "$zone" "$clock" $((SECONDS - started)) "$result"
done <tests/clocks.txt
exit "$failed"
