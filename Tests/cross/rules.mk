# The library for other systems, where it runs: programs for arm64 by qemu, those for musl on x86-64 as they are.

PACKAGES_CROSS := qemu-user-static debootstrap
PACKAGES_FULL += $(PACKAGES_CROSS)

# A Debian for arm64 with Python and the libraries that the product is linked with.
CROSS_ROOT := build/cross/arm64
# Where an emulated program finds its loader and libraries.
CROSS_PREFIX = $(CURDIR)/$(if $(MUSL),$(BUILD)/sysroot,$(CROSS_ROOT))
CROSS_RUN = QEMU_LD_PREFIX="$(CROSS_PREFIX)" $(PYTHON) Tests/cross/emulated.py env

# What replaces the allocator of glibc.
C_OF_GLIBC := torture killed bounds
C_CROSS_TESTING = $(addprefix $(BUILD)/c/testing/,$(C_PLAIN) $(filter-out $(if $(MUSL),$(C_OF_GLIBC)),$(C_BENCH)))
# The debug build of C++'s library is Debian's, which is glibc's.
C_CROSS_PRODUCT = $(addprefix $(BUILD)/c/product/,$(C_PLAIN) $(if $(MUSL),,modern))

.PHONY: test-cross test-cross-system

test-full: test-cross

## test-cross       the library for arm64 and musl (SYSTEMS="aarch64-linux-gnu": those; as root; part of test-full)
test-cross: deps build/venv/ready build/generated/mtoken.abi.json man
	$(call install-packages,$(PACKAGES_CROSS))
	@$(foreach system,$(SYSTEMS),$(MAKE) --no-print-directory test-cross-system CROSS=$(system) || exit 1;)

test-cross-system: build testing portable testing-portable wheel $(CROSS_ROOT)/made $(C_CROSS_PRODUCT) \
	$(C_CROSS_TESTING)
	@build/venv/bin/python Tests/linkage.py $(if $(MUSL),,$(PRODUCT)/libmtoken.so.$(SOVERSION)) \
		--portable $(PORTABLE)/libmtoken.so.$(SOVERSION) \
		$(if $(MUSL),,--linkmap $(BUILD)/embedded/libmtoken.so.$(VERSION).linkmap)
	@$(if $(MUSL),echo "not run: $(C_OF_GLIBC) (they replace the allocator of glibc)")
	@$(CROSS_RUN) MTOKEN_HYBRID=1 $(C_RUN) --timeout 1800 $(if $(MUSL),,product=$(PRODUCT)) product=$(PORTABLE) \
		testing=$(PORTABLE)
	@$(if $(MUSL),echo "not run: conformance documents (the players are linked with Debian's libraries)",$(CROSS_RUN) \
		LD_LIBRARY_PATH="$(CURDIR)/$(PORTABLE)" MTOKEN_PLAYER_PYTHON="$(CURDIR)/$(CROSS_ROOT)/usr/bin/python3" \
		$(CONFORMANCE) --library $(PORTABLE)/libmtoken.so.$(SOVERSION) c python)
	@MTOKEN_CROSS=$(CROSS) MTOKEN_CROSS_CC="$(CC)" $(CROSS_RUN) build/venv/bin/python -m pytest \
		-q -rs Tests/packages/test_cross.py

$(CROSS_ROOT)/made: Tests/cross/root.sh Tests/cross/emulated.py
	@sh Tests/cross/root.sh $(CROSS_ROOT)
	@touch $@
