package cli

import (
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tarebench/tare/internal/cli/flags"
	"github.com/tarebench/tare/internal/measure/job"
	"github.com/tarebench/tare/internal/measure/programrun"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/show/render"
	"github.com/tarebench/tare/internal/show/subjects/calls"
	"github.com/tarebench/tare/record"
)

const traceLong = `tare trace counts the calls of the functions that match: how often each was called,
for how long, by whom and in which order. Probes are added to the functions when the
program is built; no file of yours changes. The time that the probes take is measured
when the program starts, and subtracted; what is left is marked (?, or <) where it may be
off by more than 20 %.

Patterns name functions as Go does: pkg.Func, pkg.(*T).Method, pkg.*, Func. ./... stands
for all functions of those packages, /regexp/ for all whose full name matches. Functions
of the standard library must be named: sort.*. Functions that cannot have probes are
listed with the reason.

One program is traced: that of the package that is named, or of the current directory,
with its arguments behind --. Or type go run or go test as usual, behind --. The program's
standard input is empty. Its output goes to standard error, because standard output is
for the result. The calls are shown also if the program ends by a signal or a deadlock.

A FILE is a record of tare trace, or of tare bench --prof trace, to show again. One of
tare bench --prof trace --against REV begins with what changed from side to side.

--focus and --ignore keep or drop whole stacks of callers and callees, by the functions
that they have; the functions are then shown by their shares of all self time. They
work on text, flame graph and collapsed stacks; .json and .pb.gz have all calls. --peek prints who
calls a function and what it calls.

-o writes records (.jsonl), the result (.json, .txt), a profile for go tool pprof
(.pb.gz), collapsed stacks (.folded), a flame graph (.svg), or the execution path for
Perfetto (.trace.json).`

const traceExample = `  tare trace --include 'main.*' ./cmd/server -- -addr :8080
  tare trace --include './...' --exclude '/String$/' --min-lines 4 .
  tare trace --include 'sort.*' -- go test -bench 'SortInt1K$' sort
  tare trace --include 'Demo.*' --keep-calls 10000 -o path.trace.json .
  tare trace --include 'hot' --count-only -- go run -race .
  tare trace result.jsonl
  tare trace --peek 'main.run$' --sort total result.jsonl`

// traceFlags are the flags of tare trace as they are typed.
type traceFlags struct {
	programFlags
	calls      callsFlags
	shownCalls calls.Config // of callsFlags
	bench      string
}

func newTrace(s streams) *cobra.Command {
	f := &traceFlags{programFlags: programFlags{job: job.DefaultProgram(record.KindTrace), verb: job.OnTrace}}
	return verb{
		use:     "trace [flags] --include PATTERN [package [-- ARG...] | -- go run|test ARG... | FILE]",
		short:   "Count the calls of a program's functions, and time them",
		long:    traceLong,
		example: traceExample,
		register: func(fl *pflag.FlagSet) {
			f.register(fl, callsSuffixes...)
			f.calls.register(fl)
			flags.RecordedBench(fl, &f.bench)
		},
		run: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd, s, args, programVerb{f.checkShown, f.views, f.warnings, f.view})
		},
	}.command()
}

// callsSuffixes are forms of what was counted.
var callsSuffixes = []string{".pb.gz", ".folded", ".svg", render.CallgrindSuffix, render.SpeedscopeSuffix, render.TraceEventsSuffix}

// callsFlags say what of the calls is shown.
type callsFlags struct {
	top, depth, steps int
	stacks            selectionFlags
}

func (f *callsFlags) register(fl *pflag.FlagSet) {
	fl.IntVar(&f.top, "top", calls.DefaultTop, "functions in the table; 0 for all")
	fl.IntVar(&f.depth, "depth", calls.DefaultDepth, "levels of the tree of calls; 0 for all")
	fl.IntVar(&f.steps, "show-calls", calls.DefaultSteps, "calls of the execution path that are printed; 0 for all")
	f.stacks.register(fl)
}

// config checks the flags and returns what they ask for.
func (f *callsFlags) config() (calls.Config, error) {
	p := problems{}
	c := calls.Config{Top: p.listLength("top", f.top), Depth: p.listLength("depth", f.depth), Steps: p.listLength("show-calls", f.steps), Selection: f.stacks.selection(&p)}
	if f.depth == 0 {
		c.Share = -1 // the smallest, too
	}
	return c, p.Err()
}

func (f *traceFlags) checkShown() (err error) {
	if out := f.output.Path(render.TraceEventsSuffix); out != "" && (f.job.CountOnly || f.job.KeepCalls == 0) {
		return usageError(fmt.Errorf("-o %s: the execution path is not kept with --count-only, or --keep-calls 0", out), "")
	}
	f.shownCalls, err = f.calls.config()
	return err
}

func (f *traceFlags) warnings(t *record.Trace) ([]*record.Warn, error) {
	return callWarnings(t, f.shownCalls)
}

// callWarnings returns the warnings about calls of which so much is shown.
func callWarnings(t *record.Trace, c calls.Config) (out []*record.Warn, err error) {
	shown, err := calls.New(t, c)
	if err != nil {
		return nil, err
	}
	for _, w := range shown.Warnings() {
		out = append(out, &record.Warn{Code: w.Code, Text: w.Text, Advice: w.Advice})
	}
	return out, nil
}

// view shows the calls of a run.
func (f *traceFlags) view(o *programrun.Outcome) (*render.View, error) {
	c, err := calls.New(o.Trace, f.shownCalls)
	if err != nil {
		return nil, err
	}
	return render.CallsView(c, o.Title), nil
}

// views returns the traced programs of a record, and its benchmarks that match.
func (f *traceFlags) views(r *programRecord) (_ []*render.View, err error) {
	if len(r.res.Calls) == 0 && !r.damaged(record.AttachTrace) {
		return nil, r.nothing(record.KindTrace)
	}
	switch record.KindOf(r.res.Run) {
	case record.KindTrace, record.KindContrast:
		if f.bench != "" {
			return nil, usageError(fmt.Errorf("%s: --bench: it is of one program", r.title), "it chooses from a record of benchmarks")
		}
	}
	if r.res.Calls, err = chosen(r.title, r.res.Calls, "traced", f.bench); err != nil {
		return nil, err
	}
	shown := render.StackOptions{Top: f.shownCalls.Top, Selection: f.shownCalls.Selection}
	return withDifferences(&result.Result{Run: r.res.Run, Calls: r.res.Calls}, shown, func() ([]*render.View, error) {
		return render.CallsViews(r.res, f.shownCalls)
	})
}
