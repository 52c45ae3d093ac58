//go:build !linux

package binary

import "time"

// identity is unknown here: without the time of the last change, which os.FileInfo has
// for Linux only, a program that was replaced could pass for the one before.
func identity(string, time.Time) (text string, settled bool) { return "", false }
