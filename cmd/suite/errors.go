package main

import (
	"context"
	"fmt"

	"example.com/suite/internal/signals"
	"example.com/suite/result"
)

// Exit statuses are part of the interface: scripts depend on them. A run that measured
// ends with the status of its result.Outcome.
const (
	exitOK    = 0 // measured; every gate passed
	exitUsage = 2 // bad command line or suite file; nothing was run
	exitFail  = 3 // a report could not be written, or suite itself failed
	exitUnfit = 4 // identical code is called different on this machine
)

// status is an error that only carries an exit status. Its message is already printed.
type status int

func (s status) Error() string { return fmt.Sprintf("exit status %d", int(s)) }

// exit returns the error that ends suite with a status, nil for exitOK.
func exit(code int) error {
	if code == exitOK {
		return nil
	}
	return status(code)
}

// interrupted is the exit status after the signal that has ended a context.
func interrupted(ctx context.Context) error { return status(result.InterruptStatus(signals.Name(ctx))) }

// fail prints why something could not be measured or written, and returns the exit status for that.
func (e env) fail(err error) error {
	e.printError(err)
	return status(exitFail)
}
