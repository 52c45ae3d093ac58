#include "textflag.h"

// The processor may execute RDTSC before earlier instructions have ended, and after
// later ones have begun. LFENCE waits for all earlier instructions and delays all
// later ones.

// func tscBegin() uint64
//
// The first fence keeps the harness out of the interval, the second keeps the body
// in it.
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
// The MFENCE waits until the body's stores are visible to all CPUs: they are work of
// the body, and LFENCE does not wait for them. tscBegin needs none: before it come
// only the harness's few stores to the nearest cache, and waiting for them would not
// make the interval more accurate. The last fence keeps the reading of the clock,
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
