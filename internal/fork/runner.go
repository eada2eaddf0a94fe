package fork

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/tarebench/tare/internal/env"
	"github.com/tarebench/tare/internal/launch"
	"github.com/tarebench/tare/record"
)

// A Runner runs forks, one at a time. Its fields are set once.
type Runner struct {
	Launcher *launch.Launcher
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
	Path      string // of the test binary
	Round     int
	Purpose   string        // record.PurposeTiming …
	Benchtime string        // "100x" or "50ms"
	Count     int           // iterations, warm-up included
	Warmup    int           // of which are warm-up
	Timeout   time.Duration // for the whole fork; 0: none
}

// Outcome is a fork that has ended.
type Outcome struct {
	Fork    record.Fork
	Samples []*record.Sample // of a failed fork: those it printed before it failed
}

// Run runs one fork and writes its lines. The error is not nil only when no
// more forks can be run; a fork that fails is an Outcome.
func (r *Runner) Run(ctx context.Context, s Spec) (*Outcome, error) {
	x, err := r.exec(ctx, s.Bin, s.Path, benchArgs(Pattern(s.Case.Name), s), limits{whole: s.Timeout})
	if err != nil {
		return nil, err
	}
	f := x.fork
	f.Case, f.Bin, f.Round, f.Purpose = s.Case.ID, s.Bin.ID, s.Round, s.Purpose
	p := parse(x.out.lines)
	out := &Outcome{Samples: samples(f.ID, p.results, s.Warmup, f.Start)}
	f.Setup = setup(out.Samples)
	judge(&f, x, p, FullName(s.Case), s.Count)
	if f.State != record.StateOK {
		f.Tail = r.mask(x.out.end())
		f.Why = r.mask(f.Why)
	}
	out.Fork = f
	return out, r.write(out)
}

func (r *Runner) write(o *Outcome) error {
	if r.Write == nil {
		return nil
	}
	for _, s := range o.Samples {
		if err := r.Write(s); err != nil {
			return err
		}
	}
	return r.Write(&o.Fork)
}

func (r *Runner) mask(s string) string {
	if r.Mask == nil {
		return s
	}
	return r.Mask(s)
}

// benchArgs are the flags of a test binary for one fork.
func benchArgs(pattern string, s Spec) []string {
	return []string{
		"-test.run=^$",
		"-test.bench=" + pattern,
		"-test.benchtime=" + s.Benchtime,
		fmt.Sprintf("-test.count=%d", s.Count),
		fmt.Sprintf("-test.cpu=%d", s.Case.Procs),
		"-test.benchmem",
	}
}

// Pattern matches exactly the benchmark of the given name, which lacks the
// "Benchmark". testing splits patterns at slashes, so each part is quoted and
// anchored by itself.
func Pattern(name string) string {
	parts := strings.Split("Benchmark"+name, "/")
	for i, p := range parts {
		parts[i] = "^" + regexp.QuoteMeta(p) + "$"
	}
	return strings.Join(parts, "/")
}

// FullName is the name as testing prints it for the case.
func FullName(c *record.Case) string {
	if c.Procs == 1 {
		return "Benchmark" + c.Name
	}
	return fmt.Sprintf("Benchmark%s-%d", c.Name, c.Procs)
}

// judge sets state and reason: a fork is good if it ended well and printed
// exactly the results asked for, under exactly the name asked for.
func judge(f *record.Fork, x *execution, p printed, name string, count int) {
	fail := func(format string, args ...any) {
		f.State, f.Why = record.StateFailed, fmt.Sprintf(format, args...)
	}
	f.State = record.StateOK
	switch {
	case x.timedOut:
		f.State, f.Why = record.StateTimeout, fmt.Sprintf("did not end within %s", x.limit)
	case x.killed:
		f.State, f.Why = record.StatePartial, "interrupted"
	case p.panic != "":
		fail("%s", p.panic)
	case len(p.failed) > 0:
		fail("the benchmark failed")
	case f.Exit != "0":
		fail("ended with %s", exitWords(f.Exit))
	default:
		for _, r := range p.results {
			if r.name != name {
				fail("printed a result of %s", r.name)
				return
			}
		}
		if len(p.results) != count {
			fail("ended well but printed %d of %d results", len(p.results), count)
		}
	}
}

func exitWords(exit string) string {
	if strings.HasPrefix(exit, "signal") {
		return exit
	}
	return "status " + exit
}
