package redact

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/tarebench/tare/record"
)

// secret is a text with an address whose every secret has the word HUNTER.
const secret = `x https://me:HUNTER@h/x?a=1&sig=HUNTER`

// TestLine: no text of any line keeps a secret, and the line that was given keeps all.
func TestLine(t *testing.T) {
	for _, l := range []record.Line{
		new(record.Run), new(record.Bin), new(record.Case), new(record.Fork), new(record.Hist), new(record.Load), new(record.Stall), new(record.Marks), new(record.Agent), new(record.Overhead), new(record.Warn),
		new(record.Attach), new(record.InterimAnalysis), new(record.Reference), new(record.AnotherRun), new(record.Replan), new(record.End),
	} {
		if shown := Line(l); shown != l {
			t.Errorf("%T: a line without secrets was copied", l)
		}
		n := fill(reflect.ValueOf(l).Elem())
		if c, ok := l.(*record.Case); ok {
			c.Params = record.ParseName(c.Name)
		}
		before, _ := json.Marshal(l)
		shown, _ := json.Marshal(Line(l))
		if strings.Contains(string(shown), "HUNTER") || strings.Count(string(shown), Placeholder) < n {
			t.Errorf("%T: %s", l, shown)
		}
		if after, _ := json.Marshal(l); !bytes.Equal(after, before) {
			t.Errorf("%T was changed: %s", l, after)
		}
	}
	s := &record.Sample{Role: secret}
	if shown := Line(s).(*record.Sample); strings.Contains(shown.Role, "HUNTER") {
		t.Error(shown)
	}
	s = &record.Sample{V: record.Values{{Unit: secret, Value: 1}}}
	if shown := Line(s).(*record.Sample); strings.Contains(shown.V[0].Unit, "HUNTER") || shown.V[0].Value != 1 {
		t.Error(shown)
	}
	a := &record.Attach{Data: []byte(`{"name":"https:\/\/me:HUNTER@h","more":["a?sig=HUNTER",1e3]}`)}
	if shown := string(Line(a).(*record.Attach).Data); shown != `{"name":"https://me:***@h","more":["a?sig=***",1e3]}` {
		t.Error(shown)
	}
}

// fill sets all texts in a value to one with a secret, and returns how many.
func fill(v reflect.Value) (n int) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(secret)
		return 1
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Field(i); f.CanSet() {
				n += fill(f)
			}
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() != reflect.Uint8 {
			v.Set(reflect.MakeSlice(v.Type(), 1, 1))
			n += fill(v.Index(0))
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		x := reflect.New(v.Type().Elem()).Elem()
		n += 1 + fill(x)
		v.SetMapIndex(reflect.ValueOf(secret).Convert(v.Type().Key()), x)
	case reflect.Pointer:
		if v.Type().Elem().Kind() == reflect.Struct {
			v.Set(reflect.New(v.Type().Elem()))
			n += fill(v.Elem())
		}
	}
	return n
}

// TestLines: lines with secrets are written without them, and all others as they are, however they come.
func TestLines(t *testing.T) {
	const plain = `{"k":"new",  "x":"a\u0026b?", "n":1.50}` + "\r\n" + `no JSON "` + "\n\n"
	attach, _ := json.Marshal(map[string]any{"fork": 1, "name": "trace", "media": "application/json", "data": []byte(`{"mode":"redis://u:HUNTER@h"}`)})
	text := plain + `{"k":"new","x":["redis://u:HUNTER@h\n","\/x?a=1\u0026sig=HUNTER"]}` + "\n" +
		`{"k":"case","id":1,"name":"G/h?sig=HUNTER","params":[{"k":"h?sig","v":"HUNTER"}]}` + "\n" +
		`{"k":"fork","id":1,"case":1,"bin":1,"round":1,"order":1,"purpose":"timing","exit":"1","state":"failed","why":"host=h password=HUNTER user=u","tail":"{\"token\":\"HUNTER\"}"}` + "\n" +
		`{"k":"warn","about":"run","code":"x","text":"token=HUNTER","facts":{"why":"token=HUNTER"}}` + "\n" +
		`{"k":"attach",` + string(attach[1:]) + "\n" + plain + `{"k":"end","why":"?token=HUNTER`
	for _, step := range []int{1, 7, len(text)} {
		var out bytes.Buffer
		l := NewLines(&out)
		for rest := text; rest != ""; rest = rest[min(step, len(rest)):] {
			if _, err := l.Write([]byte(rest[:min(step, len(rest))])); err != nil {
				t.Fatal(err)
			}
		}
		if err := l.Flush(); err != nil {
			t.Fatal(err)
		}
		shown := out.String()
		if !strings.HasPrefix(shown, plain+`{"k":"new","x":["redis://u:***@h\n","/x?a=1&sig=***"]}`+"\n"+`{"k":"case",`) || strings.Count(shown, plain) != 2 {
			t.Errorf("in pieces of %d: %s", step, shown)
		}
		if strings.Contains(shown, "HUNTER") {
			t.Errorf("in pieces of %d: %s", step, shown)
		}
		r := record.NewReader(strings.NewReader(`{"k":"run","v":1}`+"\n"+shown), "x")
		for line, _ := range r.All() {
			if a, ok := line.(*record.Attach); ok && string(a.Data) != `{"mode":"redis://u:***@h"}` {
				t.Errorf("%s", a.Data)
			}
		}
	}
}

// TestNumbered: names that differ in secrets alone stay several.
func TestNumbered(t *testing.T) {
	for want, got := range map[string]string{
		"G/***": Numbered("G/***", 0), "G/***#01": Numbered("G/***", 1), "G": Numbered("G", 1),
	} {
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// TestNameHash: a case whose name contained a secret keeps a hash of the name, also when it is redacted again. The hash
// distinguishes it from other cases. A case without a secret has no hash.
func TestNameHash(t *testing.T) {
	redacted := func(name string) *record.Case { return Line(&record.Case{Name: name}).(*record.Case) }
	a, b := redacted("G/http://h/x?sig=AAAA"), redacted("G/http://h/x?sig=BBBB")
	if a.Name != b.Name || len(a.NameHash) != 8 || a.NameHash == b.NameHash || a.NameHash != redacted("G/http://h/x?sig=AAAA").NameHash {
		t.Errorf("%+v, %+v", a, b)
	}
	if again := Line(a).(*record.Case); again != a {
		t.Errorf("redacted again: %+v", again)
	}
	if c := redacted("G/a=1"); c.NameHash != "" {
		t.Errorf("%+v", c)
	}
}
