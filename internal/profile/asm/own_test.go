package asm

import (
	"os"
	"reflect"
	"runtime"
	"testing"

	"github.com/tarebench/tare/record"
)

// TestOwnCodeIsKept: the hottest function of the user's own code has its code in the record, however few samples it
// has; the others only above the threshold.
func TestOwnCodeIsKept(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the addresses of functions are those of the file only where programs are linked to fixed ones")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	at := func(f any) spot { return spot{linked, self, uint64(reflect.ValueOf(f).Pointer())} }
	tl := newTally(make([]record.AsmEvent, 1))
	tl.add(spot{inKernel, "schedule", 1}, 0, 9900)
	tl.add(at(newTally), 0, 3)
	tl.add(at(sampleWarnings), 0, 2)
	a := &record.Asm{}
	b := builder{cfg: Config{Keep: 0.5}, tally: tl, binary: self, kernel: &kernel{}}
	if _, err := b.build(a); err != nil {
		t.Fatal(err)
	}
	kept := map[string]bool{}
	for _, f := range a.Funcs {
		if f.Area == record.AreaUser {
			kept[f.Name[len(f.Name)-len("newTally"):]] = len(f.Code) > 0
		}
	}
	if want := map[string]bool{"newTally": true, "Warnings": false}; !reflect.DeepEqual(kept, want) {
		t.Errorf("functions whose code is kept: %v, want %v", kept, want)
	}
}
