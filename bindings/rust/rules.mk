# Rust: the crates, their tests and the player of the conformance documents.

CARGO ?= cargo
RUST_SOURCES := $(shell find bindings/rust -name '*.rs' -o -name Cargo.toml)
rust_environment = CARGO_TARGET_DIR="$(CURDIR)/build/rust" MTOKEN_LIB_DIR="$(CURDIR)/build/lib" \
	PKG_CONFIG_PATH="$(CURDIR)/build/lib" LD_LIBRARY_PATH="$(CURDIR)/build/lib"

.PHONY: rust-player test-rust

rust-player: build/rust/debug/player

build/rust/debug/player: $(RUST_SOURCES) build/generated/mtoken.abi.json
	@mkdir -p build/rust-player/src && rm -f build/rust-player/Cargo.lock
	@cp bindings/rust/player/*.rs build/generated/rust/dispatch.rs build/rust-player/src/
	@printf '%s\n' '[package]' 'name = "player"' 'version = "0.0.0"' 'edition = "2021"' 'rust-version = "1.63"' '' \
		'[dependencies]' 'mtoken = { path = "$(CURDIR)/bindings/rust/mtoken" }' '' '[workspace]' \
		> build/rust-player/Cargo.toml
	@cd build/rust-player && $(rust_environment) $(CARGO) rustc \
		--quiet --offline -- -C link-arg="-Wl,-rpath,$(CURDIR)/build/lib"
	@touch $@

# What is written by hand; the generated files are not laid out.
RUST_LAID_OUT := $(shell find bindings/rust -name '*.rs' -not -path '*/layout/*' -not -path '*/target/*' \
	-not -name bindings.rs \
	-not -name calls.rs -not -name options.rs -not -name values.rs -not -name views.rs)
rust_layout = $(firstword $(wildcard $(dir $(1))rustfmt.toml $(dir $(1))../rustfmt.toml $(dir $(1))../../rustfmt.toml \
	$(dir $(1))../../../rustfmt.toml))
# Debian's packages of crates, as a directory source.
DEBIAN_CRATES := /usr/share/cargo/registry
debian_crates = --config 'source.crates-io.replace-with="debian"' --config 'source.debian.directory="$(DEBIAN_CRATES)"'
clippy = CARGO_TARGET_DIR="$(CURDIR)/build/rust-clippy" MTOKEN_LIB_DIR="$(CURDIR)/build/lib" \
	PKG_CONFIG_PATH="$(CURDIR)/build/lib" \
	LIBCLANG_PATH="$(TOOLCHAIN)/lib" $(CARGO) clippy --quiet --offline --all-targets
# What pedantic finds, but for: the header's words in comments; the form of what is generated; C's pointers.
clippy_pedantic := -D clippy::pedantic $(addprefix -A clippy::,doc_markdown module_name_repetitions wildcard_imports \
	cast_lossless unreadable_literal \
	redundant_closure_for_method_calls default_trait_access struct_excessive_bools unnecessary_wraps ptr_as_ptr \
	borrow_as_ptr similar_names)
# As a program finds the installed header: the layout of structs is compared with that one.
rust_installed = $(rust_environment) PKG_CONFIG_PATH="$(CURDIR)/$(C_INSTALLED)/usr/lib/pkgconfig" \
	PKG_CONFIG_SYSROOT_DIR="$(CURDIR)/$(C_INSTALLED)"
# The oldest that the crates support is Debian's; another one may come first in the path.
RUST_OLDEST := 1.63

.PHONY: test-rust-lint test-rust-oldest

## test-rust        the crates' own tests, layout and lint, docs without the library, tokio, Rust 1.63
test-rust: rust-player test-rust-lint test-rust-oldest $(C_INSTALLED)/usr/include/mtoken.h
	@cd bindings/rust && $(rust_installed) $(CARGO) test --quiet --offline
	@for crate in mtoken-sys mtoken mtoken-tokio; do for text in CHANGELOG.md LICENSE SECURITY.md; do \
		(cd bindings/rust/$$crate && $(CARGO) package --list --allow-dirty --offline $(debian_crates) 2>/dev/null) \
		| grep -qx $$text \
			|| { echo "the crate $$crate has no $$text"; exit 1; }; done; done
	@cd bindings/rust && CARGO_TARGET_DIR="$(CURDIR)/build/rust-doc" PKG_CONFIG=false RUSTDOCFLAGS="-D warnings" \
		$(CARGO) doc --quiet --offline --no-deps
	@if ls -d $(DEBIAN_CRATES)/tokio-1.* >/dev/null 2>&1; then \
		cd bindings/rust/mtoken-tokio && $(rust_environment) $(CARGO) test \
		--quiet --offline --target-dir "$(CURDIR)/build/rust-tokio" $(debian_crates); \
	else echo "not run: tokio is not here (librust-tokio-dev)"; fi

test-rust-lint: rust-player
	@if command -v rustfmt >/dev/null; then \
		$(foreach file,$(RUST_LAID_OUT),rustfmt --check --edition 2021 --config-path $(call rust_layout,$(file)) \
		< $(file) || exit 1;) \
	else echo "not run: rustfmt is not here"; fi
	@if $(CARGO) clippy --version >/dev/null 2>&1; then \
		(cd bindings/rust && $(clippy) -- -D warnings $(clippy_pedantic)) || exit 1; \
		(cd build/rust-player && $(clippy) -- -D warnings) || exit 1; \
		if ls -d $(DEBIAN_CRATES)/tokio-1.* >/dev/null 2>&1; then (cd bindings/rust/mtoken-tokio && \
		$(clippy) $(debian_crates) -- -D warnings $(clippy_pedantic)) || exit 1; \
		else echo "not run: clippy over mtoken-tokio (librust-tokio-dev is not here)"; fi; \
	else echo "not run: clippy is not here"; fi

test-rust-oldest: rust-player $(C_INSTALLED)/usr/include/mtoken.h
	@if /usr/bin/rustc --version 2>/dev/null | grep -q '^rustc $(RUST_OLDEST)\.'; then \
		for crate in bindings/rust build/rust-player; do (cd $$crate && \
		$(rust_installed) CARGO_TARGET_DIR="$(CURDIR)/build/rust-oldest" \
			PATH="/usr/bin:$$PATH" /usr/bin/cargo test --quiet --offline) || exit 1; done; \
	else echo "not run: Rust $(RUST_OLDEST) is not in /usr/bin"; fi
