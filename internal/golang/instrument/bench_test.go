package instrument

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// costly is the program of testdata/cost.
func costly(b *testing.B, cfg Config) *instrumented {
	b.Helper()
	text, err := os.ReadFile("testdata/cost/main.go")
	if err != nil {
		b.Fatal(err)
	}
	p := &instrumented{dir: project(b, "main.go", string(text))}
	cfg.Dir, cfg.Match = p.dir, []string{"main.probed*"}
	p.w = plan(b, cfg)
	p.program = build(b, p.w)
	return p
}

// numbers are those in a line of what the program printed, last one first.
func numbers(b *testing.B, out string) (plain, probed float64) {
	b.Helper()
	var name string
	if _, err := fmt.Sscan(out, &name, &plain, &probed); err != nil {
		b.Fatalf("%q: %v", out, err)
	}
	return plain, probed
}

// BenchmarkProbe reports what a probe adds to the call of a function that is not
// inlined and does nothing, in ns: medians of turns against one without, in one
// process.
func BenchmarkProbe(b *testing.B) {
	for _, c := range []struct {
		name  string
		cfg   Config
		arena ArenaConfig
	}{
		{"exact", Config{}, ArenaConfig{}}, {"monotonic", Config{}, ArenaConfig{Monotonic: true}},
		{"every=100", Config{Every: 100}, ArenaConfig{}}, {"count", Config{CountOnly: true}, ArenaConfig{}},
	} {
		b.Run(c.name, func(b *testing.B) {
			p := costly(b, c.cfg)
			var added, said float64
			for b.Loop() {
				tr, out := p.run(b, c.arena, "empty", "2000")
				plain, probed := numbers(b, out)
				added += probed - plain
				said += tr.Added / float64(tr.Calls)
			}
			b.ReportMetric(added/float64(b.N), "added-ns/call")
			b.ReportMetric(said/float64(b.N), "calibrated-ns/call")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// BenchmarkTogether reports what a probe adds where one goroutine calls, and two.
func BenchmarkTogether(b *testing.B) {
	p := costly(b, Config{})
	var one, two float64
	for b.Loop() {
		_, out := p.run(b, ArenaConfig{}, "together", "1000")
		var a, c [2]float64
		var n int
		var name string
		if _, err := fmt.Sscan(out, &name, &n, &a[0], &name, &n, &c[0], &name, &n, &a[1], &name, &n, &c[1]); err != nil {
			b.Fatalf("%q: %v", out, err)
		}
		one += min(a[0], a[1])
		two += min(c[0], c[1])
	}
	b.ReportMetric(one/float64(b.N), "one-ns/call")
	b.ReportMetric(two/float64(b.N), "two-ns/call")
	b.ReportMetric(two/one, "ratio")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkCorrected reports how far corrected times are from those of the same
// functions without probes, in the same process: a body of a microsecond, and Fib(27),
// which is 635,621 calls of hardly anything. Medians over processes.
func BenchmarkCorrected(b *testing.B) {
	p := costly(b, Config{})
	for _, c := range []struct{ scene, rounds, name string }{{"body", "1", "main.probedBody"}, {"fib", "3", "main.probedFib"}} {
		b.Run(c.scene, func(b *testing.B) {
			var plain, raw, corrected, off []float64
			dominated := 0
			for b.Loop() {
				tr, out := p.run(b, ArenaConfig{Size: MinSize}, c.scene, c.rounds)
				was, _ := numbers(b, out)
				for _, call := range tr.Tree {
					if tr.Funcs[call.Func].Name != c.name || call.Back != 0 {
						continue
					}
					calls := float64(call.Calls)
					plain, raw, corrected = append(plain, was), append(raw, call.Total/calls), append(corrected, call.Corrected/calls)
					off = append(off, 100*(call.Corrected/calls/was-1))
				}
				if fn(b, tr, c.name).Dominated {
					dominated++
				}
			}
			b.ReportMetric(median(plain), "plain-ns")
			b.ReportMetric(median(raw), "raw-ns")
			b.ReportMetric(median(corrected), "corrected-ns")
			b.ReportMetric(median(off), "error-%")
			b.ReportMetric(float64(dominated)/float64(b.N), "dominated")
			b.ReportMetric(0, "ns/op")
		})
	}
}

func median(v []float64) float64 {
	slices.Sort(v)
	return v[len(v)/2]
}

// BenchmarkCalls counts 100 million calls from 8 goroutines, and fails if it counts
// anything else.
func BenchmarkCalls(b *testing.B) {
	for _, c := range []struct {
		name string
		cfg  Config
	}{{"exact", Config{}}, {"every=100", Config{Every: 100}}, {"count", Config{CountOnly: true}}} {
		b.Run(c.name, func(b *testing.B) {
			p := costly(b, c.cfg)
			for b.Loop() {
				tr, _ := p.run(b, ArenaConfig{}, "calls", "100000000")
				if f := fn(b, tr, "main.probedEmpty"); f.Calls != 100_000_000 {
					b.Fatalf("%d calls", f.Calls)
				}
			}
		})
	}
}

// BenchmarkPlan instruments 1,000 functions in 20 packages: the time that it adds before
// a build.
func BenchmarkPlan(b *testing.B) {
	files := []string{"main.go", ""}
	main := new(strings.Builder)
	main.WriteString("package main\n\n")
	for p := range 20 {
		text := new(strings.Builder)
		fmt.Fprintf(text, "package p%d\n", p)
		for f := range 50 {
			fmt.Fprintf(text, "\nfunc F%d(n int) int {\n\tfor i := range n {\n\t\tn += i\n\t}\n\treturn n\n}\n", f)
		}
		files = append(files, fmt.Sprintf("p%d/p.go", p), text.String())
		fmt.Fprintf(main, "import \"example.org/p/p%d\"\n", p)
	}
	main.WriteString("\nfunc main() {\n")
	for p := range 20 {
		fmt.Fprintf(main, "\tp%d.F1(2)\n", p)
	}
	files[1] = main.String() + "}\n"
	dir := project(b, files...)
	work := b.TempDir()
	n := 0
	for b.Loop() {
		n++
		w, err := Plan(b.Context(), Config{Dir: dir, Match: []string{"./..."}, Work: filepath.Join(work, fmt.Sprint(n))})
		if err != nil {
			b.Fatal(err)
		}
		if len(w.Funcs) != 1001 {
			b.Fatalf("%d functions", len(w.Funcs))
		}
	}
	b.ReportMetric(float64(b.Elapsed())/float64(b.N)/float64(time.Millisecond), "ms/plan")
}
