package cli

import (
	"os"
	"slices"

	"github.com/tarebench/tare/internal/session"
)

// environ is the environment of every fork: ours, what --gogc and
// --memory-limit come to, and --env. A later setting of a name replaces an
// earlier one.
func (s *benchSession) environ() []string {
	env := os.Environ()
	c := s.run.Config
	if c.GOGC != "" {
		env = append(env, "GOGC="+c.GOGC)
	}
	if c.MemoryLimit != "" {
		env = append(env, "GOMEMLIMIT="+c.MemoryLimit)
	}
	return session.LastOfEach(append(env, c.Setenv...))
}

// sideEnviron is the environment of the forks of a side.
func (s *benchSession) sideEnviron(x *side) []string {
	if len(x.Setenv) == 0 {
		return s.runner.Environ
	}
	return session.LastOfEach(append(slices.Clone(s.runner.Environ), x.Setenv...))
}
