package cli

import (
	"slices"
	"testing"

	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/record"
)

func TestChosen(t *testing.T) {
	cases := []result.Profiled[record.Asm]{{Name: "Hash8K/New"}, {Name: "Hash8K/Sum256"}, {Name: "Hash1K/New"}, {Name: "Hash1K/New", Side: "old"}, {Name: "Sort"}}
	for _, c := range []struct {
		pattern string
		want    []string
	}{
		{".", []string{"Hash8K/New", "Hash8K/Sum256", "Hash1K/New", "Hash1K/New", "Sort"}},
		{"Hash8K$", []string{"Hash8K/New", "Hash8K/Sum256"}},
		{"^BenchmarkHash8K$/New", []string{"Hash8K/New"}},
		{"/New", []string{"Hash8K/New", "Hash1K/New", "Hash1K/New"}}, // go test only looks into Sort
		{"^Hash8K$/Sum", []string{"Hash8K/Sum256"}},                  // as a record has them
		{"Hash[18/]K/Sum", []string{"Hash8K/Sum256"}},
		{"Hash(1|8/)K", []string{"Hash1K/New", "Hash1K/New"}},
	} {
		got, err := chosen("", cases, "sampled", c.pattern)
		if err != nil {
			t.Errorf("%s: %v", c.pattern, err)
		}
		var names []string
		for _, g := range got {
			names = append(names, g.Name)
		}
		if !slices.Equal(names, c.want) {
			t.Errorf("%s: %q, want %q", c.pattern, names, c.want)
		}
	}
	for _, pattern := range []string{"Nothing", "^ash", "Sort/New", "[", "("} {
		if got, err := chosen("", cases, "sampled", pattern); err == nil {
			t.Errorf("%s: %v", pattern, got)
		}
	}
}
