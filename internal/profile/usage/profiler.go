package usage

import (
	"errors"
	"runtime"

	"github.com/tarebench/tare/internal/process/profiler"
)

// Profiler returns the profiler "usage" of tare bench. It reads getrusage(2) when the timer starts and when it has
// stopped, and observes timed forks.
func Profiler() profiler.Profiler { return usageProfiler{} }

type usageProfiler struct{}

func (usageProfiler) Name() string          { return "usage" }
func (usageProfiler) Needs() profiler.Needs { return profiler.Needs{Hooks: true} }

func (usageProfiler) Available() error { return probe(runtime.GOOS) }

func probe(goos string) error {
	switch goos {
	case "windows", "plan9", "js", "wasip1":
		return errors.New("no getrusage on " + goos)
	}
	return nil
}
