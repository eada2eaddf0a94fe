package mem

import (
	"errors"
	"runtime"

	"github.com/tarebench/tare/internal/profiler"
)

// Profiler returns the profiler. Where /proc is missing, the figures that come
// from it are.
func Profiler() profiler.Profiler { return memProfiler{} }

type memProfiler struct{}

func (memProfiler) Name() string          { return "mem" }
func (memProfiler) Needs() profiler.Needs { return profiler.Needs{Forks: true, Deep: true} }

func (memProfiler) Probe() error {
	if runtime.GOOS == "windows" {
		return errors.New("package testing cannot have hooks on windows")
	}
	return nil
}
