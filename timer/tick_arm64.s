#include "textflag.h"

// func cntvct() uint64
//
// The first barrier lets what stands before it end, the second keeps what
// stands behind it from beginning before the counter was read.
TEXT ·cntvct(SB), NOSPLIT, $0-8
	ISB $15
	MRS CNTVCT_EL0, R0
	ISB $15
	MOVD R0, ret+0(FP)
	RET
