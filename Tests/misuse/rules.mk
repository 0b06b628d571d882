# Every function with one thing wrong: tables made from the description of the interface, and a program that goes
# through them.

MISUSE_SOURCES := Tests/misuse/misuse.c Tests/misuse/things.c build/generated/misuse_tables.c
MISUSE_SUPPORT := $(addprefix Tests/c/,$(addsuffix .c,harness brief plain crypt crypt4 bank bank4 world))
MISUSE_FLAGS = -std=c99 $(C_FLAGS) -ITests/misuse -ITests/c
MISUSE_LIBRARIES := -lcrypto -ljansson -lpthread -ldl

build/generated/misuse_tables.c: Tests/misuse/generate.py Tests/misuse/recipes.py build/generated/mtoken.abi.json
	@$(PYTHON) -B Tests/misuse/generate.py build/generated/mtoken.abi.json $@

build/c/testing/misuse: $(MISUSE_SOURCES) $(wildcard Tests/misuse/*.h) $(call c_objects,$(C_SUPPORT_BENCH)) | testing
	@mkdir -p build/c/testing
	@$(CC) $(MISUSE_FLAGS) $(C_MTOKEN) -o $@ $(MISUSE_SOURCES) $(call c_objects,$(C_SUPPORT_BENCH)) \
		-Lbuild/lib -lmtoken-testing $(MISUSE_LIBRARIES)

ASAN_FLAGS := -g -O1 -fsanitize=address -fno-omit-frame-pointer -D_POSIX_C_SOURCE=200809L -ITests/misuse -ITests/c \
	-Iinclude

build/c/asan/misuse: $(MISUSE_SOURCES) $(MISUSE_SUPPORT) $(wildcard Tests/misuse/*.h) $(C_HEADERS) FORCE
	@mkdir -p build/c/asan
	@$(SWIFT) build --quiet --sanitize=address --scratch-path build/asan --target MobileTokenTesting
	@for source in $(MISUSE_SOURCES) $(MISUSE_SUPPORT); do \
		$(TOOLCHAIN)/bin/clang -std=c99 $(ASAN_FLAGS) -c $$source -o build/c/asan/$$(basename $$source .c).o || \
		exit 1; done
	@$(TOOLCHAIN)/bin/swiftc -emit-executable -sanitize=address -use-ld=lld -o $@ \
		$(addprefix build/c/asan/,$(addsuffix .o,$(basename $(notdir $(MISUSE_SOURCES) $(MISUSE_SUPPORT))))) \
		$(call sanitized-objects,asan) \
		$(SYSTEM_LIBRARIES)

## test-misuse      every function with one thing wrong, under the address sanitizer (part of test-sanitize)
test-misuse: build/c/asan/misuse
	@build/c/asan/misuse

.PHONY: test-misuse
