package calls

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tarebench/tare/record"
)

// TestDuration: three digits, and none that is not known.
func TestDuration(t *testing.T) {
	for _, c := range []struct {
		ns, finest float64
		want       string
	}{
		{0, 0, "0"},
		{-5, 0, "0"},
		{math.NaN(), 0, "0"},
		{501.2e6, 0.4, "501 ms"},
		{1.08e6, 0.4, "1.08 ms"},
		{999.6, 0, "1.00 µs"},
		{999.4, 0, "999 ns"},
		{9.996e3, 0, "10.0 µs"},
		{59.96e9, 0, "60.0 s"},
		{123456e9, 0, "123 000 s"},
		{1234e9, 0, "1230 s"},
		{20.4, 0.385, "20 ns"},
		{20.4, 0.04, "20.4 ns"},
		{1.26, 0.385, "1 ns"},
		{0.3, 0.385, "<1 ns"},
		{0.6, 0.385, "1 ns"},
		{0.0001, 0, "<0.001 ns"},
		{5.17e9, 1e8, "5.2 s"},
		{5.17e9, 1.01e8, "5 s"},
		{4e7, 1e8, "<100 ms"},
		{6e7, 1e8, "100 ms"},
		{1e300, 0, "1 000 000 000 s"},
		{5, 1e300, "<1 000 000 000 s"},
		{5, 5e-324, "5.00 ns"},
	} {
		if got := duration(c.ns, c.finest).String(); got != c.want {
			t.Errorf("%g ns, known to %g: %q, want %q", c.ns, c.finest, got, c.want)
		}
	}
}

// TestDurationTrue: what is written is not farther from the truth than it claims.
func TestDurationTrue(t *testing.T) {
	units := map[string]float64{"ns": 1, "µs": 1e3, "ms": 1e6, "s": 1e9}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		ns := math.Pow(10, rng.Float64()*14)
		f := rounded(ns, 0, 3)
		got, digits := 0.0, 0
		for _, r := range f.whole + f.part {
			if r >= '0' && r <= '9' {
				got = 10*got + float64(r-'0')
				digits++
			}
		}
		got *= units[f.unit] / math.Pow10(max(0, len(f.part)-1))
		if math.Abs(got-ns) > 0.00501*ns || digits < 3 {
			t.Fatalf("%g ns: %q is %g", ns, f, got)
		}
	}
}

func TestPercent(t *testing.T) {
	for share, want := range map[float64]string{
		0: "0 %", -1: "0 %", math.NaN(): "0 %", 1e-9: "<0.1 %", 0.0004: "<0.1 %", 0.0005: "0.1 %", 0.0994: "9.9 %", 0.0996: "10 %", 0.994: "99 %", 1: "100 %", 1.5: "150 %",
	} {
		if got := percent(share).String(); got != want {
			t.Errorf("%g: %q, want %q", share, got, want)
		}
	}
}

// TestCorrected: a corrected total is shown where it differs in the digits that are known.
func TestCorrected(t *testing.T) {
	for _, c := range []struct {
		total, corrected float64
		want             string
	}{
		{1e9, 1e9, ""},
		{1e9, 0.9999e9, ""},         // 1.00 s both
		{1e9, 0.9e9, "900 ms"},      // known to 100 ms
		{1e9, 0.96e9, "960 ms"},     // known to 40 ms
		{1e9, 0.8e9, "800 ms?"},     // known to 200 ms
		{1e9, 0.333e9, "<700 ms"},   // if probes took half of it
		{1.65e9, 0.02e9, "<900 ms"}, // if probes took half of it
		{24e3, 380, "<20 µs"},
	} {
		f := record.TraceFunc{Calls: 9, Timed: 9, Total: c.total, Corrected: c.corrected}
		out := mustNew(t, &record.Trace{Mode: record.TraceExact, Tick: 0.4, Calls: 9, Funcs: []record.TraceFunc{f}}, Config{})
		got := out.corrected(0)
		if got.empty() != (c.want == "") || c.want != "" && got.String() != c.want {
			t.Errorf("%g ns, %g without probes: %q, want %q", c.total, c.corrected, got, c.want)
		}
	}
}

// TestPercentile: within a bucket of the true one, of what there are enough calls for.
func TestPercentile(t *testing.T) {
	f := &record.TraceFunc{Min: 10, Max: 990, Hist: []record.TraceBucket{{From: 8, To: 16, N: 500}, {From: 16, To: 32, N: 400}, {From: 512, To: 1024, N: 100}}}
	for _, c := range []struct{ q, want float64 }{{0.5, 12}, {0.501, 24}, {0.9, 24}, {0.901, 768}, {0.99, 768}, {0.999, 768}} {
		if got, ok := percentile(f, c.q); !ok || got != c.want {
			t.Errorf("p%g: %g %v, want %g", 100*c.q, got, ok, c.want)
		}
	}
	if got, _ := percentile(&record.TraceFunc{Min: 13, Max: 13, Hist: f.Hist[:1]}, 0.5); got != 13 {
		t.Errorf("p50 of calls that all took 13: %g", got)
	}
	three := &record.TraceFunc{Max: 32, Hist: []record.TraceBucket{{From: 8, To: 16, N: 1}, {From: 16, To: 32, N: 2}}}
	if got, _ := percentile(three, 0.5); got != 24 {
		t.Errorf("p50 of three calls: %g, want that of the second, 24", got)
	}
	few := &record.TraceFunc{Max: 20, Hist: []record.TraceBucket{{From: 8, To: 16, N: 99}}}
	if _, ok := percentile(few, 0.99); ok {
		t.Error("p99 of 99 calls: one call in a hundred is not known")
	}
	few.Hist[0].N = 100
	if _, ok := percentile(few, 0.99); !ok {
		t.Error("no p99 of 100 calls")
	}
	if _, ok := percentile(&record.TraceFunc{}, 0.5); ok {
		t.Error("a p50 of no calls")
	}
}

// TestNames: short where that is enough.
func TestNames(t *testing.T) {
	for _, c := range []struct {
		names []string
		want  []string
	}{
		{[]string{"main.(*Demo).Sleep1", "main.f"}, []string{"Demo.Sleep1", "f"}},
		{[]string{"main.(*Demo).Sleep1", "sort.Ints"}, []string{"main.Demo.Sleep1", "sort.Ints"}},
		{[]string{"a/b.F", "c/b.F", "c/b.G"}, []string{"a/b.F", "c/b.F", "b.G"}},
		{[]string{"a/b.F", "a/b.Map[go.shape.struct { x/y.z }]"}, []string{"F", "Map[go.shape.struct { x/y.z }]"}},
		{[]string{"a/b.(*List[...]).Push", "c.f"}, []string{"b.List[...].Push", "c.f"}},
		{[]string{"gopkg.in/yaml%2ev3.f", "gopkg.in/yaml%2ev3.(*T).g"}, []string{"f", "T.g"}},
		{[]string{"github.com/go-chi/chi/v5.(*Mux).ServeHTTP", "main.f", "gopkg.in/yaml%2ev3.f"}, []string{"chi.Mux.ServeHTTP", "main.f", "yaml.f"}},
		{[]string{"github.com/go-chi/chi/v5.(*Mux).ServeHTTP", "github.com/go-chi/chi/v5.F"}, []string{"Mux.ServeHTTP", "F"}},
		{[]string{"a/chi/v5.F", "b/chi.F"}, []string{"a/chi/v5.F", "b/chi.F"}},
		{[]string{"p.T.M", "p.(*T).M"}, []string{"T.M", "(*T).M"}}, // not possible in Go, but distinguished
		{[]string{"", "f"}, []string{"(no name)", "f"}},
		{[]string{"main.f.func1", "main.f"}, []string{"f.func1", "f"}},
		{[]string{"fmt.(*fmt).init", "fmt.init"}, []string{"fmt.init", "init"}},
		{[]string{"x/main.main", "x/main.main.func1"}, []string{"main", "main.func1"}},
	} {
		n := newNames(c.names)
		for i, name := range c.names {
			if got := n.of(name); got != c.want[i] {
				t.Errorf("%q: %s is %q, want %q", c.names, name, got, c.want[i])
			}
		}
	}
}
