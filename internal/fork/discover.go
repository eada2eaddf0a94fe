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

// Discover lists the benchmarks of a binary by running each for one operation,
// the only way to learn the names of sub-benchmarks. If that fails as a whole,
// each benchmark function is tried by itself, so that one that panics, exits or
// hangs does not hide the others.
func (r *Runner) Discover(ctx context.Context, bin *record.Bin, path string, w Wanted) ([]Found, error) {
	x, p, err := r.once(ctx, bin, path, w)
	if err != nil {
		return nil, err
	}
	found := r.found(p.results, w.Procs)
	if x.fork.Exit == "0" && len(p.failed) == 0 {
		return found, nil
	}
	tops, err := r.list(ctx, bin, path)
	if err != nil {
		return nil, err
	}
	suspect := trim(p.begun, w.Procs)
	for _, top := range tops {
		own, ok := narrow(w, top)
		if !ok || (whole(found, top, suspect) && !failedIn(p.failed, top)) {
			continue
		}
		more, err := r.alone(ctx, bin, path, own, top)
		if err != nil {
			return nil, err
		}
		found = replaceTop(found, top, more)
	}
	return found, nil
}

// once runs what w wants for one operation each.
func (r *Runner) once(ctx context.Context, bin *record.Bin, path string, w Wanted, extra ...string) (*execution, printed, error) {
	args := []string{"-test.run=^$", "-test.bench=" + w.Bench, "-test.benchtime=1x", fmt.Sprintf("-test.cpu=%d", w.Procs), "-test.benchmem"}
	if w.Skip != "" {
		args = append(args, "-test.skip="+w.Skip)
	}
	x, err := r.exec(ctx, bin, path, append(args, extra...), limits{quiet: w.Quiet})
	if err != nil {
		return nil, printed{}, err
	}
	if x.killed {
		return nil, printed{}, context.Cause(ctx)
	}
	return x, parse(x.out.lines), nil
}

// alone discovers below one benchmark function. With -test.v a name is printed
// when its benchmark begins, so that the one that ends the process is known;
// it is then skipped to see those behind it.
func (r *Runner) alone(ctx context.Context, bin *record.Bin, path string, w Wanted, top string) ([]Found, error) {
	var found []Found
	for range maxSkips {
		x, p, err := r.once(ctx, bin, path, w, "-test.v")
		if err != nil {
			return nil, err
		}
		found = merge(found, r.found(p.results, w.Procs))
		if x.fork.Exit == "0" && len(p.failed) == 0 {
			return found, nil
		}
		names, died := p.failed, false
		if len(names) == 0 || p.panic != "" || x.timedOut {
			names, died = []string{cmp(p.begun, "Benchmark"+top)}, true
		}
		for _, n := range names {
			found = merge(found, []Found{r.failure(x, p, bin, trim(n, w.Procs), w.Quiet)})
			w.Skip = alternative(w.Skip, Pattern(trim(n, w.Procs)))
		}
		if !died || !strings.Contains(names[0], "/") {
			return found, nil
		}
	}
	return found, nil
}

func cmp(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

func (r *Runner) failure(x *execution, p printed, bin *record.Bin, name string, quiet time.Duration) Found {
	f := x.fork
	f.Bin, f.Purpose = bin.ID, record.PurposeDiscovery
	judge(&f, x, p, "", 0)
	if x.timedOut {
		f.Why = fmt.Sprintf("one operation did not end within %s", quiet)
	}
	if f.State == record.StateOK {
		f.State, f.Why = record.StateFailed, "failed"
	}
	f.Why, f.Tail = r.mask(f.Why), r.mask(x.out.end())
	return Found{Name: name, Failed: &f}
}

func (r *Runner) found(rs []measured, procs int) []Found {
	var out []Found
	for _, m := range rs {
		out = append(out, Found{Name: trim(m.name, procs), V: m.v})
	}
	return out
}

// list asks the binary for its benchmark functions.
func (r *Runner) list(ctx context.Context, bin *record.Bin, path string) ([]string, error) {
	x, err := r.exec(ctx, bin, path, []string{"-test.list=^Benchmark"}, limits{whole: time.Minute})
	if err != nil {
		return nil, err
	}
	var tops []string
	for _, l := range x.out.lines {
		if name, ok := strings.CutPrefix(l.text, "Benchmark"); ok && !strings.ContainsAny(name, " \t/") {
			tops = append(tops, name)
		}
	}
	return tops, nil
}

// trim makes a printed name ours.
func trim(name string, procs int) string {
	name = strings.TrimPrefix(name, "Benchmark")
	if procs != 1 {
		name = strings.TrimSuffix(name, fmt.Sprintf("-%d", procs))
	}
	return name
}

func topOf(name string) string {
	top, _, _ := strings.Cut(name, "/")
	return top
}

// whole reports whether a function's benchmarks were all seen although the
// process died: some were, and it was not the one at work.
func whole(found []Found, top, suspect string) bool {
	return topOf(suspect) != top && slices.ContainsFunc(found, func(f Found) bool { return topOf(f.Name) == top })
}

func failedIn(failed []string, top string) bool {
	return slices.ContainsFunc(failed, func(n string) bool {
		n = topOf(strings.TrimPrefix(n, "Benchmark"))
		return n == top || strings.HasPrefix(n, top+"-")
	})
}

func merge(a, b []Found) []Found {
	for _, f := range b {
		if !slices.ContainsFunc(a, func(g Found) bool { return g.Name == f.Name }) {
			a = append(a, f)
		}
	}
	return a
}

func replaceTop(found []Found, top string, more []Found) []Found {
	found = slices.DeleteFunc(found, func(f Found) bool { return topOf(f.Name) == top })
	return append(found, more...)
}
