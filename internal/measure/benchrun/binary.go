package benchrun

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/golang/build"
	"github.com/tarebench/tare/internal/golang/toolchain"
	"github.com/tarebench/tare/internal/process/profiler"
	"github.com/tarebench/tare/record"
)

// binary is a test binary with what its sources say.
type binary struct {
	record.Bin
	side     *builtSide
	built    build.Binary
	sources  build.Sources
	pkg      build.Package
	warnings []*record.Warn // of the profiler that it is for
}

func (b *binary) close() {
	b.built.Close()
	b.pkg.Close()
}

// with returns a copy that was changed.
func (b *binary) with(change func(*binary)) *binary {
	x := *b
	change(&x)
	return &x
}

// declares reports whether the sources have the function of a benchmark.
func (b *binary) declares(name string) bool {
	return slices.Contains(b.sources.Benchmarks(), "Benchmark"+topName(name))
}

// parallel reports whether a benchmark calls RunParallel.
func (b *binary) parallel(name string) bool { return b.sources.Parallel("Benchmark" + topName(name)) }

// forms returns how a benchmark may loop, as far as its sources tell, and whether it may reset its timer.
func (b *binary) forms(name string) (forms []string, resets bool) {
	function := "Benchmark" + topName(name)
	n, loop, parallel := b.sources.Loops(function)
	for _, f := range []struct {
		name    string
		reached bool
	}{{record.FormN, n}, {record.FormLoop, loop}, {record.FormParallel, parallel}} {
		if f.reached {
			forms = append(forms, f.name)
		}
	}
	return forms, b.sources.Resets(function)
}

// topName returns the name of a benchmark's function, without Benchmark.
func topName(name string) string {
	top, _, _ := strings.Cut(name, "/")
	return top
}

// buildOne builds a binary, in the way that the profiler it is for wants.
func (b *Built) buildOne(ctx context.Context, x *binary) error {
	opt := x.side.options(b.Run.Config.Tags, b.temp.path(), b.WithheldGo)
	if !b.noHooks {
		var hooks bool
		opt.Parts, hooks = b.Profilers.Observing(cmp.Or(x.Purpose, record.PurposeTiming)).Parts()
		if b.Run.Config.GCBefore {
			opt.Parts, hooks = append(opt.Parts, *toolchain.Collect()), true
		}
		opt.Deep = hooks || b.Run.Config.Deep || x.side.Deep
	}
	opt.Flags = withLayout(slices.Clone(opt.Flags), x.Layout)
	var checks []func(string) error
	if x.Purpose != "" {
		for _, p := range b.Profilers.Observing(x.Purpose).Builders() {
			out, err := changeSources(ctx, p, x, opt)
			if ctx.Err() != nil {
				return context.Canceled
			}
			if err != nil {
				return &refusal{x, err}
			}
			opt.Flags = append(opt.Flags, out.Flags...)
			opt.Env = slices.Concat(opt.Env, out.Env)
			x.warnings = out.Warnings
			if out.Check != nil {
				checks = append(checks, out.Check)
			}
		}
	}
	if err := x.build(ctx, opt); err != nil {
		return err
	}
	for _, check := range checks {
		if err := check(x.built.Path); err != nil {
			return &refusal{x, err}
		}
	}
	return nil
}

func (b *binary) build(ctx context.Context, opt build.Options) error {
	x, err := build.Build(ctx, opt, b.pkg)
	if err != nil {
		return err
	}
	b.built = x
	b.Bin = record.Bin{
		Side: b.side.Name, Layout: b.Layout, Purpose: b.Purpose, Pkg: x.Pkg,
		SHA256: x.SHA256, BuildID: x.BuildID, Size: x.Size, Dir: x.Dir, Version: x.Version, Build: x.Settings,
	}
	b.sources, err = build.Scan(b.pkg)
	return err
}

// changeSources has a profiler change the sources of a binary.
func changeSources(ctx context.Context, p profiler.Builder, b *binary, opt build.Options) (profiler.Built, error) {
	at, err := build.SiteOf(opt, b.pkg)
	if err != nil {
		return profiler.Built{}, err
	}
	return p.Build(ctx, buildOf(b, at))
}

// buildOf describes a binary for a profiler.
func buildOf(b *binary, at build.Site) profiler.Build {
	q := profiler.Build{Pkg: b.pkg.ImportPath, Side: b.side.Name, Dir: at.Dir, Flags: at.Flags, Env: at.Env}
	for _, name := range append(slices.Clone(b.pkg.TestFiles), b.pkg.XTestFiles...) {
		q.Files = append(q.Files, filepath.Join(b.pkg.Dir, name))
	}
	return q
}

// refusal is why a profiler cannot have a binary as it needs it.
type refusal struct {
	b *binary
	error
}

func (r *refusal) Error() string {
	return fmt.Sprintf("%s: %s%s: %v", r.b.Purpose, sideLabel(r.b.side.Name), r.b.pkg.ImportPath, r.error)
}

func (r *refusal) Unwrap() error { return r.error }
