package fork

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tarebench/tare/internal/base/redact"
	"github.com/tarebench/tare/record"
)

// Selection selects benchmarks, as the flags of go test do.
type Selection struct {
	Bench            string // regexp of -bench
	Skip             string // regexp of -skip
	Procs            int
	OperationTimeout time.Duration // maximum duration of one operation

	Args    []string // flags and arguments of the binary's own, behind tare's
	Environ []string // environment; nil: the Runner's
}

// Discovered is one benchmark that Discover found.
type Discovered struct {
	Name   string        // without "Benchmark" and "-procs"
	V      record.Values // of its single operation
	Wall   time.Duration // of that operation, set-up included; 0: unknown
	Failed *record.Fork  // not nil if it also failed when run alone

	Announcement *Announcement // nil if it does not use package bench
}

// maxSkips is how often one benchmark function is run again to find the sub-benchmarks after one that ends the
// process.
const maxSkips = 8

// testMainName stands for a binary that fails before its first benchmark, in TestMain or in package initialisation.
const testMainName = "TestMain"

// binaryName stands for a binary that refuses its flags.
const binaryName = "(test binary)"

// Discover lists the benchmarks of a binary by running each for one operation, which is the only way to learn
// the names of sub-benchmarks. If a benchmark panics, exits or hangs, Discover runs each benchmark function by
// itself, so that the others are still found.
func (r *Runner) Discover(ctx context.Context, bin *record.Bin, path string, w Selection) ([]Discovered, error) {
	s := &discovery{Runner: r, bin: bin, path: path, selection: w}
	x, p, err := s.run(ctx, w, 1, false)
	if err != nil {
		return nil, err
	}
	found := discovered(x, p, w.Procs)
	if !endedEarly(x, p) && len(p.failed) == 0 && !slices.ContainsFunc(found, Discovered.hasNoTime) {
		return found, nil
	}
	functions, listing, err := s.list(ctx)
	if err != nil {
		return nil, err
	}
	if len(functions) == 0 && len(found) == 0 && (listing.fork.Exit != "0" || endedEarly(x, p)) {
		if x.fork.Exit == "2" && p.badFlag != "" {
			return []Discovered{s.refusal(x, p)}, nil
		}
		return []Discovered{s.failure(x, p, failure{name: testMainName})}, nil
	}
	return s.rediscover(ctx, functions, found, x, p)
}

// discovery is the state of one Discover.
type discovery struct {
	*Runner
	bin        *record.Bin
	path       string
	selection  Selection
	lastFailed int // ID of the last failed process
}

// run runs the selected benchmarks for ops operations each.
func (s *discovery) run(ctx context.Context, w Selection, ops int, verbose bool) (*execution, printed, error) {
	args := []string{
		"-test.run=^$", "-test.bench=" + w.Bench, "-test.skip=" + w.Skip, fmt.Sprintf("-test.benchtime=%dx", ops),
		fmt.Sprintf("-test.cpu=%d", w.Procs), "-test.benchmem", "-test.paniconexit0", fmt.Sprintf("-test.v=%t", verbose),
	}
	args = append(args, w.Args...)
	idle := w.OperationTimeout
	if ops > 1 {
		idle *= time.Duration(1 + ops) // testing runs one operation first
	}
	x, err := s.exec(ctx, command{
		bin: s.bin, path: s.path, environ: w.Environ, args: args, limits: limits{idle: idle},
		parser: parser{procs: w.Procs, verbose: verbose},
	})
	if err != nil {
		return nil, printed{}, err
	}
	if x.killed {
		return nil, printed{}, context.Cause(ctx)
	}
	return x, x.out.done(), nil
}

// rediscover runs each function by itself that the first run did not discover fully, and keeps what the first
// run found.
func (s *discovery) rediscover(ctx context.Context, functions []string, found []Discovered, x *execution, p printed) ([]Discovered, error) {
	var out []Discovered
	for _, function := range functions {
		selection, ok := restrictTo(s.selection, function)
		switch {
		case !ok:
		case fullyDiscovered(function, found, x, p):
			out = merge(out, inFunction(found, function))
		default:
			more, err := s.discoverFunction(ctx, selection, function)
			if err != nil {
				return nil, err
			}
			out = merge(out, more)
		}
	}
	return out, nil
}

// fullyDiscovered reports whether a run found all benchmarks of a function, although the run may have failed: none of
// the function's benchmarks failed, and either the process ran to its end or it ended in another, later function.
func fullyDiscovered(function string, found []Discovered, x *execution, p printed) bool {
	if slices.ContainsFunc(p.failed, func(f failure) bool { return functionOf(f.name) == function }) {
		return false
	}
	mine := inFunction(found, function)
	if slices.ContainsFunc(mine, Discovered.hasNoTime) {
		return false
	}
	return !endedEarly(x, p) || (functionOf(p.current) != function && len(mine) > 0)
}

func (f Discovered) hasNoTime() bool { return f.Failed == nil && hasNoTime(f.V) }

// endedEarly reports whether a process ended before testing printed its last line, even with status 0. A
// process that replaced os.Stdout looks the same.
func endedEarly(x *execution, p printed) bool {
	return x.timedOut || !p.ended || (x.fork.Exit != "0" && p.panicCertain)
}

// discoverFunction finds the benchmarks of one function. With -test.v testing prints a name when its benchmark
// begins, which shows the one that ends the process. The next run skips it, to find those after it.
//
// While a panic is being printed, testing goes on, and may even print a result of a single operation. It
// cannot for two operations, so a sign of a panic has the function run with two.
func (s *discovery) discoverFunction(ctx context.Context, w Selection, function string) ([]Discovered, error) {
	var found []Discovered
	at := map[string]int{} // name → order in which they began
	ops := 1
	for runs := 0; runs < maxSkips; {
		x, p, err := s.run(ctx, w, ops, true)
		if err != nil {
			return nil, err
		}
		mine := inFunction(discovered(x, p, w.Procs), function)
		if ops == 1 && (p.panicCertain || slices.ContainsFunc(mine, Discovered.hasNoTime)) {
			ops = 2
			continue
		}
		runs++
		for _, n := range p.names { // each run lists earlier benchmarks first
			if _, known := at[n]; !known {
				at[n] = len(at)
			}
		}
		failed, ended := s.failures(x, p, function)
		for _, f := range failed {
			w.Skip = anyOf(w.Skip, Pattern(f.Name))
		}
		found = merge(merge(found, mine), failed)
		if ended == "" || ended == function {
			break
		}
		if runs == maxSkips {
			found = merge(found, []Discovered{tooManyFailures(function, failed[len(failed)-1])})
		}
	}
	at[function] = len(at) + 1
	slices.SortStableFunc(found, func(a, b Discovered) int { return cmp.Compare(at[a.Name], at[b.Name]) })
	return found, nil
}

// tooManyFailures returns the failure of a function whose benchmarks were not all found.
func tooManyFailures(function string, last Discovered) Discovered {
	f := *last.Failed
	f.State, f.Why = record.StateFailed, fmt.Sprintf("%d of its sub-benchmarks ended the process; those after them were not found", maxSkips)
	return Discovered{Name: function, Failed: &f}
}

// failures returns the benchmarks of a function that failed in x. ended is the one that ended the process, ""
// if testing ran to its end.
func (s *discovery) failures(x *execution, p printed, function string) (failed []Discovered, ended string) {
	for _, f := range p.failed {
		if functionOf(f.name) == function {
			failed = append(failed, s.failure(x, p, f))
		}
	}
	for _, name := range p.didNotReturn {
		if functionOf(name) == function {
			failed = append(failed, s.failure(x, p, failure{name: name}))
			ended = name
		}
	}
	switch {
	case !endedEarly(x, p), x.fork.Exit == "0" && !p.running && ended == "":
		return failed, ""
	case p.panicCertain && ended != "":
		return failed, ended
	case p.running:
		ended = p.current
	default:
		ended = function
	}
	return append(failed, s.failure(x, p, failure{name: ended})), ended
}

// failure returns a benchmark that failed in x. One that did not call Fail has ended the process.
func (s *discovery) failure(x *execution, p printed, fail failure) Discovered {
	f := x.fork
	if s.lastFailed == f.ID { // several benchmarks failed in one process; each needs its own line
		s.forks++
		f.ID, f.Order = s.forks, s.forks
	}
	s.lastFailed = x.fork.ID
	f.Bin, f.Purpose = s.bin.ID, record.PurposeDiscovery
	switch {
	case slices.Contains(p.failed, fail):
		f.State, f.Why = record.StateFailed, fail.message()
	case x.timedOut:
		f.State, f.Why = record.StateTimeout, fmt.Sprintf("one operation did not end within %s", x.limit)
	case f.Exit == "0" && !p.ended:
		f.State, f.Why = record.StateFailed, "ended the process with status 0"
	default:
		p.failed = nil
		setState(&f, x, p, "", 0)
		if f.State == record.StateOK || (f.Exit == "0" && !p.panicCertain) {
			f.State, f.Why = record.StateFailed, "did not return: it panicked or called runtime.Goexit"
		}
	}
	f.Why, f.Tail = s.mask(f.Why), x.out.tailText()
	return Discovered{Name: fail.name, Failed: &f}
}

// refusal returns the failure of a binary that does not know a flag. What it prints is the usage of package testing.
func (s *discovery) refusal(x *execution, p printed) Discovered {
	d := s.failure(x, p, failure{name: binaryName})
	d.Failed.Tail = ""
	if args := s.selection.Args; len(args) > 0 {
		d.Failed.Why += "; flags behind -- (" + s.mask(strings.Join(redact.Args(args), " ")) + ") go to every test binary: leave out those that it does not define"
	}
	return d
}

// list returns the binary's benchmark functions.
func (s *discovery) list(ctx context.Context) ([]string, *execution, error) {
	var functions []string
	x, err := s.exec(ctx, command{
		bin: s.bin, path: s.path, environ: s.selection.Environ, args: append([]string{"-test.list=^Benchmark"}, s.selection.Args...), limits: limits{total: time.Minute},
		onLine: func(text []byte) {
			if name, ok := strings.CutPrefix(string(text), "Benchmark"); ok && !strings.ContainsAny(name, " \t/") && len(functions) < maxResults {
				functions = append(functions, name)
			}
		},
	})
	if err != nil {
		return nil, nil, err
	}
	if x.killed {
		return nil, nil, context.Cause(ctx)
	}
	return functions, x, nil
}

// discovered returns the benchmarks that have results. The time between two results is the second one's wall time.
func discovered(x *execution, p printed, procs int) []Discovered {
	var out []Discovered
	messages := x.pipe.decode(&x.fork)
	last := x.fork.Start
	for _, m := range p.results {
		name := trimName(m.name, procs)
		out = append(out, Discovered{Name: name, V: m.v, Wall: time.Duration(max(0, m.t-last)), Announcement: messages.announcement(name)})
		last = m.t
	}
	return merge(nil, out)
}

func functionOf(name string) string {
	function, _, _ := strings.Cut(name, "/")
	return function
}

func inFunction(found []Discovered, function string) []Discovered {
	var out []Discovered
	for _, f := range found {
		if functionOf(f.Name) == function {
			out = append(out, f)
		}
	}
	return out
}

// merge appends to a the benchmarks of b that it lacks.
func merge(a, b []Discovered) []Discovered {
	have := map[string]bool{}
	for _, f := range a {
		have[f.Name] = true
	}
	for _, f := range b {
		if !have[f.Name] {
			have[f.Name] = true
			a = append(a, f)
		}
	}
	return a
}
