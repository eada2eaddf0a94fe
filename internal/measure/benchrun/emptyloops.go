package benchrun

import (
	"slices"

	"github.com/tarebench/tare/internal/process/loopcost"
	"github.com/tarebench/tare/record"
)

// quickOperation is the time of an operation, ns, from which on an empty loop is a small part of it: with -race one
// takes up to 30 ns.
const quickOperation = 30

// A loopMeter measures empty loops as they are in a binary, at values of GOMAXPROCS.
type loopMeter func(b *binary, procs []int) ([]record.EmptyLoop, error)

func (f *Found) measureEmpty(b *binary, procs []int) ([]record.EmptyLoop, error) {
	return loopcost.Measure(f.Signals.Context(), f.forks.Launcher, b.built.Path, procs)
}

// writeEmptyLoops records what empty loops take in the binaries of benchmarks that are quick, by what was measured of
// them. Where that fails, readers fall back to the loop of tare's own.
func (c *Calibrated) writeEmptyLoops() error {
	if c.empty == nil {
		return nil
	}
	quick := map[string]*record.Overhead{} // by settings
	var keys []string
	for _, x := range c.Plan.Cases {
		r, ok := c.Recorder.Case(x.ID)
		if !ok || r.Unit != "ns/op" || !(r.Median <= quickOperation) {
			continue
		}
		key, err := loopcost.Key(c.bins[x.Bin-1].built.Path)
		if err != nil {
			continue
		}
		if quick[key] == nil {
			quick[key], keys = &record.Overhead{}, append(keys, key)
		}
		if !slices.Contains(quick[key].Bins, x.Bin) {
			quick[key].Bins = append(quick[key].Bins, x.Bin)
		}
	}
	for _, key := range keys {
		line := quick[key]
		c.Progress.Phase("measuring empty loops")
		loops, err := c.empty(c.bins[line.Bins[0]-1], c.procs())
		if err != nil {
			continue
		}
		line.EmptyLoops = loops
		if err := c.write(line); err != nil {
			return err
		}
	}
	return nil
}

// procs returns the values of GOMAXPROCS of the cases, in ascending order.
func (c *Calibrated) procs() []int {
	var out []int
	for _, x := range c.Plan.Cases {
		out = append(out, x.Procs)
	}
	slices.Sort(out)
	return slices.Compact(out)
}
