package disasm

import (
	"strings"
	"testing"
)

// texts joins what is shorter to compare.
func texts(insts []Inst) string {
	all := make([]string, len(insts))
	for i, in := range insts {
		all[i] = in.Text
	}
	return strings.Join(all, "; ")
}

func TestSplit(t *testing.T) {
	for _, c := range []struct {
		name  string
		code  string
		known []uint64 // offsets
		want  string
	}{
		{
			name: "data before code, and nothing known",
			code: "48 b8 90 90 c3",
			want: "BYTE $0x48; BYTE $0xb8; NOPL; NOPL; RET",
		}, {
			name:  "data that looks like code, and lines",
			code:  "48 b8 01 48 89 c1 48 89 d3 48 89 f7 c3",
			known: []uint64{0, 3, 6, 9, 12},
			want:  "BYTE $0x48; BYTE $0xb8; BYTE $0x01; MOVQ AX, CX; MOVQ DX, BX; MOVQ SI, DI; RET",
		}, {
			name: "a jump over data",
			code: "eb 03 48 b8 01 48 89 c1 48 89 d3 48 89 f7 c3",
			want: "JMP 0x401005; BYTE $0x48; BYTE $0xb8; BYTE $0x01; MOVQ AX, CX; MOVQ DX, BX; MOVQ SI, DI; RET",
		}, {
			name: "a jump over LOCK",
			code: "74 01 f0 0f b1 11 c3",
			want: "JE 0x401003; LOCK CMPXCHGL DX, 0(CX); RET",
		}, {
			name:  "LOCK and REP have lines of their own",
			code:  "f0 0f b1 11 f3 48 ab c3",
			known: []uint64{0, 1, 4, 5, 7},
			want:  "LOCK CMPXCHGL DX, 0(CX); REP; STOSQ AX, ES:0(DI); RET",
		}, {
			name:  "but the prefix of an opcode has not",
			code:  "f3 0f 6f 06 c3",
			known: []uint64{0, 4},
			want:  "MOVDQU 0(SI), X0; RET",
		}, {
			name:  "an instruction spelled in bytes, each on a line",
			code:  "4e 0f b7 7c 5c 78 66 42 89 44 5c 78 c3",
			known: []uint64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12},
			want:  "MOVZX 0x78(SP)(R11*2), R15; MOVW AX, 0x78(SP)(R11*2); RET",
		}, {
			name:  "unsorted, twice, and elsewhere",
			code:  "48 89 c1 c3",
			known: []uint64{3, 0, 3, 4, 100, ^uint64(0)},
			want:  "MOVQ AX, CX; RET",
		}, {
			name: "jumps out of the function, and into itself",
			code: "eb 7f eb fc eb fe c3",
			want: "JMP 0x401081; JMP 0x401000; JMP 0x401004; RET",
		}, {
			name: "the target of a jump behind undecodable bytes is not used",
			code: "06 74 01 48 89 c1 c3",
			want: "BYTE $0x06; JE 0x401004; MOVQ AX, CX; RET",
		}, {
			name: "cut off",
			code: "48 89 c1 e8 00 00",
			want: "MOVQ AX, CX; BYTE $0xe8; ADDB AL, 0(AX)",
		},
	} {
		known := make([]uint64, len(c.known))
		for i, k := range c.known {
			known[i] = base + k
		}
		insts, err := Func("amd64", base, bytesOf(t, c.code), known, Go, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := texts(insts); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}
