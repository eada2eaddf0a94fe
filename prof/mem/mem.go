package mem

import (
	"errors"
	"runtime"

	"github.com/tarebench/tare/prof"
)

// Profiler returns the profiler. Where /proc is missing, the figures that come
// from it are.
func Profiler() prof.Profiler { return profiler{} }

type profiler struct{}

func (profiler) Name() string      { return "mem" }
func (profiler) Needs() prof.Needs { return prof.Needs{Forks: true, Deep: true} }

func (profiler) Probe() error {
	if runtime.GOOS == "windows" {
		return errors.New("package testing cannot have hooks on windows")
	}
	return nil
}
