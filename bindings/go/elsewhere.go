//go:build !linux || !cgo || 386 || arm || mips || mipsle

package mtoken

import (
	"context"
	"time"
)

// This package needs cgo (CGO_ENABLED=1 and a C compiler) on 64-bit Linux. The name below is not declared, so that the compiler says so.
// All else is declared, so that editors know it.
var _ = mtoken_needs_cgo_on_64_bit_linux

const elsewhere = "mtoken: this package needs cgo on 64-bit Linux"

type HostStore interface {
	Load(name string) ([]byte, error)
	Save(name string, item []byte) error
	Remove(name string) error
	List() ([]string, error)
}

type Watch struct {
	ID            string
	OperationData string
	Expires       time.Time
}

func NewStoreHost(host HostStore) (*Store, error)                 { panic(elsewhere) }
func Open(folder string, options *ClientOptions) (*Client, error) { panic(elsewhere) }
func Must[T any](value T, err error) T                            { panic(elsewhere) }
func Check(err error)                                             { panic(elsewhere) }
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
func (e *Error) Error() string                                    { panic(elsewhere) }
func (e *Error) Is(target error) bool                             { panic(elsewhere) }
func (e *Error) Unwrap() error                                    { panic(elsewhere) }
func (e *Error) IsOperationOver() bool                            { panic(elsewhere) }
func (e *Error) MarshalJSON() ([]byte, error)                     { panic(elsewhere) }
func (c ErrorCode) Error() string                                 { panic(elsewhere) }
