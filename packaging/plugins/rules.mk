# The plugins that keep secrets: each a shared library beside the library, with libraries of its own, and a Debian
# package of its own. The library itself needs none of them.

PLUGINS := tpm2 secret-service pkcs11 fido2
PACKAGES_PLUGINS := libtss2-dev libsecret-1-dev libp11-kit-dev libfido2-dev
# What the tests of the plugins need: a TPM, a keyring, a token, and a D-Bus session of their own.
PACKAGES_FULL += $(PACKAGES_PLUGINS) swtpm libtss2-tcti-swtpm0 gnome-keyring dbus-daemon libglib2.0-bin softhsm2 \
	opensc libengine-pkcs11-openssl

libraries-tpm2 := tss2-esys tss2-mu tss2-rc tss2-tctildr libcrypto
libraries-secret-service := libsecret-1
libraries-pkcs11 := p11-kit-1
libraries-fido2 := libfido2 libcrypto

.PHONY: plugins deps-plugins

## plugins          plugins that keep secrets in a TPM, keyring, smart card or security key (build/lib)
plugins: $(foreach plugin,$(PLUGINS),build/lib/libmtoken-$(plugin).so.1)

deps-plugins: deps
	$(call install-packages,$(PACKAGES_PLUGINS))

build/lib/libmtoken-%.so.1: packaging/plugins/plugin_support.h Sources/CSystem/plugin.h packaging/plugins/exports.map \
	include/mtoken/sealer.h | deps-plugins build
	@$(CC) -std=gnu11 -O2 -fPIC -shared -fvisibility=hidden -Wall -Wextra -Werror -Iinclude -ISources/CSystem \
		$(shell pkg-config --cflags $(libraries-$*)) packaging/plugins/$(subst -,_,$*).c -o $@.$$$$ \
		-Wl,-soname,libmtoken-$*.so.1 -Wl,-s -Wl,-z,defs \
		-Wl,-z,relro -Wl,-z,now -Wl,--as-needed -Wl,--version-script=packaging/plugins/exports.map \
		$(shell pkg-config --libs $(libraries-$*)) && mv $@.$$$$ $@
$(foreach plugin,$(PLUGINS),$(eval build/lib/libmtoken-$(plugin).so.1: packaging/plugins/$(subst -,_,$(plugin)).c))
