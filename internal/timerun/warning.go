package timerun

import (
	"fmt"
	"strings"

	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// Codes of warnings about commands.
const (
	codeExitStatus = "exit-status"
	codeStartCost  = "start-cost"
	codeFirstRun   = "first-run"
	codeNoPeak     = "no-peak"
)

// maxStart is the share of a run that starting a process may take without a warning.
const maxStart = 0.1

// warnings returns those that readers of the record cannot derive. start is what starting an empty
// process takes, in ns.
func (m *Measurement) warnings(start float64) []record.Line {
	var out []record.Line
	for _, r := range m.Recorder.Result().Results {
		for _, w := range m.programs[r.Case-1].warnings(&r, start, m.Shell) {
			w.About, w.ID = record.AboutCase, r.Case
			out = append(out, &w)
		}
	}
	return out
}

// warnings returns those about one command.
func (p *program) warnings(r *result.Benchmark, start float64, shell bool) []record.Warn {
	var out []record.Warn
	if p.failures > 0 {
		out = append(out, record.Warn{
			Code: codeExitStatus, Text: fmt.Sprintf("%d of %d runs count though they failed; the last one %s", p.failures, r.Forks, p.lastFailed),
		})
	}
	if r.Forks == 0 {
		return out
	}
	if share := start / float64(r.Median); share > maxStart {
		advice := "start-up dominates; use a longer workload"
		if shell {
			advice = "start-up dominates; leave out --shell"
		}
		out = append(out, record.Warn{
			Code: codeStartCost, Text: fmt.Sprintf("starting a process alone takes %.0f %% of a run", 100*min(share, 1)), Advice: advice,
		})
	}
	if x := slowFirst(r.Values); x > 0 {
		out = append(out, record.Warn{
			Code: codeFirstRun, Text: fmt.Sprintf("the first run took %.1f times as long as the median of the others: its files were not cached yet", x),
			Advice: "--warmup 1 leaves it out, --prepare can make every run cold",
		})
	}
	if p.noPeak != "" {
		out = append(out, record.Warn{Code: codeNoPeak, Text: "peak RSS of some runs is not known: " + strings.TrimPrefix(p.noPeak, "not available: ")})
	}
	if _, ok := r.Figure(result.UnitPeak); ok && p.peakBounds > 0 {
		out = append(out, record.Warn{Code: codeNoPeak, Text: fmt.Sprintf("peak RSS is that of %d of %d runs; that of the others is below %.1f MiB",
			r.Forks-p.peakBounds, r.Forks, float64(p.peakBelow)/(1<<20))})
	}
	return out
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
