package toolchain_test

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"

	"github.com/tarebench/tare/internal/golang/build"
	"github.com/tarebench/tare/internal/golang/toolchain"
)

// TestStops: the half of package timerlog notes every stretch of an iteration in which
// its timer ran, from mark to mark, and nothing of what is no benchmark; it does not
// allocate, and stops when there is no more room.
func TestStops(t *testing.T) {
	b := kindsBinary(t, "stops", build.Options{Deep: true, Parts: []toolchain.Part{*toolchain.TimerLog()}})
	const many = 5000 // stops, more than wait in the process
	notes := filepath.Join(t.TempDir(), "notes")
	for _, c := range []struct {
		re, benchtime, room string
		least               int // notes of each iteration
	}{
		{"^Benchmark(EmptyLoop|Window|N|Parallel|Sub)$", "10x", "100000", 1},
		{"^BenchmarkStopped$", "5000x", "100000", many},
		{"^BenchmarkStopped$", "5000x", "7000", 0},
		{"^BenchmarkStopped$", "5000x", "", 0},
	} {
		if err := os.WriteFile(notes, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		env := []string{"TARE_STOPS=" + notes, "TARE_STOPS_ROOM=" + c.room}
		s := run(t, b, env, "-test.run=^$", "-test.benchmem", "-test.bench="+c.re, "-test.benchtime="+c.benchtime, "-test.count=2")
		if s.exit != 0 || len(s.samples) < 2 {
			t.Fatalf("%s\n%s", s.text, s.pipe)
		}
		text, err := os.ReadFile(notes)
		if err != nil || len(text)%16 != 0 {
			t.Fatalf("%d bytes, %v", len(text), err)
		}
		if c.least == 0 {
			if want := 7000 * 16; c.room != "" && len(text) != want || c.room == "" && len(text) > 0 {
				t.Errorf("%d bytes with room for %q notes", len(text), c.room)
			}
			continue
		}
		var last int64
		for _, x := range s.samples {
			n, ns, first, end := 0, int64(0), int64(0), int64(0)
			for i := 0; i < len(text); i += 16 {
				from, to := int64(binary.NativeEndian.Uint64(text[i:])), int64(binary.NativeEndian.Uint64(text[i+8:]))
				if from < x.begin.T || from >= x.end.T && from != x.begin.T {
					continue
				}
				if from < last || to < from {
					t.Fatalf("%s: a note from %d to %d, behind %d", x.end.Name, from, to, last)
				}
				if n == 0 {
					first = from
				}
				n, ns, end, last = n+1, ns+to-from, to, to
			}
			if n < c.least || ns != x.Ns || first != x.begin.T || end != x.end.T {
				t.Errorf("%s: %d notes of %d ns from %d to %d, of %d ns from %d to %d", x.end.Name, n, ns, first, end, x.Ns, x.begin.T, x.end.T)
			}
			if x.end.Name == "Stopped" && x.get("allocs/op") > 0.01 { // the runtime itself may allocate a little
				t.Errorf("%v allocs/op", x.get("allocs/op"))
			}
		}
	}
}
