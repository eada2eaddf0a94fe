package postgres

import (
	"encoding/json"
	"maps"
	"testing"
	"unicode/utf8"

	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/load/kv"
)

var fieldNames = []string{"field0", "sch\u00f6n", `a"b\c`}

func numbers() map[string]int {
	n := map[string]int{}
	for i, name := range fieldNames {
		n[name] = i
	}
	return n
}

// TestObject fixes the form in which records are stored.
func TestObject(t *testing.T) {
	var r kv.Record
	r.AppendString(0, "plain \"quoted\" \\ \n\x00\x7f\x80\xff")
	r.AppendString(2, "")
	got := string(appendObject(nil, fieldNames, &r))
	want := `{"field0":"plain \"quoted\" \\ \u000a` + "\u0100\x7f\u0080\u00ff" + `","a\"b\\c":""}`
	if got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := string(appendObject(nil, fieldNames, new(kv.Record))); got != "{}" {
		t.Errorf("an empty record: %q", got)
	}
}

func TestDecodeObject(t *testing.T) {
	for text, want := range map[string]map[int]string{
		`{}`:               {},
		` { } `:            {},
		`{"field0": "a"}`:  {0: "a"},
		`{"x": "unknown"}`: {},
		`{"field0":"","sch` + "\u00f6" + `n":"\u00ff\t\/"}`: {0: "", 1: "\xff\t/"},
		`{"x": "\ud83d\udc22", "field0": "a"}`:              {0: "a"}, // beyond a byte, in a field that is not ours
		`{"field0": "\u0100"}`:                              {0: "\x00"},
		`{"field0": "\u0101"}`:                              nil,
		`{"field0": 1}`:                                     nil,
		`{"field0": null}`:                                  nil,
		`{"field0": "a"`:                                    nil,
		`{"field0": "a",}`:                                  nil,
		`{"field0": "a"} x`:                                 nil,
		`{"field0": "\ud800"}`:                              nil,
		`{"field0": "\u12"}`:                                nil,
		`{"field0": "\x"}`:                                  nil,
		`["a"]`:                                             nil,
		``:                                                  nil,
	} {
		var r kv.Record
		err := decodeObject(&r, []byte(text), numbers())
		if (err != nil) != (want == nil) {
			t.Errorf("%s: error %v", text, err)
			continue
		}
		if err != nil {
			if load.Class(err) != load.ClassProtocol {
				t.Errorf("%s: error of class %s", text, load.Class(err))
			}
			continue
		}
		got := map[int]string{}
		for i := range r.Len() {
			f, v := r.At(i)
			got[f] = string(v)
		}
		if !maps.Equal(got, want) {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}

// FuzzObject writes any values: encoding/json must read the text, and we what we
// wrote.
func FuzzObject(f *testing.F) {
	f.Add([]byte("a"), []byte("\x00\x01\x1f\"\\\x7f\x80\xff"))
	f.Add([]byte("\u20ac"), []byte{})
	f.Fuzz(func(t *testing.T, a, b []byte) {
		var r kv.Record
		r.Append(0, a)
		r.Append(2, b)
		text := appendObject(nil, fieldNames, &r)
		var object map[string]string
		if err := json.Unmarshal(text, &object); err != nil || len(object) != 2 {
			t.Fatalf("%q: %d fields, %v", text, len(object), err)
		}
		again, err := json.Marshal(object) // with other escapes
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range [][]byte{text, again} {
			var got kv.Record
			if err := decodeObject(&got, text, numbers()); err != nil {
				t.Fatalf("%q: %v", text, err)
			}
			for f, want := range map[int][]byte{0: a, 2: b} {
				if v, ok := got.Value(f); !ok || string(v) != string(want) {
					t.Errorf("field %d is %q, want %q", f, v, want)
				}
			}
		}
	})
}

// FuzzDecodeObject reads anything. What it takes, encoding/json takes too.
func FuzzDecodeObject(f *testing.F) {
	for _, text := range []string{`{}`, `{"field0":"a","x":"\u00e4"}`, `{"a":"\ud83d\udc22"}`, `{"a":"`, `{"\u0000":"b\\"}`, "{\"\x80\":\"\"}"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		original := string(text)
		var r kv.Record
		if err := decodeObject(&r, text, numbers()); err != nil {
			return
		}
		var object map[string]string
		if err := json.Unmarshal([]byte(original), &object); err != nil {
			t.Fatalf("%q is taken, but not JSON: %v", original, err)
		}
		if !utf8.ValidString(original) {
			return // encoding/json replaces what is no UTF-8
		}
		for i := range r.Len() {
			f, v := r.At(i)
			want, err := decodeValue([]byte(object[fieldNames[f]]))
			if _, twice := r.Value(f); err == nil && twice && r.Len() == len(object) && string(v) != string(want) {
				t.Errorf("%q: field %d is %q, want %q", original, f, v, want)
			}
		}
	})
}
