//go:build linux && cgo && !(mtoken_bundled && amd64)

package mtoken

// #cgo pkg-config: mtoken
import "C"
