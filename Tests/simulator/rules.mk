# One seed, one life: Tests/simulator/README.md.

SIMULATOR_PARTS := main plan life hosts neighbour process faults

build/simulator/%.o: Tests/simulator/%.c Tests/simulator/simulator.h $(C_HEADERS) $(C_INSTALLED)/usr/include/mtoken.h
	@mkdir -p build/simulator
	@$(CC) -std=c99 -D_DEFAULT_SOURCE $(C_FLAGS) -ITests/c $(C_MTOKEN) -c $< -o $@

build/simulator/simulator: $(SIMULATOR_PARTS:%=build/simulator/%.o) $(call c_objects,$(C_SUPPORT_BENCH)) | testing
	@$(CC) $^ -o $@ -Lbuild/lib -lmtoken-testing -lcrypto -ljansson -lpthread -ldl

## simulate         random lives in virtual time (SECONDS=60 or SEED=n to tell one; SUITE=EC_P384: in protocol 4.0)
simulate: build/simulator/simulator
	@$(if $(SUITE),MTOKEN_SUITE=$(SUITE)) LD_LIBRARY_PATH=build/lib build/simulator/simulator \
		$(if $(SEED),--seed $(SEED) --tell,--seconds $(or $(SECONDS),60) --save build/simulator/found.life)
.PHONY: simulate

# What once broke is replayed, then the same lives each time: twice, and the same bytes are sent. `make simulate` plays new ones.
test-simulator: build/simulator/simulator
	@LD_LIBRARY_PATH=build/lib build/simulator/simulator --replay $(sort $(wildcard Tests/simulator/findings/*.life))
	@for suite in '' EC_P384; do env $${suite:+MTOKEN_SUITE=$$suite} LD_LIBRARY_PATH=build/lib build/simulator/simulator \
		--seed 20261129 --lives 40 --seconds 60 --twice || exit 1; done
.PHONY: test-simulator

## simulate-proof   plants faults in a copy of the product, one after another: the simulator must find each (ONLY="turn token")
simulate-proof: build/simulator/simulator
	@$(PYTHON) Tests/simulator/proof.py $(ONLY)
.PHONY: simulate-proof
