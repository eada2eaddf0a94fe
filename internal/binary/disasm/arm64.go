package disasm

import (
	"encoding/binary"
	"fmt"
	"strings"
	"sync"

	"golang.org/x/arch/arm64/arm64asm"
)

// arm64 decodes the code of arm64.
type arm64 struct{}

// arm64Size is the size of an instruction in bytes.
const arm64Size = 4

// decodeMutex serialises calls of the decoder of x/arch, which writes to a global variable.
var decodeMutex sync.Mutex

func decodeARM64(code []byte) (arm64asm.Inst, error) {
	decodeMutex.Lock()
	defer decodeMutex.Unlock()
	return arm64asm.Decode(code)
}

func (arm64) alignment() int { return arm64Size }

func (arm64) inst(addr uint64, code []byte) decoded {
	if len(code) < arm64Size {
		return badInst(addr, 1)
	}
	in := decoded{Inst: Inst{Addr: addr, Len: arm64Size}}
	if word := binary.LittleEndian.Uint32(code); word == 0 {
		in.Flow, in.filler = Trap, true // Go's linker fills gaps with it
		return in
	} else if extra, ok := findExtraARM64(word); ok {
		in.Flow = extra.flow
		return in
	}
	got, err := decodeARM64(code)
	if err != nil {
		return badInst(addr, arm64Size)
	}
	in.Flow, in.filler = flowOfARM64(got), got.Op == arm64asm.NOP
	if rel, ok := relative(got); ok && in.Direct() {
		in.Target = addr + uint64(int64(rel))
	}
	return in
}

// relative returns the operand relative to the instruction's address.
func relative(in arm64asm.Inst) (rel arm64asm.PCRel, ok bool) {
	for _, arg := range in.Args {
		if rel, ok = arg.(arm64asm.PCRel); ok {
			return rel, true
		}
	}
	return 0, false
}

func flowOfARM64(in arm64asm.Inst) Flow {
	switch in.Op {
	case arm64asm.B:
		if _, ok := in.Args[0].(arm64asm.Cond); ok {
			return Branch
		}
		return Jump
	case arm64asm.CBZ, arm64asm.CBNZ, arm64asm.TBZ, arm64asm.TBNZ:
		return Branch
	case arm64asm.BL:
		return Call
	case arm64asm.BR:
		return IndirectJump
	case arm64asm.BLR:
		return IndirectCall
	case arm64asm.RET, arm64asm.ERET, arm64asm.DRPS:
		return Return
	case arm64asm.BRK, arm64asm.HLT:
		return Trap
	}
	return Next
}

// text formats an instruction. It writes absolute addresses, as for other architectures, where x/arch writes
// distances.
func (arm64) text(addr uint64, code []byte, syntax Syntax, symbol Symbol) (text, op string) {
	if extra, ok := findExtraARM64(binary.LittleEndian.Uint32(code)); ok {
		op, args := extra.text(binary.LittleEndian.Uint32(code), syntax)
		return op + " " + args, op
	}
	in, _ := decodeARM64(code)
	if syntax == Go {
		text = arm64asm.GoSyntax(in, addr, symbol, nil)
	} else {
		text = strings.TrimSpace(arm64asm.GNUSyntax(in))
	}
	if rel, ok := relative(in); ok {
		text = absolute(text, in, addr, rel, syntax, symbol)
	}
	op, _, _ = strings.Cut(text, " ")
	return text, op
}

// absolute replaces a distance in text by the address, or by the symbol that begins there.
func absolute(text string, in arm64asm.Inst, addr uint64, rel arm64asm.PCRel, syntax Syntax, symbol Symbol) string {
	from, distance := addr, fmt.Sprintf("%d(PC)", int64(rel)/arm64Size)
	switch {
	case syntax != Go:
		distance = rel.String()
	case in.Op == arm64asm.ADR || in.Op == arm64asm.ADRP:
		distance = fmt.Sprintf("%d(PC)", int64(rel))
	}
	if in.Op == arm64asm.ADRP {
		from &^= 1<<12 - 1 // ADRP is relative to the page
	}
	to := from + uint64(int64(rel))
	place := fmt.Sprintf("%#x", to)
	if name, base := symbol(to); name != "" && base == to {
		place = name
		if syntax == Go {
			place += "(SB)"
		}
	}
	return strings.Replace(text, distance, place, 1)
}

func (arm64) bytes(code []byte) (text, op string) {
	if len(code) < arm64Size {
		return fmt.Sprintf("BYTE $%#02x", code[0]), "BYTE"
	}
	return fmt.Sprintf("WORD $%#08x", binary.LittleEndian.Uint32(code)), "WORD"
}
