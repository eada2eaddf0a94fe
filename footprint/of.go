package footprint

import (
	"cmp"
	"reflect"
	"runtime"
	"slices"
)

// Of weighs what is reachable from some values. Objects that are reached in
// several ways, also from different roots, are counted once.
//
// The values themselves are copied for the call and weigh nothing: of a slice the
// array is weighed, but not the three words that refer to it. To weigh a variable
// whole, pass a pointer to it.
//
// Nothing of it may be written to while Of reads it.
func Of(roots ...any) Report {
	w := newWalk(layouts(), image())
	for _, r := range roots {
		w.root(r)
	}
	report := w.report()
	runtime.KeepAlive(roots)
	return report
}

// report adds up the blocks that were seen.
func (w *walk) report() Report {
	var r Report
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
			if inside(b, k.pointers) {
				r.Inside++
			}
		}
	}, func(addr, used uintptr, kinds []uint32) {
		rows, bytes := heap, int64(maxTiny)
		if w.static.contain(addr) {
			rows, bytes = static, int64(used)
		}
		spare := bytes - int64(used)
		for i, k := range kinds {
			rest := int64(len(kinds) - i)
			add(&rows[k], 1, bytes/rest, spare/rest)
			bytes -= bytes / rest
			spare -= spare / rest
		}
	})
	r.Rows = append(w.named(heap, false), w.named(static, true)...)
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
	r.NotFollowed = w.listed()
	r.WalkBytes = w.bytes()
	return r
}

func add(r *Row, objects, bytes, rounding int64) {
	r.Objects += objects
	r.Bytes += bytes
	r.Rounding += rounding
}

// named returns the rows that hold something, with the names of their kinds.
func (w *walk) named(rows []Row, static bool) []Row {
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

// path is the label with the path of the package in place of its name, which
// other packages may have, too.
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

// listed are the gaps in which something was found.
func (w *walk) listed() []Gap {
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
