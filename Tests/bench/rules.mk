# Benchmarks: Tests/bench/README.md.

.PHONY: bench bench-start load FORCE

## bench            measure against the raw work of OpenSSL and Jansson (PAGE=1: into the page; PQ=1: on OpenSSL 3.5)
bench: deps-full build build/bench/bench build/bench/idle build/bench/load build/bench/offline build/bench/polling \
	build/bench/stores
	@$(if $(PQ),LD_LIBRARY_PATH="$(HYBRID_LIBRARIES)") $(PYTHON) Tests/bench/run.py --build build/bench \
		--library build/lib/libmtoken.so.$(SOVERSION) --output build/bench.json \
		$(if $(PAGE),--page Tests/bench/README.md)

BENCH_HEADERS := $(wildcard Tests/bench/*.hpp Tests/bench/*.h)
BENCH_COMPILE = $(CXX) -std=c++17 -O2 -Wall -Wextra -Iinclude -o $@ $(filter %.cpp,$^) -Lbuild/bench -Lbuild/lib \
	-Wl,-rpath,'$$ORIGIN:$$ORIGIN/../lib'

# What the C interface cannot isolate, built like the product.
build/bench/libmtoken-bench.so: FORCE | build
	$(call build-embedded-objects,bench/embedded,MTOKEN_BENCH=1)
	@MTOKEN_BENCH=1 MTOKEN_EMBEDDED=1 $(SWIFT) build --quiet -c release --scratch-path build/bench/embedded \
		--target MobileTokenBench
	$(call embedded-objects,bench/embedded,MobileTokenBench)
	@$(TOOLCHAIN)/bin/clang -shared -o $@ $(call embedded,bench/embedded,MobileTokenBench) $(LINK_FLAGS) \
		-Wl,--version-script=Tests/bench/shim.map $(UNICODE_TABLES) $(SYSTEM_LIBRARIES)

build/bench/bench: $(addprefix Tests/bench/,bench.cpp activation.cpp host.cpp limits.cpp operations.cpp reading.cpp) \
	$(BENCH_HEADERS) \
		| build build/bench/libmtoken-bench.so
	@$(BENCH_COMPILE) -lmtoken-bench -lmtoken -lbenchmark -lcrypto -ljansson -lpthread

build/bench/idle: $(addprefix Tests/bench/,idle.cpp activation.cpp host.cpp) $(BENCH_HEADERS) | build
	@mkdir -p build/bench
	@$(BENCH_COMPILE) -lmtoken -lcrypto -lpthread

build/bench/stores: $(addprefix Tests/bench/,stores.cpp activation.cpp host.cpp) $(BENCH_HEADERS) \
	| build build/bench/libmtoken-bench.so
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
