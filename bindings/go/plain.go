// SPDX-License-Identifier: Apache-2.0

package mtoken

import (
	"time"
	"unsafe"
)

// Parts that need no C, here and elsewhere.

// HostStore keeps the state of clients where the program wants it. Its methods are called on threads of the library, never two at
// once for one client. They must not use the client concerned. An error that is an ErrorCode, or wraps one, is passed on;
// others become ErrorCodeStorage.
type HostStore interface {
	// Load returns the item, or ErrorCodeNotFound.
	Load(name string) ([]byte, error)
	// Save replaces the item, and returns only when it is durable: a signature is sent right after. It must not keep the bytes.
	Save(name string, item []byte) error
	// Remove removes the item; nil if there is none.
	Remove(name string) error
	// List returns the names of all items.
	List() ([]string, error)
}

// Watch is an operation whose expiry is watched: an id, perhaps the operation's data, and when it expires.
type Watch struct {
	ID            string
	OperationData string
	Expires       time.Time
}

// Must returns the value, or panics with the error.
func Must[T any](value T, err error) T {
	Check(err)
	return value
}

// Check panics if there is an error.
func Check(err error) {
	if err != nil {
		panic(err)
	}
}

// view is what lies in the library and is read there. Its type is not C's, which reflect.DeepEqual would follow: to it two texts of C are
// equal if they begin alike.
type view struct {
	p    unsafe.Pointer
	life *life
}
