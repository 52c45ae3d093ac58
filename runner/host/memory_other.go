//go:build !linux

package host

// memoryLimit is how far a heap without a collector may grow: 1 GiB where the
// free memory is not known.
func memoryLimit() int64 { return 1 << 30 }
