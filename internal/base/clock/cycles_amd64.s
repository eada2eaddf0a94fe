#include "textflag.h"

// func readTSC() uint64
//
// LFENCE makes RDTSC wait until all instructions before it are done. RDTSC
// alone is executed out of order: the stamp behind an operation would be taken
// while its last loads are still under way, and the stamp of a goroutine that
// has just seen another one's stamp can be earlier than that one. Nothing holds
// back the instructions behind RDTSC; they can start only some 10 ns too soon,
// while it executes. This is what Linux does in its own clock (rdtsc_ordered);
// RDTSCP waits as well but costs a few ns more here.
TEXT ·readTSC(SB), NOSPLIT, $0-8
	LFENCE
	RDTSC
	SHLQ $32, DX
	ORQ  DX, AX
	MOVQ AX, ret+0(FP)
	RET

// func readTSCSoon() uint64
//
// RDTSC alone, which is executed while instructions before it may be under way:
// half the cost, and a stamp that is early by some 10 ns at most.
TEXT ·readTSCSoon(SB), NOSPLIT, $0-8
	RDTSC
	SHLQ $32, DX
	ORQ  DX, AX
	MOVQ AX, ret+0(FP)
	RET
