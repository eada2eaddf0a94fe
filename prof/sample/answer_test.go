package sample

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/pprof/profile"
)

// TestAnswerParts: what takes little room in an answer and much in memory has a limit, too.
func TestAnswerParts(t *testing.T) {
	empty := func(field byte, n int) []byte { return bytes.Repeat([]byte{field<<3 | 2, 0}, n) }
	inside := func(field byte, text []byte) []byte {
		out := []byte{field<<3 | 2, byte(len(text)) | 0x80, byte(len(text)>>7) | 0x80, byte(len(text)>>14) | 0x80, byte(len(text)>>21) | 0x80, byte(len(text) >> 28)}
		return append(out, text...)
	}
	for name, data := range map[string][]byte{
		"samples":  empty(fieldSample, maxItems+1),
		"strings":  empty(6, maxItems+1),
		"labels":   inside(fieldSample, empty(3, maxItems+1)),
		"lines":    inside(fieldLocation, empty(4, maxItems+1)),
		"calls":    inside(fieldSample, inside(1, make([]byte, 16*(maxItems+1)))),
		"in depth": inside(fieldLocation, bytes.Repeat(empty(4, 1), maxItems+1)),
	} {
		if _, err := parseProfile(bytes.NewReader(data)); err == nil || !strings.Contains(err.Error(), "has more than") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := parseProfile(bytes.NewReader(make([]byte, maxAnswer+1))); err == nil || !strings.Contains(err.Error(), "is of more than 64 MiB") {
		t.Error(err)
	}
	text := "goroutine 1 [sleep]:\n" + strings.Repeat("f\n", 2*maxFrames+1)
	if _, err := parseGoroutines(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), "has more than") {
		t.Error(err)
	}
	text = "goroutine 1 [sleep]:\n" + strings.Repeat("f", maxLine+1)
	if _, err := parseGoroutines(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), "a line has more than") {
		t.Error(err)
	}
}

// TestParseProfile: what a profiler writes is read, packed or not.
func TestParseProfile(t *testing.T) {
	p := &profile.Profile{SampleType: []*profile.ValueType{{Type: "cpu", Unit: "nanoseconds"}}, DurationNanos: 7}
	var packed, plain bytes.Buffer
	if err := p.Write(&packed); err != nil {
		t.Fatal(err)
	}
	if err := p.WriteUncompressed(&plain); err != nil {
		t.Fatal(err)
	}
	for _, b := range []*bytes.Buffer{&packed, &plain} {
		if got, err := parseProfile(b); err != nil || got.DurationNanos != 7 {
			t.Errorf("%v, %v", got, err)
		}
	}
}

// TestLimited: an answer of just so many bytes is whole.
func TestLimited(t *testing.T) {
	for _, n := range []int64{maxAnswer - 1, maxAnswer, maxAnswer + 1} {
		read, err := io.Copy(io.Discard, newLimited(io.LimitReader(endless{}, n), "it"))
		if (err == nil) != (n <= maxAnswer) || n <= maxAnswer && read != n {
			t.Errorf("%d: %d, %v", n, read, err)
		}
	}
}

type endless struct{}

func (endless) Read(b []byte) (int, error) { return len(b), nil }

// TestWatcherWeight: what was seen has a weight that grows with it.
func TestWatcherWeight(t *testing.T) {
	w := &watcher{at: map[string]int{}, reasons: map[string]int{}}
	for i := range 1000 {
		w.look(int64(i), 1, []goroutine{{id: uint64(i), frames: []frame{{name: fmt.Sprintf("main.f%d", i), file: "x.go", line: i}}}})
	}
	if w.weight < 100_000 || w.weight > 1_000_000 {
		t.Errorf("1000 looks weigh %d bytes", w.weight)
	}
}

func FuzzParseProfile(f *testing.F) {
	f.Add([]byte{fieldSample<<3 | 2, 2, 3<<3 | 2, 0})
	f.Fuzz(func(t *testing.T, data []byte) {
		if p, err := parseProfile(bytes.NewReader(data)); (p == nil) == (err == nil) {
			t.Errorf("%v, %v", p, err)
		}
	})
}
