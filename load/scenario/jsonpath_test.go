package scenario

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestJSONPath(t *testing.T) {
	const doc = ` {"a":[1,{"b":"x\"\u00e4\ud83d\ude00y","c":null}],"e\u006d":true,"d.e":-1.5e3,"n":{"0":"zero"},"a":2} `
	for path, want := range map[string]string{
		"a.0": "1", "a.1.b": "x\"ä😀y", "a.1.c": "null", "em": "true", `d\.e`: "-1.5e3", "n.0": "zero", "n": `{"0":"zero"}`,
		"a.2": "!there is no such value", "a.b": "!there is no such value", "x": "!there is no such value", "em.x": "!there is no such value",
	} {
		p, err := parseJSONPath(path)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		value, err := p.find([]byte(doc))
		if got = string(appendJSONText(nil, value)); err != nil {
			got = "!" + err.Error()
		}
		if got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
	for path, want := range map[string]string{
		"$.a": "JSONPath is not supported", "a[0]": "brackets", "a.*": "brackets", "": "want names", "a..b": "want names", "a.": "want names",
	} {
		if _, err := parseJSONPath(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", path, err)
		}
	}
}

func TestJSONPathAllocates(t *testing.T) {
	p, _ := parseJSONPath("items.30.id")
	doc := []byte(`{"items":[` + strings.Repeat(`{"name":"something long","id":12345},`, 40) + `{}]}`)
	dst := make([]byte, 0, 64)
	if n := testing.AllocsPerRun(100, func() {
		value, err := p.find(doc)
		if err != nil {
			t.Fatal(err)
		}
		dst = appendJSONText(dst[:0], value)
	}); n != 0 || string(dst) != "12345" {
		t.Errorf("%v allocations, %s", n, dst)
	}
}

func BenchmarkJSONPath(b *testing.B) {
	p, _ := parseJSONPath("items.30.id")
	doc := []byte(`{"items":[` + strings.Repeat(`{"name":"something quite long as names are","price":10,"id":12345},`, 35) + `{}]}`)
	b.SetBytes(int64(len(doc)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := p.find(doc); err != nil {
			b.Fatal(err)
		}
	}
}

// firstAt is find with encoding/json, for names without dots.
func firstAt(doc []byte, names []string) (any, error) {
	d := json.NewDecoder(bytes.NewReader(doc))
	if len(names) == 0 {
		d.UseNumber()
		var v any
		err := d.Decode(&v)
		return v, err
	}
	open, err := d.Token()
	if err != nil {
		return nil, err
	}
	for i := 0; open == json.Delim('{') && d.More() || open == json.Delim('[') && d.More(); i++ {
		found := strconv.Itoa(i) == names[0]
		if open == json.Delim('{') {
			key, err := d.Token()
			if err != nil {
				return nil, err
			}
			found = key == names[0]
		}
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return nil, err
		}
		if found {
			return firstAt(raw, names[1:])
		}
	}
	return nil, errNoValue
}

// anIndex matches an index as firstAt writes it. gjson reads 01 as 1, too.
var anIndex = regexp.MustCompile(`^(0|[1-9][0-9]{0,5}|[^0-9].*)$`)

// FuzzJSONPath: in a valid document it finds what encoding/json does.
func FuzzJSONPath(f *testing.F) {
	for _, s := range []string{`{"a":[1,{"b":"x\ud83d\ude00\u0000"}]}`, `[]`, `{"a":{}}`, `{"a":1e5,"a":2}`, ` [ [ ] , -0 ] `, `{"a":"\ud800"}`, `{"a`, `nul`, `"\u12"`} {
		f.Add([]byte(s), "a.1.b")
		f.Add([]byte(s), "0")
	}
	f.Fuzz(func(t *testing.T, doc []byte, path string) {
		p, err := parseJSONPath(path)
		if err != nil {
			return
		}
		got, err := p.find(doc)
		if !json.Valid(doc) || !utf8.Valid(doc) {
			appendJSONText(nil, got)
			return
		}
		names := strings.Split(path, ".")
		if strings.Contains(path, `\`) || slices.ContainsFunc(names, func(n string) bool { return !anIndex.MatchString(n) }) {
			return
		}
		want, wantErr := firstAt(doc, names)
		if (err != nil) != (wantErr != nil) || errors.Is(err, errNotJSON) {
			t.Fatalf("%s in %s: %v, want %v", path, doc, err, wantErr)
		}
		if err != nil {
			return
		}
		d := json.NewDecoder(bytes.NewReader(got))
		d.UseNumber()
		var v any
		if err := d.Decode(&v); err != nil {
			t.Fatalf("%s in %s: %s: %v", path, doc, got, err)
		}
		if _, err := d.Token(); err != io.EOF {
			t.Fatalf("%s in %s: more than a value: %s", path, doc, got)
		}
		a, _ := json.Marshal(v)
		b, _ := json.Marshal(want)
		if !bytes.Equal(a, b) {
			t.Fatalf("%s in %s: %s, want %s", path, doc, a, b)
		}
		if s, ok := want.(string); ok && string(appendJSONText(nil, got)) != s {
			t.Fatalf("%s in %s: %q, want %q", path, doc, appendJSONText(nil, got), s)
		}
	})
}
