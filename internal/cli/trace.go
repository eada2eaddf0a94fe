package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tarebench/tare/internal/command"
	"github.com/tarebench/tare/internal/instrument"
	"github.com/tarebench/tare/internal/profrun"
	"github.com/tarebench/tare/internal/render"
	"github.com/tarebench/tare/internal/render/calls"
	"github.com/tarebench/tare/internal/session"
	"github.com/tarebench/tare/record"
)

const traceName = "trace" // of the purpose of its forks, too

const traceLong = `tare trace counts the calls of the functions that match: how often each was called,
for how long, by whom and in which order. Probes are woven into them while the program
is built; no file of yours changes. What the probes take is measured where the program
starts, and subtracted.

Patterns name functions as Go does: pkg.Func, pkg.(*T).Method, pkg.*, Func; ./... are all
functions of those packages, and /regexp/ is sought in full names. Of the standard library
is woven what is named: sort.*. What cannot be woven is listed with the reason.

One program at a time: that of the package that is named, or of the current directory,
with its arguments behind --; or go run and go test, as you would type them, behind --.
Its standard input is empty, and what it prints goes to standard error: standard output
is for the result. However it ends, by a signal or a deadlock, what was counted is shown.

A record of tare trace, or of tare bench --prof trace, is shown again.

-o writes records (.jsonl), the result (.json, .txt), a profile for go tool pprof
(.pb.gz), collapsed stacks (.folded), a flame graph (.svg), or the execution path for
Perfetto (.trace.json).`

const traceExample = `  tare trace --match 'main.*' ./cmd/server -- -addr :8080
  tare trace --match './...' --skip '/String$/' --min-lines 4 .
  tare trace --match 'sort.*' -- go test -bench 'SortInt1K$' sort
  tare trace --match 'Demo.*' --path 10000 -o path.trace.json .
  tare trace --match 'hot' --count-only -- go run -race .
  tare trace result.jsonl`

// traceFlags are the flags of tare trace as they are typed.
type traceFlags struct {
	weave weaveFlags
	calls callsFlags
	bench string
	watch watchFlags
}

func newTrace(s streams) *cobra.Command {
	f := &traceFlags{}
	f.watch.out.suffixes = callsSuffixes
	cmd := &cobra.Command{
		Use:     "trace [flags] --match PATTERN [package [-- ARG...] | -- go run|test ARG... | FILE]",
		Short:   "Count the calls of a program's functions, and time them",
		Long:    traceLong,
		Example: traceExample,
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd, s, args)
		},
	}
	fl := cmd.Flags()
	fl.SortFlags = false
	f.weave.register(fl)
	f.calls.register(fl)
	fl.StringVar(&f.bench, "bench", "", "of a record of benchmarks, show those that match this `regexp`")
	f.watch.register(fl)
	return cmd
}

// weaveFlags say what is woven, and how.
type weaveFlags struct {
	cfg   instrument.Config
	arena instrument.ArenaConfig
	room  string
}

// How many calls of the execution path are kept: 1000 are 100 KB of a record, whose lines
// have a limit (record.MaxLine).
const (
	defaultPath = 1000
	maxPath     = 500_000
)

// ofWeaving are their names, without that of patterns.
var ofWeaving = []string{"match", "skip", "min-lines", "literals", "count-only", "every", "room", "path"}

func (f *weaveFlags) register(fl *pflag.FlagSet) {
	c := &f.cfg
	fl.StringArrayVar(&c.Match, "match", nil, "functions to weave, by `pattern`; repeatable")
	fl.StringArrayVar(&c.Skip, "skip", nil, "functions to leave alone, by `pattern`; repeatable")
	fl.IntVar(&c.MinLines, "min-lines", 0, "leave functions of fewer `lines` alone")
	fl.BoolVar(&c.Literals, "literals", false, "weave function literals in functions that match, too")
	fl.BoolVar(&c.CountOnly, "count-only", false, "count calls and time none: 1 ns a call, for hot leaves")
	fl.IntVar(&c.Every, "every", 1, "time one of `K` calls, on average, and count all")
	fl.StringVar(&f.room, "room", "64MiB", "`size` of what is kept of calls, on each goroutine and from each place: calls beyond are counted, and not timed")
	fl.IntVar(&f.arena.Path, "path", defaultPath, fmt.Sprintf("keep the first `N` calls in their order, %d at most", maxPath))
}

// check finds mistakes before anything is built.
func (f *weaveFlags) check(cmd *cobra.Command) error {
	if len(f.cfg.Match) == 0 {
		return usageError(fmt.Errorf("%s needs to know which functions to weave", cmd.Name()), "--match 'main.*', or --match ./... for all of these packages")
	}
	if f.arena.Path < 0 || f.arena.Path > maxPath {
		return usageError(fmt.Errorf("--path %d is not from 0 to %d", f.arena.Path, maxPath), "")
	}
	if f.cfg.Every < 1 {
		return usageError(fmt.Errorf("--every %d: one of how many calls is timed?", f.cfg.Every), "--every 1 times all")
	}
	if f.cfg.CountOnly {
		if cmd.Flags().Changed("path") && f.arena.Path > 0 {
			return usageError(errors.New("--path: calls that are only counted have no order"), "leave out --count-only, or --path")
		}
		f.arena.Path = 0
	}
	size, err := session.ParseSize(f.room)
	if err != nil || size < instrument.MinSize || size > instrument.MaxSize {
		return usageError(fmt.Errorf("--room %s: want a size from 1MiB to 3GiB", f.room), "")
	}
	f.arena.Size = size
	cfg := f.cfg
	cfg.Work = "." // comes later
	if err := cfg.Validate(); err != nil {
		return usageError(err, "")
	}
	return nil
}

// callsFlags say what of the calls is shown.
type callsFlags struct{ top, depth, steps int }

func (f *callsFlags) register(fl *pflag.FlagSet) {
	fl.IntVar(&f.top, "top", calls.DefaultTop, "functions in the table; 0 for all")
	fl.IntVar(&f.depth, "depth", calls.DefaultDepth, "levels of the tree of calls; 0 for all")
	fl.IntVar(&f.steps, "steps", calls.DefaultSteps, "calls of the execution path that are printed; 0 for all")
}

func (f *callsFlags) config() (c calls.Config, err error) {
	number := func(flag string, n int) int {
		switch {
		case n < 0:
			err = errors.Join(err, fmt.Errorf("--%s %d is less than 0", flag, n))
		case n == 0:
			return -1 // what a Config has for all
		}
		return n
	}
	c = calls.Config{Top: number("top", f.top), Depth: number("depth", f.depth), Steps: number("steps", f.steps)}
	if f.depth == 0 {
		c.Share = -1 // the smallest, too
	}
	if err != nil {
		return c, usageError(err, "")
	}
	return c, nil
}

// run finds out what is to be traced, or shown.
func (f *traceFlags) run(cmd *cobra.Command, st streams, args []string) error {
	if err := f.watch.check(); err != nil {
		return err
	}
	cfg, err := f.calls.config()
	if err != nil {
		return err
	}
	if cmd.ArgsLenAtDash() < 0 && len(args) > 0 && isRecordFile(args[0]) {
		if err := refuseFlags(cmd, "a record is shown as it is", append(ofRun, ofWeaving...)...); err != nil {
			return err
		}
		return f.watch.ofRecord(st, args, func(r *watchRecord) ([]*render.View, error) { return traceViews(r, f.bench, cfg) })
	}
	if err := missingFile(cmd, args); err != nil {
		return err
	}
	if err := refuseFlags(cmd, "it chooses from a record of benchmarks", "bench"); err != nil {
		return err
	}
	if err := f.weave.check(cmd); err != nil {
		return err
	}
	if out := f.watch.out.wants(render.TraceEventsSuffix); out != "" && f.weave.arena.Path == 0 {
		return usageError(fmt.Errorf("-o %s: the execution path is not kept with --count-only, or --path 0", out), "")
	}
	t, err := f.watch.target(cmd, args)
	if err != nil {
		return err
	}
	if t == nil {
		return usageError(fmt.Errorf("trace: -- %s: probes are woven where tare builds", command.Join(session.MaskArgs(args))), "name the package, or -- go run PACKAGE; tare sample looks at any command")
	}
	return f.trace(st, t, cfg)
}

// target is what the arguments say is to be built; nil for any other command.
func (f *watchFlags) target(cmd *cobra.Command, args []string) (*profrun.Target, error) {
	n := cmd.ArgsLenAtDash()
	switch {
	case n == 0 && len(args) == 0:
		return nil, usageError(fmt.Errorf("%s: no command behind --", cmd.Name()), "-- go run PACKAGE, or -- go test PACKAGE")
	case n == 0:
		if f.tags != "" {
			return nil, usageError(errors.New("--tags does not fit: what follows -- is a command"), "it takes -tags itself")
		}
		if !profrun.IsGo(args) {
			return nil, nil
		}
		return profrun.CommandTarget(args)
	case n < 0:
		n = len(args)
	}
	for _, a := range args[:n] {
		if !strings.HasSuffix(a, ".go") && n > 1 {
			return nil, usageError(fmt.Errorf("%s: %s: one package at a time", cmd.Name(), strings.Join(session.MaskArgs(args[:n]), " ")), "arguments of the program come behind --")
		}
	}
	return profrun.PackageTarget(args[:n], args[n:], f.tags), nil
}

// config is what the runner gets.
func (f *weaveFlags) config(c calls.Config) profrun.TraceConfig {
	return profrun.TraceConfig{Functions: f.cfg, Arena: f.arena, Warnings: func(t *record.Trace) ([]*record.Warn, error) {
		shown, err := calls.New(t, c)
		if err != nil {
			return nil, err
		}
		var out []*record.Warn
		for _, w := range shown.Warnings() {
			out = append(out, &record.Warn{Code: w.Code, Text: w.Text, Advice: w.Advice})
		}
		return out, nil
	}}
}

// trace has the target traced, and shows the calls.
func (f *traceFlags) trace(st streams, t *profrun.Target, cfg calls.Config) error {
	r, err := f.watch.start(st, traceName)
	if err != nil {
		return err
	}
	defer r.close()
	traced, err := r.Trace(t, f.weave.config(cfg))
	if err != nil {
		return r.Abort(err)
	}
	r.Finish()
	c, err := calls.New(traced.Trace, cfg)
	if err != nil {
		return failed(err, "")
	}
	return f.watch.printRun(r, traced.Ended, render.CallsView(c, traced.Title))
}

// callsSuffixes are forms of what was counted.
var callsSuffixes = []string{".pb.gz", ".folded", ".svg", render.TraceEventsSuffix}
