package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tarebench/tare/record"
)

// layoutsOf are the binaries of one package on one side: one, or as many as
// --layouts asks for, each linked with the functions in another order. The
// seeds are the same on all sides, and in every run.
func (s *benchSession) layoutsOf(b *binary) []*binary {
	n := s.run.Config.Layouts
	if n == 0 {
		return []*binary{b}
	}
	var out []*binary
	for seed := range n {
		x := *b
		x.Layout = fmt.Sprint(seed + 1)
		out = append(out, &x)
	}
	return out
}

// withLayout adds the linker's -randlayout to build flags. The go command takes
// only the last -ldflags, so that those given have to be kept in it.
func withLayout(flags []string, seed string) []string {
	if seed == "" {
		return flags
	}
	link := "-randlayout=" + seed
	out := slices.Clone(flags)
	for i, f := range out {
		if old, ok := strings.CutPrefix(strings.Replace(f, "--ldflags=", "-ldflags=", 1), "-ldflags="); ok {
			out[i] = "-ldflags=" + old + " " + link
			return out
		}
	}
	return append(out, "-ldflags="+link)
}

// firstLayouts are the binaries that stand for their layouts when it comes to
// names.
func (s *benchSession) firstLayouts() []*binary {
	var out []*binary
	for _, b := range s.bins {
		if !slices.ContainsFunc(out, func(x *binary) bool { return x.Pkg == b.Pkg && x.Side == b.Side }) {
			out = append(out, b)
		}
	}
	return out
}

// binary is the one that a round runs for a case: the layouts take turns, and
// profilers that want forks of their own have binaries of their own.
func (s *benchSession) binary(c *record.Case, round int, purpose string) *binary {
	first := s.bins[c.Bin-1]
	var layouts []*binary
	for _, b := range s.bins {
		switch {
		case b.Pkg != first.Pkg || b.Side != first.Side:
		case b.Purpose == purpose && purpose != "":
			return b
		case b.Purpose == "":
			layouts = append(layouts, b)
		}
	}
	return layouts[max(0, round-1)%len(layouts)]
}
