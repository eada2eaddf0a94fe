package sample

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// TestKept: of long lines only the reported part is kept, and all that is kept has a weight.
func TestKept(t *testing.T) {
	const looks, length = 40, 500_000
	long := strings.Repeat("x", length)
	short := func(int) string { return "sleep" }
	for name, c := range map[string]struct {
		reason func(i int) string
		text   string  // of a goroutine, with a place for what is different
		most   float64 // bytes
	}{
		"arguments": {short, "main.f%d(" + long + ")\n\t/x.go:1 +0x1\n", length},
		"places":    {short, "main.f%d()\n\t/x.go:1 +0x1" + long + "\n", length},
		"creators":  {short, "main.f%d()\n\t/x.go:1 +0x1\ncreated by main.g in goroutine 1 " + long + "\n", 2 * length},
		"heads":     {func(int) string { return "sleep, " + long }, "main.f%d()\n\t/x.go:1\n", length},
		"functions": {short, "main.f%d" + long + "()\n\t/x.go:1\n", 0},
		"reasons":   {func(i int) string { return fmt.Sprint(i, long) }, "main.f%d()\n\t/x.go:1\n", 0},
	} {
		w := &watcher{at: map[string]int{}, reasons: map[string]int{}}
		before := heap()
		for i := range looks {
			gs, err := parseGoroutines(strings.NewReader("goroutine 1 [" + c.reason(i) + "]:\n" + fmt.Sprintf(c.text, i)))
			if err != nil {
				t.Fatal(name, err)
			}
			w.addSample(int64(i), 1, gs)
		}
		kept := heap() - before
		if c.most > 0 && kept > c.most {
			t.Errorf("%s: %.0f bytes are kept, want less than %.0f", name, kept, c.most)
		}
		if kept > 1.5*float64(w.weight)+length {
			t.Errorf("%s: %.0f bytes are kept, of a weight of %d", name, kept, w.weight)
		}
		runtime.KeepAlive(w)
	}
}

// heap is how many bytes are in use.
func heap() float64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}
