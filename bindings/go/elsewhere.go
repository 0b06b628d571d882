//go:build !linux || !cgo || 386 || arm || mips || mipsle

package mtoken

// This package needs cgo (CGO_ENABLED=1 and a C compiler) on 64-bit Linux. The name below is not declared, so that the compiler says so.
var _ = mtoken_needs_cgo_on_64_bit_linux
