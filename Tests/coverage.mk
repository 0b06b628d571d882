# Coverage of Sources by the Swift, C and Python tests together: an instrumented debug build of the same sources.

COVERAGE := build/coverage
COVERAGE_LINES := 90
COVERAGE_BUILD = $(SWIFT) build --quiet --enable-code-coverage --scratch-path $(COVERAGE)
coverage_link = $(TOOLCHAIN)/bin/swiftc -emit-library -static-stdlib -profile-generate -o $(COVERAGE)/lib/$(1) \
	$(wildcard $(foreach module,$(2),$(COVERAGE)/debug/$(module).build/*.o)) -use-ld=lld \
	-Xclang-linker -Wl,-soname,$(3) -Xclang-linker -Wl,--version-script=packaging/link/$(4) $(SYSTEM_LIBRARIES)

.PHONY: coverage coverage-build coverage-library coverage-link

coverage-build: deps-full coverage-library
	@$(COVERAGE_BUILD) --build-tests

coverage-library:
	@$(COVERAGE_BUILD) --target MobileTokenTesting

# After the build, whose objects are looked for as this begins.
coverage-link:
	@mkdir -p $(COVERAGE)/lib
	@$(call coverage_link,libmtoken.so.$(SOVERSION),$(MODULES),libmtoken.so.$(SOVERSION),libmtoken.map)
	@$(call coverage_link,libmtoken-testing.so,$(MODULES) MobileTokenTesting,libmtoken-testing.so,libmtoken-testing.map)

## coverage         which lines of Sources the tests reach: a table, and build/coverage/uncovered.txt with the others
coverage: coverage-build build/venv/ready $(C_PRODUCT_PROGRAMS) $(C_TESTING_PROGRAMS)
	@$(MAKE) --no-print-directory -s coverage-link
	@rm -rf $(COVERAGE)/raw $(COVERAGE)/failed && mkdir -p $(COVERAGE)/raw
	@LD_BIND_NOW=1 MTOKEN_HTTP2_PYTHON="$(CURDIR)/build/venv/bin/python" $(SWIFT) test \
		--quiet --skip-build --enable-code-coverage \
		--scratch-path $(COVERAGE) > $(COVERAGE)/swift.log 2>&1 || { touch $(COVERAGE)/failed; \
		grep -a -E '✘|error:|Fatal' $(COVERAGE)/swift.log; }
	@LLVM_PROFILE_FILE="$(CURDIR)/$(COVERAGE)/raw/c-%p.profraw" $(C_RUN) product=$(COVERAGE)/lib \
		testing=$(COVERAGE)/lib \
		> $(COVERAGE)/c.log || { touch $(COVERAGE)/failed; grep -v -E '^(ok|vectors)' $(COVERAGE)/c.log; }
	@MTOKEN_VALGRIND=0 LLVM_PROFILE_FILE="$(CURDIR)/$(COVERAGE)/raw/python-%p.profraw" \
		MTOKEN_LIBRARY="$(CURDIR)/$(COVERAGE)/lib/libmtoken.so.1" \
		build/venv/bin/python -m pytest -q -c Tests/python/pytest.ini $(PYTHON_TESTS) \
		--deselect Tests/python/runtime/test_good_guest.py > $(COVERAGE)/python.log \
		|| { touch $(COVERAGE)/failed; tail -n 100 $(COVERAGE)/python.log; }
	@$(TOOLCHAIN)/bin/llvm-profdata merge -sparse -o $(COVERAGE)/all.profdata $(COVERAGE)/raw \
		$(COVERAGE)/debug/codecov/default.profdata
	@$(PYTHON) Tests/coverage.py --tool $(TOOLCHAIN)/bin/llvm-cov --profile $(COVERAGE)/all.profdata \
		--lines $(COVERAGE_LINES) \
		--output $(COVERAGE)/uncovered.txt $(COVERAGE)/lib/libmtoken-testing.so \
		$(COVERAGE)/debug/libmtokenPackageTests.xctest
	@test ! -e $(COVERAGE)/failed || { echo "tests have failed, see above" >&2; exit 1; }
