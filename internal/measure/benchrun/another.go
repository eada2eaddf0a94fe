package benchrun

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/base/redact"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/measure/session/runlog"
	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// Ratios of the reference loops' times to those of earlier runs from which on a difference is reported. The chain loop
// varies by 0.3 %.
const (
	slowProcessor = 1.02
	busyMemory    = 1.5
)

// another adds this run to the log of the machine's runs. It returns what the earlier ones say of it: how
// far another run may be, and what the reference loops found. others is how many CPUs other programs used.
func (c *Calibrated) another(others *float64) []record.Line {
	if c.RunLog == "" {
		return nil
	}
	now := c.entry()
	now.Others = others
	past, err := runlog.Read(c.RunLog, now.Machine)
	if err == nil && len(now.Benchmarks) > 0 {
		err = runlog.Append(c.RunLog, now)
	}
	if err != nil {
		return []record.Line{diagnosis.WarnForm(diagnosis.NotAvailable, "log", diagnosis.Facts{"why": err})}
	}
	var lines []record.Line
	for _, a := range runlog.Predict(now, past, c.Run.Config.Confidence) {
		lines = append(lines, &a)
	}
	for _, w := range loopWarnings(now, past) {
		lines = append(lines, w)
	}
	return lines
}

// entry returns what the log keeps of this run.
func (c *Calibrated) entry() runlog.Entry {
	run := c.head()
	e := runlog.Entry{Time: time.Now(), Machine: runlog.Machine(run.Env), Conditions: c.Recorder.Conditions()}
	for _, r := range c.Recorder.Result().Results {
		i := slices.IndexFunc(c.Plan.Cases, func(x *record.Case) bool { return x.ID == r.Case })
		if i < 0 || r.Role != "" || r.Forks < stat.MinSamples(c.Run.Config.Confidence) || !(r.Median > 0) || math.IsInf(float64(r.Median), 0) {
			continue
		}
		x := c.Plan.Cases[i]
		named, settings := redact.Line(x).(*record.Case), c.settings(x) // the log keeps the name
		if named.NameHash != "" {
			settings = append(settings, "name "+named.NameHash)
		}
		e.Benchmarks = append(e.Benchmarks, runlog.Median{
			Name: runlog.Name(named, r.Unit, settings...), Bin: c.bins[x.Bin-1].SHA256[:min(32, len(c.bins[x.Bin-1].SHA256))],
			Median: float64(r.Median), Forks: r.Forks, Case: x.ID,
		})
	}
	return e
}

// settings returns what is measured besides the code: how the forks of a case iterate, and what they are given. The log
// keeps a hash of it, so that secrets may be among it.
func (c *Calibrated) settings(x *record.Case) []string {
	env, config := c.head().Env, &c.Run.Config
	n, each := config.Iterating(x)
	out := []string{
		fmt.Sprint(x.Mode, config.Benchtime, n, each, config.Time, config.Warmup, x.SingleShot, config.Layouts, config.Deep, config.NoPriority, config.Spread > 0),
		"group " + x.Group, config.GOGC + env.GOGC, config.MemoryLimit + env.GOMEMLIMIT, config.Tags,
	}
	out = slices.Concat(out, config.Setenv, []string{"arguments"}, config.Args)
	if config.MemoryMax > 0 || config.GCBefore {
		out = append(out, fmt.Sprint("memory max ", config.MemoryMax, config.GCBefore))
	}
	for _, s := range c.Run.Sides {
		if s.Name == x.Side {
			out = slices.Concat(out, []string{"side"}, s.Setenv, []string{"flags"}, s.Flags, []string{s.Toolchain})
		}
	}
	return out
}

// loopWarnings compares the reference loops of a run with those of earlier runs.
func loopWarnings(now runlog.Entry, past []runlog.Entry) []*record.Warn {
	var chains, l3s []float64
	for _, e := range past {
		if e.Chain > 0 && e.L3 > 0 {
			chains, l3s = append(chains, e.Chain), append(l3s, e.L3)
		}
	}
	if len(chains) < stat.MinRuns {
		return nil
	}
	var out []*record.Warn
	if usual := stat.Median(chains); now.Chain > slowProcessor*usual {
		out = append(out, diagnosis.Warn(diagnosis.SlowProcessor, diagnosis.Facts{"share": units.PercentTo(now.Chain/usual-1, 0), "runs": len(chains)}))
	}
	if calm := stat.Quantile(l3s, 0.25); now.L3 > busyMemory*calm {
		out = append(out, diagnosis.Warn(diagnosis.BusyMemory, diagnosis.Facts{"factor": units.Fixed(now.L3/calm, 1)}))
	}
	return out
}
