package footprint

import (
	"cmp"
	"reflect"
	"runtime"
	"slices"
)

// Measure returns the memory that is reachable from some values. Objects that are
// reached in several ways, also from different roots, are counted once.
//
// The values themselves are copied for the call and not counted: of a slice, its
// array is counted but not the three words of the slice. To count a variable as well,
// pass a pointer to it.
//
// No reachable memory may be written to during the call.
func Measure(roots ...any) Report {
	w := newWalk(layouts(), image())
	for _, r := range roots {
		w.root(r)
	}
	report := w.report()
	runtime.KeepAlive(roots)
	return report
}

// report sums the visited blocks.
func (w *walk) report() Report {
	var r Report
	cut := parts{}
	heap, static := make([]Row, len(w.kinds)), make([]Row, len(w.kinds))
	w.seen.blocks(func(b block) {
		k := &w.kinds[b.kind]
		switch {
		case k.opaque > 0:
			w.gaps[k.opaque-1].Count++
		case w.static.contain(b.addr):
			add(&static[b.kind], 1, int64(b.size), 0)
		default:
			block := BlockBytes(b.size, k.pointers)
			add(&heap[b.kind], 1, int64(block), int64(block-b.size))
			cut.add(w.layouts, b.addr, block, 1)
			if w.layouts.spanBlock == 0 && insideLargerBlock(b, k.pointers) {
				r.Inside++
			}
		}
	}, func(addr, used uintptr, kinds []uint32) {
		rows, bytes := heap, int64(maxTiny)
		if w.static.contain(addr) {
			rows, bytes = static, int64(used)
		} else {
			cut.add(w.layouts, addr, maxTiny, uintptr(len(kinds)))
		}
		spare := bytes - int64(used)
		for i, k := range kinds {
			rest := int64(len(kinds) - i)
			add(&rows[k], 1, bytes/rest, spare/rest)
			bytes -= bytes / rest
			spare -= spare / rest
		}
	})
	r.Rows = append(w.rowsWithNames(heap, false), w.rowsWithNames(static, true)...)
	for _, row := range r.Rows {
		if row.Static {
			r.StaticBytes += row.Bytes
			r.StaticObjects += row.Objects
			continue
		}
		r.Bytes += row.Bytes
		r.Objects += row.Objects
		r.Rounding += row.Rounding
	}
	r.NotFollowed = w.foundGaps()
	if w.layouts.spanBlock == 0 {
		r.NotFollowed = append(r.NotFollowed, Gap{"rest of larger blocks", "of unknown size", r.Inside})
	} else {
		r.Inside, r.Beyond = cut.sum()
	}
	r.WalkBytes = w.bytes() + int64(len(cut))*partBytes
	return r
}

func add(r *Row, objects, bytes, rounding int64) {
	r.Objects += objects
	r.Bytes += bytes
	r.Rounding += rounding
}

// rowsWithNames returns the rows that have objects, with the names of their kinds.
func (w *walk) rowsWithNames(rows []Row, static bool) []Row {
	same := map[string]int{}
	for i, r := range rows {
		if r.Objects > 0 {
			same[w.kinds[i].label]++
		}
	}
	out := []Row{}
	for i, r := range rows {
		if r.Objects == 0 {
			continue
		}
		r.Type, r.Static = w.kinds[i].label, static
		if same[r.Type] > 1 {
			r.Type = w.kinds[i].path()
		}
		out = append(out, r)
	}
	slices.SortStableFunc(out, func(a, b Row) int {
		return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), cmp.Compare(a.Type, b.Type))
	})
	return out
}

// path returns the label with the path of the package in place of its name, which is
// not always unique.
func (k kind) path() string {
	if k.typ == nil {
		return k.label
	}
	return fullName(k.typ)
}

func fullName(t reflect.Type) string {
	switch {
	case t.PkgPath() != "":
		return t.PkgPath() + "." + t.Name()
	case t.Kind() == reflect.Pointer:
		return "*" + fullName(t.Elem())
	case t.Kind() == reflect.Slice:
		return "[]" + fullName(t.Elem())
	}
	return t.String()
}

// foundGaps returns the gaps with a count above 0.
func (w *walk) foundGaps() []Gap {
	out := []Gap{}
	for _, g := range w.gaps {
		if g.Count > 0 {
			out = append(out, g)
		}
	}
	slices.SortStableFunc(out, func(a, b Gap) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.What, b.What), cmp.Compare(a.Where, b.Where))
	})
	return out
}
