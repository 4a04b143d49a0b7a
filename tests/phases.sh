#!/usr/bin/env bash
# Runs targets of the Makefile one after the other, and ends with a table of their seconds. Stops at the first that fails.
set -uo pipefail
cd "$(dirname "$0")/.."

phases=()
total=$SECONDS
result=0
for target in "$@"; do
  echo "== $target"
  started=$SECONDS
  "${MAKE:-make}" "$target" || result=$?
  phases+=("$(printf '%-16s %6d s' "$target" $((SECONDS - started)))")
  if ((result)); then
    phases+=("                 ^ failed")
    break
  fi
done

echo
printf '%s\n' "${phases[@]}"
printf '%-16s %6d s\n' together $((SECONDS - total))
exit "$result"
