#include "go_asm.h"
#include "textflag.h"

// The counter is the one that the kernel's clock is based on, with a frequency of its own. As in tare_amd64.s, arguments
// stay in their registers.

// func TareBegin(c *tareCall, begin, probes uint64, step *tareStep) (*tareCall, uint64, uint64, *tareStep)
TEXT ·TareBegin<ABIInternal>(SB), NOSPLIT|NOFRAME, $0-0
	CMP $1, R1
	BNE done
	MRS CNTVCT_EL0, R1
done:
	RET

// func TareExit(c *tareCall, begin, probes uint64, step *tareStep)
TEXT ·TareExit<ABIInternal>(SB), NOSPLIT|NOFRAME, $0-0
	CBZ   R1, done
	MOVD  tareCall_unit(R0), R5
	CMP   $const_tareUnit, R5
	BNE   read
	ISB   $15
read:
	MRS CNTVCT_EL0, R4
done:
	B ·tareExit<ABIInternal>(SB)

// func tareTicks() uint64
TEXT ·tareTicks<ABIInternal>(SB), NOSPLIT|NOFRAME, $0-0
	ISB $15
	MRS CNTVCT_EL0, R0
	RET
