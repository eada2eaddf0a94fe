package cli

import (
	"github.com/tarebench/tare/internal/env"
	"github.com/tarebench/tare/internal/profiler"
	"github.com/tarebench/tare/internal/runner"
	"github.com/tarebench/tare/internal/termtext"
)

// profilerFindings say which profilers this machine can serve, a finding for each: it is
// named after the profiler, prof-mem, so that scripts can ask before a run does. Whether
// all events and figures of a profiler are there only its forks can tell.
func profilerFindings(ps profiler.Set) []env.Finding {
	var out []env.Finding
	for _, p := range ps {
		f := env.Finding{Level: env.OK, Name: "prof-" + p.Name(), Text: p.Help}
		if err := p.Available(); err != nil {
			f.Level, f.Text, f.Advice = env.NA, "not available: "+termtext.OneLine(err.Error()), runner.ProbeAdvice(err)
		}
		out = append(out, f)
	}
	return out
}
