//go:build !linux

package machine

import "example.com/suite/result"

// details reads nothing: only Linux is supported.
func details(*result.Machine) {}
