package record

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

func TestLineDecoder(t *testing.T) {
	var d LineDecoder
	for _, test := range []struct {
		text string
		want Line
		err  string
	}{
		{`{"k":"sample","iter":2,"phase":"measure","t":5,"ns":7,"ops":3,"v":{"ns/op":2.5}}`,
			&Sample{Iter: 2, Phase: PhaseMeasure, T: 5, Ns: 7, Ops: 3, V: Values{{"ns/op", 2.5}}}, ""},
		{`{"k":"sample","fork":0,"iter":2,"phase":"measure","t":5,"wall":6,"ns":7,"ops":3,"v":{"ns/op":2.5}}`,
			&Sample{Iter: 2, Phase: PhaseMeasure, T: 5, Wall: 6, Ns: 7, Ops: 3, V: Values{{"ns/op", 2.5}}}, ""},
		{`{"iter":2,"v":{"x":"NaN"},"k":"sample","new":[1]}`, nil, ""}, // NaN is not equal to itself; that it decodes is enough
		{`{"k":"warn","about":"fork","code":"c","text":"t"}`, &Warn{About: AboutFork, Code: "c", Text: "t"}, ""},
		{`{"k":"attach","name":"n","media":"m","data":"aGk="}`, &Attach{Name: "n", Media: "m", Data: []byte("hi")}, ""},
		{`{"k":"tare","probe":2}`, &Overhead{Probe: 2}, ""},
		{`{"k":"end","state":"completed"}`, &End{State: EndCompleted}, ""},
		{`{"k":"mark","K":"end","b":1,"a":"x"}`, &Raw{Kind: "mark", Fields: fields(`"a"`, `"x"`, `"b"`, `1`)}, ""},
		{`{"k":"warn","code":5}`, nil, `warn line: key "code" cannot be a JSON number`},
		{`{"k":"sample","iter":"x"}`, nil, `sample line: key "iter" cannot be a JSON string`},
		{`{"k":"mark","a":}`, nil, "mark line: invalid character '}'"},
		{`{"a":1}`, nil, `no key "k"`},
		{`{"k":"sam`, nil, "unexpected end of JSON input"},
		{`[1]`, nil, "is no object but a JSON array"},
		{`null`, nil, `no key "k"`},
		{``, nil, "unexpected end"},
		{"\x00\xff", nil, "invalid character"},
	} {
		got, err := d.Decode([]byte(test.text))
		switch {
		case (err != nil) != (test.err != "") || err != nil && !strings.Contains(err.Error(), test.err):
			t.Errorf("%s: error %v, want %q", test.text, err, test.err)
		case test.want != nil && !reflect.DeepEqual(got, test.want):
			t.Errorf("%s:\n got %+v\nwant %+v", test.text, got, test.want)
		}
	}
}

func fields(kv ...string) map[string]json.RawMessage {
	m := map[string]json.RawMessage{}
	for i := 0; i < len(kv); i += 2 {
		m[strings.Trim(kv[i], `"`)] = json.RawMessage(kv[i+1])
	}
	return m
}

// TestRawWritten: a line of an unknown kind is written as it came, and no key
// of it can pass for another.
func TestRawWritten(t *testing.T) {
	l, err := new(LineDecoder).Decode([]byte(`{"K":"end","k":"mark","Fork":9,"data":"x<y","list":[1, 2]}`))
	if err != nil {
		t.Fatal(err)
	}
	raw := l.(*Raw)
	raw.Kind = "mark" // whichever of the two keys was read
	if err := raw.Set("fork", 7); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	w := NewWriter(&b)
	if err := w.Write(raw); err != nil {
		t.Fatal(err)
	}
	if err := w.Write(&Raw{Kind: "x"}); err != nil {
		t.Fatal(err)
	}
	want := `{"k":"mark","data":"x<y","fork":7,"list":[1,2]}` + "\n" + `{"k":"x"}` + "\n"
	if b.String() != want {
		t.Errorf("got  %swant %s", b.String(), want)
	}
	for _, kind := range []string{"", `mark","k":"end`, "HIST", "a b"} {
		if err := w.Write(&Raw{Kind: kind}); err == nil {
			t.Errorf("kind %q was written", kind)
		}
	}
}
