#include "textflag.h"

// func cntvct() uint64
//
// The first barrier makes earlier instructions end before the reading, the second
// keeps later ones from beginning before it.
TEXT ·cntvct(SB), NOSPLIT, $0-8
	ISB $15
	MRS CNTVCT_EL0, R0
	ISB $15
	MOVD R0, ret+0(FP)
	RET
