package stat

import "sort"

// labelled is a value of one of two samples.
type labelled struct {
	x   float64
	ofB bool
}

// byValue sorts the values of two samples, the smallest first.
type byValue []labelled

func (s byValue) Len() int           { return len(s) }
func (s byValue) Less(i, j int) bool { return s[i].x < s[j].x }
func (s byValue) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }

// together returns the values of two samples in one list, the smallest first, or with descending the largest.
func together(a, b []float64, descending bool) []labelled {
	all := make(byValue, 0, len(a)+len(b))
	for _, x := range a {
		all = append(all, labelled{x, false})
	}
	for _, x := range b {
		all = append(all, labelled{x, true})
	}
	if descending {
		sort.Sort(sort.Reverse(all))
	} else {
		sort.Sort(all)
	}
	return all
}
