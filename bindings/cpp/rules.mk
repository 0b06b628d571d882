# C++: mtoken.hpp, with what is made of the header.

CPP_INCLUDES = -Ibindings/cpp -Ibuild/generated/cpp -Iinclude
