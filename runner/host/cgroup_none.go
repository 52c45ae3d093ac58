//go:build !linux || !(amd64 || arm64)

package host

// RemoveStaleGroups does nothing: control groups are of Linux alone.
func RemoveStaleGroups() {}
