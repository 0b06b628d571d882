# make install, and its reverse.

.PHONY: install install-files install-plugins uninstall

# What is installed to find the rest by names no place but its own: the tree can be moved.
in_place = -e 's|@PREFIX@|$(1)|' -e 's|@LIBDIR@|$(2)|' -e 's|@INCLUDEDIR@|$(3)|' -e 's|@DATADIR@|$(4)|' \
	-e 's|@VERSION@|$(VERSION)|' \
	-e 's|@SOVERSION@|$(SOVERSION)|' -e 's|@SYSTEM_LIBRARIES@|$(SYSTEM_LIBRARIES)|'
from = $(shell realpath -m --relative-to="$(1)" "$(2)")
# /usr is never moved, and pkg-config leaves its folders out of command lines only when they are written so.
pc_place = $(if $(filter /usr,$(PREFIX)),$(1),$${pcfiledir}/$(call from,$(PKGCONFIGDIR),$(1)))
PKGCONFIGDIR = $(LIBDIR)/pkgconfig
CMAKEDIR = $(LIBDIR)/cmake/mtoken

# Without what tests and builds leave there.
PAGES = LICENSE CHANGELOG.md SECURITY.md $(shell find docs examples tools -type f -not -path 'docs/site/*' \
	-not -path '*/.*' -not -path '*/__pycache__/*' \
	-not -path '*/target/*' -not -path '*/tests/*' -not -path 'tools/command/*/*')

## install          library, headers, mtoken.pc, CMake package, man pages, guides and examples into DESTDIR/PREFIX
install: build man
	@command -v $(PYTHON) >/dev/null || { echo "make install: $(PYTHON) is missing (make deps installs it)" >&2; \
		exit 1; }
	@case "$(PREFIX)" in \
		*" "*) echo "make install: PREFIX has no space: what pkg-config prints cannot name $(PREFIX)" >&2; exit 1;; \
		/*) ;; *) echo "make install: PREFIX is an absolute path, not $(PREFIX)" >&2; exit 1;; esac
	@stage=$$(mktemp -d) && trap 'rm -rf "$$stage"' EXIT && $(MAKE) -s --no-print-directory install-files \
		DESTDIR="$$stage" && \
		$(PYTHON) packaging/ship/install.py install --destdir "$(DESTDIR)" --manifest "$(DATADIR)/manifest" \
		--libdir "$(LIBDIR)" \
		--mandir "$(MANDIR)" --stage "$$stage"

## uninstall        remove what install has installed, by its list of it (with the same DESTDIR and PREFIX)
uninstall:
	@$(PYTHON) packaging/ship/install.py uninstall --destdir "$(DESTDIR)" --manifest "$(DATADIR)/manifest"

# Only what was built before; LIBRARY may be another product.
LIBRARY ?= $(PRODUCT)/libmtoken.so.$(VERSION)
install-files:
	install -d "$(DESTDIR)$(PKGCONFIGDIR)" "$(DESTDIR)$(CMAKEDIR)" "$(DESTDIR)$(INCLUDEDIR)/mtoken" \
		"$(DESTDIR)$(INCLUDEDIR)/CMToken" "$(DESTDIR)$(DATADIR)" "$(DESTDIR)$(MANDIR)/man3"
	install -m 644 build/man/man3/*.3 "$(DESTDIR)$(MANDIR)/man3/"
	install -m 755 "$(LIBRARY)" "$(DESTDIR)$(LIBDIR)/libmtoken.so.$(VERSION)"
	ln -sf libmtoken.so.$(VERSION) "$(DESTDIR)$(LIBDIR)/libmtoken.so.$(SOVERSION)"
	ln -sf libmtoken.so.$(SOVERSION) "$(DESTDIR)$(LIBDIR)/libmtoken.so"
	install -m 644 include/mtoken.h "$(DESTDIR)$(INCLUDEDIR)/"
	install -m 644 include/mtoken/*.h "$(DESTDIR)$(INCLUDEDIR)/mtoken/"
	install -m 644 bindings/cpp/mtoken.hpp "$(DESTDIR)$(INCLUDEDIR)/"
	install -d "$(DESTDIR)$(INCLUDEDIR)/mtoken/cpp"
	install -m 644 build/generated/cpp/mtoken/cpp/*.hpp "$(DESTDIR)$(INCLUDEDIR)/mtoken/cpp/"
	install -m 644 packaging/link/module.modulemap "$(DESTDIR)$(INCLUDEDIR)/CMToken/"
	for file in $(PAGES); do install -D -m 644 $$file "$(DESTDIR)$(DOCDIR)/$$file" || exit 1; done
	$(PYTHON) packaging/ship/pages.py "$(DESTDIR)$(DOCDIR)"
	install -m 644 build/generated/mtoken.abi.json build/generated/mtoken.cdef.h "$(DESTDIR)$(DATADIR)/"
	sed $(call in_place,$(call pc_place,$(PREFIX)),$(call pc_place,$(LIBDIR)),$(call \
			pc_place,$(INCLUDEDIR)),$(call pc_place,$(DATADIR))) \
		packaging/link/mtoken.pc.in > "$(DESTDIR)$(PKGCONFIGDIR)/mtoken.pc"
	for file in mtokenConfig mtokenConfigVersion; do \
		sed $(call in_place,,$(call from,$(CMAKEDIR),$(LIBDIR)),$(call from,$(CMAKEDIR),$(INCLUDEDIR)),$(call \
			from,$(CMAKEDIR),$(DATADIR))) packaging/link/cmake/$$file.cmake.in > "$(DESTDIR)$(CMAKEDIR)/$$file.cmake" \
			|| exit 1; done

# The plugins are packages of their own.
install-plugins: plugins
	install -d "$(DESTDIR)$(LIBDIR)"
	install -m 755 $(PLUGINS:%=$(BUILD)/lib/libmtoken-%.so.$(SOVERSION)) "$(DESTDIR)$(LIBDIR)/"
