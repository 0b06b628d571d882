// SPDX-License-Identifier: Apache-2.0

// The player of the conformance documents (Tests/conformance/README.md), on the package as programs use it. names.go, with C's names
// for what the package has, is generated into build/.
package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"os"
	"reflect"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"time"

	mtoken "libmtoken.example/bindings/go"
)

// function is a C function: what it is in Go, and the names of its parameters.
type function struct {
	call      any
	inputs    []string
	outs      []string
	hasStatus bool
}

type object = map[string]any

type document struct {
	Name  string
	Cases []struct {
		Name      string
		Needs     []string
		Variables object
		Steps     []object
	}
}

var lacks = map[string]bool{"fork": true, "other-handles": true, "raw-members": true, "struct-size": true}

func main() {
	steps, checks := 0, 0
	left := map[string]bool{}
	for _, path := range os.Args[1:] {
		var found document
		content, err := os.ReadFile(path)
		if err == nil {
			err = decode(content, &found)
		}
		if err != nil {
			fail("%v", err)
		}
		for _, described := range found.Cases {
			isLacking := false
			for _, need := range described.Needs {
				if lacks[need] {
					left[need], isLacking = true, true
				}
			}
			if isLacking {
				continue
			}
			c := newCase(described.Variables)
			for number, step := range described.Steps {
				if problem := c.attempt(step); problem != nil {
					fail("%s, %s, step %d: %v", found.Name, described.Name, number+1, problem)
				}
			}
			c.end()
			steps, checks = steps+len(described.Steps), checks+c.checks
		}
	}
	names := make([]string, 0, len(left))
	for need := range left {
		names = append(names, need)
	}
	sort.Strings(names)
	for _, need := range names {
		fmt.Println("not applicable:", need)
	}
	fmt.Printf("steps %d, checks %d\n", steps, checks)
}

func fail(format string, arguments ...any) {
	fmt.Fprintf(os.Stderr, format+"\n", arguments...)
	os.Exit(1)
}

func decode(content []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(content))
	decoder.UseNumber()
	return decoder.Decode(into)
}

// problem is a check that did not hold; it is thrown.
type problem string

func (p problem) Error() string { return string(p) }

func throw(format string, arguments ...any) { panic(problem(fmt.Sprintf(format, arguments...))) }

type player struct {
	variables object
	made      []io.Closer
	checks    int
	folder    string
}

func newCase(variables object) *player {
	folder, err := os.MkdirTemp("", "mtoken")
	if err != nil {
		fail("%v", err)
	}
	unique, err := mtoken.RandomBytes(16)
	if err != nil {
		fail("%v", err)
	}
	c := &player{variables: object{"unique": hex.EncodeToString(unique), "folder": folder}, folder: folder}
	for name, value := range variables {
		c.variables[name] = value
	}
	return c
}

func (c *player) end() {
	for i := len(c.made) - 1; i >= 0; i-- {
		c.made[i].Close()
	}
	os.RemoveAll(c.folder)
}

func (c *player) attempt(step object) (err error) {
	defer func() {
		if thrown := recover(); thrown != nil {
			found, is := thrown.(problem)
			if !is {
				panic(thrown)
			}
			err = found
		}
	}()
	for kind, play := range map[string]func(object){"call": c.call, "wait": c.wait, "event": c.event, "read": c.read, "http": c.http} {
		if _, is := step[kind]; is {
			play(step)
			return nil
		}
	}
	throw("a step of no kind")
	return nil
}

// Paths and variables

var part = regexp.MustCompile(`^\.?(\w+)|^\[(\d+)\]`)
var reference = regexp.MustCompile(`\$\{([^}]*)\}`)

func follow(value any, path string) any {
	for rest := path; rest != ""; {
		found := part.FindStringSubmatch(rest)
		if found == nil {
			throw("%s is no path", path)
		}
		rest = rest[len(found[0]):]
		if found[2] != "" {
			index, _ := strconv.Atoi(found[2])
			list := reflect.ValueOf(value)
			if list.Kind() != reflect.Slice || index >= list.Len() {
				throw("%s does not exist", path)
			}
			value = plain(list.Index(index), false)
			continue
		}
		value = member(value, found[1], path)
	}
	return value
}

func member(owner any, name, path string) any {
	if members, is := owner.(object); is {
		value, found := members[name]
		if !found {
			throw("%s does not exist", path)
		}
		return value
	}
	holder := reflect.ValueOf(owner)
	if !holder.IsValid() {
		throw("%s does not exist", path)
	}
	if failure, is := owner.(*mtoken.Error); is {
		return plain(reflect.ValueOf(failure).Elem().FieldByName(members[name]), true)
	}
	if array, is := counts[name]; is && !holder.MethodByName(members[name]).IsValid() {
		for _, candidate := range array {
			if list := holder.MethodByName(members[candidate]); list.IsValid() {
				return int64(list.Call(nil)[0].Len())
			}
		}
	}
	method := holder.MethodByName(members[name])
	if !method.IsValid() {
		throw("%s: %T has no %s", path, owner, name)
	}
	results := method.Call(nil)
	if len(results) == 2 && !results[1].Bool() {
		return nil
	}
	return plain(results[0], false)
}

// plain is a value as documents have it. A text that may be missing and is empty is null.
func plain(value reflect.Value, mayBeMissing bool) any {
	if value.IsValid() && value.CanInterface() {
		switch given := value.Interface().(type) {
		case time.Duration:
			return int64(given / time.Millisecond)
		case time.Time:
			if given.IsZero() {
				return int64(0)
			}
			return given.UnixMilli()
		}
	}
	switch value.Kind() {
	case reflect.Bool:
		if value.Bool() {
			return int64(1)
		}
		return int64(0)
	case reflect.Int, reflect.Int32, reflect.Int64:
		return value.Int()
	case reflect.Uint32, reflect.Uint64:
		return int64(value.Uint())
	case reflect.Float64:
		return value.Float()
	case reflect.String:
		if mayBeMissing && value.String() == "" {
			return nil
		}
		return value.String()
	case reflect.Pointer, reflect.Slice, reflect.Interface, reflect.Map:
		if value.IsNil() {
			return nil
		}
	case reflect.Invalid:
		return nil
	}
	return value.Interface()
}

func (c *player) value(item any) any {
	switch item := item.(type) {
	case object:
		found := object{}
		for name, value := range item {
			found[name] = c.value(value)
		}
		return found
	case []any:
		found := make([]any, len(item))
		for i, value := range item {
			found[i] = c.value(value)
		}
		return found
	case string:
		if whole := reference.FindStringSubmatch(item); whole != nil && whole[0] == item {
			return follow(c.variables, whole[1])
		}
		return reference.ReplaceAllStringFunc(item, func(found string) string {
			return fmt.Sprint(follow(c.variables, found[2:len(found)-1]))
		})
	case json.Number:
		if number, err := item.Int64(); err == nil {
			return number
		}
		number, _ := item.Float64()
		return number
	}
	return item
}

// What the library takes

func number(value any) int64 {
	switch value := value.(type) {
	case int64:
		return value
	case bool:
		if value {
			return 1
		}
	case string:
		total := int64(0)
		for _, name := range strings.Split(value, "|") {
			found, is := constants[name]
			if !is {
				throw("there is no constant %s", name)
			}
			total |= found
		}
		return total
	case nil:
	default:
		throw("%v is no number", value)
	}
	return 0
}

func content(value any) []byte {
	switch value := value.(type) {
	case nil:
		return nil
	case string:
		return append([]byte{}, value...)
	case []byte:
		return value
	case object:
		if text, is := value["hex"].(string); is {
			found, _ := hex.DecodeString(text)
			return found
		}
		if text, is := value["base64"].(string); is {
			found, _ := base64.StdEncoding.DecodeString(text)
			return found
		}
	}
	throw("%v is neither text nor bytes", value)
	return nil
}

func argument(value any, kind reflect.Type) reflect.Value {
	if value != nil && reflect.TypeOf(value) == kind {
		return reflect.ValueOf(value)
	}
	made := reflect.New(kind).Elem()
	switch kind {
	case reflect.TypeOf(time.Time{}):
		if ms := number(value); ms != 0 {
			made.Set(reflect.ValueOf(time.UnixMilli(ms)))
		}
		return made
	case reflect.TypeOf(time.Duration(0)):
		const most = math.MaxInt64 / int64(time.Millisecond)
		ms := number(value)
		if ms > most {
			ms = most
		}
		if ms < -most {
			ms = -most
		}
		made.SetInt(ms * int64(time.Millisecond))
		return made
	}
	switch kind.Kind() {
	case reflect.String:
		made.SetString(string(content(value)))
	case reflect.Bool:
		made.SetBool(number(value) == 1)
	case reflect.Int, reflect.Int32, reflect.Int64:
		made.SetInt(number(value))
	case reflect.Uint32, reflect.Uint64:
		made.SetUint(uint64(number(value)))
	case reflect.Slice:
		if kind.Elem().Kind() == reflect.Uint8 {
			made.SetBytes(content(value))
			break
		}
		items, _ := value.([]any)
		for _, item := range items {
			made = reflect.Append(made, argument(item, kind.Elem()))
		}
	case reflect.Pointer, reflect.Struct:
		if value == nil {
			break
		}
		if kind == reflect.TypeOf((*string)(nil)) {
			text := string(content(value))
			return reflect.ValueOf(&text)
		}
		given, is := value.(object)
		if !is {
			throw("%T is no %v", value, kind)
		}
		filled := made
		if kind.Kind() == reflect.Pointer {
			made = reflect.New(kind.Elem())
			filled = made.Elem()
		}
		for name, item := range given {
			field := filled.FieldByName(members[name])
			if !field.IsValid() {
				throw("%v has no member %s", kind, name)
			}
			field.Set(argument(item, field.Type()))
		}
	}
	return made
}

// Steps

func (c *player) check(holds bool, format string, arguments ...any) {
	c.checks++
	if !holds {
		throw(format, arguments...)
	}
}

func (c *player) status(step object, err error) {
	wanted, is := step["fails"].(string)
	if !is {
		wanted = "MTOKEN_OK"
	}
	code := int64(0)
	var failure *mtoken.Error
	if errors.As(err, &failure) {
		code = int64(failure.Code)
	}
	c.check(code == constants[wanted], "%v instead of %s", err, wanted)
}

func (c *player) after(step, record object) {
	expected, _ := step["expect"].(object)
	for path, item := range expected {
		found, wanted := follow(record, path), c.value(item)
		c.check(holds(found, wanted), "%s is %#v, not %#v", path, found, wanted)
	}
	kept, _ := step["keep"].(object)
	for name, path := range kept {
		c.variables[name] = follow(record, path.(string))
	}
}

func (c *player) call(step object) {
	name := step["call"].(string)
	given, _ := c.value(step["with"]).(object)
	record := object{"error": nil, "result": nil}
	if c.special(name, given, step, record) {
		c.after(step, record)
		return
	}
	described, is := functions[name]
	if !is {
		throw("there is no function %s", name)
	}
	call := reflect.ValueOf(described.call)
	arguments := make([]reflect.Value, len(described.inputs))
	for i, input := range described.inputs {
		value := given[input]
		if strings.HasSuffix(input, "_s") { // durations are taken in milliseconds
			value = 1000 * number(value)
		}
		arguments[i] = argument(value, call.Type().In(i))
		delete(given, input)
	}
	for unknown := range given {
		throw("%s has no parameter %s", name, unknown)
	}
	results := call.Call(arguments)
	var err error
	if described.hasStatus {
		err, _ = results[len(results)-1].Interface().(error)
		results = results[:len(results)-1]
	}
	for i, out := range described.outs {
		record[out] = nil
		if err == nil {
			record[out] = plain(results[i], false)
		}
		if closer, is := record[out].(io.Closer); is {
			c.made = append(c.made, closer)
		}
	}
	if len(results) > len(described.outs) {
		record["result"] = plain(results[len(described.outs)], true)
	}
	if described.hasStatus {
		c.fail(record, err)
		c.status(step, err)
	}
	c.after(step, record)
}

func (c *player) fail(record object, err error) {
	var failure *mtoken.Error
	if errors.As(err, &failure) {
		record["error"] = failure
	}
}

// special are functions that the package has in another form.
func (c *player) special(name string, given, step, record object) bool {
	task, _ := given["task"].(*mtoken.Task)
	switch {
	case strings.HasSuffix(name, "_free"):
		for _, item := range given {
			if closer, is := item.(io.Closer); is {
				closer.Close()
			}
		}
	case name == "mtoken_task_join" || name == "mtoken_task_wait":
		ctx, cancel := context.WithTimeout(context.Background(), time.Duration(number(given["timeout_ms"]))*time.Millisecond)
		defer cancel()
		err := task.Wait(ctx)
		if name == "mtoken_task_wait" && task.State() > mtoken.TaskStateRunning {
			err = nil
		}
		c.fail(record, err)
		c.status(step, err)
	case name == "mtoken_task_get_state":
		record["result"] = int64(task.State())
	case name == "mtoken_task_cancel":
		c.status(step, task.Cancel())
	case name == "mtoken_error_is_operation_over":
		record["result"] = plain(reflect.ValueOf(given["error"].(*mtoken.Error).IsOperationOver()), false)
	case name == "mtoken_event_take_challenge":
		challenge := given["received"].(*mtoken.Event).TakeChallenge()
		record["result"] = plain(reflect.ValueOf(challenge), false)
		if challenge != nil {
			c.made = append(c.made, challenge)
		}
	default:
		return false
	}
	return true
}

func (c *player) wait(step object) {
	task, is := c.value(step["wait"]).(*mtoken.Task)
	if !is {
		throw("%v is no task", step["wait"])
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	err := task.Wait(ctx)
	record := object{"error": nil, "result": nil}
	c.fail(record, err)
	c.status(step, err)
	if getter, is := step["get"].(string); is {
		record["result"] = plain(reflect.ValueOf(functions[getter].call).Call([]reflect.Value{reflect.ValueOf(task)})[0], true)
	}
	c.after(step, record)
}

func (c *player) event(step object) {
	runtime := c.value(step["event"]).(*mtoken.Runtime)
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	for {
		event, err := runtime.NextEvent(ctx)
		if err != nil {
			throw("no event %v: %v", step["kind"], err)
		}
		if int64(event.Kind()) == number(step["kind"]) {
			c.after(step, object{"event": event})
			return
		}
	}
}

func (c *player) read(step object) {
	c.after(step, object{"value": c.value(step["read"])})
}

func (c *player) http(step object) {
	method, url := step["http"].(string), c.value(step["url"]).(string)
	var body []byte
	if sent, is := step["body"]; is {
		body, _ = json.Marshal(c.value(sent))
	} else if text, is := c.value(step["text"]).(string); is {
		body = []byte(text)
	}
	request, err := http.NewRequest(method, url, bytes.NewReader(body))
	if err != nil {
		throw("%v", err)
	}
	request.Close = true
	request.Header.Set("Content-Type", "application/json")
	headers, _ := c.value(step["headers"]).(object)
	for name, value := range headers {
		request.Header.Set(name, fmt.Sprint(value))
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		throw("%v", err)
	}
	defer answer.Body.Close()
	text, _ := io.ReadAll(answer.Body)
	isGood := answer.StatusCode >= 200 && answer.StatusCode < 300
	if wanted, is := step["status"]; is {
		isGood = int64(answer.StatusCode) == number(c.value(wanted))
	}
	c.check(isGood, "%s %s: HTTP status %d: %s", method, url, answer.StatusCode, text)
	var found any
	if len(text) > 0 {
		if err := decode(text, &found); err != nil {
			throw("%s %s: %v", method, url, err)
		}
	}
	c.after(step, object{"status": int64(answer.StatusCode), "body": c.numbers(found)})
}

// numbers are those of an answer as steps have them.
func (c *player) numbers(item any) any {
	switch item := item.(type) {
	case object:
		for name := range item {
			item[name] = c.numbers(item[name])
		}
	case []any:
		for i := range item {
			item[i] = c.numbers(item[i])
		}
	case json.Number:
		return c.value(item)
	case bool:
		return number(item)
	}
	return item
}

func holds(found, wanted any) bool {
	if asked, is := wanted.(object); is && len(asked) == 1 {
		for kind, value := range asked {
			text, isText := found.(string)
			switch kind {
			case "not":
				return !holds(found, value)
			case "at_least", "at_most":
				count, isNumber := found.(int64)
				return isNumber && (kind == "at_least" && count >= number(value) || kind == "at_most" && count <= number(value))
			case "begins":
				return isText && strings.HasPrefix(text, value.(string))
			case "contains":
				return isText && strings.Contains(text, value.(string))
			case "length":
				return found != nil && int64(len(content(found))) == number(value)
			case "one_of":
				for _, item := range value.([]any) {
					if holds(found, item) {
						return true
					}
				}
				return false
			case "hex", "base64":
				bytesFound, isBytes := found.([]byte)
				return isBytes && bytes.Equal(bytesFound, content(wanted))
			}
		}
	}
	switch found := found.(type) {
	case int64:
		switch wanted := wanted.(type) {
		case string, bool:
			return found == number(wanted)
		case float64:
			return float64(found) == wanted
		}
	case float64:
		if count, is := wanted.(int64); is {
			return found == float64(count)
		}
	}
	return reflect.DeepEqual(found, wanted)
}
