# How the library is made: what is compiled, what it is linked of, and the debug build.

MODULES := MobileTokenSystem MobileTokenCrypto MobileTokenJSON PowerAuth MobileTokenModel MobileTokenHTTP MobileToken \
	MobileTokenC
TOOLCHAIN := $(shell dirname "$$(dirname "$$(readlink -f "$$(command -v $(SWIFT))")")")
# Only tests and benchmarks compare Strings.
UNICODE_TABLES = $(TOOLCHAIN)/lib/swift/embedded/$(TRIPLE)/libswiftUnicodeDataTables.a
SYSTEM_LIBRARIES := -lssl -lcrypto -ljansson -lcurl -lm
# `make build STRIP=` keeps the symbols, for valgrind and profilers.
STRIP ?= -Wl,-s
# Packed relocations (-z pack-relative-relocs) would be 56 kB smaller, but such a library is only loaded by glibc 2.36
# and later. Nothing unwinds through the library, which has no tables for that: their index would be of no use.
LINK_FLAGS = -fuse-ld=lld -Wl,--no-eh-frame-hdr -Wl,--gc-sections -Wl,--icf=all -Wl,-O2 -Wl,-z,defs -Wl,-z,nodelete \
	-Wl,-z,relro -Wl,-z,now $(STRIP)
# Of the embedded builds, where a module is one object and has the code of those below it: objects of what is fast; the
# rest as bitcode, of which the linker makes what is small; and what nothing needs stays out. Folder, further modules.
FAST_MODULES := MobileTokenCrypto MobileTokenJSON
# (To the compiler's driver, what is named .bc is a source: it must be named .o, which only the linker looks into.) Of a
# function of Swift's library that several objects have, the first one stays: the small one.
embedded = $(BUILD)/$(1)/objects/MobileTokenC.o $(FAST_MODULES:%=$(BUILD)/$(1)/objects/%.o) \
	$(2:%=$(BUILD)/$(1)/objects/%.o) \
	-Wl,--start-lib $(patsubst %,$(BUILD)/$(1)/objects/%.o,$(filter-out $(FAST_MODULES) MobileTokenC,$(MODULES))) \
	-Wl,--end-lib $(EMBEDDED_FLAGS)
EMBEDDED_FLAGS = -Wl,--lto-O2 -Wl,-mllvm,-inline-threshold=0 -Wl,-mllvm,-enable-machine-outliner=always \
	-Wl,-mllvm,-enable-linkonceodr-outlining
# Nothing unwinds through Swift, and debuggers follow the frame pointers: the tables of unwinding, which come with debug
# information, stay with the symbols. Folder, modules.
define embedded-objects
	@mkdir -p $(BUILD)/$(1)/objects
	@for module in $(2); do $(TOOLCHAIN)/bin/llvm-objcopy $(if $(STRIP),--remove-section=.eh_frame \
		--remove-section=.rela.eh_frame) \
		$(BUILD)/$(1)/release/$$module.build/$$module.o $(BUILD)/$(1)/objects/$$module.o || exit 1; done
endef
# Builds what the embedded libraries are linked of; all of it where a shim has changed, which the package manager does
# not look into. Folder, environment.
define build-embedded-objects
	@[ -z "$$(find Sources/C* -name '*.h' -newer $(BUILD)/$(1)/objects/MobileTokenCrypto.o 2>/dev/null)" ] || \
		rm -rf $(BUILD)/$(1)
	@$(2) MTOKEN_EMBEDDED=1 $(SWIFT_BUILD) $(SWIFT_CROSS) -c release --scratch-path $(BUILD)/$(1) --target MobileToken
	$(call embedded-objects,$(1),$(filter-out MobileTokenC,$(MODULES)))
	@$(PYTHON) packaging/link/bitcode.py $(BUILD)/$(1) MobileTokenC $(BUILD)/$(1)/objects/MobileTokenC.o
endef

# Each mode has a library and one for tests, which are built again when a source, or the list of them, has changed.
MODES := embedded dev
$(MODES:%=build-%): build-%: $(BUILD)/%/libmtoken.so.$(VERSION)
$(MODES:%=testing-%): testing-%: $(BUILD)/%/libmtoken-testing.so
LIBRARY_INPUTS := $(shell find Sources include) $(wildcard packaging/link/*.map packaging/link/*.[ch]) \
	packaging/link/bitcode.py packaging/link/rules.mk Package.swift build/flags
build/dev/libmtoken.so.$(VERSION): $(LIBRARY_INPUTS)
# Two builds never share a folder at the same time.
$(MODES:%=$(BUILD)/%/libmtoken-testing.so): %/libmtoken-testing.so: %/libmtoken.so.$(VERSION)

# Without a toolchain, what was built is up to date as long as no source is newer: root installs what a user has built.
FLAGS_CHANGED := $(shell command -v $(SWIFT) >/dev/null && \
	[ "$$(cat build/flags 2>/dev/null)" != '$(STRIP) $(TOOLCHAIN)' ] && echo FORCE)
build/flags: $(FLAGS_CHANGED)
	@mkdir -p build && echo '$(STRIP) $(TOOLCHAIN)' > $@

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

OBJECTS_TESTING := $(BUILD)/embedded/objects/testing
$(OBJECTS_TESTING): $(OBJECTS)
	@MTOKEN_EMBEDDED=1 $(SWIFT_BUILD) $(SWIFT_CROSS) -c release --scratch-path $(BUILD)/embedded \
		--target MobileTokenTesting
	$(call embedded-objects,embedded,MobileTokenTesting)
	@touch $@

$(BUILD)/embedded/libmtoken-testing.so: $(OBJECTS_TESTING)
	$(call link-embedded,libmtoken-testing.so,MobileTokenTesting,libmtoken-testing.so,libmtoken-testing.map,\
		$(UNICODE_TABLES))

# No product needs a newer glibc than 2.34; what would is compiled in.
COMPILE_GLIBC = $(CLANG) -std=c11 -O2 -fPIC -fvisibility=hidden -ffunction-sections -fno-asynchronous-unwind-tables \
	-Wall -Wextra -Werror

# What stands beside the modules of the embedded builds. Folder.
SUPPORT := glibc embedded
define compile-support
	@for name in $(SUPPORT); do $(COMPILE_GLIBC) -c packaging/link/$$name.c -o $(1)/$$name.o || exit 1; done
endef

# Links a library: file, modules (embedded: further modules), soname, version script, further libraries. The product has
# none of Swift's tables of Unicode (33 kB): there, a String that is compared, sorted or hashed is an undefined symbol.
# Texts are compared by bytes (ByteKey). The hash that the compiler leaves of each module depends on the folder it was
# built in, and nothing reads it; nor the names of compilers.
define link-embedded
	$(call compile-support,$(BUILD)/embedded)
	@$(CLANG) -shared -o $(BUILD)/embedded/$(1) $(call embedded,embedded,$(2)) $(SUPPORT:%=$(BUILD)/embedded/%.o) \
		$(LINK_FLAGS) -Wl,-soname,$(3) \
		-Wl,--version-script=packaging/link/$(4) -Wl,-Map,$(BUILD)/embedded/$(1).linkmap $(5) $(SYSTEM_LIBRARIES)
	@$(TOOLCHAIN)/bin/llvm-objcopy --remove-section=.swift_modhash --remove-section=.comment $(BUILD)/embedded/$(1)
endef
define link-dev
	@mkdir -p build/dev
	@$(COMPILE_GLIBC) -c packaging/link/glibc.c -o build/dev/glibc.o
	@$(TOOLCHAIN)/bin/swiftc -g -emit-library -o build/dev/$(1) \
		$(foreach module,$(2),$(patsubst %,.build/debug/$(module).build/%.o,$(sort $(notdir $(shell find \
		Sources/$(module) -name '*.swift'))))) \
		build/dev/glibc.o -use-ld=lld -Xclang-linker -Wl,-z,nodelete -Xclang-linker -Wl,-soname,$(3) \
		-Xclang-linker -Wl,--version-script=packaging/link/$(4) $(SYSTEM_LIBRARIES)
endef
