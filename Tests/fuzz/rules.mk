# Fuzzing: Tests/fuzz/README.md.

.PHONY: fuzz fuzz-build fuzz-replay

# The model and what it needs of these.
MODEL_MODULES := MobileTokenSystem MobileTokenCrypto MobileTokenJSON MobileTokenModel
source-FuzzSupport := Tests/fuzz/targets/Support
source-MobileTokenModelFuzz := Tests/fuzz/targets/Model
source-MobileTokenFuzz := Tests/fuzz/targets/Whole
# Both sanitizers go into one option: of two, the compiler heeds the last one only.
FUZZ_SANITIZERS := -sanitize=fuzzer,address
TIME ?= 60

## fuzz             run every fuzz target for TIME seconds (60), from seeds, past findings and the corpus in build/fuzz
fuzz: deps fuzz-build build/fuzz/seeds/made
	@$(PYTHON) Tests/fuzz/run.py --build build/fuzz --time $(TIME) $(TARGET)

# Two programs: that of the model's texts is linked with the model and what it needs, and with nothing else.
fuzz-build:
	@$(call fuzz_compile,MobileTokenModelFuzz)
	@$(call fuzz_link,fuzz-model,mtoken_fuzz_model,$(MODEL_MODULES) FuzzSupport MobileTokenModelFuzz,-lcrypto \
		-ljansson -lm)
	@$(DUMP_PACKAGE) | $(PYTHON) Tests/architecture.py build/fuzz/fuzz-model
	@$(call fuzz_compile,MobileTokenFuzz)
	@$(call fuzz_link,fuzz,mtoken_fuzz_whole,$(MODULES) FuzzSupport MobileTokenFuzz,$(SYSTEM_LIBRARIES))

# The objects of modules: one of each source that exists, since those of removed ones stay in the build directory.
objects = $(foreach module,$(2),$(patsubst %,$(BUILD)/$(1)/release/$(module).build/%.o,$(sort $(notdir $(shell find \
	$(or $(source-$(module)),Sources/$(module)) -name '*.swift')))))
fuzz_compile = MTOKEN_FUZZ=1 $(SWIFT) build --quiet -c release --scratch-path build/fuzz --target $(1) \
	-Xswiftc -enable-testing -Xswiftc $(FUZZ_SANITIZERS)
fuzz_link = $(TOOLCHAIN)/bin/swiftc -emit-executable $(FUZZ_SANITIZERS) -static-stdlib -use-ld=lld -o build/fuzz/$(1) \
	-Xlinker --defsym=LLVMFuzzerInitialize=$(2) $(call objects,fuzz,$(3)) $(4)

## fuzz-replay      run every fuzz target once on its seeds and past findings
fuzz-replay: build-tests build/fuzz/seeds/made
	@.build/debug/fuzz-replay build/fuzz/seeds Tests/fuzz/findings

build/fuzz/seeds/made: Tests/fuzz/make_seeds.py $(wildcard Tests/vectors/*.json Tests/vectors/released/*.json)
	@$(PYTHON) Tests/fuzz/make_seeds.py build/fuzz/seeds
	@touch $@
