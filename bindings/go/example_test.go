// SPDX-License-Identifier: Apache-2.0

//go:build linux && cgo

package mtoken_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"time"

	mtoken "libmtoken.example/bindings/go"
)

// client is one that was opened before.
var client *mtoken.Client

// A device is activated by the code that the bank shows, and is ready when the bank has confirmed it.
func Example() {
	client, err := mtoken.Open("token", &mtoken.ClientOptions{ID: "alice", BaseURL: "https://bank.example", Configuration: "…"})
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	activation, err := client.Activate(ctx, &mtoken.ActivationOptions{Code: "…"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("compare with the bank's:", activation.Fingerprint())
	if err := client.Persist(&mtoken.Auth{PIN: []byte("…")}); err != nil {
		log.Fatal(err)
	}
}

// Approve exactly the displayed operation: pass the one from the list.
func ExampleClient_OperationsAuthorize() {
	ctx := context.Background()
	list, err := client.OperationsList(ctx)
	if err != nil {
		log.Fatal(err)
	}
	defer list.Close()
	for _, operation := range list.Operations() {
		fmt.Println(operation.Title(), "until", operation.Expires().Format(time.Kitchen))
		err := client.OperationsAuthorize(ctx, operation, &mtoken.Auth{PIN: []byte("…")}, nil)
		var failure *mtoken.Error
		switch {
		case errors.Is(err, mtoken.ErrorCodeAuthentication) && errors.As(err, &failure):
			fmt.Println("a wrong PIN; attempts left:", failure.RemainingAttempts)
		case errors.As(err, &failure) && failure.Outcome == mtoken.OutcomeUnknown:
			fmt.Println("ask the bank whether it was approved:", err)
		case err != nil:
			log.Fatal(err)
		}
	}
}

// Events are asked for when the runtime is made.
func ExampleRuntime_Events() {
	rt, err := mtoken.NewRuntime(&mtoken.RuntimeOptions{Events: mtoken.EventsOperations})
	if err != nil {
		log.Fatal(err)
	}
	ctx, stop := context.WithTimeout(context.Background(), time.Hour)
	defer stop()
	for event := range rt.Events(ctx) {
		if event.Kind() == mtoken.EventKindOperationsChanged {
			for _, added := range event.Change().Added() {
				fmt.Println("new:", added.Title())
			}
		}
	}
}

// A QR code is read without a client and without a network.
func ExampleQROperationParse() {
	operation, err := mtoken.QROperationParse("5ff1b1ed-a3cc-45a3-8ab0-ed60950312b6\nPayment\nPlease confirm this payment\n"+
		"A1*A100CZK*ICZ2730300000001165254011*D20180425*Thello world\nBCFX\nAD8bOO0Df73kNaIGb3Vmpg==\n0MEYCIQDby1Uq+MaxiAAGzKmE/McHzNOU"+
		"rvAP2qqGBvSgcdtyjgIhAMo1sgqNa1pPZTFBhhKvCKFLGDuHuTTYexdmHFjUUIJW", nil)
	if err != nil {
		log.Fatal(err)
	}
	defer operation.Close()
	fmt.Println(operation.Title(), operation.Verification())
	for _, field := range operation.SignedFields().Fields() {
		if value, ok := field.Value(); ok {
			fmt.Println(field.Kind(), value)
		}
	}
	// Output:
	// Payment VerifiedNotChecked
	// FieldTypeAmount 100
}
