package disasm

import (
	"fmt"
	"slices"
	"strings"
)

// A Symbol names an address: that of the function or variable which the address is
// in, and where that one begins. The name is "" if nothing is known.
type Symbol = func(addr uint64) (name string, base uint64)

// decoder knows the code of one machine.
type decoder interface {
	// unit is what addresses of instructions, counted from the function's, are multiples of.
	unit() int
	// inst decodes the instruction at the beginning of the code, without its text. It
	// is Bad if there is none; its length is always from 1 to that of the code.
	inst(addr uint64, code []byte) decoded
	// text writes the instruction that is all of the code, and its mnemonic.
	text(addr uint64, code []byte, syntax Syntax, symbol Symbol) (text, op string)
	// bytes writes code that is no instruction.
	bytes(code []byte) (text, op string)
}

// decoded is an instruction, and what else is asked about it.
type decoded struct {
	Inst
	filler bool // linkers and compilers fill gaps with it
	prefix int  // bytes before the opcode that it would also run without
}

// bad is code that is no instruction.
func bad(addr uint64, length int) decoded {
	return decoded{Inst: Inst{Addr: addr, Len: length, Bad: true}}
}

// Func disassembles the code of one function, which begins at addr. The lengths of
// what it returns add up to that of the code, in the order of addresses.
//
// known are addresses that begin an instruction, in any order: of the line table, of
// calls that return, of samples. Those outside of the code are ignored, and nil is
// fine. symbol names what the code refers to and may be nil.
//
// Goroutines may call Func at the same time. The error is about an arch (as in GOARCH)
// or a syntax that is not known.
func Func(arch string, addr uint64, code []byte, known []uint64, syntax Syntax, symbol func(addr uint64) (name string, base uint64)) ([]Inst, error) {
	d, err := decoderFor(arch)
	if err != nil {
		return nil, err
	}
	if syntax != Go && syntax != Intel && syntax != ATT {
		return nil, fmt.Errorf("syntax %q: not known; there are %s, %s and %s", syntax, Go, Intel, ATT)
	}
	if symbol == nil {
		symbol = func(uint64) (string, uint64) { return "", 0 }
	}
	all := split(d, addr, code, known)
	markPadding(all)
	insts := make([]Inst, len(all))
	for i, in := range all {
		bytes := code[in.Addr-addr:][:in.Len]
		if in.Bad {
			in.Text, in.Op = d.bytes(bytes)
		} else {
			in.Text, in.Op = d.text(in.Addr, bytes, syntax, symbol)
		}
		insts[i] = in.Inst
	}
	return insts, nil
}

// Archs are those that Func knows, by their names in GOARCH.
func Archs() []string { return []string{"386", "amd64", "arm64"} }

func decoderFor(arch string) (decoder, error) {
	switch arch {
	case "386":
		return x86{mode: 32}, nil
	case "amd64":
		return x86{mode: 64}, nil
	case "arm64":
		return arm64{}, nil
	}
	return nil, fmt.Errorf("machine code of %q cannot be disassembled; that of %s can", arch, strings.Join(Archs(), ", "))
}

// markPadding marks the instructions that only fill up the end.
func markPadding(all []decoded) {
	for i := range slices.Backward(all) {
		if !all[i].filler {
			return
		}
		all[i].Pad = true
	}
}
