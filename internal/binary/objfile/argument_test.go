package objfile

import (
	"debug/elf"
	"debug/macho"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sort"
	"strings"
	"testing"

	"golang.org/x/arch/x86/x86asm"
)

const allocations = `package main

type point struct{ x, y int }
type link struct{ next *link; p point }
type box[T any] struct{ v T; next *box[T] }

//go:noinline
func object() *link { return new(link) }
//go:noinline
func loop(n int) (l *link) {
	for i := range n {
		l = &link{next: l, p: point{i, n}}
	}
	return l
}
//go:noinline
func slice(n int) []*point { return make([]*point, n) }
//go:noinline
func grown(s []link, n int) []link {
	for i := range n {
		if i%3 == 0 {
			s = append(s, link{p: point{i, i}})
		}
	}
	return s
}
//go:noinline
func channel(n int) chan point { return make(chan point, n) }
//go:noinline
func mapped(m map[string]point, k string) { m[k] = point{1, 2} }
//go:noinline
func made(n int) map[int]link { return make(map[int]link, n) }
//go:noinline
func boxed(p point) any { return p }
//go:noinline
func generic[T any](v T) *box[T] { return &box[T]{v: v} }
//go:noinline
func closure(n int) func() int { return func() int { n++; return n } }

func main() {
	m := map[string]point{}
	mapped(m, "a")
	keep = append(keep, object(), loop(3), slice(3), grown(nil, 9), channel(2), m, made(9), boxed(point{len(keep), 2}), generic(1.5), generic("s"), closure(2))
}

var keep []any
`

// linked builds the program for linux/amd64, wherever the test runs.
func linked(t *testing.T, flags ...string) *Code {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.org/prog\n\ngo 1.26\n", "main.go": allocations} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("go", append(append([]string{"build", "-o", "prog"}, flags...), ".")...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOOS=linux", "GOARCH=amd64", "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	f, err := Open(filepath.Join(dir, "prog"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	c, err := f.Code()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// calls are the addresses behind the calls of a function to another.
func (c *Code) calls(t *testing.T, from, to string) (entry uint64, rets []uint64) {
	t.Helper()
	entry, ok := c.Symbol(from)
	target, known := c.Symbol(to)
	if !ok || !known {
		t.Fatalf("no symbol %s or %s", from, to)
	}
	end := entry + 4096
	for _, addr := range c.symbols { // the next function
		if addr > entry && addr < end {
			end = addr
		}
	}
	decode(entry, c.at(entry, true)[:end-entry], func(pc uint64, in x86asm.Inst, ok bool) bool {
		ret := pc + uint64(in.Len)
		if rel, is := in.Args[0].(x86asm.Rel); ok && is && in.Op == x86asm.CALL && ret+uint64(int64(rel)) == target {
			rets = append(rets, ret)
		}
		return true
	})
	return entry, rets
}

// TestArgument: types are found at the calls that allocate, as the compiler makes them.
func TestArgument(t *testing.T) {
	for _, flags := range [][]string{nil, {"-buildmode=pie"}, {"-gcflags=-N -l"}, {"-ldflags=-w"}} {
		t.Run(strings.Join(flags, " "), func(t *testing.T) {
			c := linked(t, flags...)
			for _, want := range []struct {
				from, to string
				arg      int
				types    string
			}{
				{"main.object", "runtime.newobject", 0, "main.link"},
				{"main.loop", "runtime.newobject", 0, "main.link"},
				{"main.slice", "runtime.makeslice", 0, "*main.point"},
				{"main.grown", "runtime.growslice", 4, "main.link"},
				{"main.channel", "runtime.makechan", 0, "chan main.point"},
				{"main.mapped", "runtime.mapassign_faststr", 0, "map[string]main.point"},
				{"main.made", "runtime.makemap", 0, "map[int]main.link"},
				{"main.boxed", "runtime.convTnoptr", 0, "main.point"},
				{"main.generic[go.shape.float64]", "runtime.newobject", 0, "main.box[go.shape.float64]"},
				{"main.closure", "runtime.newobject", 0, "int, struct { F uintptr; X0 *int }"},
			} {
				entry, rets := c.calls(t, want.from, want.to)
				var types []string
				for _, ret := range rets {
					if to, ok := c.Callee(ret); to != want.to || !ok {
						t.Errorf("%s: calls %q %v, want %s", want.from, to, ok, want.to)
					}
					addr, ok := c.Argument(entry, ret, want.arg)
					name, named := c.TypeName(addr)
					if !ok || !named {
						name = "?"
					}
					types = append(types, name)
					if _, ok := c.Argument(entry, ret-1, want.arg); ok {
						t.Errorf("%s: an argument where no call ends", want.from)
					}
					if to, ok := c.Callee(ret - 1); ok {
						t.Errorf("%s: a call of %s where none ends", want.from, to)
					}
				}
				sort.Strings(types)
				if got := strings.Join(types, ", "); got != want.types {
					t.Errorf("%s: %q, want %q", want.from, got, want.types)
				}
			}
		})
	}
}

// TestArgumentForgets: what may have changed a register on the way makes it unknown.
func TestArgumentForgets(t *testing.T) {
	const lea, call = "\x48\x8d\x05\x10\x00\x00\x00", "\xe8\x00\x00\x00\x00" // LEAQ 0x10(IP), AX; CALL
	for _, x := range []struct {
		name, code string
		known      bool
	}{
		{"at once", lea + call, true},
		{"other register", lea + "\x48\x89\xd9" + call, true},       // MOVQ BX, CX
		{"spill", lea + "\x48\x89\x44\x24\x08" + call, true},        // MOVQ AX, 8(SP)
		{"compared", lea + "\x48\x39\xd8" + call, true},             // CMPQ BX, AX
		{"way out", lea + "\x74\x05" + call + "\x90", true},         // JE behind the call
		{"part overwritten", lea + "\xb0\x01" + call, false},        // MOVB $1, AL
		{"half overwritten", lea + "\x89\xd8" + call, false},        // MOVL BX, AX
		{"overwritten", lea + "\x48\x8b\x44\x24\x08" + call, false}, // MOVQ 8(SP), AX
		{"added", lea + "\x48\x83\xc0\x08" + call, false},           // ADDQ $8, AX
		{"exchanged", lea + "\x48\x93" + call, false},               // XCHGQ AX, BX
		{"divided", lea + "\x48\xf7\xf3" + call, false},             // DIVQ BX
		{"multiplied", lea + "\x48\xf7\xe3" + call, false},          // MULQ BX
		{"other call", lea + call + call, false},
		{"jumped to", "\x74\x07" + lea + call, false},      // JE behind the LEAQ
		{"jumped back to", lea + call + "\x74\xf9", false}, // JE to the call
		{"jumped over", lea + "\xeb\x00" + call, false},    // JMP
		{"not code", lea + "\x06" + call, false},           // invalid in 64 bits
		{"no call", lea + "\x48\x89\xd9", false},
	} {
		ret := uint64(0x1000 + strings.LastIndex(x.code, call) + len(call))
		if x.name == "no call" {
			ret = 0x1000 + uint64(len(x.code))
		}
		c := Code{segments: []segment{{0x1000, []byte(x.code), true}}}
		addr, ok := c.Argument(0x1000, ret, 0)
		at := 0x1000 + uint64(strings.Index(x.code, lea)) + 7 + 0x10
		if ok != x.known || ok && addr != at {
			t.Errorf("%s: %#x %v, want %#x %v", x.name, addr, ok, at, x.known)
		}
	}
}

// TestTypeNameDamaged: no descriptor makes it panic, or has a name that is none.
func TestTypeNameDamaged(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %#x", seed)
	rnd := rand.New(rand.NewPCG(seed, 1))
	good := make([]byte, 256)
	good[typeKind] = 25
	binary.LittleEndian.PutUint32(good[typeStr:], 100)
	copy(good[100:], "\x01\x05*a.pt")
	name := func(data []byte) (string, bool) {
		c := Code{segments: []segment{{0x5000, data, false}}, types: [2]uint64{0x5000, 0x5000 + uint64(len(data))}}
		return c.TypeName(0x5000)
	}
	if got, ok := name(good); got != "*a.pt" || !ok {
		t.Fatalf("%q %v", got, ok)
	}
	good[typeFlags] = flagExtraStar
	if got, ok := name(good); got != "a.pt" || !ok {
		t.Fatalf("%q %v", got, ok)
	}
	for range 20_000 {
		data := append([]byte(nil), good[:rnd.IntN(len(good))+1]...)
		for range rnd.IntN(4) {
			data[rnd.IntN(len(data))] = byte(rnd.Uint32())
		}
		if got, ok := name(data); ok && (got == "" || strings.ContainsAny(got, "\x00\x1b\ufffd")) {
			t.Fatalf("%x: %q", data, got)
		}
	}
}

// FuzzArgument: no code makes it panic or loop.
func FuzzArgument(f *testing.F) {
	f.Add([]byte("\x48\x8d\x05\x10\x00\x00\x00\xe8\x00\x00\x00\x00"), uint16(0), uint16(12), 0)
	f.Add([]byte("\x0f\x0f\x0f\xff\xeb\xfe"), uint16(1), uint16(5), 9)
	f.Fuzz(func(t *testing.T, code []byte, from, to uint16, n int) {
		const base = ^uint64(0) - 1<<17 // sums near the end of the address space
		c := Code{segments: []segment{{base, code, true}}}
		if _, ok := c.Argument(base+uint64(from), base+uint64(to), n); ok && (int(to) > len(code) || to <= from) {
			t.Errorf("an argument outside of the code")
		}
	})
}

func TestCodeRefuses(t *testing.T) {
	for _, f := range []format{
		elfFile{&elf.File{FileHeader: elf.FileHeader{Machine: elf.EM_AARCH64}}},
		machoFile{&macho.File{FileHeader: macho.FileHeader{Cpu: macho.CpuAmd64}}},
	} {
		if _, err := (&File{path: "a.test", format: f}).Code(); !errors.Is(err, ErrNoCode) || !strings.HasPrefix(err.Error(), "a.test: ") {
			t.Errorf("%T: %v, want an ErrNoCode that names the file", f, err)
		}
	}
	if runtime.GOOS+runtime.GOARCH != "linuxamd64" {
		t.Skip("a stripped file takes another build of the standard library here")
	}
	if _, err := build(t, "-ldflags=-s").Code(); !errors.Is(err, ErrNoCode) || !strings.Contains(err.Error(), "symbol table") {
		t.Errorf("%v, want an ErrNoCode that tells of the symbol table", err)
	}
}
