# One conformance script for all languages (Tests/conformance/README.md). Each language adds
# bindings/<language>/language.json.

CONFORMANCE = MTOKEN_BUILD=$(BUILD) build/venv/bin/python Tests/conformance/run.py --library $(PRODUCT)/libmtoken.so.1

# The players in C and in C++ share all but how functions are called and members are read.
CONFORMANCE_COMPILE = $(CXX) -std=c++17 -O1 -Wall -Wextra -Werror -Iinclude -ITests/conformance
CONFORMANCE_LINK = -L$(PRODUCT) -lmtoken -ljansson -Wl,-rpath,'$$ORIGIN/../$(notdir $(PRODUCT))' -o $@

$(BUILD)/conformance/player.o: Tests/conformance/player.cpp Tests/conformance/player.hpp $(wildcard include/mtoken/*.h)
	@mkdir -p $(BUILD)/conformance
	@$(CONFORMANCE_COMPILE) -c $< -o $@

$(BUILD)/conformance/player-c: $(BUILD)/conformance/player.o Tests/conformance/plain.cpp build/generated/mtoken.abi.json
	@$(CC) -std=c99 -O1 -Wall -Wextra -pedantic -Werror -Iinclude -c build/generated/conformance/calls.c \
		-o $(BUILD)/conformance/calls.o
	@$(CONFORMANCE_COMPILE) Tests/conformance/plain.cpp $(BUILD)/conformance/player.o $(BUILD)/conformance/calls.o \
		$(CONFORMANCE_LINK)

$(BUILD)/conformance/player-cpp: $(BUILD)/conformance/player.o bindings/cpp/mtoken.hpp Tests/conformance/through.hpp \
	build/generated/mtoken.abi.json
	@$(CONFORMANCE_COMPILE) $(CPP_INCLUDES) build/generated/conformance/calls.cpp $(BUILD)/conformance/player.o \
		$(CONFORMANCE_LINK)

.PHONY: test-bindings test-bindings-quick deps-bindings

## test-bindings    conformance documents and own tests of every language that is installed (ONLY="go rust")
test-bindings: build/venv/ready build
	@$(CONFORMANCE) --tests $(ONLY)

# What make test runs of it.
test-bindings-quick: build/venv/ready build
	@$(CONFORMANCE) --quick $(ONLY)

## deps-bindings    install the languages that have a binding (ONLY="go rust")
deps-bindings: deps build/venv/ready $(if $(filter csharp-core,$(or $(ONLY),csharp-core)),build/dotnet/ready)
	$(call install-packages,$(shell $(PYTHON) Tests/conformance/run.py --packages $(ONLY)))
