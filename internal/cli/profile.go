package cli

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tarebench/tare/internal/plan"
	"github.com/tarebench/tare/internal/profiler"
	"github.com/tarebench/tare/internal/profiler/asm"
	"github.com/tarebench/tare/internal/profiler/counter"
	"github.com/tarebench/tare/internal/profiler/instructions"
	"github.com/tarebench/tare/internal/profiler/mem"
	"github.com/tarebench/tare/internal/profiler/sample"
	"github.com/tarebench/tare/internal/profiler/sched"
	"github.com/tarebench/tare/internal/profiler/trace"
	"github.com/tarebench/tare/internal/profiler/usage"
	"github.com/tarebench/tare/internal/termtext"
	"github.com/tarebench/tare/internal/toolchain"
	"github.com/tarebench/tare/record"
)

// knownProfiler is what --prof may name: its half here, and the half that works in
// the measured process, if it has one.
type knownProfiler struct {
	profiler.Profiler
	part  *toolchain.Part
	brief string // for the help
	with  string // name of another that brings it along
	forks int    // the most that it needs; 0: as many as there are
}

// defaultProfForks is how many forks of a benchmark a profiler gets for itself:
// as many as a 99 % interval of a median needs, and two to spare.
const defaultProfForks = 10

// profilerNames are the words that --prof knows, with what they stand for.
func profilerNames() string {
	var out []string
	for _, p := range profilers(nil, trace.Config{}) {
		out = append(out, p.Name()+" ("+p.brief+")")
	}
	return strings.Join(out, ", ")
}

// checkProf splits the list of --prof.
func (f *benchFlags) checkProf(cmd *cobra.Command, c *record.Config, bad func(string, ...any)) {
	defer func() { checkTrace(c, bad) }()
	if f.prof == "" {
		if cmd.Flags().Changed("prof-forks") || cmd.Flags().Changed("prof") {
			bad("--prof names no profiler: there is %s", profilerNames())
		}
		c.ProfForks = 0
		return
	}
	for _, name := range strings.Split(f.prof, ",") {
		name = strings.TrimSpace(name)
		known := slices.ContainsFunc(profilers(nil, trace.Config{}), func(p knownProfiler) bool {
			return p.Name() == name || p.with != "" && "-"+p.Name() == name
		})
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

// checkTrace checks what is for profiler trace alone.
func checkTrace(c *record.Config, bad func(string, ...any)) {
	if !slices.Contains(c.Prof, trace.Name) {
		if len(c.TraceMatch)+len(c.TraceSkip) > 0 {
			bad("--trace-match and --trace-skip are about --prof trace")
		}
		return
	}
	if err := tracing(c).Validate(); err != nil {
		bad("--trace-match, --trace-skip: %s", termtext.OneLine(unprefixed(err, "weave: ").Error()))
	}
}

// tracing is what profiler trace is asked for.
func tracing(c *record.Config) trace.Config {
	return trace.Config{Match: c.TraceMatch, Skip: c.TraceSkip}
}

// chosen are the profilers of the run that this machine can serve. The others
// are told of, once.
func (s *benchSession) choose() {
	traced := tracing(&s.run.Config)
	traced.Work = s.wovenName()
	for _, p := range profilers(&s.sampler, traced) {
		asked := s.run.Config.Prof
		along := p.with != "" && slices.Contains(asked, p.with) && !slices.Contains(asked, "-"+p.Name())
		if !along && !slices.Contains(asked, p.Name()) {
			continue
		}
		if err := p.Probe(); err != nil {
			s.unserved = append(s.unserved, &record.Warn{
				About: record.AboutRun, Code: "not-available",
				Text:   fmt.Sprintf("%s: not available: %v", p.Name(), err),
				Advice: cmp.Or(adviceOf(err), "tare doctor says what this machine can serve"),
			})
			continue
		}
		s.profs = append(s.profs, p)
		if b, ok := p.Profiler.(profiler.Builder); ok {
			s.builders = append(s.builders, b)
		}
	}
}

// wovenName is that of the directory for what profiler trace weaves. A run that is resumed
// has that of its beginning, because paths may be in binaries.
func (s *benchSession) wovenName() string {
	start := s.start
	if s.prior != nil {
		start = s.run.Start
	}
	return fmt.Sprintf("woven-%s-%x", s.run.Seed, start.UnixNano())
}

// adviceOf is what a profiler that cannot be served says to do about it, if anything.
func adviceOf(err error) string {
	var e *profiler.ProbeError
	if errors.As(err, &e) {
		return e.Advice
	}
	return ""
}

// parts are the halves of profilers that a binary is built with: for timing
// forks those of profilers that disturb nothing, else the one it is for.
func (s *benchSession) parts(b *binary) (parts []toolchain.Part, deep bool) {
	purpose := b.Purpose
	if s.noHooks != nil {
		return nil, false
	}
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

// environOf is what profilers ask for the forks of a purpose.
func (s *benchSession) environOf(purpose string) (env []string) {
	for _, p := range s.profs {
		if n := p.Needs(); p.Name() == purpose || !n.Forks && purpose == record.PurposeTiming {
			env = append(env, n.Env...)
		}
	}
	return env
}

// attachers look at the forks of a purpose from outside.
func (s *benchSession) attachers(purpose string) (out []profiler.Attacher) {
	for _, p := range s.profs {
		if a, ok := p.Profiler.(profiler.Attacher); ok && (p.Name() == purpose || !p.Needs().Forks && purpose == record.PurposeTiming) {
			out = append(out, a)
		}
	}
	return out
}

// interpreters make sense of what the forks of a purpose attach.
func (s *benchSession) interpreters(purpose string) (out []profiler.Interpreter) {
	for _, p := range s.profs {
		if x, ok := p.Profiler.(profiler.Interpreter); ok && (p.Name() == purpose || !p.Needs().Forks && purpose == record.PurposeTiming) {
			out = append(out, x)
		}
	}
	return out
}

// preparers have something ready for their halves in the forks of a purpose.
func (s *benchSession) preparers(purpose string) (out []profiler.Preparer) {
	for _, p := range s.profs {
		if x, ok := p.Profiler.(profiler.Preparer); ok && (p.Name() == purpose || !p.Needs().Forks && purpose == record.PurposeTiming) {
			out = append(out, x)
		}
	}
	return out
}

// benchtime is how much a fork is asked to do.
func (s *benchSession) benchtime(r plan.Request) string {
	c := r.Case
	for _, p := range s.profs {
		if n := p.Needs().Nth; p.Name() == r.Purpose && n > 0 && c.Mode == record.ModeN && !c.Shot && s.run.Config.Benchtime == "" {
			return fmt.Sprintf("%dx", max(1, c.N/int64(n)))
		}
	}
	return r.Benchtime
}

// patience is how many times as long as timed ones the forks of a purpose may take. A
// wrapper's take it for each of their processes. What was asked for by name holds.
func (s *benchSession) patience(purpose string) time.Duration {
	if s.run.Config.Timeout > 0 {
		return 1
	}
	for _, p := range s.profs {
		if _, ok := p.Profiler.(profiler.Wrapper); !ok && p.Name() == purpose {
			return time.Duration(max(1, p.Needs().Slow))
		}
	}
	return 1
}

// wrapper is who runs the forks of a purpose in a program of its own, or nil.
func (s *benchSession) wrapper(purpose string) profiler.Wrapper {
	for _, p := range s.profs {
		if x, ok := p.Profiler.(profiler.Wrapper); ok && p.Name() == purpose {
			return x
		}
	}
	return nil
}

// profiled are the binaries of a package for profilers that want forks of their
// own. They are linked once: what they tell does not depend on the layout.
func (s *benchSession) profiled(b *binary) []*binary {
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
func (s *benchSession) profiles() []plan.Profile {
	var out []plan.Profile
	for _, p := range s.profs {
		if p.Needs().Forks {
			rounds := s.run.Config.ProfForks
			if p.forks > 0 && !(p.Name() == trace.Name && s.profForksAsked()) {
				rounds = min(rounds, p.forks)
			}
			out = append(out, plan.Profile{Purpose: p.Name(), Rounds: rounds, Slow: p.Needs().Slow})
		}
	}
	return out
}

// profForksAsked reports whether the number of forks was asked for, rather than left to
// what a profiler needs. A run that is resumed is as it was asked for first.
func (s *benchSession) profForksAsked() bool {
	typed := func(word string) bool { return word == "--prof-forks" || strings.HasPrefix(word, "--prof-forks=") }
	return s.run.Config.ProfForks != defaultProfForks || slices.ContainsFunc(s.command, typed) || slices.ContainsFunc(s.run.Command, typed)
}

// has reports whether a profiler takes part.
func (s *benchSession) has(name string) bool {
	return slices.ContainsFunc(s.profs, func(p knownProfiler) bool { return p.Name() == name })
}

// profilers are those that this tare has; sampler is for asm, traced for trace. With nil they are only good
// for their names: asm tries the kernel's events as soon as it is made, and a command that
// samples nothing must not.
func profilers(sampler *asm.Config, traced trace.Config) []knownProfiler {
	return []knownProfiler{
		{Profiler: mem.Profiler(), part: toolchain.Mem(), brief: "what is kept alive, peaks, and with it heap"},
		{Profiler: mem.Heap(), part: toolchain.Heap(), brief: "what occupies the heap; mem,-heap goes without", with: mem.Profiler().Name(), forks: mem.HeapForks},
		{Profiler: counter.Profiler(), part: toolchain.Counter(), brief: "events of processor and kernel"},
		{Profiler: usage.Profiler(), part: toolchain.Usage(), brief: "CPU time of all threads"},
		{Profiler: sched.Profiler(), part: toolchain.Sched(), brief: "which goroutines ran, and waited"},
		{Profiler: instructions.Profiler(), brief: "counted by valgrind"},
		sampling(sampler),
		{Profiler: sample.Profiler(sample.Config{}), part: toolchain.Stops(), brief: "where its goroutines are every 10 ms, shown by tare sample"},
		{Profiler: trace.Profiler(traced), part: toolchain.Trace(), brief: "calls of functions, counted one by one, shown by tare trace", forks: trace.Forks},
	}
}

// sampling is asm. Where Go's own profiler has to do it, it needs no half in the process,
// and no hooks for one.
func sampling(c *asm.Config) knownProfiler {
	x := knownProfiler{Profiler: named(asm.Name), brief: "the hottest machine code, shown by tare asm"}
	if c == nil {
		return x
	}
	if x.Profiler = asm.Profiler(*c); x.Needs().Deep {
		x.part = toolchain.Stops()
	}
	return x
}

// named is a profiler of which nothing but its name is known.
type named string

func (n named) Name() string        { return string(n) }
func (named) Probe() error          { return nil }
func (named) Needs() profiler.Needs { return profiler.Needs{} }
