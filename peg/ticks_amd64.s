//go:build !nopeg

#include "textflag.h"

// func readTicks() uint64
//
// The fence waits until the work before the stamp is done, see stampTicks.
TEXT ·readTicks(SB), NOSPLIT, $0-8
	LFENCE
	RDTSC
	SHLQ $32, DX
	ORQ  DX, AX
	MOVQ AX, ret+0(FP)
	RET

// func cpuid(leaf uint32) (a, d uint32)
TEXT ·cpuid(SB), NOSPLIT, $0-16
	MOVL leaf+0(FP), AX
	XORL CX, CX
	CPUID
	MOVL AX, a+8(FP)
	MOVL DX, d+12(FP)
	RET

// func flushLine(at unsafe.Pointer)
TEXT ·flushLine(SB), NOSPLIT, $0-8
	MOVQ at+0(FP), AX
	CLFLUSH (AX)
	RET
