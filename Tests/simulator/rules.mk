# One seed, one life: Tests/simulator/README.md.

SIMULATOR_PARTS := main plan life hosts neighbour process faults

build/simulator/%.o: Tests/simulator/%.c Tests/simulator/simulator.h $(C_HEADERS) $(C_INSTALLED)/usr/include/mtoken.h
	@mkdir -p build/simulator
	@$(CC) -std=c99 -D_DEFAULT_SOURCE $(C_FLAGS) -ITests/c $(C_MTOKEN) -c $< -o $@

build/simulator/simulator: $(SIMULATOR_PARTS:%=build/simulator/%.o) $(call c_objects,$(C_SUPPORT_BENCH) memory disk) \
	| testing
	@$(CC) $^ -o $@ -Lbuild/lib -lmtoken-testing -lcrypto -ljansson -lpthread -ldl

SIMULATE = env LD_LIBRARY_PATH=build/lib build/simulator/simulator

## simulate         random lives in virtual time (SECONDS=60, HOURS=3 on all processors, SEED=n, SUITE=EC_P384)
simulate: build/simulator/simulator
	@seed=$$(date +%s)000003; workers=""; \
	for worker in $$(seq 1 $(if $(SEED),1,$(if $(HOURS),$$(nproc),1))); do \
		$(if $(SUITE),MTOKEN_SUITE=$(SUITE)) $(SIMULATE) $(if $(SEED),--seed $(SEED) --tell,--seed $$seed$$worker \
			--seconds $(if $(HOURS),$$(($(HOURS) * 3600)),$(or $(SECONDS),60)) \
			--save build/simulator/found-$$worker.life) & \
		workers="$$workers $$!"; \
	done; failed=0; for worker in $$workers; do wait $$worker || failed=1; done; exit $$failed
.PHONY: simulate

# What once broke is replayed; the same lives each time, twice, send the same bytes; then new ones for a minute, whose
# seed is printed.
test-simulator: build/simulator/simulator
	@$(PYTHON) Tests/simulator/proof.py --applies
	@$(SIMULATE) --replay $(sort $(wildcard Tests/simulator/findings/*.life))
	@for suite in '' EC_P384; do \
		env $${suite:+MTOKEN_SUITE=$$suite} $(SIMULATE) --seed 20261129 --lives 40 --seconds 60 --twice && \
		env $${suite:+MTOKEN_SUITE=$$suite} $(SIMULATE) --seconds 30 --save build/simulator/found.life || exit 1; \
	done
.PHONY: test-simulator

## simulate-coverage which lines of Sources the simulator reaches (SECONDS=60), and build/coverage/simulator.txt
simulate-coverage: coverage-library build/simulator/simulator
	@$(MAKE) --no-print-directory -s coverage-link
	@rm -rf $(COVERAGE)/simulator && mkdir -p $(COVERAGE)/simulator
	@for suite in '' EC_P384; do env $${suite:+MTOKEN_SUITE=$$suite} \
		LLVM_PROFILE_FILE="$(CURDIR)/$(COVERAGE)/simulator/%p.profraw" \
		LD_LIBRARY_PATH=$(COVERAGE)/lib build/simulator/simulator --seconds $(or $(SECONDS),60) || exit 1; done
	@$(TOOLCHAIN)/bin/llvm-profdata merge -sparse -o $(COVERAGE)/simulator.profdata $(COVERAGE)/simulator
	@$(PYTHON) Tests/coverage.py --tool $(TOOLCHAIN)/bin/llvm-cov --profile $(COVERAGE)/simulator.profdata --lines 0 \
		--output $(COVERAGE)/simulator.txt $(COVERAGE)/lib/libmtoken-testing.so
.PHONY: simulate-coverage

## simulate-proof   plants faults in a copy of the product: the simulator must find each (ONLY="turn token")
simulate-proof: build/simulator/simulator
	@$(PYTHON) Tests/simulator/proof.py $(ONLY)
.PHONY: simulate-proof
