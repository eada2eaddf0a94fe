package attached

import (
	"cmp"
	"math"
	"slices"

	"github.com/tarebench/tare/stat"
)

// AllocChange is a site where two sides allocate differently.
type AllocChange struct {
	Func string `json:"func"`
	File string `json:"file,omitempty"`
	Type string `json:"type,omitempty"` // "": not known

	// Path is the functions that led there most on the side with more objects: the caller, its caller, …
	Path []string `json:"path,omitempty"`

	OldLine int       `json:"old_line,omitempty"` // 0: the site is new
	NewLine int       `json:"new_line,omitempty"` // 0: the site is gone
	Old     AllocPart `json:"old"`
	New     AllocPart `json:"new"`
}

// Objects below leastObjects and bytes below leastBytes per operation are too little for a change.
const (
	leastObjects = 0.01
	leastBytes   = 0.5
)

// AllocChanges returns the sites where the sides differ by more than their forks do, the largest difference in objects
// first, then in bytes. Sites are paired by function and type: first those of the same line, then the others in the order of
// their lines, because lines move between revisions. It returns nil if a side was not counted.
func AllocChanges(old, new *Allocs) (out []AllocChange) {
	if old == nil || new == nil {
		return nil
	}
	olds, news := allocLines(old), allocLines(new)
	for _, p := range pairAllocs(olds, news) {
		c, ok := p.change()
		if ok && !(old.ByChance(c.Old.Objects) && new.ByChance(c.New.Objects)) {
			out = append(out, c)
		}
	}
	slices.SortStableFunc(out, func(a, b AllocChange) int {
		return cmp.Or(cmp.Compare(b.objects(), a.objects()), cmp.Compare(b.bytes(), a.bytes()),
			cmp.Compare(a.Func, b.Func), cmp.Compare(a.NewLine, b.NewLine), cmp.Compare(a.OldLine, b.OldLine))
	})
	return out
}

func (c *AllocChange) objects() float64 { return math.Abs(float64(c.New.Objects - c.Old.Objects)) }
func (c *AllocChange) bytes() float64   { return math.Abs(float64(c.New.Bytes - c.Old.Bytes)) }

// allocLine is the sites of one line and type, whatever the size of the objects.
type allocLine struct {
	fn, file, typ string
	line          int
	path          []string // of the site with most objects
	most          stat.Number
	all, lo, hi   AllocPart
}

// allocLines adds up the sites by line and type, in the order of lines.
func allocLines(a *Allocs) (out []*allocLine) {
	for i := range a.Sites {
		s := &a.Sites[i]
		at := slices.IndexFunc(out, func(x *allocLine) bool { return x.fn == s.Func && x.typ == s.Type && x.line == s.Line })
		if at < 0 {
			at = len(out)
			out = append(out, &allocLine{fn: s.Func, file: s.File, typ: s.Type, line: s.Line})
		}
		x := out[at]
		if x.path == nil || s.Objects > x.most {
			x.path, x.most = s.Path, s.Objects
		}
		x.all, x.lo, x.hi = addParts(x.all, s.AllocPart), addParts(x.lo, s.Lo), addParts(x.hi, s.Hi)
	}
	slices.SortStableFunc(out, func(a, b *allocLine) int { return a.line - b.line })
	return out
}

func addParts(a, b AllocPart) AllocPart {
	return AllocPart{Objects: a.Objects + b.Objects, Bytes: a.Bytes + b.Bytes}
}

// allocPair is a line on both sides. One of them may be nil.
type allocPair struct{ old, new *allocLine }

func pairAllocs(olds, news []*allocLine) (out []allocPair) {
	paired := map[*allocLine]bool{}
	match := func(same func(o, n *allocLine) bool) {
		for _, o := range olds {
			for _, n := range news {
				if !paired[o] && !paired[n] && o.fn == n.fn && o.typ == n.typ && same(o, n) {
					paired[o], paired[n] = true, true
					out = append(out, allocPair{o, n})
				}
			}
		}
	}
	match(func(o, n *allocLine) bool { return o.line == n.line })
	match(func(*allocLine, *allocLine) bool { return true })
	for _, o := range olds {
		if !paired[o] {
			out = append(out, allocPair{old: o})
		}
	}
	for _, n := range news {
		if !paired[n] {
			out = append(out, allocPair{new: n})
		}
	}
	return out
}

// change returns the change of a pair, and false if the forks of both sides may have the same counts.
func (p allocPair) change() (c AllocChange, ok bool) {
	var zero allocLine
	o, n := cmp.Or(p.old, &zero), cmp.Or(p.new, &zero)
	at := cmp.Or(p.new, p.old)
	c = AllocChange{Func: at.fn, File: at.file, Type: at.typ, Path: at.path, OldLine: o.line, NewLine: n.line, Old: o.all, New: n.all}
	if o.all.Objects > n.all.Objects {
		c.Path = o.path
	}
	disjoint := func(oLo, oHi, nLo, nHi, least float64) bool {
		return nLo-oHi >= least || oLo-nHi >= least
	}
	return c, disjoint(float64(o.lo.Objects), float64(o.hi.Objects), float64(n.lo.Objects), float64(n.hi.Objects), leastObjects) ||
		disjoint(float64(o.lo.Bytes), float64(o.hi.Bytes), float64(n.lo.Bytes), float64(n.hi.Bytes), leastBytes)
}
