//go:build !linux

package journal

import "os"

// SyncData puts what was written on the disk.
func SyncData(f *os.File) error { return f.Sync() }
