#include "textflag.h"

// func syscall6(number, a, b, c, d, e, f uintptr) int64
TEXT ·syscall6(SB), NOSPLIT, $0-64
	MOVD number+0(FP), R8
	MOVD a+8(FP), R0
	MOVD b+16(FP), R1
	MOVD c+24(FP), R2
	MOVD d+32(FP), R3
	MOVD e+40(FP), R4
	MOVD f+48(FP), R5
	SVC
	MOVD R0, ret+56(FP)
	RET

// func vfork(path, argv, env, parent uintptr) int64
//
// The child runs on the stack of the parent, which stands still until the child
// has called execve: it writes nothing there.
TEXT ·vfork(SB), NOSPLIT, $0-40
	MOVD path+0(FP), R9
	MOVD argv+8(FP), R10
	MOVD env+16(FP), R11
	MOVD parent+24(FP), R12
	MOVD $0x4111, R0      // CLONE_VM | CLONE_VFORK | SIGCHLD
	MOVD ZR, R1
	MOVD ZR, R2
	MOVD ZR, R3
	MOVD ZR, R4
	MOVD $220, R8         // clone
	SVC
	CBNZ R0, parent
	MOVD ZR, R0
	MOVD ZR, R1
	MOVD $154, R8         // setpgid(0, 0)
	SVC
	MOVD $1, R0           // PR_SET_PDEATHSIG
	MOVD $9, R1           // SIGKILL
	MOVD $167, R8         // prctl
	SVC
	MOVD $173, R8         // getppid: the parent may have died before
	SVC
	CMP  R12, R0
	BNE  orphan
	MOVD ·freeSize(SB), R1
	CBZ  R1, exec
	MOVD ZR, R0
	MOVD $·allowed(SB), R2
	MOVD $122, R8         // sched_setaffinity(0, …)
	SVC
exec:
	MOVD R9, R0
	MOVD R10, R1
	MOVD R11, R2
	MOVD $221, R8         // execve
	SVC
	NEG  R0, R0
	MOVD R0, ·refused(SB)
orphan:
	MOVD $127, R0
	MOVD $93, R8          // exit
	SVC
	BRK
parent:
	MOVD R0, ·current(SB)
	MOVD R0, ret+32(FP)
	RET

// handler is what a signal runs: it kills the current run, also while the spawner
// waits for it, and leaves a word. The kernel brings all registers back.
TEXT handler<>(SB), NOSPLIT|NOFRAME, $0
	MOVW R0, R0
	MOVD R0, ·fired(SB)
	MOVD ·current(SB), R9
	CBZ  R9, done
	NEG  R9, R0           // its group, and itself: it may have gone to another
	MOVD $9, R1
	MOVD $129, R8         // kill
	SVC
	MOVD R9, R0
	MOVD $9, R1
	MOVD $129, R8
	SVC
done:
	RET

TEXT restorer<>(SB), NOSPLIT|NOFRAME, $0
	MOVD $139, R8         // rt_sigreturn
	SVC
	BRK

// func handlerAddress() uintptr
TEXT ·handlerAddress(SB), NOSPLIT, $0-8
	MOVD $handler<>(SB), R0
	MOVD R0, ret+0(FP)
	RET

// func restorerAddress() uintptr
TEXT ·restorerAddress(SB), NOSPLIT, $0-8
	MOVD $restorer<>(SB), R0
	MOVD R0, ret+0(FP)
	RET
