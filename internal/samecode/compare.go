package samecode

import "slices"

// maxFunctions limits how many functions of a benchmark are compared. One that reaches more counts as different.
const maxFunctions = 5000

// Same reports whether a benchmark has the same machine code in two binaries; see the package comment. pkg is the import
// path of its package, benchmark the name of its function. It is false if a binary lacks the function.
func Same(a, b *Binary, pkg, benchmark string) bool {
	names := a.rootNames(pkg, benchmark)
	if len(names) == 0 || !slices.Equal(names, b.rootNames(pkg, benchmark)) {
		return false
	}
	seen := map[string]bool{}
	for _, n := range names {
		seen[n] = true
	}
	for i := 0; i < len(names); i++ {
		x, ok := a.instructions(names[i])
		if !ok {
			return false
		}
		y, ok := b.instructions(names[i])
		if !ok || !slices.Equal(x.keys, y.keys) {
			return false
		}
		root := kindOf(names[i], pkg) == own
		for _, to := range x.callees {
			if k := kindOf(to, pkg); seen[to] || k == excluded || k == standard && !root {
				continue
			}
			seen[to] = true
			names = append(names, to)
		}
		if len(names) > maxFunctions {
			return false
		}
	}
	return true
}
