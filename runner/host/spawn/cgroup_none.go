//go:build !linux || !(amd64 || arm64)

package spawn

// RemoveStaleGroups does nothing: control groups are of Linux alone.
func RemoveStaleGroups() {}
