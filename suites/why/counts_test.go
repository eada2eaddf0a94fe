package why

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// counts are what one process did.
type counts struct{ reads, writes, collections float64 }

// counter is added to the package of a tree: it prints the counts of the process at its end.
const counter = `package %s

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
)

func TestMain(m *testing.M) {
	code := m.Run()
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	text, _ := os.ReadFile("/proc/self/io")
	fmt.Println("collections:", s.NumGC, strings.ReplaceAll(string(text), "\n", " "))
	os.Exit(code)
}
`

// counts returns what n operations add. It skips the test where the system does not count calls of read and write.
func (s *side) counts(t *testing.T, n int) counts {
	t.Helper()
	file := filepath.Join(s.dir, s.seed.Package, "counter_test.go")
	if err := os.WriteFile(file, fmt.Appendf(nil, counter, s.seed.Package), 0o666); err != nil {
		t.Fatal(err)
	}
	binary := s.compile(t)
	few, many := readCounts(t, s.run(t, binary, 1)), readCounts(t, s.run(t, binary, n+1))
	return counts{many.reads - few.reads, many.writes - few.writes, many.collections - few.collections}
}

func readCounts(t *testing.T, out string) (c counts) {
	t.Helper()
	_, line, _ := strings.Cut(out, "collections: ")
	if _, err := fmt.Sscan(line, &c.collections); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for name, to := range map[string]*float64{"syscr: ": &c.reads, "syscw: ": &c.writes} {
		_, rest, found := strings.Cut(line, name)
		if !found {
			t.Skip("this system does not count calls of read and write in /proc/self/io")
		}
		if _, err := fmt.Sscan(rest, to); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	return c
}

// proveSyscalls: so many more calls of read or write per operation.
func proveSyscalls(t *testing.T, c compiled) {
	const n = 100
	before, after := c.base.counts(t, n), c.changed.counts(t, n)
	if x, y := before.reads/n, after.reads/n; c.Proof.Reads > 0 && y-x < c.Proof.Reads {
		t.Errorf("%v and %v reads per operation, want %v more", x, y, c.Proof.Reads)
	}
	if x, y := before.writes/n, after.writes/n; c.Proof.Writes > 0 && y-x < c.Proof.Writes {
		t.Errorf("%v and %v writes per operation, want %v more", x, y, c.Proof.Writes)
	}
}
