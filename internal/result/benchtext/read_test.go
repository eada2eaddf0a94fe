package benchtext

import (
	"errors"
	"strings"
	"testing"

	"github.com/tarebench/tare/record"
)

const sample = `goos: linux
goarch: amd64
pkg: example.org/a
cpu: A CPU
seed: 12
BenchmarkX/size=1k-8   	     100	        10.0 ns/op	  1.50 MB/s	       8 B/op	       1 allocs/op
some rubbish
BenchmarkX/size=1k-8   	     100	        11.0 ns/op	  1.40 MB/s	       8 B/op	       1 allocs/op
--- BENCH: BenchmarkY
Unit hits better=higher
BenchmarkY   	     200	        20 ns/op	  3 hits
pkg: example.org/b
BenchmarkX-8   	       1	  12345678 ns/op
PASS
ok  	example.org/b	1.2s
`

func TestRead(t *testing.T) {
	lines, err := Read(strings.NewReader(sample), "a.txt")
	if err != nil {
		t.Fatal(err)
	}
	var cases []*record.Case
	samples := map[int]*record.Sample{}
	forks := map[int]int{} // forks by case
	for _, l := range lines {
		switch l := l.(type) {
		case *record.Run:
			if e := l.Env; e.OS != "linux" || e.Arch != "amd64" || e.CPU != "A CPU" {
				t.Errorf("environment %+v", e)
			}
		case *record.Case:
			cases = append(cases, l)
		case *record.Sample:
			samples[l.Fork] = l
		case *record.Fork:
			forks[l.Case]++
		}
	}
	if len(cases) != 3 {
		t.Fatalf("%d cases", len(cases))
	}
	x, y, bx := cases[0], cases[1], cases[2]
	if x.Name != "X/size=1k" || x.Procs != 8 || x.Pkg != "example.org/a" || len(x.Params) != 1 || forks[x.ID] != 2 {
		t.Errorf("first case %+v with %d forks", x, forks[x.ID])
	}
	if y.Procs != 1 || y.Units["hits"].Better != record.Higher {
		t.Errorf("second case %+v", y)
	}
	if bx.Name != "X" || bx.Pkg != "example.org/b" {
		t.Errorf("third case %+v", bx)
	}
	s := samples[1]
	for unit, want := range map[string]float64{"ns/op": 10, "MB/s": 1.5, "B/op": 8, "allocs/op": 1} {
		if got, ok := s.V.Get(unit); !ok || got != want {
			t.Errorf("%s = %v, %v; want %v", unit, got, ok, want)
		}
	}
	if s.Ns != 1000 || s.Ops != 100 {
		t.Errorf("ns %d, ops %d", s.Ns, s.Ops)
	}
}

func TestReadRefuses(t *testing.T) {
	for _, text := range []string{"", "hello\n", "PASS\nok x 1s\n"} {
		if _, err := Read(strings.NewReader(text), "x.txt"); !errors.Is(err, ErrNoResults) || !strings.Contains(err.Error(), "x.txt") {
			t.Errorf("%q: %v", text, err)
		}
	}
	_, err := Read(strings.NewReader("BenchmarkX 1 2 ns/op\nBenchmarkX 1 two ns/op\n"), "x.txt")
	if err == nil || !strings.Contains(err.Error(), "x.txt:2") {
		t.Errorf("a malformed line: %v", err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(sample)
	f.Add("BenchmarkX-0 1 NaN ns/op\n")
	f.Fuzz(func(t *testing.T, text string) {
		lines, _ := Read(strings.NewReader(text), "fuzz")
		ids := map[int]bool{}
		for _, l := range lines {
			switch l := l.(type) {
			case *record.Case:
				ids[l.ID] = true
			case *record.Fork:
				if !ids[l.Case] {
					t.Fatalf("fork %d of case %d, which was not introduced", l.ID, l.Case)
				}
			}
		}
	})
}

// TestUnitTwice: of a unit that a line names twice the first value counts, and a warning says so once.
func TestUnitTwice(t *testing.T) {
	lines, err := Read(strings.NewReader("BenchmarkX 100 10 ns/op 1 allocs/op 9 allocs/op\nBenchmarkY 100 10 ns/op\nBenchmarkY 100 10 ns/op 11 ns/op\n"), "a.txt")
	if err != nil {
		t.Fatal(err)
	}
	var warned []string
	for _, l := range lines {
		switch l := l.(type) {
		case *record.Warn:
			warned = append(warned, l.Text)
		case *record.Sample:
			for i, v := range l.V {
				if v.Value != 10 && v.Value != 1 || i > 1 {
					t.Errorf("%+v", l)
				}
			}
		}
	}
	if want := "a.txt: 2 lines have a unit twice, first X allocs/op, and the first value counts"; len(warned) != 1 || warned[0] != want {
		t.Errorf("%q, want %q", warned, want)
	}
}
