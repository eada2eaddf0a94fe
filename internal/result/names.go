package result

import "strconv"

// names says which benchmarks need their package or GOMAXPROCS to be distinguished. The zero value knows none.
type names struct {
	pkgs  map[string]map[string]bool // by name
	procs map[[2]string]map[int]bool // by package and name
}

func (n *names) add(pkg, name string, procs int) {
	if n.pkgs == nil {
		n.pkgs, n.procs = map[string]map[string]bool{}, map[[2]string]map[int]bool{}
	}
	if n.pkgs[name] == nil {
		n.pkgs[name] = map[string]bool{}
	}
	n.pkgs[name][pkg] = true
	at := [2]string{pkg, name}
	if n.procs[at] == nil {
		n.procs[at] = map[int]bool{}
	}
	n.procs[at][procs] = true
}

// of returns a name behind its package if several packages have it, and with GOMAXPROCS at its end, as package
// testing prints it, if there are several.
func (n *names) of(pkg, name string, procs int) string {
	out := name
	if len(n.procs[[2]string{pkg, name}]) > 1 {
		out += "-" + strconv.Itoa(procs)
	}
	if len(n.pkgs[name]) > 1 && pkg != "" {
		out = pkg + " " + out
	}
	return out
}

// nameRows sets the names of a result: those of all cases, and of pairs that look renamed.
func (b *Builder) nameRows(s *Result) {
	for _, c := range b.cases {
		id := c.identity()
		s.names.add(id.pkg, id.name, id.procs)
	}
	for i := range s.Comparisons {
		c := &s.Comparisons[i]
		s.names.add(c.Pkg, c.Name, c.Procs)
	}
	for i := range s.Lost {
		l := &s.Lost[i]
		l.label = s.NameOf(l.Pkg, l.Name, l.Procs)
	}
}

// NameOf returns the name of a benchmark or comparison for a text that shows no packages: with what tells it from the
// others.
func (r *Result) NameOf(pkg, name string, procs int) string { return r.names.of(pkg, name, procs) }
