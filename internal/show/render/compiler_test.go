package render

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/result/compiled"
	"github.com/tarebench/tare/record"
)

func note(kind, text string, line int) *record.CompilerNote {
	return &record.CompilerNote{Kind: kind, Text: text, Line: line}
}

// TestChange: each kind of change in words, lost and gained.
func TestChange(t *testing.T) {
	p := newView(&result.Result{}, Options{UTF8: true})
	can, cannot := note(record.NoteInlinable, "", 1), note(record.NoteNotInlinable, "too complex", 1)
	can.Cost = 70
	inlined := note(record.NoteBounds, "", 5)
	inlined.Inlined = []record.CompilerPlace{{File: "a.go", Line: 2}, {File: "b.go", Line: 3}}
	for want, c := range map[string]compiled.Change{
		"stack frame 8 → 0 bytes":                                   {Kind: compiled.KindFrame, OldBytes: 8},
		"machine code 10 → 20 bytes":                                {Kind: compiled.KindSize, OldBytes: 10, NewBytes: 20},
		"can no longer be inlined: too complex; its cost was 70":    {Kind: record.NoteInlinable, Old: can, New: cannot},
		"can be inlined now, at cost 70; before: too complex":       {Kind: record.NoteInlinable, Old: cannot, New: can},
		"call is inlined now: f":                                    {Kind: record.NoteInlined, New: note(record.NoteInlined, "f", 1)},
		"call is no longer inlined: f":                              {Kind: record.NoteInlined, Old: note(record.NoteInlined, "f", 1)},
		"on the heap now: x escapes to heap":                        {Kind: record.NoteEscape, New: note(record.NoteEscape, "x escapes to heap", 1)},
		"no longer on the heap: x escapes to heap":                  {Kind: record.NoteEscape, Old: note(record.NoteEscape, "x escapes to heap", 1)},
		"on the heap now: y escapes (before: x escapes)":            {Kind: record.NoteEscape, Old: note(record.NoteEscape, "x escapes", 1), New: note(record.NoteEscape, "y escapes", 1)},
		"checks an index now, in code inlined from b.go:3":          {Kind: record.NoteBounds, New: inlined},
		"no longer checks an index":                                 {Kind: record.NoteBounds, Old: note(record.NoteBounds, "", 1)},
		"checks the limits of a slice now":                          {Kind: record.NoteSliceBounds, New: note(record.NoteSliceBounds, "", 1)},
		"now: leaking param: p":                                     {Kind: record.NoteLeak, New: note(record.NoteLeak, "leaking param: p", 1)},
		"no longer: PGO devirtualizing interface call w.Write to T": {Kind: record.NotePGO, Old: note(record.NotePGO, "PGO devirtualizing interface call w.Write to T", 1)},
		"call was not inlined before: f is recursive":               {Kind: record.NoteCallKept, Old: note(record.NoteCallKept, "f is recursive", 1)},
		"copied by a call now: 4096 bytes":                          {Kind: record.NoteCopy, New: note(record.NoteCopy, "4096 bytes", 1)},
	} {
		if got := p.change(&c); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestCompilerBlock: without -v, the list is bounded, and what is left out is counted.
func TestCompilerBlock(t *testing.T) {
	d := &result.CompilerDifference{Pkg: "m", Base: "old", Side: "new", Difference: &compiled.Difference{Settings: []compiled.Setting{{Name: "go", Old: "go1.25", New: "go1.26"}}}}
	for i := range 30 {
		f := compiled.Function{
			Old: &record.CompiledFunction{Pkg: "m", Name: fmt.Sprintf("F%d", i), File: "m.go", Line: 100 * i},
			New: &record.CompiledFunction{Pkg: "m", Name: fmt.Sprintf("F%d", i), File: "m.go", Line: 100*i + 7, Reached: i%2 == 1},
		}
		for k := range 12 { // lost at the beginning of each line
			f.Changes = append(f.Changes, compiled.Change{Kind: record.NoteEscape, Old: note(record.NoteEscape, fmt.Sprintf("x%d escapes", k), f.Old.Line+k)})
		}
		d.Functions = append(d.Functions, f)
	}
	s := &result.Result{CompilerNotes: []result.CompilerDifference{*d}}
	text := func(o Options) string {
		var b strings.Builder
		if err := Write(&b, Text, s, o); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	brief := text(Options{UTF8: true})
	for want, times := range map[string]int{
		"compiler: m, new against old":           1,
		"built with go go1.26, before go1.25":    1,
		"  F1 ":                                  8,
		"m.go:107 ":                              1, // as far from the declaration as in the old version
		"  F0 ":                                  0,
		"4 more differences of F1; -v shows all": 1,
		"differences in 20 more functions; -v shows all": 1,
	} {
		if n := strings.Count(brief, want); n != times {
			t.Errorf("%q is there %d times, want %d\n%s", want, n, times, brief)
		}
	}
	if all := text(Options{UTF8: true, Verbose: true}); strings.Count(all, "escapes") != 30*12 || strings.Contains(all, "-v shows") {
		t.Error(all)
	}
}
