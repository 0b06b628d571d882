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

# Between the words of a call.
comma := ,

# Programs in Python are started by the hundred: what was compiled is kept.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help build build-embedded build-dev dev debug testing testing-embedded testing-dev demo clean FORCE

# What failed half-way is no target.
.DELETE_ON_ERROR:

help:
	@sed -n $(if $(ALL),'s/^## //p',$(EVERYDAY:%=-e '/^## % /s/^## //p')) $(MAKEFILE_LIST) | sort
	@$(if $(ALL),,echo 'all targets: make help ALL=1')

# What a newcomer needs, on one screen.
EVERYDAY := build clean debug demo deps dev dist docs format generate install lint simulate test test-full uninstall \
	wheel

include packaging/deps.mk packaging/link/cross.mk packaging/link/rules.mk

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
	@sed $(call in_place,$${pcfiledir}/..,$${pcfiledir},$${pcfiledir}/../../include,$${pcfiledir}/../generated) \
		packaging/link/mtoken.pc.in \
		> $(BUILD)/lib/mtoken.pc.$$$$ && mv $(BUILD)/lib/mtoken.pc.$$$$ $(BUILD)/lib/mtoken.pc
	@echo "$(BUILD)/lib/libmtoken.so.$(VERSION) ($(MODE), $$(stat -Lc %s $(BUILD)/lib/libmtoken.so) bytes)"
endif

# Copies a file that has changed, in one step: a program that has the former one open, or another make, is not
# disturbed.
put = { cmp -s $(1) $(2) || { cp $(1) $(2).$$$$ && mv $(2).$$$$ $(2); }; }

## testing          the library for tests, build/lib/libmtoken-testing.so (never installed)
ifdef MUSL
testing: testing-portable
else
testing: testing-$(MODE)
	@mkdir -p $(BUILD)/lib
	@$(call put,$(BUILD)/$(MODE)/libmtoken-testing.so,$(BUILD)/lib/libmtoken-testing.so)
endif

## dev              both libraries as an incremental debug build, in build/lib (as `make build testing MODE=dev`)
dev:
	@$(MAKE) --no-print-directory build testing MODE=dev

## debug            gdb, which stops the library at AT=File.swift:LINE in RUN="program arguments" (GDB: its options)
debug: dev
	@MTOKEN_LIBRARY="$(CURDIR)/build/lib/libmtoken.so.1" LD_LIBRARY_PATH="$(CURDIR)/build/lib" \
		PYTHONPATH="$(CURDIR)/bindings/python/src" gdb -q -iex 'set debuginfod enabled off' -iex 'set complaints 0' \
		-iex 'set breakpoint pending on' -ex 'break $(AT)' -ex run $(GDB) --args $(RUN)

## demo             activate, list, approve, reject and claim, from C and from Python, on the development server
demo: deps-build build build/examples/approve build/venv/ready
	@build/venv/bin/python examples/demo.py build/examples/approve

build/examples/approve: examples/c/approve.c include/mtoken.h $(wildcard include/mtoken/*.h) build
	@mkdir -p build/examples
	@$(CC) -std=c99 -Wall -Wextra -pedantic -O2 examples/c/approve.c -Iinclude -Lbuild/lib -lmtoken \
		-Wl,-rpath,'$$ORIGIN/../lib' -o $@

# The parts. A later one uses the names of an earlier one in its prerequisites.
include Tests/rules.mk Tests/python/rules.mk packaging/ship/install.mk Tests/bench/rules.mk Tests/fuzz/rules.mk
include bindings/generate/rules.mk Tests/lint/rules.mk Tests/c/rules.mk Tests/simulator/rules.mk Tests/misuse/rules.mk
include Tests/coverage.mk packaging/ship/rules.mk packaging/link/portable/rules.mk packaging/plugins/rules.mk
include docs/site/rules.mk Tests/hybrid.mk Tests/conformance/rules.mk Tests/cross/rules.mk
include $(filter-out bindings/generate/rules.mk,$(wildcard bindings/*/rules.mk))

## clean            remove everything that was built
clean:
	rm -rf build .build
