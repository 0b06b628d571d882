# The Python wheel.

# The oldest C library that the wheel runs with is the one it was built on: glibc 2.36 on Debian 12.
WHEEL_PLATFORM ?= manylinux_2_36_$(shell uname -m)

# A terminal for the pictures of the command.
PACKAGES += tmux

.PHONY: wheel

## wheel            a Python wheel with the library and all it needs inside, build/dist
wheel: deps build build/venv/ready
	@rm -rf build/wheel && mkdir -p build/wheel build/dist
	@MTOKEN_WHEEL_LIBRARY="$(CURDIR)/build/lib/libmtoken.so.$(SOVERSION)" build/venv/bin/python -m build --wheel --no-isolation \
		--outdir build/wheel bindings/python > build/wheel/log 2>&1 || { cat build/wheel/log; exit 1; }
	@PATH="$(CURDIR)/build/venv/bin:$$PATH" build/venv/bin/python -m auditwheel repair --strip --plat $(WHEEL_PLATFORM) \
		--only-plat --wheel-dir build/dist build/wheel/*.whl > build/wheel/log 2>&1 || { cat build/wheel/log; exit 1; }
	@ls -l build/dist/*.whl
