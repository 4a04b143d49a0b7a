#!/usr/bin/env bash
# Fails on words to avoid in doc comments, documents and English screen texts. CONTRIBUTING.md lists the alternatives.
set -euo pipefail
cd "$(dirname "$0")/.."

words='anew|stands?|told|strangers?|blot|blots|blotted|courier|gossip|whoever|somebody|written down|for ever|judges?|lies? beside|on (its|their) way'

comments() { git ls-files -z -- 'src-tauri/*.rs' 'tests/*.rs' 'ui/src/*.ts' 'ui/src/*.tsx' 'ui/test/*.ts' 'ui/test/*.tsx'; }
texts() { git ls-files -z -- 'ui/src/locales/en/*.json' '*.md'; }

found="$(
  # Names in backticks are code.
  { comments | xargs -0 grep -HnE '^[[:space:]]*(///|//!|/\*\*|\* )'; texts | xargs -0 grep -Hn ''; } |
    sed 's/`[^`]*`//g' | grep -iE "^[^:]+:[0-9]+:.*\b($words)\b" || true
)"
if [[ -n "$found" ]]; then
  printf '%s\n' "$found"
  echo "Use the usual word instead: see “Words to avoid” in CONTRIBUTING.md." >&2
  exit 1
fi
