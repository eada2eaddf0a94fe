package record

import (
	"math"
	"strings"
	"testing"
)

// TestInstructionsValidate: what does not add up, and what would overflow a sum, is refused.
func TestInstructionsValidate(t *testing.T) {
	good := func() *Instructions {
		return &Instructions{
			Ops: 10, Total: 95, Files: []string{"f.go"},
			Functions: []InstructionFunction{{Name: "p.f", Part: PartOwn, Count: 100, Lines: []InstructionLine{{0, 3, 120}, {0, 4, -30}}, Rest: 10}},
			Rest:      []InstructionRest{{PartGC, 2, -5}},
		}
	}
	if err := good().Validate(); err != nil {
		t.Fatal(err)
	}
	for what, change := range map[string]func(*Instructions){
		"0 operations":               func(x *Instructions) { x.Ops = 0 },
		"the total is 96":            func(x *Instructions) { x.Total++ },
		"have 121 instructions":      func(x *Instructions) { x.Functions[0].Lines[0].Count = 141 },
		`file 1 of 1`:                func(x *Instructions) { x.Functions[0].Lines[0].File = 1 },
		`file -1 of 1`:               func(x *Instructions) { x.Functions[0].Lines[0].File = -1 },
		`has line -3`:                func(x *Instructions) { x.Functions[0].Lines[0].Line = -3 },
		"the total is":               func(x *Instructions) { x.Rest[0].Count, x.Total = math.MinInt64, math.MinInt64+100 },
		"it lists 10001 functions":   func(x *Instructions) { x.Functions = make([]InstructionFunction, 10_001) },
		`the lines of "p.f" have 10`: func(x *Instructions) { x.Functions[0].Lines = nil },
	} {
		x := good()
		change(x)
		if err := x.Validate(); err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("%v, want %q", err, what)
		}
	}
}
