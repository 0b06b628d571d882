# The Python wheel.

# The oldest C library that the wheel runs with is that of the portable library, which it carries.
# Of another system's, auditwheel is not told the name, but finds it.
WHEEL_PLATFORM ?= $(if $(MUSL),musllinux_1_2,manylinux_2_34)_$(ARCH)
WHEEL_BUILD := $(BUILD)/wheel
WHEELS := $(BUILD)/dist

# A terminal for the pictures of the command.
PACKAGES_TEST += tmux
# Another interpreter that it runs in.
PACKAGES_LANGUAGES += pypy3

.PHONY: wheel packages-python

## wheel            a Python wheel with the portable library inside, build/dist
wheel: portable build/venv/ready
	@rm -rf $(WHEEL_BUILD) && mkdir -p $(WHEEL_BUILD) $(WHEELS)
	@rm -f $(WHEELS)/libmtoken-*.whl
	@MTOKEN_WHEEL_LIBRARY="$(CURDIR)/$(PORTABLE)/libmtoken.so.$(SOVERSION)" \
		MTOKEN_WHEEL_TAG=$(if $(MUSL),musllinux_1_2,linux)_$(ARCH) build/venv/bin/python -m build --wheel \
		--no-isolation --outdir $(WHEEL_BUILD) bindings/python > $(WHEEL_BUILD)/log 2>&1 || { cat $(WHEEL_BUILD)/log; \
		exit 1; }
	@PATH="$(CURDIR)/build/venv/bin:$$PATH" $(if $(MUSL),AUDITWHEEL_LD_LIBRARY_PATH="$(SYSROOT)/usr/lib") \
		build/venv/bin/python -m auditwheel repair $(if $(CROSS),--plat auto,--strip --plat $(WHEEL_PLATFORM)) \
		--only-plat --wheel-dir $(WHEELS) $(WHEEL_BUILD)/*.whl > $(WHEEL_BUILD)/log 2>&1 || { cat $(WHEEL_BUILD)/log; \
		exit 1; }
	@build/venv/bin/python -m twine check --strict $(WHEELS)/libmtoken-*.whl > $(WHEEL_BUILD)/log 2>&1 || \
		{ cat $(WHEEL_BUILD)/log; exit 1; }
	@ls -l $(WHEELS)/libmtoken-*$(WHEEL_PLATFORM).whl

PYTHON_PACKAGES := devserver loadtest pytest-mtoken

## packages-python  the wheel, and those of mtoken-devserver, mtoken-loadtest and pytest-mtoken, build/dist
packages-python: wheel
	@$(foreach name,$(PYTHON_PACKAGES),build/venv/bin/python -m build --wheel --no-isolation --outdir build/dist \
		tools/$(name) \
		> build/wheel/log 2>&1 || { cat build/wheel/log; exit 1; };)
	@build/venv/bin/python -m twine check --strict build/dist/*.whl > build/wheel/log 2>&1 || { cat build/wheel/log; \
		exit 1; }
	@ls build/dist/*.whl

# The oldest Python that the package is for, e.g. OLDEST_PYTHON=~/.pyenv/versions/3.9.18/bin/python3.9
OLDEST_PYTHON ?= python3.9

.PHONY: test-oldest-python

test-full: test-oldest-python

## test-oldest-python  types and all Python tests with Python 3.9, if there is one (part of test-full)
test-oldest-python: deps build testing
	@if ! $(OLDEST_PYTHON) -c 'import venv, ensurepip' 2>/dev/null; then \
		echo "not run: $(OLDEST_PYTHON) is not here (OLDEST_PYTHON names another)"; exit 0; fi; \
	$(OLDEST_PYTHON) -m venv build/oldest && \
	build/oldest/bin/pip install --quiet --disable-pip-version-check $(foreach list,$(VENV_LISTS),-r $(list)) && \
	MYPYPATH=bindings/python/src:tools/command:examples/python:Tests/python build/oldest/bin/python -m mypy \
	--strict --python-version 3.9 \
		--cache-dir build/mypy-oldest bindings/python/src tools/command/mtoken_command examples/python/approve.py \
		examples/python/bank.py && \
	MTOKEN_LIBRARY="$(CURDIR)/build/lib/libmtoken.so.1" build/oldest/bin/python -m pytest \
	-q -c Tests/python/pytest.ini $(PYTHON_TESTS) \
		--ignore Tests/python/packages/test_wheel.py --ignore Tests/python/docs/test_front_page.py $(ARGUMENTS)
