package machines

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/result/runs"
	"github.com/tarebench/tare/record"
)

// check returns why runs cannot be combined: nil if they can.
func check(group []*runs.Run) error {
	if len(group) < 2 {
		return errors.New("it takes the runs of two machines to combine them")
	}
	names := map[string]bool{}
	for _, r := range group {
		switch name := r.Run.Machine; {
		case record.KindOf(r.Run) != record.KindBench:
			return fmt.Errorf("the run of %s is of kind %s; only benchmarks are combined", name, record.KindOf(r.Run))
		case name == "":
			return fmt.Errorf("run %d of the file does not name its machine", r.Number)
		case names[name]:
			return fmt.Errorf("two runs are of machine %s", name)
		case len(r.Run.Sides) < 2:
			return fmt.Errorf("the run of %s compares nothing; times of different machines are not put together, only ratios of sides are", name)
		default:
			names[name] = true
		}
	}
	var errs []error
	for _, r := range group[1:] {
		errs = append(errs, unlikeSides(group[0], r), unlikeConfig(group[0], r))
	}
	return errors.Join(errs...)
}

// unlikeSides returns how the sides of two machines differ, by name, sources or settings.
func unlikeSides(a, b *runs.Run) error {
	if x, y := sideNames(a.Run), sideNames(b.Run); x != y {
		return fmt.Errorf("%s compares %s, and %s compares %s", a.Run.Machine, x, b.Run.Machine, y)
	}
	var errs []error
	for i := range a.Run.Sides {
		errs = append(errs, unlikeSources(a, b, a.Run.Sides[i], b.Run.Sides[i]))
	}
	return errors.Join(errs...)
}

func sideNames(r *record.Run) string {
	var out []string
	for _, s := range r.Sides {
		out = append(out, s.Name)
	}
	return strings.Join(out, " with ")
}

// unlikeSources returns why a side is not known to be the same on two machines. Of uncommitted changes, and without a
// repository, equal binaries are the only proof.
func unlikeSources(a, b *runs.Run, x, y record.Side) error {
	on := func(what, p, q string) error {
		return fmt.Errorf("side %s: %s %s on %s, %s on %s", x.Name, what, p, a.Run.Machine, q, b.Run.Machine)
	}
	switch {
	case x.Revision != y.Revision:
		return on("the revision is", orNone(x.Revision), orNone(y.Revision))
	case x.Toolchain != y.Toolchain:
		return on("the toolchain is", orNone(x.Toolchain), orNone(y.Toolchain))
	case !slices.Equal(x.Flags, y.Flags):
		return on("the build flags are", orNone(strings.Join(x.Flags, " ")), orNone(strings.Join(y.Flags, " ")))
	case !slices.Equal(x.Setenv, y.Setenv):
		return on("the environment is", orNone(strings.Join(x.Setenv, " ")), orNone(strings.Join(y.Setenv, " ")))
	case x.Revision != "" && !x.Dirty && !y.Dirty, sameBinaries(a, b, x.Name):
		return nil
	case x.Dirty != y.Dirty:
		return on("the working tree is", dirty(x), dirty(y))
	case x.Dirty:
		return fmt.Errorf("side %s: %s and %s have uncommitted changes, and other binaries: that the sources are the same is not known; commit them", x.Name, a.Run.Machine, b.Run.Machine)
	}
	return fmt.Errorf("side %s: no revision is known on %s and %s, and the binaries differ: that the sources are the same is not known; use a repository", x.Name, a.Run.Machine, b.Run.Machine)
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

func dirty(s record.Side) string {
	if s.Dirty {
		return "changed"
	}
	return "unchanged"
}

// sameBinaries reports whether two machines have measured the same binaries of a side.
func sameBinaries(a, b *runs.Run, side string) bool {
	x, y := hashes(a, side), hashes(b, side)
	return len(x) > 0 && reflect.DeepEqual(x, y)
}

// hashes returns the hash of each measured binary of a side, by package and layout.
func hashes(r *runs.Run, side string) map[[2]string]string {
	out := map[[2]string]string{}
	for _, b := range r.Bins() {
		if b.Side == side && b.Purpose == "" {
			out[[2]string{b.Pkg, b.Layout}] = b.SHA256
		}
	}
	return out
}

// unlikeConfig returns which settings that change what is measured, or how it is judged, differ between two machines.
func unlikeConfig(a, b *runs.Run) error {
	p, q := a.Run.Config, b.Run.Config
	var out []string
	for _, d := range []struct {
		what string
		a, b any
	}{
		{"the arguments of the test binaries", p.Args, q.Args}, {"--tags", p.Tags, q.Tags}, {"GOGC", p.GOGC, q.GOGC},
		{"GOMEMLIMIT", p.MemoryLimit, q.MemoryLimit}, {"--gc-before", p.GCBefore, q.GCBefore}, {"--env", p.Setenv, q.Setenv},
		{"--benchtime", p.Benchtime, q.Benchtime}, {"--mode", p.Mode, q.Mode}, {"--deep", p.Deep, q.Deep}, {"--test", p.Test, q.Test},
		{"--confidence", p.Confidence, q.Confidence}, {"--threshold", p.Threshold, q.Threshold}, {"--correction", p.Correction, q.Correction},
		{"the number of GOMAXPROCS", len(p.CPU), len(q.CPU)},
	} {
		if fmt.Sprint(d.a) != fmt.Sprint(d.b) {
			out = append(out, fmt.Sprintf("%s is %s on %s, %s on %s", d.what, shown(d.a), a.Run.Machine, shown(d.b), b.Run.Machine))
		}
	}
	if len(out) > 0 {
		return errors.New(strings.Join(out, "; "))
	}
	return nil
}

func shown(v any) string { return orNone(strings.Trim(fmt.Sprint(v), "[]")) }
