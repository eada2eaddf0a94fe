package listing

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// pair is a region of the old side and what it became; one of them may be missing.
type pair struct{ old, new *region }

// matchRegions pairs regions of functions of one name. Where there are several, those
// whose samples are on the same source belong together; addresses and numbers of lines
// may have moved.
func matchRegions(old, new []*region) []pair {
	left, right := byFunc(old), byFunc(new)
	var out []pair
	for name, as := range left {
		out = append(out, matchFunc(as, right[name])...)
	}
	for name, bs := range right {
		if left[name] == nil {
			out = append(out, matchFunc(nil, bs)...)
		}
	}
	return out
}

func byFunc(rs []*region) map[string][]*region {
	out := map[string][]*region{}
	for _, r := range rs {
		out[r.fn.rec.Name] = append(out[r.fn.rec.Name], r)
	}
	return out
}

// matchFunc pairs the regions of one function, those that have most in common first.
func matchFunc(old, new []*region) []pair {
	type candidate struct {
		a, b   int
		common float64
	}
	var all []candidate
	sources := make([]map[string]float64, len(new))
	for b, r := range new {
		sources[b] = r.source()
	}
	for a, r := range old {
		source := r.source()
		for b := range new {
			c := candidate{a: a, b: b}
			for line, x := range source {
				c.common += min(x, sources[b][line])
			}
			if c.common > 0 || len(old) == 1 && len(new) == 1 {
				all = append(all, c)
			}
		}
	}
	slices.SortFunc(all, func(x, y candidate) int {
		return cmp.Or(cmp.Compare(y.common, x.common), cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b))
	})
	usedA, usedB := make([]bool, len(old)), make([]bool, len(new))
	var out []pair
	for _, c := range all {
		if !usedA[c.a] && !usedB[c.b] {
			usedA[c.a], usedB[c.b] = true, true
			out = append(out, pair{old[c.a], new[c.b]})
		}
	}
	for a, r := range old {
		if !usedA[a] {
			out = append(out, pair{old: r})
		}
	}
	for b, r := range new {
		if !usedB[b] {
			out = append(out, pair{new: r})
		}
	}
	return out
}

// source returns how the samples of a region are distributed over source lines: by their
// text if that is known, else by file and line.
func (r *region) source() map[string]float64 {
	texts := map[place]string{}
	for _, x := range r.fn.rec.Texts {
		texts[place{x.File, x.Line}] = strings.TrimSpace(x.Text)
	}
	out := map[string]float64{}
	for i := r.from; i < r.to; i++ {
		at := &r.fn.at[i]
		n := r.fn.n(i)[0]
		if n == 0 || at.line <= 0 {
			continue
		}
		key := texts[place{at.file, at.line}]
		if key == "" {
			key = base(at.file) + ":" + strconv.Itoa(at.line)
		}
		out[key] += float64(n) / float64(r.samples[0])
	}
	return out
}
