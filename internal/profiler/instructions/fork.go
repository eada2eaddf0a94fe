package instructions

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/tarebench/tare/internal/profiler"
	"github.com/tarebench/tare/internal/tempdir"
	"github.com/tarebench/tare/record"
)

const (
	least     = 20e6 // instructions between lo and hi that drown what else a process does
	processes = 4    // of a fork, at most
	grow      = 100  // times, at most, that N grows in one step: operations may get dearer
	firstHi   = 100  // where nobody knows N
	apart     = 10   // hi / lo
	minLo     = 2    // testing runs N = 1 once, and others after a run of one operation
)

// run is a process that has ended.
type run struct{ ops, instructions int64 }

// fork is the processes of one slope.
type fork struct {
	parallel bool
	valgrind string
	dir      *tempdir.Place // where it writes its count
	lo, hi   int64
	runs     []run
}

// newFork plans a fork of a case, of which N is not known if testing chooses it.
func newFork(valgrind string, c *record.Case) (*fork, error) {
	dir, err := tempdir.Dir("instructions")
	if err != nil {
		return nil, fmt.Errorf("a place for counts: %w", err)
	}
	f := &fork{valgrind: valgrind, dir: dir, parallel: c.Mode == record.ModeTime, hi: max(c.N, minLo+1)}
	if c.N == 0 {
		f.hi = firstHi
	}
	f.lo = max(minLo, f.hi/apart)
	return f, nil
}

// Next is lo, then hi, then more while that did not make enough of a difference.
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
	d := most.instructions - f.runs[0].instructions
	if d >= least {
		return 0
	}
	by := float64(grow)
	if d > 0 {
		by = min(grow, 2*least/float64(d))
	}
	f.hi = int64(float64(f.hi) * by)
	return f.hi
}

func (f *fork) out() string { return filepath.Join(f.dir.Path, "cachegrind.out") }

// Command has the tool write its count to a file, and keep what it has to say to itself.
func (f *fork) Command(path string, args []string) (string, []string) {
	return f.valgrind, slices.Concat([]string{
		"--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=" + f.out(),
		"--log-file=" + filepath.Join(f.dir.Path, "log"), "--fair-sched=try", // or a thread that spins keeps the others from running
		"--", path,
	}, args)
}

// Ran reads the count.
func (f *fork) Ran(ops int64) error {
	n, err := readCount(f.out())
	if err != nil {
		return err
	}
	if err := os.Remove(f.out()); err != nil { // or it could be taken for the next one's
		return err
	}
	f.runs = append(f.runs, run{ops, n})
	return nil
}

// End tells the slope from the first to the last process.
func (f *fork) End() (r profiler.Result, ops int64, err error) {
	defer func() { err = errors.Join(err, f.dir.Remove()) }()
	if len(f.runs) < 2 {
		return r, 0, errors.New("it takes two processes")
	}
	lo, hi := f.runs[0], f.runs[len(f.runs)-1]
	ops, d := hi.ops-lo.ops, hi.instructions-lo.instructions
	switch {
	case ops <= 0:
		return r, 0, fmt.Errorf("asked for %d operations it did %d, and for %d it did %d: it does not do what it is asked to", f.lo, lo.ops, f.hi, hi.ops)
	case d <= 0:
		return r, 0, fmt.Errorf("%d operations took %d instructions, and %d took %d: what else the process does drowns them", lo.ops, lo.instructions, hi.ops, hi.instructions)
	}
	r.Values = []record.Values{{{Unit: Unit, Value: float64(d) / float64(ops)}}}
	if f.parallel {
		r.Lines = []record.Line{&record.Warn{
			About: record.AboutFork, Code: CodeSerialised,
			Text:   "instructions: counted with GOMAXPROCS=1, because valgrind runs one thread at a time; RunParallel deals out single operations then",
			Advice: "take it for what an operation costs one goroutine that nobody disturbs",
		}}
	}
	return r, ops, nil
}
