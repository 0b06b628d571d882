# Go: the package, its tests and the player of the conformance documents.

# What tests the installed packages needs the toolchains.
PYTHON_LONG += language_packages

GO ?= go
GO_SOURCES := $(wildcard bindings/go/*.go bindings/go/*.h)
go_environment = GOFLAGS=-mod=mod GOPROXY=off GOCACHE="$(CURDIR)/build/go/cache" PKG_CONFIG_PATH="$(CURDIR)/build/lib" \
	LD_LIBRARY_PATH="$(CURDIR)/build/lib"
# Strict checks of pointers: a setting of the program up to Go 1.20, of the build from then on.
go_strict = $(if $(filter go1.19% go1.20%,$(shell $(GO) env GOVERSION)),GODEBUG=cgocheck=2,GOEXPERIMENT=cgocheck2)

.PHONY: go-player test-go

go-player: build/go/player/player

# A program of a module of its own, which is no part of the package's. It plays with the race detector.
build/go/player/player: bindings/go/player/player.go bindings/go/player/go.mod build/generated/go/names.go
build/generated/go/names.go: build/generated/mtoken.abi.json

build/go/player/player: $(GO_SOURCES)
	@mkdir -p $(@D)
	@cp $(filter %/$(@F).go %/go.mod %/names.go,$^) $(@D)/
	@cd $(@D) && $(go_environment) $(GO) build -race -ldflags "-r '$(CURDIR)/build/lib'" -o $(@F) .

## test-go          the Go package's own tests, with race detector and checks of pointers, and the layout of Go
test-go: go-player build/venv/ready
	@test -z "$$(gofmt -l bindings/go)" || { gofmt -d bindings/go; exit 1; }
	@for folder in bindings/go build/go/player; do (cd $$folder && $(go_environment) $(GO) vet ./...) || exit 1; done
	@if command -v go-staticcheck >/dev/null; then for folder in bindings/go build/go/player; do \
		(cd $$folder && $(go_environment) go-staticcheck ./...) || exit 1; done; else echo "not run: go-staticcheck"; fi
	@cd bindings/go && $(go_environment) $(GO) test -timeout 120s -count=1 .
	@cd bindings/go && MTOKEN_TEST_RACE=1 $(go_strict) $(go_environment) $(GO) test -timeout 300s -count=1 -race .
