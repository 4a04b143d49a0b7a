#!/usr/bin/env bash
# Tests the Linux packages of `make package`: checks the metadata, then installs, starts, upgrades and removes the Debian
# package in a clean root of its own. Root and a Debian mirror are required.
#
#   tests/package.sh [FOLDER]   FOLDER: with deb/*.deb and rpm/*.rpm; without it, the bundle of the release build
#
#   PREVIOUS_DEB=FILE   package to upgrade from; without it, the same package with a lower version
#   CLEAN_ROOT=FILE     tar of a root to start from; without it, mmdebstrap builds one
#   SUITE=NAME          Debian release of the clean root; without it, that of this machine
set -euo pipefail
cd "$(dirname "$0")/.."
bundle="$(realpath "${1:-${CARGO_TARGET_DIR:-target}/release/bundle}")"
deb="$(echo "$bundle"/deb/*.deb)"
rpm="$(echo "$bundle"/rpm/*.rpm)"
[[ -f "$deb" && -f "$rpm" ]] || { echo "No packages in $bundle: run make package first." >&2; exit 1; }
(( EUID == 0 )) || { echo "A clean root needs root: run sudo tests/package.sh." >&2; exit 1; }
# Mounts and processes of the test end with it.
[[ -n "${PACKAGE_TEST_INSIDE:-}" ]] ||
  PACKAGE_TEST_INSIDE=1 exec unshare --mount --pid --fork --kill-child --mount-proc "$0" "$@"

step() { printf '\n== %s\n' "$*"; }
fail() { printf 'FAILED: %s\n' "$*" >&2; exit 1; }

work="$(mktemp -d)"
clean_up() {
  umount --recursive --lazy "$work/root" 2>/dev/null || true
  rm -rf --one-file-system "$work"
}
trap clean_up EXIT
version="$(dpkg-deb --field "$deb" Version)"

step "The content of the Debian package"
dpkg-deb --extract "$deb" "$work/files"
(cd "$work/files" && find . -type f | sort) >"$work/deb.list"
share="$work/files/usr/share"
for size in 16 22 24 32 48 64 128 256 512; do
  icon="$share/icons/hicolor/${size}x$size/apps/template-desk.png"
  [[ "$(file --brief "$icon")" == "PNG image data, $size x $size,"* ]] || fail "the icon $icon is not $size pixels wide"
done
for program in template-desk tdesk; do
  ! grep --quiet --text 'cache\.applied' "$work/files/usr/bin/$program" || fail "$program has failpoints, at which tests end it"
done
appstreamcli validate --no-net "$share"/metainfo/*.metainfo.xml
grep -q "<release version=\"$version\"" "$share"/metainfo/*.metainfo.xml || fail "the AppStream data lacks $version"
entry="$share/applications/template-desk.desktop"
desktop-file-validate "$entry"
grep -qx 'MimeType=x-scheme-handler/template-desk;' "$entry" || fail "the scheme of links is not registered"
# Without the field code the desktop starts the app, but does not pass the link.
grep -qx 'Exec=template-desk %u' "$entry" || fail "links are not passed to the app: $(grep '^Exec' "$entry")"
bash -n "$share/bash-completion/completions/tdesk"
for page in "$share"/man/man1/*.gz; do
  warnings="$(LC_ALL=C.UTF-8 MANROFFSEQ= MANWIDTH=80 man --warnings --local-file "$page" 2>&1 >/dev/null)"
  [[ -z "$warnings" ]] || fail "$page: $warnings"
done
commands="$("$work/files/usr/bin/tdesk" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' | grep -v '^help$')"
for command in $commands; do
  [[ -f "$share/man/man1/tdesk-$command.1.gz" ]] || fail "tdesk $command has no man page"
done
# The page of the app is written by hand.
for variable in $("$work/files/usr/bin/template-desk" --help | grep --only-matching 'TEMPLATE_DESK_[A-Z_]*'); do
  zgrep -q "$variable" "$share/man/man1/template-desk.1.gz" || fail "template-desk(1) lacks $variable"
done
lintian --allow-root --fail-on error,warning "$deb"

step "The same content in the RPM package"
rpm --checksig --nosignature "$rpm"
rpm --query --package --list "$rpm" | sed 's/^/./' | grep -v '/zsh/site-functions/' | sort >"$work/rpm.list"
diff "$work/deb.list" "$work/rpm.list" || fail "the packages have different files"

step "A clean root"
root="$work/root"
mkdir "$root"
mount -t tmpfs -o size=4G,mode=755 clean-root "$root"
if [[ -n "${CLEAN_ROOT:-}" ]]; then
  tar --extract --file "$CLEAN_ROOT" --directory "$root"
else
  suite="${SUITE:-$(. /etc/os-release && echo "$VERSION_CODENAME")}"
  mmdebstrap --quiet --variant=minbase --include=ca-certificates "$suite" "$root"
fi
mount -t proc proc "$root/proc"
mkdir -p "$root/dev/shm" "$root/packages"
mount --rbind /dev "$root/dev"
cp /etc/resolv.conf "$root/etc/resolv.conf"
cp "$deb" "$root/packages/new.deb"

# The version before, with a file that the new one no longer has.
if [[ -n "${PREVIOUS_DEB:-}" ]]; then
  cp "$PREVIOUS_DEB" "$root/packages/old.deb"
else
  dpkg-deb --raw-extract "$deb" "$work/old"
  sed -i "s/^Version: .*/Version: 0.0.0~previous/" "$work/old/DEBIAN/control"
  touch "$work/old/usr/share/doc/template-desk/dropped"
  dpkg-deb --root-owner-group -Zgzip -z1 --build "$work/old" "$root/packages/old.deb" >/dev/null
fi
old="$(dpkg-deb --field "$root/packages/old.deb" Version)"
dpkg --compare-versions "$old" lt "$version" || fail "$old is not lower than $version"

inside() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 "$@"; }
as_person() { inside setpriv --reuid=person --regid=person --clear-groups env HOME=/home/person "$@"; }

step "Install $old"
inside apt-get update -qq
inside apt-get install -y -qq --no-install-recommends /packages/old.deb >"$work/install.log" 2>&1 ||
  { tail -n 30 "$work/install.log"; fail "the package does not install"; }
inside apt-get install -y -qq --no-install-recommends xvfb xauth dbus man-db >"$work/tools.log" 2>&1 ||
  { tail -n 30 "$work/tools.log"; fail "the tools of the test do not install"; }
inside useradd --create-home person
[[ "$(inside template-desk --version)" == template-desk\ * && "$(inside tdesk --version)" == tdesk\ * ]] ||
  fail "the programs do not run"
inside sh -c 'ls /etc/systemd/system/*.wants/tdesk-receive* 2>/dev/null' && fail "a receiver is enabled"

# Other units that it names are not in the root.
systemd-analyze verify --man=no --recursive-errors=no --root="$root" tdesk-receive@shop.service
systemd-analyze security --offline=yes --threshold=15 --root="$root" tdesk-receive@shop.service >"$work/unit.log" ||
  { cat "$work/unit.log"; fail "the unit has more rights than it had"; }

# Starts the app, waits until its window is shown, and ends it as a desktop session does.
data="$root/home/person/.local/share/app.template-desk"
start_app() {
  local log="$work/app.log" pid ended=0
  : >"$log"
  as_person dbus-run-session -- xvfb-run --auto-servernum --server-args="-screen 0 1280x900x24" template-desk \
    >"$log" 2>&1 &
  pid=$!
  for _ in $(seq 600); do
    grep -q 'the app starts' "$log" && [[ -s "$data/desk.sqlite" && -s "$data/cache.sqlite" ]] &&
      pgrep -x WebKitWebProces >/dev/null && break
    kill -0 "$pid" 2>/dev/null || break
    sleep 0.2
  done
  pgrep -x WebKitWebProces >/dev/null || { cat "$log"; fail "the window does not open"; }
  kill -TERM "$(pgrep -x template-desk | head -n 1)"
  wait "$pid" || ended=$?
  (( ended == 0 )) || { cat "$log"; fail "the app ended with $ended"; }
  ! grep -E ' ERROR |panicked' "$log" || fail "the app logged an error"
}

step "Start it, and receive a delivery"
start_app
inbox=/var/lib/tdesk/shop/inbox.sqlite
inside mkdir -p /var/lib/tdesk/shop /etc/tdesk
echo package-test-secret >"$root/etc/tdesk/shop.secret"
deliver() {
  local body="$1" log="$work/receive.log" url pid signature
  : >"$log"
  # The arguments of the unit.
  inside env TDESK_RECEIVE_STORE=--database=/var/lib/tdesk/shop/inbox.sqlite CREDENTIALS_DIRECTORY=/etc/tdesk \
    sh -c "$(sed -n 's/^ExecStart=/exec /p' "$work/files/usr/lib/systemd/system/tdesk-receive@.service" |
      sed 's#/webhook-secret#/shop.secret#; s/\$TDESK_RECEIVE_OPTIONS/--listen=127.0.0.1:0/')" \
    >"$log" 2>&1 &
  pid=$!
  for _ in $(seq 300); do
    url="$(sed -n 's/.*"listening":"\([^"]*\)".*/\1/p' "$log")"
    [[ -z "$url" ]] || break
    sleep 0.1
  done
  [[ -n "$url" ]] || { cat "$log"; fail "the receiver does not start"; }
  signature="$(printf %s "$body" | openssl dgst -sha256 -hmac package-test-secret | sed 's/.*= //')"
  [[ "$(curl -sS --noproxy '*' -o /dev/null -w '%{http_code}' -H "X-Hub-Signature-256: sha256=$signature" \
    --data-binary "$body" "$url/webhook")" == 200 ]] || { cat "$log"; fail "the delivery is not accepted"; }
  kill -TERM "$(pgrep -x tdesk)"
  wait "$pid" || fail "the receiver ended with $?"
}
delivery() {
  printf '{"object":"messaging_business_account","entry":[{"id":"1","changes":[{"field":"messages","value":%s}]}]}' \
    "{\"messaging_product\":\"messaging\",\"metadata\":{\"display_phone_number\":\"15550783881\",\"phone_number_id\":\"1\"},\"statuses\":[{\"id\":\"$1\",\"status\":\"sent\",\"timestamp\":\"1750030073\",\"recipient_id\":\"16505551234\"}]}"
}
deliver "$(delivery before-the-upgrade)"
list() { (cd "$data" && find . -type f -name '*.sqlite' | sort); }
list >"$work/data.before"
[[ -s "$work/data.before" ]] || fail "the app has no data"

step "Upgrade to $version"
inside apt-get install -y -qq --no-install-recommends /packages/new.deb >"$work/upgrade.log" 2>&1 ||
  { tail -n 30 "$work/upgrade.log"; fail "the package does not upgrade"; }
[[ "$(inside dpkg-query --show --showformat='${Version} ${db:Status-Status}' template-desk)" == "$version installed" ]] ||
  fail "the version before is still installed"
[[ ! -e "$root/usr/share/doc/template-desk/dropped" ]] || fail "a file of the version before is left"
inside dpkg --verify template-desk
start_app
list | diff "$work/data.before" - || fail "the upgrade lost data"
deliver "$(delivery after-the-upgrade)"
events="$(inside tdesk events --database "$inbox")"
[[ "$events" == *before-the-upgrade*after-the-upgrade* ]] || fail "the upgrade lost deliveries: $events"

step "Remove and purge"
inside dpkg --listfiles template-desk | while read -r path; do
  if [[ ! -d "$root$path" ]]; then echo "$path"; fi
done >"$work/files.list"
inside apt-get remove -y -qq template-desk >"$work/remove.log" 2>&1 || { cat "$work/remove.log"; fail "it is not removed"; }
while read -r path; do
  [[ ! -e "$root$path" ]] || fail "$path is left"
done <"$work/files.list"
inside apt-get purge -y -qq template-desk >"$work/purge.log" 2>&1 || { cat "$work/purge.log"; fail "it is not purged"; }
[[ -z "$(inside dpkg-query --show --showformat='${db:Status-Status}' template-desk 2>/dev/null)" ]] || fail "dpkg still lists it"
list | diff "$work/data.before" - || fail "the data of the person is gone"
[[ -s "$root$inbox" && -s "$root/etc/tdesk/shop.secret" ]] || fail "the deliveries are gone"

printf '\nInstalled, started, upgraded from %s to %s with data, and removed.\n' "$old" "$version"
