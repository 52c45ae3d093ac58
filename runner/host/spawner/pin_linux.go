//go:build amd64 || arm64

package spawner

import "unsafe"

// stay moves the spawner to the CPU that a request names, or lets it go, and decides
// whether the run has to stay there too. It is not timed, and costs nothing if the
// spawner is there already.
//
//go:nosplit
//go:norace
func stay() {
	freeSize = 0
	if request.CPU != pinned && allowedSize > 0 {
		errno := int64(0)
		if request.CPU == 0 {
			errno = bind(allowedSize, &allowed)
		} else {
			one = [len(one)]uint64{}
			one[(request.CPU-1)/64%int64(len(one))] = 1 << ((request.CPU - 1) % 64)
			errno = bind(int64(unsafe.Sizeof(one)), &one)
		}
		if errno == 0 {
			pinned = request.CPU
		}
		answer.Unpinned = -errno
	}
	if allowedSize <= 0 && request.CPU != 0 {
		answer.Unpinned = -allowedSize
	}
	if pinned != 0 && request.Alone != 0 {
		freeSize = allowedSize
	}
}

//go:nosplit
//go:norace
func bind(size int64, to *[MostCPUs / 64]uint64) (errno int64) {
	return syscall6(sysSchedSetaffinity, 0, uintptr(size), uintptr(unsafe.Pointer(to)), 0, 0, 0)
}
