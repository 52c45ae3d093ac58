//go:build amd64 || arm64

package observe

import (
	"maps"

	"golang.org/x/sys/unix"
)

// op is what a call does with its paths.
type op uint8

const (
	opStat   op = iota // looks at a path
	opLstat            // looks at a path, and does not follow a link
	opLink             // reads a link
	opOpen             // flags are in an argument
	opOpen2            // flags are in a struct
	opCreate           // creat
	opHandle           // open_by_handle_at
	opExec
	opList   // the folder is a descriptor
	opChange // changes the file of a path
	opMake   // makes a name: mkdir, mknod, symlink
	opRemove
	opRename
	opHard // link: a second name for a file
	opConnect
	opBind
	opSocket
	opClone
	opClone3
	opDescriptor // looks at, or changes, the file of a descriptor
	opDoubt
)

// call describes a call of the kernel. Numbers count arguments; no means that the
// call has none.
type call struct {
	op       op
	at       int // the folder in which a relative path begins; no: the working folder
	path     int
	at2      int // of the second path
	path2    int
	flags    int
	follow   uint64 // in flags: follow a link; 0: links are followed
	nofollow uint64 // in flags: do not follow a link
	use      Use    // of opStat and opLstat in addition to Stat, of opDescriptor
	cause    Cause  // of opDoubt
	name     string // of opDoubt

	// harmless reports, for opDoubt, that a call with these arguments is no doubt; nil: none is.
	harmless func(args *[6]uint64) bool
}

const no = -1

// one is a call with a path in an argument.
func one(op op, path int) call { return call{op: op, at: no, path: path, path2: no, flags: no} }

// at is a call with a descriptor, a path in the next argument, and flags or none.
func at(op op, fd, flags int) call {
	return call{op: op, at: fd, path: fd + 1, path2: no, flags: flags, nofollow: unix.AT_SYMLINK_NOFOLLOW}
}

// two is a call with two paths.
func two(op op, at, path, at2, path2 int) call {
	return call{op: op, at: at, path: path, at2: at2, path2: path2, flags: no}
}

func bare(op op) call { return call{op: op, at: no, path: no, path2: no, flags: no} }

// asks is a call that looks at the attributes of a file.
func asks(c call) call {
	c.use = Attributes
	return c
}

// file is a call about the file of its first argument, a descriptor.
func file(use Use) call {
	return call{op: opDescriptor, at: 0, path: no, path2: no, flags: no, use: use}
}

// unless is a doubt with exceptions.
func unless(harmless func(args *[6]uint64) bool, c call) call {
	c.harmless = harmless
	return c
}

// private reports that the first argument is a key that nobody else can know.
func private(args *[6]uint64) bool { return args[0] == 0 }

func doubtfulCall(cause Cause, name string) call {
	c := bare(opDoubt)
	c.cause, c.name = cause, name
	return c
}

// calls are all calls that the filter stops, by number.
var calls = func() map[uint32]call {
	all := maps.Clone(commonCalls)
	maps.Copy(all, olderCalls)
	return all
}()

var commonCalls = map[uint32]call{
	unix.SYS_OPENAT:            at(opOpen, 0, 2),
	unix.SYS_OPENAT2:           at(opOpen2, 0, no),
	unix.SYS_OPEN_BY_HANDLE_AT: bare(opHandle),
	unix.SYS_EXECVE:            one(opExec, 0),
	unix.SYS_EXECVEAT:          at(opExec, 0, 4),
	unix.SYS_GETDENTS64:        call{op: opList, at: 0, path: no, path2: no, flags: no},

	unix.SYS_NEWFSTATAT:        at(opStat, 0, 3),
	unix.SYS_STATX:             at(opStat, 0, 2),
	unix.SYS_FACCESSAT:         at(opStat, 0, no),
	unix.SYS_FACCESSAT2:        at(opStat, 0, 3),
	unix.SYS_NAME_TO_HANDLE_AT: call{op: opStat, at: 0, path: 1, path2: no, flags: 4, follow: unix.AT_SYMLINK_FOLLOW},
	unix.SYS_CHDIR:             one(opStat, 0),
	unix.SYS_STATFS:            one(opStat, 0),
	unix.SYS_GETXATTR:          asks(one(opStat, 0)),
	unix.SYS_LISTXATTR:         asks(one(opStat, 0)),
	unix.SYS_LGETXATTR:         asks(one(opLstat, 0)),
	unix.SYS_LLISTXATTR:        asks(one(opLstat, 0)),
	unix.SYS_FGETXATTR:         file(Attributes),
	unix.SYS_FLISTXATTR:        file(Attributes),
	sysGetxattrat:              asks(at(opStat, 0, 2)),
	sysListxattrat:             asks(at(opStat, 0, 2)),
	sysFileGetattr:             at(opStat, 0, 4),
	unix.SYS_INOTIFY_ADD_WATCH: one(opStat, 1),
	unix.SYS_FANOTIFY_MARK:     call{op: opStat, at: 3, path: 4, path2: no, flags: no},
	unix.SYS_READLINKAT:        at(opLink, 0, no),

	unix.SYS_TRUNCATE:     one(opChange, 0),
	unix.SYS_FCHMODAT:     at(opChange, 0, no),
	sysFchmodat2:          at(opChange, 0, 3),
	unix.SYS_FCHOWNAT:     at(opChange, 0, 4),
	unix.SYS_UTIMENSAT:    at(opChange, 0, 3),
	unix.SYS_SETXATTR:     one(opChange, 0),
	unix.SYS_REMOVEXATTR:  one(opChange, 0),
	unix.SYS_LSETXATTR:    one(opChange, 0),
	unix.SYS_LREMOVEXATTR: one(opChange, 0),
	unix.SYS_FCHMOD:       file(Stat | Written),
	unix.SYS_FCHOWN:       file(Stat | Written),
	unix.SYS_FSETXATTR:    file(Stat | Written),
	unix.SYS_FREMOVEXATTR: file(Stat | Written),
	sysSetxattrat:         at(opChange, 0, 2),
	sysRemovexattrat:      at(opChange, 0, 2),
	sysFileSetattr:        at(opChange, 0, 4),
	unix.SYS_MKDIRAT:      at(opMake, 0, no),
	unix.SYS_MKNODAT:      at(opMake, 0, no),
	unix.SYS_SYMLINKAT:    at(opMake, 1, no),
	unix.SYS_UNLINKAT:     at(opRemove, 0, no),
	unix.SYS_RENAMEAT2:    two(opRename, 0, 1, 2, 3),
	unix.SYS_RENAMEAT:     two(opRename, 0, 1, 2, 3),
	unix.SYS_LINKAT:       call{op: opHard, at: 0, path: 1, at2: 2, path2: 3, flags: 4, follow: unix.AT_SYMLINK_FOLLOW},

	unix.SYS_CONNECT: bare(opConnect),
	unix.SYS_BIND:    bare(opBind),
	unix.SYS_SOCKET:  bare(opSocket), // only some: see filter
	unix.SYS_SENDTO:  bare(opSocket), // only those that connect too: see filter
	unix.SYS_SENDMSG: bare(opSocket),
	unix.SYS_CLONE:   bare(opClone), // only some: see filter
	unix.SYS_CLONE3:  bare(opClone3),

	unix.SYS_IO_URING_SETUP: doubtfulCall(IOUring, "io_uring_setup"),
	unix.SYS_PTRACE:         doubtfulCall(Debugger, "ptrace"),
	unix.SYS_PIDFD_GETFD:    doubtfulCall(Debugger, "pidfd_getfd"),
	unix.SYS_SECCOMP: unless(func(args *[6]uint64) bool {
		return args[0] != unix.SECCOMP_SET_MODE_FILTER || args[1]&unix.SECCOMP_FILTER_FLAG_NEW_LISTENER == 0
	}, doubtfulCall(Filter, "seccomp")),
	unix.SYS_MOUNT:      doubtfulCall(Mounts, "mount"),
	unix.SYS_UMOUNT2:    doubtfulCall(Mounts, "umount"),
	unix.SYS_MOVE_MOUNT: doubtfulCall(Mounts, "move_mount"),
	unix.SYS_OPEN_TREE:  doubtfulCall(Mounts, "open_tree"),
	sysOpenTreeAttr:     doubtfulCall(Mounts, "open_tree_attr"),
	unix.SYS_FSOPEN:     doubtfulCall(Mounts, "fsopen"),
	unix.SYS_FSPICK:     doubtfulCall(Mounts, "fspick"),
	unix.SYS_PIVOT_ROOT: doubtfulCall(Mounts, "pivot_root"),
	unix.SYS_CHROOT:     doubtfulCall(Mounts, "chroot"),
	unix.SYS_SETNS:      doubtfulCall(Mounts, "setns"),
	unix.SYS_UNSHARE:    doubtfulCall(Mounts, "unshare"), // only of mounts: see filter
	unix.SYS_SHMGET:     unless(private, doubtfulCall(IPC, "shmget")),
	unix.SYS_SEMGET:     unless(private, doubtfulCall(IPC, "semget")),
	unix.SYS_MSGGET:     unless(private, doubtfulCall(IPC, "msgget")),
	unix.SYS_MQ_OPEN:    doubtfulCall(IPC, "mq_open"),
}

// Calls that are newer than the tables of golang.org/x/sys on some architecture. All
// architectures have the same numbers.
const (
	sysFchmodat2     = 452
	sysSetxattrat    = 463
	sysGetxattrat    = 464
	sysListxattrat   = 465
	sysRemovexattrat = 466
	sysOpenTreeAttr  = 467
	sysFileGetattr   = 468
	sysFileSetattr   = 469
)
