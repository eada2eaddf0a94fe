package redact

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/tarebench/tare/record"
)

// Line returns a line of a record with the secrets of addresses hidden in all of its texts, those in attachments of JSON
// included. The line itself is not changed, and is returned if it has none.
func Line(l record.Line) record.Line {
	switch l := l.(type) {
	case *record.Sample:
		if !anyUnit(l.V) && !mayHold(l.Role) {
			return l // nearly all lines of a record
		}
	case *record.Fork:
		if !mayHold(l.Purpose) && !mayHold(l.MaxRSSBy) && !mayHold(l.Exit) && !mayHold(l.State) && !mayHold(l.Why) && !mayHold(l.Tail) {
			return l
		}
	case *record.Attach:
		if data, changed := JSON(l.Data); changed {
			x := *l
			x.Data = data
			return Line(&x)
		}
	}
	masked, changed := maskedValue(reflect.ValueOf(l))
	if !changed {
		return l
	}
	if c, ok := masked.Interface().(*record.Case); ok {
		if len(c.Params) > 0 {
			c.Params = record.ParseName(c.Name)
		}
		if name := l.(*record.Case).Name; name != c.Name {
			c.NameHash = NameHash(name)
		}
	}
	return masked.Interface().(record.Line)
}

// anyUnit reports whether the unit of a value may contain a secret.
func anyUnit(v record.Values) bool {
	for _, x := range v {
		if mayHold(x.Unit) {
			return true
		}
	}
	return false
}

// maskedValue returns a copy of a value in which the texts have been through [Addresses], and whether any has changed. If
// none has, it returns the value itself. Bytes are no text.
func maskedValue(v reflect.Value) (reflect.Value, bool) {
	switch v.Kind() {
	case reflect.String:
		s := v.String()
		if shown := Addresses(s); shown != s {
			return reflect.ValueOf(shown).Convert(v.Type()), true
		}
	case reflect.Pointer:
		if v.IsNil() {
			return v, false
		}
		if x, changed := maskedValue(v.Elem()); changed {
			p := reflect.New(x.Type())
			p.Elem().Set(x)
			return p, true
		}
	case reflect.Struct:
		return maskedFields(v)
	case reflect.Slice:
		return maskedElements(v)
	case reflect.Map:
		return maskedMap(v)
	}
	return v, false
}

func maskedFields(v reflect.Value) (out reflect.Value, any bool) {
	out = v
	for i := range v.NumField() {
		if !v.Type().Field(i).IsExported() {
			continue
		}
		x, changed := maskedValue(v.Field(i))
		if !changed {
			continue
		}
		if !any {
			out, any = reflect.New(v.Type()).Elem(), true
			out.Set(v)
		}
		out.Field(i).Set(x)
	}
	return out, any
}

func maskedElements(v reflect.Value) (out reflect.Value, any bool) {
	switch v.Type().Elem().Kind() {
	case reflect.String, reflect.Pointer, reflect.Struct, reflect.Slice, reflect.Map:
	default:
		return v, false
	}
	out = v
	for i := range v.Len() {
		x, changed := maskedValue(v.Index(i))
		if !changed {
			continue
		}
		if !any {
			out, any = reflect.MakeSlice(v.Type(), v.Len(), v.Len()), true
			reflect.Copy(out, v)
		}
		out.Index(i).Set(x)
	}
	return out, any
}

func maskedMap(v reflect.Value) (out reflect.Value, any bool) {
	out = reflect.MakeMap(v.Type())
	for key, x := range v.Seq2() {
		k, first := maskedValue(key)
		x, second := maskedValue(x)
		out.SetMapIndex(k, x)
		any = any || first || second
	}
	if !any {
		return v, false
	}
	return out, true
}

// JSON returns a JSON text with the secrets of addresses hidden in each of its strings. The rest stays as it is, and so
// does a text that is not JSON. It reports whether anything was hidden; otherwise the text is the same.
func JSON(text []byte) (shown []byte, changed bool) {
	if !mayHoldAddress(text) {
		return text, false
	}
	var out bytes.Buffer
	done := 0
	for at := 0; ; {
		begin := bytes.IndexByte(text[at:], '"')
		if begin < 0 {
			break
		}
		begin += at
		end := stringEnd(text, begin)
		if end < 0 { // cut off
			if shown := Addresses(string(text[begin:])); shown != string(text[begin:]) {
				out.Write(text[done:begin])
				out.WriteString(shown)
				return out.Bytes(), true
			}
			break
		}
		at = end
		if !mayHoldAddress(text[begin:end]) {
			continue
		}
		var s string
		if json.Unmarshal(text[begin:end], &s) != nil {
			continue
		}
		if shown := Addresses(s); shown != s {
			out.Write(text[done:begin])
			writeString(&out, shown)
			done = end
		}
	}
	if done == 0 {
		return text, false
	}
	out.Write(text[done:])
	return out.Bytes(), true
}

// mayHoldAddress reports whether an address may be in a JSON text, in which encoding/json escapes & and others escape /.
func mayHoldAddress(text []byte) bool {
	return bytes.Contains(text, []byte("//")) || bytes.Contains(text, []byte(`\/`)) || bytes.ContainsAny(text, `?&%`) || bytes.Contains(text, []byte(`\u00`))
}

// stringEnd returns the index behind a JSON string that begins at an index, -1 if it has no end.
func stringEnd(text []byte, begin int) int {
	for i := begin + 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return -1
}

func writeString(out *bytes.Buffer, s string) {
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	e.Encode(s) // to memory; a string cannot fail
	out.Truncate(out.Len() - 1)
}

// NameHash returns what a record says of a case's name from which secrets are hidden, to tell it from others; see
// [record.Case].
func NameHash(name string) string {
	sum := sha256.Sum256([]byte(name))
	return hex.EncodeToString(sum[:4])
}

// Numbered returns the name of the case that is number n, from 0, of those whose names are the same once secrets are hidden.
// The first keeps its name; the others get #01, #02, …, as package testing numbers benchmarks of one name. A name in which
// nothing is hidden is returned unchanged.
func Numbered(name string, n int) string {
	if n < 1 || !strings.Contains(name, Masked) {
		return name
	}
	return fmt.Sprintf("%s#%02d", name, n)
}
