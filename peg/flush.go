//go:build !nopeg

package peg

import (
	"fmt"
	"os"
	"strings"
	"time"

	"example.com/suite/peg/pegfile"
)

// flushEvery is how often a program that was started with Variable writes what it has
// measured so far: os.Exit, a crash or a kill cost at most the last of these.
const flushEvery = 200 * time.Millisecond

// asked is what Variable has asked for, refused where it is not set or cannot be done.
var asked = start(os.Getenv(pegfile.Variable))

// start switches pegs on where a target is named. It writes at once, so that a program
// which ends without Flush is distinguished from one that has no pegs.
func start(target string) *writer {
	if target == "" {
		return &writer{refused: true}
	}
	w, err := newWriter(target)
	if err == nil {
		err = w.write(&pegfile.Document{Protocol: pegfile.Protocol, Points: []pegfile.Hits{}, Arcs: []pegfile.Arc{}}) // nothing may be hit yet: packages are being initialised
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "peg: %s=%s: %v\n", pegfile.Variable, target, err) // nobody asks for the error of an init
		w.refused = true
	}
	return w
}

func init() {
	if asked.refused {
		return
	}
	Enable(names(os.Getenv(pegfile.PointsVariable))...)
	go asked.keep(time.Tick(flushEvery))
}

// names returns the names in PointsVariable.
func names(list string) (all []string) {
	for name := range strings.SplitSeq(list, ",") {
		if name = strings.TrimSpace(name); name != "" {
			all = append(all, name)
		}
	}
	return all
}

// Flush writes what was measured to where Variable says, as all that there is. Call it
// as the last deed of a program, `defer peg.Flush()` at the head of main, or Exit in
// place of os.Exit: without it the last 200 ms may be missing, and the document states
// that its end is not known. Where Variable is not set nothing is written, and the
// error is nil.
func Flush() error {
	if asked.refused {
		return nil
	}
	return asked.flush(true)
}

// Exit is Flush and os.Exit, which runs no deferred function. An error of Flush goes to
// standard error and leaves the status as it is.
func Exit(status int) {
	if err := Flush(); err != nil {
		fmt.Fprintf(os.Stderr, "peg: %v\n", err)
	}
	os.Exit(status)
}
