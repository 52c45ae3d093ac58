#include "textflag.h"

// func rdtscp() (tsc uint64, aux uint32)
//
// RDTSCP waits for all instructions before it by itself; the fence holds up
// those behind it.
TEXT ·rdtscp(SB), NOSPLIT, $0-12
	RDTSCP
	LFENCE
	SHLQ $32, DX
	ORQ  DX, AX
	MOVQ AX, tsc+0(FP)
	MOVL CX, aux+8(FP)
	RET
