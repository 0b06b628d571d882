// What the work of Tests/bench/bindings/README.md costs in Go.
package main

import (
	"context"
	"encoding/base64"
	"fmt"
	"os"
	"strconv"
	"syscall"
	"time"
	"unsafe"

	mtoken "libmtoken.example/bindings/go"
)

// clock is the processor time of the process, in nanoseconds.
func clock() int64 {
	var now syscall.Timespec
	_, _, _ = syscall.Syscall(syscall.SYS_CLOCK_GETTIME, 2, uintptr(unsafe.Pointer(&now)), 0)
	return now.Nano()
}

func figure(name string, ns float64) {
	fmt.Printf("{\"name\": %q, \"ns\": %.1f}\n", name, ns)
}

func measure(name string, operation func()) {
	count, best := 1, 0.0
	for batches := 0; batches < 30; {
		start := clock()
		for i := 0; i < count; i++ {
			operation()
		}
		taken := clock() - start
		if batches == 0 && taken < 10_000_000 {
			count *= 2
			continue
		}
		batches++
		if each := float64(taken) / float64(count); best == 0 || each < best {
			best = each
		}
	}
	figure(name, best)
}

func given(name string) string { return os.Getenv("MTOKEN_BENCH_" + name) }

// readAll reads all members, by the methods that read them.
func readAll(operation *mtoken.QROperation) {
	operation.Verification()
	operation.ServerKey()
	operation.Payload()
	operation.SignedLength()
	operation.ID()
	operation.Title()
	operation.Message()
	operation.RawTitle()
	operation.RawMessage()
	operation.Flags()
	operation.AllowsBiometry()
	operation.FlipButtons()
	operation.WarnsOfFraud()
	operation.BlockApprovalOnCall()
	operation.UnknownFlags()
	operation.TOTP()
	operation.IsNewerFormat()
	operation.Extras()
	operation.Nonce()
	operation.NonceBytes()
	operation.Signature()
	operation.SignatureBytes()
	signed := operation.SignedFields()
	signed.Text()
	signed.Version()
	signed.IsVersionKnown()
	signed.TemplateID()
	for _, field := range signed.Fields() {
		field.Kind()
		field.Letter()
		field.Raw()
		field.Offset()
		field.Text()
		field.Amount()
		field.Value()
		field.Currency()
		field.IBAN()
		field.BIC()
		field.IsIBANValid()
		field.Year()
		field.Month()
		field.Day()
	}
}

func lists(client *mtoken.Client) {
	count, err := strconv.Atoi(given("LISTS"))
	if err != nil {
		count = 1000
	}
	ctx := context.Background()
	apart := mtoken.Must(client.WithOptions(&mtoken.CallOptions{Timeout: 30 * time.Second}))
	best := 0.0
	for batch := 0; batch < 3; batch++ {
		start := clock()
		tasks := make([]*mtoken.Task, count)
		for i := range tasks {
			tasks[i] = mtoken.Must(apart.StartOperationsList())
		}
		for _, task := range tasks {
			mtoken.Check(task.Wait(ctx))
			if len(task.Operations().Operations()) != 0 {
				panic("an operation")
			}
		}
		if each := float64(clock()-start) / float64(count); best == 0 || each < best {
			best = each
		}
	}
	figure("lists", best)
}

func main() {
	ctx := context.Background()
	runtime, store := mtoken.Must(mtoken.NewRuntime(nil)), mtoken.Must(mtoken.NewStoreMemory())
	client := mtoken.Must(mtoken.NewClient(runtime, &mtoken.ClientOptions{ID: "bench", Store: store,
		BaseURL: given("URL"), CAFile: given("CA"), Configuration: given("CONFIGURATION")}))
	mtoken.Must(client.Activate(ctx, &mtoken.ActivationOptions{Code: given("CODE")}))
	mtoken.Check(client.Persist(&mtoken.Auth{PIN: []byte("1234")}))
	mtoken.Must(client.FetchStatus(ctx))
	lists(client)
	payload := given("PAYLOAD")
	measure("call", func() { mtoken.ABIVersion() })
	measure("qr_text", func() {
		operation := mtoken.Must(mtoken.QROperationParse(payload, nil))
		_ = operation.Title()
		operation.Close()
	})
	measure("qr_struct", func() {
		operation := mtoken.Must(mtoken.QROperationParse(payload, nil))
		readAll(operation)
		operation.Close()
	})
	signature := mtoken.Must(base64.StdEncoding.DecodeString(given("SIGNATURE")))
	options := &mtoken.VerifyOptions{ServerKey: mtoken.KeyMaster, SignedBytes: []byte(given("SIGNED")), Signature: signature}
	measure("verify", func() {
		if !mtoken.Must(client.Verify(options)) {
			panic("not valid")
		}
	})
	body := make([]byte, 300)
	for i := range body {
		body[i] = 'a'
	}
	sign := &mtoken.SignOptions{Method: "POST", URIID: "/test/signed", Body: body}
	auth := &mtoken.Auth{Factors: mtoken.FactorPossession}
	measure("sign", func() {
		_ = mtoken.Must(client.Sign(sign, auth)).Value()
		mtoken.Check(client.SignatureAccepted())
	})
}
