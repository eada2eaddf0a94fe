package asm

import (
	"cmp"
	"encoding/binary"
	"slices"
	"strconv"

	"github.com/tarebench/tare/internal/binary/objfile"
	"github.com/tarebench/tare/record"
)

// names returns what an address belongs to.
type names struct {
	function func(uint64) (objfile.Function, bool)
	datum    func(uint64) (objfile.Datum, bool)
}

// references returns the functions that code may call or jump to, and on x86 also the functions and data whose
// address it may use. It does not decode instructions: any four bytes count as a distance if they lead to the
// beginning of a function or into a datum. A wrong name is harmless.
func references(arch string, addr uint64, code []byte, find names) []record.AsmSymbol {
	found := map[uint64]string{}
	mark := func(target uint64) {
		if fn, ok := find.function(target); ok && fn.Entry == target && target != addr {
			found[target] = fn.Name
		}
	}
	if arch == "amd64" || arch == "386" {
		operands(arch, addr, code, func(target uint64) {
			mark(target)
			if x, ok := find.datum(target); ok {
				found[target] = inside(x, target)
			}
		})
	}
	switch arch {
	case "amd64", "386":
		for i := 1; i+4 <= len(code); i++ {
			if nearOpcode(code, i) {
				mark(addr + uint64(i+4) + uint64(int64(int32(binary.LittleEndian.Uint32(code[i:])))))
			}
		}
	case "arm64":
		for i := 0; i+4 <= len(code); i += 4 {
			if w := binary.LittleEndian.Uint32(code[i:]); w>>26&0x1f == 0x05 { // B and BL
				mark(addr + uint64(i) + uint64(int64(int32(w<<6)>>6)*4))
			}
		}
	}
	out := make([]record.AsmSymbol, 0, len(found))
	for a, n := range found {
		out = append(out, record.AsmSymbol{Addr: a, Name: n})
	}
	slices.SortFunc(out, func(a, b record.AsmSymbol) int { return cmp.Compare(a.Addr, b.Addr) })
	return out
}

// operands calls found for the addresses that may be operands of x86 instructions.
func operands(arch string, addr uint64, code []byte, found func(uint64)) {
	for i := 1; i+4 <= len(code); i++ {
		if !isDataOperand(code[i-1]) {
			continue
		}
		at := uint64(binary.LittleEndian.Uint32(code[i:]))
		if arch == "amd64" { // relative to the end of the instruction
			at = addr + uint64(i+4+constant(code[:i])) + uint64(int64(int32(at)))
		}
		found(at)
	}
}

// inside returns the notation of an address in a datum.
func inside(x objfile.Datum, addr uint64) string {
	if addr == x.Addr {
		return x.Name
	}
	return x.Name + "+" + strconv.FormatUint(addr-x.Addr, 10)
}

// isDataOperand reports whether a byte may be a ModR/M byte with a 32-bit distance, on 386 address, as operand: mod 0
// and r/m 5, see table 2-2 in volume 2 of Intel's manual.
func isDataOperand(b byte) bool { return b&0xc7 == 0x05 }

// constant returns the size of the immediate operand that follows the distance. The instruction's bytes up to ModR/M
// are the last of code.
func constant(code []byte) int {
	at := func(back int) byte {
		if back < len(code) {
			return code[len(code)-1-back]
		}
		return 0
	}
	op, unary := at(1), at(0)>>3&7 <= 1 // of the group at 0xf6 and 0xf7 only TEST has one
	switch {
	case at(2) == 0x0f:
		switch op {
		case 0x70, 0x71, 0x72, 0x73, 0xa4, 0xac, 0xba, 0xc2, 0xc4, 0xc5, 0xc6:
			return 1
		}
		return 0
	case at(3) == 0x0f && at(2) == 0x3a:
		return 1
	case op == 0x80, op == 0x83, op == 0xc0, op == 0xc1, op == 0xc6, op == 0x6b, op == 0xf6 && unary:
		return 1
	case op == 0x81, op == 0xc7, op == 0x69, op == 0xf7 && unary:
		if at(2) == 0x66 {
			return 2
		}
		return 4
	}
	return 0
}

// nearOpcode reports whether the byte before i may end the opcode of CALL, JMP or a conditional jump with a 32-bit
// distance.
func nearOpcode(code []byte, i int) bool {
	switch op := code[i-1]; {
	case op == 0xe8, op == 0xe9:
		return true
	case op >= 0x80 && op <= 0x8f:
		return i >= 2 && code[i-2] == 0x0f
	}
	return false
}
