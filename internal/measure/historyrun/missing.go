package historyrun

import "github.com/tarebench/tare/internal/result/history"

// noBenchmark is why a commit has no values of a benchmark that others have.
const noBenchmark = "there is no such benchmark"

// addMissing adds gaps for benchmarks that other entries of a sequence have.
func addMissing(entries []*history.Entry) {
	var order []history.Key
	seen := map[history.Key]bool{}
	for _, e := range entries {
		for i := range e.Series {
			if k := e.Series[i].Key; !seen[k] {
				seen[k] = true
				order = append(order, k)
			}
		}
	}
	for _, e := range entries {
		there := map[history.Key]bool{}
		for i := range e.Series {
			there[e.Series[i].Key] = true
		}
		for _, k := range order {
			if !there[k] && !explained(e, k) {
				e.Gaps = append(e.Gaps, history.Gap{Pkg: k.Pkg, Name: k.Name, Why: noBenchmark})
			}
		}
	}
}

// explained reports whether a gap of an entry tells why a benchmark has no values.
func explained(e *history.Entry, k history.Key) bool {
	for _, g := range e.Gaps {
		if (g.Pkg == "" || g.Pkg == k.Pkg) && (g.Name == "" || g.Name == k.Name) {
			return true
		}
	}
	return false
}
