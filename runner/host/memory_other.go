//go:build !linux

package host

// memoryLimit returns how far a heap without a collector may grow: 1 GiB, because the
// free memory is not known.
func memoryLimit() int64 { return 1 << 30 }
