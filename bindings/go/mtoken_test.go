// SPDX-License-Identifier: Apache-2.0

//go:build linux && cgo

package mtoken

import (
	"context"
	"encoding/base64"
	"encoding/gob"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"
)

const payload = "5ff1b1ed-a3cc-45a3-8ab0-ed60950312b6\nPayment\nPlease confirm this payment\n" +
	"A1*A100CZK*ICZ2730300000001165254011*D20180425*Thello world\nBCFX\nAD8bOO0Df73kNaIGb3Vmpg==\n0MEYCIQDby1Uq+MaxiAAGzKmE/McHzNOU" +
	"rvAP2qqGBvSgcdtyjgIhAMo1sgqNa1pPZTFBhhKvCKFLGDuHuTTYexdmHFjUUIJW"

func made[T any](t testing.TB) func(T, error) T {
	return func(value T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

// clock is a server that only tells the time, after a while.
func clock(t testing.TB, wait <-chan struct{}) string {
	ended := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-wait:
		case <-ended:
			return
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"status":"OK","responseObject":{"serverTime":%d}}`, time.Now().UnixMilli())
	}))
	t.Cleanup(func() {
		close(ended)
		server.Close()
	})
	return server.URL
}

func open() <-chan struct{} {
	opened := make(chan struct{})
	close(opened)
	return opened
}

func newClient(t testing.TB, rt *Runtime, url string) *Client {
	store := made[*Store](t)(NewStoreMemory())
	options := &ClientOptions{ID: "alice", BaseURL: url, Configuration: configuration(t), Store: store, AllowHTTP: true}
	return made[*Client](t)(NewClient(rt, options))
}

// configuration is one of an application that no server knows.
func configuration(t testing.TB) string {
	keys := made[[]byte](t)(func() ([]byte, error) { _, public, err := KeyPairNew(); return public, err }())
	text := []byte{1}
	for _, part := range [][]byte{make([]byte, 16), make([]byte, 16)} {
		text = append(append(text, byte(len(part))), part...)
	}
	text = append(text, 1, 1, byte(len(keys)))
	return base64.StdEncoding.EncodeToString(append(text, keys...))
}

func TestErrors(t *testing.T) {
	_, err := QROperationParse("nonsense", nil)
	var failure *Error
	if !errors.As(err, &failure) || failure.Code != ErrorCodeParse || failure.ByteOffset != 8 || failure.Line != 1 {
		t.Fatalf("%v", err)
	}
	if !errors.Is(err, ErrorCodeParse) || errors.Is(err, ErrorCodeState) || errors.Is(err, context.Canceled) {
		t.Fatal("errors.Is")
	}
	if !strings.HasPrefix(err.Error(), "mtoken.ErrorCodeParse (tooFewLines), line 1, byte 8: ") {
		t.Fatal(err.Error())
	}
	if ErrorCode(4711).Error() != "mtoken.ErrorCode(4711)" {
		t.Fatal("an unknown code has no name")
	}
}

func TestUnsuitable(t *testing.T) {
	if problem := unsuitable(1, 10000); problem != "" {
		t.Fatal(problem)
	}
	if unsuitable(1, 990000) != "" {
		t.Fatal("a newer library is fine")
	}
	for _, found := range [][2]uint32{{2, 10000}, {1, 9999}} {
		problem := unsuitable(found[0], found[1])
		for _, said := range []string{"libmtoken.so.1", "at least version 10000", "libmtoken1"} {
			if !strings.Contains(problem, said) {
				t.Fatal(problem)
			}
		}
	}
}

func TestFreed(t *testing.T) {
	rt := made[*Runtime](t)(NewRuntime(nil))
	client := newClient(t, rt, clock(t, open()))
	if err := client.SynchronizeTime(context.Background()); err != nil {
		t.Fatal(err)
	}
	task := made[*Task](t)(client.StartSynchronizeTime())
	for _, object := range []interface{ Close() error }{client, rt, task} {
		for i := 0; i < 2; i++ {
			if err := object.Close(); err != nil {
				t.Fatal(err)
			}
		}
	}
	ctx := context.Background()
	_, listed := client.OperationsList(ctx)
	_, made := NewClient(rt, &ClientOptions{})
	_, info := client.GetInfo()
	for i, err := range []error{listed, made, info, task.Wait(ctx), task.Cancel()} {
		if !errors.Is(err, ErrorCodeHandle) {
			t.Fatal(i, err)
		}
	}
	if _, err := rt.NextEvent(ctx); !errors.Is(err, ErrorCodeHandle) {
		t.Fatal(err)
	}
	if task.Operations() != nil || client.PushIsRegistered() {
		t.Fatal("what was freed knows something")
	}
}

func TestNothing(t *testing.T) {
	ctx := context.Background()
	var client *Client
	var task *Task
	_, listed := client.OperationsList(ctx)
	_, zero := (&Client{}).OperationsList(ctx)
	_, none := NewClient(nil, nil)
	_, event := (*Runtime)(nil).NextEvent(ctx)
	for i, err := range []error{listed, zero, none, event, task.Cancel(), (&Task{}).Wait(ctx)} {
		if !errors.Is(err, ErrorCodeHandle) {
			t.Fatal(i, err)
		}
	}
	if PACMatches(nil, nil) || PACFind(nil, nil) != nil {
		t.Fatal("nothing matches nothing")
	}
	rt := made[*Runtime](t)(NewRuntime(nil))
	if _, err := NewClient(rt, nil); !errors.Is(err, ErrorCodeArgument) {
		t.Fatal(err)
	}
	if err := newClient(t, rt, "http://127.0.0.1:1").OperationsAuthorize(ctx, nil, nil, nil); !errors.Is(err, ErrorCodeArgument) {
		t.Fatal(err)
	}
	for _, bad := range []string{"\xff", "a\x00b"} {
		if _, err := QROperationParse(bad, nil); !errors.Is(err, ErrorCodeArgument) {
			t.Fatalf("%q: %v", bad, err)
		}
	}
}

// provider publishes the document of an OpenID provider.
func provider(t testing.TB) *OIDCOptions {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"issuer":"http://%s","authorization_endpoint":"http://%s/login","response_types_supported":["code"]}`, r.Host, r.Host)
	}))
	t.Cleanup(server.Close)
	return &OIDCOptions{Issuer: server.URL, ProviderID: "idp", ClientID: "bank", Scopes: "openid", RedirectURI: "app:/done", AllowHTTP: true}
}

// overwritten makes that memory which was freed is used again.
func overwritten(t testing.TB) {
	for i := 0; i < 2000; i++ {
		made[*QROperation](t)(QROperationParse(payload, nil))
	}
}

// What was closed keeps what it has lent until nothing refers to that any more.
func TestLent(t *testing.T) {
	rt := made[*Runtime](t)(NewRuntime(nil))
	client := newClient(t, rt, clock(t, open()))
	options := provider(t)
	task := made[*Task](t)(client.StartOIDCDiscover(options))
	if err := task.Wait(context.Background()); err != nil {
		t.Fatal(err)
	}
	config := task.OIDCConfig()
	options.Config, options.Issuer = config, ""
	request := made[*OIDCRequest](t)(NewOIDCRequest(options))
	authorization := request.GetAuthorization()
	uri := authorization.AuthorizeURL()
	for _, closer := range []interface{ Close() error }{task, task, request, request} {
		closer.Close()
	}
	overwritten(t)
	if authorization.AuthorizeURL() != uri || config.ProviderID() != "idp" || config.Scopes() != "openid" {
		t.Fatalf("freed memory was read: %q, %q", authorization.AuthorizeURL(), config.ProviderID())
	}
	if _, err := NewOIDCRequest(options); err != nil {
		t.Fatal("what was lent cannot be given to a call:", err)
	}
	if task.OIDCConfig() != nil || request.GetAuthorization() != nil || !errors.Is(task.Cancel(), ErrorCodeHandle) {
		t.Fatal("what was closed still answers")
	}
}

// Close and a call that lends, at the same time: what the call gives can be read.
func TestCloseWhileLending(t *testing.T) {
	options := provider(t)
	options.AuthorizeURI = options.Issuer + "/login"
	for i := 0; i < 500; i++ {
		request := made[*OIDCRequest](t)(NewOIDCRequest(options))
		begin := make(chan struct{})
		closed := make(chan struct{})
		go func() {
			<-begin
			request.Close()
			close(closed)
		}()
		close(begin)
		authorization := request.GetAuthorization()
		<-closed
		if authorization != nil && !strings.HasPrefix(authorization.AuthorizeURL(), options.AuthorizeURI) {
			t.Fatal(authorization.AuthorizeURL())
		}
	}
}

func panics(read func()) (said string) {
	defer func() { said, _ = recover().(string) }()
	read()
	return
}

// A result that was closed, and what is part of it, is not read any more; the others are.
func TestClosedResults(t *testing.T) {
	rt := made[*Runtime](t)(NewRuntime(nil))
	client := newClient(t, rt, "http://127.0.0.1:1")
	for i := 0; i < 8; i++ { // of more than a batch, wherever in it the one to close is
		var operations []*QROperation
		for len(operations) < 8 {
			operations = append(operations, made[*QROperation](t)(QROperationParse(payload, nil)))
		}
		one := operations[i]
		fields := one.SignedFields()
		field := fields.Fields()[0]
		if err := fields.Close(); err != nil { // it is freed with the operation, not by itself
			t.Fatal(err)
		}
		if amount, _ := field.Value(); amount != "100" {
			t.Fatal(amount)
		}
		for k := 0; k < 2; k++ {
			if err := one.Close(); err != nil {
				t.Fatal(err)
			}
		}
		overwritten(t)
		for k, read := range []func(){
			func() { one.Title() },
			func() { one.SignedLength() },
			func() { one.NonceBytes() },
			func() { one.Payload() },
			func() { one.Extras() },
			func() { one.TOTP() },
			func() { one.SignedFields() },
			func() { fields.Fields() },
			func() { fields.Text() },
			func() { field.Value() },
			func() { _, _ = client.QRAuthorize(one, &Auth{PIN: []byte("1234")}, nil) },
			func() { _, _ = client.StartOperationsAuthorize(&Operation{view{life: one.life}}, nil, nil) },
		} {
			if said := panics(read); !strings.Contains(said, "closed") {
				t.Fatal(k, said)
			}
		}
		if len(client.places) != 0 {
			t.Fatal("a call that panicked has kept its place")
		}
		one.Close()
		for k, operation := range operations {
			if k != i && operation.Title() != "Payment" {
				t.Fatal(i, k, operation.Title())
			}
		}
	}
	var none *QROperation
	if none.Close() != nil {
		t.Fatal("there is nothing to close")
	}
}

// Close and readers, at the same time: what was begun to be read is read.
func TestCloseWhileReading(t *testing.T) {
	for i := 0; i < 500; i++ {
		operation := made[*QROperation](t)(QROperationParse(payload, nil))
		field := operation.SignedFields().Fields()[0]
		begin := make(chan struct{})
		var all sync.WaitGroup
		for _, part := range []func(){
			func() { operation.Close() },
			func() { operation.Close() },
			func() {
				if title := operation.Title(); title != "Payment" {
					t.Error(title)
				}
			},
			func() {
				if amount, _ := field.Value(); amount != "100" {
					t.Error(amount)
				}
			},
		} {
			all.Add(1)
			go func(part func()) {
				defer all.Done()
				<-begin
				if said := panics(part); said != "" && !strings.Contains(said, "closed") {
					t.Error(said)
				}
			}(part)
		}
		close(begin)
		all.Wait()
	}
}

// An empty PIN is one that is too short, not none.
func TestEmptyIsGiven(t *testing.T) {
	if given := (&Auth{PIN: []byte{}, BiometryKey: []byte{}}).c(); given.pin.data == nil || given.biometry_key.data == nil {
		t.Fatal("an empty PIN counts as none: the device alone would sign")
	}
	if given := (&Auth{}).c(); given.pin.data != nil || given.biometry_key.data != nil {
		t.Fatal("nil is not given")
	}
	nobody := ""
	if given := (&ClientOptions{UserAgent: &nobody}).c(&arena{}); given.user_agent.data == nil || (&ClientOptions{}).c(&arena{}).user_agent.data != nil {
		t.Fatal("no user agent cannot be said")
	}
}

// A context that has ended starts nothing: a call would be refused with HANDLE.
func TestEndedContext(t *testing.T) {
	ended, stop := context.WithCancel(context.Background())
	stop()
	var client *Client
	_, listed := client.OperationsList(ended)
	_, turn := client.TakeTurn(ended)
	for i, err := range []error{listed, turn, client.OperationsAuthorize(ended, nil, nil, nil)} {
		var failure *Error
		if !errors.Is(err, context.Canceled) || !errors.As(err, &failure) || failure.Code != ErrorCodeCancelled || failure.Outcome != OutcomeNotSent {
			t.Fatal(i, err)
		}
	}
}

// A context that is none panics before anything is started. Other odd arguments of each call: Tests/conformance/odd.py; Go's types take no
// NaN, infinity or text where a number is wanted, and limits are the contexts'.
func TestNoContext(t *testing.T) {
	var heard atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { heard.Add(1) }))
	defer server.Close()
	rt := made[*Runtime](t)(NewRuntime(nil))
	defer rt.Close()
	client := newClient(t, rt, server.URL)
	defer client.Close()
	func() {
		defer func() {
			if recover() == nil {
				t.Fatal("nothing was refused")
			}
		}()
		_ = client.SynchronizeTime(nil) //lint:ignore SA1012 that is what is tried
	}()
	if info := made[*RuntimeInfo](t)(rt.GetInfo()); info.TasksRunning() != 0 || heard.Load() != 0 {
		t.Fatal("a call was started")
	}
}

// An error that lies in something else knows as much as one that is returned.
func TestNestedError(t *testing.T) {
	var a arena
	defer a.free()
	found := (*_Ctype_struct_mtoken_error)(a.room(int(unsafe.Sizeof(_Ctype_struct_mtoken_error{}))))
	found.code, found.reason = _Ctype_int(ErrorCodeServer), a.cString("operations_alreadyFinished")
	found.server_code, found.server_code_number = a.cString("OPERATION_ALREADY_FINISHED"), _Ctype_int(ServerCodeOperationAlreadyFinished)
	if !readError(found, nil).IsOperationOver() {
		t.Fatal("the operation is not over")
	}
}

func TestContextEndsCall(t *testing.T) {
	rt := made[*Runtime](t)(NewRuntime(nil))
	client := newClient(t, rt, clock(t, make(chan struct{})))
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Millisecond)
	defer cancel()
	err := client.SynchronizeTime(ctx)
	var failure *Error
	if !errors.Is(err, context.DeadlineExceeded) || !errors.As(err, &failure) || failure.Code != ErrorCodeCancelled {
		t.Fatalf("%#v", err)
	}
	task := made[*Task](t)(client.StartSynchronizeTime())
	ended, stop := context.WithCancel(context.Background())
	stop()
	if err := task.Wait(ended); !errors.Is(err, ErrorCodeTimeout) || !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if task.State() != TaskStateRunning {
		t.Fatal("the wait has ended the task")
	}
	waited := make(chan error)
	go func() { waited <- task.Wait(context.Background()) }()
	if err := task.Cancel(); err != nil {
		t.Fatal(err)
	}
	if err := <-waited; !errors.Is(err, ErrorCodeCancelled) || errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	last := made[*Task](t)(client.StartSynchronizeTime())
	go func() { waited <- last.Wait(context.Background()) }()
	rt.Close()
	if err := <-waited; !errors.Is(err, ErrorCodeCancelled) {
		t.Fatal(err)
	}
}

// However a runtime ends, the calls of its clients that are under way end as cancelled.
func TestCloseWhileCalling(t *testing.T) {
	url := clock(t, make(chan struct{}))
	for round := 0; round < 100; round++ {
		rt := made[*Runtime](t)(NewRuntime(nil))
		client := newClient(t, rt, url)
		ended := make(chan error)
		for i := 0; i < 16; i++ {
			task := made[*Task](t)(client.StartSynchronizeTime())
			go func() { ended <- task.Wait(context.Background()) }()
		}
		if round%3 > 0 {
			runtime.Gosched()
		}
		if round%2 == 0 {
			client.Close()
		}
		rt.Close()
		for i := 0; i < 16; i++ {
			if err := <-ended; !errors.Is(err, ErrorCodeCancelled) {
				t.Fatal("round", round, err)
			}
		}
	}
}

func TestEvents(t *testing.T) {
	rt := made[*Runtime](t)(NewRuntime(&RuntimeOptions{Events: EventsTasks}))
	client := newClient(t, rt, clock(t, open()))
	ctx, cancel := context.WithCancel(context.Background())
	events := rt.Events(ctx)
	task := made[*Task](t)(client.StartSynchronizeTime())
	if err := task.Notify(7); err != nil {
		t.Fatal(err)
	}
	if err := task.Notify(ownTags); err == nil {
		t.Fatal("a tag of the package's own")
	}
	for {
		event := <-events
		if event.Kind() != EventKindTask || !event.IsFrom(client) || event.IsFrom(nil) || event.TakeChallenge() != nil {
			t.Fatal(event.Kind())
		}
		if event.Tag() == 7 {
			if !event.IsOf(task) || time.Since(event.Time()) > time.Minute {
				t.Fatal(event.Tag())
			}
			break
		}
	}
	cancel()
	for range events { // until it is closed
	}
}

// An event that nobody has received when the context ends stays.
func TestEventStays(t *testing.T) {
	for i := 0; i < 30; i++ {
		rt := made[*Runtime](t)(NewRuntime(nil))
		ctx, cancel := context.WithCancel(context.Background())
		l := rt.life.loop
		waiting := func() int {
			l.mutex.Lock()
			defer l.mutex.Unlock()
			return len(l.events)
		}
		l.events = []*Event{{}}
		events := rt.Events(ctx)
		for waiting() > 0 {
			runtime.Gosched()
		}
		cancel()
		received := 0
		for range events {
			received++
		}
		if received+waiting() != 1 {
			t.Fatal("the event is lost")
		}
		rt.Close()
	}
}

// The number of a descriptor that was closed belongs to somebody else: once Close has begun, none is copied.
func TestStartAfterClose(t *testing.T) {
	rt := made[*Runtime](t)(NewRuntime(nil))
	l := rt.life.loop
	l.stop()
	l.start()
	if l.file != nil {
		t.Fatal("a descriptor was copied")
	}
	rt.Close()
	<-l.ended
}

// What is unshared has a request of its own. 20 goroutines, 200 calls each, one client, and garbage collection all the time.
func TestGoroutines(t *testing.T) {
	rt := made[*Runtime](t)(NewRuntime(nil))
	client := newClient(t, rt, clock(t, open()))
	done := make(chan struct{})
	go func() {
		for {
			select {
			case <-done:
				return
			default:
				runtime.GC()
			}
		}
	}()
	var wait sync.WaitGroup
	var failed atomic.Value
	for i := 0; i < 20; i++ {
		wait.Add(1)
		go func() {
			defer wait.Done()
			own, err := client.WithOptions(&CallOptions{Timeout: 20 * time.Second})
			for n := 0; n < 200 && err == nil; n++ {
				err = own.SynchronizeTime(context.Background())
			}
			if err != nil {
				failed.Store(err)
			}
		}()
	}
	wait.Wait()
	close(done)
	if err := failed.Load(); err != nil {
		t.Fatal(err)
	}
	info := made[*ClientInfo](t)(client.GetInfo())
	if !info.TimeSynchronized() {
		t.Fatal("the time is not known")
	}
}

func threads(t *testing.T) int {
	found := made[[]os.DirEntry](t)(os.ReadDir("/proc/self/task"))
	return len(found)
}

// A thousand calls under way hold no thread each.
func TestThreads(t *testing.T) {
	wait := make(chan struct{})
	rt := made[*Runtime](t)(NewRuntime(&RuntimeOptions{MaxTransfers: 64}))
	client := newClient(t, rt, clock(t, wait))
	own := made[*Client](t)(client.WithOptions(&CallOptions{Timeout: time.Minute}))
	before := threads(t)
	results := make(chan error, 1000)
	for i := 0; i < cap(results); i++ {
		go func() { results <- own.SynchronizeTime(context.Background()) }()
	}
	for {
		info := made[*RuntimeInfo](t)(rt.GetInfo())
		if info.TasksRunning() == cap(results) {
			break
		}
		runtime.Gosched()
	}
	close(wait)
	for i := 0; i < cap(results); i++ {
		if err := <-results; err != nil {
			t.Fatal(err)
		}
	}
	// Go's threads do not end: these are the most that there were. Go itself runs as many as it is allowed, and two that watch.
	if more := threads(t) - before; more > crossings+runtime.GOMAXPROCS(0)+2 {
		t.Fatalf("%d calls took %d threads", cap(results), more)
	}
}

// Objects are dropped in every order while calls are under way.
func TestGarbage(t *testing.T) {
	url := clock(t, open())
	for round := 0; round < 50; round++ {
		rt := made[*Runtime](t)(NewRuntime(nil))
		client := newClient(t, rt, url)
		task := made[*Task](t)(client.StartSynchronizeTime())
		operation := made[*QROperation](t)(QROperationParse(payload, nil))
		fields := operation.SignedFields().Fields()
		switch round % 5 {
		case 0:
			rt = nil
		case 1:
			client = nil
		case 2:
			task = nil
		case 3:
			rt.Close()
		case 4:
			client.Close()
		}
		operation = nil
		runtime.GC()
		runtime.GC()
		if amount, ok := fields[0].Value(); !ok || amount != "100" {
			t.Fatal(amount)
		}
		if task != nil && round%5 < 2 {
			if err := task.Wait(context.Background()); err != nil {
				t.Fatal(round, err)
			}
		}
		runtime.KeepAlive(rt)
		runtime.KeepAlive(client)
	}
}

func resident(t *testing.T) int {
	for i := 0; i < 3; i++ {
		runtime.GC()
		time.Sleep(20 * time.Millisecond) // finalizers run beside
	}
	return residentNow(t)
}

func residentNow(t *testing.T) int {
	var pages, size int
	text := made[[]byte](t)(os.ReadFile("/proc/self/statm"))
	fmt.Sscan(string(text), &size, &pages)
	return pages * os.Getpagesize()
}

func TestLeaks(t *testing.T) {
	if os.Getenv("MTOKEN_TEST_RACE") != "" {
		t.Skip("the race detector keeps memory of its own")
	}
	rt := made[*Runtime](t)(NewRuntime(nil))
	client := newClient(t, rt, "http://127.0.0.1:1")
	calls := func(count int) {
		for i := 0; i < count; i++ {
			operation, err := QROperationParse(payload, nil)
			if err != nil || operation.Title() != "Payment" {
				t.Fatal(err)
			}
			if i%3 == 0 {
				operation.Close()
			}
			if _, err := QROperationParse("nonsense", nil); err == nil {
				t.Fatal("no error")
			}
			if _, err := client.Sign(nil, &Auth{PIN: []byte("1234")}); err == nil {
				t.Fatal("no error")
			}
			if i%1000 == 0 {
				runtime.GC() // so that no heap has to grow
			}
			if i%100 == 0 {
				newClient(t, rt, "http://127.0.0.1:1")
			}
		}
	}
	calls(10_000) // the heaps of both sides find their size
	least := 1 << 40
	for i := 0; i < 3; i++ {
		before := resident(t)
		calls(10_000)
		if grown := resident(t) - before; grown < least {
			least = grown
		}
	}
	if least > 2<<20 {
		t.Fatalf("each 10,000 calls have left %d bytes or more", least)
	}
	if clients := made[*RuntimeInfo](t)(rt.GetInfo()).Clients(); clients > 20 {
		t.Fatalf("%d clients are left", clients)
	}
	runtime.KeepAlive(client)
}

// memory is a store of the program's own.
type memory struct {
	sync.Mutex
	items map[string][]byte
	fails error
	uses  func() error
	found error
}

func (m *memory) Load(name string) ([]byte, error) {
	m.Lock()
	defer m.Unlock()
	item, found := m.items[name]
	if !found {
		return nil, ErrorCodeNotFound
	}
	return item, m.fails
}

func (m *memory) Save(name string, item []byte) error {
	m.Lock()
	defer m.Unlock()
	if m.fails != nil {
		return m.fails
	}
	m.items[name] = append([]byte(nil), item...)
	return nil
}

func (m *memory) Remove(name string) error {
	if m.uses != nil {
		m.found = m.uses()
	}
	m.Lock()
	defer m.Unlock()
	delete(m.items, name)
	return nil
}

func (m *memory) List() ([]string, error) {
	names := []string{}
	for name := range m.items {
		names = append(names, name)
	}
	if m.items == nil {
		panic("a defect of the host")
	}
	return names, m.fails
}

func TestHostStore(t *testing.T) {
	host := &memory{items: map[string][]byte{"alice.state": {1, 2, 3}, "bob.key": {4}}}
	store := made[*Store](t)(NewStoreHost(host))
	listed := made[*StoreList](t)(store.Clients())
	if names := listed.IDs(); len(names) != 2 || names[0] != "alice" {
		t.Fatal(names)
	}
	if err := store.Remove("alice"); err != nil || len(host.items) != 1 {
		t.Fatal(err, host.items)
	}
	host.fails = errors.New("no disk")
	if _, err := store.Clients(); !errors.Is(err, ErrorCodeStorage) {
		t.Fatal(err)
	}
	host.items = nil
	if _, err := store.Clients(); !errors.Is(err, ErrorCodeStorage) {
		t.Fatal(err)
	}
	if status := guarded(func() error { panic(nil) }); ErrorCode(status) != ErrorCodeStorage {
		t.Fatal("a panic with nil counts as success")
	}
}

// A function that uses the client that waits for it would wait for itself.
func TestHostStoreUsesItsClient(t *testing.T) {
	host := &memory{items: map[string][]byte{}}
	rt := made[*Runtime](t)(NewRuntime(nil))
	store := made[*Store](t)(NewStoreHost(host))
	options := &ClientOptions{ID: "alice", BaseURL: "https://127.0.0.1:1", Configuration: configuration(t), Store: store}
	client := made[*Client](t)(NewClient(rt, options))
	host.uses = client.RemoveLocal
	if err := client.RemoveLocal(); err != nil {
		t.Fatal(err)
	}
	var failure *Error
	if !errors.As(host.found, &failure) || failure.Code != ErrorCodeState || failure.Reason != "insideHostFunction" {
		t.Fatal(host.found)
	}
}

// A client that its store holds up delays no other.
func TestClientsWaitForThemselvesOnly(t *testing.T) {
	defer func(former time.Duration) { patience = former }(patience)
	patience = time.Hour
	rt := made[*Runtime](t)(NewRuntime(nil))
	defer rt.Close()
	first := newClient(t, rt, clock(t, open()))
	var all sync.WaitGroup
	for i := 0; i < crossings; i++ {
		first.places <- struct{}{} // as calls that are held up
		all.Add(1)
		go func() {
			defer all.Done()
			Check(first.SynchronizeTime(context.Background()))
		}()
	}
	Check(newClient(t, rt, clock(t, open())).SynchronizeTime(context.Background()))
	single := made[*Client](t)(first.WithOptions(&CallOptions{Timeout: time.Minute}))
	if single.places == nil || len(single.places) != crossings {
		t.Fatal("what a client makes has a queue of its own")
	}
	for i := 0; i < crossings; i++ {
		<-first.places
	}
	all.Wait()
}

// server is the development server, with a client of it that is activated.
func server(t *testing.T, rt *Runtime) (client *Client, admin func(path string, body string) map[string]interface{}) {
	python := "../../build/venv/bin/python"
	program := exec.Command(made[string](t)(filepath.Abs(python)), "-m", "mtoken_devserver", "--json", "--http-port", "0", "--exit-with-parent")
	program.Dir, program.Stderr = "../../tools/devserver", os.Stderr
	stdin := made[io.WriteCloser](t)(program.StdinPipe())
	stdout := made[io.ReadCloser](t)(program.StdoutPipe())
	Check(program.Start())
	t.Cleanup(func() {
		stdin.Close()
		_ = program.Wait()
	})
	var ready struct {
		URL, HTTPURL, CAFile string
		Application          struct{ SDKConfig string }
	}
	Check(json.NewDecoder(stdout).Decode(&ready))
	admin = func(path, body string) (answer map[string]interface{}) {
		response := made[*http.Response](t)(http.Post(ready.HTTPURL+"/admin"+path, "application/json", strings.NewReader(body)))
		defer response.Body.Close()
		Check(json.NewDecoder(response.Body).Decode(&answer))
		return
	}
	client = made[*Client](t)(NewClient(rt, &ClientOptions{ID: "alice", BaseURL: ready.URL, CAFile: ready.CAFile,
		Configuration: ready.Application.SDKConfig, Store: made[*Store](t)(NewStoreMemory())}))
	activation := admin("/activations", `{"userId": "alice", "commitPhase": "ON_KEY_EXCHANGE"}`)
	made[*Activation](t)(client.Activate(context.Background(), &ActivationOptions{Code: activation["activationQr"].(string)}))
	Check(client.Persist(&Auth{PIN: []byte("1234")}))
	return
}

// Lists of forty operations that nobody closes stay under 200 MB; one that is closed is freed at once, with what it has.
func TestMemoryOfLists(t *testing.T) {
	if os.Getenv("MTOKEN_TEST_RACE") != "" {
		t.Skip("the race detector keeps memory of its own")
	}
	rt := made[*Runtime](t)(NewRuntime(nil))
	defer rt.Close()
	client, admin := server(t, rt)
	for i := 0; i < 40; i++ {
		admin("/operations", `{"userId": "alice", "template": "authorize_payment",
			"parameters": {"amount": "12", "currency": "EUR", "iban": "CZ5508000000001234567899", "note": "Rent"}}`)
	}
	var lists, most int64
	var all sync.WaitGroup
	for i := 0; i < 20; i++ {
		all.Add(1)
		go func() {
			defer all.Done()
			for atomic.AddInt64(&lists, 1) <= 6000 {
				list, err := client.OperationsList(context.Background())
				if err != nil || len(list.Operations()) != 40 {
					t.Error(err)
					return
				}
				if now := int64(residentNow(t)); now > atomic.LoadInt64(&most) {
					atomic.StoreInt64(&most, now)
				}
			}
		}()
	}
	all.Wait()
	if most > 200e6 {
		t.Errorf("the process grew to %d bytes", most)
	}
	list := made[*OperationList](t)(client.OperationsList(context.Background()))
	one := list.Operations()[0]
	one.Close() // a part of the list
	title := one.Title()
	list.Close()
	for _, read := range []func(){
		func() { list.Operations() },
		func() { one.Title() },
		func() { _ = client.OperationsAuthorize(context.Background(), one, &Auth{PIN: []byte("1234")}, nil) },
	} {
		if said := panics(read); !strings.Contains(said, "closed") {
			t.Fatal(said, title)
		}
	}
}

// The process ends with calls under way.
func TestExit(t *testing.T) {
	if address := os.Getenv("MTOKEN_TEST_EXIT"); address != "" {
		rt := made[*Runtime](t)(NewRuntime(nil))
		client := newClient(t, rt, address)
		for i := 0; i < 20; i++ {
			go client.SynchronizeTime(context.Background())
		}
		for made[*RuntimeInfo](t)(rt.GetInfo()).TasksRunning() < 20 {
			runtime.Gosched()
		}
		os.Exit(0)
	}
	silent := made[net.Listener](t)(net.Listen("tcp", "127.0.0.1:0"))
	defer silent.Close()
	for i := 0; i < 5; i++ {
		program := exec.Command(os.Args[0], "-test.run=^TestExit$")
		program.Env = append(os.Environ(), "MTOKEN_TEST_EXIT=http://"+silent.Addr().String())
		if output, err := program.CombinedOutput(); err != nil {
			t.Fatal(err, string(output))
		}
	}
}

// secretOptions are all options with secrets that the description knows, filled with them.
func secretOptions(t *testing.T) (found []interface{}) {
	known := map[string]reflect.Type{}
	for _, item := range []interface{}{
		Auth{}, AuthorizeOptions{}, SealerOptions{}, IdentityAttribute{}, ActivationOptions{}, ClientOptions{}, QRBuildOptions{},
		PACBuildOptions{}, MobileAuthOptions{}, OIDCURLOptions{},
	} {
		known["mtoken"+strings.ToLower(reflect.TypeOf(item).Name())] = reflect.TypeOf(item)
	}
	var description struct {
		Structs []struct {
			Name, Kind string
			Members    []struct {
				Name   string
				Secret bool
			}
		}
	}
	Check(json.Unmarshal(made[[]byte](t)(os.ReadFile("../../build/generated/mtoken.abi.json")), &description))
	for _, described := range description.Structs {
		var filled reflect.Value
		for _, member := range described.Members {
			if described.Kind == "result" || !member.Secret {
				continue
			}
			if !filled.IsValid() {
				kind, is := known[strings.ReplaceAll(described.Name, "_", "")]
				if !is {
					t.Fatalf("%s has secrets, and is not tried here", described.Name)
				}
				filled = reflect.New(kind)
			}
			name := strings.ReplaceAll(member.Name, "_", "")
			field := filled.Elem().FieldByNameFunc(func(is string) bool { return strings.EqualFold(is, name) })
			if field.Kind() == reflect.String {
				field.SetString("8265")
			} else {
				field.SetBytes([]byte("8265"))
			}
		}
		if filled.IsValid() {
			found = append(found, filled.Interface(), filled.Elem().Interface())
		}
	}
	return
}

// No option with a secret shows it, by whatever means of the language, alone or inside something else.
func TestSecretsStayHidden(t *testing.T) {
	type holder struct{ Inner Auth }
	pin := []byte("8265")
	auth := Auth{PIN: pin, BiometryKey: pin}
	items := []interface{}{EncryptOptions{Auth: &auth}, []Auth{auth}, map[string]Auth{"a": auth}, holder{auth}}
	for _, item := range append(items, secretOptions(t)...) {
		var told strings.Builder
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%d", "%x", "%q"} {
			fmt.Fprintf(&told, verb+"\n", item)
		}
		for _, encode := range []func(io.Writer, interface{}) error{
			func(w io.Writer, v interface{}) error { return json.NewEncoder(w).Encode(v) },
			func(w io.Writer, v interface{}) error { return xml.NewEncoder(w).Encode(v) },
			func(w io.Writer, v interface{}) error { return gob.NewEncoder(w).Encode(v) },
		} {
			if encode(&told, item) == nil {
				t.Errorf("%T was serialized", item)
			}
		}
		log.New(&told, "", 0).Print(item)
		for _, secret := range []string{"8265", "[56 50 54 53]", "38323635", "ODI2NQ", "0x38, 0x32", "56, 50, 54, 53"} {
			if strings.Contains(told.String(), secret) {
				t.Errorf("%T shows %s:\n%s", item, secret, told.String())
			}
		}
	}
}

// Results and constants print, and are JSON, with what they hold; secrets are left out.
func TestResultsShowWhatTheyHold(t *testing.T) {
	operation := made[*QROperation](t)(QROperationParse(payload, &QROptions{KeepUnverified: true}))
	encoded := made[[]byte](t)(json.Marshal(operation))
	var members map[string]interface{}
	Check(json.Unmarshal(encoded, &members))
	fields, _ := members["SignedFields"].(map[string]interface{})
	if members["ID"] != operation.ID() || members["Verification"] != "VerifiedNotChecked" || fields["Fields"] == nil {
		t.Fatal(string(encoded))
	}
	for _, text := range []string{fmt.Sprint(operation), fmt.Sprintf("%+v", operation.SignedFields().Fields()[0]), string(encoded)} {
		if strings.Contains(text, "0xc") || strings.Contains(text, "Payload") {
			t.Fatal(text)
		}
	}
	if printed := fmt.Sprint(operation); printed != "QROperation"+string(encoded) {
		t.Fatal(printed)
	}
	if names := fmt.Sprint(OutcomeUnknown, Outcome(9), FactorPossession|FactorKnowledge, Factor(9), EventsNone); names !=
		"OutcomeUnknown Outcome(9) FactorPossession|FactorKnowledge FactorPossession|Factor(8) EventsNone" {
		t.Fatal(names)
	}
	_, err := QROperationParse("nonsense", nil)
	if text := string(made[[]byte](t)(json.Marshal(err))); !strings.Contains(text, `"Code":"ErrorCodeParse","Outcome":"OutcomeNotSent"`) {
		t.Fatal(text)
	}
	var none *QROperation
	if text := string(made[[]byte](t)(json.Marshal(none))); text != "null" || fmt.Sprint(none) != "QROperationnull" {
		t.Fatal(text, none)
	}
}

// Results are equal if they are the same, and a copy is. reflect.DeepEqual, which compares C's texts by their first letter, must not
// look into them.
func TestResultsAreNotTakenForOthers(t *testing.T) {
	var a arena
	defer a.free()
	var parties []*Party
	for _, name := range []string{"Alice", "Adam"} {
		found := (*_Ctype_struct_mtoken_party)(a.room(int(unsafe.Sizeof(_Ctype_struct_mtoken_party{}))))
		found.name = a.cString(name)
		parties = append(parties, viewParty(found, nil))
	}
	copied := *parties[0]
	if reflect.DeepEqual(parties[0], parties[1]) || !reflect.DeepEqual(parties[0], &copied) || fmt.Sprint(&copied) != fmt.Sprint(parties[0]) {
		t.Fatal(parties)
	}
}

// Go's names have no underscores, and initials in one case.
func TestConstantsHaveNamesOfGo(t *testing.T) {
	parsed := made[*ast.File](t)(parser.ParseFile(token.NewFileSet(), "values.go", nil, 0))
	ofOthers := regexp.MustCompile("_|Apns|Fcm|Hms|Html|Http|Sha[0-9]|Tls|(Ec|Ml)[A-Z]|(Der|Mac|Id|Ids)$")
	count := 0
	for name, object := range parsed.Scope.Objects {
		if object.Kind == ast.Con {
			count++
			if ofOthers.MatchString(name) {
				t.Error(name)
			}
		}
	}
	if count < 300 {
		t.Fatal(count)
	}
}

func TestWipe(t *testing.T) {
	secret := []byte("1234")
	Wipe(secret)
	Wipe(nil)
	if string(secret) != "\x00\x00\x00\x00" {
		t.Fatal(secret)
	}
}

func BenchmarkQRText(b *testing.B) {
	for i := 0; i < b.N; i++ {
		operation, err := QROperationParse(payload, nil)
		if err != nil || operation.Title() == "" {
			b.Fatal(err)
		}
	}
}

func TestOpen(t *testing.T) {
	folder := t.TempDir()
	client, err := Open(folder+"/token", &ClientOptions{ID: "alice", BaseURL: "https://localhost", Configuration: configuration(t)})
	Check(err)
	if info, err := client.Runtime().GetInfo(); err != nil || info.Clients() != 1 {
		t.Fatal(info, err)
	}
	client.Close()
	if _, err := client.Runtime().GetInfo(); !errors.Is(err, ErrorCodeHandle) {
		t.Fatal("the runtime lives on", err)
	}
	if _, err := Open(folder+"/token", nil); !errors.Is(err, ErrorCodeArgument) {
		t.Fatal(err)
	}
	defer func() {
		if problem, _ := recover().(error); !errors.Is(problem, ErrorCodeStorage) {
			t.Fatal(problem)
		}
	}()
	Must(Open("/dev/null/token", nil))
}
