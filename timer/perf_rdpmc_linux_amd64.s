#include "textflag.h"

// func rdpmc(counter uint32) uint64
//
// RDPMC is not ordered with other instructions. The first fence makes all earlier
// ones, such as the body at T1, end before the reading; the second keeps later ones,
// such as the body at T0, from beginning before it.
TEXT ·rdpmc(SB), NOSPLIT, $0-16
	MOVL counter+0(FP), CX
	LFENCE
	RDPMC
	LFENCE
	SHLQ $32, DX
	ORQ  DX, AX
	MOVQ AX, ret+8(FP)
	RET
