# Go: the package, its tests and the player of the conformance documents.

# What tests the installed packages needs the toolchains.
PYTHON_LONG += language_packages

GO ?= go
GO_SOURCES := $(wildcard bindings/go/*.go bindings/go/*.h bindings/go/player/*.go)
go_environment = GOFLAGS=-mod=mod GOPROXY=off GOCACHE="$(CURDIR)/build/go/cache" PKG_CONFIG_PATH="$(CURDIR)/build/lib" \
	LD_LIBRARY_PATH="$(CURDIR)/build/lib"

.PHONY: go-bench go-player test-go test-go-race

go-player: build/go/player/player

go-bench: build/go/bench/bench

build/go/bench/bench: bindings/go/bench/bench.go

# A program of its own module, which names the package here. Only the player needs the names.
build/go/player/player build/go/bench/bench: $(GO_SOURCES) build/generated/mtoken.abi.json
	@mkdir -p $(@D)
	@cp bindings/go/$(@F)/$(@F).go $(if $(filter player,$(@F)),build/generated/go/names.go) $(@D)/
	@printf 'module %s\n\ngo 1.19\n\nrequire libmtoken.example/bindings/go v$(VERSION)\n\nreplace libmtoken.example/bindings/go => %s\n' \
		$(@F) "$(CURDIR)/bindings/go" > $(@D)/go.mod
	@cd $(@D) && $(go_environment) $(GO) build -ldflags "-r $(CURDIR)/build/lib" -o $(@F) .

## test-go          the Go package's own tests, with race detector and strict checks of pointers too, and its layout
test-go: go-player
	@test -z "$$(gofmt -l bindings/go)" || { gofmt -d bindings/go; exit 1; }
	@cd bindings/go && $(go_environment) $(GO) vet . && $(go_environment) $(GO) test -timeout 120s -count=1 .
	@cd bindings/go && MTOKEN_TEST_RACE=1 GODEBUG=cgocheck=2 $(go_environment) $(GO) test -timeout 120s -count=1 -race .
