package disasm

import (
	"fmt"
	"strings"

	"golang.org/x/arch/x86/x86asm"
)

// x86 decodes the code of amd64 and 386.
type x86 struct{ mode int } // bits: 64 or 32

func (x86) alignment() int { return 1 }

func (m x86) inst(addr uint64, code []byte) decoded {
	got, ok := m.decode(code)
	if !ok {
		return badInst(addr, 1)
	}
	in := decoded{Inst: Inst{Addr: addr, Len: got.Len, Flow: flowOf(got.Inst)}}
	for _, arg := range got.Args {
		if rel, ok := arg.(x86asm.Rel); ok {
			in.Target = m.wrap(addr + uint64(got.Len) + uint64(int64(rel)))
		}
	}
	in.filler = got.Op == x86asm.NOP || code[0] == int3 || isExchangeAX(got.Inst)
	if isSeparatePrefix(got.Prefix[0]) {
		in.prefix = 1
	}
	return in
}

const int3 = 0xcc

// isSeparatePrefix reports whether Go's assembler treats the prefix as an instruction, so that line tables may name
// the address after it: LOCK, REP, REPNE.
func isSeparatePrefix(p x86asm.Prefix) bool {
	if p&x86asm.PrefixImplicit != 0 {
		return false // a part of the opcode
	}
	p &= 0xff
	return p == x86asm.PrefixLOCK || p == x86asm.PrefixREP || p == x86asm.PrefixREPN
}

// isExchangeAX reports whether the instruction is XCHG AX, AX of 16 or 64 bits: another encoding of NOP.
func isExchangeAX(in x86asm.Inst) bool {
	return in.Op == x86asm.XCHG && in.Len <= 2 && in.Args[0] == in.Args[1] && (in.Args[0] == x86asm.AX || in.Args[0] == x86asm.RAX)
}

// wrap truncates an address to the architecture's width.
func (m x86) wrap(addr uint64) uint64 {
	if m.mode == 32 {
		return uint64(uint32(addr))
	}
	return addr
}

// flowOf returns the flow of an instruction.
func flowOf(in x86asm.Inst) Flow {
	_, direct := in.Args[0].(x86asm.Rel)
	switch in.Op {
	case x86asm.CALL:
		if direct {
			return Call
		}
		return IndirectCall
	case x86asm.LCALL:
		return IndirectCall
	case x86asm.JMP:
		if direct {
			return Jump
		}
		return IndirectJump
	case x86asm.LJMP:
		return IndirectJump
	case x86asm.RET, x86asm.LRET, x86asm.IRET, x86asm.IRETD, x86asm.IRETQ, x86asm.SYSRET, x86asm.SYSEXIT:
		return Return
	case x86asm.INT, x86asm.UD1, x86asm.UD2, x86asm.HLT, x86asm.ICEBP:
		return trapOf(in)
	}
	if direct {
		return Branch // Jcc, JRCXZ, LOOP, XBEGIN
	}
	return Next
}

// trapOf distinguishes INT3 from other interrupts, which are system calls.
func trapOf(in x86asm.Inst) Flow {
	if in.Op == x86asm.INT && in.Args[0] != x86asm.Imm(3) {
		return Next
	}
	return Trap
}

func (m x86) text(addr uint64, code []byte, syntax Syntax, symbol Symbol) (text, op string) {
	in, _ := m.decode(code)
	switch syntax {
	case Go:
		text = x86asm.GoSyntax(in.Inst, addr, symbol)
	case Intel:
		text = x86asm.IntelSyntax(in.Inst, addr, symbol)
	case ATT:
		text = x86asm.GNUSyntax(in.Inst, addr, symbol)
	}
	op = firstMnemonic(text)
	name := in.mnemonic(op, syntax)
	return strings.Replace(text, op, name, 1), name
}

// mnemonic returns the mnemonic that other tools print.
func (in *x86inst) mnemonic(op string, syntax Syntax) string {
	name := op
	switch own := in.Op.String(); {
	case in.alias != "" && in.Op == x86asm.NOP:
		name = in.alias
	case in.alias != "":
		name = in.alias + strings.TrimPrefix(strings.ToUpper(op), own) // with the suffix for the width
	case syntax == Go && strings.HasSuffix(own, "_XMM"):
		name = strings.TrimSuffix(op, "_XMM")
	case syntax == Intel && (strings.HasPrefix(own, "J") || strings.HasPrefix(own, "SET") || strings.HasPrefix(own, "CMOV")):
		name = own // x/arch would print JZ
	case syntax == ATT && attNames[op] != "":
		name = attNames[op]
	case syntax == ATT && bmi[in.Op]:
		name = own
	}
	if syntax != Go {
		name = strings.ToLower(name)
	}
	return name
}

// attNames are mnemonics that x/arch writes as older GNU tools or Intel do.
var attNames = map[string]string{
	"callq": "call", "retq": "ret", "lretq": "lret", "jmpq": "jmp", "pushfq": "pushf", "popfq": "popf",
	"movsxd": "movslq", "cdqe": "cltq",
}

// bmi are instructions to which only x/arch adds a width suffix.
var bmi = map[x86asm.Op]bool{
	x86asm.ANDN: true, x86asm.BEXTR: true, x86asm.BLSI: true, x86asm.BLSMSK: true, x86asm.BLSR: true, x86asm.BZHI: true,
	x86asm.MULX: true, x86asm.PDEP: true, x86asm.PEXT: true, x86asm.RORX: true, x86asm.SARX: true, x86asm.SHLX: true, x86asm.SHRX: true,
}

// firstMnemonic returns the first word of text that is not a prefix.
func firstMnemonic(text string) string {
	for word := range strings.FieldsSeq(text) {
		word = strings.TrimSuffix(word, ";")
		if !prefixes[strings.ToLower(word)] {
			return word
		}
	}
	return text
}

// prefixes are the words that may precede a mnemonic.
var prefixes = map[string]bool{
	"lock": true, "rep": true, "repne": true, "repn": true, "repnz": true, "repz": true, "bnd": true, "notrack": true,
	"xacquire": true, "xrelease": true, "data16": true, "data32": true, "addr16": true, "addr32": true,
	"hint-taken": true, "hint-not-taken": true, "cs": true, "ds": true, "es": true, "fs": true, "gs": true, "ss": true,
	"rex": true, "rex.w": true,
}

func (m x86) bytes(code []byte) (text, op string) {
	return fmt.Sprintf("BYTE $%#02x", code[0]), "BYTE"
}
