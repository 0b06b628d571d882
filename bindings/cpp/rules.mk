# C++: mtoken.hpp, with what is made of the header.

CPP_INCLUDES = -Ibindings/cpp -Ibuild/generated/cpp -Iinclude

# The tool of C++ for reference pages, without which the target says so, and the loops of examples/loops.
PACKAGES_LANGUAGES += doxygen libasio-dev qt6-base-dev

.PHONY: reference-cpp

## reference-cpp    the reference of mtoken.hpp as HTML, build/reference-cpp; a warning is an error
reference-cpp: build/generated/mtoken.abi.json
	@if ! command -v doxygen >/dev/null; then echo "not run: doxygen is not installed (make deps-full)"; exit 0; fi; \
	mkdir -p build/reference-cpp && doxygen bindings/cpp/Doxyfile && echo "build/reference-cpp/html/index.html"
