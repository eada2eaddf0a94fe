package record

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
)

func TestValuesJSON(t *testing.T) {
	tests := []struct {
		json string
		want Values
	}{
		{`{}`, nil},
		{`null`, nil},
		{`{"ns/op":1.5,"B/op":0}`, Values{{"ns/op", 1.5}, {"B/op", 0}}},
		{` { "z" : -0 , "a" : 1E2 } `, Values{{"z", math.Copysign(0, -1)}, {"a", 100}}},
		{`{"a":"NaN","b":"+Inf","c":"-Inf"}`, Values{{"a", math.NaN()}, {"b", math.Inf(1)}, {"c", math.Inf(-1)}}},
		{`{"a":1,"a":2}`, Values{{"a", 1}, {"a", 2}}},
		{`{"\u00b5s":1}`, Values{{"µs", 1}}},
	}
	for _, test := range tests {
		var got Values
		if err := json.Unmarshal([]byte(test.json), &got); err != nil {
			t.Errorf("%s: %v", test.json, err)
		} else if !equal(&Sample{V: got}, &Sample{V: test.want}) {
			t.Errorf("%s: got %v, want %v", test.json, got, test.want)
		}
		text, err := json.Marshal(got)
		if err != nil {
			t.Errorf("%s: %v", test.json, err)
		}
		var again Values
		if err := json.Unmarshal(text, &again); err != nil || !equal(&Sample{V: again}, &Sample{V: got}) {
			t.Errorf("%s: written as %s, read as %v, %v", test.json, text, again, err)
		}
	}
}

func TestValuesJSONErrors(t *testing.T) {
	for _, text := range []string{`[]`, `1`, `"a"`, `{"a":"Inf"}`, `{"a":true}`, `{"a":null}`, `{"a":{}}`, `{"a":1e999}`} {
		got := Values{{"old", 1}}
		if err := json.Unmarshal([]byte(text), &got); err == nil {
			t.Errorf("%s: got %v, want an error", text, got)
		}
	}
	for _, text := range []string{``, `{`, `{"a"`, `{"a":`, `{"a":1`, `{1:2}`, `x`} {
		if err := new(Values).UnmarshalJSON([]byte(text)); err == nil {
			t.Errorf("%q: want an error", text)
		}
	}
}

func TestValuesGet(t *testing.T) {
	v := Values{{"a", 1}, {"b", 2}, {"a", 3}}
	if f, ok := v.Get("a"); f != 1 || !ok {
		t.Errorf("Get(a) = %v, %v", f, ok)
	}
	if f, ok := v.Get("c"); f != 0 || ok {
		t.Errorf("Get(c) = %v, %v", f, ok)
	}
}

func TestSeed(t *testing.T) {
	tests := []struct {
		text string
		want Seed
	}{
		{"0", 0}, {"7f3a", 0x7f3a}, {"0x7f3a", 0x7f3a}, {"0X7F3A", 0x7f3a}, {"ffffffffffffffff", math.MaxUint64},
	}
	for _, test := range tests {
		got, err := ParseSeed(test.text)
		if err != nil || got != test.want {
			t.Errorf("ParseSeed(%q) = %v, %v", test.text, got, err)
		}
		again, err := ParseSeed(got.String())
		if err != nil || again != got {
			t.Errorf("ParseSeed(%q) = %v, %v", got.String(), again, err)
		}
	}
	for _, text := range []string{"", "0x", "-1", "+1", "7_f", " 1", "0x0x1", "g", "1ffffffffffffffff"} {
		if got, err := ParseSeed(text); err == nil || !strings.Contains(err.Error(), "hexadecimal") {
			t.Errorf("ParseSeed(%q) = %v, %v; want an error", text, got, err)
		}
	}
	b, err := json.Marshal(Seed(0x7f3a))
	if err != nil || string(b) != `"7f3a"` {
		t.Errorf("JSON is %s, %v", b, err)
	}
}
