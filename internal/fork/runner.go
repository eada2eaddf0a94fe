package fork

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tarebench/tare/internal/env"
	"github.com/tarebench/tare/internal/profiler"
	"github.com/tarebench/tare/internal/spawn"
	"github.com/tarebench/tare/record"
)

// A Runner runs forks, one at a time. Its fields are set once.
type Runner struct {
	Launcher *spawn.Launcher
	Write    func(record.Line) error // takes samples and forks as they end; nil drops them
	Environ  []string                // environment of every fork
	Mask     func(string) string     // hides secrets in the output that is kept; nil keeps all

	CPU *env.CPUReader // nil where the machine does not tell its CPU times

	forks   int   // forks so far: the last fork's ID
	lastEnd int64 // end of the last fork's life, CLOCK_MONOTONIC ns
}

// First makes ids follow those of an earlier record that is being continued.
func (r *Runner) First(id int) { r.forks = id - 1 }

// Spec says what one fork shall do.
type Spec struct {
	Case      *record.Case
	Bin       *record.Bin
	Path      string   // of the test binary
	Environ   []string // environment; nil: the Runner's
	Round     int
	Purpose   string                 // record.PurposeTiming …
	Benchtime string                 // "100x" or "50ms"
	Count     int                    // iterations, warm-up included
	Warmup    int                    // of which are warm-up
	Timeout   time.Duration          // for the whole fork; 0: none
	Attach    []profiler.Attacher    // look at it from outside; nil: none
	Interpret []profiler.Interpreter // make sense of what their halves attach; nil: none
	Prepare   []profiler.Preparer    // have something ready for their halves; nil: none
	Wrap      profiler.Wrapper       // runs it in a program of its own; nil: nobody
}

// Outcome is a fork that has ended.
type Outcome struct {
	Fork    record.Fork
	Samples []*record.Sample // of a failed fork: those it printed before it failed
	Marks   []Mark           // windows that the fork told of
}

// Run runs one fork and writes its lines. The error is not nil only when no
// more forks can be run; a fork that fails is an Outcome.
func (r *Runner) Run(ctx context.Context, s Spec) (*Outcome, error) {
	if s.Wrap != nil {
		return r.runWrapped(ctx, s)
	}
	x, err := r.exec(ctx, command{
		bin: s.Bin, path: s.Path, environ: s.Environ, args: benchArgs(s), limits: limits{whole: s.Timeout}, attach: s.Attach, prepare: s.Prepare,
		of:     profiler.Fork{Case: s.Case, Warmup: s.Warmup},
		parser: parser{procs: s.Case.Procs, most: s.Count},
	})
	if err != nil {
		return nil, err
	}
	f := x.fork
	f.Case, f.Bin, f.Round, f.Purpose = s.Case.ID, s.Bin.ID, s.Round, s.Purpose
	p := x.out.done()
	out := &Outcome{Samples: samples(f.ID, p.results, s.Warmup, f.Start)}
	f.Setup = setup(out.Samples, f.Wall)
	judge(&f, x, p, fullName(s.Case.Name, s.Case.Procs), s.Count)
	if f.State != record.StateOK {
		f.Tail = x.out.end(r.Mask)
		f.Why = r.mask(f.Why)
	}
	out.Fork = f
	said := x.pipe.decode(&f)
	said.settle(s.Warmup)
	out.hear(&said)
	if record.OfProfiler(s.Purpose) {
		leave(out.Samples)
	}
	said.lines = interpret(s.Interpret, s.Path, said.lines, &x.watch)
	said.lines = append(said.lines, x.watch.end(&f, out, len(said.announce) > 0)...)
	return out, r.write(out, &said)
}

// hear prefers samples that the fork sent itself to those that were parsed from
// its text: they are richer. A pilot wants to know what we see from outside.
func (o *Outcome) hear(s *said) {
	o.Marks = s.marks
	if o.Fork.Purpose != record.PurposePilot && s.measures() {
		walls(s.samples, o.Samples)
		alsoPrinted(s.samples, o.Samples)
		o.Samples = s.samples
	}
}

// alien are figures that a profiler disturbs.
func alien(v record.Value) bool {
	return v.Unit == "ns/op" || v.Unit == "MB/s" || ofMemory(v.Unit)
}

// leave takes from a profiler's fork all but what is the profiler's to say.
func leave(ss []*record.Sample) {
	for _, s := range ss {
		s.V = slices.DeleteFunc(s.V, alien)
	}
}

// alsoPrinted gives samples that a fork sent what it had testing print besides,
// as a benchmark does that calls ReportMetric after a Group.
func alsoPrinted(sent, seen []*record.Sample) {
	but := spoken(sent)
	for _, s := range sent {
		if s.Role == "" && s.Phase != record.PhaseBaseline && s.Iter <= len(seen) {
			adopt(s, seen[s.Iter-1], but)
		}
	}
}

// walls gives samples that a fork sent the wall times that we saw, if both have
// the same iterations.
func walls(sent, seen []*record.Sample) {
	have := map[int]bool{}
	for _, s := range sent {
		have[s.Iter] = true
	}
	for _, s := range seen {
		delete(have, s.Iter)
	}
	if len(have) > 0 {
		return
	}
	for _, s := range sent {
		s.Wall = seen[s.Iter-1].Wall
	}
}

// write writes all lines of a fork, its own last.
func (r *Runner) write(o *Outcome, s *said) error {
	if r.Write == nil {
		return nil
	}
	for _, x := range o.Samples {
		if err := r.Write(x); err != nil {
			return err
		}
	}
	lines := s.lines
	if w := s.warn(&o.Fork); w != nil {
		lines = append(lines, w)
	}
	for _, l := range append(lines, &o.Fork) {
		if w, ok := l.(*record.Warn); ok {
			w.Text, w.Advice = r.mask(w.Text), r.mask(w.Advice)
		}
		if err := r.Write(l); err != nil {
			return err
		}
	}
	return nil
}

func (r *Runner) mask(s string) string {
	if r.Mask == nil {
		return s
	}
	return r.Mask(s)
}

// benchArgs are the flags of a test binary for one fork.
func benchArgs(s Spec) []string {
	return []string{
		"-test.run=^$",
		"-test.bench=" + Pattern(s.Case.Name),
		"-test.skip=" + below(s.Case.Name),
		"-test.benchtime=" + s.Benchtime,
		fmt.Sprintf("-test.count=%d", s.Count),
		fmt.Sprintf("-test.cpu=%d", s.Case.Procs),
		"-test.benchmem",
		"-test.paniconexit0", // as go test does: os.Exit(0) is no way to end well
	}
}

// judge sets state and reason: a fork is good if it ended well and printed
// exactly the results asked for, under exactly the name asked for. Words that
// tell of a failure count only if one of these is amiss, because benchmarks
// print such words, too.
func judge(f *record.Fork, x *execution, p printed, name string, count int) {
	f.State, f.Why = record.StateFailed, ""
	amiss := missing(p, name, count)
	switch {
	case x.timedOut:
		f.State, f.Why = record.StateTimeout, fmt.Sprintf("did not end within %s", x.limit)
	case x.killed:
		f.State, f.Why = record.StatePartial, "interrupted"
	case f.Exit == "0" && amiss == "":
		f.State = record.StateOK
	case p.panic != "" && (f.Exit != "0" || p.sure):
		f.Why = p.panic
	case len(p.failed) > 0:
		f.Why = p.failed[0].words()
	case f.Exit != "0":
		f.Why = "ended with " + exitWords(f.Exit)
	default:
		f.Why = amiss
	}
}

// missing says what results are not as asked for.
func missing(p printed, name string, count int) string {
	for _, r := range p.results {
		if r.name != name {
			return "printed a result of " + clip(r.name)
		}
	}
	if n := len(p.results) + p.extra; n != count {
		return fmt.Sprintf("ended well but printed %d of %d results", n, count)
	}
	return ""
}

func (f failure) words() string {
	if f.why == "" {
		return "the benchmark failed"
	}
	return "the benchmark failed: " + f.why
}

func exitWords(exit string) string {
	if strings.HasPrefix(exit, "signal") {
		return exit
	}
	return "status " + exit
}
