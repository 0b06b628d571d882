// SPDX-License-Identifier: Apache-2.0

//go:build linux && cgo

package mtoken

/*
#include "shims.h"

static inline go_result go_task_join(uintptr_t task)
{
    go_result r = {0};
    r.status = mtoken_task_join((mtoken_task *)task, 0, &r.error);
    return r;
}

static inline int32_t go_task_get_state(uintptr_t task) { return mtoken_task_get_state((mtoken_task *)task); }
static inline int32_t go_task_cancel(uintptr_t task) { return mtoken_task_cancel((mtoken_task *)task); }

static inline go_result go_task_notify(uintptr_t task, uint64_t tag)
{
    go_result r = {0};
    r.status = mtoken_task_notify((mtoken_task *)task, tag, &r.error);
    return r;
}
*/
import "C"

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"
	"unsafe"
)

func newTask(handle C.uintptr_t, keeps *life) *Task {
	l := newLife(handle, freeTask, keeps)
	l.blocks = false
	return &Task{l}
}

// crossings are how many calls for tasks of one client are in C. Go gives a further thread to each that is held up there, be it by a busy
// machine: of a thousand that begin at once most wait in Go, where waiting needs no thread.
const crossings = 8

// patience is how long a call waits for a place.
var patience = time.Second

// cross waits for a place, and returns a function that releases it. After a while it continues without one,
// since the holders of the places may wait for a store of the program itself, which makes calls.
func (l *life) cross() func() {
	if l == nil {
		return func() {}
	}
	leave := func() { <-l.places }
	select {
	case l.places <- struct{}{}:
		return leave
	default:
	}
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case l.places <- struct{}{}:
		return leave
	case <-timer.C:
		return func() {}
	}
}

// State tells whether the task is running, or how it ended; -1 for a closed task.
func (t *Task) State() TaskState {
	defer runtime.KeepAlive(t)
	defer t.lives().cross()()
	return TaskState(C.go_task_get_state(t.c()))
}

// Cancel stops the task: it completes once, as cancelled. A request that was already sent may still reach the server.
func (t *Task) Cancel() error {
	defer runtime.KeepAlive(t)
	return statusError(C.go_task_cancel(t.c()))
}

// Notify asks for an event of kind EventKindTask with this tag, below 1<<63, when the task completes.
func (t *Task) Notify(tag uint64) error {
	if tag >= ownTags {
		return fmt.Errorf("mtoken: the tag %d is not below 1<<63", tag)
	}
	return t.notify(tag)
}

func (t *Task) notify(tag uint64) error {
	defer runtime.KeepAlive(t)
	defer t.lives().cross()()
	r := C.go_task_notify(t.c(), C.uint64_t(tag))
	if r.status != C.MTOKEN_OK {
		return newError(r.status, r.error)
	}
	return nil
}

// Wait waits until the task has completed, and returns its error. When the context ends first, the task continues, and the error,
// of code ErrorCodeTimeout, wraps that of the context.
func (t *Task) Wait(ctx context.Context) error {
	if err := t.sleep(ctx); err != nil {
		return err
	}
	return t.outcome()
}

// outcome is the error of a completed task.
func (t *Task) outcome() error {
	defer runtime.KeepAlive(t)
	defer t.lives().cross()()
	r := C.go_task_join(t.c())
	if r.status != C.MTOKEN_OK {
		return newError(r.status, r.error)
	}
	return nil
}

// sleep returns when the task has completed, or its runtime has ended, or with an error when the context has ended.
func (t *Task) sleep(ctx context.Context) error {
	defer runtime.KeepAlive(t)
	if t.State() != TaskStateRunning {
		return nil
	}
	l := t.life.loop
	l.start()
	// First the waiter, then the request for the event, which comes at once if the task has completed meanwhile.
	waiter := make(chan struct{})
	l.mutex.Lock()
	l.tag++
	tag := l.tag
	l.waiters[tag] = waiter
	l.mutex.Unlock()
	if err := t.notify(tag); err != nil {
		l.wake(tag)
		return nil // the runtime has ended: the task's outcome says so
	}
	select {
	case <-waiter:
		return nil
	case <-l.ended:
		return nil
	case <-ctx.Done():
		// The waiter stays until the event has come, which is the package's own.
		return &Error{
			Code: ErrorCodeTimeout, Outcome: OutcomeUnknown, Reason: "waitTimeout", ByteOffset: -1, RemainingAttempts: -1, RetryAfter: -time.Millisecond,
			Message: "the context ended while the call was under way; the call continues", ended: ctx.Err(),
		}
	}
}

// notStarted is the error of a call whose context had ended before: no signature is made without a waiting
// caller.
func notStarted(ctx context.Context) error {
	ended := ctx.Err()
	if ended == nil {
		return nil
	}
	return &Error{
		Code: ErrorCodeCancelled, Outcome: OutcomeNotSent, Reason: "cancelled", ByteOffset: -1, RemainingAttempts: -1, RetryAfter: -time.Millisecond,
		Message: "the context had ended before the call: nothing was started", ended: ended,
	}
}

// finish waits for a private task: it is cancelled when the context ends, so that its outcome is final.
func finish(ctx context.Context, t *Task, started error) error {
	if started != nil {
		return started
	}
	ended := t.sleep(ctx)
	if ended == nil {
		return t.outcome()
	}
	_ = t.Cancel()
	_ = t.sleep(context.Background())
	err := t.outcome()
	var failure *Error
	if errors.As(err, &failure) && failure.Code == ErrorCodeCancelled {
		failure.ended = errors.Unwrap(ended)
	}
	return err
}

// owned passes a private task to its result: the task is freed with it by Close, or when nothing refers to it
// any more. Go's collector does not see the library's memory: it sees a part of it, so that it runs in time.
func (t *Task) owned(result unsafe.Pointer, elements int) {
	l := t.life
	l.made = result
	l.ballast = make([]byte, 512+1024*elements)
}
