package usage

import (
	"errors"
	"runtime"

	"github.com/tarebench/tare/internal/profiler"
)

// Profiler is the profiler "usage" of tare bench: CPU time of all threads,
// context switches and page faults of each measured iteration. It reads
// getrusage(2) when the timer starts and when it has stopped, and shares the
// forks that are timed.
func Profiler() profiler.Profiler { return usageProfiler{} }

type usageProfiler struct{}

func (usageProfiler) Name() string          { return "usage" }
func (usageProfiler) Needs() profiler.Needs { return profiler.Needs{Deep: true} }

func (usageProfiler) Probe() error { return probe(runtime.GOOS) }

func probe(goos string) error {
	switch goos {
	case "windows", "plan9", "js", "wasip1":
		return errors.New("no getrusage on " + goos)
	}
	return nil
}
