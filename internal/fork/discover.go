package fork

import (
	"context"
	"fmt"
	"slices"
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
	Failed *record.Fork  // not nil: it failed alone, too
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
	x, p, err := s.once(ctx, w, false)
	if err != nil {
		return nil, err
	}
	found := foundIn(p.results, w.Procs)
	if x.fork.Exit == "0" && len(p.failed) == 0 && !slices.ContainsFunc(found, Found.hollow) {
		return found, nil
	}
	tops, listing, err := s.list(ctx)
	if err != nil {
		return nil, err
	}
	if len(tops) == 0 && len(found) == 0 && listing.fork.Exit != "0" {
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
}

// once runs what w wants for one operation each.
func (s *search) once(ctx context.Context, w Wanted, verbose bool) (*execution, printed, error) {
	args := []string{
		"-test.run=^$", "-test.bench=" + w.Bench, "-test.skip=" + w.Skip, "-test.benchtime=1x",
		fmt.Sprintf("-test.cpu=%d", w.Procs), "-test.benchmem", "-test.paniconexit0", fmt.Sprintf("-test.v=%t", verbose),
	}
	x, err := s.exec(ctx, command{
		bin: s.bin, path: s.path, environ: w.Environ, args: args, limits: limits{quiet: w.Quiet},
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

// died reports whether a process ended before testing came to its end.
func died(x *execution, p printed) bool {
	return x.timedOut || (x.fork.Exit != "0" && (!p.ended || p.sure))
}

// culprit finds the benchmark that ended the process. That is the one at work,
// unless it was a panic: testing goes on beside it, until it has been printed,
// and may have come to the next benchmark or beyond. So the function is tried
// without any, and then each of the last few by itself.
func (s *search) culprit(ctx context.Context, w Wanted, p printed, top string) (string, error) {
	if !p.sure {
		if p.running {
			return p.begun, nil
		}
		return top, nil
	}
	for _, name := range append([]string{top}, suspects(p.names, top)...) {
		sure, hint, err := s.panics(ctx, w, name)
		if err != nil {
			return "", err
		}
		if sure || hint {
			return name, nil
		}
	}
	return top, nil
}

// panics runs one benchmark, or a function without any, by itself. It is sure of
// a panic that it saw, and has a hint of one that came too late to be printed.
func (s *search) panics(ctx context.Context, w Wanted, name string) (sure, hint bool, err error) {
	const none = `/[^\x00-\x{10FFFF}]`
	w.Bench = Pattern(name)
	if strings.Contains(name, "/") {
		w.Skip = alternative(w.Skip, below(name))
	} else {
		w.Bench += none
	}
	x, p, err := s.once(ctx, w, true)
	if err != nil {
		return false, false, err
	}
	hint = slices.ContainsFunc(foundIn(p.results, w.Procs), func(f Found) bool { return f.Name == name && f.hollow() })
	return p.sure && died(x, p), hint, nil
}

// suspects are the last few that began, the latest first.
func suspects(names []string, top string) []string {
	const few = 4
	var out []string
	for _, n := range slices.Backward(names) {
		if n != top && topOf(n) == top && len(out) < few {
			out = append(out, n)
		}
	}
	return out
}

// alone discovers below one benchmark function. With -test.v a name is printed
// when its benchmark begins, so that the one that ends the process is known;
// it is then skipped to see those behind it.
func (s *search) alone(ctx context.Context, w Wanted, top string) ([]Found, error) {
	var found []Found
	at := map[string]int{} // order in which they began
	for range maxSkips {
		x, p, err := s.once(ctx, w, true)
		if err != nil {
			return nil, err
		}
		for _, n := range p.names { // each time those that began before, and then others
			if _, known := at[n]; !known {
				at[n] = len(at)
			}
		}
		failed, ended, err := s.failures(ctx, w, top, x, p)
		if err != nil {
			return nil, err
		}
		for _, f := range failed {
			w.Skip = alternative(w.Skip, Pattern(f.Name))
		}
		for _, f := range ofTop(foundIn(p.results, w.Procs), top) {
			// One that panicked may have printed a result nevertheless.
			if !slices.ContainsFunc(failed, func(g Found) bool { return g.Name == f.Name }) {
				found = merge(found, []Found{f})
			}
		}
		found = merge(found, failed)
		if ended == "" || ended == top {
			break
		}
	}
	at[top] = len(at) + 1
	slices.SortStableFunc(found, func(a, b Found) int { return at[a.Name] - at[b.Name] })
	return found, nil
}

// failures are the benchmarks of a function that failed in x, last the one that
// ended the process, if one did.
func (s *search) failures(ctx context.Context, w Wanted, top string, x *execution, p printed) (failed []Found, ended string, err error) {
	for _, f := range p.failed {
		if topOf(f.name) == top {
			failed = append(failed, s.failure(x, p, f))
		}
	}
	if died(x, p) {
		if ended, err = s.culprit(ctx, w, p, top); err != nil {
			return nil, "", err
		}
		failed = append(failed, s.failure(x, p, failure{name: ended}))
	}
	return failed, ended, nil
}

// failure makes a benchmark that failed in x a finding. One that did not call
// Fail has ended the process.
func (s *search) failure(x *execution, p printed, fail failure) Found {
	f := x.fork
	f.Bin, f.Purpose = s.bin.ID, record.PurposeDiscovery
	switch {
	case slices.Contains(p.failed, fail):
		f.State, f.Why = record.StateFailed, fail.words()
	case x.timedOut:
		f.State, f.Why = record.StateTimeout, fmt.Sprintf("one operation did not end within %s", x.limit)
	default:
		p.failed = nil
		judge(&f, x, p, "", 0)
	}
	f.Why, f.Tail = s.mask(f.Why), s.mask(x.out.end())
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

func foundIn(rs []measured, procs int) []Found {
	var out []Found
	for _, m := range rs {
		out = append(out, Found{Name: own(m.name, procs), V: m.v})
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
