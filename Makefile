# Template Desk. Every target first sets up what it needs; what is there already is left alone.
#
#   make run       build and open the app
#   make test      everything that must be green: lints, unit, integration and whole-window tests
#   make bench     measures, as ratios against a baseline of the same run; BENCH="P1 P2" chooses rows
#   make faults    ends, stalls, fills, damages and overloads what receives, in full; FAULT_ROUNDS=10 runs fewer rounds
#   make fuzz      throws mutated input at all that reads foreign bytes; FUZZ_SECONDS=600 for longer than 60 s a target
#   make screenshots  the pictures of the README, taken from the built-in sandbox
#   make package   a Debian package of the release build, in target/release/bundle
#   make bindings  write the TypeScript contract of the commands again
#   make lint      formatting and lints alone
#   make format    format everything
#   make audit     looks for known vulnerabilities of the dependencies; asks the advisory services, so it is no part of make test

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-print-directory

# One set of features for everything: what lints, tests and the window share is compiled once.
FEATURES := --features custom-protocol

# To build and run, and for the tests besides.
APT_RUN := build-essential ca-certificates pkg-config libwebkit2gtk-4.1-dev fonts-noto-color-emoji zenity
APT_TEST := webkit2gtk-driver xvfb dbus dbus-bin gnome-keyring

# The Tauri CLI is needed for packages alone, so it is no dependency of the window's code.
TAURI_CLI := @tauri-apps/cli@2.12.4

UI_SOURCES := $(shell find ui/src ui/index.html ui/vite.config.ts ui/tsconfig.json -type f 2>/dev/null)

.PHONY: help run test bench faults fuzz screenshots package bindings lint format audit setup setup-run setup-tools ui-check rust-lint bindings-check rust-test clean

help:
	@sed -n 's/^#   //p' Makefile

## Setting up

setup-tools:
	@command -v cargo >/dev/null || { echo "Rust is missing: install it from https://rustup.rs, then try again." >&2; exit 1; }
	@command -v npm >/dev/null || { echo "Node.js is missing: install version 20.19 or newer, then try again." >&2; exit 1; }
	@node -e 'const [a, b] = process.versions.node.split(".").map(Number); if (a < 20 || (a === 20 && b < 19)) { console.error(`Node.js $${process.versions.node} is too old: install version 20.19 or newer.`); process.exit(1); }'

# $(call apt,PACKAGES): installs those that are missing, on systems with apt-get.
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

bench: setup ui/dist/index.html
	cargo run --locked --quiet --release --package bench -- $(BENCH)
	cargo run --locked --quiet --release --package receiver --example constant_time
	cargo test --locked --quiet --release $(FEATURES) --test integration -- --ignored --nocapture keystroke

# The pictures of the README, from the built-in sandbox.
screenshots: setup ui/dist/index.html
	cargo build --locked --package cli
	cargo test --locked $(FEATURES) --package template-desk --test integration -- --ignored readme_pictures

# One after the other: each row has the machine to itself. Mounting a small file system takes root; without, a disk that
# says that it is full takes its place.
faults: setup-run
	cargo test --locked --release --package app --features failpoints --test integration -- --ignored --nocapture --test-threads=1 faults::full_

# A workspace of its own with its own lock file; the engine is compiled from its sources by the C++ compiler.
fuzz: setup-run
	tests/fuzz/run.sh $(FUZZ)

package: setup-run ui/node_modules/.package-lock.json
	npx --yes $(TAURI_CLI) build --bundles deb -- --locked
	cargo build --locked --release --package cli
	@ls -l $(or $(CARGO_TARGET_DIR),target)/release/bundle/deb/*.deb

## Checking

test: setup ui-check rust-lint bindings-check rust-test

lint: setup ui-check rust-lint

ui-check: ui/node_modules/.package-lock.json
	cd ui && npm run check
	cd ui && npm test
	@$(MAKE) ui/dist/index.html

rust-lint: ui/dist/index.html
	cargo fmt --all --check
	cargo clippy --locked --workspace --all-targets $(FEATURES) -- -D warnings

# Fails when the committed contract is not the one that the commands have.
bindings-check: ui/dist/index.html
	@fresh="$$(mktemp -d)"; trap 'rm -rf "$$fresh"' EXIT; \
	cargo run --locked --quiet $(FEATURES) --example bindings -- "$$fresh"; \
	diff -r "$$fresh" ui/src/bindings || { echo "The TypeScript contract is out of date: run make bindings and commit it." >&2; exit 1; }

rust-test: ui/dist/index.html
	cargo test --locked --workspace $(FEATURES)
	cargo test --locked --package app --features failpoints --test integration -- faults::r5_ faults::r13_killed_at_every_statement faults::steps_

bindings: setup-run ui/dist/index.html
	cargo run --locked --quiet $(FEATURES) --example bindings

# Both services are asked over the network. What they find concerns the locked versions, for the window's code those that
# are shipped.
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
