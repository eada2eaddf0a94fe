package result

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/tarebench/tare/record"
)

// Failure is how often operations failed in one way.
type Failure struct {
	Name   string  `json:"op,omitempty"` // the operation; "" in records that do not say it
	Class  string  `json:"class"`
	Status string  `json:"status,omitempty"` // that the system answered
	Count  int64   `json:"count"`
	Share  float64 `json:"share"` // of all operations that were answered
	First  string  `json:"first,omitempty"`
}

// failuresOf returns the failures of a phase, the frequent ones first. Older records have
// only classes, and one that was cut off has no first errors but those of classes.
func failuresOf(n *record.Load, first map[string]string) []Failure {
	var out []Failure
	for _, f := range n.Failures {
		out = append(out, Failure{Name: f.Name, Class: f.Class, Status: f.Status, Count: f.Count, First: f.First})
	}
	if out == nil {
		for class, count := range n.Errors {
			if class != classNotFound && count > 0 {
				out = append(out, Failure{Class: class, Count: count})
			}
		}
	}
	for i := range out {
		if n.Completed > 0 {
			out[i].Share = float64(out[i].Count) / float64(n.Completed)
		}
		if alone := !slices.ContainsFunc(out, func(f Failure) bool { return f.Class == out[i].Class && f != out[i] }); alone {
			out[i].First = cmp.Or(out[i].First, first[out[i].Class])
		}
	}
	sortFailures(out)
	return out
}

func sortFailures(fs []Failure) {
	slices.SortFunc(fs, func(a, b Failure) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), strings.Compare(a.Name, b.Name), strings.Compare(a.Class, b.Class), strings.Compare(a.Status, b.Status))
	})
}

// SumFailures returns the failures of several phases together.
func SumFailures(ls []Load) []Failure {
	type key struct{ name, class, status string }
	sums := map[key]*Failure{}
	var all int64
	for i := range ls {
		all += ls[i].Operations
		for _, f := range ls[i].Failures {
			k := key{f.Name, f.Class, f.Status}
			s := sums[k]
			if s == nil {
				s = &Failure{Name: f.Name, Class: f.Class, Status: f.Status}
				sums[k] = s
			}
			s.Count += f.Count
			s.First = cmp.Or(s.First, f.First)
		}
	}
	var out []Failure
	for _, s := range slices.Collect(maps.Values(sums)) {
		if all > 0 {
			s.Share = float64(s.Count) / float64(all)
		}
		out = append(out, *s)
	}
	sortFailures(out)
	return out
}

// traffic fills in what was answered, and the bytes per second.
func (l *Load) traffic(n *record.Load) {
	l.Statuses, l.Rows = n.Statuses, n.Rows
	l.OKRate = l.Achieved
	if n.Completed > 0 {
		l.OKRate *= float64(l.Operations-l.Errors) / float64(l.Operations)
	}
	if l.Wall > 0 {
		l.SentRate = float64(n.Sent) / (float64(l.Wall) / 1e9)
		l.ReceivedRate = float64(n.Received) / (float64(l.Wall) / 1e9)
	}
}
