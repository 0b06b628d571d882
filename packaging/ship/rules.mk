# Man pages, the reference, and packages.

# The day that pages and packages bear.
RELEASED := 2026-11-21
MANDIR ?= $(PREFIX)/share/man
DEB_LIBDIR = usr/lib/$(or $(CROSS),$(shell $(CC) -print-multiarch 2>/dev/null || echo $(ARCH)-linux-gnu))
export SOURCE_DATE_EPOCH := $(shell date -u -d $(RELEASED) +%s)

.PHONY: man manual reference test-man package package-tools test-package

## man              the man pages, build/man/man3, from the header
man: build/man/made

build/man/made: $(shell find bindings/generate -type f -not -name '*.pyc') $(GENERATE_SOURCES) packaging/ship/rules.mk
	@$(generate) --man build/man/man3 --date $(RELEASED)
	@touch $@

## manual           mtoken(1) and a page for each of its commands, build/man/man1, from the command itself
manual: build/venv/ready build
	@PYTHONPATH=bindings/python/src:tools/command MTOKEN_LIBRARY="$(CURDIR)/build/lib/libmtoken.so.1" \
		build/venv/bin/python packaging/ship/manual.py \
		--output build/man/man1 --date $(RELEASED)

# The pages that are no links to others.
man_pages = $$(grep -L '^\.so' build/man/man3/*.3)

## reference        the man pages as HTML, build/reference
reference: deps man
	@rm -rf build/reference && mkdir -p build/reference
	@cp packaging/ship/reference.css build/reference/
	@for page in $(man_pages); do \
		mandoc -T html -W warning -O style=reference.css,man=%N.%S.html,toc $$page \
		> build/reference/$$(basename $$page).html || exit 1; done
	@ln -sf mtoken.3.html build/reference/index.html
	@echo "reference: $$(ls build/reference/*.3.html | wc -l) pages, build/reference/index.html"

test-man: reference manual
	@mandoc -T lint -W warning $(man_pages) build/man/man1/*.1

## package          binary archive and Debian packages of the library (build/)
package: deps build $(if $(CROSS),,plugins) man
	@rm -rf $(BUILD)/package
	@$(MAKE) -s install-files DESTDIR=$(BUILD)/package/debian PREFIX=/usr LIBDIR=/$(DEB_LIBDIR)
	@$(if $(CROSS),echo "not built: plugins for $(CROSS)",$(MAKE) -s install-plugins DESTDIR=$(BUILD)/package/debian \
		PREFIX=/usr LIBDIR=/$(DEB_LIBDIR))
	@$(MAKE) -s install-files DESTDIR=$(BUILD)/package/archive PREFIX=/libmtoken
	@$(PYTHON) packaging/ship/package.py --tree $(BUILD)/package/debian --libdir $(DEB_LIBDIR) \
		--movable $(BUILD)/package/archive/libmtoken \
		--version $(VERSION) --output $(BUILD)

## package-tools    Debian packages of the command and the development server (build/)
package-tools: deps build manual
	@MTOKEN_LIBRARY="$(CURDIR)/build/lib/libmtoken.so.1" build/venv/bin/python packaging/ship/tools.py \
		--manual build/man/man1 \
		--version $(VERSION) --output build

RELEASE := build/release

## dist             every package in one folder, with checksums and, with KEY=id, a signature (build/release)
dist: ONLY = csharp java node
dist: signing-key deps-bindings
	@$(foreach system,$(SYSTEMS),$(MAKE) --no-print-directory crossed CROSS=$(system) || exit 1;)
	@$(MAKE) --no-print-directory release CROSSED="$(SYSTEMS:%=build/%)"

# With CROSS: what packages carry for another system.
crossed: wheel node-addon java-glue $(if $(MUSL),,package)

release: package package-tools packages-python node-package java-package csharp-package
	@rm -rf $(RELEASE) && mkdir -p $(RELEASE)
	@for folder in $(CROSSED); do cp $$folder/dist/*.whl $(RELEASE)/ && { cp $$folder/*.deb $$folder/*.tar.gz \
		$(RELEASE)/ 2>/dev/null || true; }; done
	@cp build/*.deb build/libmtoken-$(VERSION)-linux-*.tar.gz build/dist/*.whl build/node/libmtoken-*.tgz \
		build/java/dist/* \
		build/csharp/Libmtoken.*.nupkg $(PORTABLE)/libmtoken.cdx.json $(PORTABLE)/THIRD-PARTY.txt $(RELEASE)/
	@git archive --format=tar --prefix=libmtoken-$(VERSION)/ HEAD | gzip -9n > $(RELEASE)/libmtoken-$(VERSION).tar.gz
	@$(PYTHON) packaging/ship/modules.py --version $(VERSION) --output $(RELEASE) \
		--library $(PORTABLE)/libmtoken.so.$(SOVERSION) --crossed $(CROSSED)
	@cd $(RELEASE) && sha256sum * > ../SHA256SUMS && mv ../SHA256SUMS .
	@$(if $(KEY),cd $(RELEASE) && gpg --batch --yes --local-user "$(KEY)" --armor --detach-sign SHA256SUMS,echo \
		"not signed: KEY names the key")
	@echo "$(RELEASE): $$(ls $(RELEASE) | wc -l) files"

# Before anything is built.
signing-key:
	@$(if $(KEY),gpg --batch --list-secret-keys "$(KEY)" >/dev/null 2>&1 || \
		{ echo "make dist: gpg has no secret key $(KEY)" >&2; exit 1; })

.PHONY: crossed dist release signing-key test-doors
test-full: test-doors

## test-doors       the pages' commands on bare machines of Debian 12 and 13 (as root; part of test-full)
test-doors: deps build portable man build/venv/ready
	$(if $(filter 0,$(shell id -u)),$(call install-packages,mmdebstrap))
	@MTOKEN_LIBRARY="$(CURDIR)/build/lib/libmtoken.so.1" build/venv/bin/python -m pytest -q -s -rs --timeout 3600 \
		Tests/packages/test_bare.py

# What only test-package and test-doors need, besides root.
PACKAGES_FULL += lintian mmdebstrap

## test-package     packages in a new Debian system; two builds give the same bytes (as root; part of test-full)
test-package: deps-full package package-tools packages-python build/venv/ready
	@build/venv/bin/python -m pytest -q -s Tests/packages/test_packages.py Tests/packages/test_doors.py
