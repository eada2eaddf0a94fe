package sample

import (
	"fmt"
	"io"
	"runtime"
	"testing"
)

// manyGoroutines writes the text of n goroutines of one stack.
type manyGoroutines struct {
	n, at int
	rest  string
}

func (m *manyGoroutines) Read(b []byte) (int, error) {
	if m.rest == "" {
		if m.at == m.n {
			return 0, io.EOF
		}
		m.at++
		m.rest = fmt.Sprintf("goroutine %d [chan receive, 3 minutes]:\nmain.wait(0xc000012345)\n\t/src/example/main.go:12 +0x1d\ncreated by main.main in goroutine 1\n\t/src/example/main.go:20 +0x1d\n\n", m.at)
	}
	n := copy(b, m.rest)
	m.rest = m.rest[n:]
	return n, nil
}

// TestManyGoroutines: what is kept of an answer is little for each goroutine: 400 000 of them are below 100 MB, and a
// collection later below twice that. The texts of one stack are kept once.
func TestManyGoroutines(t *testing.T) {
	const n = 20_000
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	gs, err := parseGoroutines(&manyGoroutines{n: n})
	runtime.GC()
	runtime.ReadMemStats(&after)
	if err != nil || len(gs) != n {
		t.Fatalf("%d goroutines, %v", len(gs), err)
	}
	each := float64(after.HeapAlloc-before.HeapAlloc) / n
	t.Logf("%.0f bytes for each goroutine", each)
	if each > 600 {
		t.Errorf("%.0f bytes for each goroutine, want at most 600", each)
	}
	runtime.KeepAlive(gs)
}
