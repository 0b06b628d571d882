module player

go 1.19

require libmtoken.example/bindings/go v0.0.0

// From here, and from build/go/player, where it is built.
replace libmtoken.example/bindings/go => ../../../bindings/go
