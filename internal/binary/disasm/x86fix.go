package disasm

import (
	"bytes"
	"slices"

	"golang.org/x/arch/x86/x86asm"
)

// x86inst is an instruction, possibly decoded as another one with the same operands.
type x86inst struct {
	x86asm.Inst
	alias string // the mnemonic, if it differs from that of Inst
}

// decode decodes the first instruction of code and corrects errors of the decoder of x/arch (0.32.0).
func (m x86) decode(code []byte) (in x86inst, ok bool) {
	if n := zeroVectors(code); n > 0 {
		code = code[:n]
	}
	got, err := x86asm.Decode(code, m.mode)
	if err != nil || got.Op == 0 || got.Len <= 0 { // without an error: a prefix of an unknown instruction
		return m.unknown(code)
	}
	if got.Len > len(code) {
		return x86inst{}, false
	}
	m.setRIP(&got, code)
	return x86inst{Inst: got}, true
}

// zeroVectors returns the length of VZEROUPPER or VZEROALL, or 0. The decoder takes the byte after them for
// operands, which they do not have.
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

// setRIP sets RIP as the base of an operand that is relative to it. The decoder forgets that for vector instructions.
func (m x86) setRIP(in *x86asm.Inst, code []byte) {
	var modrm int // position of that byte, after the prefix and the opcode
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
			in.PCRel, in.PCRelOff = 4, modrm+1
		}
	}
}

// unknown decodes instructions that the decoder has no table for.
func (m x86) unknown(code []byte) (in x86inst, ok bool) {
	for _, f := range withoutOperands {
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
		longer := 1 + len(s.opcode) - len(s.like)
		got.Len += longer
		got.PCRelOff += longer
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

// withoutOperands are instructions without operands.
var withoutOperands = []struct {
	name string
	code []byte
}{
	{"ENDBR64", []byte{0xf3, 0x0f, 0x1e, 0xfa}},
	{"ENDBR32", []byte{0xf3, 0x0f, 0x1e, 0xfb}},
	{"RDPKRU", []byte{0x0f, 0x01, 0xee}},
	{"WRPKRU", []byte{0x0f, 0x01, 0xef}},
}

// standIns are decoded as another instruction with the same operands.
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
