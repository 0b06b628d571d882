# The libraries that the portable one is linked with, each built once, and again when a pin or this file has other
# content.

PORTABLE_RECIPE := $(shell cat packaging/link/portable/sources.json packaging/link/portable/libraries.mk | sha256sum \
	| cut -c 1-12)
portable_built = $(PORTABLE)/$(1)-$(PORTABLE_RECIPE).built

PORTABLE_CFLAGS := -O2 -fPIC -fvisibility=hidden -ffunction-sections -fdata-sections \
	-fstack-protector-strong -D_FORTIFY_SOURCE=2
portable_tools = CC="$(CC)" AR="$(AR)" RANLIB="$(AR) s" CFLAGS="$(PORTABLE_CFLAGS)"
portable_source = $(PYTHON) packaging/link/portable/sources.py unpack $(1) $(PORTABLE)/source/$(1) && \
	rm -f $(PORTABLE)/source/*.tar.*
# Neither configure nor make takes a path with a space: they see this folder by a link without one, which goes with the
# shell.
without_space = link=$$(mktemp -d) && trap 'rm -rf "$$link"' EXIT && ln -s "$(CURDIR)/$(PORTABLE)" "$$link/portable" \
	&& cd "$$link/portable"

.PHONY: deps-portable

# dpkg-source and what it calls.
deps-portable: deps-build
	$(call install-packages,dpkg-dev)

# What a client of HTTPS and the library do not use. No provider, engine or configuration file of the machine's OpenSSL
# is loaded: this is another OpenSSL.
OPENSSL_WITHOUT := afalgeng apps aria argon2 async autoload-config bf blake2 camellia cast cmp cms comp ct dgram dsa \
	dso dtls ec2m engine gost http idea legacy makedepend md4 mdc2 module multiblock nextprotoneg ocb ocsp padlockeng \
	quic rc2 rc4 rc5 rfc3779 rmd160 scrypt seed shared siphash siv slh-dsa sm2 sm3 sm4 srp srtp ssl3 ssl-trace \
	static-engine tests thread-pool default-thread-pool tls1 tls1_1 ts ui-console uplink whirlpool docs

# AES for disks and data centres: 740 kB. The other ways to compute it are left.
OPENSSL_BULK := crypto/modes/asm/aes-gcm-avx512.pl crypto/aes/asm/aesni-xts-avx512.pl

# HTTP and HTTPS, straight or through a proxy.
CURL_WITHOUT := alt-svc ares aws ca-search cookies dict docs doh ech file form-api ftp get-easy-options gopher \
	headers-api hsts httpsrr imap ipfs kerberos-auth ldap ldaps libcurl-option manual mime mqtt negotiate-auth netrc \
	ntlm openssl-auto-load-config pop3 progress-meter rtsp shared smb smtp sspi telnet tftp tls-srp unix-sockets \
	verbose websockets
CURL_WITHOUT_LIBRARIES := brotli ca-bundle ca-path libgsasl libidn2 libpsl librtmp libssh libssh2 nghttp2 nghttp3 zlib \
	zstd

# OpenSSL keeps the compiler's command line, where the folder stands.
$(call portable_built,openssl): $(SYSROOT_MADE) | deps-portable
	@echo "building OpenSSL (a minute, once)"
	@mkdir -p $(PORTABLE)/lib && $(call portable_source,openssl)
	@$(without_space)/source/openssl && sed -i 's/^if (\$$avx512vaes[^)]*)/if (0)/' $(OPENSSL_BULK) && mkdir built && \
		cd built && { \
		$(portable_tools) ../Configure linux-$(ARCH) --prefix=/usr --libdir=lib --openssldir=/etc/ssl \
			enable-ec_nistp_64_gcc_128 $(addprefix no-,$(OPENSSL_WITHOUT)) && \
		sed -i 's|mkbuildinf.pl "$$(CC) |mkbuildinf.pl "cc |' Makefile && $(MAKE) -s -j2 build_libs && \
		$(MAKE) -s install_dev DESTDIR="$$link/portable/stage"; } > "$$link/portable/openssl.log" 2>&1 \
		|| { tail -n 30 "$$link/portable/openssl.log"; exit 1; }
	@cp $(PORTABLE)/stage/usr/lib/libssl.a $(PORTABLE)/stage/usr/lib/libcrypto.a $(PORTABLE)/lib/
	@touch $@

$(call portable_built,curl): $(call portable_built,openssl)
	@$(call portable_source,curl)
	@$(without_space)/source/curl && touch aclocal.m4 && touch configure Makefile.in */Makefile.in \
		lib/curl_config.h.in && { \
		$(portable_tools) LIBS=-lpthread PKG_CONFIG=no ac_cv_func_arc4random=no ./configure $(CROSS:%=--host=%) \
		--enable-static --with-pic \
			--with-openssl="$$link/portable/stage/usr" \
			--enable-threaded-resolver $(addprefix --disable-,$(CURL_WITHOUT)) \
			$(addprefix --without-,$(CURL_WITHOUT_LIBRARIES)) && $(MAKE) -s -j2 -C lib; } \
			> "$$link/portable/curl.log" 2>&1 \
		|| { tail -n 30 "$$link/portable/curl.log"; exit 1; }
	@cp $(PORTABLE)/source/curl/lib/.libs/libcurl.a $(PORTABLE)/lib/
	@touch $@

# Jansson without its build system: what that would find out is known of glibc.
$(call portable_built,jansson): $(SYSROOT_MADE) | deps-portable
	@mkdir -p $(PORTABLE)/lib && $(call portable_source,jansson)
	@cd $(PORTABLE)/source/jansson/src && \
		sed -e 's/@json_inline@/inline/; s/@json_have_[a-z_]*@/1/' jansson_config.h.in > jansson_config.h && \
		: > jansson_private_config.h && \
		$(CC) $(PORTABLE_CFLAGS) -I. $(addprefix -DHAVE_,CLOSE=1 ENDIAN_H=1 FCNTL_H=1 GETPID=1 GETTIMEOFDAY=1 \
		LOCALECONV=1 OPEN=1 READ=1 \
			SCHED_H=1 SCHED_YIELD=1 STDINT_H=1 SYS_PARAM_H=1 SYS_STAT_H=1 SYS_TIME_H=1 SYS_TYPES_H=1 UNISTD_H=1 \
			ATOMIC_BUILTINS=1) \
			-DUSE_URANDOM=1 -DNDEBUG -c *.c
	@rm -f $(PORTABLE)/lib/libjansson.a && $(AR) rcsD $(PORTABLE)/lib/libjansson.a $(PORTABLE)/source/jansson/src/*.o
	@touch $@
