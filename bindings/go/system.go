//go:build linux && cgo && !(mtoken_bundled && (amd64 || arm64))

package mtoken

// #cgo pkg-config: mtoken
import "C"
