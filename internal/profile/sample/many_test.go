package sample

import (
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
)

// manyGoroutines writes the text of n goroutines of one stack.
type manyGoroutines struct {
	n, at int
	text  []byte // reused, so that what a test counts is not the reader's
	rest  []byte
}

func (m *manyGoroutines) Read(b []byte) (int, error) {
	if len(m.rest) == 0 {
		if m.at == m.n {
			return 0, io.EOF
		}
		m.at++
		m.text = fmt.Appendf(m.text[:0], "goroutine %d [chan receive, 3 minutes]:\nmain.wait(0xc000012345)\n\t/src/example/main.go:12 +0x1d\ncreated by main.main in goroutine 1\n\t/src/example/main.go:20 +0x1d\n\n", m.at)
		m.rest = m.text
	}
	n := copy(b, m.rest)
	m.rest = m.rest[n:]
	return n, nil
}

// TestManyGoroutines: what is kept of an answer is little for each goroutine, and so is what reading it allocates in
// all: 400 000 of them are below 60 MB, whatever the collector does.
func TestManyGoroutines(t *testing.T) {
	const n = 400_000
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	gs, err := parseGoroutines(&manyGoroutines{n: n})
	runtime.ReadMemStats(&after)
	allocated := float64(after.TotalAlloc-before.TotalAlloc) / n
	runtime.GC()
	runtime.ReadMemStats(&after)
	if err != nil || len(gs) != n {
		t.Fatalf("%d goroutines, %v", len(gs), err)
	}
	kept := float64(after.HeapAlloc-before.HeapAlloc) / n
	t.Logf("%.0f bytes kept, %.0f allocated for each goroutine", kept, allocated)
	if kept > 40 || allocated > 150 {
		t.Errorf("%.0f bytes kept, %.0f allocated for each goroutine, want at most 40 and 150", kept, allocated)
	}
	runtime.KeepAlive(gs)
}

// TestWatchMany: samples in which every goroutine has changed have room for them, and little more.
func TestWatchMany(t *testing.T) {
	const n, samples = 100_000, 5
	places := []*site{{state: inRunnable, frames: []frame{{name: "main.a"}}}, {state: inWaiting, reason: "sleep", frames: []frame{{name: "main.b"}}}}
	gs := make([]goroutine, n)
	w := &watcher{at: map[string]int{}, reasons: map[string]int{}}
	before := heap()
	for at := range samples {
		for i := range gs {
			gs[i] = goroutine{id: uint64(i), site: places[at%2]}
		}
		w.addSample(int64(at), 1, gs)
	}
	each := (heap() - before) / n
	if most := 2*24.0 + samples*changeBytes + 8; each > most { // where it is and was, and the changes
		t.Errorf("%.0f bytes for each goroutine in %d samples, want at most %.0f", each, samples, most)
	}
	if w.weight < samples*n*changeBytes {
		t.Errorf("%d samples weigh %d bytes", samples, w.weight)
	}
	runtime.KeepAlive(w)
}

// TestAnswerCut: an answer that the process cuts off is known by its length, and its last goroutine is not believed.
func TestAnswerCut(t *testing.T) {
	for _, c := range []struct {
		most int64
		want int
		cut  bool
	}{{300, 1, true}, {1 << 20, 3, false}} {
		gs, cut, err := parseAnswer(io.LimitReader(&manyGoroutines{n: 3}, c.most), c.most)
		if err != nil || cut != c.cut || len(gs) != c.want {
			t.Errorf("%d bytes: %d goroutines, cut %v, %v", c.most, len(gs), cut, err)
		}
	}
}

// TestAnswerEndless: a text that does not end is refused at its limit.
func TestAnswerEndless(t *testing.T) {
	gs, _, err := parseAnswer(&manyGoroutines{n: 1 << 40}, 1<<20)
	if err == nil || !strings.Contains(err.Error(), "is larger than 1 MiB") || len(gs) == 0 {
		t.Errorf("%d goroutines, %v", len(gs), err)
	}
}
