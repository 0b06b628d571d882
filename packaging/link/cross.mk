# The system that the library is made for: this one, or with CROSS=aarch64-linux-gnu, aarch64-linux-musl or
# x86_64-linux-musl another. Embedded Swift compiles its standard library into the modules, so that of any system with
# the same processor does, one without a system too; only C's headers and what is linked are the other system's own.

CROSS ?=
# What is tested and packed; aarch64-linux-musl is built by the same rules, and was not tried with this version.
SYSTEMS := aarch64-linux-gnu x86_64-linux-musl
# The folders of those that packages carry beside this machine's: make dist sets it.
CROSSED ?=
BUILD := build$(CROSS:%=/%)
ARCH := $(or $(firstword $(subst -, ,$(CROSS))),$(shell uname -m))
MUSL := $(findstring musl,$(CROSS))
PORTABLE := $(BUILD)/portable
# Debian has OpenSSL, libcurl and Jansson for glibc only: with musl there is the portable library and no other.
PRODUCT := $(if $(MUSL),$(PORTABLE),$(BUILD)/lib)
SYSROOT := $(CURDIR)/$(BUILD)/sysroot
SYSROOT_MADE := $(CROSS:%=$(BUILD)/sysroot/made)
TRIPLE := $(if $(filter aarch64-%,$(CROSS)),aarch64-none-none-elf,$(ARCH)-unknown-linux-gnu)

# Return addresses are signed. No landing pads (BTI): Debian's start files have none, and all or nothing of a library
# has them. With glibc, whether the processor has single instructions for atomic work is found out when the library is
# loaded.
cross-flags-aarch64-linux-gnu := -mbranch-protection=pac-ret -moutline-atomics
cross-flags-aarch64-linux-musl := -mbranch-protection=pac-ret -mno-outline-atomics

CLANG = $(TOOLCHAIN)/bin/clang $(CROSS_CLANG)
ifdef CROSS
CROSS_CLANG = --target=$(CROSS) --sysroot=$(SYSROOT) -fuse-ld=lld -static-libgcc -Wno-unused-command-line-argument \
	$(cross-flags-$(CROSS))
CC = $(CLANG)
CXX = $(TOOLCHAIN)/bin/clang++ $(CROSS_CLANG)
AR = $(TOOLCHAIN)/bin/llvm-ar
SWIFT_CROSS = --triple $(TRIPLE) --sdk $(SYSROOT) $(addprefix -Xswiftc ,-Xfrontend -clang-target -Xfrontend $(CROSS)) \
	$(addprefix -Xcc ,$(cross-flags-$(CROSS)))
endif
