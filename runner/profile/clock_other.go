//go:build !linux

package profile

func monotonic() int64 { return 0 } // perf is a program for Linux
