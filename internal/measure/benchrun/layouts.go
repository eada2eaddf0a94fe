package benchrun

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tarebench/tare/record"
)

// layouts returns the binaries of n layouts, each to be linked with its functions
// in another order, or the binary itself if n is 0. The seeds are the same on
// all sides, and in every run.
func (b *binary) layouts(n int) []*binary {
	if n == 0 {
		return []*binary{b}
	}
	var out []*binary
	for seed := range n {
		out = append(out, b.with(func(x *binary) { x.Layout = fmt.Sprint(seed + 1) }))
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

// firstLayouts returns one binary of each package and side: those that are asked
// for the names of benchmarks.
func (b *Built) firstLayouts() []*binary {
	var out []*binary
	for _, x := range b.bins {
		if !slices.ContainsFunc(out, func(o *binary) bool { return o.Pkg == x.Pkg && o.Side == x.Side }) {
			out = append(out, x)
		}
	}
	return out
}

// binary returns the binary that a round runs for a case. Layouts take turns.
// Profilers that want forks of their own have binaries of their own.
func (b *Built) binary(c *record.Case, round int, purpose string) *binary {
	first := b.bins[c.Bin-1]
	var layouts []*binary
	for _, x := range b.bins {
		switch {
		case x.Pkg != first.Pkg || x.Side != first.Side:
		case x.Purpose == purpose && purpose != "":
			return x
		case x.Purpose == "":
			layouts = append(layouts, x)
		}
	}
	return layouts[max(0, round-1)%len(layouts)]
}
