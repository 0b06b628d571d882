// SPDX-License-Identifier: Apache-2.0

//go:build linux && cgo && !(mtoken_bundled && (amd64 || arm64))

package mtoken

// #cgo pkg-config: mtoken
import "C"
