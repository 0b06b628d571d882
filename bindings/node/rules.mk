# Node.js: the addon and the npm package.

.PHONY: node node-package test-node

NODE_BUILT := $(wildcard bindings/node/src/* bindings/node/native/*) bindings/node/package.py bindings/node/package.json bindings/node/README.md

## node             the package for Node.js, build/node/package
node: build/node/package/lib/index.mjs

build/node/package/lib/index.mjs: $(NODE_BUILT) $(GENERATE_SOURCES) | build
	@PYTHONPATH=bindings $(PYTHON) -B bindings/node/package.py

## node-package     the archive that npm installs, with the portable library inside (build/node)
node-package: build portable
	@PYTHONPATH=bindings $(PYTHON) -B bindings/node/package.py --library build/portable/libmtoken.so.1 --pack

## test-node        the tests of the package for Node.js, and its types
test-node: node build/venv/ready
	@MTOKEN_NODE_PACKAGE=$(CURDIR)/build/node/package/lib/index.js MTOKEN_LIBRARY=$${MTOKEN_LIBRARY:-$(CURDIR)/build/lib/libmtoken.so.1} \
		node --test bindings/node/test/life.test.js
	@if command -v tsc >/dev/null; then tsc -p bindings/node/test/types; else echo "not run: types (tsc: node-typescript)"; fi
