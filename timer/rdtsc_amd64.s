#include "textflag.h"

// RDTSC may be executed before what stands in front of it has ended and after
// what stands behind it has begun. LFENCE waits for all instructions before it
// and holds up all behind it.

// func tscBegin() uint64
//
// The first fence keeps the harness out of the interval, the second the body in.
TEXT ·tscBegin(SB), NOSPLIT, $0-8
	LFENCE
	RDTSC
	LFENCE
	SHLQ $32, DX
	ORQ  DX, AX
	MOVQ AX, ret+0(FP)
	RET

// func tscEnd() uint64
//
// At T1 the stores of the body have to be visible to all too: an LFENCE does
// not wait for them, and they are work of the body. (At T0 there are only the
// harness's few, which lie in the nearest cache; waiting for them there would
// not make the interval truer.) The last fence keeps the reading of the clock,
// which follows, out of the ticks.
TEXT ·tscEnd(SB), NOSPLIT, $0-8
	MFENCE
	LFENCE
	RDTSC
	LFENCE
	SHLQ $32, DX
	ORQ  DX, AX
	MOVQ AX, ret+0(FP)
	RET
