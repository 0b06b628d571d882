# Rust: the crates, their tests and the player of the conformance documents.

CARGO ?= cargo
RUST_SOURCES := $(shell find bindings/rust -name '*.rs' -o -name Cargo.toml)
rust_environment = CARGO_TARGET_DIR="$(CURDIR)/build/rust" MTOKEN_LIB_DIR="$(CURDIR)/build/lib" \
	PKG_CONFIG_PATH="$(CURDIR)/build/lib" LD_LIBRARY_PATH="$(CURDIR)/build/lib"

.PHONY: rust-bench rust-player test-rust

rust-player: build/rust/debug/player

build/rust/debug/player: $(RUST_SOURCES) build/generated/mtoken.abi.json
	@mkdir -p build/rust-player/src && rm -f build/rust-player/Cargo.lock
	@cp bindings/rust/player/*.rs build/generated/rust/dispatch.rs build/rust-player/src/
	@printf '[package]\nname = "player"\nversion = "0.0.0"\nedition = "2021"\n\n[dependencies]\nmtoken = { path = "%s" }\n\n[workspace]\n' \
		"$(CURDIR)/bindings/rust/mtoken" > build/rust-player/Cargo.toml
	@cd build/rust-player && $(rust_environment) $(CARGO) rustc --quiet --offline -- -C link-arg=-Wl,-rpath,$(CURDIR)/build/lib
	@touch $@

rust-bench: build/rust/release/bench

build/rust/release/bench: $(RUST_SOURCES)
	@mkdir -p build/rust-bench/src && rm -f build/rust-bench/Cargo.lock
	@cp bindings/rust/bench/main.rs bindings/rust/player/base64.rs build/rust-bench/src/
	@printf '[package]\nname = "bench"\nversion = "0.0.0"\nedition = "2021"\n\n[dependencies]\nmtoken = { path = "%s" }\n\n[profile.release]\nlto = true\n\n[workspace]\n' \
		"$(CURDIR)/bindings/rust/mtoken" > build/rust-bench/Cargo.toml
	@cd build/rust-bench && $(rust_environment) $(CARGO) rustc --quiet --release --offline -- -C link-arg=-Wl,-rpath,$(CURDIR)/build/lib
	@touch $@

# What is written by hand; the generated files are not laid out.
RUST_LAID_OUT := $(shell find bindings/rust -name '*.rs' -not -path '*/layout/*' -not -name bindings.rs -not -name calls.rs \
	-not -name options.rs -not -name values.rs -not -name views.rs)
# Debian's packages of crates, as a directory source.
DEBIAN_CRATES := /usr/share/cargo/registry

## test-rust        the crates' own tests, layout of the sources, docs without the library, and tokio with Debian's packages
test-rust: rust-player
	@if command -v rustfmt >/dev/null; then for file in $(RUST_LAID_OUT); do \
		rustfmt --check --edition 2021 --config-path bindings/rust/rustfmt.toml < $$file || exit 1; done; \
	else echo "not run: rustfmt is not here"; fi
	@if $(CARGO) clippy --version >/dev/null 2>&1; then cd bindings/rust && \
		CARGO_TARGET_DIR="$(CURDIR)/build/rust-clippy" MTOKEN_LIB_DIR="$(CURDIR)/build/lib" $(CARGO) clippy --quiet --offline -- -D warnings; \
	else echo "not run: clippy is not here"; fi
	@cd bindings/rust && $(rust_environment) $(CARGO) test --quiet --offline
	@cd bindings/rust && CARGO_TARGET_DIR="$(CURDIR)/build/rust-doc" PKG_CONFIG=false RUSTDOCFLAGS="-D warnings" $(CARGO) doc --quiet --offline --no-deps
	@if [ -d $(DEBIAN_CRATES)/tokio-1.24.2 ] || ls -d $(DEBIAN_CRATES)/tokio-1.* >/dev/null 2>&1; then \
		cd bindings/rust/mtoken-tokio && $(rust_environment) $(CARGO) test --quiet --offline --target-dir "$(CURDIR)/build/rust-tokio" \
			--config 'source.crates-io.replace-with="debian"' --config 'source.debian.directory="$(DEBIAN_CRATES)"'; \
	else echo "not run: tokio is not here (librust-tokio-dev)"; fi
