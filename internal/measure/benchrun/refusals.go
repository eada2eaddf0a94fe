package benchrun

import (
	"errors"
	"slices"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/base/redact"
	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/process/profiler"
	"github.com/tarebench/tare/internal/profile/trace"
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
		why := redact.Text(termtext.OneLine(r.Error()))
		w := diagnosis.Warn(diagnosis.NotProfiled, diagnosis.Facts{"why": why})
		if !served {
			b.Profilers = b.Profilers.Without(purpose)
			w = diagnosis.WarnForm(diagnosis.NotAvailable, "build", diagnosis.Facts{"why": why, "advice": unfit.Advice})
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
