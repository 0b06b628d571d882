// SPDX-License-Identifier: Apache-2.0

//go:build linux && cgo && (amd64 || arm64) && mtoken_bundled

package mtoken

// The module of a release carries the library for each system, and its header. The tag musl, which Go does not set by itself, asks for
// that of Alpine. A program finds the library there, or beside itself.

// #cgo CFLAGS: -I${SRCDIR}/bundled/include
// #cgo amd64,!musl LDFLAGS: -L${SRCDIR}/bundled/x86_64-linux-gnu -Wl,-rpath,${SRCDIR}/bundled/x86_64-linux-gnu
// #cgo arm64,!musl LDFLAGS: -L${SRCDIR}/bundled/aarch64-linux-gnu -Wl,-rpath,${SRCDIR}/bundled/aarch64-linux-gnu
// #cgo amd64,musl LDFLAGS: -L${SRCDIR}/bundled/x86_64-linux-musl -Wl,-rpath,${SRCDIR}/bundled/x86_64-linux-musl
// #cgo arm64,musl LDFLAGS: -L${SRCDIR}/bundled/aarch64-linux-musl -Wl,-rpath,${SRCDIR}/bundled/aarch64-linux-musl
// #cgo LDFLAGS: -l:libmtoken.so.1 -Wl,-rpath,$ORIGIN
import "C"
