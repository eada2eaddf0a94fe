// Package profilers lists the profilers of benchmarks.
package profilers

import (
	"errors"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/golang/toolchain"
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
)

// All returns the profilers that tare has. sampler is for asm, traced for
// trace. With sampler nil, asm has nothing but a name: it opens events of the
// kernel as soon as it is made, and a command that samples nothing must not.
func All(sampler *asm.Config, traced trace.Config) profiler.Set {
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

// named is a profiler that is known by name only.
type named string

func (n named) Name() string        { return string(n) }
func (named) Available() error      { return nil }
func (named) Needs() profiler.Needs { return profiler.Needs{} }

// Help returns the names that --prof takes, each with what the profiler measures.
func Help() string {
	var out []string
	for _, m := range All(nil, trace.Config{}) {
		out = append(out, m.Name()+" ("+m.Help+")")
	}
	return strings.Join(out, ", ")
}

// Names returns the names that --prof takes.
func Names() string {
	var out []string
	for _, m := range All(nil, trace.Config{}) {
		out = append(out, m.Name())
	}
	return strings.Join(out, ", ")
}

// Known reports whether --prof takes a word: the name of a profiler or, with
// a dash before it, of one that another includes.
func Known(word string) bool {
	return slices.ContainsFunc(All(nil, trace.Config{}), func(m profiler.Member) bool {
		return m.Name() == word || m.IncludedIn != "" && "-"+m.Name() == word
	})
}

// Words returns the values of --prof, each with what it stands for behind a tab.
func Words() (out []string) {
	for _, p := range All(nil, trace.Config{}) {
		out = append(out, p.Name()+"\t"+p.Help)
	}
	return out
}

// Advice returns what to do about a profiler that cannot be served, "" if
// err does not know.
func Advice(err error) string {
	if e := (*profiler.UnavailableError)(nil); errors.As(err, &e) {
		return e.Advice
	}
	return ""
}
