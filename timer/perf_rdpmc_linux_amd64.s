#include "textflag.h"

// func rdpmc(counter uint32) uint64
//
// RDPMC orders nothing. The first fence lets the body end before the reading,
// the second keeps it from beginning early.
TEXT ·rdpmc(SB), NOSPLIT, $0-16
	MOVL counter+0(FP), CX
	LFENCE
	RDPMC
	LFENCE
	SHLQ $32, DX
	ORQ  DX, AX
	MOVQ AX, ret+8(FP)
	RET
