# C#: the package, compiled by Mono's compiler, its tests and the player of the conformance documents.

MCS ?= mcs
CSHARP_SOURCES := $(wildcard bindings/csharp/src/*.cs)
csharp = $(MCS) -langversion:7 -unsafe -warnaserror -nowarn:0649,1591 -optimize

.PHONY: csharp-player test-csharp

build/csharp/Mtoken.dll: $(CSHARP_SOURCES)
	@mkdir -p build/csharp
	@$(csharp) -target:library -out:$@ $(CSHARP_SOURCES)

csharp-player: build/csharp/player.exe

build/csharp/player.exe: bindings/csharp/player/Player.cs build/csharp/Mtoken.dll build/generated/mtoken.abi.json
	@$(csharp) -out:$@ -r:build/csharp/Mtoken.dll bindings/csharp/player/Player.cs build/generated/csharp/Names.cs

.PHONY: csharp

## csharp           the C# package, build/csharp/Mtoken.dll, by Mono's compiler
csharp: build/csharp/Mtoken.dll

## test-csharp      the C# package's own tests, on Mono
test-csharp: build/csharp/Mtoken.dll
	@$(csharp) -out:build/csharp/tests.exe -r:build/csharp/Mtoken.dll bindings/csharp/tests/Tests.cs
	@MTOKEN_LIBRARY="$(CURDIR)/build/lib/libmtoken.so.1" mono build/csharp/tests.exe

.PHONY: csharp-bench

csharp-bench: build/csharp/bench.exe

build/csharp/bench.exe: bindings/csharp/bench/Bench.cs build/csharp/Mtoken.dll
	@$(csharp) -out:$@ -r:build/csharp/Mtoken.dll bindings/csharp/bench/Bench.cs
