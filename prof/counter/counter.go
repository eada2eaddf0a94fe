package counter

import (
	"runtime"

	"github.com/tarebench/tare/prof"
)

// Profiler returns the profiler.
func Profiler() prof.Profiler { return profiler{} }

type profiler struct{}

func (profiler) Name() string      { return "counter" }
func (profiler) Needs() prof.Needs { return prof.Needs{Forks: true, Deep: true} }

func (profiler) Probe() error { return probe(runtime.GOOS, openTaskClock) }
