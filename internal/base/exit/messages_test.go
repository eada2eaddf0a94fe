package exit

import (
	"bytes"
	"fmt"
	"testing"
)

// TestMessages: whoever writes, a terminal obeys nothing of it, and an address in it opens nothing.
func TestMessages(t *testing.T) {
	var out bytes.Buffer
	m := NewMessages(&out)
	for in, want := range map[string]string{
		"tare: ERR \x1b]0;x\x07\n":                         "tare: ERR \\x1b]0;x\\a\n",
		"a\u009b31m\x7f\u202e\r\n\tb\n":                    "a\\u009b31m\\x7f\\u202e\\r\n b\n",
		"redis://u:SECRET@h\nhttps://h/x?sig=SECRET\n":     "redis://u:***@h\nhttps://h/x?sig=***\n",
		"100 µs ± 3 %\n":                                   "100 µs ± 3 %\n",
		"\xff\n":                                           "\\xff\n",
		Shown("tare: ERR \x1b[2J of redis://u:SECRET@h\n"): "tare: ERR \\x1b[2J of redis://u:***@h\n",
	} {
		out.Reset()
		if n, err := fmt.Fprint(m, in); n != len(in) || err != nil || out.String() != want {
			t.Errorf("%q: %q, want %q (%d, %v)", in, out.String(), want, n, err)
		}
	}
	if m.Terminal() != &out {
		t.Error("the writer below is another")
	}
}
