package observe

import "golang.org/x/sys/unix"

const nativeArch = unix.AUDIT_ARCH_AARCH64

// x32 is a number that no call has: this architecture has one kind of calls.
const x32 = 0x80000000

// olderCalls do not exist on this architecture.
var olderCalls map[uint32]call
