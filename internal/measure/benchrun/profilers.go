package benchrun

import (
	"cmp"
	"slices"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/measure/profilers"
	"github.com/tarebench/tare/internal/numbers/plan"
	"github.com/tarebench/tare/internal/profile/instructions"
	"github.com/tarebench/tare/internal/profile/trace"
)

// chooseProfilers takes the profilers of --prof that this machine can serve, and
// warns about the others.
func (b *Built) chooseProfilers() {
	traced := trace.Config{Match: b.Run.Config.TraceMatch, Skip: b.Run.Config.TraceSkip}
	traced.Work = b.traceDir()
	asked := b.Run.Config.Prof
	for _, m := range profilers.All(&b.Sampler, traced) {
		included := m.IncludedIn != "" && slices.Contains(asked, m.IncludedIn) && !slices.Contains(asked, "-"+m.Name())
		if !included && !slices.Contains(asked, m.Name()) {
			continue
		}
		if err := m.Available(); err != nil {
			b.warnings = append(b.warnings, diagnosis.Warn(diagnosis.NotAvailable, diagnosis.Facts{
				"what": m.Name(), "side": "", "why": err, "advice": cmp.Or(profilers.Advice(err), "tare doctor says what this machine can serve"),
			}))
			continue
		}
		b.Profilers = append(b.Profilers, m)
	}
	b.builders = b.Profilers.Builders()
}

// profiles returns the plan of the forks that profilers want for themselves.
func (b *Built) profiles() []plan.Profile {
	var out []plan.Profile
	for _, m := range b.Profilers.NeedingForks() {
		rounds := b.Run.Config.ProfForks
		more := m.Name() == trace.Name || m.Name() == instructions.Name // forks that are asked for show the runtime's spread
		if m.MaxForks > 0 && !(more && b.askedForks()) {
			rounds = min(rounds, m.MaxForks)
		}
		out = append(out, plan.Profile{Purpose: m.Name(), Rounds: rounds, Slowdown: m.Needs().Slowdown})
	}
	return out
}
