package scenario

import (
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Limits of a file: aliases may make it much larger than its text.
const (
	maxNodes = 100_000
	maxDepth = 64
	maxBytes = 16 << 20 // of all texts
)

// A walk checks a file against its shape.
type walk struct {
	*problems
	nodes int
	bytes int
}

// follow returns the node for which an alias stands.
func follow(n *yaml.Node) *yaml.Node {
	for n != nil && n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	return n
}

// check checks a value. It returns false if the file is too large.
func (w *walk) check(n *yaml.Node, s *shape, path string, depth int) bool {
	n = follow(n)
	w.nodes++
	w.bytes += len(n.Value)
	if w.nodes > maxNodes || w.bytes > maxBytes || depth > maxDepth {
		w.add(n, path, "the file has more than %d values or %d MiB with what its aliases repeat, or is nested deeper than %d", maxNodes, maxBytes>>20, maxDepth)
		return false
	}
	switch s.kind {
	case object, table:
		return w.mapping(n, s, path, depth)
	case list:
		return w.sequence(n, s, path, depth)
	case anything:
		return w.any(n, path, depth)
	}
	w.scalar(n, s, path)
	return true
}

func (w *walk) mapping(n *yaml.Node, s *shape, path string, depth int) bool {
	if n.Kind != yaml.MappingNode {
		w.add(n, path, "want %s", keysOf(s))
		return true
	}
	seen := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := follow(n.Content[i]), n.Content[i+1]
		at := join(path, key.Value)
		if key.Kind != yaml.ScalarNode {
			w.add(key, path, "want a name before the colon")
			continue
		}
		if line, twice := seen[key.Value]; twice {
			w.add(key, path, "%q is here twice, first in line %d", key.Value, line)
			continue
		}
		seen[key.Value] = key.Line
		of := s.of
		if s.kind == object {
			f := s.field(key.Value)
			if f == nil {
				w.add(key, path, "unknown key %q%s; want %s", key.Value, didYouMean(key.Value, s.names()), strings.Join(s.names(), ", "))
				continue
			}
			of = f.shape
		}
		if !w.check(value, of, at, depth+1) {
			return false
		}
	}
	for _, f := range s.keys {
		if _, ok := seen[f.name]; f.required && !ok {
			w.add(n, path, "%s is missing", f.name)
		}
	}
	return true
}

func (w *walk) sequence(n *yaml.Node, s *shape, path string, depth int) bool {
	if n.Kind != yaml.SequenceNode {
		w.add(n, path, "want a list, as [A, B]")
		return true
	}
	for i, x := range n.Content {
		if !w.check(x, s.of, path+"["+strconv.Itoa(i)+"]", depth+1) {
			return false
		}
	}
	return true
}

// any checks no more than the size and duplicate keys.
func (w *walk) any(n *yaml.Node, path string, depth int) bool {
	switch n.Kind {
	case yaml.MappingNode:
		return w.mapping(n, &shape{kind: table, of: &shape{kind: anything}}, path, depth)
	case yaml.SequenceNode:
		return w.sequence(n, &shape{kind: list, of: &shape{kind: anything}}, path, depth)
	}
	return true
}

func (w *walk) scalar(n *yaml.Node, s *shape, path string) {
	if n.Kind != yaml.ScalarNode {
		w.add(n, path, "want %s", wanted(s))
		return
	}
	plain := n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) == 0
	switch {
	case n.Value == "" && plain:
		w.add(n, path, "has no value; want %s", wanted(s))
	case s.kind == boolean && n.Value != "true" && n.Value != "false",
		s.kind == number && !isWhole(n.Value):
		w.add(n, path, "%q: want %s", n.Value, wanted(s))
	case s.texts != nil && !contains(s.texts, n.Value):
		w.add(n, path, "%q: want %s%s", n.Value, strings.Join(s.texts, " or "), didYouMean(n.Value, s.texts))
	}
}

func wanted(s *shape) string {
	switch {
	case s.kind == boolean:
		return "true or false"
	case s.kind == number:
		return "a whole number from 0 on"
	case s.texts != nil:
		return strings.Join(s.texts, " or ")
	case s.short != "":
		return "a text: " + s.short
	}
	return "a text"
}

func keysOf(s *shape) string {
	if s.kind == table {
		return "names with a value each, as {NAME: …}"
	}
	return "keys of " + strings.Join(s.names(), ", ")
}

func (s *shape) names() (all []string) {
	for _, f := range s.keys {
		all = append(all, f.name)
	}
	return all
}

func (s *shape) field(name string) *field {
	for i := range s.keys {
		if s.keys[i].name == name {
			return &s.keys[i]
		}
	}
	return nil
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

func isWhole(s string) bool {
	_, err := strconv.ParseUint(s, 10, 31)
	return err == nil
}

func contains(all []string, s string) bool {
	for _, x := range all {
		if x == s {
			return true
		}
	}
	return false
}
