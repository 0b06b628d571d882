# The library to carry: the objects of the product, linked with an OpenSSL, a libcurl and a Jansson of its own, all
# hidden. Its only needs are glibc 2.34 and a file of trusted certificates.

include packaging/link/portable/libraries.mk

.PHONY: portable portable-pin testing-portable test-portable

## portable         one library with OpenSSL 3.5, libcurl and Jansson inside, build/portable/libmtoken.so.1
portable: deps-portable $(PORTABLE)/libmtoken.so.$(VERSION)
	@echo "$(PORTABLE)/libmtoken.so.$(SOVERSION) ($$(stat -Lc %s $(PORTABLE)/libmtoken.so.$(SOVERSION)) bytes)"

$(PORTABLE)/libmtoken.so.$(VERSION): $(OBJECTS) packaging/link/portable/bill.py \
		$(foreach part,openssl curl jansson,$(call portable_built,$(part)))
	$(call link-portable,$@,,libmtoken.so.$(SOVERSION),libmtoken.map)
	@ln -sf libmtoken.so.$(VERSION) $(PORTABLE)/libmtoken.so.$(SOVERSION)
	@ln -sf libmtoken.so.$(SOVERSION) $(PORTABLE)/libmtoken.so
	@$(PYTHON) packaging/link/portable/bill.py --version $(VERSION) --sources $(PORTABLE)/source \
		--toolchain "$(TOOLCHAIN)" --output $(PORTABLE)

# The library for tests, linked in the same way.
testing-portable: $(PORTABLE)/libmtoken-testing.so

$(PORTABLE)/libmtoken-testing.so: $(PORTABLE)/libmtoken.so.$(VERSION) $(OBJECTS_TESTING)
	$(call link-portable,$@,MobileTokenTesting,libmtoken-testing.so,libmtoken-testing.map,$(UNICODE_TABLES))

# Functions that only look the same stay apart: OpenSSL compares addresses. SHA-1 is bound weakly, which takes nothing
# out of an archive. What is bound weakly and is not inside (engines) is absent: it is not taken from the host's
# OpenSSL.
PORTABLE_LINK_FLAGS = $(LINK_FLAGS) -Wl,--icf=safe -Wl,-Bsymbolic -Wl,--exclude-libs,ALL -Wl,--as-needed \
	-Wl,-z,nodynamic-undefined-weak -Wl,--undefined=SHA1_Init -Wl,--undefined=SHA1_Transform

# Links a library: file, further modules, soname, version script, further libraries.
define link-portable
	$(call compile-support,$(PORTABLE))
	@$(CLANG) -shared -o $(1).new $(call embedded,embedded,$(2)) $(SUPPORT:%=$(PORTABLE)/%.o) \
		$(foreach part,curl ssl crypto jansson,$(PORTABLE)/lib/lib$(part).a) $(5) $(PORTABLE_LINK_FLAGS) \
		-Wl,-soname,$(3) -Wl,--version-script=packaging/link/$(4) -lm
	@$(TOOLCHAIN)/bin/llvm-objcopy --remove-section=.swift_modhash $(1).new
	@mv $(1).new $(1)
endef

ifdef CROSS
# C's headers and the libraries of the other system.
$(SYSROOT_MADE): packaging/link/portable/sysroot.py packaging/link/portable/sources.py \
	packaging/link/portable/sysroots.json
	@$(PYTHON) packaging/link/portable/sysroot.py make $(CROSS) $(SYSROOT)
	@touch $@
endif

.PHONY: sysroot-pin
## sysroot-pin      pin the newest packages of Debian for the systems of CROSS=
sysroot-pin:
	@$(PYTHON) packaging/link/portable/sysroot.py pin

## portable-pin     pin the newest source packages for `make portable`: after a security update of OpenSSL or curl
portable-pin:
	@$(PYTHON) packaging/link/portable/sources.py pin

test-full: test-portable

# The C programs over the portable library and its sibling for tests, Python's over a smoke of each area, all that TLS
# decides, protocol 4 with its hybrid suites, and what is its own matter.
## test-portable    the portable library: linkage, C tests, TLS, hosts with the same symbols (part of test-full)
test-portable: deps-full portable testing-portable build testing build/venv/ready build/generated/mtoken.abi.json \
	$(C_PRODUCT_PROGRAMS) \
		$(C_TESTING_PROGRAMS)
	@build/venv/bin/python Tests/linkage.py --portable $(PORTABLE)/libmtoken.so.$(SOVERSION)
	@$(C_RUN) --timeout 300 product=$(PORTABLE) testing=$(PORTABLE)
	@MTOKEN_LIBRARY="$(CURDIR)/$(PORTABLE)/libmtoken.so.$(SOVERSION)" $(PYTEST) \
		$(call python_files,tls crypto good_guest faults protocol4 protocol4_faults) $(PYTHON_SMOKE)
	@build/venv/bin/python -m pytest -q -rs Tests/packages/test_portable.py
