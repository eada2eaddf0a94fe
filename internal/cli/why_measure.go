package cli

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"time"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/show/subjects/whytext"
)

// whyRun is a run of tare why that measures.
type whyRun struct {
	*whyFlags
	s        streams
	packages []string
	dir      string // for temporary records
	began    time.Time
}

const (
	firstForks   = 8                // that find which benchmarks to examine
	layoutForks  = 12               // of each side
	layoutCount  = 4                // layouts of each side
	leastLayouts = 20 * time.Second // of the budget, below which other layouts are not measured
	leastBudget  = 10 * time.Second

	leastCandidate = 0.02 // difference of a row that the first forks cannot decide, from which on it is examined
	leastShown     = 0.05 // and that all forks cannot, from which on it is shown
)

// left returns what remains of the budget, and at least a part of it.
func (r *whyRun) left(atLeast time.Duration) time.Duration {
	return max(atLeast, r.budget-time.Since(r.began))
}

// measure times both sides, and then examines the benchmarks that may have changed. It returns the record of that, or of the times if
// there are none.
func (r *whyRun) measure() (string, *result.Result, error) {
	timed := filepath.Join(r.dir, "timed.jsonl")
	if err := r.bench(timed, r.whyFlags.bench, r.budget/3, min(r.forks, firstForks)); err != nil {
		return "", nil, err
	}
	res, err := r.read(timed)
	if err != nil {
		return "", nil, err
	}
	rows := r.worth(res, leastCandidate)
	if len(rows) == 0 {
		return timed, res, nil
	}
	path := r.record
	if path == "" {
		path = filepath.Join(r.dir, "why.jsonl")
	}
	budget := r.left(r.budget/2) + time.Duration(len(rows)-1)*r.budget
	if err := r.bench(path, patternOf(rows), budget, r.forks, "--prof", whyProfilers); err != nil {
		return "", nil, err
	}
	res, err = r.read(path)
	return path, res, err
}

// read reads a record of both sides that was just made.
func (r *whyRun) read(path string) (*result.Result, error) {
	b, err := readSide(r.s.in, path)
	if err != nil {
		return nil, err
	}
	if res := b.Result(); !hasSides(res) {
		return nil, failed(errors.New("no benchmark ran on both sides"), "--with FILE puts a benchmark into both that one of them lacks")
	}
	b.Judge(result.Judgement{})
	return b.Result(), nil
}

// layouts measures other layouts of the benchmarks whose machine code is the same on both sides and whose times differ. It returns nil if
// there are none, or if the budget does not hold it.
func (r *whyRun) layouts(res *result.Result) (*result.Result, error) {
	rows := slices.DeleteFunc(whytext.Changed(res, false, r.top), func(c *result.Comparison) bool { return !whytext.SameCode(res, c) })
	if len(rows) == 0 || r.left(0) < leastLayouts {
		return nil, nil
	}
	path := filepath.Join(r.dir, "layouts.jsonl")
	if err := r.bench(path, patternOf(rows), r.left(0), layoutForks, "--layouts", fmt.Sprint(layoutCount)); err != nil {
		return nil, err
	}
	return r.read(path)
}

// bench runs tare bench on both sides, with a record and without its table.
func (r *whyRun) bench(path, pattern string, budget time.Duration, forks int, more ...string) error {
	cmd := newBench(streams{in: r.s.in, out: io.Discard, err: r.s.err})
	args := slices.Concat([]string{"--bench", pattern, "--forks", fmt.Sprint(forks), "--time", r.time.String(), "--budget", budget.Round(time.Millisecond).String(), "-o", path, "--no-config"}, more)
	args = append(args, r.sideArgs()...)
	if r.show != "" {
		args = append(args, "--progress", r.show)
	}
	for flag, on := range map[string]bool{"no-wait": r.noWait, "no-lock": r.noLock} {
		if on {
			args = append(args, "--"+flag)
		}
	}
	cmd.SetArgs(append(args, r.packages...))
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	err := cmd.Execute()
	if e := exit.As(err); e != nil && e.Printed && e.Code == exit.Failure {
		return nil // some benchmarks failed, which has been said: the others are in the record
	}
	return err
}

// sideArgs returns the arguments of tare bench that say what is compared.
func (f *whyFlags) sideArgs() (args []string) {
	for _, list := range []struct {
		flag   string
		values []string
	}{{"--side", f.side}, {"--side-flags", f.build}, {"--side-env", f.env}, {"--with", f.with}} {
		for _, v := range list.values {
			args = append(args, list.flag, v)
		}
	}
	if f.against != "" {
		args = append(args, "--against", f.against)
	}
	if f.tags != "" {
		args = append(args, "--tags", f.tags)
	}
	return args
}
