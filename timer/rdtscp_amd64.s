#include "textflag.h"

// func rdtscp() (tsc uint64, aux uint32)
//
// RDTSCP itself waits for all earlier instructions; the fence delays the later ones.
TEXT ·rdtscp(SB), NOSPLIT, $0-12
	RDTSCP
	LFENCE
	SHLQ $32, DX
	ORQ  DX, AX
	MOVQ AX, tsc+0(FP)
	MOVL CX, aux+8(FP)
	RET
