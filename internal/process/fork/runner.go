package fork

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tarebench/tare/internal/base/env"
	"github.com/tarebench/tare/internal/numbers/loss"
	"github.com/tarebench/tare/internal/process/memorymax"
	"github.com/tarebench/tare/internal/process/profiler"
	"github.com/tarebench/tare/internal/process/spawn"
	"github.com/tarebench/tare/record"
)

// A Runner runs forks, one at a time. Its fields are set once.
type Runner struct {
	Launcher *spawn.Launcher
	Write    func(record.Line) error // receives samples and forks as they end; nil drops them
	Environ  []string                // environment of every fork
	Mask     func(string) string     // replaces secrets in the output that is kept; nil keeps all

	CPU      *env.CPUReader // nil if the system does not report CPU times
	Throttle *env.Throttle  // nil if no CPU quota is set

	Memory *memorymax.Limit // of the forks; nil: none

	forks   int   // number of forks so far, and the last fork's ID
	lastEnd int64 // end of the last fork's life, CLOCK_MONOTONIC ns
}

// SetNextID sets the ID of the next fork, for a record that is being resumed.
func (r *Runner) SetNextID(id int) { r.forks = id - 1 }

// Spec describes one fork.
type Spec struct {
	Case      *record.Case
	Group     []*record.Case // the benchmarks that run in the process, Case among them; nil: Case alone
	With      []*record.Case // other cases of Group whose forks are recorded
	Bin       *record.Bin
	Path      string   // of the test binary
	Args      []string // flags and arguments of the binary's own, behind tare's
	Environ   []string // environment; nil: the Runner's
	Round     int
	Purpose   string                 // record.PurposeTiming …
	Benchtime string                 // "100x" or "50ms"
	Count     int                    // iterations, warm-up included
	Warmup    int                    // of which are warm-up
	Timeout   time.Duration          // of the whole fork; 0: none
	Attach    []profiler.Attacher    // profilers that attach to the process
	Interpret []profiler.Interpreter // profilers that interpret what their part in the process attaches
	Prepare   []profiler.Preparer    // profilers that prepare something for their part in the process
	Wrap      profiler.Wrapper       // profiler that runs the fork inside another program; nil: none
}

// Outcome is a fork that has ended.
type Outcome struct {
	Fork    record.Fork
	Samples []*record.Sample // of a failed fork: those printed before the failure
	Marks   []Mark           // begin and end of measured windows, as sent by the fork
	Others  []*Outcome       // of Spec.With, in its order
}

// Run runs one fork and writes its lines. A fork that fails is an Outcome. Run returns an error only if no
// more forks can be run.
func (r *Runner) Run(ctx context.Context, s Spec) (*Outcome, error) {
	switch {
	case s.Wrap != nil:
		return r.runWrapped(ctx, s)
	case len(s.Group) > 0:
		return r.runGroup(ctx, s)
	}
	x, err := r.exec(ctx, command{
		bin: s.Bin, path: s.Path, environ: s.Environ, args: benchArgs(s), limits: limits{total: s.Timeout}, attach: s.Attach, prepare: s.Prepare,
		fork:    profiler.Fork{Case: s.Case, Warmup: s.Warmup},
		watched: !record.OfProfiler(s.Purpose),
		parser:  parser{procs: s.Case.Procs, limit: s.Count},
	})
	if err != nil {
		return nil, err
	}
	f := x.fork
	f.Case, f.Bin, f.Round, f.Purpose = s.Case.ID, s.Bin.ID, s.Round, s.Purpose
	p := x.out.done()
	out := &Outcome{Samples: samples(f.ID, p.results, s.Warmup, f.Start, f.Start+f.Wall)}
	f.Setup = setup(out.Samples, f.Wall)
	setState(&f, x, p, fullName(s.Case.Name, s.Case.Procs), s.Count)
	if f.State != record.StateOK {
		f.Tail = x.out.tailText()
		f.Why = r.mask(f.Why)
	}
	if !record.OfProfiler(s.Purpose) {
		loss.Mark(&f, out.Samples, loss.Processors(s.Case))
	}
	out.Fork = f
	messages := x.pipe.decode(&f)
	messages.mergeSamples(s.Warmup)
	out.preferSent(&messages)
	if record.OfProfiler(s.Purpose) {
		dropDisturbed(out.Samples)
	}
	messages.lines = interpret(s.Interpret, s.Path, messages.lines, &x.sessions)
	messages.lines = append(messages.lines, x.sessions.end(&f, out, len(messages.announcements) > 0)...)
	return out, r.write(out, &messages)
}

// preferSent replaces the samples parsed from the fork's text by those that it sent, which are richer. Forks
// for calibration keep the parsed ones, because calibration uses wall times seen from outside.
func (o *Outcome) preferSent(s *childMessages) {
	o.Marks = s.marks
	if o.Fork.Purpose != record.PurposePilot && s.hasMeasurements() {
		copyOutside(s.samples, o.Samples)
		addPrintedMetrics(s.samples, o.Samples)
		o.Samples = s.samples
	}
}

// isDisturbed reports whether a profiler distorts this value.
func isDisturbed(v record.Value) bool {
	return v.Unit == "ns/op" || v.Unit == "MB/s" || isMemoryUnit(v.Unit)
}

// dropDisturbed removes the values that the profiler of this fork distorts.
func dropDisturbed(ss []*record.Sample) {
	for _, s := range ss {
		s.V = slices.DeleteFunc(s.V, isDisturbed)
	}
}

// addPrintedMetrics adds to the samples that a fork sent the metrics that only testing printed, such as those
// of ReportMetric after a Group.
func addPrintedMetrics(sent, seen []*record.Sample) {
	except := printedUnits(sent)
	for _, s := range sent {
		if s.Role == "" && s.Phase != record.PhaseBaseline && s.Iter <= len(seen) {
			addMissingValues(s, seen[s.Iter-1], except)
		}
	}
}

// copyOutside sets what is known only from outside of the samples that a fork sent, if both have the same iterations.
func copyOutside(sent, seen []*record.Sample) {
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
		from := seen[s.Iter-1]
		s.Wall, s.CPU, s.Delay, s.Batched = from.Wall, from.CPU, from.Delay, from.Batched
	}
}

// write writes all lines of a fork, its own last.
func (r *Runner) write(o *Outcome, s *childMessages) error {
	if r.Write == nil {
		return nil
	}
	for _, x := range o.Samples {
		if err := r.Write(x); err != nil {
			return err
		}
	}
	lines := s.lines
	if w := s.warn(&o.Fork, r.Mask); w != nil {
		lines = append(lines, w)
	}
	for _, l := range append(lines, &o.Fork) {
		if w, ok := l.(*record.Warn); ok {
			w.Text, w.Advice = r.mask(w.Text), r.mask(w.Advice)
			for name, fact := range w.Facts {
				w.Facts[name] = r.mask(fact)
			}
		}
		if err := r.Write(l); err != nil {
			return err
		}
	}
	return nil
}

func (r *Runner) mask(s string) string { return masker(r.Mask).text(s) }

// benchArgs returns the flags of a test binary for one fork.
func benchArgs(s Spec) []string {
	names := []string{s.Case.Name}
	if len(s.Group) > 0 {
		names = caseNames(s.Group)
	}
	bench, skip := groupPatterns(names)
	return append([]string{
		"-test.run=^$",
		"-test.bench=" + bench,
		"-test.skip=" + skip,
		"-test.benchtime=" + s.Benchtime,
		fmt.Sprintf("-test.count=%d", s.Count),
		fmt.Sprintf("-test.cpu=%d", s.Case.Procs),
		"-test.benchmem",
		"-test.paniconexit0", // as in go test: os.Exit(0) counts as a failure
	}, s.Args...)
}

// setState sets the fork's State and Why. A fork is ok if it exited with status 0 and printed exactly the
// expected results under the expected name. Printed panics and failures count only otherwise, because a
// benchmark may print such text itself.
func setState(f *record.Fork, x *execution, p printed, name string, count int) {
	f.State, f.Why = record.StateFailed, ""
	problem := unexpectedResults(p, name, count, x.out.mask)
	switch {
	case x.timedOut:
		f.State, f.Why = record.StateTimeout, fmt.Sprintf("did not end within %s", x.limit)
	case x.killed:
		f.State, f.Why = record.StatePartial, "interrupted"
	case x.exceeded != "":
		f.Why = x.exceeded
	case f.Exit == "0" && problem == "":
		f.State = record.StateOK
	case p.panic != "" && (f.Exit != "0" || p.panicCertain):
		f.Why = p.panic
	case len(p.failed) > 0:
		f.Why = p.failed[0].message()
	case f.Exit == "2" && p.badFlag != "": // by package flag
		f.Why = "the test binary refused its flags: " + p.badFlag
	case f.Exit != "0":
		f.Why = "ended with " + exitText(f.Exit)
	default:
		f.Why = problem
	}
}

// unexpectedResults describes results that are missing or unexpected, "" if there are none.
func unexpectedResults(p printed, name string, count int, mask masker) string {
	for _, r := range p.results {
		if r.name != name {
			return "printed a result of " + mask.truncate(r.name)
		}
	}
	if n := len(p.results) + p.extra; n != count {
		return fmt.Sprintf("exited normally but printed %d of %d results", n, count)
	}
	return ""
}

func (f failure) message() string {
	if f.why == "" {
		return "the benchmark failed"
	}
	return "the benchmark failed: " + f.why
}

func exitText(exit string) string {
	if strings.HasPrefix(exit, "signal") {
		return exit
	}
	return "status " + exit
}
