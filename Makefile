# libmtoken: build, test and install. `make help` lists the targets.

# The header has the version number; all else reads it there.
VERSION := $(shell sed -n 's/^.define MTOKEN_VERSION "\(.*\)"/\1/p' include/mtoken/base.h)
SOVERSION := $(shell sed -n 's/^.define MTOKEN_ABI_VERSION //p' include/mtoken/base.h)
MODE ?= embedded
PREFIX ?= /usr/local
LIBDIR ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
DATADIR ?= $(PREFIX)/share/mtoken
DOCDIR ?= $(PREFIX)/share/doc/mtoken
DESTDIR ?=
PYTHON ?= python3
SWIFT ?= swift
CC ?= cc
# Tests ask git which files there are, also where root types `make test` in a user's folder.
export GIT_CONFIG_COUNT := 1
export GIT_CONFIG_KEY_0 := safe.directory
export GIT_CONFIG_VALUE_0 := $(CURDIR)

# The system packages that building and testing need, in one place. `make deps` installs those that are missing.
PACKAGES_BUILD := libssl-dev libjansson-dev libcurl4-openssl-dev gcc g++ libc6-dev binutils pkg-config python3 python3-venv
# The libraries that a Swift toolchain from swift.org is linked with.
PACKAGES_BUILD += libncurses6 libxml2 libsqlite3-0 libedit2
PACKAGES_TEST := git abigail-tools openssl mandoc
# What the pages type.
PACKAGES_TEST += curl jq
# The shells in which the command completes.
PACKAGES_TEST += zsh fish
# The tools of the languages and loops in which the examples are written.
PACKAGES_LANGUAGES := cargo cmake golang-go libglib2.0-dev libuv1-dev luajit php-cli ruby rustc
# What only test-full, benchmarks and coverage need; the parts add theirs.
PACKAGES_FULL := $(PACKAGES_LANGUAGES) valgrind libbenchmark-dev chromium chromium-driver xvfb glewlwyd \
	libegl1 libgl1 libxkbcommon0 libfontconfig1 libdbus-1-3

MODULES := MobileTokenSystem MobileTokenCrypto MobileTokenJSON PowerAuth MobileTokenModel MobileTokenHTTP MobileToken MobileTokenC
# The model and what it needs of these.
MODEL_MODULES := MobileTokenSystem MobileTokenCrypto MobileTokenJSON MobileTokenModel
TOOLCHAIN := $(shell dirname "$$(dirname "$$(readlink -f "$$(command -v $(SWIFT))")")")
include packaging/link/cross.mk
# Only tests and benchmarks compare Strings.
UNICODE_TABLES = $(TOOLCHAIN)/lib/swift/embedded/$(TRIPLE)/libswiftUnicodeDataTables.a
SYSTEM_LIBRARIES := -lssl -lcrypto -ljansson -lcurl -lm
# `make build STRIP=` keeps the symbols, for valgrind and profilers.
STRIP ?= -Wl,-s
# Packed relocations (-z pack-relative-relocs) would be 56 kB smaller, but such a library is only loaded by glibc 2.36 and later.
# Nothing unwinds through the library, which has no tables for that: their index would be of no use.
LINK_FLAGS = -fuse-ld=lld -Wl,--no-eh-frame-hdr -Wl,--gc-sections -Wl,--icf=all -Wl,-O2 -Wl,-z,defs -Wl,-z,nodelete -Wl,-z,relro -Wl,-z,now $(STRIP)
# The objects of modules: one of each source that exists, since those of removed ones stay in the build directory.
objects = $(foreach module,$(2),$(patsubst %,$(BUILD)/$(1)/release/$(module).build/%.o,$(sort $(notdir $(shell find \
	$(or $(source-$(module)),Sources/$(module)) -name '*.swift')))))
# Of the embedded builds, where a module is one object and has the code of those below it: objects of what is fast; the rest as bitcode,
# of which the linker makes what is small; and what nothing needs stays out. Folder, further modules.
FAST_MODULES := MobileTokenCrypto MobileTokenJSON
# (To the compiler's driver, what is named .bc is a source: it must be named .o, which only the linker looks into.) Of a function of
# Swift's library that several objects have, the first one stays: the small one.
embedded = $(BUILD)/$(1)/objects/MobileTokenC.o $(FAST_MODULES:%=$(BUILD)/$(1)/objects/%.o) $(2:%=$(BUILD)/$(1)/objects/%.o) \
	-Wl,--start-lib $(patsubst %,$(BUILD)/$(1)/objects/%.o,$(filter-out $(FAST_MODULES) MobileTokenC,$(MODULES))) -Wl,--end-lib $(EMBEDDED_FLAGS)
EMBEDDED_FLAGS = -Wl,--lto-O2 -Wl,-mllvm,-inline-threshold=0 -Wl,-mllvm,-enable-machine-outliner=always -Wl,-mllvm,-enable-linkonceodr-outlining
# Nothing unwinds through Swift, and debuggers follow the frame pointers: the tables of unwinding, which come with debug information, stay
# with the symbols. Folder, modules.
define embedded-objects
	@mkdir -p $(BUILD)/$(1)/objects
	@for module in $(2); do $(TOOLCHAIN)/bin/llvm-objcopy $(if $(STRIP),--remove-section=.eh_frame --remove-section=.rela.eh_frame) \
		$(BUILD)/$(1)/release/$$module.build/$$module.o $(BUILD)/$(1)/objects/$$module.o || exit 1; done
endef
# Builds what the embedded libraries are linked of; all of it where a shim has changed, which the package manager does not look into.
# Folder, environment.
define build-embedded-objects
	@[ -z "$$(find Sources/C* -name '*.h' -newer $(BUILD)/$(1)/objects/MobileTokenCrypto.o 2>/dev/null)" ] || rm -rf $(BUILD)/$(1)
	@$(2) MTOKEN_EMBEDDED=1 $(SWIFT_BUILD) $(SWIFT_CROSS) -c release --scratch-path $(BUILD)/$(1) --target MobileToken
	$(call embedded-objects,$(1),$(filter-out MobileTokenC,$(MODULES)))
	@$(PYTHON) packaging/link/bitcode.py $(BUILD)/$(1) MobileTokenC $(BUILD)/$(1)/objects/MobileTokenC.o
endef
source-MobileTokenBench := Tests/bench/shim
source-FuzzSupport := Tests/fuzz/targets/Support
source-MobileTokenModelFuzz := Tests/fuzz/targets/Model
source-MobileTokenFuzz := Tests/fuzz/targets/Whole

.PHONY: help deps deps-build deps-full toolchain install-files install-plugins build build-embedded build-dev dev testing testing-embedded testing-dev demo test test-full test-sanitize install uninstall \
	bench bench-start load fuzz fuzz-build fuzz-replay abi clean FORCE build-tests test-swift test-swift-again test-repeat test-python test-python-full test-devserver test-contract

# What failed half-way is no target.
.DELETE_ON_ERROR:

help:
	@sed -n $(if $(ALL),'s/^## //p','s/^## \($(EVERYDAY)\) /\1 /p') $(MAKEFILE_LIST) | sort
	@$(if $(ALL),,echo 'all targets: make help ALL=1')

# What a newcomer needs, on one screen.
EVERYDAY := build\|clean\|debug\|demo\|deps\|dev\|dist\|docs\|format\|generate\|install\|lint\|simulate\|test\|test-full\|uninstall\|wheel

## build            the library, build/lib/libmtoken.so.1
# With all that is installed, so that root, who installs it, leaves nothing here that the user cannot write.
ifdef MUSL
build: portable build/generated/mtoken.abi.json build/man/made
else
build: build-$(MODE) build/generated/mtoken.abi.json build/man/made
	@mkdir -p $(BUILD)/lib
	@$(call put,$(BUILD)/$(MODE)/libmtoken.so.$(VERSION),$(BUILD)/lib/libmtoken.so.$(VERSION))
	@ln -sf libmtoken.so.$(VERSION) $(BUILD)/lib/libmtoken.so.$(SOVERSION)
	@ln -sf libmtoken.so.$(SOVERSION) $(BUILD)/lib/libmtoken.so
	@sed $(call in_place,$${pcfiledir}/..,$${pcfiledir},$${pcfiledir}/../../include,$${pcfiledir}/../generated) packaging/link/mtoken.pc.in \
		> $(BUILD)/lib/mtoken.pc.$$$$ && mv $(BUILD)/lib/mtoken.pc.$$$$ $(BUILD)/lib/mtoken.pc
	@echo "$(BUILD)/lib/libmtoken.so.$(VERSION) ($(MODE), $$(stat -Lc %s $(BUILD)/lib/libmtoken.so) bytes)"
endif

# Copies a file that has changed, in one step: a program that has the former one open, or another make, is not disturbed.
put = { cmp -s $(1) $(2) || { cp $(1) $(2).$$$$ && mv $(2).$$$$ $(2); }; }

# Each mode has a library and one for tests, which are built again when a source, or the list of them, has changed.
MODES := embedded dev
$(MODES:%=build-%): build-%: $(BUILD)/%/libmtoken.so.$(VERSION)
$(MODES:%=testing-%): testing-%: $(BUILD)/%/libmtoken-testing.so
LIBRARY_INPUTS := $(shell find Sources include) $(wildcard packaging/link/*.map packaging/link/*.[ch]) packaging/link/bitcode.py Package.swift Makefile build/flags
build/dev/libmtoken.so.$(VERSION): $(LIBRARY_INPUTS)
# Two builds never share a folder at the same time.
$(MODES:%=$(BUILD)/%/libmtoken-testing.so): %/libmtoken-testing.so: %/libmtoken.so.$(VERSION)

# Without a toolchain, what was built is up to date as long as no source is newer: root installs what a user has built.
FLAGS_CHANGED := $(shell command -v $(SWIFT) >/dev/null && [ "$$(cat build/flags 2>/dev/null)" != '$(STRIP) $(TOOLCHAIN)' ] && echo FORCE)
build/flags: $(FLAGS_CHANGED)
	@mkdir -p build && echo '$(STRIP) $(TOOLCHAIN)' > $@

# Names what is missing before anything is fetched or compiled.
toolchain:
	$(need-toolchain)

define need-toolchain
	@command -v $(SWIFT) >/dev/null || { \
		if [ -n "$$SUDO_USER" ]; then echo "make: sudo leaves $(SWIFT) off the path: first type make build, without sudo" >&2; \
		else echo "make: no $(SWIFT) on the path. It takes a Swift 6.3 toolchain: https://www.swift.org/install/linux/" >&2; fi; exit 1; }
endef

HEADERS := openssl/ssl.h=libssl-dev jansson.h=libjansson-dev curl/curl.h=libcurl4-openssl-dev
define before-building
	$(need-toolchain)
	@missing=""; for header in $(HEADERS); do \
		echo "#include <$${header%=*}>" | $(CC) -E - >/dev/null 2>&1 || missing="$$missing $${header#*=}"; done; \
	command -v $(CC) >/dev/null || missing=" gcc$$missing"; \
	[ -z "$$missing" ] || { echo "make: these packages are missing:$$missing (make deps installs them)" >&2; exit 1; }
	@[ -e $@ ] || echo "building $@, which takes some minutes the first time"
endef
# Something moves in a terminal; a log stays short.
SWIFT_BUILD = $(SWIFT) build $$([ -t 1 ] || echo --quiet)

# What the product and the portable library are linked of.
OBJECTS := $(BUILD)/embedded/objects/product
$(OBJECTS): $(LIBRARY_INPUTS) $(SYSROOT_MADE)
	$(before-building)
	$(call build-embedded-objects,embedded)
	@touch $@

$(BUILD)/embedded/libmtoken.so.$(VERSION): $(OBJECTS)
	$(call link-embedded,libmtoken.so.$(VERSION),,libmtoken.so.$(SOVERSION),libmtoken.map)

# The debug build, which `swift test` shares: incremental, with the toolchain's Swift runtime beside it.
build/dev/libmtoken.so.$(VERSION):
	$(before-building)
	@$(SWIFT_BUILD) --target MobileTokenC
	$(call link-dev,libmtoken.so.$(VERSION),$(MODULES),libmtoken.so.$(SOVERSION),libmtoken.map)

build/dev/libmtoken-testing.so:
	@$(SWIFT_BUILD) --target MobileTokenTesting
	$(call link-dev,libmtoken-testing.so,$(MODULES) MobileTokenTesting,libmtoken-testing.so,libmtoken-testing.map)

## dev              both libraries as an incremental debug build, in build/lib (as `make build testing MODE=dev`)
dev:
	@$(MAKE) --no-print-directory build testing MODE=dev

## debug            gdb, which stops where the library comes to AT=File.swift:LINE in RUN="program arguments" (GDB: its options)
debug: dev
	@MTOKEN_LIBRARY="$(CURDIR)/build/lib/libmtoken.so.1" LD_LIBRARY_PATH="$(CURDIR)/build/lib" \
		PYTHONPATH="$(CURDIR)/bindings/python/src" gdb -q -iex 'set debuginfod enabled off' -iex 'set complaints 0' \
		-iex 'set breakpoint pending on' -ex 'break $(AT)' -ex run $(GDB) --args $(RUN)
.PHONY: debug

## testing          the library for tests, build/lib/libmtoken-testing.so (never installed)
ifdef MUSL
testing: testing-portable
else
testing: testing-$(MODE)
	@mkdir -p $(BUILD)/lib
	@$(call put,$(BUILD)/$(MODE)/libmtoken-testing.so,$(BUILD)/lib/libmtoken-testing.so)
endif

OBJECTS_TESTING := $(BUILD)/embedded/objects/testing
$(OBJECTS_TESTING): $(OBJECTS)
	@MTOKEN_EMBEDDED=1 $(SWIFT_BUILD) $(SWIFT_CROSS) -c release --scratch-path $(BUILD)/embedded --target MobileTokenTesting
	$(call embedded-objects,embedded,MobileTokenTesting)
	@touch $@

$(BUILD)/embedded/libmtoken-testing.so: $(OBJECTS_TESTING)
	$(call link-embedded,libmtoken-testing.so,MobileTokenTesting,libmtoken-testing.so,libmtoken-testing.map,$(UNICODE_TABLES))

# No product needs a newer glibc than 2.34; what would is compiled in.
COMPILE_GLIBC = $(CLANG) -std=c11 -O2 -fPIC -fvisibility=hidden -ffunction-sections -fno-asynchronous-unwind-tables -Wall -Wextra -Werror

# What stands beside the modules of the embedded builds. Folder.
SUPPORT := glibc embedded
define compile-support
	@for name in $(SUPPORT); do $(COMPILE_GLIBC) -c packaging/link/$$name.c -o $(1)/$$name.o || exit 1; done
endef

# Links a library: file, modules (embedded: further modules), soname, version script, further libraries. The product has none of Swift's
# tables of Unicode (33 kB): there, a String that is compared, sorted or hashed is an undefined symbol. Texts are compared by bytes (ByteKey).
# The hash that the compiler leaves of each module depends on the folder it was built in, and nothing reads it; nor the names of compilers.
define link-embedded
	$(call compile-support,$(BUILD)/embedded)
	@$(CLANG) -shared -o $(BUILD)/embedded/$(1) $(call embedded,embedded,$(2)) $(SUPPORT:%=$(BUILD)/embedded/%.o) $(LINK_FLAGS) -Wl,-soname,$(3) \
		-Wl,--version-script=packaging/link/$(4) -Wl,-Map,$(BUILD)/embedded/$(1).linkmap $(5) $(SYSTEM_LIBRARIES)
	@$(TOOLCHAIN)/bin/llvm-objcopy --remove-section=.swift_modhash --remove-section=.comment $(BUILD)/embedded/$(1)
endef
define link-dev
	@mkdir -p build/dev
	@$(COMPILE_GLIBC) -c packaging/link/glibc.c -o build/dev/glibc.o
	@$(TOOLCHAIN)/bin/swiftc -g -emit-library -o build/dev/$(1) \
		$(foreach module,$(2),$(patsubst %,.build/debug/$(module).build/%.o,$(sort $(notdir $(shell find Sources/$(module) -name '*.swift'))))) \
		build/dev/glibc.o -use-ld=lld -Xclang-linker -Wl,-z,nodelete -Xclang-linker -Wl,-soname,$(3) \
		-Xclang-linker -Wl,--version-script=packaging/link/$(4) $(SYSTEM_LIBRARIES)
endef

comma := ,

# Programs in Python are started by the hundred: what was compiled is kept.
unexport PYTHONDONTWRITEBYTECODE

## deps             install the system packages that are missing (as root or through sudo; otherwise the line to type)
deps: deps-build
	$(call install-packages,$(PACKAGES_TEST))

# What building takes, and no more. Nothing is fetched for a build that has no toolchain.
deps-build: | $(if $(filter deps%,$(MAKECMDGOALS)),,toolchain)
	$(call install-packages,$(PACKAGES_BUILD))

deps-full: deps
	$(call install-packages,$(PACKAGES_FULL))

define install-packages
	@missing=""; for package in $(1); do \
		dpkg-query -W -f='$${Status}' $$package 2>/dev/null | grep -q 'ok installed' || missing="$$missing $$package"; done; \
	if [ -z "$$missing" ]; then exit 0; fi; \
	if [ "$$(id -u)" = 0 ]; then run=""; elif sudo -n true 2>/dev/null; then run="sudo"; else \
		printf 'make: packages are missing. Type this, then the same make again:\n\n  %s\n\n' \
			"sudo apt-get update && sudo apt-get install --yes$$missing" >&2; exit 1; fi; \
	echo "installing:$$missing"; \
	$$run apt-get update -qq && DEBIAN_FRONTEND=noninteractive $$run apt-get install -y -qq $$missing >/dev/null
endef

# A virtual environment for the development server and the Python tests; made anew when the lists change.
VENV_LISTS := tools/devserver/requirements.txt tools/devserver/requirements-dev.txt Tests/python/requirements.txt \
	tools/loadtest/requirements.txt
build/venv/ready: $(VENV_LISTS)
	@$(PYTHON) -m venv build/venv
	@build/venv/bin/pip install --quiet --disable-pip-version-check $(foreach list,$^,-r $(list))
	@touch $@

# Qt is large: only the long tests have it.
build/venv/qt: examples/qt/requirements.txt build/venv/ready
	@build/venv/bin/pip install --quiet --disable-pip-version-check -r $<
	@touch $@

build/examples/approve: examples/c/approve.c include/mtoken.h $(wildcard include/mtoken/*.h) build
	@mkdir -p build/examples
	@$(CC) -std=c99 -Wall -Wextra -pedantic -O2 examples/c/approve.c -Iinclude -Lbuild/lib -lmtoken \
		-Wl,-rpath,'$$ORIGIN/../lib' -o $@

# How many parts of `make test` run at a time: more than processors, because servers and clients wait for each other.
JOBS ?= 3
TEST_PARTS := test-python test-c test-swift test-simulator fuzz-replay lint test-devserver test-bindings-quick test-generated test-contract \
	test-man abi

## test             the quick set: all tests of the product but the long ones
test: deps
	@$(MAKE) --no-print-directory -j$(JOBS) --output-sync=target $(TEST_PARTS)
	@echo "all tests passed"

# The tests and what replays the fuzz inputs, in one build.
build-tests:
	@MTOKEN_FUZZ=1 $(SWIFT) build --quiet --build-tests --explicit-target-dependency-import-check error

# HTTP/2 is tested against a server on the Python package h2. The count of vectors run is printed for each file. One test after
# another, so that each one's time is its own; the other parts of `make test` have the other processor meanwhile.
test-swift: build/venv/ready build-tests
	@LD_BIND_NOW=1 MTOKEN_FUZZ=1 MTOKEN_HTTP2_PYTHON="$(CURDIR)/build/venv/bin/python" $(SWIFT) test --skip-build --no-parallel > build/swift-test.log 2>&1 \
		|| { grep -a -E '✘|error:|Fatal' build/swift-test.log; exit 1; }
	@grep -a -h '^not run: ' build/swift-test.log | sort -u || true
	@grep -a -h '^vectors: ' build/swift-test.log | sort
	@echo "slowest Swift tests:"; sed -n -E '/ run with /d; s/^. Test (.*) passed after ([0-9.]+) seconds.*/\2 s  \1/p' build/swift-test.log \
		| sort -rn | head -n 10
	@grep -a 'Test run with' build/swift-test.log

# What takes long and seldom breaks is left to test-full: every language's toolchain, chance lives, packages, a browser,
# load, the oldest Python. TESTS="Tests/python/test_x.py": those.
PYTHON_LONG := languages languages_page node_package sealer_plugins wheel distributions oldest_python oidc_browser oidc_glewlwyd loadtest site tasks tutorials_long
PYTHON_TESTS := Tests/python tools/command/tests
python_files = $(foreach name,$(1),$(wildcard $(PYTHON_TESTS:%=%/test_$(name).py)))
# Each worker has a server of its own; a file's tests stay together.
PYTEST = build/venv/bin/python -m pytest -c Tests/python/pytest.ini -q -rsfE --durations=10 --durations-min=0.5 -n $(WORKERS) --dist loadfile
WORKERS ?= 3

test-python: build/venv/ready build testing man
	@MTOKEN_LIBRARY="$(CURDIR)/build/lib/libmtoken.so.1" $(PYTEST) \
		$(or $(TESTS),$(addprefix --ignore ,$(call python_files,$(PYTHON_LONG))) $(PYTHON_TESTS))

## test-python-full what test leaves out: the long Python tests (part of test-full)
test-python-full: deps-full deps-bindings portable build/venv/ready build/venv/qt build testing plugins man node-package csharp-package docs
	@MTOKEN_FULL=1 MTOKEN_LIBRARY="$(CURDIR)/build/lib/libmtoken.so.1" $(PYTEST) --timeout 900 $(call python_files,$(PYTHON_LONG))

test-devserver: build/venv/ready
	@cd tools/devserver && "$(CURDIR)/build/venv/bin/python" -m pytest -q tests --durations=10 --durations-min=0.5

# In a folder of its own: others wait for a folder that a test is run from.
DUMP_PACKAGE = $(SWIFT) package --scratch-path build/package dump-package

test-contract: build/venv/ready build
	@$(DUMP_PACKAGE) | $(PYTHON) Tests/architecture.py
	@$(PYTHON) Tests/claims.py
	@PYTHONPATH=bindings $(PYTHON) -B Tests/one_version.py
	@build/venv/bin/python Tests/contract.py --library build/lib/libmtoken.so.1
	@build/venv/bin/python Tests/linkage.py build/lib/libmtoken.so.1 --linkmap build/embedded/libmtoken.so.$(VERSION).linkmap

## test-repeat      what depends on time: Swift tests TIMES times (50) and Python tests PYTHON_TIMES (5) beside four busy processes
test-repeat: build/venv/ready build-tests build testing man
	@sh Tests/repeat.sh $(or $(TIMES),50) $(MAKE) --no-print-directory test-swift-again
	@sh Tests/repeat.sh $(or $(PYTHON_TIMES),5) $(MAKE) --no-print-directory test-python

test-swift-again:
	@LD_BIND_NOW=1 MTOKEN_FUZZ=1 MTOKEN_HTTP2_PYTHON="$(CURDIR)/build/venv/bin/python" $(SWIFT) test --skip-build > build/swift-test.log 2>&1 \
		|| { grep -a -E '✘|error:|Fatal' build/swift-test.log; exit 1; }

# Leaks are valgrind's matter: Foundation, which only the tests use, has some of its own.
## test-sanitize    the Swift tests under address and thread sanitizers, the C programs under valgrind and the thread sanitizer
test-sanitize: deps-full test-valgrind test-misuse test-threads
	ASAN_OPTIONS=detect_leaks=0 $(SWIFT) test --quiet --sanitize=address --scratch-path build/asan
	$(SWIFT) test --quiet --sanitize=thread --scratch-path build/tsan

## test-full        everything
test-full: test deps-bindings test-bindings test-go test-rust test-csharp test-node test-java csharp-package java-package test-python-full test-sanitize test-c-full test-package coverage fuzz bench load

## abi              compare the interface with that of the last release
abi: build
	@$(PYTHON) Tests/abi.py build/lib/libmtoken.so.1

## demo             activate, list, approve, reject and claim, from C and from Python, on the development server
demo: deps-build build build/examples/approve build/venv/ready
	@build/venv/bin/python examples/demo.py build/examples/approve

# What is installed to find the rest by names no place but its own: the tree can be moved.
in_place = -e 's|@PREFIX@|$(1)|' -e 's|@LIBDIR@|$(2)|' -e 's|@INCLUDEDIR@|$(3)|' -e 's|@DATADIR@|$(4)|' -e 's|@VERSION@|$(VERSION)|' \
	-e 's|@SOVERSION@|$(SOVERSION)|' -e 's|@SYSTEM_LIBRARIES@|$(SYSTEM_LIBRARIES)|'
from = $(shell realpath -m --relative-to="$(1)" "$(2)")
# /usr is never moved, and pkg-config leaves its folders out of command lines only when they are written so.
pc_place = $(if $(filter /usr,$(PREFIX)),$(1),$${pcfiledir}/$(call from,$(PKGCONFIGDIR),$(1)))
PKGCONFIGDIR = $(LIBDIR)/pkgconfig
CMAKEDIR = $(LIBDIR)/cmake/mtoken

# Without what tests and builds leave there.
PAGES = LICENSE CHANGELOG.md SECURITY.md $(shell find docs examples tools -type f -not -path 'docs/site/*' -not -path '*/.*' -not -path '*/__pycache__/*' \
	-not -path '*/target/*' -not -path '*/tests/*' -not -path 'tools/command/*/*')

## install          library, headers, descriptions, mtoken.pc, the CMake package, man pages, guides and examples into DESTDIR/PREFIX
install: build man
	@command -v $(PYTHON) >/dev/null || { echo "make install: $(PYTHON) is missing (make deps installs it)" >&2; exit 1; }
	@case "$(PREFIX)" in \
		*" "*) echo "make install: PREFIX has no space: what pkg-config prints cannot name $(PREFIX)" >&2; exit 1;; \
		/*) ;; *) echo "make install: PREFIX is an absolute path, not $(PREFIX)" >&2; exit 1;; esac
	@stage=$$(mktemp -d) && trap 'rm -rf "$$stage"' EXIT && $(MAKE) -s --no-print-directory install-files DESTDIR="$$stage" && \
		$(PYTHON) packaging/ship/install.py install --destdir "$(DESTDIR)" --manifest "$(DATADIR)/manifest" --libdir "$(LIBDIR)" \
		--mandir "$(MANDIR)" --stage "$$stage"

## uninstall        remove what install has installed, by its list of it (with the same DESTDIR and PREFIX)
uninstall:
	@$(PYTHON) packaging/ship/install.py uninstall --destdir "$(DESTDIR)" --manifest "$(DATADIR)/manifest"

# Only what was built before; LIBRARY may be another product.
LIBRARY ?= $(PRODUCT)/libmtoken.so.$(VERSION)
install-files:
	install -d "$(DESTDIR)$(PKGCONFIGDIR)" "$(DESTDIR)$(CMAKEDIR)" "$(DESTDIR)$(INCLUDEDIR)/mtoken" \
		"$(DESTDIR)$(INCLUDEDIR)/CMToken" "$(DESTDIR)$(DATADIR)" "$(DESTDIR)$(MANDIR)/man3"
	install -m 644 build/man/man3/*.3 "$(DESTDIR)$(MANDIR)/man3/"
	install -m 755 "$(LIBRARY)" "$(DESTDIR)$(LIBDIR)/libmtoken.so.$(VERSION)"
	ln -sf libmtoken.so.$(VERSION) "$(DESTDIR)$(LIBDIR)/libmtoken.so.$(SOVERSION)"
	ln -sf libmtoken.so.$(SOVERSION) "$(DESTDIR)$(LIBDIR)/libmtoken.so"
	install -m 644 include/mtoken.h "$(DESTDIR)$(INCLUDEDIR)/"
	install -m 644 include/mtoken/*.h "$(DESTDIR)$(INCLUDEDIR)/mtoken/"
	install -m 644 bindings/cpp/mtoken.hpp "$(DESTDIR)$(INCLUDEDIR)/"
	install -d "$(DESTDIR)$(INCLUDEDIR)/mtoken/cpp"
	install -m 644 build/generated/cpp/mtoken/cpp/*.hpp "$(DESTDIR)$(INCLUDEDIR)/mtoken/cpp/"
	install -m 644 packaging/link/module.modulemap "$(DESTDIR)$(INCLUDEDIR)/CMToken/"
	for file in $(PAGES); do install -D -m 644 $$file "$(DESTDIR)$(DOCDIR)/$$file" || exit 1; done
	$(PYTHON) packaging/ship/pages.py "$(DESTDIR)$(DOCDIR)"
	install -m 644 build/generated/mtoken.abi.json build/generated/mtoken.cdef.h "$(DESTDIR)$(DATADIR)/"
	sed $(call in_place,$(call pc_place,$(PREFIX)),$(call pc_place,$(LIBDIR)),$(call pc_place,$(INCLUDEDIR)),$(call pc_place,$(DATADIR))) \
		packaging/link/mtoken.pc.in > "$(DESTDIR)$(PKGCONFIGDIR)/mtoken.pc"
	for file in mtokenConfig mtokenConfigVersion; do \
		sed $(call in_place,,$(call from,$(CMAKEDIR),$(LIBDIR)),$(call from,$(CMAKEDIR),$(INCLUDEDIR)),$(call \
			from,$(CMAKEDIR),$(DATADIR))) packaging/link/cmake/$$file.cmake.in > "$(DESTDIR)$(CMAKEDIR)/$$file.cmake" || exit 1; done

# The plugins are packages of their own.
install-plugins: plugins
	install -d "$(DESTDIR)$(LIBDIR)"
	install -m 755 $(PLUGINS:%=$(BUILD)/lib/libmtoken-%.so.$(SOVERSION)) "$(DESTDIR)$(LIBDIR)/"

## bench            measure against the raw work of OpenSSL and Jansson; the table, and build/bench.json (PAGE=1: into its page; PQ=1: on OpenSSL 3.5, the one of test-pq)
bench: deps-full build build/bench/bench build/bench/idle build/bench/load build/bench/offline build/bench/polling build/bench/stores
	@$(if $(PQ),LD_LIBRARY_PATH="$(HYBRID_LIBRARIES)") $(PYTHON) Tests/bench/run.py --build build/bench --library build/lib/libmtoken.so.$(SOVERSION) --output build/bench.json \
		$(if $(PAGE),--page Tests/bench/README.md)

BENCH_HEADERS := $(wildcard Tests/bench/*.hpp Tests/bench/*.h)
BENCH_COMPILE = $(CXX) -std=c++17 -O2 -Wall -Wextra -Iinclude -o $@ $(filter %.cpp,$^) -Lbuild/bench -Lbuild/lib \
	-Wl,-rpath,'$$ORIGIN:$$ORIGIN/../lib'

# What the C interface cannot isolate, built like the product.
build/bench/libmtoken-bench.so: FORCE | build
	$(call build-embedded-objects,bench/embedded,MTOKEN_BENCH=1)
	@MTOKEN_BENCH=1 MTOKEN_EMBEDDED=1 $(SWIFT) build --quiet -c release --scratch-path build/bench/embedded --target MobileTokenBench
	$(call embedded-objects,bench/embedded,MobileTokenBench)
	@$(TOOLCHAIN)/bin/clang -shared -o $@ $(call embedded,bench/embedded,MobileTokenBench) $(LINK_FLAGS) \
		-Wl,--version-script=Tests/bench/shim.map $(UNICODE_TABLES) $(SYSTEM_LIBRARIES)

build/bench/bench: $(addprefix Tests/bench/,bench.cpp activation.cpp host.cpp limits.cpp operations.cpp reading.cpp) $(BENCH_HEADERS) \
		| build build/bench/libmtoken-bench.so
	@$(BENCH_COMPILE) -lmtoken-bench -lmtoken -lbenchmark -lcrypto -ljansson -lpthread

build/bench/idle: $(addprefix Tests/bench/,idle.cpp activation.cpp host.cpp) $(BENCH_HEADERS) | build
	@mkdir -p build/bench
	@$(BENCH_COMPILE) -lmtoken -lcrypto -lpthread

build/bench/stores: $(addprefix Tests/bench/,stores.cpp activation.cpp host.cpp) $(BENCH_HEADERS) | build build/bench/libmtoken-bench.so
	@$(BENCH_COMPILE) -lmtoken-bench -lmtoken -lcrypto -lpthread

## load             many clients that poll: processor, memory, latency (CLIENTS=10000 SECONDS=30 RUNTIMES=1 INTERVAL=7)
load: deps build build/bench/polling
	@build/bench/polling $(or $(CLIENTS),10000) $(or $(SECONDS),30) 2 $(or $(RUNTIMES),1) $(or $(INTERVAL),7)

build/bench/polling: $(addprefix Tests/bench/,polling.cpp activation.cpp host.cpp) $(BENCH_HEADERS) | build
	@mkdir -p build/bench
	@$(BENCH_COMPILE) -lmtoken -lcurl -lssl -lcrypto -lpthread

build/bench/offline: Tests/bench/offline.c | build
	@mkdir -p build/bench
	@$(CC) -O2 -Wall -Wextra -Iinclude -o $@ $< -Lbuild/lib -lmtoken -Wl,-rpath,'$$ORIGIN/../lib'

## bench-start      what starting costs in Python: `import mtoken`, `mtoken --help`, `mtoken list`; the table
bench-start: build/venv/ready build
	@build/venv/bin/python Tests/bench/start.py

build/bench/load: Tests/bench/load.c
	@mkdir -p build/bench
	@$(CC) -O2 -Wall -Wextra -o $@ $<

# Both sanitizers go into one option: of two, the compiler heeds the last one only.
FUZZ_SANITIZERS := -sanitize=fuzzer,address
TIME ?= 60

## fuzz             run every fuzz target for TIME seconds (60), from seeds, past findings and the corpus in build/fuzz
fuzz: deps fuzz-build build/fuzz/seeds/made
	@$(PYTHON) Tests/fuzz/run.py --build build/fuzz --time $(TIME) $(TARGET)

# Two programs: that of the model's texts is linked with the model and what it needs, and with nothing else.
fuzz-build:
	@$(call fuzz_compile,MobileTokenModelFuzz)
	@$(call fuzz_link,fuzz-model,mtoken_fuzz_model,$(MODEL_MODULES) FuzzSupport MobileTokenModelFuzz,-lcrypto -ljansson -lm)
	@$(DUMP_PACKAGE) | $(PYTHON) Tests/architecture.py build/fuzz/fuzz-model
	@$(call fuzz_compile,MobileTokenFuzz)
	@$(call fuzz_link,fuzz,mtoken_fuzz_whole,$(MODULES) FuzzSupport MobileTokenFuzz,$(SYSTEM_LIBRARIES))

fuzz_compile = MTOKEN_FUZZ=1 $(SWIFT) build --quiet -c release --scratch-path build/fuzz --target $(1) \
	-Xswiftc -enable-testing -Xswiftc $(FUZZ_SANITIZERS)
fuzz_link = $(TOOLCHAIN)/bin/swiftc -emit-executable $(FUZZ_SANITIZERS) -static-stdlib -use-ld=lld -o build/fuzz/$(1) \
	-Xlinker --defsym=LLVMFuzzerInitialize=$(2) $(call objects,fuzz,$(3)) $(4)

## fuzz-replay      run every fuzz target once on its seeds and past findings
fuzz-replay: build-tests build/fuzz/seeds/made
	@.build/debug/fuzz-replay build/fuzz/seeds Tests/fuzz/findings

build/fuzz/seeds/made: Tests/fuzz/make_seeds.py $(wildcard Tests/vectors/*.json Tests/vectors/released/*.json)
	@$(PYTHON) Tests/fuzz/make_seeds.py build/fuzz/seeds
	@touch $@

include bindings/generate/rules.mk Tests/lint/rules.mk Tests/c/rules.mk Tests/simulator/rules.mk Tests/misuse/rules.mk Tests/coverage.mk packaging/ship/rules.mk packaging/link/portable/rules.mk packaging/plugins/rules.mk docs/site/rules.mk Tests/hybrid.mk
include Tests/conformance/rules.mk Tests/cross/rules.mk $(filter-out bindings/generate/rules.mk,$(wildcard bindings/*/rules.mk))

## clean            remove everything that was built
clean:
	rm -rf build .build
