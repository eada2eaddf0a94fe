package benchrun

import (
	"errors"
	"slices"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/base/redact"
	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/process/profiler"
	"github.com/tarebench/tare/internal/profile/trace"
	"github.com/tarebench/tare/record"
)

// addRefusals warns about binaries that profilers cannot have: the benchmarks of
// those packages are measured without their profiler. A profiler without any
// binary is an error, unless the toolchain is the reason: then the run goes on
// without the profiler, as on a machine that cannot serve it.
func (b *Built) addRefusals(all []*refusal) error {
	for _, r := range all {
		purpose := r.b.Purpose
		if !b.Profilers.Has(purpose) {
			continue // another package has said the same
		}
		served := slices.ContainsFunc(b.bins, func(x *binary) bool { return x.Purpose == purpose })
		unfit := (*profiler.UnavailableError)(nil)
		if !served && !errors.As(r, &unfit) {
			return exit.Failed(r, b.refusalHint(purpose))
		}
		w := &record.Warn{
			About: record.AboutRun, Code: "not-profiled", Text: redact.Text(termtext.OneLine(r.Error())),
			Advice: "its benchmarks are measured without that profiler",
		}
		if !served {
			b.Profilers = b.Profilers.Without(purpose)
			w.Code, w.Advice = "not-available", unfit.Advice
		}
		b.Progress.Note("%s; going on without", w.Text)
		b.warnings = append(b.warnings, w)
	}
	return nil
}

func (b *Built) refusalHint(purpose string) string {
	switch {
	case purpose != trace.Name:
		return ""
	case len(b.Run.Config.TraceMatch) == 0:
		return "--include names functions of other packages"
	}
	return "without --include, all functions of a package are counted"
}
