package fewlines

import (
	"bytes"
	"encoding/base64"
	"slices"
)

// maxTries is how many files Shrink tries.
const maxTries = 1000

// Shrink returns a file with fewer and smaller lines of which fails is still true: every line, key and element is left out
// without which it fails, and values are made simple.
func Shrink(file []byte, fails func([]byte) bool) []byte {
	s := &shrinker{fails: fails, left: maxTries}
	for line := range bytes.Lines(file) {
		s.lines = append(s.lines, string(bytes.TrimSuffix(line, []byte("\n"))))
	}
	for again := true; again && s.left > 0; {
		again = s.dropLines()
		for i := range s.lines {
			again = s.simplify(i) || again
		}
	}
	return s.file()
}

type shrinker struct {
	lines []string
	fails func([]byte) bool
	left  int
}

func (s *shrinker) file() []byte {
	var out []byte
	for _, l := range s.lines {
		out = append(append(out, l...), '\n')
	}
	return out
}

// still reports whether the file fails with other lines, and keeps them if it does.
func (s *shrinker) still(lines []string) bool {
	if s.left == 0 {
		return false
	}
	s.left--
	old := s.lines
	s.lines = lines
	if s.fails(s.file()) {
		return true
	}
	s.lines = old
	return false
}

func (s *shrinker) dropLines() (smaller bool) {
	for i := len(s.lines) - 1; i > 0; i-- { // the first is the run
		smaller = s.still(slices.Delete(slices.Clone(s.lines), i, i+1)) || smaller
	}
	return smaller
}

// simplify leaves out what it can of a line.
func (s *shrinker) simplify(i int) bool {
	n := parse([]byte(s.lines[i]))
	if n == nil {
		return false
	}
	return s.reduce(n, func() bool {
		next := slices.Clone(s.lines)
		next[i] = n.String()
		return s.still(next)
	})
}

// reduce simplifies the parts of a value, of which try reports whether the file fails with it.
func (s *shrinker) reduce(n *node, try func() bool) (smaller bool) {
	if n.open == 0 {
		return s.reduceValue(n, try)
	}
	for i := len(n.kids) - 1; i >= 0; i-- {
		keys, kids := n.keys, n.kids
		if i < len(keys) {
			if keys[i] == `"k"` || keys[i] == `"v"` && i == 1 { // the kind, and the version of a run
				continue
			}
			n.keys = slices.Delete(slices.Clone(keys), i, i+1)
		}
		n.kids = slices.Delete(slices.Clone(kids), i, i+1)
		if try() {
			smaller = true
			continue
		}
		n.keys, n.kids = keys, kids
		smaller = s.reduce(n.kids[i], try) || smaller
	}
	return smaller
}

func (s *shrinker) reduceValue(n *node, try func() bool) bool {
	was := n.raw
	for _, simple := range []string{"0", "1", "-1", `""`, `"x"`, "false"} {
		if was == simple {
			return false
		}
		if (simple[0] == '"') != (was[0] == '"') || len(simple) > len(was) {
			continue
		}
		if n.raw = simple; try() {
			return true
		}
	}
	n.raw = was
	return len(was) > 8 && s.reduceData(n, try)
}

// reduceData simplifies JSON in base64, as that of attachments.
func (s *shrinker) reduceData(n *node, try func() bool) bool {
	data, err := base64.StdEncoding.DecodeString(n.text())
	if err != nil {
		return false
	}
	inner := parse(data)
	if inner == nil || inner.open == 0 {
		return false
	}
	was := n.raw
	smaller := s.reduce(inner, func() bool {
		before := n.raw
		n.raw = quote([]byte(inner.String()))
		if try() {
			return true
		}
		n.raw = before
		return false
	})
	if !smaller {
		n.raw = was
	}
	return smaller
}
