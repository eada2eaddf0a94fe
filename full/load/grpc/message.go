package grpc

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"
)

// encoder makes the bytes of messages from JSON.
type encoder struct {
	method protoreflect.MethodDescriptor
	read   protojson.UnmarshalOptions
}

func newEncoder(m protoreflect.MethodDescriptor, types *dynamicpb.Types) *encoder {
	return &encoder{m, protojson.UnmarshalOptions{Resolver: types}}
}

// encode returns the messages of one call. Its error says where in the JSON.
func (e *encoder) encode(text []byte) ([]*message, error) {
	raws, err := split(text, e.method.IsStreamingClient())
	if err != nil {
		return nil, err
	}
	if !e.method.IsStreamingClient() && len(raws) != 1 {
		return nil, fmt.Errorf("%d messages, and %s takes one", len(raws), e.method.Name())
	}
	out := make([]*message, len(raws))
	for i, r := range raws {
		m := dynamicpb.NewMessage(e.method.Input())
		if err := e.read.Unmarshal(text[r.from:r.to], m); err != nil {
			return nil, e.explain(text, r, i, len(raws))
		}
		data, err := proto.Marshal(m)
		if err != nil {
			return nil, clean(err)
		}
		out[i] = newMessage(data)
	}
	return out, nil
}

// explain returns the error of a message with its place in the whole text: the text before
// the message becomes blank.
func (e *encoder) explain(text []byte, r span, i, n int) error {
	blank := bytes.Map(func(c rune) rune {
		if c == '\n' {
			return c
		}
		return ' '
	}, text[:r.from])
	err := e.read.Unmarshal(append(blank, text[r.from:r.to]...), dynamicpb.NewMessage(e.method.Input()))
	if err == nil {
		return errors.New("the message does not fit")
	}
	err = clean(err)
	if found := unknownField.FindStringSubmatch(err.Error()); found != nil {
		if names := fieldNames(e.method.Input()); len(names) > 0 {
			err = fmt.Errorf("%w; %s", err, nearest(found[1], names))
		}
	}
	if n > 1 {
		return fmt.Errorf("message %d of %d: %w", i+1, n, err)
	}
	return err
}

var unknownField = regexp.MustCompile(`unknown field "([^"]+)"`)

// fieldNames returns the JSON names of the fields of a message and of its nested messages, of 100 message types at most.
func fieldNames(m protoreflect.MessageDescriptor) []string {
	var names []string
	seen := map[protoreflect.FullName]bool{}
	var visit func(m protoreflect.MessageDescriptor)
	visit = func(m protoreflect.MessageDescriptor) {
		if seen[m.FullName()] || len(seen) > 100 {
			return
		}
		seen[m.FullName()] = true
		for i := range m.Fields().Len() {
			f := m.Fields().Get(i)
			names = append(names, f.JSONName())
			if f.Message() != nil {
				visit(f.Message())
			}
		}
	}
	visit(m)
	return names
}

// span is where a message stands in a text.
type span struct{ from, to int }

// split finds the messages: one behind the other, or for a stream also the elements of
// an array.
func split(text []byte, stream bool) ([]span, error) {
	at, end := skipSpace(text, 0), len(text)
	if stream && at < len(text) && text[at] == '[' {
		d := json.NewDecoder(bytes.NewReader(text[at:]))
		d.Token()
		spans, err := values(d, at, true)
		if err != nil {
			return nil, inText(text, err)
		}
		if rest := skipSpace(text, at+int(d.InputOffset())); rest < end {
			return nil, fmt.Errorf("text after the array, at %s", position(text, rest))
		}
		return spans, nil
	}
	spans, err := values(json.NewDecoder(bytes.NewReader(text)), 0, false)
	return spans, inText(text, err)
}

func skipSpace(text []byte, at int) int {
	for at < len(text) && strings.IndexByte(" \t\r\n", text[at]) >= 0 {
		at++
	}
	return at
}

// jsonError is an error at an offset of a text.
type jsonError struct {
	at  int
	err error
}

func (e *jsonError) Error() string { return e.err.Error() }

// values reads the values that follow, which begin at an offset of the text.
func values(d *json.Decoder, begin int, array bool) ([]span, error) {
	var out []span
	for {
		if array && !d.More() {
			if _, err := d.Token(); err != nil {
				return nil, &jsonError{begin + int(d.InputOffset()), errors.New("the array does not end")}
			}
			return out, nil
		}
		var raw json.RawMessage
		before := begin + int(d.InputOffset())
		err := d.Decode(&raw)
		if err == io.EOF && !array {
			return out, nil
		}
		if err != nil {
			at := before
			if s := (*json.SyntaxError)(nil); errors.As(err, &s) {
				at = max(begin+int(s.Offset)-1, 0)
			}
			return nil, &jsonError{at, err}
		}
		to := begin + int(d.InputOffset())
		out = append(out, span{to - len(raw), to})
	}
}

// inText adds the place to an error.
func inText(text []byte, err error) error {
	if e := (*jsonError)(nil); errors.As(err, &e) {
		return fmt.Errorf("%w at %s", e.err, position(text, e.at))
	}
	return err
}

func position(text []byte, at int) string {
	at = min(at, len(text))
	line := bytes.Count(text[:at], []byte("\n"))
	begin := bytes.LastIndexByte(text[:at], '\n') + 1
	return fmt.Sprintf("line %d:%d", line+1, at-begin+1)
}

// clean removes the prefix "proto:" of an error of package protobuf, the space after which
// differs between builds.
func clean(err error) error {
	text := strings.TrimPrefix(err.Error(), "proto:")
	text = strings.TrimLeft(text, " \u00a0")
	text = strings.ReplaceAll(text, "\u00a0", " ")
	if strings.HasPrefix(text, "syntax error (") {
		text = strings.Replace(text, "): ", ") ", 1)
	}
	return errors.New(text)
}
