#include "textflag.h"

// func syscall6(number, a, b, c, d, e, f uintptr) int64
TEXT ·syscall6(SB), NOSPLIT, $0-64
	MOVQ number+0(FP), AX
	MOVQ a+8(FP), DI
	MOVQ b+16(FP), SI
	MOVQ c+24(FP), DX
	MOVQ d+32(FP), R10
	MOVQ e+40(FP), R8
	MOVQ f+48(FP), R9
	SYSCALL
	MOVQ AX, ret+56(FP)
	RET

// func vfork(path, argv, env, parent uintptr) int64
//
// The child runs on the stack of the parent, which stands still until the child
// has called execve: it writes nothing there.
TEXT ·vfork(SB), NOSPLIT, $0-40
	MOVQ path+0(FP), R12
	MOVQ argv+8(FP), R13
	MOVQ env+16(FP), R15
	MOVQ parent+24(FP), BX
	MOVQ $0x4111, DI      // CLONE_VM | CLONE_VFORK | SIGCHLD
	XORL SI, SI
	XORL DX, DX
	XORL R10, R10
	XORL R8, R8
	MOVL $56, AX          // clone
	SYSCALL
	TESTQ AX, AX
	JNZ  parent
	XORL DI, DI
	XORL SI, SI
	MOVL $109, AX         // setpgid(0, 0)
	SYSCALL
	MOVL $1, DI           // PR_SET_PDEATHSIG
	MOVL $9, SI           // SIGKILL
	MOVL $157, AX         // prctl
	SYSCALL
	MOVL $110, AX         // getppid: the parent may have died before
	SYSCALL
	CMPQ AX, BX
	JNE  orphan
	MOVQ ·freeSize(SB), SI
	TESTQ SI, SI
	JZ   exec
	XORL DI, DI
	LEAQ ·allowed(SB), DX
	MOVL $203, AX         // sched_setaffinity(0, …)
	SYSCALL
exec:
	MOVQ R12, DI
	MOVQ R13, SI
	MOVQ R15, DX
	MOVL $59, AX          // execve
	SYSCALL
	NEGQ AX
	MOVQ AX, ·refused(SB)
orphan:
	MOVL $127, DI
	MOVL $60, AX          // exit
	SYSCALL
	INT  $3
parent:
	MOVQ AX, ·current(SB)
	MOVQ AX, ret+32(FP)
	RET

// handler is what a signal runs: it kills the current run, also while the spawner
// waits for it, and leaves a word. It returns to the kernel by itself.
TEXT handler<>(SB), NOSPLIT|NOFRAME, $0
	MOVLQSX DI, DI
	MOVQ DI, ·fired(SB)
	MOVQ ·current(SB), R12
	TESTQ R12, R12
	JZ   done
	MOVQ R12, DI
	NEGQ DI               // its group, and itself: it may have gone to another
	MOVL $9, SI
	MOVL $62, AX          // kill
	SYSCALL
	MOVQ R12, DI
	MOVL $9, SI
	MOVL $62, AX
	SYSCALL
done:
	RET

TEXT restorer<>(SB), NOSPLIT|NOFRAME, $0
	MOVL $15, AX          // rt_sigreturn
	SYSCALL
	INT  $3

// func handlerAddress() uintptr
TEXT ·handlerAddress(SB), NOSPLIT, $0-8
	LEAQ handler<>(SB), AX
	MOVQ AX, ret+0(FP)
	RET

// func restorerAddress() uintptr
TEXT ·restorerAddress(SB), NOSPLIT, $0-8
	LEAQ restorer<>(SB), AX
	MOVQ AX, ret+0(FP)
	RET
