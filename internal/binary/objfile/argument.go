package objfile

import (
	"slices"

	"golang.org/x/arch/x86/x86asm"
)

// argRegs are the registers of the first integer arguments of a call in Go's internal ABI for amd64
// (cmd/compile/abi-internal.md).
var argRegs = [...]x86asm.Reg{x86asm.RAX, x86asm.RBX, x86asm.RCX, x86asm.RDI, x86asm.RSI, x86asm.R8, x86asm.R9, x86asm.R10, x86asm.R11}

// maxFunction limits how much of a function is decoded, in bytes.
const maxFunction = 4 << 20

// Argument returns the address that a call passes as its n-th integer argument, counting from 0. It reports
// false if the code before the call does not load a constant address. The calling function begins at entry;
// ret is the address after the call.
//
// It reads the code from entry on, because x86 cannot be read backwards, and drops the known contents of
// registers at each target of a jump.
func (c *Code) Argument(entry, ret uint64, n int) (addr uint64, ok bool) {
	if n < 0 || n >= len(argRegs) || ret <= entry || ret-entry > maxFunction {
		return 0, false
	}
	code := c.at(entry, true)
	if uint64(len(code)) < ret-entry {
		return 0, false
	}
	s := scan{entry: entry, code: code[:ret-entry]}
	s.findTargets(code)
	return s.run(argRegs[n])
}

// scan follows the code of a function up to a call.
type scan struct {
	entry   uint64
	code    []byte
	targets []uint64 // of jumps, sorted
	known   registers
}

// registers maps a register to the constant address that it holds.
type registers map[x86asm.Reg]uint64

// findTargets collects the targets of jumps, including jumps after the call that lead back.
func (s *scan) findTargets(code []byte) {
	end := s.entry + uint64(len(s.code))
	decode(s.entry, code[:min(len(code), len(s.code)+maxAfterCall)], func(pc uint64, in x86asm.Inst, ok bool) bool {
		if ok && in.Op != x86asm.CALL {
			if rel, is := in.Args[0].(x86asm.Rel); is {
				if to := pc + uint64(in.Len) + uint64(int64(rel)); to >= s.entry && to < end {
					s.targets = append(s.targets, to)
				}
			}
		}
		return true
	})
	slices.Sort(s.targets)
}

// maxAfterCall limits how far after the call such jumps are searched, in bytes.
const maxAfterCall = 64 << 10

// run follows the code and returns the address that the register want holds at the call.
func (s *scan) run(want x86asm.Reg) (addr uint64, ok bool) {
	s.known = registers{}
	end := s.entry + uint64(len(s.code))
	decode(s.entry, s.code, func(pc uint64, in x86asm.Inst, decoded bool) bool {
		if _, jumped := slices.BinarySearch(s.targets, pc); jumped || !decoded {
			clear(s.known)
		}
		if !decoded {
			return true
		}
		if pc+uint64(in.Len) == end {
			if in.Op == x86asm.CALL {
				addr, ok = s.known[want]
			}
			return false
		}
		s.known.step(pc, in)
		return true
	})
	return addr, ok
}

// decode calls f for each instruction. Undecodable code is passed byte by byte: x86 decoding is soon in step again.
func decode(pc uint64, code []byte, f func(pc uint64, in x86asm.Inst, ok bool) bool) {
	for len(code) > 0 {
		in, err := x86asm.Decode(code, 64)
		n := in.Len
		if err != nil || n <= 0 || n > len(code) {
			in, n, err = x86asm.Inst{}, 1, x86asm.ErrUnrecognized
		}
		if !f(pc, in, err == nil) {
			return
		}
		pc, code = pc+uint64(n), code[n:]
	}
}

// step applies an instruction to the registers.
func (r registers) step(pc uint64, in x86asm.Inst) {
	switch in.Op {
	case x86asm.LEA:
		if m, ok := in.Args[1].(x86asm.Mem); ok && m.Base == x86asm.RIP && m.Index == 0 {
			if dst, ok := in.Args[0].(x86asm.Reg); ok {
				r[dst] = pc + uint64(in.Len) + uint64(m.Disp)
				return
			}
		}
	case x86asm.MOV:
		dst, toReg := in.Args[0].(x86asm.Reg)
		src, fromReg := in.Args[1].(x86asm.Reg)
		if addr, has := r[src]; toReg && fromReg && has {
			r[dst] = addr
			return
		}
	case x86asm.CMP, x86asm.TEST, x86asm.NOP, x86asm.BT, x86asm.UCOMISD, x86asm.UCOMISS, x86asm.PUSH,
		x86asm.JA, x86asm.JAE, x86asm.JB, x86asm.JBE, x86asm.JE, x86asm.JNE, x86asm.JG, x86asm.JGE, x86asm.JL, x86asm.JLE,
		x86asm.JO, x86asm.JNO, x86asm.JP, x86asm.JNP, x86asm.JS, x86asm.JNS:
		return
	case x86asm.ADD, x86asm.SUB, x86asm.AND, x86asm.OR, x86asm.XOR, x86asm.SHL, x86asm.SHR, x86asm.SAR, x86asm.INC, x86asm.DEC,
		x86asm.NEG, x86asm.NOT, x86asm.MOVZX, x86asm.MOVSX, x86asm.MOVSXD, x86asm.POP, x86asm.MOVUPS, x86asm.MOVUPD, x86asm.MOVAPS,
		x86asm.MOVSD_XMM, x86asm.MOVSS, x86asm.MOVQ, x86asm.MOVD, x86asm.XORPS, x86asm.PXOR, x86asm.SETE, x86asm.SETNE:
	case x86asm.IMUL:
		if in.Args[1] == nil { // the result is in two implicit registers
			clear(r)
			return
		}
	default: // calls, jumps that do not return, and all instructions that may write to implicit registers
		clear(r)
		return
	}
	if dst, ok := in.Args[0].(x86asm.Reg); ok {
		r.drop(dst)
	}
}

// drop removes a register after a write to it or to a part of it.
func (r registers) drop(reg x86asm.Reg) {
	delete(r, fullRegister(reg))
}

// fullRegister returns the 64-bit register that contains reg.
func fullRegister(reg x86asm.Reg) x86asm.Reg {
	switch {
	case reg >= x86asm.AL && reg <= x86asm.BL:
		return reg - x86asm.AL + x86asm.RAX
	case reg >= x86asm.AH && reg <= x86asm.BH:
		return reg - x86asm.AH + x86asm.RAX
	case reg >= x86asm.SPB && reg <= x86asm.R15B:
		return reg - x86asm.SPB + x86asm.RSP
	case reg >= x86asm.AX && reg <= x86asm.R15W:
		return reg - x86asm.AX + x86asm.RAX
	case reg >= x86asm.EAX && reg <= x86asm.R15L:
		return reg - x86asm.EAX + x86asm.RAX
	}
	return reg
}
