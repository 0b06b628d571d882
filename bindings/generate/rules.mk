# What is made from the header.

generate = PYTHONPATH=bindings $(PYTHON) -B -m generate
GENERATE_SOURCES := $(wildcard bindings/generate/*.py) include/mtoken.h $(wildcard include/mtoken/*.h) \
	bindings/facts.json

.PHONY: generate test-generated

## generate         write anew what is committed and made from the header (bindings/generate/README.md)
generate:
	@$(generate)

## test-generated   compare what is committed with what the header gives
test-generated:
	@$(generate) --check

# For generators of bindings; installed.
build/generated/mtoken.abi.json: $(GENERATE_SOURCES)
	@$(generate) --build build/generated
	@touch build/generated/mtoken.abi.json build/generated/mtoken.cdef.h
