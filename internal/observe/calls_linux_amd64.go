package observe

import "golang.org/x/sys/unix"

const nativeArch = unix.AUDIT_ARCH_X86_64

// x32 is the bit in the number of a call that asks for 32-bit pointers.
const x32 = 0x40000000

// olderCalls have no descriptor of a folder.
var olderCalls = map[uint32]call{
	unix.SYS_OPEN:      call{op: opOpen, at: no, path: 0, path2: no, flags: 1},
	unix.SYS_CREAT:     one(opCreate, 0),
	unix.SYS_STAT:      one(opStat, 0),
	unix.SYS_LSTAT:     one(opLstat, 0),
	unix.SYS_ACCESS:    one(opStat, 0),
	unix.SYS_READLINK:  one(opLink, 0),
	unix.SYS_GETDENTS:  call{op: opList, at: 0, path: no, path2: no, flags: no},
	unix.SYS_CHMOD:     one(opChange, 0),
	unix.SYS_CHOWN:     one(opChange, 0),
	unix.SYS_LCHOWN:    one(opChange, 0),
	unix.SYS_UTIME:     one(opChange, 0),
	unix.SYS_UTIMES:    one(opChange, 0),
	unix.SYS_FUTIMESAT: at(opChange, 0, no),
	unix.SYS_MKDIR:     one(opMake, 0),
	unix.SYS_MKNOD:     one(opMake, 0),
	unix.SYS_SYMLINK:   one(opMake, 1),
	unix.SYS_UNLINK:    one(opRemove, 0),
	unix.SYS_RMDIR:     one(opRemove, 0),
	unix.SYS_RENAME:    two(opRename, no, 0, no, 1),
	unix.SYS_LINK:      two(opHard, no, 0, no, 1),
}
