package benchrun

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/base/redact"
	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/golang/build"
)

// resolved is what the package patterns select on a side.
type resolved struct {
	side   *builtSide
	pkgs   []build.Package
	usable int // how many of them have benchmarks and no error
}

// resolveAll finds the packages of all sides, prints which of them cannot be built, and returns the binaries to
// build. It fails if a side has none, unless that side may have lost them all.
func (b *Built) resolveAll(ctx context.Context) (todo []*binary, err error) {
	var all []*resolved
	for _, x := range b.sides {
		if b.Without[x.Name] != "" {
			continue
		}
		r, err := b.resolve(ctx, x)
		if err == nil {
			all = append(all, r)
		} else if !b.leaveOut(x, err) {
			return nil, err
		}
	}
	b.resolved = all
	for _, r := range all {
		if err := b.checkResolved(r, all); err != nil && !b.leaveOut(r.side, err) {
			return nil, err
		}
		todo = append(todo, b.binaries(r)...)
	}
	return todo, nil
}

// resolve finds the packages of a side.
func (b *Built) resolve(ctx context.Context, x *builtSide) (*resolved, error) {
	patterns := b.Run.Config.Packages
	b.Progress.Phase("resolving %s%s", sideLabel(x.Name), strings.Join(patterns, " "))
	pkgs, err := build.Resolve(ctx, x.options(b.Run.Config.Tags, b.temp.path(), b.WithheldGo), patterns)
	if err != nil {
		return nil, buildError(err)
	}
	r := &resolved{side: x, pkgs: pkgs}
	for _, p := range pkgs {
		if p.Error == nil && p.Skip == "" {
			r.usable++
		}
	}
	return r, nil
}

// binaries returns the binaries to build of a side: of each package one for each layout, and one for each profiler
// that wants forks of its own.
func (b *Built) binaries(r *resolved) (todo []*binary) {
	for _, p := range r.pkgs {
		if p.Error != nil || p.Skip != "" {
			p.Close()
			continue
		}
		one := &binary{pkg: p, side: r.side}
		todo = append(todo, one.layouts(b.Run.Config.Layouts)...)
		for _, m := range b.Profilers.NeedingForks() { // linked once: what they see does not depend on the layout
			todo = append(todo, one.with(func(x *binary) { x.Purpose = m.Name() }))
		}
	}
	return todo
}

// checkResolved prints which packages of a side cannot be built. It fails if no package is left, unless the side may
// have lost them all, and for an error that is the machine's.
func (b *Built) checkResolved(r *resolved, all []*resolved) error {
	var first error
	for _, p := range r.pkgs {
		switch {
		case p.Error == nil:
		case b.comparesSides() && ofMachine(p.Error):
			return exit.Failed(b.ofSide(r.side, p.Error), "")
		case r.usable > 0 && b.isNew(p, r, all):
		default:
			first = b.selectionFailed(r, all[0], p, first)
		}
	}
	switch base := all[0]; {
	case r.usable > 0:
		return nil
	case r != base && base.usable > 0 && b.mayLoseAll(r.side):
		b.loseRest(r, base, first)
		return nil
	case first != nil && isAbsentOnAll(all):
		return exit.Silent(exit.Misuse)
	case first != nil:
		return exit.Silent(exit.Failure)
	}
	return exit.Failed(b.ofSide(r.side, b.noneUsable(r)), "name a package whose _test.go files have func BenchmarkX(b *testing.B)")
}

// selectionFailed prints why a package or a pattern selects nothing on a side, and returns the first such error. What
// fails is each package that the pattern selects on the base.
func (b *Built) selectionFailed(r, base *resolved, p build.Package, first error) error {
	failed, known := []string{p.ImportPath}, false
	if r != base && b.comparesSides() {
		failed, known = base.selectedLike(p)
	}
	switch {
	case len(failed) > 0:
	case known: // without benchmarks on the base, so that nothing is lost
		b.Progress.Error(b.ofSide(r.side, p.Error))
		return first
	default:
		failed = []string{p.ImportPath}
	}
	first = b.packageFailed(r.side, failed[0], p.Error, first)
	for _, name := range failed[1:] {
		b.Broken = append(b.Broken, Broken{r.side.Name, name, p.Error})
	}
	return first
}

// selectedLike returns the packages with benchmarks that stand for a failed one of another side: the package itself,
// or what its pattern selects here. known is false if that is nothing here, or fails here, too.
func (r *resolved) selectedLike(failed build.Package) (names []string, known bool) {
	wild := strings.Contains(failed.Pattern, "...")
	known = failed.ImportPath == failed.Pattern // a pattern that is not among ours selects what an earlier one does
	for _, p := range r.pkgs {
		if p.ImportPath != failed.ImportPath && (p.Pattern != failed.Pattern || wild && failed.ImportPath != failed.Pattern) {
			continue
		}
		if p.Error != nil {
			return nil, false
		}
		known = true
		if p.Skip == "" {
			names = append(names, p.ImportPath)
		}
	}
	return names, known
}

// isNew reports whether a pattern names nothing on the base because another side has added it.
func (b *Built) isNew(p build.Package, r *resolved, all []*resolved) bool {
	return b.comparesSides() && r == all[0] && isAbsent(p.Error) && slices.ContainsFunc(all, func(o *resolved) bool {
		return slices.ContainsFunc(o.pkgs, func(x build.Package) bool { return x.Pattern == p.Pattern && x.Error == nil })
	})
}

// loseRest counts the base's packages as failed on a side where none has benchmarks.
func (b *Built) loseRest(r, base *resolved, printed error) {
	if printed == nil {
		b.Progress.Error(b.ofSide(r.side, b.noneUsable(r)))
	}
	for _, p := range base.pkgs {
		if p.Error == nil && p.Skip == "" && b.brokenAs(r.side, p.ImportPath) == nil {
			b.Broken = append(b.Broken, Broken{r.side.Name, p.ImportPath, nil})
		}
	}
}

// noneUsable returns the error of a side none of whose packages has benchmarks.
func (b *Built) noneUsable(r *resolved) error {
	if len(r.pkgs) == 1 {
		return fmt.Errorf("%s: %s", r.pkgs[0].ImportPath, r.pkgs[0].Skip)
	}
	return fmt.Errorf("%s: none of %d packages has benchmarks", strings.Join(b.Run.Config.Packages, " "), len(r.pkgs))
}

// comparesSides reports whether sides are compared with the base, which is the first.
func (b *Built) comparesSides() bool { return b.Series == nil && len(b.sides) > 1 }

// mayLoseAll reports whether the run goes on if nothing of a side can be measured: the benchmarks of the base are
// lost then. The code is at fault only where all else is as on the base.
func (b *Built) mayLoseAll(x *builtSide) bool {
	base := b.sides[0]
	return b.comparesSides() && !b.DryRun && x != base &&
		x.Toolchain == base.Toolchain && slices.Equal(x.Flags, base.Flags) && slices.Equal(x.Setenv, base.Setenv)
}

// brokenAs returns what failed of a package of a side; nil if nothing did.
func (b *Built) brokenAs(x *builtSide, pkg string) *Broken {
	if i := slices.IndexFunc(b.Broken, func(o Broken) bool { return o.Side == x.Name && o.Pkg == pkg }); i >= 0 {
		return &b.Broken[i]
	}
	return nil
}

// whyMissing returns why a side has no binary of a package, as far as the go command says it; "" if it says nothing.
func (b *Built) whyMissing(x *builtSide, pkg string) string {
	for _, r := range b.resolved {
		i := slices.IndexFunc(r.pkgs, func(p build.Package) bool { return p.ImportPath == pkg && p.Skip != "" })
		if r.side == x && i >= 0 {
			return "its package has " + r.pkgs[i].Skip
		}
	}
	failed := b.brokenAs(x, pkg)
	if failed == nil || failed.Err == nil {
		return ""
	}
	what, why := "its package does not build: ", failed.Err.Error()
	if e := (*build.Error)(nil); errors.As(failed.Err, &e) {
		if e.Absent {
			what = "its package is not there: "
		}
		why = strings.TrimPrefix(e.Error(), pkg+": ")
	}
	return what + redact.Text(termtext.Clip(termtext.OneLine(why), maxReason))
}

// maxReason bounds what a record keeps of an error of the go command, in bytes.
const maxReason = 300

// isAbsentOnAll reports whether what was typed first names nothing on any side: it was mistyped.
func isAbsentOnAll(all []*resolved) bool {
	return !slices.ContainsFunc(all, func(r *resolved) bool {
		i := slices.IndexFunc(r.pkgs, func(p build.Package) bool { return p.Error != nil })
		return r.usable > 0 || i < 0 || !isAbsent(r.pkgs[i].Error)
	})
}

// isAbsent reports whether an error says that there is nothing by the name that was typed.
func isAbsent(err error) bool {
	e := (*build.Error)(nil)
	return errors.As(err, &e) && e.Absent
}
