package sample_test

import (
	"os"
	"runtime"
	"testing"

	"github.com/tarebench/tare/internal/process/perfevent"
	"github.com/tarebench/tare/internal/process/spawn"
	"github.com/tarebench/tare/internal/profile/sample"
	"github.com/tarebench/tare/record"
)

// TestPerf: the kernel finds what works in a program that was not built for it, too, with
// the calls that led there.
func TestPerf(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("perf events are Linux's")
	}
	if _, _, err := perfevent.AvailableEvents(perfevent.Config{Stacks: true}); err != nil {
		t.Skip(err)
	}
	l, err := spawn.Start(t.Context(), spawn.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	c := sample.Config{Mode: record.SampledCPU, Interval: 1_003_009}
	run, err := sample.PerfCommand(t.Context(), l, spawn.Spec{Path: watched(t), Args: []string{"work", "10", "3000"}, Stderr: os.Stderr}, c)
	if err != nil {
		t.Fatal(err)
	}
	if err := run.How.Validate(); err != nil || run.How.Source != record.SampledPerf || run.How.Samples < 50 || run.How.CPU <= 0 {
		t.Fatalf("%+v, %v", run.How, err)
	}
	spin := sum(run.Profile, record.TypeSamples, "main.spin")
	if main := sum(run.Profile, record.TypeSamples, "main.main"); spin < run.How.Samples/2 || main < spin*9/10 {
		t.Errorf("main.spin %d times, main.main %d times, of %d\n%v", spin, main, run.How.Samples, run.Profile)
	}
	standsFor(t, run, run.How.Achieved*float64(run.How.Samples))
	if n := sum(run.Profile, record.TypeSamples, "main.waiter"); n > run.How.Samples/20 {
		t.Errorf("what waits was seen %d times", n)
	}
}
