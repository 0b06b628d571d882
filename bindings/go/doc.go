// SPDX-License-Identifier: Apache-2.0

// Package mtoken is a mobile token for Go: it activates a device against a PowerAuth server, lists, approves and rejects
// operations, and signs requests. It uses the library libmtoken.so.1, which pkg-config finds when a program
// is built.
//
// Names are those of mtoken.h without their prefix, in Go's spelling. A failed call returns an *Error; an
// ErrorCode is a target for errors.Is:
//
//	_, err := client.OperationsList(ctx)
//	if errors.Is(err, mtoken.ErrorCodeBlocked) { … }
//
// Times are a time.Time, to the millisecond, and durations a time.Duration. In options, "", nil, 0 and the zero time mean "not given";
// bytes that are empty but not nil are given. Secrets are byte slices, which Wipe clears.
//
// Results are read from the library's memory on access, and live as long as something refers to them.
// Runtime, Client, Store and the other objects with Close can be closed earlier; then their methods return
// ErrorCodeHandle. A result that was closed panics when it is read: it has no way to return an error. All of
// them may be used by many goroutines at once. Waiting holds no thread: one goroutine of each runtime reads
// its events through Go's poller.
package mtoken
