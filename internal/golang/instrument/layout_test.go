package instrument

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"testing"
)

// TestLayout: the offsets are those of the types that the probes write, on all systems.
func TestLayout(t *testing.T) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "../toolchain/_runtime/probes/tare_layout.go", nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	sys, err := parser.ParseFile(files, "sys.go", "package sys; type NotInHeap struct{}", 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, arch := range []string{"amd64", "arm64", "loong64"} {
		cfg := types.Config{Sizes: types.SizesFor("gc", arch)}
		pkg, err := cfg.Check("internal/runtime/sys", files, []*ast.File{sys}, nil)
		if err != nil {
			t.Fatal(err)
		}
		cfg.Importer = only{pkg}
		if pkg, err = cfg.Check("runtime", files, []*ast.File{file}, nil); err != nil {
			t.Fatal(err)
		}
		checkLayout(t, arch, cfg.Sizes, pkg.Scope())
	}
}

// only is an importer of one package.
type only struct{ pkg *types.Package }

func (o only) Import(string) (*types.Package, error) { return o.pkg, nil }

func checkLayout(t *testing.T, arch string, sizes types.Sizes, scope *types.Scope) {
	type at map[string]int64
	for name, c := range map[string]struct {
		size int64
		at   at
	}{
		"tareHeader": {hdrBytes, at{
			"magic": hdrMagic, "layout": hdrLayout, "size": hdrSize, "funcs": hdrFuncs, "steps": hdrSteps, "every": hdrEvery, "clock": hdrClock, "counts": hdrCounts,
			"taken": hdrTaken, "base": hdrBase, "ticks0": hdrTicks0, "nanos0": hdrNanos0, "ticks1": hdrTicks1, "nanos1": hdrNanos1, "ended": hdrEnded, "path": hdrPath,
			"outside": hdrOutside, "inside": hdrInside, "light": hdrLight, "empty": hdrEmpty, "step": hdrStep, "looseIn": hdrLooseIn, "loose": hdrLoose, "closed": hdrClosed,
			"used": hdrUsed, "states": hdrStates, "lost": hdrLost, "system": hdrSystem, "over": hdrOver,
		}},
		"tareState": {stateBytes, at{
			"probes": stateProbes, "goroutines": stateGoroutines, "lost": stateLost, "next": stateNext, "funcs": stateFuncs, "pages": statePages, "since": stateSince, "root": stateRoot,
		}},
		"tareCall": {callBytes, at{
			"id": callID, "calls": callCalls, "from": callFrom, "to": callTo, "kids": callKids, "fn": callFn, "due": callDue, "timed": callTimed,
			"sum": callSum, "min": callMin, "max": callMax, "inner": callInner, "square": callSquare, "first": callFirst, "panics": callPanics, "goexits": callGoexits,
			"loose": callLoose, "heads": callHeads, "again": callAgain, "nested": callNested, "nestedInner": callNestedInner, "nestedTimed": callNestedTimed,
			"headSum": callHeadSum, "headInner": callHeadInner, "next": callNext, "hist": callHist,
		}},
		"tareFunc":      {funcBytes, at{"id": funcID, "active": funcActive, "goroutines": funcGoroutines, "next": funcKids}},
		"tareStep":      {stepBytes, at{"id": stepID, "goid": stepGoid, "begin": stepBegin, "end": stepEnd}},
		"tareCountPage": {page * 8, at{"n": 0}},
	} {
		st := scope.Lookup(name).Type().Underlying().(*types.Struct)
		if got := sizes.Sizeof(st); got != c.size {
			t.Errorf("%s: %s has %d bytes, want %d", arch, name, got, c.size)
		}
		var fields []*types.Var
		for f := range st.Fields() {
			fields = append(fields, f)
		}
		for i, off := range sizes.Offsetsof(fields) {
			if want, ok := c.at[fields[i].Name()]; ok && off != want {
				t.Errorf("%s: %s.%s is at %d, want %d", arch, name, fields[i].Name(), off, want)
			}
			delete(c.at, fields[i].Name())
		}
		for field := range c.at {
			t.Errorf("%s has no field %s", name, field)
		}
	}
}
