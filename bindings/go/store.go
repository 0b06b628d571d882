//go:build linux && cgo

package mtoken

/*
#include "shims.h"

extern mtoken_status mtokenGoLoad(void *, char *, mtoken_store_reply *);
extern mtoken_status mtokenGoSave(void *, char *, uint8_t *, size_t);
extern mtoken_status mtokenGoRemove(void *, char *);
extern void mtokenGoRelease(void *);
extern mtoken_status mtokenGoList(void *, mtoken_store_names *);

static inline go_result go_store_host_new(uintptr_t context)
{
    go_result r = {0};
    mtoken_store *store = 0;
    mtoken_host_store host = MTOKEN_HOST_STORE_INIT;
    host.context = (void *)context;
    host.load = (mtoken_status (*)(void *, const char *, mtoken_store_reply *))mtokenGoLoad;
    host.save = (mtoken_status (*)(void *, const char *, const uint8_t *, size_t))mtokenGoSave;
    host.remove = (mtoken_status (*)(void *, const char *))mtokenGoRemove;
    host.release = mtokenGoRelease;
    host.list = mtokenGoList;
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

// NewStoreHost makes a store of the program's own. [mtoken_store_host_new]
func NewStoreHost(host HostStore) (*Store, error) {
	kept := cgo.NewHandle(host)
	r := C.go_store_host_new(C.uintptr_t(kept))
	if r.status != C.MTOKEN_OK {
		kept.Delete()
		return nil, newError(r.status, r.error)
	}
	return &Store{newLife(r.handle_a, freeStore, nil)}, nil
}

func hostOf(context unsafe.Pointer) HostStore {
	return cgo.Handle(uintptr(context)).Value().(HostStore)
}

// guarded runs a method of the host. A panic in it must not cross C: it counts as a failed call.
func guarded(call func() error) (status C.mtoken_status) {
	defer func() {
		if recover() != nil {
			status = C.MTOKEN_ERROR_STORAGE
		}
	}()
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
func mtokenGoLoad(context unsafe.Pointer, name *C.char, reply *C.mtoken_store_reply) C.mtoken_status {
	return guarded(func() error {
		item, err := hostOf(context).Load(C.GoString(name))
		if err != nil {
			return err
		}
		given := cGivenBytes(item)
		return statusError(C.mtoken_store_reply_set(reply, given.data, given.length))
	})
}

//export mtokenGoSave
func mtokenGoSave(context unsafe.Pointer, name *C.char, data *C.uint8_t, length C.size_t) C.mtoken_status {
	return guarded(func() error {
		return hostOf(context).Save(C.GoString(name), unsafe.Slice((*byte)(unsafe.Pointer(data)), int(length)))
	})
}

//export mtokenGoRemove
func mtokenGoRemove(context unsafe.Pointer, name *C.char) C.mtoken_status {
	return guarded(func() error { return hostOf(context).Remove(C.GoString(name)) })
}

//export mtokenGoRelease
func mtokenGoRelease(context unsafe.Pointer) {
	cgo.Handle(uintptr(context)).Delete()
}

//export mtokenGoList
func mtokenGoList(context unsafe.Pointer, names *C.mtoken_store_names) C.mtoken_status {
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
