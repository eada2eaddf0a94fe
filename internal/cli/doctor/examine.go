package doctor

import (
	"context"
	"time"

	"github.com/tarebench/tare/internal/base/clock"
	"github.com/tarebench/tare/internal/base/env"
	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/measure/profilers"
	"github.com/tarebench/tare/internal/process/profiler"
)

// Config says what is examined.
type Config struct {
	Window    time.Duration // how long steal and other processes are watched; 0: 1 s
	Profilers profiler.Set
}

// Report is what was found.
type Report struct {
	Machine  env.Machine
	Clock    clock.Overhead
	Findings []env.Finding
}

// Examine examines the machine, for Config.Window and some 100 ms. It fails only if ctx ends, and
// then at once.
func Examine(ctx context.Context, c Config) (*Report, error) {
	cost := clock.Measure()
	found, err := env.Examine(ctx, env.Config{Window: c.Window, ClockRead: cost.Read, ClockResolution: cost.Resolution})
	if err != nil {
		return nil, err
	}
	return &Report{Machine: env.Describe(), Clock: cost, Findings: append(found, profilerFindings(c.Profilers)...)}, nil
}

// profilerFindings say which profilers this machine can serve, a finding for each: it is
// named after the profiler, prof-mem, so that scripts can ask before a run does. Whether
// all events and figures of a profiler are there only its forks can tell.
func profilerFindings(ps profiler.Set) []env.Finding {
	var out []env.Finding
	for _, p := range ps {
		f := env.Finding{Level: env.OK, Name: "prof-" + p.Name(), Text: p.Help}
		if err := p.Available(); err != nil {
			f.Level, f.Text, f.Advice = env.NA, "not available: "+termtext.OneLine(err.Error()), profilers.Advice(err)
		}
		out = append(out, f)
	}
	return out
}
