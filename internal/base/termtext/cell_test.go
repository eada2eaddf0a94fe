package termtext

import (
	"bytes"
	"encoding/json"
	"testing"
)

// TestCell: numbers stay, formulas become text, and nothing is obeyed.
func TestCell(t *testing.T) {
	for in, want := range map[string]string{
		"": "", "-1.5e-3": "-1.5e-3", "+Inf": "+Inf", "12": "12", "a,b": "a,b", "µs": "µs",
		"=1+1": "'=1+1", "-x": "'-x", "+x": "'+x", "@x": "'@x", "\tx": `'\tx`, "a\x1b[2J\n\u202e": `a\x1b[2J\n\u202e`, "\xff": `\xff`,
	} {
		if got := Cell(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// TestJSON: the text is the same to a reader of JSON.
func TestJSON(t *testing.T) {
	const name = "a\u007f\u009b\u202e\u2066\u200b\U000e0001µ…日\U0001f600"
	text, _ := json.Marshal(name)
	var b bytes.Buffer
	if n, err := JSON(&b).Write(text); n != len(text) || err != nil {
		t.Fatal(n, err)
	}
	if want := `"a\u007f\u009b\u202e\u2066\u200b\udb40\udc01µ…日😀"`; b.String() != want {
		t.Errorf("%s, want %s", b.String(), want)
	}
	var back string
	if err := json.Unmarshal(b.Bytes(), &back); err != nil || back != name {
		t.Errorf("%q, %v", back, err)
	}
}
