//go:build amd64 || arm64

package spawner

// Numbers of the kernel that are the same on both architectures.
const (
	sigKill = 9
	sigTerm = 15
	sigChld = 17

	cloneParent = 0x8000

	prSetPdeathsig = 1
	prSetName      = 15
	prSetSubreaper = 36

	waitNoHang     = 1
	waitStopped    = 2
	waitExited     = 4
	waitContinued  = 8
	waitNoWait     = 0x1000000
	childStopped   = 5
	childContinued = 6

	eintr  = 4
	eproto = 71
)

// All memory that the spawner uses.
var (
	action  sigaction
	message msghdr
	vector  iovec
	control [64]byte
	request Request
	answer  Answer
	hello   Hello
	info    siginfo
	now     [2]int64 // struct timespec
	scratch [4096]byte
	path    [64]byte
	nap     = [2]int64{0, 1e6}

	// current is the process that a signal kills, and fired the signal that came.
	current, fired int64
	// refused is the errno of execve, stored by the child in shared memory.
	refused int64

	// allowed are the CPUs that the spawner began with, of allowedSize bytes, and
	// one is that which it stays on, pinned-1.
	allowed, one        [MostCPUs / 64]uint64
	allowedSize, pinned int64
	// freeSize is allowedSize while a run gets them all back, between fork and exec.
	//lint:ignore U1000 the child reads it, in assembly
	freeSize int64
)

var (
	name     = [...]byte{'s', 'u', 'i', 't', 'e', '-', 's', 'p', 'a', 'w', 'n', 'e', 'r', 0}
	cmdline  = [...]byte{'/', 'p', 'r', 'o', 'c', '/', 's', 'e', 'l', 'f', '/', 'c', 'm', 'd', 'l', 'i', 'n', 'e', 0}
	children = [...]byte{'/', 'p', 'r', 'o', 'c', '/', 't', 'h', 'r', 'e', 'a', 'd', '-', 's', 'e', 'l', 'f', '/', 'c',
		'h', 'i', 'l', 'd', 'r', 'e', 'n', 0}
	root      = [...]byte{'/', 0}
	schedstat = [16]byte{'/', 's', 'c', 'h', 'e', 'd', 's', 't', 'a', 't'}
	io        = [16]byte{'/', 'i', 'o'}
	command   = [16]byte{'/', 'c', 'm', 'd', 'l', 'i', 'n', 'e'}
	comm      = [16]byte{'/', 'c', 'o', 'm', 'm'}
)

type sigaction struct {
	handler, flags, restorer uintptr
	mask                     uint64
}

type siginfo struct {
	signal, errno, code int32
	_                   [29]int32
}

type iovec struct{ base, length uintptr }

type msghdr struct {
	name       uintptr
	nameLength uint32
	_          uint32
	vector     uintptr
	vectors    uintptr
	control    uintptr
	controlLen uintptr
	flags      int32
	_          int32
}

// In assembly.
func syscall6(number, a, b, c, d, e, f uintptr) int64
func vfork(path, argv, env, parent uintptr) int64
func handlerAddress() uintptr
func restorerAddress() uintptr

func init() {
	if isSpawner() {
		begin()
	}
}
