package disasm

import (
	"encoding/binary"
	"sync"
	"testing"
)

// word disassembles one word of arm64.
func word(t testing.TB, w uint32, syntax Syntax, symbol Symbol) Inst {
	t.Helper()
	insts, err := Func("arm64", base, binary.LittleEndian.AppendUint32(nil, w), nil, syntax, symbol)
	if err != nil || len(insts) != 1 || insts[0].Len != arm64Size {
		t.Fatalf("%#x: %+v, %v", w, insts, err)
	}
	return insts[0]
}

// The texts in ARM's syntax are those of GNU objdump 2.40; those in Go's syntax were
// assembled by Go's assembler, as far as it knows the instruction.
func TestARM64(t *testing.T) {
	for _, c := range []struct {
		word   uint32
		goText string
		att    string
		flow   Flow
		target uint64
	}{
		{word: 0xf9400001, goText: "MOVD (R0), R1", att: "ldr x1, [x0]"},
		{word: 0x8b030063, goText: "ADD R3, R3, R3", att: "add x3, x3, x3"},
		{word: 0xd503201f, goText: "NOOP", att: "nop"},

		// Where it leads to.
		{word: 0x14000004, goText: "JMP 0x401010", att: "b 0x401010", flow: Jump, target: 0x401010},
		{word: 0x17ffffff, goText: "JMP 0x400ffc", att: "b 0x400ffc", flow: Jump, target: 0x400ffc},
		{word: 0x54000060, goText: "BEQ 0x40100c", att: "b.eq 0x40100c", flow: Branch, target: 0x40100c},
		{word: 0xb4000040, goText: "CBZ R0, 0x401008", att: "cbz x0, 0x401008", flow: Branch, target: 0x401008},
		{word: 0x36180041, goText: "TBZ $3, R1, 0x401008", att: "tbz w1, #3, 0x401008", flow: Branch, target: 0x401008},
		{word: 0x94000400, goText: "CALL 0x402000", att: "bl 0x402000", flow: Call, target: 0x402000},
		{word: 0xd63f0020, goText: "CALL (R1)", att: "blr x1", flow: IndirectCall},
		{word: 0xd61f0360, goText: "JMP (R27)", att: "br x27", flow: IndirectJump},
		{word: 0xd65f03c0, goText: "RET", att: "ret", flow: Return},
		{word: 0xd4200000, goText: "BRK $0", att: "brk #0x0", flow: Trap},
		{word: 0x00000000, goText: "UDF $0", att: "udf #0", flow: Trap},
		{word: 0xf0000000, goText: "ADRP 0x404000, R0", att: "adrp x0, 0x404000"},
		{word: 0x10000041, goText: "ADR 0x401008, R1", att: "adr x1, 0x401008"},

		// Atomic instructions.
		{word: 0x88fbfc02, goText: "CASALW R27, (R0), R2", att: "casal w27, w2, [x0]"},
		{word: 0xc8fbfca4, goText: "CASALD R27, (R5), R4", att: "casal x27, x4, [x5]"},
		{word: 0x08a07fe1, goText: "CASB R0, (RSP), R1", att: "casb w0, w1, [sp]"},
		{word: 0x48207c82, goText: "CASPD (R0, R1), (R4), (R2, R3)", att: "casp x0, x1, x2, x3, [x4]"},
		{word: 0xf8e10002, goText: "LDADDALD R1, (R0), R2", att: "ldaddal x1, x2, [x0]"},
		{word: 0x78a10002, goText: "LDADDAH R1, (R0), R2", att: "ldaddah w1, w2, [x0]"},
		{word: 0xb821001f, goText: "LDADDW R1, (R0), ZR", att: "stadd w1, [x0]"},
		{word: 0xf8e1001f, goText: "LDADDALD R1, (R0), ZR", att: "ldaddal x1, xzr, [x0]"},
		{word: 0x38fb10a6, goText: "LDCLRALB R27, (R5), R6", att: "ldclralb w27, w6, [x5]"},
		{word: 0x38e13003, goText: "LDORALB R1, (R0), R3", att: "ldsetalb w1, w3, [x0]"},
		{word: 0xb8612003, goText: "LDEORLW R1, (R0), R3", att: "ldeorl w1, w3, [x0]"},
		{word: 0xb8ff8043, goText: "SWPALW ZR, (R2), R3", att: "swpal wzr, w3, [x2]"},
		{word: 0xf8a45002, goText: "LDSMINAD R4, (R0), R2", att: "ldsmina x4, x2, [x0]"},

		// Hashes.
		{word: 0xce6780c2, goText: "SHA512H V7.D2, V6, V2", att: "sha512h q2, q6, v7.2d"},
		{word: 0xce648441, goText: "SHA512H2 V4.D2, V2, V1", att: "sha512h2 q1, q2, v4.2d"},
		{word: 0xcec081ac, goText: "SHA512SU0 V13.D2, V12.D2", att: "sha512su0 v12.2d, v13.2d"},
		{word: 0xce6589ae, goText: "SHA512SU1 V5.D2, V13.D2, V14.D2", att: "sha512su1 v14.2d, v13.2d, v5.2d"},
		{word: 0xce08707c, goText: "VEOR3 V28.B16, V8.B16, V3.B16, V28.B16", att: "eor3 v28.16b, v3.16b, v8.16b, v28.16b"},
		{word: 0xce2f5159, goText: "VBCAX V20.B16, V15.B16, V10.B16, V25.B16", att: "bcax v25.16b, v10.16b, v15.16b, v20.16b"},
		{word: 0xce638c41, goText: "VRAX1 V3.D2, V2.D2, V1.D2", att: "rax1 v1.2d, v2.2d, v3.2d"},
		{word: 0xce83fc41, goText: "VXAR $63, V3.D2, V2.D2, V1.D2", att: "xar v1.2d, v2.2d, v3.2d, #63"},
		{word: 0xd503415f, goText: "MSR $1, DIT", att: "msr dit, #0x1"},
	} {
		for syntax, want := range map[Syntax]string{Go: c.goText, Intel: c.att, ATT: c.att} {
			in := word(t, c.word, syntax, nil)
			if in.Text != want || in.Bad {
				t.Errorf("%#x in %s syntax: %q, want %q", c.word, syntax, in.Text, want)
			}
			if in.Flow != c.flow || in.Target != c.target {
				t.Errorf("%#x: %v to %#x, want %v to %#x", c.word, in.Flow, in.Target, c.flow, c.target)
			}
		}
	}
}

func TestARM64Symbols(t *testing.T) {
	symbol := func(addr uint64) (string, uint64) {
		if addr >= 0x404000 && addr < 0x405000 {
			return "runtime.zero", 0x404000
		}
		return "", 0
	}
	for _, c := range []struct {
		word        uint32
		goText, att string
	}{
		{0x94000c00, "CALL runtime.zero(SB)", "bl runtime.zero"},
		{0x94000c01, "CALL 0x404004", "bl 0x404004"}, // into the middle: its name would mislead
		{0xf0000000, "ADRP runtime.zero(SB), R0", "adrp x0, runtime.zero"},
	} {
		if in := word(t, c.word, Go, symbol); in.Text != c.goText {
			t.Errorf("%#x: %q, want %q", c.word, in.Text, c.goText)
		}
		if in := word(t, c.word, ATT, symbol); in.Text != c.att {
			t.Errorf("%#x: %q, want %q", c.word, in.Text, c.att)
		}
	}
}

// ADRP counts from the page that it is in.
func TestPages(t *testing.T) {
	insts, err := Func("arm64", base, bytesOf(t, "1f 20 03 d5 00 00 00 f0 41 00 00 10"), nil, Go, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := texts(insts), "NOOP; ADRP 0x404000, R0; ADR 0x401010, R1"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestBadARM64(t *testing.T) {
	insts, err := Func("arm64", base, bytesOf(t, "20 00 00 40 1f 20 03 d5 01 02"), []uint64{base + 6}, ATT, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []Inst{
		{Addr: base, Len: 4, Text: "WORD $0x40000020", Op: "WORD", Bad: true},
		{Addr: base + 4, Len: 4, Text: "nop", Op: "nop"},
		{Addr: base + 8, Len: 1, Text: "BYTE $0x01", Op: "BYTE", Bad: true},
		{Addr: base + 9, Len: 1, Text: "BYTE $0x02", Op: "BYTE", Bad: true},
	}
	if len(insts) != len(want) {
		t.Fatalf("%+v", insts)
	}
	for i := range want {
		if insts[i] != want[i] {
			t.Errorf("instruction %d: %+v, want %+v", i, insts[i], want[i])
		}
	}
}

// The decoder of x/arch writes to a global variable; the race detector would see it.
func TestGoroutines(t *testing.T) {
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for w := range uint32(200) {
				for _, arch := range Archs() {
					if _, err := Func(arch, base, binary.LittleEndian.AppendUint32(nil, 0x8b030063+w), nil, Go, nil); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	group.Wait()
}
