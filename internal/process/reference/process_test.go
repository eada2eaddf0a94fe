//go:build linux || darwin

package reference

import (
	"os"
	"slices"
	"testing"

	"github.com/tarebench/tare/internal/process/spawn"
	"github.com/tarebench/tare/record"
)

func start(t *testing.T) *Process {
	t.Helper()
	l, err := spawn.Start(t.Context(), spawn.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	p, err := Start(t.Context(), l, spawn.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

// TestMeasure: the process stays, answers every time, and the compiler has removed no loop.
func TestMeasure(t *testing.T) {
	p := start(t)
	for range 3 {
		loops, err := p.Measure()
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, l := range loops {
			names = append(names, l.Name)
			if l.Min < leastStep[l.Name] || l.Wall <= 0 || l.CPU < 0 {
				t.Errorf("%+v: quicker than any processor", l)
			}
		}
		if want := []string{"chain", "branch", "l3", "copy", "alloc"}; !slices.Equal(names, want) {
			t.Errorf("loops %v, want %v", names, want)
		}
	}
	if p.CPU <= 0 {
		t.Error("no CPU time")
	}
}

// leastStep is less than a step takes at 10 GHz, in ns.
var leastStep = map[string]float64{"chain": 0.3, "branch": 0.1, "l3": 0.5, "copy": 10_000, "alloc": 1}

// TestEnded: a process that is gone is an error, not a wait.
func TestEnded(t *testing.T) {
	p := start(t)
	process, err := os.FindProcess(p.child.Pid())
	if err != nil {
		t.Fatal(err)
	}
	process.Kill()
	p.child.Wait()
	if loops, err := p.Measure(); err == nil {
		t.Errorf("measured %v", loops)
	}
}

func BenchmarkMeasure(b *testing.B) {
	l, err := spawn.Start(b.Context(), spawn.Config{})
	if err != nil {
		b.Fatal(err)
	}
	defer l.Close()
	p, err := Start(b.Context(), l, spawn.Config{})
	if err != nil {
		b.Fatal(err)
	}
	defer p.Close()
	var last []record.ReferenceLoop
	for b.Loop() {
		if last, err = p.Measure(); err != nil {
			b.Fatal(err)
		}
	}
	for _, x := range last {
		b.ReportMetric(x.Min, x.Name+"-ns")
	}
}
