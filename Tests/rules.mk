# The sets of tests, the Swift tests, and those that read the tree. Each other kind has its own rules.mk.

.PHONY: test test-full test-sanitize test-repeat test-contract test-swift test-swift-again build-tests abi

# How many parts of `make test` run at a time: more than processors, because servers and clients wait for each other.
JOBS ?= 3
TEST_PARTS := test-python test-c test-swift test-simulator fuzz-replay lint test-devserver test-bindings-quick \
	test-generated test-contract test-man abi

## test             the quick set: all tests of the product but the long ones
test: deps
	@$(MAKE) --no-print-directory -j$(JOBS) --output-sync=target $(TEST_PARTS)
	@echo "all tests passed"

# The tests and what replays the fuzz inputs, in one build.
build-tests:
	@MTOKEN_FUZZ=1 $(SWIFT) build --quiet --build-tests --explicit-target-dependency-import-check error

# HTTP/2 is tested against a server on the Python package h2. The count of vectors run is printed for each file. One
# test after another, so that each one's time is its own; the other parts of `make test` have the other processor
# meanwhile.
test-swift: build/venv/ready build-tests
	@LD_BIND_NOW=1 MTOKEN_FUZZ=1 MTOKEN_HTTP2_PYTHON="$(CURDIR)/build/venv/bin/python" $(SWIFT) test \
		--skip-build --no-parallel > build/swift-test.log 2>&1 \
		|| { grep -a -E '✘|error:|Fatal' build/swift-test.log; exit 1; }
	@grep -a -h '^not run: ' build/swift-test.log | sort -u || true
	@grep -a -h '^vectors: ' build/swift-test.log | sort
	@echo "slowest Swift tests:"; \
		sed -n -E '/ run with /d; s/^. Test (.*) passed after ([0-9.]+) seconds.*/\2 s  \1/p' build/swift-test.log \
		| sort -rn | head -n 10
	@grep -a 'Test run with' build/swift-test.log

# In a folder of its own: others wait for a folder that a test is run from.
DUMP_PACKAGE = $(SWIFT) package --scratch-path build/package dump-package

test-contract: build/venv/ready build
	@$(DUMP_PACKAGE) | $(PYTHON) Tests/architecture.py
	@$(PYTHON) Tests/claims.py
	@$(PYTHON) Tests/contributing.py
	@PYTHONPATH=bindings $(PYTHON) -B Tests/one_version.py
	@build/venv/bin/python Tests/contract.py --library build/lib/libmtoken.so.1
	@build/venv/bin/python Tests/linkage.py build/lib/libmtoken.so.1 \
		--linkmap build/embedded/libmtoken.so.$(VERSION).linkmap

## test-repeat      Swift tests TIMES times (50) and Python tests PYTHON_TIMES (5) beside four busy processes
test-repeat: build/venv/ready build-tests build testing man
	@sh Tests/repeat.sh $(or $(TIMES),50) $(MAKE) --no-print-directory test-swift-again
	@sh Tests/repeat.sh $(or $(PYTHON_TIMES),5) $(MAKE) --no-print-directory test-python

test-swift-again:
	@LD_BIND_NOW=1 MTOKEN_FUZZ=1 MTOKEN_HTTP2_PYTHON="$(CURDIR)/build/venv/bin/python" $(SWIFT) test --skip-build \
		> build/swift-test.log 2>&1 \
		|| { grep -a -E '✘|error:|Fatal' build/swift-test.log; exit 1; }

# Leaks are valgrind's matter: Foundation, which only the tests use, has some of its own.
## test-sanitize    the Swift tests under address and thread sanitizers, the C programs under valgrind too
test-sanitize: deps-full test-valgrind test-misuse test-threads
	ASAN_OPTIONS=detect_leaks=0 $(SWIFT) test --quiet --sanitize=address --scratch-path build/asan
	$(SWIFT) test --quiet --sanitize=thread --scratch-path build/tsan

## test-full        everything
test-full: test deps-bindings test-bindings test-go test-rust test-csharp test-node test-java csharp-package \
	java-package test-python-full test-sanitize test-c-full test-package coverage fuzz bench load

## abi              compare the interface with that of the last release
abi: build
	@$(PYTHON) Tests/abi.py build/lib/libmtoken.so.1
