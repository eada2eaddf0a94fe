package listing

import (
	"cmp"
	"slices"

	"github.com/tarebench/tare/record"
)

// row is a row of a list of functions or areas.
type row struct {
	name    string
	place   string // where it is declared, for people; "": not known
	samples []int64
}

// tally adds up samples by name.
type tally struct {
	rows  []row
	index map[string]int
}

func (t *tally) add(name, place string, samples []int64) {
	i, ok := t.index[name]
	if !ok {
		if t.index == nil {
			t.index = map[string]int{}
		}
		i = len(t.rows)
		t.index[name] = i
		t.rows = append(t.rows, row{name: name, place: place, samples: make([]int64, len(samples))})
	}
	for e, n := range samples {
		t.rows[i].samples[e] += n
	}
}

// sorted returns the rows, most samples first.
func (t *tally) sorted() []row {
	slices.SortFunc(t.rows, func(a, b row) int {
		return cmp.Or(more(a.samples, b.samples), cmp.Compare(a.name, b.name))
	})
	return t.rows
}

// makeLists adds up the samples of all instructions in three ways. Regions cannot
// serve: they hold functions of several names.
func (l *Listing) makeLists() {
	own := map[string]string{}
	for _, f := range l.funcs {
		own[f.rec.Name] = f.place()
	}
	var inlined, symbols, areas tally
	for _, f := range l.funcs {
		if !slices.ContainsFunc(f.rec.Samples, func(n int64) bool { return n > 0 }) {
			continue
		}
		symbols.add(f.rec.Name, f.place(), f.rec.Samples)
		areas.add(cmp.Or(f.rec.Area, record.AreaUnknown), "", f.rec.Samples)
		for i := range f.insts {
			if f.sampled(i) {
				name := f.innermost(i)
				inlined.add(name, cmp.Or(own[name], position(f.at[i].file, 0)), f.n(i))
			}
		}
	}
	l.inlined, l.symbols, l.areas = inlined.sorted(), symbols.sorted(), areas.sorted()
}

// place returns where a function is declared, or its area if that is not known.
func (f *function) place() string {
	return cmp.Or(position(f.rec.File, f.rec.Line), f.foreign())
}
