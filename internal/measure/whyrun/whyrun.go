// Package whyrun measures what tare why explains: it times both sides of a change, and profiles the benchmarks that
// may have changed.
//
// It is a sequence of jobs: few forks of all benchmarks; then all forks, with profilers, of those that may differ;
// then other layouts of those whose machine code is the same. The causes are found by package result/why.
package whyrun

import (
	"errors"
	"path/filepath"
	"slices"
	"time"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/measure/job"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/result/why/gather"
)

// Profilers are those that are used, which cost least first.
var Profilers = []string{"compiler", "alloc", "instructions", "asm", "sched"}

const (
	firstForks   = 8                // that find which benchmarks to profile
	layoutForks  = 12               // of each side
	layoutCount  = 4                // layouts of each side
	leastLayouts = 20 * time.Second // of the budget, below which other layouts are not measured

	leastCandidate = 0.02 // difference of a row that the first forks cannot decide, from which on it is profiled
	leastShown     = 0.05 // and that all forks cannot, from which on it is shown
)

// Config says what is measured.
type Config struct {
	Job    job.Bench // its Budget is that of each benchmark that is profiled
	Choice Choice
	Record string // file of the record with profiles; "": one in Dir
	Dir    string // for temporary records

	// Measure runs a job, and writes its record to a file.
	Measure func(j *job.Bench, path string) (*result.Result, error)
}

// Found is what was measured.
type Found struct {
	Path    string         // of the record
	Result  *result.Result // what it says
	Layouts *result.Result // of other layouts; nil: they were not measured
}

// Choice says which comparisons are explained.
type Choice struct {
	Most int  // so many at most, the largest changes first
	All  bool // also those that did not change
}

// Rows returns the comparisons that are explained: those that changed, the largest change first, then large
// differences that are not decided.
func (c Choice) Rows(res *result.Result) []*result.Comparison { return c.rows(res, leastShown) }

// rows is Rows with another least difference of those that are not decided.
func (c Choice) rows(res *result.Result, least float64) []*result.Comparison {
	rows := gather.Changed(res, c.All, c.Most)
	if c.All {
		return rows
	}
	return append(rows, gather.Undecided(res, least, c.Most-len(rows))...)
}

// run is a run in progress.
type run struct {
	Config
	began time.Time
}

// Run measures. Without a row to explain, the record is that of the first forks.
func Run(c Config) (*Found, error) {
	r := &run{Config: c, began: time.Now()}
	out, err := r.profile()
	if err != nil {
		return nil, err
	}
	out.Layouts, err = r.layouts(out.Result)
	return out, err
}

// left returns what remains of the budget, and at least a part of it.
func (r *run) left(atLeast time.Duration) time.Duration {
	return max(atLeast, r.Job.Budget-time.Since(r.began))
}

// profile times both sides, and then profiles the benchmarks that may have changed.
func (r *run) profile() (*Found, error) {
	timed := filepath.Join(r.Dir, "timed.jsonl")
	res, err := r.measure(timed, func(j *job.Bench) { j.Budget, j.Forks = j.Budget/3, min(j.Forks, firstForks) })
	if err != nil {
		return nil, err
	}
	rows := r.Choice.rows(res, leastCandidate)
	if len(rows) == 0 {
		return &Found{Path: timed, Result: res}, nil
	}
	path := r.Record
	if path == "" {
		path = filepath.Join(r.Dir, "why.jsonl")
	}
	res, err = r.measure(path, func(j *job.Bench) {
		j.Bench, j.Profilers = patternOf(rows), Profilers
		j.Budget = r.left(j.Budget/2) + time.Duration(len(rows)-1)*j.Budget
	})
	return &Found{Path: path, Result: res}, err
}

// layouts measures other layouts of the benchmarks whose machine code is the same on both sides and whose times
// differ. It returns nil if there are none, or if the budget does not hold it.
func (r *run) layouts(res *result.Result) (*result.Result, error) {
	rows := slices.DeleteFunc(gather.Changed(res, false, r.Choice.Most), func(c *result.Comparison) bool { return !gather.SameCode(res, c) })
	if len(rows) == 0 || r.left(0) < leastLayouts {
		return nil, nil
	}
	return r.measure(filepath.Join(r.Dir, "layouts.jsonl"), func(j *job.Bench) {
		j.Bench, j.Budget, j.Forks, j.Layouts = patternOf(rows), r.left(0), layoutForks, layoutCount
	})
}

// measure measures both sides. It fails if no benchmark ran on both.
func (r *run) measure(path string, change func(*job.Bench)) (*result.Result, error) {
	j := r.Job
	j.Given, j.ShortIterations = nil, false // both sides of a profile have the same iterations
	change(&j)
	j.Budget = j.Budget.Round(time.Millisecond)
	res, err := r.Measure(&j, path)
	if err != nil {
		return nil, err
	}
	if len(res.Comparisons)+len(res.Lost) == 0 {
		return nil, exit.Failed(errors.New("no benchmark ran on both sides"), "--with FILE puts a benchmark into both that one of them lacks")
	}
	return res, nil
}
