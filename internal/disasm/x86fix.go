package disasm

import (
	"bytes"
	"slices"

	"golang.org/x/arch/x86/x86asm"
)

// x86inst is an instruction as the decoder of x/arch knows it, or one that it does not
// know, in the shape of one with the same operands.
type x86inst struct {
	x86asm.Inst
	alias string // the mnemonic, if it is not that of Inst
}

// decode decodes the instruction at the beginning of the code, if there is one. What
// the decoder of x/arch (0.32.0) gets wrong is put right.
func (m x86) decode(code []byte) (in x86inst, ok bool) {
	if n := zeroVectors(code); n > 0 {
		code = code[:n]
	}
	got, err := x86asm.Decode(code, m.mode)
	if err != nil || got.Op == 0 || got.Len <= 0 { // without an error: a prefix of nothing that it knows
		return m.unknown(code)
	}
	if got.Len > len(code) {
		return x86inst{}, false
	}
	m.addIP(&got, code)
	return x86inst{Inst: got}, true
}

// zeroVectors is the length of VZEROUPPER or VZEROALL, which have no operands: the
// decoder takes the byte behind them for some.
func zeroVectors(code []byte) int {
	const opcode = 0x77
	switch {
	case len(code) >= 3 && code[0] == vex2 && code[1]&0x7b == 0x78 && code[2] == opcode:
		return 3
	case len(code) >= 4 && code[0] == vex3 && code[1]&0x1f == 1 && code[2]&0x7b == 0x78 && code[3] == opcode:
		return 4
	}
	return 0
}

// First bytes of the prefixes of vector instructions.
const (
	vex2 = 0xc5
	vex3 = 0xc4
	evex = 0x62
)

// addIP makes an operand relative to the instruction pointer that is so, which the
// decoder forgets for vector instructions.
func (m x86) addIP(in *x86asm.Inst, code []byte) {
	var modrm int // where that byte is: behind the prefix and the opcode
	switch {
	case m.mode != 64:
		return
	case in.Prefix[0].IsVEX() && code[0] == vex2:
		modrm = 3
	case in.Prefix[0].IsVEX() && code[0] == vex3:
		modrm = 4
	case in.Prefix[0].IsEVEX():
		modrm = 5
	default:
		return
	}
	if modrm >= in.Len || code[modrm]&0xc7 != 5 {
		return
	}
	for i, arg := range in.Args {
		if mem, ok := arg.(x86asm.Mem); ok {
			mem.Base = x86asm.RIP
			in.Args[i] = mem
		}
	}
}

// unknown decodes instructions that the decoder has no table for.
func (m x86) unknown(code []byte) (in x86inst, ok bool) {
	for _, f := range fixed {
		if bytes.HasPrefix(code, f.code) {
			return x86inst{x86asm.Inst{Op: x86asm.NOP, Len: len(f.code), Mode: m.mode}, f.name}, true
		}
	}
	prefix, rex, opcode := m.prefixes(code)
	for _, s := range standIns {
		if prefix != s.prefix || !bytes.HasPrefix(opcode, s.opcode) {
			continue
		}
		like := slices.Concat(rex, s.like, opcode[len(s.opcode):])
		got, err := x86asm.Decode(like, m.mode)
		if err != nil || got.Len > len(like) {
			return x86inst{}, false
		}
		got.Len += 1 + len(s.opcode) - len(s.like)
		return x86inst{got, s.name}, true
	}
	return x86inst{}, false
}

// prefixes splits off one mandatory prefix and REX.
func (m x86) prefixes(code []byte) (prefix byte, rex, opcode []byte) {
	if len(code) > 15 {
		code = code[:15] // no instruction is longer
	}
	if len(code) > 0 && (code[0] == 0x66 || code[0] == 0xf2 || code[0] == 0xf3) {
		prefix, code = code[0], code[1:]
	}
	if m.mode == 64 && len(code) > 0 && code[0]&0xf0 == 0x40 {
		rex, code = code[:1], code[1:]
	}
	return prefix, rex, code
}

// fixed are instructions without operands.
var fixed = []struct {
	name string
	code []byte
}{
	{"ENDBR64", []byte{0xf3, 0x0f, 0x1e, 0xfa}},
	{"ENDBR32", []byte{0xf3, 0x0f, 0x1e, 0xfb}},
	{"RDPKRU", []byte{0x0f, 0x01, 0xee}},
	{"WRPKRU", []byte{0x0f, 0x01, 0xef}},
}

// standIns are instructions with the operands of others that the decoder knows.
var standIns = []struct {
	name   string
	prefix byte
	opcode []byte
	like   []byte
}{
	{"ADCX", 0x66, []byte{0x0f, 0x38, 0xf6}, imul},
	{"ADOX", 0xf3, []byte{0x0f, 0x38, 0xf6}, imul},
}

// imul is IMUL r32/64, r/m32/64.
var imul = []byte{0x0f, 0xaf}
