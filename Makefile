# Template Desk. Every target first installs its missing prerequisites.
#
#   make run       build and open the app
#   make test      run all required checks: lints, unit, integration and window tests; ends with the seconds of each phase
#   make verify    run what a release needs: make test, all fault tests, a minute of each fuzz target, the package test, and
#                  what Linux can tell of Windows and macOS
#   make flakes    run the tests again and again, every second time beside a busy processor and disk, and count the tests
#                  that failed; N=20 runs of the window tests, half as many of the others, the first six of these by other clocks;
#                  PART=window or PART=others runs only these
#   make clocks    run the tests of Rust and of the UI at other dates and in other time zones
#   make bench     run the benchmarks, as ratios to a baseline of the same run; BENCH="P1 P2" selects rows, PEERS=1 also
#                  installs and measures small receivers in Express, FastAPI and axum
#   make faults    run all fault tests: kills, stalls, full disks, damage, overload; FAULT_ROUNDS=10 runs fewer rounds
#   make fuzz      fuzz every parser of external input; FUZZ_SECONDS=600 for longer than 60 s per target
#   make screenshots  take the pictures and the clip of the README in the built-in sandbox
#   make baseline  take the pictures again that the window test compares key screens with
#   make package   build Debian and RPM packages of the release build in target/release/bundle
#   make package-test  install, start, upgrade and remove the package in a clean root; as root, after make package
#   make flatpak   make a Flatpak of the Debian package; make flatpak-test installs and starts one, as root
#   make windows   build template-desk.exe and tdesk.exe on Linux; make windows-test runs the tests without a window under Wine
#   make windows-package  make the installer for Windows, then install, upgrade and remove it under Wine
#   make macos-check  check the types of the app and of tdesk for macOS on Linux
#   make sbom      list what the release contains in artifacts/sbom.cdx.json (CycloneDX)
#   make bindings  regenerate the TypeScript contract of the commands
#   make lint      run formatting checks and lints; compiles everything
#   make format    format everything
#   make audit     check the dependencies for known vulnerabilities; needs the network, so it is not part of make test

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-print-directory

# The same features for lints, tests and the app, so that shared code is compiled once.
FEATURES := --features custom-protocol

# Debian packages to build and run, and additional ones for the tests.
APT_RUN := build-essential ca-certificates pkg-config libwebkit2gtk-4.1-dev fonts-noto-color-emoji zenity
APT_TEST := at-spi2-core webkit2gtk-driver xvfb dbus dbus-bin gnome-keyring postgresql weston
APT_WINDOWS := gcc-mingw-w64-x86-64 rustc-web rust-web-src
APT_WINE := netpbm nsis osslsigncode wine wine64 x11-apps x11-utils xvfb
APT_MACOS := python3-venv rustc-web rust-web-src
APT_FLATPAK := flatpak flatpak-builder
APT_PACKAGE_TEST := appstream curl desktop-file-utils file lintian man-db mmdebstrap openssl procps rpm systemd

# The Tauri CLI is needed only to build packages, so it is not a dependency of the UI.
TAURI_CLI := @tauri-apps/cli@2.12.4

# What the page is made from. Folders show that a file was removed.
UI_SOURCES := $(shell find ui/src docs/user-guide.md docs/pt-BR docs/es -not -name "*.test.*") $(wildcard ui/*.*)

# Tests are compiled by clippy's compiler, which also lints: every crate is compiled once, and what is compiled is what
# runs. Cargo compiles crates again for other packages, features or compilers, so all phases pass the same.
TESTS := --workspace $(FEATURES)
CHECKED := RUSTC_WORKSPACE_WRAPPER=clippy-driver CLIPPY_ARGS=-Dwarnings__CLIPPY_HACKERY__
BUILT := $(or $(CARGO_TARGET_DIR),target)/debug
# Ends a test that hangs. Property tests use the same input in each run; fuzzing and `make flakes` try others.
RUN_TESTS := PROPTEST_RNG_SEED=$${PROPTEST_RNG_SEED:-1} $(CHECKED) cargo test --locked $(TESTS) --no-fail-fast --config "target.'cfg(unix)'.runner = ['$(CURDIR)/tests/watch.sh']"

.PHONY: help run test verify flakes clocks bench faults fuzz screenshots baseline package package-test sbom bindings lint format \
    flatpak flatpak-test windows windows-test windows-package macos-check audit setup setup-run setup-tools ui-lint format-check rust-build bindings-check ui-test rust-test window-test clean

help:
	@sed -n 's/^#   //p' Makefile

## Setting up

setup-tools:
	@command -v cargo >/dev/null || { echo "Rust is missing: install it from https://rustup.rs, then try again." >&2; exit 1; }
	@command -v npm >/dev/null || { echo "Node.js is missing: install version 20.19 or newer, then try again." >&2; exit 1; }
	@node -e 'const [a, b] = process.versions.node.split(".").map(Number); if (a < 20 || (a === 20 && b < 19)) { console.error(`Node.js $${process.versions.node} is too old: install version 20.19 or newer.`); process.exit(1); }'

# $(call apt,PACKAGES): installs the missing packages on systems with apt-get.
define apt
	@missing=(); \
	if command -v dpkg-query >/dev/null && command -v apt-get >/dev/null; then \
	  for package in $(1); do \
	    [[ "$$(dpkg-query -W -f='$${db:Status-Status}' "$$package" 2>/dev/null || true)" == installed ]] || missing+=("$$package"); \
	  done; \
	  if (( $${#missing[@]} )); then \
	    root=(); \
	    if (( EUID )); then \
	      command -v sudo >/dev/null || { echo "Install these packages as root, then try again: $${missing[*]}" >&2; exit 1; }; \
	      root=(sudo); \
	    fi; \
	    echo "Installing $${missing[*]}"; \
	    "$${root[@]}" apt-get update -qq; \
	    "$${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$${missing[@]}"; \
	  fi; \
	else \
	  echo "No apt-get here; these Debian packages, or what they are called here, are expected: $(1)" >&2; \
	fi
endef

setup-run: setup-tools
	$(call apt,$(APT_RUN))

setup: setup-tools
	$(call apt,$(APT_RUN) $(APT_TEST))

ui/node_modules/.package-lock.json: ui/package-lock.json ui/package.json
	cd ui && npm ci --no-audit --no-fund
	@touch $@

ui/dist/index.html: ui/node_modules/.package-lock.json $(UI_SOURCES)
	cd ui && npm run build
	@touch $@

## Running

run: setup-run ui/dist/index.html
	cargo run --locked $(FEATURES)

# Receivers to compare with, installed in the build folder.
PEERS_FROM := src-tauri/crates/bench/peers
PEERS_TO := target/peers
BENCH_PEERS := $(if $(PEERS),--peers $(PEERS_TO))

$(PEERS_TO)/express/node_modules: $(wildcard $(PEERS_FROM)/express/*)
	mkdir -p $(PEERS_TO)/express && cp $^ $(PEERS_TO)/express
	cd $(PEERS_TO)/express && npm ci --no-audit --no-fund
	@touch $@

$(PEERS_TO)/fastapi/receiver.py: $(wildcard $(PEERS_FROM)/fastapi/*)
	python3 -m venv $(PEERS_TO)/fastapi
	$(PEERS_TO)/fastapi/bin/pip install --quiet --requirement $(PEERS_FROM)/fastapi/requirements.txt
	cp $(PEERS_FROM)/fastapi/receiver.py $@

# The last measure starts `tdesk` as its provider.
bench: setup ui/dist/index.html $(if $(PEERS),$(PEERS_TO)/express/node_modules $(PEERS_TO)/fastapi/receiver.py)
	cargo run --locked --quiet --release --package bench -- $(BENCH) $(BENCH_PEERS)
	cargo run --locked --quiet --release --package receiver --example constant_time
	cargo build --locked --quiet --release --package cli
	cargo test --locked --quiet --release $(FEATURES) --test integration -- --ignored --nocapture keystroke start_cost

# The pictures of the README, from the built-in sandbox.
screenshots: setup rust-build
	$(CHECKED) cargo test --locked $(TESTS) --test integration -- --ignored readme_pictures

baseline: setup rust-build
	TEMPLATE_DESK_RENEW_BASELINE=1 $(CHECKED) cargo test --locked $(TESTS) --test integration -- visual::

# One test at a time, so that each has the machine to itself. Mounting a small file system requires root; without root, a
# simulated full disk replaces it.
faults: setup
	$(call apt,pgbouncer faketime)
	cargo test --locked --profile faults --package app --test integration -- --ignored --nocapture --test-threads=1 full_
	cargo test --locked --profile faults --package cli --test integration -- --ignored --nocapture full_

# A separate workspace with its own lock file; the C++ compiler builds the fuzzing engine from source.
fuzz: setup-run
	tests/fuzz/run.sh $(FUZZ)

package: setup-run ui/dist/index.html
	packaging/build.sh $(TAURI_CLI)

package-test: setup-tools
	$(call apt,$(APT_PACKAGE_TEST))
	tests/package.sh

flatpak: setup-tools
	$(call apt,$(APT_FLATPAK))
	packaging/flatpak/build.sh

flatpak-test: setup-tools
	$(call apt,$(APT_FLATPAK) $(APT_PACKAGE_TEST) dbus xauth xvfb)
	tests/flatpak.sh

# Built with the standard library of rustup's target if it is installed, and otherwise with that of Debian's sources.
windows: setup-tools ui/dist/index.html
	$(call apt,$(APT_WINDOWS))
	packaging/windows/cargo.sh build --release $(FEATURES) --package template-desk --package cli --bins

windows-test: setup-tools ui/dist/index.html
	$(call apt,$(APT_WINDOWS) $(APT_WINE))
	tests/wine.sh $(CRATES)

windows-package: windows
	$(call apt,$(APT_WINE))
	rm -rf $(or $(CARGO_TARGET_DIR),target)/windows/bundle
	TAURI_CLI="$(TAURI_CLI)" packaging/windows/package.sh
	TAURI_CLI="$(TAURI_CLI)" tests/windows-package.sh

macos-check: setup-tools ui/dist/index.html
	$(call apt,$(APT_MACOS))
	packaging/macos/check.sh

sbom: setup-tools
	node packaging/sbom.mjs

## Checking

# In the order of what fails soonest.
CHECKS := $(BUILT)/ui-lint.passed format-check ui/dist/index.html rust-build bindings-check

# The tests of Rust and of the window wait often, so they run beside each other.
test: setup
	@tests/phases.sh $(CHECKS) $(BUILT)/ui-test.passed rust-test+window-test

lint: setup
	@tests/phases.sh $(CHECKS)

verify: test faults fuzz package package-test flatpak-test windows windows-test windows-package macos-check

flakes: setup rust-build
	$(call apt,faketime)
	tests/flakes.sh $(or $(N),20) $(PART)

# What lints and tests of the page read; they run again when it changes.
UI_INPUTS := $(UI_SOURCES) $(shell find ui/test ui/src -name "*.test.*" -or -path "ui/test*")

# Both are dated by their start, so that what is changed meanwhile is checked again.
$(BUILT)/ui-lint.passed: ui/node_modules/.package-lock.json $(UI_INPUTS)
	@mkdir -p $(@D) && touch $(@D)/ui-lint.begun
	@$(MAKE) ui-lint
	@mv $(@D)/ui-lint.begun $@

# After a change of Rust alone, the tests that would get other answers from the rules server run.
ANSWERS := $(abspath $(BUILT))/ui-answers
EVERY_UI_TEST = $(or $(filter-out %/rules_server,$?),$(if $(wildcard $(ANSWERS)),,yes))
$(BUILT)/examples/rules_server: ;
$(BUILT)/ui-test.passed: $(BUILT)/examples/rules_server ui/node_modules/.package-lock.json $(UI_INPUTS)
	@mkdir -p $(@D) && touch $(@D)/ui-test.begun
	@$(if $(EVERY_UI_TEST),rm -rf $(ANSWERS))
	@RULES_ANSWERS=$(ANSWERS) $(if $(EVERY_UI_TEST),,RULES_CHANGED=yes) $(MAKE) ui-test UI_TESTS=
	@mv $(@D)/ui-test.begun $@

clocks: setup rust-build
	$(call apt,faketime)
	tests/clocks.sh rust-test ui-test

# A failure is not forgotten by the next `make test`.
ui-lint: ui/node_modules/.package-lock.json
	@rm -f $(BUILT)/$@.passed
	cd ui && npm run check

format-check:
	cargo fmt --all --check
	tests/words.sh

rust-build: ui/dist/index.html
	$(CHECKED) cargo test --locked --quiet $(TESTS) --no-run

# Fails if the committed contract differs from the commands.
bindings-check: rust-build
	@fresh="$$(mktemp -d)"; trap 'rm -rf "$$fresh"' EXIT; \
	$(BUILT)/examples/bindings "$$fresh"; \
	diff -r "$$fresh" ui/src/bindings || { echo "The TypeScript contract is out of date: run make bindings and commit it." >&2; exit 1; }

# `make rust-test T=batches` runs the tests with this in their name, `make ui-test UI_TESTS=composer` those of such files.
ui-test: rust-build
	@rm -f $(BUILT)/$@.passed
	cd ui && RULES_SERVER="$(abspath $(BUILT))/examples/rules_server" "$(CURDIR)/tests/watch.sh" npm test -- $(UI_TESTS)

rust-test: rust-build
	$(RUN_TESTS) -- --skip window:: $(T)

# The tests mostly wait for the window, so three share two cores.
window-test: rust-build
	$(RUN_TESTS) --test integration -- --test-threads=3 $(or $(T),window::)

bindings: setup rust-build
	$(BUILT)/examples/bindings

# Both advisory services need the network. They check the locked versions; for the UI, only the shipped packages.
audit: setup-tools
	@cargo audit --version >/dev/null 2>&1 || { echo "cargo-audit is missing: install it with 'cargo install --locked cargo-audit', then try again." >&2; exit 1; }
	cargo audit
	cargo audit --file tests/fuzz/Cargo.lock
	cd ui && npm audit --omit=dev

format: ui/node_modules/.package-lock.json
	cargo fmt --all
	cd ui && npm run format

clean:
	cargo clean
	rm -rf ui/dist ui/node_modules artifacts
