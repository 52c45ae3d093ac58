//go:build !linux

package runner

import "os"

// syncData puts what was written on the disk.
func syncData(f *os.File) error { return f.Sync() }
