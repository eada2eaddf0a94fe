package profiler

import (
	"slices"

	"github.com/tarebench/tare/internal/toolchain"
	"github.com/tarebench/tare/record"
)

// Member is a profiler of a [Set], with what the command knows of it.
type Member struct {
	Profiler
	Part     *toolchain.Part // its half in the measured process, or nil
	Brief    string          // for the help
	With     string          // the name of a profiler that includes it
	MaxForks int             // the most forks of its own that are useful; 0: no limit
}

// Set is the profilers of a run. Forks have a purpose: to be timed, or to be
// observed by one profiler that must not share forks with the clock.
type Set []Member

// Observing returns the profilers that observe the forks of a purpose: the one
// of that name or, of timed forks, all that disturb nothing.
func (s Set) Observing(purpose string) Set {
	return s.filter(func(m Member) bool {
		return m.Name() == purpose || !m.Needs().Forks && purpose == record.PurposeTiming
	})
}

// WithForks returns the profilers that want forks of their own.
func (s Set) WithForks() Set { return s.filter(func(m Member) bool { return m.Needs().Forks }) }

// WithoutHooks returns the profilers that do without hooks in package testing.
func (s Set) WithoutHooks() Set {
	return s.filter(func(m Member) bool { return m.Part == nil && !m.Needs().Deep || m.Needs().Rough })
}

// Without returns the set without a profiler.
func (s Set) Without(name string) Set {
	return s.filter(func(m Member) bool { return m.Name() != name })
}

func (s Set) filter(keep func(Member) bool) Set {
	return slices.DeleteFunc(slices.Clone(s), func(m Member) bool { return !keep(m) })
}

// Has reports whether a profiler is in the set.
func (s Set) Has(name string) bool { return s.Get(name) != nil }

// Get returns a profiler by its name, or nil.
func (s Set) Get(name string) *Member {
	if i := slices.IndexFunc(s, func(m Member) bool { return m.Name() == name }); i >= 0 {
		return &s[i]
	}
	return nil
}

// Halves returns the parts that binaries are built with for the profilers of the
// set, and whether package testing needs hooks.
func (s Set) Halves() (parts []toolchain.Part, hooks bool) {
	for _, m := range s {
		hooks = hooks || m.Needs().Deep
		if m.Part != nil {
			parts = append(parts, *m.Part)
		}
	}
	return parts, hooks || len(parts) > 0
}

// Environ returns what the profilers of the set add to the environment of forks.
func (s Set) Environ() (env []string) {
	for _, m := range s {
		env = append(env, m.Needs().Env...)
	}
	return env
}

// Attachers returns the profilers that look at processes from outside.
func (s Set) Attachers() []Attacher { return implementing[Attacher](s) }

// Interpreters returns the profilers that make sense of what forks attach.
func (s Set) Interpreters() []Interpreter { return implementing[Interpreter](s) }

// Preparers returns the profilers that prepare something for forks.
func (s Set) Preparers() []Preparer { return implementing[Preparer](s) }

// Builders returns the profilers that change the sources of binaries.
func (s Set) Builders() []Builder { return implementing[Builder](s) }

// Wrapper returns the profiler that runs forks inside a program of its own, or nil.
func (s Set) Wrapper() Wrapper {
	if all := implementing[Wrapper](s); len(all) > 0 {
		return all[0]
	}
	return nil
}

func implementing[T any](s Set) (out []T) {
	for _, m := range s {
		if x, ok := m.Profiler.(T); ok {
			out = append(out, x)
		}
	}
	return out
}
