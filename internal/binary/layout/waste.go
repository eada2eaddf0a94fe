package layout

import (
	"cmp"
	"slices"
)

// Waste returns how many bytes the best order saves.
func (s *Struct) Waste() int64 {
	if s.Best == nil {
		return 0
	}
	return s.Size - s.Best.Size
}

// SortByWaste puts the structs first that another order makes the smallest, then
// those with most padding.
func SortByWaste(structs []*Struct) {
	slices.SortStableFunc(structs, func(a, b *Struct) int {
		return cmp.Or(cmp.Compare(b.Waste(), a.Waste()), cmp.Compare(b.Padding, a.Padding),
			cmp.Compare(a.Path, b.Path), cmp.Compare(a.Name, b.Name))
	})
}
