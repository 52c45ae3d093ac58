package main

import (
	"errors"
	"fmt"
	"slices"
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

// troubles are several problems of one command line.
type troubles []error

func (t troubles) Error() string { return errors.Join(t...).Error() }

// orNil drops the troubles that are nil. It is nil if there are no others.
func (t troubles) orNil() error {
	t = slices.DeleteFunc(t, func(err error) bool { return err == nil })
	if len(t) == 0 {
		return nil
	}
	return t
}
