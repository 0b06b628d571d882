# The system packages that building and testing need, and the toolchain. The parts add the packages of their own tests.

PACKAGES_BUILD := libssl-dev libjansson-dev libcurl4-openssl-dev gcc g++ libc6-dev binutils pkg-config python3 \
	python3-venv
# The libraries that a Swift toolchain from swift.org is linked with.
PACKAGES_BUILD += libncurses6 libxml2 libsqlite3-0 libedit2
PACKAGES_TEST := git abigail-tools openssl mandoc
# What the pages type.
PACKAGES_TEST += curl jq
# The shells in which the command completes.
PACKAGES_TEST += zsh fish
# The tools of the languages and loops in which the examples are written.
PACKAGES_LANGUAGES := cargo cmake golang-go libglib2.0-dev libuv1-dev luajit php-cli ruby rustc
# What only test-full, benchmarks and coverage need; the parts add theirs.
PACKAGES_FULL := $(PACKAGES_LANGUAGES) valgrind libbenchmark-dev chromium chromium-driver xvfb glewlwyd \
	libegl1 libgl1 libxkbcommon0 libfontconfig1 libdbus-1-3

.PHONY: deps deps-build deps-full toolchain

## deps             install the system packages that are missing (as root or through sudo; otherwise the line to type)
deps: deps-build
	$(call install-packages,$(PACKAGES_TEST))

# What building takes, and no more. Nothing is fetched for a build that has no toolchain.
deps-build: | $(if $(filter deps%,$(MAKECMDGOALS)),,toolchain)
	$(call install-packages,$(PACKAGES_BUILD))

deps-full: deps
	$(call install-packages,$(PACKAGES_FULL))

define install-packages
	@missing=""; for package in $(1); do \
		dpkg-query -W -f='$${Status}' $$package 2>/dev/null | grep -q 'ok installed' || missing="$$missing $$package"; \
		done; \
	if [ -z "$$missing" ]; then exit 0; fi; \
	if [ "$$(id -u)" = 0 ]; then run=""; elif sudo -n true 2>/dev/null; then run="sudo"; else \
		printf 'make: packages are missing. Type this, then the same make again:\n\n  %s\n\n' \
			"sudo apt-get update && sudo apt-get install --yes$$missing" >&2; exit 1; fi; \
	echo "installing:$$missing"; \
	$$run apt-get update -qq && DEBIAN_FRONTEND=noninteractive $$run apt-get install -y -qq $$missing >/dev/null
endef

# Names what is missing before anything is fetched or compiled.
toolchain:
	$(need-toolchain)

define need-toolchain
	@command -v $(SWIFT) >/dev/null || { \
		if [ -n "$$SUDO_USER" ]; \
		then echo "make: sudo leaves $(SWIFT) off the path: first type make build, without sudo" >&2; \
		else echo \
		"make: no $(SWIFT) on the path. It takes a Swift 6.3 toolchain: https://www.swift.org/install/linux/" >&2; fi; \
		exit 1; }
endef

HEADERS := openssl/ssl.h=libssl-dev jansson.h=libjansson-dev curl/curl.h=libcurl4-openssl-dev
define before-building
	$(need-toolchain)
	@missing=""; for header in $(HEADERS); do \
		echo "#include <$${header%=*}>" | $(CC) -E - >/dev/null 2>&1 || missing="$$missing $${header#*=}"; done; \
	command -v $(CC) >/dev/null || missing=" gcc$$missing"; \
	[ -z "$$missing" ] || { echo "make: these packages are missing:$$missing (make deps installs them)" >&2; exit 1; }
	@[ -e $@ ] || echo "building $@, which takes some minutes the first time"
endef
