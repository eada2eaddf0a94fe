// Package diagnosis is the table of all warnings: their codes, what each says, what it takes trust from, and what to do
// about it. What measures and what derives warnings gives a code and facts:
//
//	diagnosis.Warn(diagnosis.Steal, diagnosis.Facts{"share": units.PercentTo(share, 1)})
//
// No other package has words of warnings. docs/warnings.md is printed from the table.
package diagnosis

import (
	"cmp"
	"slices"
	"sync"
)

// Trust says which figures a warning takes the trust from.
type Trust int

const (
	Nothing    Trust = iota // verdicts stay trusted
	Times                   // verdicts on what varies: times, rates, memory
	Everything              // verdicts on exact counts, too
)

// Kind is a kind of warning: one row of the table.
type Kind struct {
	Code    string // as in records and in JSON
	Scope   string // what it is about: record.AboutRun, AboutCase or AboutFork
	Trust   Trust
	Machine bool // it is about the machine: notes show it first

	// Sentence says what happened, with facts as {name}. What is in brackets is left out if one of its facts is missing;
	// [name? …] is left out if the fact of that name is, which it does not write.
	Sentence string
	Advice   string // what to do about it, as Sentence; "": nothing
	Forms    []Form // other sentences of the code

	Name   string // of a note about several rows; "": the rows of a note have one text but for figures
	When   string // under which condition it appears, for the documents
	Anchor string // of the chapter of docs/method.md that explains it; "": none

	Derived         bool // reports derive it from the samples: what a record says may be out of date
	MachineMayCause bool // a busy machine may be the cause
	Harmless        bool // it says nothing against the figures: --strict ignores it
}

// Form is another sentence of a code. What is "" is that of the kind.
type Form struct {
	Name     string // as in records
	Scope    string
	Sentence string
	Advice   string // "-": none
}

// kinds returns all kinds, by code. It is made when it is first needed: a process that is measured hardly ever warns.
var kinds = sync.OnceValue(func() map[string]*Kind {
	out := map[string]*Kind{}
	for _, theme := range [][]Kind{machine, samples, loops, sides, benchmarks, loads, agents, commands, profilers, memory, stacks, machineCode, calls} {
		for i := range theme {
			out[theme[i].Code] = &theme[i]
		}
	}
	return out
})

// Kinds returns the table, sorted by code.
func Kinds() []*Kind {
	out := make([]*Kind, 0, len(kinds()))
	for _, k := range kinds() {
		out = append(out, k)
	}
	slices.SortFunc(out, func(a, b *Kind) int { return cmp.Compare(a.Code, b.Code) })
	return out
}

// Of returns the kind of a code. Of a code that this version does not know it has nothing but the code.
func Of(code string) *Kind {
	if k := kinds()[code]; k != nil {
		return k
	}
	return &Kind{Code: code}
}

// Sentences returns the kind's own sentence, if it has one, and those of its forms.
func (k *Kind) Sentences() (out []Form) {
	if f, found := k.form(""); found {
		out = append(out, f)
	}
	for i := range k.Forms {
		f, _ := k.form(k.Forms[i].Name)
		out = append(out, f)
	}
	return out
}

// form returns the kind's sentences under a name, "" being those of the kind itself.
func (k *Kind) form(name string) (f Form, found bool) {
	own := Form{"", k.Scope, k.Sentence, k.Advice}
	if name == "" {
		return own, k.Sentence != ""
	}
	i := slices.IndexFunc(k.Forms, func(f Form) bool { return f.Name == name })
	if i < 0 {
		return own, false
	}
	f = k.Forms[i]
	f.Scope, f.Sentence, f.Advice = cmp.Or(f.Scope, own.Scope), cmp.Or(f.Sentence, own.Sentence), cmp.Or(f.Advice, own.Advice)
	if f.Advice == "-" {
		f.Advice = ""
	}
	return f, true
}
