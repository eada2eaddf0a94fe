package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/tarebench/tare/internal/build"
	"github.com/tarebench/tare/internal/profiler"
	"github.com/tarebench/tare/internal/profiler/trace"
	"github.com/tarebench/tare/internal/termtext"
	"github.com/tarebench/tare/record"
)

// make builds a binary, after the profiler that it is for has had its say.
func (s *benchSession) make(ctx context.Context, b *binary) error {
	opt := s.buildOptions(b)
	var checks []func(string) error
	for _, p := range s.profs {
		x, ok := p.Profiler.(profiler.Builder)
		if !ok || p.Name() != b.Purpose {
			continue
		}
		out, err := ask(ctx, x, b, opt)
		if ctx.Err() != nil {
			return context.Canceled
		}
		if err != nil {
			return &refusal{b, err}
		}
		opt.Flags = append(opt.Flags, out.Flags...)
		opt.Env = slices.Concat(opt.Env, out.Env)
		b.doubts = out.Doubts
		if out.Check != nil {
			checks = append(checks, out.Check)
		}
	}
	if err := b.build(ctx, opt); err != nil {
		return err
	}
	for _, check := range checks {
		if err := check(b.built.Path); err != nil {
			return &refusal{b, err}
		}
	}
	return nil
}

// ask asks a profiler how it wants a test binary to be built.
func ask(ctx context.Context, p profiler.Builder, b *binary, opt build.Options) (profiler.Built, error) {
	at, err := build.SiteOf(opt, b.pkg)
	if err != nil {
		return profiler.Built{}, err
	}
	q := profiler.Build{Pkg: b.pkg.ImportPath, Side: b.side.Name, Dir: at.Dir, Flags: at.Flags, Env: at.Env}
	for _, name := range append(slices.Clone(b.pkg.TestFiles), b.pkg.XTestFiles...) {
		q.Files = append(q.Files, filepath.Join(b.pkg.Dir, name))
	}
	return p.Build(ctx, q)
}

// refusal is why a profiler cannot have a binary as it needs it.
type refusal struct {
	b *binary
	error
}

func (r *refusal) Error() string {
	return fmt.Sprintf("%s: %s%s: %v", r.b.Purpose, of(r.b.side.Name), r.b.pkg.ImportPath, r.error)
}

func (r *refusal) Unwrap() error { return r.error }

// refusals tells of them: the benchmarks of those packages are measured without their
// profiler. If it has no binary at all, that is an error, unless the toolchain is to blame:
// then the run goes on without the profiler, as on a machine that cannot serve it.
func (s *benchSession) refusals(all []*refusal) error {
	for _, r := range all {
		purpose := r.b.Purpose
		if !s.has(purpose) {
			continue // another package has said the same
		}
		served := slices.ContainsFunc(s.bins, func(b *binary) bool { return b.Purpose == purpose })
		unfit := (*profiler.ProbeError)(nil)
		if !served && !errors.As(r, &unfit) {
			return failed(r, s.refusalHint(purpose))
		}
		w := &record.Warn{
			About: record.AboutRun, Code: "not-profiled", Text: s.secrets.Mask(termtext.OneLine(r.Error())),
			Advice: "its benchmarks are measured without that profiler",
		}
		if !served {
			s.profs = slices.DeleteFunc(s.profs, func(p knownProfiler) bool { return p.Name() == purpose })
			w.Code, w.Advice = "not-available", unfit.Advice
		}
		s.progress.Note("%s; going on without", w.Text)
		s.unserved = append(s.unserved, w)
	}
	return nil
}

func (s *benchSession) refusalHint(purpose string) string {
	switch {
	case purpose != trace.Name:
		return ""
	case len(s.run.Config.TraceMatch) == 0:
		return "functions of other packages are named by --trace-match"
	}
	return "without --trace-match, all functions of a package are counted"
}

// unprofiled reports whether there is no binary for the forks of a profiler of its own.
func (s *benchSession) unprofiled(id, _ int, purpose string) bool {
	i := slices.IndexFunc(s.plan.Cases, func(c *record.Case) bool { return c.ID == id })
	if i < 0 {
		return false
	}
	c := s.plan.Cases[i]
	return !slices.ContainsFunc(s.bins, func(b *binary) bool { return b.Pkg == c.Pkg && b.Side == c.Side && b.Purpose == purpose })
}
