package asm

import (
	"encoding/binary"
	"slices"

	"github.com/tarebench/tare/internal/objfile"
	"github.com/tarebench/tare/record"
)

// calls names the functions that code may call or jump to. It does not decode
// instructions: on x86 any four bytes may be the distance of a jump, and those that
// lead to the first instruction of a function are taken for one. A name too many does
// no harm; and none is missing.
func calls(arch string, addr uint64, code []byte, find func(uint64) (objfile.Function, bool)) []record.AsmSymbol {
	names := map[uint64]string{}
	mark := func(target uint64) {
		if fn, ok := find(target); ok && fn.Entry == target && target != addr {
			names[target] = fn.Name
		}
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
	out := make([]record.AsmSymbol, 0, len(names))
	for a, n := range names {
		out = append(out, record.AsmSymbol{Addr: a, Name: n})
	}
	slices.SortFunc(out, func(a, b record.AsmSymbol) int {
		if a.Addr < b.Addr {
			return -1
		}
		return 1
	})
	return out
}

// nearOpcode reports whether the byte before i may be the end of CALL, JMP or a
// conditional jump with a distance of 32 bits.
func nearOpcode(code []byte, i int) bool {
	switch op := code[i-1]; {
	case op == 0xe8, op == 0xe9:
		return true
	case op >= 0x80 && op <= 0x8f:
		return i >= 2 && code[i-2] == 0x0f
	}
	return false
}
