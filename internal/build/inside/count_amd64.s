//go:build ignore

#include "textflag.h"

// func suiteValgrind(args *[6]uint64) uint64
//
// AX points to the request and its arguments. DX is 0, the answer of a processor, until valgrind replaces it. The
// exchange is written in bytes, because valgrind looks for exactly these.
TEXT ·suiteValgrind(SB), NOSPLIT, $0-16
	MOVQ args+0(FP), AX
	XORL DX, DX
	ROLQ $3, DI
	ROLQ $13, DI
	ROLQ $61, DI
	ROLQ $51, DI
	BYTE $0x48; BYTE $0x87; BYTE $0xDB // XCHGQ BX, BX
	MOVQ DX, ret+8(FP)
	RET
