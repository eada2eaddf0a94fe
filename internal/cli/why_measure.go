package cli

import (
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"time"

	"github.com/tarebench/tare/internal/exit"
	"github.com/tarebench/tare/internal/render/whytext"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// whyRun is a run of tare why that measures.
type whyRun struct {
	*whyFlags
	s        streams
	c        Config
	packages []string
	dir      string // for records that nobody asked for
	began    time.Time
}

const (
	firstForks   = 8                // that find which benchmarks to look at
	layoutForks  = 12               // of each side
	layoutCount  = 4                // layouts of each side
	leastLayouts = 20 * time.Second // of the budget, below which other layouts are not measured
	leastBudget  = 10 * time.Second
)

// left returns what remains of the budget, and at least a part of it.
func (r *whyRun) left(atLeast time.Duration) time.Duration {
	return max(atLeast, r.budget-time.Since(r.began))
}

// measure times both sides, and then looks at the benchmarks that may have changed. It returns the record of that, or of the times if
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
	rows := r.candidates(res)
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

// candidates returns the rows that few forks call changed, or cannot decide.
func (r *whyRun) candidates(res *result.Result) []*result.Comparison {
	if rows := r.rows(res); len(rows) == r.top || r.all {
		return rows
	}
	const worth = 0.02 // a difference below it is not looked for
	undecided := func(c *result.Comparison) bool {
		return c.Verdict == string(stat.Undecided) && math.Abs(math.Log(float64(c.Ratio))) >= worth
	}
	var out []*result.Comparison
	for _, c := range whytext.Changed(res, true, len(res.Comparisons)) {
		if c.Main && record.IsTime(c.Unit) && (undecided(c) || c.Verdict == string(stat.Slower) || c.Verdict == string(stat.Faster)) {
			out = append(out, c)
		}
	}
	return out[:min(len(out), r.top)]
}

// layouts measures other layouts of the benchmarks whose machine code is the same on both sides and whose times differ. It returns nil if
// there are none, or if the budget does not hold it.
func (r *whyRun) layouts(res *result.Result) (*result.Result, error) {
	rows := slices.DeleteFunc(r.rows(res), func(c *result.Comparison) bool {
		changed := c.Verdict == string(stat.Slower) || c.Verdict == string(stat.Faster)
		return !changed || !whytext.SameCode(res, c)
	})
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
	cmd := newBench(streams{r.s.in, io.Discard, r.s.err}, r.c)
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
