package samecode

import (
	"strings"
)

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

// byName pairs functions of the same name, several of one name in order of address.
func (p *pairing) byName() {
	used := map[string]int{}
	for i := range p.new.list {
		p.of[i] = -1
		name := p.new.list[i].Name
		if n := used[name]; n < len(p.old.byName[name]) {
			p.take(i, p.old.byName[name][n])
			used[name]++
		}
	}
}

// leastPaired is the least size of functions that are paired by their code alone, bytes. Many functions are as short as
// that and alike.
const leastPaired = 24

// byCode pairs the others by their instructions.
func (p *pairing) byCode() {
	type key struct {
		digest
		last string // "" or the last part of the name
	}
	for _, named := range []bool{true, false} {
		keyOf := func(x *Symbol) key {
			if named {
				return key{x.masked, lastPart(x.Name)}
			}
			return key{x.masked, ""}
		}
		left := map[key][]int{}
		for j := range p.old.list {
			if x := &p.old.list[j]; !p.taken[j] && x.plain && x.Size >= leastPaired {
				left[keyOf(x)] = append(left[keyOf(x)], j)
			}
		}
		want := map[key][]int{}
		for i := range p.new.list {
			if x := &p.new.list[i]; p.of[i] < 0 && x.plain {
				want[keyOf(x)] = append(want[keyOf(x)], i)
			}
		}
		for k, js := range left {
			if is := want[k]; len(js) == 1 && len(is) == 1 {
				p.take(is[0], js[0])
			}
		}
	}
}

// lastPart returns the name of a function without package, receiver and type arguments.
func lastPart(name string) string {
	name, _, _ = strings.Cut(name, "[")
	return name[strings.LastIndexByte(name, '.')+1:]
}
