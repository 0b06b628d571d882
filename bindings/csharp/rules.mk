# C#: the package, compiled by Mono's compiler, its tests and the player of the conformance documents.

MCS ?= mcs
# By hand; and what the generator writes.
CSHARP_SOURCES := $(wildcard bindings/csharp/src/*.cs)
CSHARP_GENERATED := $(patsubst %,build/generated/csharp/src/%.cs,Raw Values Views Options Calls)
csharp = $(MCS) -langversion:7 -unsafe -warnaserror -nowarn:0649,1591 -optimize

.PHONY: csharp-player test-csharp

build/csharp/Mtoken.dll: bindings/csharp/rules.mk $(CSHARP_SOURCES) build/generated/mtoken.abi.json
	@mkdir -p build/csharp
	@$(csharp) -target:library -doc:$(@:.dll=.xml) -out:$@ $(CSHARP_SOURCES) $(CSHARP_GENERATED)

csharp-player: build/csharp/player.exe

build/csharp/player.exe: bindings/csharp/player/Player.cs build/csharp/Mtoken.dll build/generated/mtoken.abi.json
	@$(csharp) -out:$@ -r:build/csharp/Mtoken.dll bindings/csharp/player/Player.cs build/generated/csharp/Names.cs

.PHONY: csharp csharp-package

## csharp           the C# package, build/csharp/Mtoken.dll, by Mono's compiler
csharp: build/csharp/Mtoken.dll

## csharp-package   the NuGet package with the portable library inside, build/csharp/Libmtoken.*.nupkg
csharp-package: build/csharp/Mtoken.dll build/csharp/core/Mtoken.dll portable
	@$(PYTHON) bindings/csharp/package.py --version $(VERSION) --assembly net48=$< \
		--assembly netcoreapp3.1=build/csharp/core/Mtoken.dll --library $(PORTABLE)/libmtoken.so.$(SOVERSION) \
		--crossed $(CROSSED) --output build/csharp

csharp_test = MTOKEN_ROOT="$(CURDIR)" MTOKEN_DESCRIPTION="$(CURDIR)/build/generated/mtoken.abi.json" \
	MTOKEN_LIBRARY="$(CURDIR)/build/lib/libmtoken.so.1"

## test-csharp      the C# package's own tests, on Mono
test-csharp: build/csharp/Mtoken.dll build/venv/ready
	@$(csharp) -out:build/csharp/tests.exe -r:build/csharp/Mtoken.dll bindings/csharp/tests/Tests.cs
	@$(csharp_test) MONO_PATH=/usr/lib/cli/Newtonsoft.Json-5.0 mono build/csharp/tests.exe

# .NET Core 3.1 is on PyPI, as a runtime without a compiler: Mono's compiles for it, with its assemblies instead of
# Mono's.
CORE_ASSEMBLIES = $(filter-out %WindowsRuntime.dll %.Windows.dll,$(wildcard \
	build/dotnet/dotnetcore2/bin/shared/Microsoft.NETCore.App/*/System*.dll))
csharp_core = $(csharp) -nowarn:1701,1702 -nostdlib -noconfig $(addprefix -r:,$(CORE_ASSEMBLIES))

.PHONY: test-csharp-core

build/dotnet/ready: | build/venv/ready
	@build/venv/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --target build/dotnet \
		dotnetcore2==3.1.23
	@chmod +x build/dotnet/dotnetcore2/bin/dotnet
	@touch $@

build/csharp/core/Mtoken.dll: bindings/csharp/rules.mk $(CSHARP_SOURCES) build/generated/mtoken.abi.json \
	build/dotnet/ready
	@mkdir -p build/csharp/core
	@$(csharp_core) -target:library -doc:$(@:.dll=.xml) -out:$@ $(CSHARP_SOURCES) $(CSHARP_GENERATED)

build/csharp/core/player.exe: bindings/csharp/player/Player.cs build/csharp/core/Mtoken.dll \
	build/generated/mtoken.abi.json
	@cp bindings/csharp/core/runtimeconfig.json $(@:.exe=.runtimeconfig.json)
	@$(csharp_core) -out:$@ -r:build/csharp/core/Mtoken.dll bindings/csharp/player/Player.cs \
		build/generated/csharp/Names.cs

## test-csharp-core  the same tests on .NET Core 3.1
test-csharp-core: build/csharp/core/Mtoken.dll build/venv/ready
	@cp bindings/csharp/core/runtimeconfig.json build/csharp/core/tests.runtimeconfig.json
	@$(csharp_core) -out:build/csharp/core/tests.exe -r:$< bindings/csharp/tests/Tests.cs
	@$(csharp_test) DOTNET_SYSTEM_GLOBALIZATION_INVARIANT=1 \
		build/dotnet/dotnetcore2/bin/dotnet build/csharp/core/tests.exe
