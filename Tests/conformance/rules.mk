# One conformance script for all languages (Tests/conformance/README.md). Each language adds bindings/<language>/language.json.

CONFORMANCE = $(CURDIR)/build/venv/bin/python Tests/conformance/run.py --library build/lib/libmtoken.so.1

.PHONY: test-bindings test-bindings-quick deps-bindings

## test-bindings    the conformance documents and each language's own tests, in every language that is installed (ONLY="go rust")
test-bindings: build/venv/ready build
	@$(CONFORMANCE) --tests $(ONLY)

# What make test runs of it.
test-bindings-quick: build/venv/ready build
	@$(CONFORMANCE) --quick $(ONLY)

## deps-bindings    install the languages that have a binding (ONLY="go rust")
deps-bindings: build/venv/ready
	$(call install-packages,$(shell $(PYTHON) Tests/conformance/run.py --packages $(ONLY)))
