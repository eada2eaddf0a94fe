// Package route finds the handler of a path.
package route

import "strings"

// A Router holds patterns such as /users/:id/orders. Their parts are between slashes.
type Router struct{ root node }

type node struct {
	names    []string // of the children, sorted
	children []*node
	param    *node // of a part that begins with a colon
	name     string
	handler  int
}

// A Match is what a path leads to.
type Match struct {
	Handler int
	Params  [4]string // values of the parts that begin with a colon
	N       int       // how many values there are
}

// Handle adds a pattern of at most four parameters. Handlers are positive.
func (r *Router) Handle(pattern string, handler int) {
	n := &r.root
	for pattern != "" {
		var part string
		part, pattern = cut(pattern)
		n = n.child(part)
	}
	n.handler = handler
}

func (n *node) child(part string) *node {
	if strings.HasPrefix(part, ":") {
		if n.param == nil {
			n.param = &node{name: part[1:]}
		}
		return n.param
	}
	i := search(n.names, part)
	if i < len(n.names) && n.names[i] == part {
		return n.children[i]
	}
	c := &node{name: part}
	n.names = append(n.names, "")
	copy(n.names[i+1:], n.names[i:])
	n.names[i] = part
	n.children = append(n.children, nil)
	copy(n.children[i+1:], n.children[i:])
	n.children[i] = c
	return c
}

// Find returns the match of a path. Its handler is 0 if there is none.
//
//go:noinline
func (r *Router) Find(path string) Match {
	var m Match
	n := &r.root
	for path != "" {
		var part string
		part, path = cut(path)
		i := search(n.names, part)
		if i < len(n.names) && n.names[i] == part {
			n = n.children[i]
			continue
		}
		if n.param == nil || m.N == len(m.Params) {
			return Match{}
		}
		n = n.param
		m.Params[m.N] = part
		m.N++
	}
	m.Handler = n.handler
	return m
}

// cut returns the first part of a path and the rest.
//
//go:noinline
func cut(path string) (part, rest string) {
	path = strings.TrimPrefix(path, "/")
	if i := strings.IndexByte(path, '/'); i >= 0 {
		return path[:i], path[i:]
	}
	return path, ""
}

// search returns the index of the first name that is not below part.
func search(names []string, part string) int {
	lo, hi := 0, len(names)
	for lo < hi {
		if mid := (lo + hi) / 2; names[mid] < part {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}
