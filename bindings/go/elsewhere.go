// SPDX-License-Identifier: Apache-2.0

//go:build !linux || !cgo || 386 || arm || mips || mipsle

package mtoken

import (
	"context"
	"unsafe"
)

// This package needs cgo (CGO_ENABLED=1 and a C compiler) on 64-bit Linux. The name below is not declared, so that the compiler says so.
// All else is declared, so that editors know it.
var _ = mtoken_needs_cgo_on_64_bit_linux

type life struct{}

const elsewhere = "mtoken: this package needs cgo on 64-bit Linux"

func NewStoreHost(host HostStore) (*Store, error)                 { panic(elsewhere) }
func Open(folder string, options *ClientOptions) (*Client, error) { panic(elsewhere) }
func Wipe(secret []byte)                                          { panic(elsewhere) }
func (client *Client) Runtime() *Runtime                          { panic(elsewhere) }
func (r *Runtime) NextEvent(ctx context.Context) (*Event, error)  { panic(elsewhere) }
func (r *Runtime) Events(ctx context.Context) <-chan *Event       { panic(elsewhere) }
func (v *Event) IsFrom(client *Client) bool                       { panic(elsewhere) }
func (v *Event) IsOf(task *Task) bool                             { panic(elsewhere) }
func (v *Event) TakeChallenge() *Challenge                        { panic(elsewhere) }
func (t *Task) State() TaskState                                  { panic(elsewhere) }
func (t *Task) Cancel() error                                     { panic(elsewhere) }
func (t *Task) Notify(tag uint64) error                           { panic(elsewhere) }
func (t *Task) Wait(ctx context.Context) error                    { panic(elsewhere) }
func (l *life) Close() error                                      { panic(elsewhere) }
func (l *life) end(made unsafe.Pointer)                           { panic(elsewhere) }
