package fork

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/tarebench/tare/record"
)

// Wanted selects benchmarks as go test does.
type Wanted struct {
	Bench string // regexp of -bench
	Skip  string // regexp of -skip
	Procs int
	Quiet time.Duration // how long a benchmark may take for one operation

	Environ []string // environment; nil: the Runner's
}

// Found is one benchmark that discovery saw.
type Found struct {
	Name   string        // without "Benchmark" and "-procs"
	V      record.Values // of its single operation
	Wall   time.Duration // in which that was done, set-up included; 0: unknown
	Failed *record.Fork  // not nil: it failed alone, too

	Announced *Announcement // what it said of itself; nil for testing's own
}

// maxSkips bounds how often one benchmark function is run again to look behind
// sub-benchmarks that kill the process.
const maxSkips = 8

// beforeAll is the name under which a binary is found that fails before any of
// its benchmarks: in TestMain, or where packages are initialised.
const beforeAll = "TestMain"

// Discover lists the benchmarks of a binary by running each for one operation,
// the only way to learn the names of sub-benchmarks. If that fails as a whole,
// each benchmark function is tried by itself, so that one that panics, exits or
// hangs does not hide the others.
func (r *Runner) Discover(ctx context.Context, bin *record.Bin, path string, w Wanted) ([]Found, error) {
	s := &search{Runner: r, bin: bin, path: path, wanted: w}
	x, p, err := s.run(ctx, w, 1, false)
	if err != nil {
		return nil, err
	}
	found := foundIn(x, p, w.Procs)
	if !died(x, p) && len(p.failed) == 0 && !slices.ContainsFunc(found, Found.hollow) {
		return found, nil
	}
	tops, listing, err := s.list(ctx)
	if err != nil {
		return nil, err
	}
	if len(tops) == 0 && len(found) == 0 && (listing.fork.Exit != "0" || died(x, p)) {
		return []Found{s.failure(x, p, failure{name: beforeAll})}, nil
	}
	return s.each(ctx, tops, found, x, p)
}

// search is one Discover.
type search struct {
	*Runner
	bin    *record.Bin
	path   string
	wanted Wanted
	told   int // number of the process that was found to have failed last
}

// run runs what w wants for so many operations each.
func (s *search) run(ctx context.Context, w Wanted, ops int, verbose bool) (*execution, printed, error) {
	args := []string{
		"-test.run=^$", "-test.bench=" + w.Bench, "-test.skip=" + w.Skip, fmt.Sprintf("-test.benchtime=%dx", ops),
		fmt.Sprintf("-test.cpu=%d", w.Procs), "-test.benchmem", "-test.paniconexit0", fmt.Sprintf("-test.v=%t", verbose),
	}
	quiet := w.Quiet
	if ops > 1 {
		quiet *= time.Duration(1 + ops) // the first operation is done by itself before
	}
	x, err := s.exec(ctx, command{
		bin: s.bin, path: s.path, environ: w.Environ, args: args, limits: limits{quiet: quiet},
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

// each looks again, one function at a time, at those of which the first run
// cannot have told everything. What it did tell is found.
func (s *search) each(ctx context.Context, tops []string, found []Found, x *execution, p printed) ([]Found, error) {
	var out []Found
	for _, top := range tops {
		own, ok := narrow(s.wanted, top)
		switch {
		case !ok:
		case told(top, found, x, p):
			out = merge(out, ofTop(found, top))
		default:
			more, err := s.alone(ctx, own, top)
			if err != nil {
				return nil, err
			}
			out = merge(out, more)
		}
	}
	return out, nil
}

// told reports whether a run that may not have ended well has told all about a
// function: none of its benchmarks failed, and either all functions had their
// turn, or this one had and another was at work when the process ended.
func told(top string, found []Found, x *execution, p printed) bool {
	if slices.ContainsFunc(p.failed, func(f failure) bool { return topOf(f.name) == top }) {
		return false
	}
	mine := ofTop(found, top)
	if slices.ContainsFunc(mine, Found.hollow) {
		return false
	}
	return !died(x, p) || (topOf(p.begun) != top && len(mine) > 0)
}

func (f Found) hollow() bool { return f.Failed == nil && hollow(f.V) }

// died reports whether a process ended before testing came to its end, be it
// with status 0. One that has put another file in the place of os.Stdout only
// looks like it.
func died(x *execution, p printed) bool {
	return x.timedOut || !p.ended || (x.fork.Exit != "0" && p.sure)
}

// alone discovers below one benchmark function. With -test.v a name is printed
// when its benchmark begins, so that the one that ends the process is known;
// it is then skipped to see those behind it.
//
// When a benchmark panics, testing goes on beside it until the panic is printed,
// and of a single operation it may even print a result. Of two it cannot, so
// that is what is run where there is a sign of a panic.
func (s *search) alone(ctx context.Context, w Wanted, top string) ([]Found, error) {
	var found []Found
	at := map[string]int{} // order in which they began
	ops := 1
	for runs := 0; runs < maxSkips; {
		x, p, err := s.run(ctx, w, ops, true)
		if err != nil {
			return nil, err
		}
		mine := ofTop(foundIn(x, p, w.Procs), top)
		if ops == 1 && (p.sure || slices.ContainsFunc(mine, Found.hollow)) {
			ops = 2
			continue
		}
		runs++
		for _, n := range p.names { // each time those that began before, and then others
			if _, known := at[n]; !known {
				at[n] = len(at)
			}
		}
		failed, ended := s.failures(x, p, top)
		for _, f := range failed {
			w.Skip = alternative(w.Skip, Pattern(f.Name))
		}
		found = merge(merge(found, mine), failed)
		if ended == "" || ended == top {
			break
		}
		if runs == maxSkips {
			found = merge(found, []Found{gaveUp(top, failed[len(failed)-1])})
		}
	}
	at[top] = len(at) + 1
	sort.SliceStable(found, func(i, j int) bool { return at[found[i].Name] < at[found[j].Name] })
	return found, nil
}

// gaveUp says that not all of a function's benchmarks were found.
func gaveUp(top string, last Found) Found {
	f := *last.Failed
	f.State, f.Why = record.StateFailed, fmt.Sprintf("%d of its sub-benchmarks ended the process; those behind them were not found", maxSkips)
	return Found{Name: top, Failed: &f}
}

// failures are the benchmarks of a function that failed in x. ended is the one
// that ended the process, "" if testing came to its end.
func (s *search) failures(x *execution, p printed, top string) (failed []Found, ended string) {
	for _, f := range p.failed {
		if topOf(f.name) == top {
			failed = append(failed, s.failure(x, p, f))
		}
	}
	for _, name := range p.broken {
		if topOf(name) == top {
			failed = append(failed, s.failure(x, p, failure{name: name}))
			ended = name
		}
	}
	switch {
	case !died(x, p), x.fork.Exit == "0" && !p.running && ended == "":
		return failed, ""
	case p.sure && ended != "":
		return failed, ended
	case p.running:
		ended = p.begun
	default:
		ended = top
	}
	return append(failed, s.failure(x, p, failure{name: ended})), ended
}

// failure makes a benchmark that failed in x a finding. One that did not call
// Fail has ended the process.
func (s *search) failure(x *execution, p printed, fail failure) Found {
	f := x.fork
	if s.told == f.ID { // of several benchmarks, each of which needs a line of its own
		s.forks++
		f.ID, f.Order = s.forks, s.forks
	}
	s.told = x.fork.ID
	f.Bin, f.Purpose = s.bin.ID, record.PurposeDiscovery
	switch {
	case slices.Contains(p.failed, fail):
		f.State, f.Why = record.StateFailed, fail.words()
	case x.timedOut:
		f.State, f.Why = record.StateTimeout, fmt.Sprintf("one operation did not end within %s", x.limit)
	case f.Exit == "0" && !p.ended:
		f.State, f.Why = record.StateFailed, "ended the process with status 0"
	default:
		p.failed = nil
		judge(&f, x, p, "", 0)
		if f.State == record.StateOK || (f.Exit == "0" && !p.sure) {
			f.State, f.Why = record.StateFailed, "did not return: it panicked or called runtime.Goexit"
		}
	}
	f.Why, f.Tail = s.mask(f.Why), x.out.end(s.Mask)
	return Found{Name: fail.name, Failed: &f}
}

// list asks the binary for its benchmark functions.
func (s *search) list(ctx context.Context) ([]string, *execution, error) {
	var tops []string
	x, err := s.exec(ctx, command{
		bin: s.bin, path: s.path, environ: s.wanted.Environ, args: []string{"-test.list=^Benchmark"}, limits: limits{whole: time.Minute},
		onLine: func(text []byte) {
			if name, ok := strings.CutPrefix(string(text), "Benchmark"); ok && !strings.ContainsAny(name, " \t/") && len(tops) < maxResults {
				tops = append(tops, name)
			}
		},
	})
	if err != nil {
		return nil, nil, err
	}
	if x.killed {
		return nil, nil, context.Cause(ctx)
	}
	return tops, x, nil
}

// foundIn are the benchmarks that have results. The time between two results is
// what the second took.
func foundIn(x *execution, p printed, procs int) []Found {
	var out []Found
	said := x.pipe.decode(&x.fork)
	last := x.fork.Start
	for _, m := range p.results {
		name := own(m.name, procs)
		out = append(out, Found{Name: name, V: m.v, Wall: time.Duration(max(0, m.t-last)), Announced: said.announced(name)})
		last = m.t
	}
	return merge(nil, out)
}

func topOf(name string) string {
	top, _, _ := strings.Cut(name, "/")
	return top
}

func ofTop(found []Found, top string) []Found {
	var out []Found
	for _, f := range found {
		if topOf(f.Name) == top {
			out = append(out, f)
		}
	}
	return out
}

// merge appends those of b that a lacks.
func merge(a, b []Found) []Found {
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
