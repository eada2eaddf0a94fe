package result

import "slices"

// Together returns the items with those together that have the same first key, within them
// those with the same second key, and so on, in the order in which keys first appear. Every
// item has as many keys, and no key stands in two places.
func Together[T any, K comparable](items []T, keys func(T) []K) []T {
	rank := map[K]int{}
	for _, x := range items {
		for _, k := range keys(x) {
			if rank[k] == 0 {
				rank[k] = len(rank) + 1
			}
		}
	}
	out := slices.Clone(items)
	slices.SortStableFunc(out, func(a, b T) int {
		ka, kb := keys(a), keys(b)
		for i := range ka {
			if d := rank[ka[i]] - rank[kb[i]]; d != 0 {
				return d
			}
		}
		return 0
	})
	return out
}

// InOrder returns the benchmarks with those of a package together, within it those of a name,
// and within that those of a role, so that its sides are neighbours.
func InOrder(results []Benchmark) []*Benchmark {
	type key struct {
		pkg, name string
		procs     int
		role      string
	}
	return Together(Pointers(results), func(r *Benchmark) []key {
		return []key{{pkg: r.Pkg}, {r.Pkg, r.Name, r.Procs, ""}, {r.Pkg, r.Name, r.Procs, "role " + r.Role}}
	})
}

// Pointers returns a pointer to each item.
func Pointers[T any](items []T) []*T {
	out := make([]*T, len(items))
	for i := range items {
		out[i] = &items[i]
	}
	return out
}
