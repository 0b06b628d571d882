# The C tests: programs that use mtoken.h only (over both products and over libmtoken-testing), and programs that use the
# testing surface. All are built against the headers as they are installed.

C_PLAIN := handles constants pure arguments tasks events waits threads stores leaving network
C_BENCH := growth life fork durable powercut answers faults torture killed clock vectors surface tape models operations bounds hosted accounts
C_SUPPORT_PLAIN := harness brief plain
C_SUPPORT_BENCH := harness brief plain random crypt crypt4 bank bank4 world calls
C_HEADERS := $(wildcard Tests/c/*.h)
C_INSTALLED := build/c/root
C_FLAGS := -g -O1 -D_POSIX_C_SOURCE=200809L -Wall -Wextra -pedantic -Werror
# The headers are found as a program finds the installed ones.
C_MTOKEN = $(shell PKG_CONFIG_PATH=$(C_INSTALLED)/usr/lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$(C_INSTALLED) pkg-config --cflags mtoken)

# Headers and library as they are installed; the header for tests beside them.
$(C_INSTALLED)/usr/include/mtoken.h: include/mtoken.h $(wildcard include/mtoken/*.h) include/testing/mtoken_testing.h | build man
	@rm -rf $(C_INSTALLED)
	@$(MAKE) --no-print-directory -s install-files DESTDIR=$(C_INSTALLED) PREFIX=/usr LIBDIR=/usr/lib INCLUDEDIR=/usr/include
	@mkdir -p $(C_INSTALLED)/usr/include/testing
	@cp include/testing/mtoken_testing.h $(C_INSTALLED)/usr/include/testing/

build/c/objects/%.o: Tests/c/%.c $(C_HEADERS) $(C_INSTALLED)/usr/include/mtoken.h
	@mkdir -p build/c/objects
	@$(CC) -std=c99 $(C_FLAGS) $(C_MTOKEN) -c $< -o $@

build/c/objects/%.o: Tests/c/%.cpp $(C_INSTALLED)/usr/include/mtoken.h
	@mkdir -p build/c/objects
	@$(CXX) -std=c++17 $(C_FLAGS) $(C_MTOKEN) -c $< -o $@

c_objects = $(foreach name,$(1),build/c/objects/$(name).o)

# It counts calls of the library to functions of the C library.
C_COUNTED := sigaction signal sigprocmask setlocale umask setenv unsetenv putenv
build/c/product/threads build/c/testing/threads: private c_exports = $(addprefix -Wl$(comma)--export-dynamic-symbol=,$(C_COUNTED))

$(addprefix build/c/product/,$(C_PLAIN)): build/c/product/%: build/c/objects/%.o $(call c_objects,$(C_SUPPORT_PLAIN)) | build
	@mkdir -p build/c/product
	@$(CC) $^ -o $@ $(c_exports) -Lbuild/lib -lmtoken -lpthread -ldl

$(addprefix build/c/testing/,$(C_PLAIN)): build/c/testing/%: build/c/objects/%.o $(call c_objects,$(C_SUPPORT_PLAIN)) | testing
	@mkdir -p build/c/testing
	@$(CC) $^ -o $@ $(c_exports) -Lbuild/lib -lmtoken-testing -lpthread -ldl

$(addprefix build/c/testing/,$(C_BENCH)): build/c/testing/%: build/c/objects/%.o $(call c_objects,$(C_SUPPORT_BENCH)) | testing
	@mkdir -p build/c/testing
	@$(CC) $^ -o $@ -Lbuild/lib -lmtoken-testing -lcrypto -ljansson -lpthread -ldl

build/c/testing/torture build/c/testing/killed build/c/testing/bounds: build/c/objects/memory.o
build/c/testing/powercut: build/c/objects/disk.o

build/c/product/modern: $(call c_objects,modern $(C_SUPPORT_PLAIN)) | build
	@mkdir -p build/c/product
	@$(CXX) $^ -o $@ -Lbuild/lib -lmtoken -lpthread -ldl

C_PRODUCT_PROGRAMS := $(addprefix build/c/product/,$(C_PLAIN) modern)
# misuse: Tests/misuse/rules.mk
C_TESTING_PROGRAMS := $(addprefix build/c/testing/,$(C_PLAIN) $(C_BENCH) misuse)

C_RUN = build/venv/bin/python Tests/c/run.py --build build/c --vectors Tests/vectors --abi build/generated/mtoken.abi.json \
	--server tools/devserver \
	$(foreach name,$(ONLY),--only $(name))

# What takes a sample of its table ordinarily.
C_SAMPLED := torture killed powercut bounds answers faults

## test-c           the C and C++ programs (ONLY="life threads": those)
test-c: build/venv/ready build/generated/mtoken.abi.json $(C_PRODUCT_PROGRAMS) $(C_TESTING_PROGRAMS)
	@$(C_RUN) --timeout 900 product=build/lib testing=build/lib

## test-valgrind    the same under valgrind, without a leak or an error
test-valgrind: build/venv/ready build/generated/mtoken.abi.json $(C_PRODUCT_PROGRAMS) $(C_TESTING_PROGRAMS)
	@$(C_RUN) --valgrind product=build/lib testing=build/lib

## test-c-full      the whole tables of which test-c takes a sample (part of test-full)
test-c-full: build/venv/ready $(addprefix build/c/testing/,$(C_SAMPLED))
	@MTOKEN_FULL=1 build/venv/bin/python Tests/c/run.py --build build/c --vectors Tests/vectors --timeout 7200 \
		$(foreach name,$(C_SAMPLED),--only $(name)) testing=build/lib

.PHONY: test-c test-valgrind test-c-full
