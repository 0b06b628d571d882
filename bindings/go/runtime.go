// SPDX-License-Identifier: Apache-2.0

//go:build linux && cgo

package mtoken

/*
#define _GNU_SOURCE
#include <dlfcn.h>
#include "shims.h"

static inline go_result go_runtime_next_event(uintptr_t runtime)
{
    go_result r = {0};
    mtoken_event *event = 0;
    r.status = mtoken_runtime_next_event((mtoken_runtime *)runtime, 0, &event, 0);
    r.made_a = event;
    return r;
}

static inline int32_t go_runtime_fd(uintptr_t runtime) { return mtoken_runtime_fd((mtoken_runtime *)runtime); }

static inline uintptr_t go_event_take_challenge(mtoken_event *event) { return (uintptr_t)mtoken_event_take_challenge(event); }

static inline const char *go_library_path(void)
{
    Dl_info info;
    return dladdr((void *)mtoken_version, &info) ? info.dli_fname : "libmtoken.so.1";
}
*/
import "C"

import (
	"context"
	"os"
	"runtime"
	"sync"
	"syscall"
	"unsafe"
)

func libraryPath() string {
	return C.GoString(C.go_library_path())
}

// loop reads the events of a runtime, wakes those who wait for tasks and keeps the other events. Its goroutine sleeps in Go's poller.
type loop struct {
	runtime C.uintptr_t
	begin   sync.Once
	ended   chan struct{} // closed when there will be no more events

	mutex   sync.Mutex
	file    *os.File
	isOver  bool
	tag     uint64
	waiters map[uint64]chan struct{}
	events  []*Event
	arrived chan struct{} // has an item when there may be events
}

// ownTags begins the tags of the package's own notifications.
const ownTags = 1 << 63

func newRuntime(handle C.uintptr_t) *Runtime {
	l := newLife(handle, freeRuntime, nil)
	l.ownsLoop = true
	l.loop = &loop{
		runtime: handle,
		ended:   make(chan struct{}),
		tag:     ownTags,
		waiters: map[uint64]chan struct{}{},
		arrived: make(chan struct{}, 1),
	}
	return &Runtime{l}
}

func (l *loop) start() {
	l.begin.Do(func() {
		l.mutex.Lock()
		file := l.copied()
		l.file = file
		isEnding := l.isOver
		l.mutex.Unlock()
		if file == nil {
			if !isEnding {
				l.over()
			}
			return
		}
		go l.run(file)
	})
}

// copied is a duplicate of the runtime's descriptor; nil: there is none. Called with the lock held, so that the runtime is not freed
// meanwhile: the descriptor's number could then be another file's.
func (l *loop) copied() *os.File {
	if l.isOver {
		return nil
	}
	descriptor := int(C.go_runtime_fd(l.runtime))
	copied, _, problem := syscall.Syscall(syscall.SYS_FCNTL, uintptr(descriptor), syscall.F_DUPFD_CLOEXEC, 0)
	if descriptor < 0 || problem != 0 || syscall.SetNonblock(int(copied), true) != nil {
		return nil
	}
	return os.NewFile(copied, "mtoken events")
}

func (l *loop) run(file *os.File) {
	defer file.Close()
	if connection, err := file.SyscallConn(); err == nil {
		_ = connection.Read(func(uintptr) bool { return l.drain() })
	}
}

// drain reads events until there are none; true: there will be no more.
func (l *loop) drain() bool {
	for {
		r := C.go_runtime_next_event(l.runtime)
		if r.status == C.MTOKEN_ERROR_TIMEOUT {
			return false
		}
		if r.status != C.MTOKEN_OK && r.status != C.MTOKEN_ERROR_CANCELLED {
			return true
		}
		if r.made_a == nil {
			continue
		}
		event := (*C.mtoken_event)(r.made_a)
		if event.kind == C.MTOKEN_EVENT_TASK && event.tag >= ownTags && l.wake(uint64(event.tag)) {
			C.mtoken_event_free(event)
			continue
		}
		l.mutex.Lock()
		l.events = append(l.events, viewEvent(event, newOwner(r.made_a, C.GO_EVENT)))
		l.mutex.Unlock()
		l.signal()
	}
}

func (l *loop) signal() {
	select {
	case l.arrived <- struct{}{}:
	default:
	}
}

func (l *loop) wake(tag uint64) bool {
	l.mutex.Lock()
	waiter, found := l.waiters[tag]
	delete(l.waiters, tag)
	l.mutex.Unlock()
	if found {
		close(waiter)
	}
	return found
}

// stop is called before the runtime is freed.
func (l *loop) stop() {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.isOver = true
}

// end is called when the runtime was freed, so that all calls have their outcome: none is looked at before.
func (l *loop) end() {
	l.mutex.Lock()
	file := l.file
	l.mutex.Unlock()
	l.over()
	if file != nil {
		file.Close()
	}
}

func (l *loop) over() {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.isOver = true
	select {
	case <-l.ended:
	default:
		close(l.ended)
	}
}

// NextEvent takes the next event of those that RuntimeOptions.Events asked for. Events arrive in their order, each exactly once.
func (r *Runtime) NextEvent(ctx context.Context) (*Event, error) {
	if r.c() == 0 {
		return nil, statusError(C.MTOKEN_ERROR_HANDLE)
	}
	defer runtime.KeepAlive(r)
	l := r.life.loop
	l.start()
	for {
		l.mutex.Lock()
		if len(l.events) > 0 {
			event := l.events[0]
			l.events[0] = nil
			l.events = l.events[1:]
			if len(l.events) > 0 {
				l.signal()
			}
			l.mutex.Unlock()
			return event, nil
		}
		l.mutex.Unlock()
		select {
		case <-l.arrived:
		case <-l.ended:
			return nil, statusError(C.MTOKEN_ERROR_STATE)
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// Events gives the events as a channel, which is closed when the context or the runtime ends.
func (r *Runtime) Events(ctx context.Context) <-chan *Event {
	events := make(chan *Event)
	go func() {
		defer close(events)
		for {
			event, err := r.NextEvent(ctx)
			if err != nil {
				return
			}
			select {
			case events <- event:
			case <-ctx.Done():
				r.life.loop.putBack(event)
				return
			}
		}
	}()
	return events
}

// putBack makes an event that was not received the next one.
func (l *loop) putBack(event *Event) {
	l.mutex.Lock()
	l.events = append([]*Event{event}, l.events...)
	l.mutex.Unlock()
	l.signal()
}

// IsFrom says whether the event concerns a client.
func (v *Event) IsFrom(client *Client) bool {
	concerned := kept(uintptr(unsafe.Pointer(v.c().client)), v.life)
	return concerned != 0 && concerned == uintptr(client.c())
}

// IsOf says whether the event tells the completion of a task.
func (v *Event) IsOf(task *Task) bool {
	completed := kept(uintptr(unsafe.Pointer(v.c().task)), v.life)
	return completed != 0 && completed == uintptr(task.c())
}

// TakeChallenge takes the challenge out of an event, once; nil: there is none. One that is not taken ends as cancelled.
func (v *Event) TakeChallenge() *Challenge {
	challenges.Lock()
	defer challenges.Unlock()
	handle := kept(C.go_event_take_challenge(v.c()), v.life)
	if handle == 0 {
		return nil
	}
	return &Challenge{newLife(handle, freeChallenge, nil)}
}

var challenges sync.Mutex
