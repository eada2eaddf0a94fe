package target

import (
	"testing"
	"time"

	"github.com/tarebench/tare/dev/attack/tally"
)

// TestJudge: each way of misbehaving is found, and good manners are not.
func TestJudge(t *testing.T) {
	clear := "tare: error: x.jsonl: not a record file\n"
	for _, c := range []struct {
		what string
		o    Outcome
		want string
	}{
		{"done", Outcome{}, ""},
		{"refused", Outcome{Code: 1, Messages: clear}, ""},
		{"a file named goroutine", Outcome{Code: 1, Messages: "tare: error: goroutine 1.jsonl: panic: no such file\n"}, ""},
		{"silent", Outcome{Code: 1}, tally.Other},
		{"wrong code", Outcome{Code: 3, Messages: clear}, tally.Other},
		{"panic", Outcome{Code: 2, Messages: "panic: index out of range\n\ngoroutine 1 [running]:\n"}, tally.Panic},
		{"stack overflow", Outcome{Code: 2, Messages: "runtime: goroutine stack exceeds\nfatal error: stack overflow\n"}, tally.Panic},
		{"killed", Outcome{Code: -1, Died: "signal: killed"}, tally.Panic},
		{"hung", Outcome{Code: -1, Hung: true, Died: "signal: killed"}, tally.Hang},
		{"slow", Outcome{CPU: 11 * time.Second}, tally.Hang},
		{"slow on a busy machine", Outcome{Took: 30 * time.Second, CPU: time.Second}, ""},
		{"large", Outcome{Peak: 301_000_000}, tally.Memory},
		{"escape", Outcome{Raw: `"\x1b"`}, tally.Other},
	} {
		found := c.o.Judge(Readers)
		if c.want == "" && len(found) > 0 || c.want != "" && (len(found) != 1 || found[0].Kind != c.want) {
			t.Errorf("%s: found %+v, want %q", c.what, found, c.want)
		}
	}
}

// TestWatch: control characters are found wherever writes cut the text, and no others are.
func TestWatch(t *testing.T) {
	for text, bad := range map[string]bool{
		"plain\ttext\n": false, "größer – ± µ": false, "a\x1b[2J": true, "a\rb": true, "\x00": true, "\x7f": true, "c1 \u009b31m": true, "nbsp \u00a0": false, "\xff\xfe": false,
	} {
		for cut := range len(text) + 1 {
			var w watch
			w.Write([]byte(text[:cut]))
			w.Write([]byte(text[cut:]))
			if (w.raw != "") != bad {
				t.Errorf("%q cut at %d: found %s", text, cut, w.raw)
			}
			if string(w.head) != text {
				t.Errorf("kept %q of %q", w.head, text)
			}
		}
	}
}
