package benchrun

import (
	"context"
	"slices"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/base/redact"
	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/golang/build"
	"github.com/tarebench/tare/internal/process/profiler"
	"github.com/tarebench/tare/record"
)

// inspect has profilers examine the binaries whose benchmarks are measured, before the first fork: they may run
// compilers. It returns their attachments, and warnings about what cannot be had.
func (b *Built) inspect(ctx context.Context, cases []*record.Case) (out []record.Line) {
	for _, p := range b.Profilers.Inspectors() {
		for _, x := range b.bins {
			functions := benchmarksOf(x, cases)
			if len(functions) == 0 || ctx.Err() != nil {
				continue
			}
			b.Progress.Phase("%s: %s%s", p.Name(), sideLabel(x.Side), x.Pkg)
			found, err := b.inspectOne(ctx, p, x, functions)
			if err != nil && ctx.Err() == nil {
				out = append(out, diagnosis.Warn(diagnosis.NotAvailable, diagnosis.Facts{"what": p.Name(), "side": x.Side, "why": redact.Text(termtext.OneLine(err.Error())), "advice": ""}))
			}
			for _, a := range found {
				a.Bin = x.ID
				out = append(out, a)
			}
		}
	}
	return out
}

func (b *Built) inspectOne(ctx context.Context, p profiler.Inspector, x *binary, functions []string) ([]*record.Attach, error) {
	opt := x.side.options(b.Run.Config.Tags, b.temp.path(), b.WithheldGo)
	at, err := build.SiteOf(opt, x.pkg)
	if err != nil {
		return nil, err
	}
	return p.Inspect(ctx, profiler.Inspected{Build: buildOf(x, at), Binary: x.built.Path, Benchmarks: functions})
}

// benchmarksOf returns the functions of the benchmarks that a binary is timed with, sorted. Of the layouts of a binary
// only the first has cases.
func benchmarksOf(x *binary, cases []*record.Case) (functions []string) {
	for _, c := range cases {
		if c.Bin == x.ID {
			functions = append(functions, "Benchmark"+topName(c.Name))
		}
	}
	slices.Sort(functions)
	return slices.Compact(functions)
}
