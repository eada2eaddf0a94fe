package disasm

import (
	"testing"

	"github.com/tarebench/tare/internal/testkit/testutil"
)

// tally is what came out of the functions of a program.
type tally struct {
	insts, bad int
	inside     []uint64 // addresses of the line table in the middle of an instruction
}

func (p *program) disassemble(t testing.TB, lines bool) tally {
	t.Helper()
	d, err := decoderFor(p.arch)
	if err != nil {
		t.Fatal(err)
	}
	var sum tally
	for _, f := range p.funcs {
		inFunc := f.of(p.lines)
		var known []uint64
		if lines {
			known = inFunc
		}
		insts, err := Func(p.arch, f.addr, f.code, known, Go, nil)
		if err != nil {
			t.Fatal(err)
		}
		checkLengths(t, f.addr, f.code, insts)
		sum.insts += len(insts)
		for _, in := range insts {
			if in.Bad {
				sum.bad++
				t.Logf("%s: %#x: % x: %s", f.name, in.Addr, f.code[in.Addr-f.addr:][:in.Len], in.Text)
			}
			for len(inFunc) > 0 && inFunc[0] < in.End() {
				if at := inFunc[0] - in.Addr; at != 0 && at != uint64(d.inst(in.Addr, f.code[in.Addr-f.addr:]).prefix) {
					sum.inside = append(sum.inside, inFunc[0])
				}
				inFunc = inFunc[1:]
			}
		}
	}
	return sum
}

// checkLengths checks that instructions follow one another without gaps.
func checkLengths(t testing.TB, addr uint64, code []byte, insts []Inst) {
	t.Helper()
	at := addr
	for i, in := range insts {
		if in.Addr != at || in.Len < 1 {
			t.Fatalf("instruction %d: at %#x with %d bytes, want it at %#x", i, in.Addr, in.Len, at)
		}
		if in.Text == "" || in.Op == "" {
			t.Fatalf("instruction %d at %#x: text %q, mnemonic %q", i, in.Addr, in.Text, in.Op)
		}
		at = in.End()
	}
	if at-addr != uint64(len(code)) {
		t.Fatalf("instructions of %d bytes in all, want %d", at-addr, len(code))
	}
}

// All of a program is decoded, and instructions begin where its line table says: with
// it, and without.
func TestProgram(t *testing.T) {
	for _, c := range []struct {
		arch   string
		bad    int
		inside int
	}{
		// Twice an embedded signature of 16 bytes: crypto/internal/boring/sig.
		{arch: "amd64", bad: 8, inside: 4},
		{arch: "386", bad: 8, inside: 4},
		// Constants behind runtime.call33554432 and its like.
		{arch: "arm64", bad: 40},
	} {
		t.Run(c.arch, func(t *testing.T) {
			p := build(t, c.arch)
			if len(p.lines) < 10000 {
				t.Fatalf("a line table of %d addresses", len(p.lines))
			}
			for _, lines := range []bool{false, true} {
				got := p.disassemble(t, lines)
				if got.bad > c.bad || len(got.inside) > c.inside {
					t.Errorf("%d of %d instructions not decoded, at most %d expected; of %d lines %d in the middle of one, at most %d expected: %#x",
						got.bad, got.insts, c.bad, len(p.lines), len(got.inside), c.inside, got.inside)
				}
				t.Logf("with lines %v: %d instructions, %d not decoded, %d lines in the middle of one", lines, got.insts, got.bad, len(got.inside))
			}
		})
	}
}

// What cannot be decoded in the go command: with Go 1.26.8 and x/arch 0.32.0, 3 of
// 1 725 472.
func TestGoCommand(t *testing.T) {
	testutil.NeedLong(t, "the go command is large")
	p := open(t, goCommand(t))
	got := p.disassemble(t, false)
	t.Logf("%d instructions, %d not decoded", got.insts, got.bad)
	if budget := 8 + got.insts/100000; got.bad > budget {
		t.Errorf("%d of %d instructions not decoded, at most %d expected", got.bad, got.insts, budget)
	}
}
