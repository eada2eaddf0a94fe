package cli

import (
	"os"
	"slices"
	"strings"
)

// environ is the environment of every fork: ours, what --gogc and
// --memory-limit come to, and --env. A later setting of a name replaces an
// earlier one.
func (s *session) environ() []string {
	env := os.Environ()
	c := s.run.Config
	if c.GOGC != "" {
		env = append(env, "GOGC="+c.GOGC)
	}
	if c.MemoryLimit != "" {
		env = append(env, "GOMEMLIMIT="+c.MemoryLimit)
	}
	return lastOfEach(append(env, c.Setenv...))
}

// sideEnviron is the environment of the forks of a side.
func (s *session) sideEnviron(x *side) []string {
	if len(x.Setenv) == 0 {
		return s.runner.Environ
	}
	return lastOfEach(append(slices.Clone(s.runner.Environ), x.Setenv...))
}

func lastOfEach(env []string) []string {
	var out []string
	seen := map[string]bool{}
	for _, kv := range slices.Backward(env) {
		k, _, _ := strings.Cut(kv, "=")
		if !seen[k] {
			seen[k] = true
			out = append(out, kv)
		}
	}
	slices.Reverse(out)
	return out
}
