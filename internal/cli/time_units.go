package cli

import (
	"fmt"
	"runtime"
	"strings"

	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/spawn"
	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// showsFaults tells that the system counts page faults and context switches.
const showsFaults = runtime.GOOS != "windows"

// sampleOf is the one sample of a run. What the system does not tell is not in it.
func sampleOf(f *record.Fork, res spawn.Result) *record.Sample {
	s := &record.Sample{Fork: f.ID, Iter: 1, Phase: record.PhaseMeasure, T: res.End, Ns: f.Wall, Ops: 1}
	add := func(unit string, v float64) { s.V = append(s.V, record.Value{Unit: unit, Value: v}) }
	add(result.UnitReal, float64(f.Wall))
	add(result.UnitUser, float64(f.User))
	add(result.UnitSys, float64(f.Sys))
	add(result.UnitCPU, float64(f.User+f.Sys))
	if f.Wall > 0 {
		add(result.UnitCores, float64(f.User+f.Sys)/float64(f.Wall))
	}
	if f.Peak > 0 {
		add(result.UnitPeak, float64(f.Peak))
	}
	if showsFaults {
		add(result.UnitMinor, float64(f.Minflt))
		add(result.UnitMajor, float64(f.Majflt))
		add(result.UnitVoluntary, float64(f.Vcsw))
		add(result.UnitInvoluntary, float64(f.Ivcsw))
	}
	return s
}

// Codes of doubts about commands.
const (
	codeExitStatus = "exit-status"
	codeStartCost  = "start-cost"
	codeFirstRun   = "first-run"
	codeNoPeak     = "no-peak"
)

// maxStart is the share of a run that starting a process may take.
const maxStart = 0.1

// writeDoubts writes the doubts that summaries cannot derive.
func (t *timing) writeDoubts(w *record.Tare) error {
	for _, r := range t.sink.Result().Results {
		for _, d := range t.doubts(t.programs[r.Case-1], &r, w.Probe) {
			d.About, d.ID = record.AboutCase, r.Case
			if err := t.write(&d); err != nil {
				return err
			}
		}
	}
	return nil
}

func (t *timing) doubts(p *program, r *result.Benchmark, start float64) []record.Warn {
	var out []record.Warn
	if p.odd > 0 {
		out = append(out, record.Warn{
			Code: codeExitStatus, Text: fmt.Sprintf("%d of %d runs count though they failed; the last one %s", p.odd, r.Forks, p.oddly),
		})
	}
	if r.Forks == 0 {
		return out
	}
	if share := start / float64(r.Median); share > maxStart {
		advice := "have a run do more work; of what two commands differ in, starting is no part"
		if t.f.shell {
			advice = "leave out --shell; of what two commands differ in, starting is no part"
		}
		out = append(out, record.Warn{
			Code: codeStartCost, Text: fmt.Sprintf("starting a process alone takes %.0f %% of a run", 100*min(share, 1)), Advice: advice,
		})
	}
	if x := slowFirst(r.Values); x > 0 {
		out = append(out, record.Warn{
			Code: codeFirstRun, Text: fmt.Sprintf("the first run took %.1f times as long as the median of the others: what it read was in no cache", x),
			Advice: "--warmup 1 leaves it out, --prepare can make every run cold",
		})
	}
	if p.peakless != "" {
		out = append(out, record.Warn{Code: codeNoPeak, Text: "peak RSS of some runs is not known: " + strings.TrimPrefix(p.peakless, "not available: ")})
	}
	return out
}

// slowFirst is by how much the first run is slower than the others, 0 if it is not
// remarkable.
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
