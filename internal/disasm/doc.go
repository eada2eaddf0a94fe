// Package disasm turns machine code into text, function by function: that of amd64,
// 386 and arm64, in the syntax of Go's assembler, Intel's or AT&T's.
//
//	insts, err := disasm.Func("amd64", entry, code, lines, disasm.Go, symbol)
//	for _, in := range insts {
//		fmt.Printf("%#x\t%s\n", in.Addr, in.Text)
//		if in.Flow == disasm.Branch {
//			edges = append(edges, edge{in.Addr, in.Target})
//		}
//	}
//
// The decoders are those of golang.org/x/arch. What they do not know, or read with a
// wrong length, is added here (x86fix.go, arm64fix.go). Bytes that nobody can decode
// become an instruction with Bad set, so that the lengths of what Func returns always
// add up to the length of the code.
//
// Instructions of x86 have no fixed length: behind a byte that was misread, all that
// follows may be wrong. Therefore Func is told addresses that are known to begin an
// instruction, and adds those that the code jumps to. They are weighed, not believed:
// Go's line tables also name addresses behind a LOCK, and inside of instructions that
// assembly spells in bytes.
package disasm
