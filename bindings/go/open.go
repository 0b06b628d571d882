// SPDX-License-Identifier: Apache-2.0

//go:build linux && cgo

package mtoken

// Open returns a client with a runtime of its own, which Close closes too, and its state in a folder, which is created if missing.
func Open(folder string, options *ClientOptions) (*Client, error) {
	if options == nil {
		options = &ClientOptions{}
	}
	given := *options
	store, err := NewStoreDirectory(folder)
	if err != nil {
		return nil, err
	}
	defer store.Close() // the client keeps what it needs of both
	rt, err := NewRuntime(nil)
	if err != nil {
		return nil, err
	}
	given.Store = store
	client, err := NewClient(rt, &given)
	if err != nil {
		rt.Close()
		return nil, err
	}
	client.life.owns = rt.life
	return client, nil
}

// Runtime returns the runtime that the client was made with.
func (client *Client) Runtime() *Runtime {
	l := client.lives()
	for l != nil && !l.ownsLoop {
		l = l.keeps
	}
	return &Runtime{l}
}
