package record

import (
	"strings"
	"testing"
)

func TestCompiledValidate(t *testing.T) {
	good := CompiledFunction{Pkg: "m", Name: "F", File: "m.go", Line: 1, End: 2, Source: make([]byte, 2*SourceHash), Notes: []CompilerNote{{Kind: NoteBounds, Line: 1}}}
	if err := (&Compiled{Functions: []CompiledFunction{good}}).Validate(); err != nil {
		t.Error(err)
	}
	for want, change := range map[string]func(f *CompiledFunction){
		"no name":       func(f *CompiledFunction) { f.Name = "" },
		"lines -1":      func(f *CompiledFunction) { f.Line = -1 },
		"-3 bytes":      func(f *CompiledFunction) { f.Size = -3 },
		"frame of -8":   func(f *CompiledFunction) { f.Frame = -8 },
		"more than":     func(f *CompiledFunction) { f.Notes = make([]CompilerNote, maxCompilerNotes+1) },
		"-1 copies":     func(f *CompiledFunction) { f.Copies = -1 },
		"F has lines 1": func(f *CompiledFunction) { f.Source = f.Source[1:] },
	} {
		f := good
		change(&f)
		if err := (&Compiled{Functions: []CompiledFunction{good, f}}).Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
