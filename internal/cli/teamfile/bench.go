package teamfile

import (
	"strings"

	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/result/benchtext"
	"github.com/tarebench/tare/record"
)

// share returns the threshold, 0 if there is none.
func (b *Bench) share() (float64, error) {
	if b.Threshold == "" {
		return 0, nil
	}
	return units.ParseShare(string(b.Threshold))
}

// Thresholds returns the change that does not matter for a benchmark that a [[bench]] of the file matches, 0 for any other.
// The first that matches counts. It returns nil if no [[bench]] has a threshold.
func (f *File) Thresholds() func(*record.Case) float64 {
	type rule struct {
		filter *benchtext.Filter
		share  float64
	}
	var rules []rule
	if f != nil {
		for _, b := range f.Bench {
			share, _ := b.share() // checked by Parse
			filter, err := benchtext.NewFilter(b.Match)
			if err == nil && share > 0 {
				rules = append(rules, rule{filter, share})
			}
		}
	}
	if len(rules) == 0 {
		return nil
	}
	return func(c *record.Case) float64 {
		for _, r := range rules {
			if ok, err := r.filter.Match(c, nil); ok && err == nil {
				return r.share
			}
		}
		return 0
	}
}

// gates returns the gates for all benchmarks, and those of each [[bench]], as texts of --gate. A gate of a [[bench]] takes
// the place of those of its kind, slower or more, for what it matches; "none" takes that of all. The first [[bench]] that
// matches counts.
func (f *File) gates(of []string) []string {
	var out []string
	for _, g := range of {
		out = append(out, without(g, f.replacing(len(f.Bench), kind(g))))
	}
	for i, b := range f.Bench {
		if b.Gate != "" && b.Gate != noGate {
			out = append(out, without(b.Gate+"@"+b.Match, f.replacing(i, kind(b.Gate))))
		}
	}
	return out
}

// noGate is a gate of a [[bench]] that excepts what it matches.
const noGate = "none"

func kind(gate string) string {
	word, _, _ := strings.Cut(gate, ":")
	return word
}

// replacing returns the matches of the first n [[bench]] whose gate takes the place of one of a kind.
func (f *File) replacing(n int, word string) (out []string) {
	for _, b := range f.Bench[:n] {
		if b.Gate == noGate || b.Gate != "" && kind(b.Gate) == word {
			out = append(out, b.Match)
		}
	}
	return out
}

// without adds to a gate that it is not for what matches.
func without(gate string, matches []string) string {
	if len(matches) == 0 {
		return gate
	}
	spec, filter, _ := strings.Cut(gate, "@")
	if filter != "" {
		filter = "(" + filter + ") "
	}
	return spec + "@" + filter + "-((" + strings.Join(matches, ") OR (") + "))"
}
