package result

import (
	"errors"
	"fmt"
	"time"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/numbers/aatest"
	"github.com/tarebench/tare/record"
)

// ErrNoSelftest says that a record is not that of a self-test.
var ErrNoSelftest = errors.New("not the record of a self-test")

// selftestData is what the lines of a self-test's record give for its statistics.
type selftestData struct {
	data     *aatest.Data // nil: it is another record
	byCase   map[int]int  // numbers of benchmarks
	byName   map[string]int
	open     map[int]*aatest.Process // values of processes that have not ended
	warnings []record.Warn
}

// addRun begins a self-test if the run is one.
func (d *selftestData) addRun(run *record.Run) {
	*d = selftestData{}
	if n := run.Config.Forks; record.KindOf(run) == record.KindSelftest && n >= 1 && n <= aatest.MaxWindow {
		d.data = &aatest.Data{Window: n, Cores: run.Env.Cores, Test: run.Config.Test}
		d.byCase, d.byName, d.open = map[int]int{}, map[string]int{}, map[int]*aatest.Process{}
	}
}

// addCase takes a case; those of the two sides are one benchmark.
func (d *selftestData) addCase(c *record.Case) {
	if d.data == nil {
		return
	}
	key := fmt.Sprintf("%s\x00%s\x00%d", c.Pkg, c.Name, c.Procs)
	i, ok := d.byName[key]
	if !ok {
		i = d.data.AddBenchmark(c.Pkg, c.Name)
		d.byName[key] = i
	}
	d.byCase[c.ID] = i
}

// addSample takes a measured iteration.
func (d *selftestData) addSample(s *record.Sample) {
	if d.data == nil || s.Phase != record.PhaseMeasure || s.Role != "" {
		return
	}
	x, ok := s.V.Get("ns/op")
	if !ok {
		return
	}
	p := d.open[s.Fork]
	if p == nil {
		p = &aatest.Process{}
		d.open[s.Fork] = p
	}
	p.Values = append(p.Values, x)
	p.Measured += time.Duration(s.Wall)
}

// addFork takes a process that has ended.
func (d *selftestData) addFork(f *record.Fork, side string) {
	if d.data == nil {
		return
	}
	p := d.open[f.ID]
	delete(d.open, f.ID)
	benchmark, ok := d.byCase[f.Case]
	if !ok || f.State == record.StatePartial {
		return
	}
	failed := f.State != record.StateOK
	if !failed && f.Purpose != aatest.PurposeFork && f.Purpose != aatest.PurposeUsual {
		return
	}
	if p == nil {
		p = &aatest.Process{}
	}
	p.Benchmark, p.Usual, p.Side, p.Round = benchmark, f.Purpose == aatest.PurposeUsual, side, f.Round
	p.Start, p.Wall, p.Overhead, p.Steal = f.Start, time.Duration(f.Wall), time.Duration(f.HarnessTime), time.Duration(f.Steal)
	p.Failed, p.Why = failed, f.Why
	d.data.Add(*p)
}

// SelftestTally counts the windows of a self-test so far.
func (b *Builder) SelftestTally() aatest.Tally {
	if b.selftest.data == nil {
		return aatest.Tally{}
	}
	return b.selftest.data.Tally()
}

// selftestResult returns what the record of a self-test says; nil of other records.
func (b *Builder) selftestResult() *aatest.Result {
	d := b.selftest.data
	if d == nil {
		return nil
	}
	d.Steal, d.Load = b.tare.Steal, b.tare.Load
	r := d.Result()
	r.Run, r.CutOff = b.run, b.end == nil
	switch {
	case b.end == nil:
		r.Partial = "the record was cut off before the run's end"
	case b.end.State == record.EndPartial:
		r.Partial = b.end.Why
	}
	for _, w := range b.selftest.warnings {
		if w.Code != diagnosis.Selftest { // that is for who takes this for another record
			r.Notes = append(r.Notes, aatest.Note{Code: w.Code, Text: w.Text, Advice: w.Advice})
		}
	}
	return r
}
