#!/usr/bin/env bash
# Runs targets of the Makefile one after the other, those joined by + beside each other, and ends with a table of their
# seconds. Stops at the first that fails.
set -uo pipefail
cd "$(dirname "$0")/.."

phases=()
total=$SECONDS
result=0
for step in "$@"; do
  targets=("$step")
  [[ "$step" == */* ]] || IFS=+ read -ra targets <<<"$step"
  name=${step##*/}
  name=${name%.passed}
  [[ "$step" != ui/dist/index.html ]] || name=ui-build
  if [[ "$step" == */* ]] && "${MAKE:-make}" --question "$step"; then
    phases+=("$(printf '%-24s unchanged' "$name")")
    continue
  fi
  echo "== $name"
  started=$SECONDS
  together=()
  ((${#targets[@]} == 1)) || together=(--jobs=${#targets[@]} --keep-going --output-sync=target)
  "${MAKE:-make}" "${together[@]}" "${targets[@]}" || result=$?
  phases+=("$(printf '%-24s %6d s' "$name" $((SECONDS - started)))")
  if ((result)); then
    phases+=("                         ^ failed")
    break
  fi
done

echo
printf '%s\n' "${phases[@]}"
printf '%-24s %6d s\n' together $((SECONDS - total))
exit "$result"
