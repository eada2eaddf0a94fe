package record

import (
	"strings"
	"testing"
)

// TestPossible: lines of load runs with values that no run has are damaged.
func TestPossible(t *testing.T) {
	for text, want := range map[string]string{
		`{"k":"stall","by":"mock","start":1,"length":-1}`:                                      `f:2: stall line: key "length" cannot be -1`,
		`{"k":"load","phase":"run","slowest":[{"op":"GET","due":9,"start":8,"end":10}]}`:       `due at 9 was sent at 8`,
		`{"k":"load","phase":"run","slowest":[` + strings.Repeat(`{"op":"x"},`, 1000) + `{}]}`: `has 1001 operations, 1000 at most`,
		`{"k":"marks","phase":"run","generator":{"gc":{"n":-1}}}`:                              `marks line: key "gc.n" cannot be -1`,
		`{"k":"marks","phase":"run","servers":[{"pid":1,"delay":9223372036854775807}]}`:        `key "delay" cannot be 9223372036854775807`,
	} {
		r := NewReader(strings.NewReader(runLine+text+"\n"), "f")
		var got string
		for _, err := range r.All() {
			if err != nil {
				got = err.Error()
			}
		}
		if !strings.Contains(got, want) {
			t.Errorf("%.80s: %q, want %q in it", text, got, want)
		}
	}
}
