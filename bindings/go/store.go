// SPDX-License-Identifier: Apache-2.0

//go:build linux && cgo

package mtoken

/*
#include "shims.h"

extern mtoken_status mtokenGoLoad(uintptr_t, char *, mtoken_store_reply *);
extern mtoken_status mtokenGoSave(uintptr_t, char *, uint8_t *, size_t);
extern mtoken_status mtokenGoRemove(uintptr_t, char *);
extern void mtokenGoRelease(uintptr_t);
extern mtoken_status mtokenGoList(uintptr_t, mtoken_store_names *);

// The context is a number of Go's: there it must not be in the place of a pointer.
static mtoken_status go_load(void *context, const char *name, mtoken_store_reply *reply)
{
    return mtokenGoLoad((uintptr_t)context, (char *)name, reply);
}

static mtoken_status go_save(void *context, const char *name, const uint8_t *data, size_t length)
{
    return mtokenGoSave((uintptr_t)context, (char *)name, (uint8_t *)data, length);
}

static mtoken_status go_remove(void *context, const char *name) { return mtokenGoRemove((uintptr_t)context, (char *)name); }

static mtoken_status go_list(void *context, mtoken_store_names *names) { return mtokenGoList((uintptr_t)context, names); }

static void go_release(void *context) { mtokenGoRelease((uintptr_t)context); }

static inline go_result go_store_host_new(uintptr_t context)
{
    go_result r = {0};
    mtoken_store *store = 0;
    mtoken_host_store host = MTOKEN_HOST_STORE_INIT;
    host.context = (void *)context;
    host.load = go_load;
    host.save = go_save;
    host.remove = go_remove;
    host.release = go_release;
    host.list = go_list;
    r.status = mtoken_store_host_new(&host, &store, &r.error);
    r.handle_a = (uintptr_t)store;
    return r;
}
*/
import "C"

import (
	"errors"
	"runtime/cgo"
	"unsafe"
)

// NewStoreHost makes a store of the program's own.
func NewStoreHost(host HostStore) (*Store, error) {
	kept := cgo.NewHandle(host)
	r := C.go_store_host_new(C.uintptr_t(kept))
	if r.status != C.MTOKEN_OK {
		kept.Delete()
		return nil, newError(r.status, r.error)
	}
	return &Store{newLife(r.handle_a, freeStore, nil)}, nil
}

func hostOf(context C.uintptr_t) HostStore {
	return cgo.Handle(context).Value().(HostStore)
}

// guarded runs a method of the host. A panic in it, also one with nil, must not cross C: it counts as a failed call.
func guarded(call func() error) (status C.mtoken_status) {
	status = C.MTOKEN_ERROR_STORAGE
	defer func() { _ = recover() }()
	err := call()
	if err == nil {
		return C.MTOKEN_OK
	}
	var code ErrorCode
	if errors.As(err, &code) && code != 0 {
		return C.mtoken_status(code)
	}
	return C.MTOKEN_ERROR_STORAGE
}

//export mtokenGoLoad
func mtokenGoLoad(context C.uintptr_t, name *C.char, reply *C.mtoken_store_reply) C.mtoken_status {
	return guarded(func() error {
		item, err := hostOf(context).Load(C.GoString(name))
		if err != nil {
			return err
		}
		given := cBytes(item)
		return statusError(C.mtoken_store_reply_set(reply, given.data, given.length))
	})
}

//export mtokenGoSave
func mtokenGoSave(context C.uintptr_t, name *C.char, data *C.uint8_t, length C.size_t) C.mtoken_status {
	return guarded(func() error {
		return hostOf(context).Save(C.GoString(name), unsafe.Slice((*byte)(unsafe.Pointer(data)), int(length)))
	})
}

//export mtokenGoRemove
func mtokenGoRemove(context C.uintptr_t, name *C.char) C.mtoken_status {
	return guarded(func() error { return hostOf(context).Remove(C.GoString(name)) })
}

//export mtokenGoRelease
func mtokenGoRelease(context C.uintptr_t) {
	cgo.Handle(context).Delete()
}

//export mtokenGoList
func mtokenGoList(context C.uintptr_t, names *C.mtoken_store_names) C.mtoken_status {
	return guarded(func() error {
		found, err := hostOf(context).List()
		for _, name := range found {
			given := cGivenText(name)
			if status := C.mtoken_store_names_add(names, given.data, given.length); status != C.MTOKEN_OK {
				return statusError(status)
			}
		}
		return err
	})
}
