package benchrun

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/golang/toolchain"
	"github.com/tarebench/tare/internal/numbers/plan"
	"github.com/tarebench/tare/internal/process/profiler"
	"github.com/tarebench/tare/internal/profile/alloc"
	"github.com/tarebench/tare/internal/profile/asm"
	"github.com/tarebench/tare/internal/profile/compiler"
	"github.com/tarebench/tare/internal/profile/counter"
	"github.com/tarebench/tare/internal/profile/instructions"
	"github.com/tarebench/tare/internal/profile/mem"
	"github.com/tarebench/tare/internal/profile/sample"
	"github.com/tarebench/tare/internal/profile/sched"
	"github.com/tarebench/tare/internal/profile/trace"
	"github.com/tarebench/tare/internal/profile/usage"
	"github.com/tarebench/tare/record"
)

// DefaultProfForks is how many forks of a benchmark a profiler gets for itself:
// as many as a 99 % interval of a median needs, and two to spare.
const DefaultProfForks = 10

// Profilers returns the profilers that tare has. sampler is for asm, traced for
// trace. With sampler nil, asm has nothing but a name: it opens events of the
// kernel as soon as it is made, and a command that samples nothing must not.
func Profilers(sampler *asm.Config, traced trace.Config) profiler.Set {
	return profiler.Set{
		{Profiler: mem.Profiler(traced.Work), Part: toolchain.Mem(), Help: "what is kept alive, peaks, and with it heap"},
		{Profiler: mem.Heap(traced.Work), Part: toolchain.Heap(), Help: "what occupies the heap; mem,-heap goes without", IncludedIn: "mem", MaxForks: mem.HeapForks},
		{Profiler: alloc.Profiler(), Part: toolchain.Alloc(), Help: "what an operation allocates, by site, counted one by one", MaxForks: alloc.Forks},
		{Profiler: counter.Profiler(), Part: toolchain.Counter(), Help: "events of processor and kernel"},
		{Profiler: usage.Profiler(), Part: toolchain.Usage(), Help: "CPU time of all threads"},
		{Profiler: sched.Profiler(), Part: toolchain.Sched(), Help: "which goroutines ran, and waited"},
		{Profiler: instructions.Profiler(), Help: "by function and line, counted by valgrind", MaxForks: instructions.Forks},
		{Profiler: compiler.Profiler(), Help: "what the compiler inlines, what escapes, bounds checks, sizes of code and frames"},
		sampling(sampler),
		{Profiler: sample.Profiler(sample.Config{}), Part: toolchain.TimerLog(), Help: "where its goroutines are every 10 ms, shown by tare sample"},
		{Profiler: trace.Profiler(traced), Part: toolchain.Trace(), Help: "calls of functions, counted one by one, shown by tare trace", MaxForks: trace.Forks},
	}
}

// sampling is asm. It needs hooks, and a half in the process, only where Go's own
// profiler has to sample.
func sampling(c *asm.Config) profiler.Member {
	m := profiler.Member{Profiler: named(asm.Name), Help: "the hottest machine code, shown by tare asm"}
	if c == nil {
		return m
	}
	if m.Profiler = asm.Profiler(*c); m.Needs().Hooks {
		m.Part = toolchain.TimerLog()
	}
	return m
}

// named is a profiler of which only the name is known.
type named string

func (n named) Name() string        { return string(n) }
func (named) Available() error      { return nil }
func (named) Needs() profiler.Needs { return profiler.Needs{} }

// KnownProfilers returns the words that --prof takes, with what they stand for.
func KnownProfilers() string {
	var out []string
	for _, m := range Profilers(nil, trace.Config{}) {
		out = append(out, m.Name()+" ("+m.Help+")")
	}
	return strings.Join(out, ", ")
}

// IsProfiler reports whether --prof takes a word: the name of a profiler or, with
// a dash before it, of one that another includes.
func IsProfiler(word string) bool {
	return slices.ContainsFunc(Profilers(nil, trace.Config{}), func(m profiler.Member) bool {
		return m.Name() == word || m.IncludedIn != "" && "-"+m.Name() == word
	})
}

// TraceConfig returns what profiler trace is asked for.
func TraceConfig(c *record.Config) trace.Config {
	return trace.Config{Match: c.TraceMatch, Skip: c.TraceSkip}
}

// ProbeAdvice returns what to do about a profiler that cannot be served, "" if
// err does not know.
func ProbeAdvice(err error) string {
	if e := (*profiler.UnavailableError)(nil); errors.As(err, &e) {
		return e.Advice
	}
	return ""
}

// chooseProfilers takes the profilers of --prof that this machine can serve, and
// warns about the others.
func (b *Built) chooseProfilers() {
	traced := TraceConfig(&b.Run.Config)
	traced.Work = b.traceDir()
	asked := b.Run.Config.Prof
	for _, m := range Profilers(&b.Sampler, traced) {
		included := m.IncludedIn != "" && slices.Contains(asked, m.IncludedIn) && !slices.Contains(asked, "-"+m.Name())
		if !included && !slices.Contains(asked, m.Name()) {
			continue
		}
		if err := m.Available(); err != nil {
			b.warnings = append(b.warnings, &record.Warn{
				About: record.AboutRun, Code: "not-available",
				Text:   fmt.Sprintf("%s: not available: %v", m.Name(), err),
				Advice: cmp.Or(ProbeAdvice(err), "tare doctor says what this machine can serve"),
			})
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
