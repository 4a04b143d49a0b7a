#!/usr/bin/env bash
# Runs test programs, as Cargo's runner and for Vitest: ends one that printed nothing for five and a half minutes, and names
# the tests that still run. The tests of the window end earlier by themselves, with pictures and logs.
set -uo pipefail
readonly SILENCE=330

# The clock of `make clocks`. Files keep their times, and timers run as always.
if [[ -n "${TESTS_CLOCK:-}" ]]; then
  export FAKETIME_DONT_RESET=1 NO_FAKE_STAT=1
  set -- faketime -m --exclude-monotonic -f "@$TESTS_CLOCK" "$@"
fi

# A process group of its own, so that what the tests started ends with it.
pipe=$(mktemp -u)
mkfifo "$pipe"
set -m
"$@" >"$pipe" 2>&1 </dev/null &
group=$!
exec {output}<"$pipe"
rm "$pipe"
trap 'kill -TERM -- "-$group" 2>/dev/null; exit 143' INT TERM

declare -A running=()
while true; do
  IFS= read -r -t "$SILENCE" -u "$output" line
  status=$?
  if ((status > 128)); then
    printf '%s\nhangs: no output for %d s; still running: %s\n' "$line" "$SILENCE" "${!running[*]}"
    kill -KILL -- "-$group"
    exit 101
  fi
  # The end of the output, perhaps with an unfinished line.
  if ((status)); then
    printf '%s' "$line"
    break
  fi
  printf '%s\n' "$line"
  case $line in
    'test '*' has been running for over '*) line=${line#test }; running[${line%% *}]=1 ;;
    'test '*' ... '*) line=${line#test }; unset "running[${line%% *}]" ;;
  esac
done
wait "$group"
