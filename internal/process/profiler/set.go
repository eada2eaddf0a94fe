package profiler

import (
	"slices"

	"github.com/tarebench/tare/internal/golang/toolchain"
	"github.com/tarebench/tare/record"
)

// Member is a profiler of a [Set] with its description.
type Member struct {
	Profiler
	Part       *toolchain.Part // its part in the measured process, or nil
	Help       string          // one line for the help
	IncludedIn string          // the name of a profiler that includes it
	MaxForks   int             // maximum useful number of its own forks; 0: no limit
}

// Set is the profilers of a run. A fork is either timed or observed by one profiler that needs forks of its own.
type Set []Member

// Observing returns the profilers that observe forks of a purpose: the profiler of that name, or for timed forks all
// that do not need forks of their own.
func (s Set) Observing(purpose string) Set {
	return s.filter(func(m Member) bool {
		return m.Name() == purpose || !m.Needs().OwnForks && purpose == record.PurposeTiming
	})
}

// NeedingForks returns the profilers that need forks of their own.
func (s Set) NeedingForks() Set { return s.filter(func(m Member) bool { return m.Needs().OwnForks }) }

// WithoutHooks returns the profilers that work without hooks in package testing.
func (s Set) WithoutHooks() Set {
	return s.filter(func(m Member) bool { return m.Part == nil && !m.Needs().Hooks || m.Needs().HooksOptional })
}

// Without returns a copy of the set that lacks the profiler of that name.
func (s Set) Without(name string) Set {
	return s.filter(func(m Member) bool { return m.Name() != name })
}

func (s Set) filter(keep func(Member) bool) Set {
	return slices.DeleteFunc(slices.Clone(s), func(m Member) bool { return !keep(m) })
}

// Has reports whether the set contains the profiler of that name.
func (s Set) Has(name string) bool { return s.Get(name) != nil }

// Get returns the profiler of that name, or nil.
func (s Set) Get(name string) *Member {
	if i := slices.IndexFunc(s, func(m Member) bool { return m.Name() == name }); i >= 0 {
		return &s[i]
	}
	return nil
}

// Parts returns the parts with which the binaries for the set's profilers are built, and whether package testing
// needs hooks.
func (s Set) Parts() (parts []toolchain.Part, hooks bool) {
	for _, m := range s {
		hooks = hooks || m.Needs().Hooks
		if m.Part != nil {
			parts = append(parts, *m.Part)
		}
	}
	return parts, hooks || len(parts) > 0
}

// Environ returns what the set's profilers add to the environment of forks.
func (s Set) Environ() (env []string) {
	for _, m := range s {
		env = append(env, m.Needs().Env...)
	}
	return env
}

// Attachers returns the profilers that observe processes from outside.
func (s Set) Attachers() []Attacher { return implementing[Attacher](s) }

// Interpreters returns the profilers that convert what forks attach.
func (s Set) Interpreters() []Interpreter { return implementing[Interpreter](s) }

// Preparers returns the profilers that prepare something for forks.
func (s Set) Preparers() []Preparer { return implementing[Preparer](s) }

// Builders returns the profilers that change the sources of binaries.
func (s Set) Builders() []Builder { return implementing[Builder](s) }

// Inspectors returns the profilers that examine binaries.
func (s Set) Inspectors() []Inspector { return implementing[Inspector](s) }

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
