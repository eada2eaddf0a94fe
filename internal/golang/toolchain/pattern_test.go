package toolchain

import "testing"

func TestMatches(t *testing.T) {
	for _, c := range []struct {
		pattern, path string
		want          bool
	}{
		{"a/b", "a/b", true}, {"a/b", "a/bc", false}, {"a/...", "a", true}, {"a/...", "a/b/c", true}, {"a/...", "ab", false},
		{"...", "anything", true}, {"a/.../c", "a/b/c", true}, {"a/.../c", "a/b/d", false}, {"a...", "abc", true}, {"all", "x", true},
		{"a.b/...", "axb/c", false}, {"(", "(", true}, {"\xff...", "x", false}, {"", "a", false},
	} {
		if got := Matches(c.pattern, c.path); got != c.want {
			t.Errorf("%q matches %q: %v", c.pattern, c.path, got)
		}
	}
}
