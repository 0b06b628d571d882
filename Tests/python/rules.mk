# The Python tests: end to end, against the development server.

.PHONY: test-python test-python-full test-devserver

# A virtual environment for the development server and the Python tests; made anew when the lists change.
VENV_LISTS := tools/devserver/requirements.txt tools/devserver/requirements-dev.txt Tests/python/requirements.txt \
	tools/loadtest/requirements.txt
build/venv/ready: $(VENV_LISTS)
	@$(PYTHON) -m venv build/venv
	@build/venv/bin/pip install --quiet --disable-pip-version-check $(foreach list,$^,-r $(list))
	@touch $@

# Qt is large: only the long tests have it.
build/venv/qt: examples/qt/requirements.txt build/venv/ready
	@build/venv/bin/pip install --quiet --disable-pip-version-check -r $<
	@touch $@

# What takes long and seldom breaks is left to test-full: every language's toolchain, chance lives, packages, a browser,
# load, the oldest Python. TESTS="Tests/python/tools": those.
PYTHON_LONG := languages languages_page node_package sealer_plugins wheel distributions oldest_python oidc_browser \
	oidc_glewlwyd loadtest site tasks tutorials_long
PYTHON_TESTS := Tests/python tools/command/tests
PYTHON_FOLDERS := Tests/python/* tools/command/tests
python_files = $(foreach name,$(1),$(wildcard $(PYTHON_FOLDERS:%=%/test_$(name).py)))
# Each worker has a server of its own; a file's tests stay together.
PYTEST = build/venv/bin/python -m pytest -c Tests/python/pytest.ini -q -rsfE --durations=10 --durations-min=0.5 -n \
	$(WORKERS) --dist loadfile
WORKERS ?= 3

test-python: build/venv/ready build testing man
	@MTOKEN_LIBRARY="$(CURDIR)/build/lib/libmtoken.so.1" $(PYTEST) \
		$(or $(TESTS),$(addprefix --ignore ,$(call python_files,$(PYTHON_LONG))) $(PYTHON_TESTS))

## test-python-full what test leaves out: the long Python tests (part of test-full)
test-python-full: deps-full deps-bindings portable build/venv/ready build/venv/qt build testing plugins man \
	node-package csharp-package docs
	@MTOKEN_FULL=1 MTOKEN_LIBRARY="$(CURDIR)/build/lib/libmtoken.so.1" $(PYTEST) --timeout 900 \
		$(call python_files,$(PYTHON_LONG))

test-devserver: build/venv/ready
	@cd tools/devserver && "$(CURDIR)/build/venv/bin/python" -m pytest -q tests --durations=10 --durations-min=0.5
