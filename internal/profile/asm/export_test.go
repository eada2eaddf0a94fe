package asm

import (
	"github.com/tarebench/tare/internal/process/perfevent"
	"github.com/tarebench/tare/internal/process/profiler"
)

// Without is the profiler of a machine whose kernel refuses to sample.
func Without(err error, c Config) profiler.Profiler {
	return selectProfiler(c, func(perfevent.Config) ([]perfevent.Event, []string, error) { return nil, nil, err })
}

// WithRoom is the profiler with room for some stops of the timer only, if the kernel
// lets us sample.
func WithRoom(c Config, room int) profiler.Profiler {
	p := Profiler(c)
	if x, ok := p.(*attacher); ok {
		x.room = room
	}
	return p
}
