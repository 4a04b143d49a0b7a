#!/usr/bin/env bash
# Signs a file for apps that update themselves, and announces it in latest.json beside it. A latest.json of the same version keeps
# its other systems.
#
#   packaging/announce.sh VERSION SYSTEM FILE   SYSTEM: windows-x86_64, linux-x86_64-appimage, darwin-aarch64, …
#
#   TAURI_SIGNING_PRIVATE_KEY=KEY or TAURI_SIGNING_PRIVATE_KEY_PATH=FILE, and TAURI_SIGNING_PRIVATE_KEY_PASSWORD
#   DOWNLOADS=https://EXAMPLE/FOLDER   where FILE will be
#   NOTES=FILE   what is new, as plain text
#   PAGE=https://EXAMPLE/PAGE   for copies that do not replace themselves, on the host of latest.json
#   TAURI_CLI    name and version for npx
set -euo pipefail
version="$1" system="$2" file="$3"
: "${DOWNLOADS:?name the address of the folder that the file will be in}" "${TAURI_CLI:?name the Tauri CLI for npx}"
export TAURI_SIGNING_PRIVATE_KEY_PASSWORD="${TAURI_SIGNING_PRIVATE_KEY_PASSWORD-}"
# The signature names the version, without which apps refuse it.
npx --yes "$TAURI_CLI" signer sign --app-version "$version" "$file" >/dev/null
FILE="$file" VERSION="$version" SYSTEM="$system" node - <<'END'
const { existsSync, readFileSync, writeFileSync } = require("node:fs");
const { basename, dirname, join } = require("node:path");
const { FILE, VERSION, SYSTEM, DOWNLOADS, NOTES, PAGE, SOURCE_DATE_EPOCH } = process.env;
const path = join(dirname(FILE), "latest.json");
const before = existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {};
const url = `${DOWNLOADS.replace(/\/$/, "")}/${encodeURIComponent(basename(FILE))}`;
const signature = readFileSync(`${FILE}.sig`, "utf8").trim();
const date = SOURCE_DATE_EPOCH ? new Date(Number(SOURCE_DATE_EPOCH) * 1000) : new Date();
const latest = {
  version: VERSION,
  notes: NOTES ? readFileSync(NOTES, "utf8").trim() : (before.version === VERSION && before.notes) || "",
  pub_date: date.toISOString(),
  ...(PAGE && { page: PAGE }),
  platforms: { ...(before.version === VERSION && before.platforms), [SYSTEM]: { url, signature } },
};
writeFileSync(path, `${JSON.stringify(latest, null, 2)}\n`);
console.log(path);
END
