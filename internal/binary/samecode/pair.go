package samecode

import "strings"

// Relation says how the machine code of a function differs between two binaries.
type Relation string

// The relations.
const (
	Same       Relation = "same"        // the same instructions, and the same functions called
	OtherCalls Relation = "other-calls" // the same instructions, which call functions of other names
	Changed    Relation = "changed"     // other instructions
	OnlyOld    Relation = "only-old"    // the new binary lacks it
	OnlyNew    Relation = "only-new"    // the old binary lacks it
)

// Pair is a function of two binaries.
type Pair struct {
	Relation Relation
	Old, New *Symbol // nil if that binary lacks it
}

// Renamed reports whether the function has another name in the new binary: it was renamed, moved to another package, or is
// a closure with another number.
func (p *Pair) Renamed() bool { return p.Old != nil && p.New != nil && p.Old.Name != p.New.Name }

// Pairs compares the functions of two binaries. Addresses do not count: the linker may have moved everything, and what
// code reads from constants and variables is not compared. Functions are paired by name. Those without a partner are
// paired if their instructions are the same and no other function without a partner has them. Each function is in one
// pair. Pairs with a new function come in the order of the new binary, the others behind them in that of the old one.
func Pairs(old, new *Symbols) []Pair {
	p := pairing{old: old, new: new, of: make([]int, len(new.list)), taken: make([]bool, len(old.list))}
	p.byName()
	p.byCode()
	var out []Pair
	for i := range new.list {
		x := Pair{Relation: OnlyNew, New: &new.list[i]}
		if j := p.of[i]; j >= 0 {
			x.Old = &old.list[j]
			x.Relation = relate(x.Old, x.New)
		}
		out = append(out, x)
	}
	for j := range old.list {
		if !p.taken[j] {
			out = append(out, Pair{Relation: OnlyOld, Old: &old.list[j]})
		}
	}
	return out
}

func relate(old, new *Symbol) Relation {
	switch {
	case !old.plain || !new.plain || old.masked != new.masked:
		return Changed
	case old.linked != new.linked:
		return OtherCalls
	}
	return Same
}

type pairing struct {
	old, new *Symbols
	of       []int // by index in new: index in old, -1 for none
	taken    []bool
}

func (p *pairing) take(i, j int) { p.of[i], p.taken[j] = j, true }

// byName pairs functions of the same name. Of several of one name, as an assembly function and its wrapper, those with the
// same code are paired first, then those of one kind in order of address. Before a closure is paired by its number, one of
// the same function with the same code is.
func (p *pairing) byName() {
	for i := range p.of {
		p.of[i] = -1
	}
	p.named(func(old, new *Symbol) bool { return old.masked == new.masked && old.Wrapper == new.Wrapper })
	p.unique(0, func(x *Symbol) (pairKey, bool) {
		outer, _, ok := strings.Cut(x.Name, ".func")
		return pairKey{x.masked, outer}, ok
	})
	p.named(func(old, new *Symbol) bool { return old.Wrapper == new.Wrapper })
}

// named pairs functions of the same name that are alike.
func (p *pairing) named(alike func(old, new *Symbol) bool) {
	for i := range p.new.list {
		if p.of[i] < 0 {
			p.takeFirst(i, alike)
		}
	}
}

// takeFirst pairs a function with the first of its name that is alike.
func (p *pairing) takeFirst(i int, alike func(old, new *Symbol) bool) {
	x := &p.new.list[i]
	for _, j := range p.old.byName[x.Name] {
		if !p.taken[j] && alike(&p.old.list[j], x) {
			p.take(i, j)
			return
		}
	}
}

// leastPaired is the least size of functions that are paired by their code alone, bytes. Many functions are as short as
// that and alike.
const leastPaired = 24

// byCode pairs the others by their instructions, those with the same last part of the name first.
func (p *pairing) byCode() {
	p.unique(leastPaired, func(x *Symbol) (pairKey, bool) { return pairKey{x.masked, lastPart(x.Name)}, true })
	p.unique(leastPaired, func(x *Symbol) (pairKey, bool) { return pairKey{x.masked, ""}, true })
}

// pairKey is what functions that are paired have in common.
type pairKey struct {
	digest
	name string
}

// unique pairs the functions without a partner, of at least so many bytes, that have a key which no other one has on
// their side.
func (p *pairing) unique(least int, keyOf func(*Symbol) (pairKey, bool)) {
	group := func(list []Symbol, free func(i int) bool) map[pairKey][]int {
		out := map[pairKey][]int{}
		for i := range list {
			if x := &list[i]; free(i) && x.plain && x.Size >= least {
				if k, ok := keyOf(x); ok {
					out[k] = append(out[k], i)
				}
			}
		}
		return out
	}
	olds := group(p.old.list, func(j int) bool { return !p.taken[j] })
	news := group(p.new.list, func(i int) bool { return p.of[i] < 0 })
	for k, js := range olds {
		if is := news[k]; len(js) == 1 && len(is) == 1 {
			p.take(is[0], js[0])
		}
	}
}

// lastPart returns the name of a function without package, receiver and type arguments.
func lastPart(name string) string {
	name, _, _ = strings.Cut(name, "[")
	return name[strings.LastIndexByte(name, '.')+1:]
}
