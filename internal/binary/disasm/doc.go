// Package disasm disassembles functions of amd64, 386 and arm64, in the syntax of Go's assembler, Intel or AT&T.
//
//	insts, err := disasm.Func("amd64", entry, code, lines, disasm.Go, symbol)
//	for _, in := range insts {
//		fmt.Printf("%#x\t%s\n", in.Addr, in.Text)
//		if in.Flow == disasm.Branch {
//			edges = append(edges, edge{in.Addr, in.Target})
//		}
//	}
//
// The decoders are those of golang.org/x/arch. x86fix.go and arm64extra.go add instructions that these do not know or decode with a wrong length. Bytes that cannot be decoded become an instruction with Bad set, so
// the lengths of Func's result always add up to the length of the code.
//
// Instructions of x86 have no fixed length: after one misread byte all that follows may be wrong.
// Therefore Func takes addresses that are known to begin an instruction, and adds the targets of jumps. It
// uses them only if they fit better than the instructions before: Go's line tables also contain addresses
// after a LOCK prefix, and inside instructions that assembly writes as bytes.
package disasm
