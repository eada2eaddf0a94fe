package listing

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tarebench/tare/record"
)

// flat is a program whose own code has few samples: most are in the allocator and all over the standard library.
func flat() *record.Asm {
	at := uint64(0x500000)
	fn := func(name, area string, n int64) record.AsmFunc {
		p := newProgram(name, at).inc(n / 4).inc(n - n/4).ret()
		p.f.Area, p.f.File = area, "/usr/local/go/src/"+strings.ReplaceAll(name, ".", "/")+".go"
		at += 0x1000
		return p.done(1)
	}
	funcs := []record.AsmFunc{
		fn("runtime.mallocgc", record.AreaAllocator, 420),
		fn("runtime.memmove", record.AreaAssembly, 160),
		fn("runtime.scanobject", record.AreaGC, 90),
		fn("example.com/m.parse", record.AreaUser, 61),
		fn("example.com/m.emit", record.AreaUser, 58),
	}
	for i := range 20 { // the first is hotter than all that is the user's own
		funcs = append(funcs, fn(fmt.Sprintf("strconv.part%02d", i), record.AreaStd, int64(max(55, 80-30*i))))
	}
	return asmOf(funcs...)
}

// printed returns the regions whose code a text has, and those that are one line.
func printed(l *Listing) (code, folded []string) {
	for _, r := range l.shown() {
		if l.folded(r) {
			folded = append(folded, r.fn.rec.Name)
		} else {
			code = append(code, r.fn.rec.Name)
		}
	}
	return code, folded
}

// TestOwnCode: whatever the profile, there is code, and it is the user's if there is any.
func TestOwnCode(t *testing.T) {
	drop := func(a *record.Asm, areas ...string) *record.Asm {
		a.Funcs = slices.DeleteFunc(a.Funcs, func(f record.AsmFunc) bool {
			gone := slices.Contains(areas, f.Area)
			if gone {
				a.Events[0].Samples -= f.Samples[0]
			}
			return gone
		})
		return a
	}
	uncoded := flat()
	for i := range uncoded.Funcs {
		if f := &uncoded.Funcs[i]; f.Name == "example.com/m.parse" {
			f.Code = nil
		}
	}
	runtime := []string{"runtime.mallocgc"}
	for _, c := range []struct {
		name         string
		a            *record.Asm
		c            Config
		code, folded []string
	}{
		{"below the threshold", flat(), Config{Hot: 0.5}, []string{"example.com/m.parse"}, nil},
		{"beside a hot region of the runtime", flat(), Config{Hot: 0.2}, []string{"example.com/m.parse"}, runtime},
		{"assembly of the runtime", flat(), Config{Hot: 0.05}, []string{"example.com/m.parse"}, []string{"runtime.mallocgc", "runtime.memmove"}},
		{"the runtime, too", flat(), Config{Hot: 0.2, Runtime: true}, []string{"runtime.mallocgc", "example.com/m.parse"}, nil},
		{"its code was not kept", uncoded, Config{Hot: 0.2}, []string{"example.com/m.emit"}, runtime},
		{"no code of one's own", drop(flat(), record.AreaUser), Config{Hot: 0.2}, []string{"strconv.part00"}, runtime},
		{"nothing but the runtime", drop(flat(), record.AreaUser, record.AreaStd), Config{Hot: 0.2}, runtime, []string{"runtime.memmove"}},
	} {
		code, folded := printed(mustNew(t, c.a, c.c))
		if !slices.Equal(code, c.code) || !slices.Equal(folded, c.folded) {
			t.Errorf("%s: code of %v and one line of %v, want %v and %v", c.name, code, folded, c.code, c.folded)
		}
	}
}

// TestOfRuntime: what the reader cannot change is folded, and no other function.
func TestOfRuntime(t *testing.T) {
	for _, c := range []struct {
		name, area, file string
		want             bool
	}{
		{"runtime.mallocgc", record.AreaAllocator, "/go/src/runtime/malloc.go", true},
		{"testing.(*B).runN", record.AreaTesting, "", true},
		{"runtime.memmove", record.AreaAssembly, "/go/src/runtime/memmove_amd64.s", true},
		{"aeshashbody", record.AreaAssembly, "/go/src/runtime/asm_amd64.s", true},
		{"aeshashbody", record.AreaAssembly, "runtime/asm_amd64.s", true},
		{"indexbytebody", record.AreaAssembly, "/go/src/internal/bytealg/indexbyte_amd64.s", false},
		{"example.com/runtime.fast", record.AreaAssembly, "/src/m/runtime_amd64.s", false},
		{"slices.Sort[...]", record.AreaStd, "", false},
		{"kernel", record.AreaKernel, "", false},
		{"example.com/m.f", record.AreaUser, "", false},
	} {
		f := newFunction(&record.AsmFunc{Name: c.name, Area: c.area, File: c.file}, 1)
		if got := f.ofRuntime(); got != c.want {
			t.Errorf("%s in %q, area %s: %v, want %v", c.name, c.file, c.area, got, c.want)
		}
	}
}

// TestTooBig: of a region that is too big, the instructions around the hottest are printed.
func TestTooBig(t *testing.T) {
	a := asmOf(newProgram("example.com/m.big", 0x1000).inc(1).incs(30).inc(900).incs(30).inc(99).ret().done(1))
	for _, c := range []struct {
		tooBig, from, to int
	}{{20, 21, 41}, {1, 31, 32}, {62, 1, 62}} {
		r := mustNew(t, a, Config{TooBig: c.tooBig}).regions[0]
		part := r.around(min(c.tooBig, aroundHottest))
		if part.from != c.from || part.to != c.to || part.samples[0] != 1000 {
			t.Errorf("at most %d: instructions %d-%d with %d samples, want %d-%d with 1000", c.tooBig, part.from, part.to, part.samples[0], c.from, c.to)
		}
	}
	text := textOf(t, mustNew(t, a, Config{TooBig: 20}), Options{})
	if !strings.Contains(text, "20 instructions of 64, around the hottest; --too-big 64 shows all") || !strings.Contains(text, "90.00 % #  0x105d") {
		t.Errorf("the hottest instruction is not shown:\n%s", text)
	}
}
