package disasm_test

import (
	"fmt"
	"log"

	"github.com/tarebench/tare/internal/binary/disasm"
)

// A loop that adds up a slice, and what the bounds check leads to.
func ExampleFunc() {
	code := []byte("\x31\xc9\x31\xd2\xeb\x07\x48\x03\x14\xc8\x48\xff\xc1\x48\x39\xd9\x7c\xf4\x48\x89\xd0\xc3\xe8\xe5\x0f\x00\x00\xcc")
	symbol := func(addr uint64) (string, uint64) {
		if addr == 0x402000 {
			return "runtime.panicBounds", addr
		}
		return "", 0
	}
	insts, err := disasm.Func("amd64", 0x401000, code, nil, disasm.Go, symbol)
	if err != nil {
		log.Fatal(err)
	}
	for _, in := range insts {
		if in.Padding {
			break
		}
		fmt.Printf("%x %-6v %s\n", in.Addr, in.Flow, in.Text)
	}
	// Output:
	// 401000 next   XORL CX, CX
	// 401002 next   XORL DX, DX
	// 401004 jump   JMP 0x40100d
	// 401006 next   ADDQ 0(AX)(CX*8), DX
	// 40100a next   INCQ CX
	// 40100d next   CMPQ CX, BX
	// 401010 branch JL 0x401006
	// 401012 next   MOVQ DX, AX
	// 401015 return RET
	// 401016 call   CALL runtime.panicBounds(SB)
}
