package mem

import (
	"errors"
	"runtime"

	"github.com/tarebench/tare/internal/process/profiler"
)

// Profiler returns the profiler. Without /proc, the figures from there are missing. work is the name of the temporary
// directory for the changed sources; see tempdir.Named. A resumed run must use the same name, because binaries may
// contain it. "" is any.
func Profiler(work string) profiler.Builder {
	return &memProfiler{builder{name: "mem", work: work}}
}

type memProfiler struct{ builder }

func (*memProfiler) Name() string          { return "mem" }
func (*memProfiler) Needs() profiler.Needs { return profiler.Needs{OwnForks: true, Hooks: true} }

func (*memProfiler) Available() error {
	if runtime.GOOS == "windows" {
		return errors.New("package testing cannot have hooks on windows")
	}
	return nil
}
