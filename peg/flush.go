//go:build !nopeg

package peg

import (
	"fmt"
	"os"
	"strings"
	"time"

	"example.com/suite/peg/pegfile"
)

// flushEvery is the time after which a program that was started with Variable writes its
// document again: os.Exit, a crash or a kill loses the hits of at most one such interval.
const flushEvery = 200 * time.Millisecond

// requested is the writer that Variable asks for. It is refused if Variable is not set or
// cannot be followed.
var requested = start(os.Getenv(pegfile.Variable))

// start returns the writer for a target, refused if there is none. It writes an empty
// document at once, so that readers can distinguish a program that ends without Flush
// from a program without pegs.
func start(target string) *writer {
	if target == "" {
		return &writer{refused: true}
	}
	w, err := newWriter(target)
	if err == nil {
		// nothing may be hit yet: packages are being initialised
		err = w.write(&pegfile.Document{Protocol: pegfile.Protocol, Points: []pegfile.Hits{}, Arcs: []pegfile.Arc{}})
	}
	if err != nil {
		// nobody asks for the error of an init
		fmt.Fprintf(os.Stderr, "peg: %s=%s: %v\n", pegfile.Variable, target, err)
		w.refused = true
	}
	return w
}

func init() {
	if requested.refused {
		return
	}
	Enable(names(os.Getenv(pegfile.PointsVariable))...)
	go requested.keep(time.Tick(flushEvery))
}

// names returns the names in PointsVariable.
func names(list string) (all []string) {
	for name := range strings.SplitSeq(list, ",") {
		name = strings.TrimSpace(name)
		if name != "" {
			all = append(all, name)
		}
	}
	return all
}

// Flush writes the final document to the file that the environment variable SUITE_PEGS
// names. Call it last, with `defer peg.Flush()` at the top of main, or call Exit instead
// of os.Exit. Without it the hits of the last 200 ms may be missing, and End is false in
// the document. If the variable is not set, Flush writes nothing and returns nil.
func Flush() error {
	if requested.refused {
		return nil
	}
	return requested.flush(true)
}

// Exit calls Flush and then os.Exit, which runs no deferred functions. An error of Flush
// is printed to standard error and does not change the status.
func Exit(status int) {
	if err := Flush(); err != nil {
		fmt.Fprintf(os.Stderr, "peg: %v\n", err)
	}
	os.Exit(status)
}
