// Shows what an offline operation asks for: reads the payload of its QR code from standard input, exactly as scanned.
//
//	go run . [SDK-CONFIGURATION] < payload.txt
//
// With the application's SDK configuration it also verifies the server's signature.
package main

/*
#cgo pkg-config: mtoken
#include <mtoken.h>
#include <stdlib.h>
*/
import "C"

import (
	"fmt"
	"io"
	"os"
	"unsafe"
)

func main() {
	payload, err := io.ReadAll(io.LimitReader(os.Stdin, 4097)) // one byte more than a payload may have: the library reports it
	if err == nil {
		configuration := ""
		if len(os.Args) > 1 {
			configuration = os.Args[1]
		}
		err = run(payload, configuration)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// Error is a failed call.
type Error struct {
	Code    C.mtoken_status
	Reason  string
	Line    int
	Offset  int64
	Message string
}

func (e *Error) Error() string {
	name := C.GoString(C.mtoken_error_name(e.Code))
	return fmt.Sprintf("%s (%s), line %d, byte %d: %s", name, e.Reason, e.Line, e.Offset, e.Message)
}

// newError copies an error of the library and frees it.
func newError(e *C.mtoken_error) *Error {
	defer C.mtoken_error_free(e)
	return &Error{e.code, C.GoString(e.reason), int(e.line), int64(e.byte_offset), C.GoString(e.message)}
}

func run(payload []byte, configuration string) error {
	// In C memory: Go memory must not hold pointers that C reads.
	text := C.CBytes(payload)
	defer C.free(text)
	options := C.mtoken_qr_options{struct_size: C.sizeof_mtoken_qr_options}
	if configuration != "" {
		given := C.CString(configuration)
		defer C.free(unsafe.Pointer(given))
		options.configuration = C.mtoken_text{data: given, length: C.MTOKEN_NUL_TERMINATED}
	}

	var operation *C.mtoken_qr_operation
	var failure *C.mtoken_error
	status := C.mtoken_qr_operation_parse((*C.char)(text), C.size_t(len(payload)), &options, &operation, &failure)
	if status != C.MTOKEN_OK {
		return newError(failure)
	}
	defer C.mtoken_qr_operation_free(operation)
	show(operation)
	return nil
}

func show(operation *C.mtoken_qr_operation) {
	fmt.Println("id:", C.GoString(operation.id))
	fmt.Println("title:", C.GoString(operation.title))
	fmt.Println("message:", C.GoString(operation.message))
	for _, field := range unsafe.Slice(operation.signed_fields.fields, operation.signed_fields.field_count) {
		showField(field)
	}
	if operation.verification == C.MTOKEN_VERIFIED_VALID {
		fmt.Println("signature: valid")
	} else {
		fmt.Println("signature: not checked")
	}
}

func showField(field *C.mtoken_operation_field) {
	switch field.kind {
	case C.MTOKEN_FIELD_EMPTY:
	case C.MTOKEN_FIELD_AMOUNT:
		fmt.Println("amount:", C.GoString(field.value), C.GoString(field.currency))
	case C.MTOKEN_FIELD_ACCOUNT:
		account := C.GoString(field.iban)
		if field.bic != nil {
			account += ", " + C.GoString(field.bic)
		}
		fmt.Println("account:", account)
	case C.MTOKEN_FIELD_DATE:
		fmt.Printf("date: %04d-%02d-%02d\n", field.year, field.month, field.day)
	default:
		fmt.Println("text:", C.GoString(field.text))
	}
}
