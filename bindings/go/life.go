// SPDX-License-Identifier: Apache-2.0

//go:build linux && cgo

package mtoken

/*
#include <stdlib.h>
#include <string.h>
#include "shims.h"

static inline void go_wipe(void *bytes, size_t length)
{
    memset(bytes, 0, length);
    __asm__ volatile("" : : "r"(bytes) : "memory");
}
*/
import "C"

import (
	"fmt"
	"math"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"
)

func init() {
	if problem := unsuitable(uint32(C.mtoken_abi_version()), uint32(C.mtoken_version_number())); problem != "" {
		panic(problem)
	}
}

// unsuitable says why a library of this ABI and version cannot serve this package; "": it can.
func unsuitable(abi, version uint32) string {
	const wanted = C.MTOKEN_VERSION_NUMBER
	if abi == C.MTOKEN_ABI_VERSION && version >= wanted {
		return ""
	}
	return fmt.Sprintf("mtoken: %s has ABI %d and version %d; this program needs ABI %d and at least version %d (Debian package libmtoken1)",
		libraryPath(), abi, version, C.MTOKEN_ABI_VERSION, wanted)
}

// life is an object of the library. It is freed once: by Close, or when nothing refers to it any more. Its
// results keep it alive: a closed object with results is freed when nothing refers to those either. Close
// frees a struct to read when no call reads it.
type life struct {
	handle    C.uintptr_t    // an object: a number, never an address
	made      unsafe.Pointer // a struct to read
	kind      C.int32_t      // its kind
	uses      int32          // how many read it; below zero when it is closed
	free      func(*life)
	places    chan struct{} // of the calls that are in C: see crossings
	ballast   []byte
	keeps     *life // what must live as long
	owns      *life // what Close closes too
	loop      *loop
	ownsLoop  bool
	blocks    bool
	hasLent   bool
	isClosed  int32
	isDropped int32
	mutex     sync.Mutex // of closing and lending
}

func newLife(handle C.uintptr_t, free func(*life), keeps *life) *life {
	l := &life{handle: handle, free: free, keeps: keeps, blocks: true}
	if keeps != nil {
		l.loop = keeps.loop
	}
	if keeps != nil && !keeps.ownsLoop {
		l.places = keeps.places
	} else { // what is made of a runtime has places of its own: a client that is held up delays no other
		l.places = make(chan struct{}, crossings)
	}
	runtime.SetFinalizer(l, (*life).finalize)
	return l
}

// batch is four structs that the library made one after the other. A finalizer for each would cost more than the call, so they have one:
// a struct that is kept for long, and was not closed, keeps three others.
type batch struct {
	lives   [4]life
	count   int
	ballast []byte
}

// batches have room; each is one goroutine's at a time.
var batches sync.Pool

// unfreed is how many structs the library has made for Go, or has room for in batches.
var unfreed int32

// newOwner is the life of a struct that the library made.
func newOwner(made unsafe.Pointer, kind C.int32_t) *life {
	if made == nil {
		return nil
	}
	b, _ := batches.Get().(*batch)
	if b == nil {
		b = new(batch)
		runtime.SetFinalizer(b, (*batch).free)
		// Go's collector does not see what the library holds. Where structs are not closed, this makes it come sooner.
		if atomic.AddInt32(&unfreed, int32(len(b.lives))) > 1024 {
			b.ballast = make([]byte, 512)
		}
	}
	l := &b.lives[b.count]
	l.made, l.kind = made, kind
	b.count++
	if b.count < len(b.lives) {
		batches.Put(b)
	}
	return l
}

func (b *batch) free() {
	for i := range b.lives {
		b.lives[i].drop()
	}
}

// closed is added to the uses of a struct by Close.
const closed = -1 << 30

// enter and leave enclose each read of a struct, and keep the object alive until then.
func (l *life) enter() {
	if l != nil && l.made != nil && atomic.AddInt32(&l.uses, 1) < 0 {
		l.leave()
		panic("mtoken: a result is read after it was closed")
	}
}

func (l *life) leave() {
	if l != nil && l.made != nil && atomic.AddInt32(&l.uses, -1) == closed {
		l.drop()
	}
	runtime.KeepAlive(l)
}

// end closes a struct, if that is what lives here, and not what it is part of.
func (l *life) end(made unsafe.Pointer) {
	if l != nil && l.made == made && atomic.SwapInt32(&l.isClosed, 1) == 0 && atomic.AddInt32(&l.uses, closed) == closed {
		l.drop()
	}
}

// drop frees a struct that no call reads, once.
func (l *life) drop() {
	if !atomic.CompareAndSwapInt32(&l.isDropped, 0, 1) {
		return
	}
	if l.free != nil { // it lives in a task
		runtime.SetFinalizer(l, nil)
		l.free(l)
		return
	}
	atomic.AddInt32(&unfreed, -1)
	if l.made != nil {
		C.go_free_struct(l.kind, l.made)
	}
}

func (l *life) finalize() {
	if l.blocks {
		go l.release() // freeing may wait, and there is one goroutine for all finalizers
	} else {
		l.release()
	}
}

func (l *life) release() {
	if l.ownsLoop {
		l.loop.stop()
	}
	l.free(l)
	if l.ownsLoop {
		l.loop.end()
	}
}

// number is the handle; 0, which the library refuses, when the object was closed.
func (l *life) number() C.uintptr_t {
	if l == nil || atomic.LoadInt32(&l.isClosed) != 0 {
		return 0
	}
	return l.handle
}

// lock is held while a call reads or lends what lives in the object, so that Close waits.
func (l *life) lock() {
	if l != nil {
		l.mutex.Lock()
	}
}

func (l *life) unlock() {
	if l != nil {
		l.mutex.Unlock()
	}
}

// lends notes that something of it stays in use. Called with the lock held.
func (l *life) lends(made unsafe.Pointer) unsafe.Pointer {
	if made != nil {
		l.hasLent = true
	}
	return made
}

// Close ends the object: calls on it fail from now on with ErrorCodeHandle. Its memory is freed at once or,
// if it has results, when nothing refers to those any more. It always returns nil. Unreferenced objects are
// closed automatically.
func (l *life) Close() error {
	if l == nil {
		return nil
	}
	l.mutex.Lock()
	isFirst := atomic.SwapInt32(&l.isClosed, 1) == 0
	isFree := isFirst && !l.hasLent
	l.mutex.Unlock()
	if isFree {
		runtime.SetFinalizer(l, nil)
		l.release()
	}
	if isFirst && l.owns != nil {
		l.owns.Close()
	}
	return nil
}

// What is given to the library

// arena holds arrays of an option while a call lasts, with the texts in them: C's memory must not point at Go's.
type arena struct {
	blocks []unsafe.Pointer
	sizes  []int
}

func (a *arena) room(size int) unsafe.Pointer {
	block := C.calloc(1, C.size_t(size))
	a.blocks, a.sizes = append(a.blocks, block), append(a.sizes, size)
	return block
}

func (a *arena) free() {
	for i, block := range a.blocks {
		C.go_wipe(block, C.size_t(a.sizes[i]))
		C.free(block)
	}
}

func (a *arena) cText(text string) C.mtoken_text {
	if text == "" {
		return C.mtoken_text{}
	}
	block := a.room(len(text))
	copy((*[1 << 30]byte)(block)[:len(text):len(text)], text)
	return C.mtoken_text{data: (*C.char)(block), length: C.size_t(len(text))}
}

// nothing is where empty texts and bytes begin that are not "not given".
var nothing [1]byte

func cText(text string) C.mtoken_text {
	if text == "" {
		return C.mtoken_text{}
	}
	return cGivenText(text)
}

// cTextOf is a text that says something when it is empty, too.
func cTextOf(text *string) C.mtoken_text {
	if text == nil {
		return C.mtoken_text{}
	}
	return cGivenText(*text)
}

func cGivenText(text string) C.mtoken_text {
	data := *(*unsafe.Pointer)(unsafe.Pointer(&text))
	if data == nil {
		data = unsafe.Pointer(&nothing)
	}
	return C.mtoken_text{data: (*C.char)(data), length: C.size_t(len(text))}
}

// cBytes are bytes as they were given. Only nil is "not given": an empty PIN must not count as none, as the device would sign alone.
func cBytes(bytes []byte) C.mtoken_bytes {
	if bytes == nil {
		return C.mtoken_bytes{}
	}
	if len(bytes) == 0 {
		return C.mtoken_bytes{data: (*C.uint8_t)(unsafe.Pointer(&nothing))}
	}
	return C.mtoken_bytes{data: (*C.uint8_t)(unsafe.Pointer(&bytes[0])), length: C.size_t(len(bytes))}
}

func cBool(value bool) C.mtoken_bool {
	if value {
		return 1
	}
	return 0
}

// sinceEpoch is 0 for the zero time: not given.
func sinceEpoch(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

// milliseconds and seconds are at least one unit for what is given, and no more than C's type holds, so that too much is refused.
func milliseconds(d time.Duration, most int64) int64 { return units(d, time.Millisecond, most) }

func seconds(d time.Duration, most int64) int64 { return units(d, time.Second, most) }

func units(d, unit time.Duration, most int64) int64 {
	switch n := int64(d / unit); {
	case n > most:
		return most
	case n < -most:
		return -most
	case n == 0 && d > 0:
		return 1
	case n == 0 && d < 0:
		return -1
	default:
		return n
	}
}

// moment is the zero time for 0: there is none.
func moment(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms)
}

// duration and ofSeconds hold what a duration can, 292 years.
func duration(ms int64) time.Duration { return times(ms, time.Millisecond) }

func ofSeconds(s int64) time.Duration { return times(s, time.Second) }

func times(n int64, unit time.Duration) time.Duration {
	switch {
	case n > math.MaxInt64/int64(unit):
		return math.MaxInt64
	case n < math.MinInt64/int64(unit):
		return math.MinInt64
	default:
		return time.Duration(n) * unit
	}
}

// Values from the library: the getters of a struct, which have entered its life, end with one of these.

func kept[T any](value T, l *life) T {
	l.leave()
	return value
}

func text(p *C.char, l *life) string {
	copied := C.GoString(p)
	l.leave()
	return copied
}

func textN(p *C.char, length C.size_t, l *life) string {
	copied := string(unsafe.Slice((*byte)(unsafe.Pointer(p)), int(length)))
	l.leave()
	return copied
}

func optional(p *C.char, l *life) (string, bool) {
	return text(p, l), p != nil
}

func optionalN(p *C.char, length C.size_t, l *life) (string, bool) {
	return textN(p, length, l), p != nil
}

func bytes(p *C.uint8_t, length C.size_t, l *life) []byte {
	copied := append([]byte(nil), unsafe.Slice((*byte)(unsafe.Pointer(p)), int(length))...)
	l.leave()
	return copied
}

func texts(p **C.char, count C.size_t, l *life) []string {
	copied := make([]string, 0, int(count))
	for _, item := range unsafe.Slice(p, int(count)) {
		copied = append(copied, C.GoString(item))
	}
	l.leave()
	return copied
}

func views[T, V any](p **T, count C.size_t, l *life, view func(*T, *life) *V) []*V {
	found := make([]*V, 0, int(count))
	for _, item := range unsafe.Slice(p, int(count)) {
		found = append(found, view(item, l))
	}
	l.leave()
	return found
}

// readBytes copies bytes that live in something else.
func readBytes(p unsafe.Pointer, l *life) []byte {
	if p == nil {
		return nil
	}
	found := (*C.mtoken_bytes)(p)
	return bytes(found.data, found.length, l)
}

// takeBytes copies bytes that are the caller's, and frees them.
func takeBytes(p unsafe.Pointer) []byte {
	defer C.mtoken_bytes_free((*C.mtoken_bytes)(p))
	return readBytes(p, nil)
}

func takeText(p unsafe.Pointer) string {
	if p == nil {
		return ""
	}
	found := (*C.mtoken_text)(p)
	defer C.mtoken_text_free(found)
	return textN(found.data, found.length, nil)
}

// newError copies an error and frees it.
func newError(status C.mtoken_status, e *C.mtoken_error) error {
	if e == nil {
		return statusError(status)
	}
	defer C.mtoken_error_free(e)
	return readError(e, nil)
}

func statusError(status C.mtoken_status) error {
	if status == C.MTOKEN_OK {
		return nil
	}
	code := ErrorCode(status)
	return &Error{Code: code, Reason: "noDetails", Message: ErrorDescription(code), ByteOffset: -1, RemainingAttempts: -1, RetryAfter: -time.Millisecond}
}

// Wipe overwrites a secret that is no longer needed.
func Wipe(secret []byte) {
	if len(secret) > 0 {
		C.go_wipe(unsafe.Pointer(&secret[0]), C.size_t(len(secret)))
	}
}

func (o *Watch) c(a *arena) (r C.mtoken_watched) {
	r.id, r.expires = a.cString(o.ID), C.int64_t(sinceEpoch(o.Expires))
	if o.OperationData != "" {
		r.operation_data = a.cString(o.OperationData)
	}
	return
}

// cString is a text that ends at its NUL. One inside would hide the rest from the library: it is made bad UTF-8, which is refused.
func (a *arena) cString(text string) *C.char {
	block := (*[1 << 30]byte)(a.room(len(text) + 1))[: len(text)+1 : len(text)+1]
	copy(block, text)
	for i := range text {
		if text[i] == 0 {
			block[i] = 0xff
		}
	}
	return (*C.char)(unsafe.Pointer(&block[0]))
}
