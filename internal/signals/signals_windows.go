package signals

import (
	"os"

	"example.com/suite/runner/process"
)

// more is empty: Windows has no further signals.
var more []os.Signal

func isSuspend(os.Signal) bool { return false }

func (s *Signals) suspend(*process.Set, func(string)) {}

// raise ends this process with the status of SIGINT.
func raise(os.Signal) { os.Exit(130) }

// KeepWriting does nothing: Windows has no SIGPIPE.
func KeepWriting() {}
