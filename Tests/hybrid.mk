# What needs ML-KEM and ML-DSA: the hybrid suites of PowerAuth 4. OpenSSL has them from 3.5 on. Where the system's is
# older, the one of the portable library is built once more, with shared libraries, and everything here runs with it.

HYBRID := build/hybrid
HYBRID_LIBRARIES ?= $(if $(shell dpkg --compare-versions "$$(pkg-config --modversion libcrypto 2>/dev/null)" ge 3.5 && \
	echo yes),,$(CURDIR)/$(HYBRID)/lib)
# Where it is built here.
HYBRID_BUILT = $(if $(findstring $(CURDIR)/$(HYBRID)/,$(HYBRID_LIBRARIES)),$(HYBRID)/lib/libcrypto.so.3)
HYBRID_RUN = LD_LIBRARY_PATH="$(HYBRID_LIBRARIES)" LD_BIND_NOW=1
HYBRID_PYTHON = $(wildcard Tests/python/protocol/test_protocol4*.py) tools/command/tests/test_command_protocol4.py \
	Tests/python/activation/test_migration.py
HYBRID_SUITES := EC_P384_ML_L3 EC_P384_ML_L5
HYBRID_C := answers bounds clock durable fork killed life torture
# Without memory in the middle of ML-KEM, OpenSSL can give a wrong secret as a right one: that is one request for memory
# of a thousand, which a sample mostly misses. So each of them fails here.
HYBRID_MEMORY := --only torture --test "memory of the C libraries fails"
# Nothing that is meant here may be left out for want of an algorithm: Swift and Python tests say so, C programs run
# once for each suite, and a language plays all of them.
complete = if grep -a 'not run: .*ML-' $(1); then exit 1; fi
HYBRID_LANGUAGES := c cpp python

bench: $(if $(PQ),$(HYBRID_BUILT))

.PHONY: test-pq

test-full: test-pq

## test-pq          the hybrid suites of PowerAuth 4 on OpenSSL 3.5 (HYBRID_LIBRARIES=folder: this one)
test-pq: build/venv/ready build testing build-tests build/simulator/simulator \
	$(addprefix build/c/testing/,$(HYBRID_C)) $(HYBRID_BUILT)
	@mkdir -p $(HYBRID)
	@$(HYBRID_RUN) MTOKEN_FUZZ=1 $(SWIFT) test \
		--skip-build --no-parallel --filter 'MobileTokenCryptoTests|PowerAuthTests' > $(HYBRID)/swift.log 2>&1 \
		|| { grep -a -E '✘|error:|Fatal' $(HYBRID)/swift.log; exit 1; }
	@$(call complete,$(HYBRID)/swift.log)
	@grep -a -h '^vectors: powerauth4' $(HYBRID)/swift.log | sort
	@grep -a 'Test run with' $(HYBRID)/swift.log
	@$(if $(HYBRID_PYTHON),LD_LIBRARY_PATH="$(HYBRID_LIBRARIES)" MTOKEN_LIBRARY="$(CURDIR)/build/lib/libmtoken.so.1" \
		$(PYTEST) $(HYBRID_PYTHON) \
		> $(HYBRID)/python.log 2>&1 || { tail -n 60 $(HYBRID)/python.log; exit 1; }; \
		$(call complete,$(HYBRID)/python.log); tail -n 1 $(HYBRID)/python.log)
	@$(foreach suite,$(HYBRID_SUITES),MTOKEN_SUITE=$(suite) LD_LIBRARY_PATH="$(HYBRID_LIBRARIES):build/lib" \
		build/simulator/simulator --lives 40 --seconds 120 || exit 1;)
	@LD_LIBRARY_PATH="$(HYBRID_LIBRARIES)" $(C_RUN) $(addprefix --only ,$(HYBRID_C)) testing=build/lib \
		> $(HYBRID)/c.log 2>&1 \
		|| { cat $(HYBRID)/c.log; exit 1; }
	@cat $(HYBRID)/c.log; $(foreach program,$(HYBRID_C),for suite in $(HYBRID_SUITES); do grep -q "$(program) $$suite" \
		$(HYBRID)/c.log \
		|| { echo "$(program): not run with $$suite"; exit 1; }; done;)
	@LD_LIBRARY_PATH="$(HYBRID_LIBRARIES)" MTOKEN_FULL=1 $(C_RUN) --timeout 1200 $(HYBRID_MEMORY) testing=build/lib \
		> $(HYBRID)/memory.log 2>&1 || { cat $(HYBRID)/memory.log; exit 1; }
	@$(foreach suite,$(HYBRID_SUITES),grep "^ok .*torture $(suite) " $(HYBRID)/memory.log || exit 1;)
	@LD_LIBRARY_PATH="$(HYBRID_LIBRARIES)" $(CONFORMANCE) $(HYBRID_LANGUAGES) > $(HYBRID)/conformance.log 2>&1 \
		|| { cat $(HYBRID)/conformance.log; exit 1; }
	@cat $(HYBRID)/conformance.log; if grep -q 'not run' $(HYBRID)/conformance.log; then exit 1; fi

$(HYBRID)/lib/libcrypto.so.3: packaging/link/portable/sources.json | deps
	@echo "building OpenSSL 3.5 with shared libraries (two minutes, once)"
	@mkdir -p $(@D) && $(PYTHON) packaging/link/portable/sources.py unpack openssl $(HYBRID)/source
	@cd $(HYBRID)/source && { CC="$(CC)" ./Configure linux-$(shell uname -m) --libdir=lib enable-ec_nistp_64_gcc_128 \
		no-apps no-docs no-tests && \
		$(MAKE) -s -j2 build_libs; } > ../openssl.log 2>&1 || { tail -n 30 ../openssl.log; exit 1; }
	@cp $(HYBRID)/source/libssl.so.3 $(HYBRID)/source/libcrypto.so.3 $(@D)/ && rm -rf $(HYBRID)/source && touch $@
