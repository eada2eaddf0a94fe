package profile

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
)

// Callgrind writes functions and who calls whom in the format of callgrind, for KCachegrind and callgrind_annotate. It
// has the stacks that [View.Collapsed] has. A position is the line at which a function begins, 0 where that is not known.
// A recursive call of a function by itself is part of the function. The number of calls is that of a profile that counts
// calls, else 0: samples do not tell it.
//
// The format is that of valgrind's manual, "Callgrind Format Specification".
func (v *View) Callgrind(w io.Writer) error {
	g := v.callGraph()
	b := bufio.NewWriter(w)
	callgrindHead(b, v.program, v.event(), sum(v.shown()))
	files, functions := numbered{}, numbered{}
	for _, f := range g {
		fmt.Fprintf(b, "\nfl=%s\nfn=%s\n%d %d\n", files.name(f.file), functions.name(f.name), f.line, f.self)
		for _, to := range f.calls {
			callee := g[to.callee]
			fmt.Fprintf(b, "cfi=%s\ncfn=%s\ncalls=%d %d\n%d %d\n", files.name(callee.file), functions.name(callee.name), to.count, callee.line, f.line, to.value)
		}
	}
	if err := b.Flush(); err != nil {
		return fmt.Errorf("profile: callgrind: %w", err)
	}
	return nil
}

// callgrindHead writes what comes before the functions.
func callgrindHead(w io.Writer, program, event string, sum int64) {
	fmt.Fprintf(w, "# callgrind format\nversion: 1\ncreator: tare\n")
	if program != "" {
		fmt.Fprintf(w, "cmd: %s\n", charset.Name(program))
	}
	fmt.Fprintf(w, "positions: line\nevents: %s\nsummary: %d\n", event, sum)
}

// event returns the name of what costs are, as a word.
func (v *View) event() string {
	switch v.Unit {
	case "nanoseconds":
		return "ns"
	case "bytes":
		return "bytes"
	}
	word := strings.Map(func(r rune) rune {
		if r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			return r
		}
		return '_'
	}, v.Type)
	return cmp.Or(word, "count")
}

// numbered writes names as callgrind does: in full where they come first, then their numbers.
type numbered map[string]int

func (n numbered) name(s string) string {
	if i, ok := n[s]; ok {
		return fmt.Sprintf("(%d)", i)
	}
	n[s] = len(n) + 1
	return fmt.Sprintf("(%d) %s", n[s], charset.Name(cmp.Or(s, "???"))) // callgrind's own word for no file
}

// called is a function of a call graph.
type called struct {
	name, file string
	line       int64
	self       int64
	calls      []call // by callee
}

// call is what a function called, with all that was called from there.
type call struct {
	callee       int // index of the graph
	count, value int64
}

// callGraph returns the functions of the stacks that are shown, by name.
func (v *View) callGraph() []called {
	stacks := v.shown()
	at, graph := v.graphNodes(stacks)
	edges := map[[2]int]*call{}
	for _, s := range stacks {
		names := slices.Compact(slices.Clone(s.names))
		last := at[names[len(names)-1]]
		graph[last].self += s.value
		seen := map[[2]int]bool{}
		for i := 1; i < len(names); i++ {
			key := [2]int{at[names[i-1]], at[names[i]]}
			if edges[key] == nil {
				edges[key] = &call{callee: key[1]}
			}
			if !seen[key] { // a cycle counts once
				edges[key].value += s.value
			}
			seen[key] = true
			if i == len(names)-1 && v.CountType == "calls" {
				edges[key].count += s.count
			}
		}
	}
	for key, e := range edges {
		graph[key[0]].calls = append(graph[key[0]].calls, *e)
	}
	for i := range graph {
		slices.SortFunc(graph[i].calls, func(a, b call) int { return cmp.Compare(a.callee, b.callee) })
	}
	return graph
}

// graphNodes returns the functions of stacks without calls, and their indices.
func (v *View) graphNodes(stacks []stack) (map[string]int, []called) {
	var names []string
	for _, s := range stacks {
		names = append(names, s.names...)
	}
	names = once(names)
	lines := map[string]int64{}
	for _, f := range v.p.Function {
		lines[functionName(f)] = f.StartLine
	}
	at, graph := map[string]int{}, make([]called, len(names))
	for i, n := range names {
		at[n], graph[i] = i, called{name: n, file: v.files[n], line: lines[n]}
	}
	return at, graph
}
