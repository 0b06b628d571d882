//go:build linux && cgo && amd64 && mtoken_bundled

package mtoken

// The module of a release carries the library and its header. A program finds the library there, or beside itself.

// #cgo CFLAGS: -I${SRCDIR}/bundled/include
// #cgo LDFLAGS: -L${SRCDIR}/bundled -l:libmtoken.so.1 -Wl,-rpath,${SRCDIR}/bundled -Wl,-rpath,$ORIGIN
import "C"
