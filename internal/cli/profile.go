package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tarebench/tare/internal/overlay"
	"github.com/tarebench/tare/internal/plan"
	"github.com/tarebench/tare/prof"
	"github.com/tarebench/tare/prof/counter"
	"github.com/tarebench/tare/prof/mem"
	profusage "github.com/tarebench/tare/prof/usage"
	"github.com/tarebench/tare/record"
)

// profiler is what --prof may name: its half here, and the half that works in
// the measured process, if it has one.
type profiler struct {
	prof.Profiler
	part  *overlay.Part
	brief string // for the help
}

// defaultProfForks is how many forks of a benchmark a profiler gets for itself:
// as many as a 99 % interval of a median needs, and two to spare.
const defaultProfForks = 10

// profilerNames are the words that --prof knows, with what they stand for.
func profilerNames() string {
	var out []string
	for _, p := range profilers() {
		out = append(out, p.Name()+" ("+p.brief+")")
	}
	return strings.Join(out, ", ")
}

// checkProf splits the list of --prof.
func (f *benchFlags) checkProf(cmd *cobra.Command, c *record.Config, bad func(string, ...any)) {
	if f.prof == "" {
		if cmd.Flags().Changed("prof-forks") || cmd.Flags().Changed("prof") {
			bad("--prof names no profiler: there is %s", profilerNames())
		}
		c.ProfForks = 0
		return
	}
	for _, name := range strings.Split(f.prof, ",") {
		name = strings.TrimSpace(name)
		known := slices.ContainsFunc(profilers(), func(p profiler) bool { return p.Name() == name })
		switch {
		case !known:
			bad("--prof %q: there is %s", name, profilerNames())
		case !slices.Contains(c.Prof, name):
			c.Prof = append(c.Prof, name)
		}
	}
	if c.ProfForks < 1 {
		bad("--prof-forks %d is less than 1", c.ProfForks)
	}
}

// chosen are the profilers of the run that this machine can serve. The others
// are told of, once.
func (s *session) choose() {
	for _, p := range profilers() {
		if !slices.Contains(s.run.Config.Prof, p.Name()) {
			continue
		}
		if err := p.Probe(); err != nil {
			s.unserved = append(s.unserved, &record.Warn{
				About: record.AboutRun, Code: "not-available",
				Text:   fmt.Sprintf("%s: not available: %v", p.Name(), err),
				Advice: "tare doctor says what this machine can serve",
			})
			continue
		}
		s.profs = append(s.profs, p)
	}
}

// parts are the halves of profilers that a binary is built with: for timing
// forks those of profilers that disturb nothing, else the one it is for.
func (s *session) parts(b *binary) (parts []overlay.Part, deep bool) {
	purpose := b.Purpose
	deep = s.run.Config.Deep || b.side.Deep
	for _, p := range s.profs {
		n := p.Needs()
		if mine := p.Name() == purpose; mine || !n.Forks && purpose == "" {
			deep = deep || n.Deep
			if p.part != nil {
				parts = append(parts, *p.part)
			}
		}
	}
	return parts, deep || len(parts) > 0
}

// flagsOf and environOf are what profilers ask for the binaries and forks of a
// purpose.
func (s *session) flagsOf(purpose string) (flags []string) {
	for _, p := range s.profs {
		if p.Name() == purpose {
			flags = append(flags, p.Needs().Flags...)
		}
	}
	return flags
}

func (s *session) environOf(purpose string) (env []string) {
	for _, p := range s.profs {
		if n := p.Needs(); p.Name() == purpose || !n.Forks && purpose == record.PurposeTiming {
			env = append(env, n.Env...)
		}
	}
	return env
}

// attachers look at the forks of a purpose from outside.
func (s *session) attachers(purpose string) (out []prof.Attacher) {
	for _, p := range s.profs {
		if a, ok := p.Profiler.(prof.Attacher); ok && (p.Name() == purpose || !p.Needs().Forks && purpose == record.PurposeTiming) {
			out = append(out, a)
		}
	}
	return out
}

// profiled are the binaries of a package for profilers that want forks of their
// own. They are linked once: what they tell does not depend on the layout.
func (s *session) profiled(b *binary) []*binary {
	var out []*binary
	for _, p := range s.profs {
		if p.Needs().Forks {
			x := *b
			x.Purpose = p.Name()
			out = append(out, &x)
		}
	}
	return out
}

// profiles is the plan of those forks.
func (s *session) profiles() []plan.Profile {
	var out []plan.Profile
	for _, p := range s.profs {
		if p.Needs().Forks {
			out = append(out, plan.Profile{Purpose: p.Name(), Rounds: s.run.Config.ProfForks})
		}
	}
	return out
}

// has reports whether a profiler takes part.
func (s *session) has(name string) bool {
	return slices.ContainsFunc(s.profs, func(p profiler) bool { return p.Name() == name })
}

// profilers are those that this tare has.
func profilers() []profiler {
	return []profiler{
		{mem.Profiler(), overlay.Mem(), "what is kept alive, peaks"},
		{counter.Profiler(), overlay.Counter(), "events of processor and kernel"},
		{profusage.Profiler(), overlay.Usage(), "CPU time of all threads"},
	}
}
