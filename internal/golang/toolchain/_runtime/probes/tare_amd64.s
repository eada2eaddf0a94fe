#include "go_asm.h"
#include "textflag.h"

// Nothing is called between the reading of the counter and the timed body, and arguments stay in their registers: the
// results of one function are the arguments of the next.

// func TareBegin(c *tareCall, begin, probes uint64, step *tareStep) (*tareCall, uint64, uint64, *tareStep)
//
// Reads the counter if begin is 1.
TEXT ·TareBegin<ABIInternal>(SB), NOSPLIT|NOFRAME, $0-0
	CMPQ BX, $1
	JNE  done
	MOVQ AX, R8
	RDTSC
	SHLQ $32, DX
	ORQ  DX, AX
	MOVQ AX, BX
	MOVQ R8, AX
done:
	RET

// func TareExit(c *tareCall, begin, probes uint64, step *tareStep)
//
// Reads the counter if begin is not 0, for tareExit. LFENCE makes RDTSC wait until the body is done. Without it, RDTSC would
// run before the last instructions of the body: 4 % of a microsecond, where each instruction needs the one before.
// Beginnings need not wait, nor ends of near calls (see tareExit).
TEXT ·TareExit<ABIInternal>(SB), NOSPLIT|NOFRAME, $0-0
	TESTQ BX, BX
	JEQ   done
	MOVQ  AX, R8
	CMPQ  tareCall_unit(AX), $const_tareUnit
	JNE   read
	LFENCE
read:
	RDTSC
	SHLQ  $32, DX
	ORQ   DX, AX
	MOVQ  AX, SI
	MOVQ  R8, AX
done:
	JMP ·tareExit<ABIInternal>(SB)

// func tareTicks() uint64
TEXT ·tareTicks<ABIInternal>(SB), NOSPLIT|NOFRAME, $0-0
	LFENCE
	RDTSC
	SHLQ $32, DX
	ORQ  DX, AX
	RET
