package instructions

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/base/tempdir"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/process/profiler"
	"github.com/tarebench/tare/record"
)

const (
	minDifference = 20e6 // required instructions between lo and hi, so that the rest of the process does not matter
	processes     = 4    // maximum per fork
	maxGrowth     = 100  // maximum growth of N in one step: operations may become slower
	firstHi       = 100  // if N is unknown
	hiOverLo      = 10   // hi / lo
	fewOperations = 20   // fewer are warned about: see "Instructions by line" in docs/method.md
	minLo         = 2    // testing runs N = 1 once, and other N after a run of one operation
)

// run is a process that has ended.
type run struct {
	ops int64
	counts
}

// fork is the processes of one slope.
type fork struct {
	parallel bool
	valgrind string
	lacks    []string       // features of this processor that valgrind's lacks
	dir      *tempdir.Place // where valgrind writes its count
	lo, hi   int64
	runs     []run
}

// newFork returns a fork of a case. N is unknown if testing chooses it. lacks are the features of this processor that
// valgrind's lacks.
func newFork(valgrind string, c *record.Case, lacks ...string) (*fork, error) {
	dir, err := tempdir.Dir("instructions")
	if err != nil {
		return nil, fmt.Errorf("a place for counts: %w", err)
	}
	f := &fork{valgrind: valgrind, lacks: lacks, dir: dir, parallel: c.Mode == record.ModeTime, hi: max(c.N, minLo+1)}
	if c.N == 0 {
		f.hi = firstHi
	}
	f.lo = max(minLo, f.hi/hiOverLo)
	return f, nil
}

// Next returns lo, then hi, then larger values until the difference is large enough.
func (f *fork) Next() int64 {
	switch len(f.runs) {
	case 0:
		return f.lo
	case 1:
		return f.hi
	case processes:
		return 0
	}
	most := f.runs[len(f.runs)-1]
	d := most.total - f.runs[0].total
	if d >= minDifference {
		return 0
	}
	by := float64(maxGrowth)
	if d > 0 {
		by = min(maxGrowth, 2*minDifference/float64(d))
	}
	f.hi = int64(float64(f.hi) * by)
	return f.hi
}

func (f *fork) out() string { return filepath.Join(f.dir.Path, "cachegrind.out") }
func (f *fork) log() string { return filepath.Join(f.dir.Path, "log") }

// Command returns the valgrind command, which writes its count and its messages to files.
func (f *fork) Command(path string, args []string) (string, []string) {
	return f.valgrind, slices.Concat([]string{
		"--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=" + f.out(),
		"--log-file=" + f.log(), "--fair-sched=try", // otherwise a spinning thread keeps the others from running
		"--", path,
	}, args)
}

// Ran reads the count.
func (f *fork) Ran(ops int64) error {
	c, err := readCounts(f.out())
	if err != nil {
		return err
	}
	if err := os.Remove(f.out()); err != nil { // so that it is not taken for the next one's
		return err
	}
	if len(f.runs) > 1 { // the slope is from the first to the last
		f.runs[len(f.runs)-1].rows = nil
	}
	f.runs = append(f.runs, run{ops, c})
	return nil
}

// End returns the slope from the first to the last process, of the whole and by line.
func (f *fork) End() (r profiler.Result, ops int64, err error) {
	defer func() { err = errors.Join(err, f.dir.Remove()) }()
	if len(f.runs) < 2 {
		return r, 0, errors.New("fewer than two processes ran")
	}
	lo, hi := f.runs[0], f.runs[len(f.runs)-1]
	ops, d := hi.ops-lo.ops, hi.total-lo.total
	switch {
	case ops <= 0:
		return r, 0, fmt.Errorf("it ran %[2]d operations instead of %[1]d, and %[4]d instead of %[3]d: it does not follow b.N", f.lo, lo.ops, f.hi, hi.ops)
	case d <= 0:
		return r, 0, fmt.Errorf("%d operations took %d instructions, and %d took %d: the rest of the process varies more than that", lo.ops, lo.total, hi.ops, hi.total)
	}
	r.Values = []record.Values{{{Unit: Unit, Value: float64(d) / float64(ops)}}}
	if f.parallel {
		r.Lines = append(r.Lines, diagnosis.Warn(diagnosis.Serialised, nil))
	}
	if ops < fewOperations {
		r.Lines = append(r.Lines, diagnosis.Warn(diagnosis.FewOperations, diagnosis.Facts{"operations": units.Plural(ops, "operation")}))
	}
	lines, err := f.byLine(lo, hi, ops)
	r.Lines = append(r.Lines, lines...)
	return r, ops, err
}

// byLine returns the attachment with the instructions of each line, and a warning if valgrind's processor may have
// executed others than this machine's.
func (f *fork) byLine(lo, hi run, ops int64) ([]record.Line, error) {
	if !lo.whole() || !hi.whole() {
		return []record.Line{diagnosis.Warn(diagnosis.NoLines, nil)}, nil
	}
	text, err := json.Marshal(slopes(lo.counts, hi.counts, ops))
	if err != nil {
		return nil, err
	}
	out := []record.Line{&record.Attach{Name: record.AttachInstructions, Media: "application/json", Data: text}}
	if w := f.otherProcessor(lo.counts, hi.counts); w != nil {
		out = append(out, w)
	}
	return out, nil
}
