package commandrun

import (
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/numbers/loss"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// maxStart is the share of a run that starting a process may take without a warning.
const maxStart = 0.1

// startCost is what starting an empty process takes, in ns.
type startCost struct {
	median, fastest float64
	n               int // processes that were started
}

// unsteadyStart is the ratio of the median to the fastest start above which others had the processors.
const unsteadyStart = 2

// disturbed reports whether so many starts took so much longer than the fastest that others had the processors.
func (s startCost) disturbed() bool {
	const least = 5
	return s.n >= least && s.fastest > 0 && s.median > unsteadyStart*s.fastest
}

// startCost returns what starting an empty process took; median is known.
func (m *Measurement) startCost(median float64) startCost {
	s := startCost{median: median, n: len(m.starts)}
	if s.n > 0 {
		s.fastest = slices.Min(m.starts)
	}
	return s
}

// warnings returns those that readers of the record cannot derive. start is what starting an empty
// process takes, in ns.
func (m *Measurement) warnings(start float64) []record.Line {
	var out []record.Line
	for _, r := range m.Recorder.Result().Results {
		for _, w := range m.programs[r.Case-1].warnings(&r, m.startCost(start), m.job.Shell) {
			w.ID = r.Case
			out = append(out, w)
		}
	}
	return out
}

// warnings returns those about one command.
func (p *program) warnings(r *result.Benchmark, start startCost, shell bool) []*record.Warn {
	var out []*record.Warn
	if p.failures > 0 {
		out = append(out, diagnosis.Warn(diagnosis.ExitStatus, diagnosis.Facts{"failed": p.failures, "runs": r.Forks, "how": p.lastFailed}))
	}
	if r.Forks == 0 {
		return out
	}
	if w := start.warning(float64(r.Median), shell); w != nil {
		out = append(out, w)
	}
	if x := slowFirst(r.Values); x > 0 && (p.firstNs == 0 || p.firstNs == int64(r.Values[0])) {
		out = append(out, p.slowFirst(x, start.disturbed()))
	}
	if p.noPeak != "" {
		out = append(out, diagnosis.Warn(diagnosis.NoPeak, diagnosis.Facts{"why": strings.TrimPrefix(p.noPeak, "not available: ")}))
	}
	if _, ok := r.Figure(result.UnitPeak); ok && p.peakBounds > 0 {
		out = append(out, diagnosis.WarnForm(diagnosis.NoPeak, "below", diagnosis.Facts{"known": r.Forks - p.peakBounds, "runs": r.Forks, "below": units.Bytes(p.peakBelow)}))
	}
	return append(out, p.uncountedWarnings(r.Forks)...)
}

// warning returns the one about the share of a run, whose median takes so many ns, that starting a process takes; nil if there
// is none. Where others had the processors the fastest start is the lower bound, and the machine comes first.
func (s startCost) warning(median float64, shell bool) *record.Warn {
	cost, form := s.median, ""
	if shell {
		form = "shell"
	}
	if s.disturbed() {
		cost = s.fastest
		form = strings.TrimSuffix("busy-"+form, "-")
	}
	share := min(cost/median, 1)
	switch {
	case share <= maxStart && s.median/median <= maxStart:
		return nil
	case !s.disturbed():
		return diagnosis.WarnForm(diagnosis.StartCost, form, diagnosis.Facts{"share": units.PercentTo(share, 0)})
	}
	much := ""
	if share > maxStart {
		much = units.PercentTo(share, 0)
	}
	return diagnosis.WarnForm(diagnosis.StartCost, form, diagnosis.Facts{
		"median": units.Span(s.median), "starts": s.n, "fastest": units.Span(s.fastest), "share": much, "longer": share > maxStart,
	})
}

// note keeps what a timed run tells of the first one.
func (p *program) note(f *record.Fork, s *record.Sample) {
	if p.firstNs == 0 {
		p.firstNs, p.firstRead, p.firstDisturbed = s.Ns, f.Majflt, disturbed(f)
		return
	}
	p.laterRead = max(p.laterRead, f.Majflt)
}

// disturbed reports whether others had a good part of the processors during a run, as far as that is known.
func disturbed(f *record.Fork) bool {
	if f.Lost != nil {
		return *f.Lost >= loss.Marked
	}
	return f.Others != nil && float64(*f.Others) >= loss.Marked*float64(*f.Others+f.User+f.Sys) && 2*f.Idle < f.Wall
}

// slowFirst returns the warning about a first run that took x times as long as the others. machine says that others had the
// processors during the measurement.
func (p *program) slowFirst(x float64, machine bool) *record.Warn {
	form := ""
	switch {
	case p.firstRead > p.laterRead:
		form = "read"
	case p.firstDisturbed || machine:
		form = "busy"
	}
	return diagnosis.WarnForm(diagnosis.FirstRun, form, diagnosis.Facts{"factor": units.Fixed(x, 1)})
}

// slowFirst returns by which factor the first run is slower than the median of the others, 0
// if the difference is not remarkable.
func slowFirst(values []result.Number) float64 {
	const least, factor = 5, 1.5
	if len(values) < least {
		return 0
	}
	var others []float64
	slowest := 0.0
	for _, v := range values[1:] {
		others = append(others, float64(v))
		slowest = max(slowest, float64(v))
	}
	x := float64(values[0]) / stat.Median(others)
	if x < factor || float64(values[0]) <= slowest {
		return 0
	}
	return x
}
