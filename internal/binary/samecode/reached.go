package samecode

// Reached are functions that others reach.
type Reached struct {
	Symbols map[string]bool // functions of the binary, by name
	Inlined map[string]bool // functions that are inlined into these, by name
}

// Reached returns the functions that are reached from those whose names roots accepts, these included: by direct calls,
// by function values that the code takes, and by inlining. Calls through interfaces, variables and tables are not
// followed. follow says whether to go on from a function, by its name; nil follows all.
func (s *Symbols) Reached(roots, follow func(name string) bool) Reached {
	out := Reached{Symbols: map[string]bool{}, Inlined: map[string]bool{}}
	var todo []int
	for i := range s.list {
		if roots(s.list[i].Name) {
			todo = append(todo, i)
		}
	}
	seen := make([]bool, len(s.list))
	for len(todo) > 0 {
		i := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		x := &s.list[i]
		if seen[i] {
			continue
		}
		seen[i] = true
		out.Symbols[x.Name] = true
		if follow != nil && !follow(x.Name) {
			continue
		}
		if src, err := s.file.Source(x.source); err == nil {
			for _, in := range src.Inlines {
				out.Inlined[in.Name] = true
			}
		}
		todo = append(todo, x.refs...)
	}
	return out
}
