//go:build unix

package orphan

import "golang.org/x/sys/unix"

// KillGroup kills all processes of a group, whose leader may have been reaped: while the group has
// a member, no other process has its number. The error is non-nil if the group is empty.
func KillGroup(pid int) error { return unix.Kill(-pid, unix.SIGKILL) }
