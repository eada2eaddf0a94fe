package mutate_test

import (
	"bytes"
	"encoding/base64"
	"strings"
	"testing"

	"github.com/tarebench/tare/dev/attack/mutate"
	"github.com/tarebench/tare/hist"
)

const text = `{"k":"run","v":1,"seed":"11","config":{"forks":100}}
{"k":"fork","id":64,"case":3,"state":"ok"}
{"k":"end","state":"completed"}
`

// TestRepeats: the same seed damages the same file in the same way, and another seed in another.
func TestRepeats(t *testing.T) {
	others := [][]byte{[]byte("a\nb\n")}
	differ := 0
	for i := range 200 {
		a, what := mutate.Text(mutate.Seed(1, "x", i), []byte(text), others)
		b, again := mutate.Text(mutate.Seed(1, "x", i), []byte(text), others)
		if !bytes.Equal(a, b) || what != again {
			t.Fatalf("input %d: %q and %q, %q and %q", i, what, again, a, b)
		}
		if c, _ := mutate.Text(mutate.Seed(2, "x", i), []byte(text), others); !bytes.Equal(a, c) {
			differ++
		}
	}
	if differ < 180 {
		t.Errorf("another seed gave other bytes for %d of 200 inputs", differ)
	}
}

// TestKinds: every kind of damage is made, most files differ from the real one, and none is too large.
func TestKinds(t *testing.T) {
	var h hist.Histogram
	for i := range int64(1000) {
		h.Record(i * 1000)
	}
	payload, err := h.Encode()
	if err != nil {
		t.Fatal(err)
	}
	file := []byte(text + `{"k":"hist","data":"` + base64.StdEncoding.EncodeToString(payload) + "\"}\n")
	seen, same := map[string]int{}, 0
	for i := range 1000 {
		out, what := mutate.Text(mutate.Seed(7, "kinds", i), file, [][]byte{[]byte(text)})
		if bytes.Equal(out, file) {
			same++
		}
		if len(out) > mutate.MaxSize {
			t.Errorf("input %d has %d bytes", i, len(out))
		}
		for name := range strings.SplitSeq(what, ", ") {
			seen[name]++
		}
	}
	for _, kind := range []string{"bits flipped", "cut off", "line twice", "lines exchanged", "line of another file", "extreme number", "deep nesting", "long line", "hostile text", "damage inside a payload"} {
		if seen[kind] < 10 {
			t.Errorf("%q was made %d times in 1000 inputs: %v", kind, seen[kind], seen)
		}
	}
	if same > 50 {
		t.Errorf("%d of 1000 inputs are the file itself", same)
	}
}
