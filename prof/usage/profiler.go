package usage

import (
	"errors"
	"runtime"

	"github.com/tarebench/tare/prof"
)

// Profiler is the profiler "usage" of tare bench: CPU time of all threads,
// context switches and page faults of each measured iteration. It reads
// getrusage(2) when the timer starts and when it has stopped, and shares the
// forks that are timed.
func Profiler() prof.Profiler { return profiler{} }

type profiler struct{}

func (profiler) Name() string      { return "usage" }
func (profiler) Needs() prof.Needs { return prof.Needs{Deep: true} }

func (profiler) Probe() error { return probe(runtime.GOOS) }

func probe(goos string) error {
	switch goos {
	case "windows", "plan9", "js", "wasip1":
		return errors.New("no getrusage on " + goos)
	}
	return nil
}
