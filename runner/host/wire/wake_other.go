//go:build unix && !linux

package wire

import "syscall"

// awakened needs a signal at the death of a parent, which only Linux sends.
func awakened(attr *syscall.SysProcAttr) *syscall.SysProcAttr { return attr }
