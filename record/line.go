package record

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// A LineDecoder decodes lines that stand outside a record file, such as those
// that a fork writes to its pipe. The zero value is ready; it is for one
// goroutine. Samples in the form of Writer are decoded without reflection.
type LineDecoder struct{ samples sampleDecoder }

// Decode decodes one line without its newline. The line may lack keys that only the
// reading side knows, such as a sample's fork. A line of an unknown kind is returned
// as a [*Raw].
func (d *LineDecoder) Decode(text []byte) (Line, error) {
	if s := d.samples.decode(text); s != nil {
		return s, nil
	}
	kind, err := kindOf(text)
	if err != nil {
		return nil, err
	}
	l := newLine(kind)
	if l == nil {
		raw := &Raw{Kind: kind}
		l = raw
		err = json.Unmarshal(text, &raw.Fields)
		raw.Unset("k")
	} else {
		err = json.Unmarshal(text, l)
	}
	if err != nil {
		return nil, decodeError(kind, err)
	}
	return l, nil
}

// Raw is a line of a kind without a type in this package, such as a mark. It can be
// written unchanged. [Reader] skips such lines.
type Raw struct {
	Kind   string                     // a word of small letters
	Fields map[string]json.RawMessage // all keys but "k"
}

func (r *Raw) kind() string { return r.Kind }

// Set sets a key to a value, in place of keys that differ only in case.
func (r *Raw) Set(key string, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	r.Unset(key)
	if r.Fields == nil {
		r.Fields = map[string]json.RawMessage{}
	}
	r.Fields[key] = text
	return nil
}

// Unset removes a key and keys that differ only in case, because encoding/json
// ignores case when it reads.
func (r *Raw) Unset(key string) {
	for k := range r.Fields {
		if strings.EqualFold(k, key) {
			delete(r.Fields, k)
		}
	}
}

// MarshalJSON implements [json.Marshaler]; the kind is not among the fields.
func (r *Raw) MarshalJSON() ([]byte, error) {
	if r.Kind == "" || strings.Trim(r.Kind, "abcdefghijklmnopqrstuvwxyz") != "" {
		return nil, fmt.Errorf("%.20q is no kind of line", r.Kind)
	}
	if r.Fields == nil {
		return []byte("{}"), nil
	}
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	err := enc.Encode(r.Fields)
	return buf.Bytes(), err
}
