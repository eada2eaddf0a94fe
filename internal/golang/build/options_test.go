package build

import (
	"slices"
	"testing"
)

// TestWithout: go gets our environment but for some variables, and what is set for it all the same.
func TestWithout(t *testing.T) {
	t.Setenv("GITHUB_OUTPUT", "file")
	t.Setenv("GITHUB_SHA", "abc")
	env := Options{Without: []string{"GITHUB_OUTPUT", "SET"}, Env: []string{"SET=1"}}.environ(t.TempDir(), nil)
	if slices.Contains(env, "GITHUB_OUTPUT=file") || !slices.Contains(env, "GITHUB_SHA=abc") || !slices.Contains(env, "SET=1") {
		t.Errorf("%q", env)
	}
}
