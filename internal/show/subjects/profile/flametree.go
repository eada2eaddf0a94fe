package profile

// node is a function at a place in the tree of calls.
type node struct {
	name    string
	value   int64
	blocked int64 // part of value
	old     int64 // value in the profile that this one is compared with
	below   map[string]*node
}

func (n *node) child(name string) *node {
	c := n.below[name]
	if c == nil {
		c = &node{name: name}
		if n.below == nil {
			n.below = map[string]*node{}
		}
		n.below[name] = c
	}
	return c
}

// tree merges the stacks that begin alike, and those of the profile that they are compared with.
func tree(stacks, before []stack) *node {
	root := &node{name: "all"}
	for _, s := range stacks {
		root.each(s, func(n *node) {
			n.value += s.value
			if s.did == blocked {
				n.blocked += s.value
			}
		})
	}
	for _, s := range before {
		root.each(s, func(n *node) { n.old += s.value })
	}
	return root
}

// each calls f for every node of a stack.
func (n *node) each(s stack, f func(*node)) {
	f(n)
	for _, name := range s.names[:min(len(s.names), flameDeep)] {
		n = n.child(name)
		f(n)
	}
}
