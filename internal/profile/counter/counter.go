package counter

import (
	"runtime"

	"github.com/tarebench/tare/internal/process/profiler"
)

// Profiler returns the profiler.
func Profiler() profiler.Profiler { return counterProfiler{} }

type counterProfiler struct{}

func (counterProfiler) Name() string          { return "counter" }
func (counterProfiler) Needs() profiler.Needs { return profiler.Needs{OwnForks: true, Hooks: true} }

func (counterProfiler) Available() error { return probe(runtime.GOOS, openTaskClock) }
