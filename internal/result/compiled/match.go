package compiled

import (
	"cmp"
	"encoding/binary"
	"slices"
	"strings"

	"github.com/tarebench/tare/record"
)

// compiledSide is one side of a comparison.
type compiledSide struct {
	*record.Compiled
	byName map[name]int
	hashes []map[uint32]int // of each function's lines, with how often they occur
	length []int            // lines with code
	match  []int            // function of the other side, -1 for none
}

type name struct{ pkg, name string }

func newCompiledSide(c *record.Compiled) *compiledSide {
	s := &compiledSide{Compiled: c, byName: map[name]int{}}
	for i := range c.Functions {
		f := &c.Functions[i]
		if _, ok := s.byName[name{f.Pkg, f.Name}]; !ok { // several are called _ or init
			s.byName[name{f.Pkg, f.Name}] = i
		}
		h := map[uint32]int{}
		n := 0
		for k := range len(f.Source) / record.SourceHash {
			if x := hashOf(f, k); x != 0 {
				h[x]++
				n++
			}
		}
		s.hashes, s.length, s.match = append(s.hashes, h), append(s.length, n), append(s.match, -1)
	}
	return s
}

// hashOf returns the hash of a function's line, counted from its declaration; 0: no code there, or no such line.
func hashOf(f *record.CompiledFunction, line int) uint32 {
	if at := line * record.SourceHash; line >= 0 && at+record.SourceHash <= len(f.Source) {
		return binary.LittleEndian.Uint32(f.Source[at:])
	}
	return 0
}

// matching pairs the functions of two sides.
type matching struct{ old, new *compiledSide }

func (m *matching) pair(i, j int) { m.old.match[i], m.new.match[j] = j, i }

// matchFunctions pairs the functions of two sides.
func matchFunctions(old, new *compiledSide) {
	m := matching{old, new}
	depth := 0
	for i := range old.Functions {
		depth = max(depth, depthOf(old.Functions[i].Name))
	}
	m.top()
	for d := 1; d <= depth; d++ {
		m.closures(d)
	}
}

// top pairs functions that are no closures.
func (m *matching) top() {
	for j := range m.new.Functions {
		f := &m.new.Functions[j]
		if i, ok := m.old.byName[name{f.Pkg, f.Name}]; ok && depthOf(f.Name) == 0 && m.new.byName[name{f.Pkg, f.Name}] == j {
			m.pair(i, j)
		}
	}
	isTop := func(f *record.CompiledFunction) bool { return depthOf(f.Name) == 0 }
	m.similar(m.old.left(isTop), m.new.left(isTop), leastSimilar)
}

// left returns the functions without a partner that a function accepts.
func (s *compiledSide) left(want func(*record.CompiledFunction) bool) (out []int) {
	for i := range s.Functions {
		if s.match[i] < 0 && want(&s.Functions[i]) {
			out = append(out, i)
		}
	}
	return out
}

// Thresholds of similarity: the share of equal lines among the lines of both functions.
const (
	leastSimilar        = 0.5  // of functions with different names
	leastSimilarClosure = 0.3  // of closures of the same function
	mostUnpaired        = 2000 // functions of a side that are compared with each other
)

// similar pairs functions by their text, the most similar first. The same package is preferred.
func (m *matching) similar(olds, news []int, least float64) {
	if len(olds) > mostUnpaired || len(news) > mostUnpaired {
		return
	}
	type candidate struct {
		i, j  int
		alike float64
	}
	var all []candidate
	for _, i := range olds {
		for _, j := range news {
			if a := m.alike(i, j); a >= least {
				if m.old.Functions[i].Pkg == m.new.Functions[j].Pkg {
					a += 1 // before all of other packages
				}
				all = append(all, candidate{i, j, a})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(b.alike, a.alike) })
	for _, c := range all {
		if m.old.match[c.i] < 0 && m.new.match[c.j] < 0 {
			m.pair(c.i, c.j)
		}
	}
}

// alike returns the share of equal lines of two functions, 0 to 1. Functions without code are alike to none.
func (m *matching) alike(i, j int) float64 {
	a, b := m.old.hashes[i], m.new.hashes[j]
	both := m.old.length[i] + m.new.length[j]
	if both == 0 {
		return 0
	}
	common := 0
	for h, n := range a {
		common += min(n, b[h])
	}
	return 2 * float64(common) / float64(both)
}

// closures pairs the closures of one depth within paired functions.
func (m *matching) closures(depth int) {
	type group struct{ olds, news []int }
	groups := map[int]*group{} // by the function around them, of the new side; -1: outside of functions
	at := func(k int) *group {
		if groups[k] == nil {
			groups[k] = &group{}
		}
		return groups[k]
	}
	for i := range m.old.Functions {
		if around, ok := m.old.around(i, depth); ok {
			k := -1
			if around >= 0 {
				if k = m.old.match[around]; k < 0 {
					continue
				}
			}
			at(k).olds = append(at(k).olds, i)
		}
	}
	for j := range m.new.Functions {
		if around, ok := m.new.around(j, depth); ok {
			at(around).news = append(at(around).news, j)
		}
	}
	for _, g := range groups {
		m.similar(g.olds, g.news, leastSimilarClosure)
		m.inOrder(g.olds, g.news)
	}
}

// inOrder pairs what is left if both sides have as many.
func (m *matching) inOrder(olds, news []int) {
	olds = slices.DeleteFunc(slices.Clone(olds), func(i int) bool { return m.old.match[i] >= 0 })
	news = slices.DeleteFunc(slices.Clone(news), func(j int) bool { return m.new.match[j] >= 0 })
	if len(olds) == len(news) {
		for k := range olds {
			m.pair(olds[k], news[k])
		}
	}
}

// around returns the function around a closure of a depth, -1 outside of functions. ok is false for others.
func (s *compiledSide) around(i, depth int) (outer int, ok bool) {
	f := &s.Functions[i]
	if depthOf(f.Name) != depth {
		return 0, false
	}
	cut := strings.LastIndexByte(f.Name, '.')
	if depth == 1 {
		cut = strings.LastIndex(f.Name, closureMark)
	}
	if outer, ok = s.byName[name{f.Pkg, f.Name[:cut]}]; !ok {
		outer = -1
	}
	return outer, true
}

// closureMark stands before the number of a closure: "F.func1", and in closures "F.func1.2".
const closureMark = ".func"

// depthOf returns how many functions are around a function.
func depthOf(name string) int {
	i := strings.LastIndex(name, closureMark)
	if i < 0 {
		return 0
	}
	rest := name[i+len(closureMark):]
	if rest == "" || strings.Trim(rest, "0123456789.") != "" {
		return 0
	}
	return 1 + strings.Count(rest, ".")
}
