// SPDX-License-Identifier: Apache-2.0

package mtoken

import (
	"errors"
	"fmt"
	"io"
)

// hideSecrets is what fmt writes of options that hold secrets.
func hideSecrets(state io.Writer, name string) {
	io.WriteString(state, "mtoken."+name+"{…}")
}

func refuseSecrets(name string) error {
	return errors.New("mtoken: " + name + " holds secrets and is not serialized: make it anew for each call")
}

// Error tells what happened, to which thing, and what to do.
func (e *Error) Error() string {
	place := ""
	if e.ByteOffset >= 0 {
		place = fmt.Sprintf(", line %d, byte %d", e.Line, e.ByteOffset)
	}
	return fmt.Sprintf("%v (%s)%s: %s", e.Code, e.Reason, place, e.Message)
}

// Is makes errors.Is work with an ErrorCode, and with context.Canceled or context.DeadlineExceeded for a call that its context ended.
func (e *Error) Is(target error) bool {
	code, ok := target.(ErrorCode)
	return ok && code == e.Code
}

// Unwrap returns the error of the context that ended the call.
func (e *Error) Unwrap() error {
	return e.ended
}

// IsOperationOver says whether the operation can no longer be approved or rejected.
func (e *Error) IsOperationOver() bool {
	return e.isOver
}

// Error makes a code a target for errors.Is; it returns the name of the constant.
func (c ErrorCode) Error() string {
	return "mtoken." + c.String()
}
