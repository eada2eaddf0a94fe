package mem

import (
	"errors"
	"runtime"

	"github.com/tarebench/tare/internal/profiler"
)

// Profiler returns the profiler. Without /proc, the figures from there are missing.
func Profiler() profiler.Profiler { return memProfiler{} }

type memProfiler struct{}

func (memProfiler) Name() string          { return "mem" }
func (memProfiler) Needs() profiler.Needs { return profiler.Needs{OwnForks: true, Hooks: true} }

func (memProfiler) Available() error {
	if runtime.GOOS == "windows" {
		return errors.New("package testing cannot have hooks on windows")
	}
	return nil
}
