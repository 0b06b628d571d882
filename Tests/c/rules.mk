# The C tests: programs that use mtoken.h only (over both products and over libmtoken-testing), and programs that use
# the testing surface. All are built against the headers as they are installed.

C_PLAIN := first handles constants pure arguments tasks events waits threads stores leaving network
C_BENCH := life fork durable answers torture killed clock vectors surface tape operations bounds hosted accounts
C_SUPPORT_PLAIN := harness brief plain
C_SUPPORT_BENCH := harness brief plain random crypt crypt4 bank bank4 world calls
C_HEADERS := $(wildcard Tests/c/*.h)
C_INSTALLED := $(BUILD)/c/root
C_FLAGS := -g -O1 -D_POSIX_C_SOURCE=200809L -Wall -Wextra -pedantic -Werror
# Other systems' programs are compiled by Clang, which warns of bytes that are written as a text, and of checks that are
# all made.
C_FLAGS += $(if $(CROSS),-Wno-unterminated-string-initialization -Wno-bitwise-instead-of-logical)
# With an OpenSSL of their own where this machine's does not do: the portable library's.
C_LINK = -L$(PRODUCT) $(C_LOADER)
# With musl they run on this machine, which has glibc's loader only.
C_LOADER := $(if $(filter x86_64-linux-musl,$(CROSS)),-Wl$(comma)--dynamic-linker=$(SYSROOT)/lib/ld-musl-x86_64.so.1)
C_CRYPTO := $(if $(CROSS),$(PORTABLE)/lib/libcrypto.a $(PORTABLE)/lib/libjansson.a,-lcrypto -ljansson)
# The headers are found as a program finds the installed ones.
C_MTOKEN = $(shell PKG_CONFIG_PATH=$(C_INSTALLED)/usr/lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$(C_INSTALLED) pkg-config \
	--cflags mtoken)

# Headers and library as they are installed; the header for tests beside them.
$(C_INSTALLED)/usr/include/mtoken.h: include/mtoken.h $(wildcard include/mtoken/*.h) include/testing/mtoken_testing.h \
	| build man
	@rm -rf $(C_INSTALLED)
	@$(MAKE) --no-print-directory -s install-files DESTDIR=$(C_INSTALLED) PREFIX=/usr LIBDIR=/usr/lib \
		INCLUDEDIR=/usr/include
	@mkdir -p $(C_INSTALLED)/usr/include/testing
	@cp include/testing/mtoken_testing.h $(C_INSTALLED)/usr/include/testing/

$(BUILD)/c/objects/%.o: Tests/c/%.c $(C_HEADERS) $(C_INSTALLED)/usr/include/mtoken.h
	@mkdir -p $(BUILD)/c/objects
	@$(CC) -std=c99 $(C_FLAGS) $(C_MTOKEN) -c $< -o $@

$(BUILD)/c/objects/%.o: Tests/c/%.cpp $(C_INSTALLED)/usr/include/mtoken.h
	@mkdir -p $(BUILD)/c/objects
	@$(CXX) -std=c++17 $(C_FLAGS) $(C_MTOKEN) -c $< -o $@

c_objects = $(foreach name,$(1),$(BUILD)/c/objects/$(name).o)

# It counts calls of the library to functions of the C library.
C_COUNTED := sigaction signal sigprocmask setlocale umask setenv unsetenv putenv
$(BUILD)/c/product/threads $(BUILD)/c/testing/threads: private c_exports = \
	$(addprefix -Wl$(comma)--export-dynamic-symbol=,$(C_COUNTED))

$(addprefix $(BUILD)/c/product/,$(C_PLAIN)): $(BUILD)/c/product/%: $(BUILD)/c/objects/%.o \
	$(call c_objects,$(C_SUPPORT_PLAIN)) | build
	@mkdir -p $(BUILD)/c/product
	@$(CC) $^ -o $@ $(c_exports) $(C_LINK) -lmtoken -lpthread -ldl

$(addprefix $(BUILD)/c/testing/,$(C_PLAIN)): $(BUILD)/c/testing/%: $(BUILD)/c/objects/%.o \
	$(call c_objects,$(C_SUPPORT_PLAIN)) | testing
	@mkdir -p $(BUILD)/c/testing
	@$(CC) $^ -o $@ $(c_exports) $(C_LINK) -lmtoken-testing -lpthread -ldl

$(addprefix $(BUILD)/c/testing/,$(C_BENCH)): $(BUILD)/c/testing/%: $(BUILD)/c/objects/%.o \
	$(call c_objects,$(C_SUPPORT_BENCH)) | testing
	@mkdir -p $(BUILD)/c/testing
	@$(CC) $^ -o $@ $(C_LINK) -lmtoken-testing $(C_CRYPTO) -lpthread -ldl

$(BUILD)/c/testing/torture $(BUILD)/c/testing/killed $(BUILD)/c/testing/bounds: $(BUILD)/c/objects/memory.o

$(BUILD)/c/product/modern: $(call c_objects,modern $(C_SUPPORT_PLAIN)) | build
	@mkdir -p $(BUILD)/c/product
	@$(CXX) $^ -o $@ $(C_LINK) -lmtoken -lpthread -ldl

C_PRODUCT_PROGRAMS := $(addprefix $(BUILD)/c/product/,$(C_PLAIN) modern)
# misuse: Tests/misuse/rules.mk
C_TESTING_PROGRAMS := $(addprefix $(BUILD)/c/testing/,$(C_PLAIN) $(C_BENCH) misuse)

C_RUN = build/venv/bin/python Tests/c/run.py --build $(BUILD)/c --vectors Tests/vectors --server tools/devserver \
	$(foreach name,$(ONLY),--only $(name))

# What takes a sample of its table ordinarily.
C_SAMPLED := torture killed bounds answers

## test-c           the C and C++ programs (ONLY="life threads": those)
test-c: build/venv/ready $(C_PRODUCT_PROGRAMS) $(C_TESTING_PROGRAMS)
	@$(C_RUN) --timeout 900 product=$(PRODUCT) testing=$(PRODUCT)

## test-valgrind    the same under valgrind, without a leak or an error
test-valgrind: build/venv/ready $(C_PRODUCT_PROGRAMS) $(C_TESTING_PROGRAMS)
	@$(C_RUN) --valgrind product=$(PRODUCT) testing=$(PRODUCT)

# A sanitizer has to watch the library's own code, which is linked with the program: an ordinary debug build. The
# objects are named after the sources that exist. With Swift's static library the allocator of the sanitizer would be
# hidden from OpenSSL and Jansson.
sanitized-objects = \
	$(foreach module,$(MODULES) MobileTokenTesting,$(patsubst %,build/$(1)/debug/$(module).build/%.o,$(sort $(notdir \
	$(shell find Sources/$(module) -name '*.swift')))))

## test-threads     the C programs of many threads under the thread sanitizer (part of test-sanitize)
C_THREADED := tasks events waits threads handles life operations hosted
TSAN_FLAGS := -std=c99 -g -O1 -fsanitize=thread -fno-omit-frame-pointer -D_POSIX_C_SOURCE=200809L -ITests/c -Iinclude
# The thread sanitizer does not support fork.
test-threads:
	@mkdir -p build/c/tsan
	@$(SWIFT) build --quiet --sanitize=thread --scratch-path build/tsan --target MobileTokenTesting
	@for name in $(C_SUPPORT_BENCH) $(C_THREADED); do \
		$(TOOLCHAIN)/bin/clang $(TSAN_FLAGS) -c Tests/c/$$name.c -o build/c/tsan/$$name.o || exit 1; done
	@for name in $(C_THREADED); do \
		$(TOOLCHAIN)/bin/swiftc -emit-executable -sanitize=thread -use-ld=lld -o build/c/tsan/$$name \
			build/c/tsan/$$name.o $(C_SUPPORT_BENCH:%=build/c/tsan/%.o) $(call sanitized-objects,tsan) \
			$(SYSTEM_LIBRARIES) || exit 1; \
		build/c/tsan/$$name || exit 1; done
.PHONY: test-threads

## test-c-full      the whole tables of which test-c takes a sample (part of test-full)
test-c-full: build/venv/ready $(addprefix $(BUILD)/c/testing/,$(C_SAMPLED))
	@MTOKEN_FULL=1 build/venv/bin/python Tests/c/run.py --build $(BUILD)/c --vectors Tests/vectors --timeout 7200 \
		$(foreach name,$(C_SAMPLED),--only $(name)) testing=$(PRODUCT)

.PHONY: test-c test-valgrind test-c-full
