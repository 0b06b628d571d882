# Layout and lint of every language in the repository.

LINT := build/lint/bin
build/lint/ready: Tests/lint/requirements.txt
	@$(PYTHON) -m venv build/lint
	@$(LINT)/pip install --quiet --disable-pip-version-check -r $<
	@touch $@

SWIFT_SOURCES := Sources Tests Package.swift
# The public headers and the shims are laid out by hand: Tests/header_rules.py checks their form.
# What is generated is laid out by its generator.
C_SOURCES := $(filter-out bindings/go/shims.h,$(shell git ls-files 'Tests/**.[ch]' 'Tests/**.[ch]pp' \
	'examples/**.[ch]' 'examples/**.[ch]pp' 'bindings/**.[ch]' 'bindings/**.[ch]pp' 'packaging/**.[ch]' 2>/dev/null))
SCRIPTS := bindings/node
SHELL_SOURCES := .ci/run $(shell git ls-files '*.sh' 2>/dev/null)
MYPY := build/venv/bin/mypy --no-error-summary --config-file .mypy.ini
# Tests hand in what is wrong on purpose, and see states change that a type checker takes for constant.
MYPY_TESTS := $(MYPY) $(addprefix --disable-error-code ,arg-type assignment attr-defined call-arg comparison-overlap \
	dict-item has-type import-untyped index list-item misc no-untyped-call operator union-attr untyped-decorator \
	var-annotated)

## lint             layout, types and common mistakes, in every language
.PHONY: lint format
lint: build/lint/ready build/venv/ready build/generated/mtoken.abi.json
	@$(PYTHON) Tests/lint/english.py
	@$(PYTHON) Tests/lint/licence.py
	@awk '{ line = $$0; gsub(/\t/, "    ", line) } \
		length(line) > 120 { print FILENAME ":" FNR ": over 120 columns"; bad = 1 } END { exit bad }' $(MAKEFILE_LIST)
	@$(SWIFT) format lint -s -p -r --configuration .swift-format $(SWIFT_SOURCES)
	@$(LINT)/ruff check --quiet .
	@$(LINT)/ruff format --quiet --check .
	@$(LINT)/clang-format --dry-run -Werror $(C_SOURCES)
	@$(LINT)/biome check --config-path=.biome.json --error-on-warnings --log-level=error $(SCRIPTS)
	@if command -v checkstyle >/dev/null; then checkstyle -c bindings/java/checkstyle.xml \
		$$(git ls-files 'bindings/java/*.java' | grep -v module-info) >build/lint/java.log || \
		{ cat build/lint/java.log; exit 1; }; \
		else echo "not run: the layout of Java (checkstyle)"; fi
	@$(LINT)/shellcheck $(SHELL_SOURCES)
	@$(MYPY) bindings/generate bindings/python/src examples/python examples/fastapi tools/command/mtoken_command \
		tools/loadtest tools/pytest-mtoken examples/demo.py packaging Tests/*.py
	@$(LINT)/basedpyright -p bindings/python --pythonpath build/venv/bin/python >build/lint/pyright.log || \
		{ cat build/lint/pyright.log; exit 1; }
	@$(MYPY) Tests/misuse/generate.py
	@$(MYPY) bindings/node/package.py
	@$(MYPY) bindings/java/package.py
	@$(MYPY) bindings/csharp/package.py
	@MYPYPATH=Tests/python:Tests/conformance $(MYPY) Tests/conformance Tests/bench/start.py
	@$(MYPY) Tests/bench/run.py
	@$(MYPY) Tests/c/run.py Tests/simulator/proof.py
	@$(MYPY) Tests/fuzz
	@$(MYPY) tools/devserver/mtoken_devserver Tests/reference
	@$(MYPY) Tests/MobileTokenHTTPTests/servers
	@MYPYPATH=tools/devserver/tests:Tests/python:Tests/conformance:docs/site:tools/command/tests $(MYPY_TESTS) \
		Tests/python Tests/packages
	@MYPYPATH=tools/devserver/tests:Tests/python $(MYPY_TESTS) tools/command/tests
	@MYPYPATH=bindings:Tests/python:tools/command/tests:tools/devserver/tests $(MYPY) docs/site
	@MYPYPATH=Tests/vectors:tools/devserver/tests $(MYPY_TESTS) tools/devserver/tests

## format           lay all sources out by the repository's rules
format: build/lint/ready
	@$(SWIFT) format -i -p -r --configuration .swift-format $(SWIFT_SOURCES)
	@$(LINT)/ruff check --quiet --fix-only --select I .
	@$(LINT)/ruff format --quiet .
	@$(LINT)/clang-format -i $(C_SOURCES)
	@$(LINT)/biome format --config-path=.biome.json --write --log-level=error $(SCRIPTS)
