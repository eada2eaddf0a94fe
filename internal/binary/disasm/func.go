package disasm

import (
	"fmt"
	"slices"
)

// A Symbol returns the name of the function or variable that contains addr, and its first address. The name
// is "" if unknown.
type Symbol = func(addr uint64) (name string, base uint64)

// decoder decodes the code of one architecture.
type decoder interface {
	// alignment returns the alignment of instructions relative to the function, in bytes.
	alignment() int
	// inst decodes the first instruction of code, without its text. If there is none, the result has Bad
	// set. Its length is from 1 to len(code).
	inst(addr uint64, code []byte) decoded
	// mask masks the instruction at an offset of the code of a function; see [Mask].
	mask(m *masker, at int) (n int, ref uint64)
	// text formats the instruction that is all of code, and returns its mnemonic.
	text(addr uint64, code []byte, syntax Syntax, symbol Symbol) (text, op string)
	// bytes formats code that is not an instruction.
	bytes(code []byte) (text, op string)
}

// decoded is an instruction with what markPadding and splitter need.
type decoded struct {
	Inst
	filler bool // linkers and compilers fill gaps with it
	prefix int  // length of a prefix that jumps may skip
}

// badInst returns an instruction for bytes that cannot be decoded.
func badInst(addr uint64, length int) decoded {
	return decoded{Inst: Inst{Addr: addr, Len: length, Bad: true}}
}

// Func disassembles the code of one function, which begins at addr. The instructions are in order of address
// and their lengths add up to that of the code.
//
// known are addresses that begin an instruction, in any order: of line tables, return addresses, samples. Func
// ignores those outside of the code. symbol names the addresses that the code refers to. Both may be nil.
//
// Goroutines may call Func at the same time. It fails for an arch (as in GOARCH) or syntax that is unknown.
func Func(arch string, addr uint64, code []byte, known []uint64, syntax Syntax, symbol func(addr uint64) (name string, base uint64)) ([]Inst, error) {
	d, err := decoderFor(arch)
	if err != nil {
		return nil, err
	}
	if syntax != Go && syntax != Intel && syntax != ATT {
		return nil, fmt.Errorf("syntax %q: unknown; known: %s, %s, %s", syntax, Go, Intel, ATT)
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

// markPadding marks the fill instructions at the end.
func markPadding(all []decoded) {
	for i := range slices.Backward(all) {
		if !all[i].filler {
			return
		}
		all[i].Padding = true
	}
}
