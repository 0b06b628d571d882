// SPDX-License-Identifier: Apache-2.0

package mtoken

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"time"
)

// membersJSON is the object of what these methods return, in their order.
func membersJSON(v interface{}, names ...string) ([]byte, error) {
	result := reflect.ValueOf(v)
	if result.IsNil() {
		return []byte("null"), nil
	}
	return object(names, func(name string) interface{} {
		given := result.MethodByName(name).Call(nil)
		if len(given) == 2 && !given[1].Bool() {
			return nil
		}
		return given[0].Interface()
	})
}

// object is a JSON object. Constants are their names.
func object(names []string, value func(name string) interface{}) ([]byte, error) {
	var out strings.Builder
	for i, name := range names {
		item := value(name)
		switch given := item.(type) {
		case time.Time:
			item = given.UTC().Format(time.RFC3339Nano)
		case time.Duration:
			item = given.String()
		}
		if constant, ok := item.(fmt.Stringer); ok && reflect.ValueOf(item).Kind() == reflect.Int32 {
			item = constant.String()
		}
		made, err := json.Marshal(item)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&out, "%c%q:%s", "{,"[min(i, 1)], name, made)
	}
	out.WriteByte('}')
	return []byte(out.String()), nil
}

func min(a, b int) int {
	if a < b {
		return a
	}
	return b
}

// shown is what fmt writes of a result.
func shown(name string, v json.Marshaler) string {
	made, err := v.MarshalJSON()
	if err != nil {
		return name + "{" + err.Error() + "}"
	}
	return name + string(made)
}

// MarshalJSON gives everything that is known, with the names of constants.
func (e *Error) MarshalJSON() ([]byte, error) {
	if e == nil {
		return []byte("null"), nil
	}
	members := reflect.ValueOf(e).Elem()
	var names []string
	for i := 0; i < members.NumField(); i++ {
		if field := members.Type().Field(i); field.IsExported() {
			names = append(names, field.Name)
		}
	}
	return object(names, func(name string) interface{} { return members.FieldByName(name).Interface() })
}
