//go:build !linux

package main

import (
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// ownMounts does nothing: only Linux can mount a small disk.
func ownMounts() {}

type withDisks struct{ *testing.M }

// hasDisk is the condition [disk].
func hasDisk() bool { return false }

func disk(ts *testscript.TestScript, _ bool, _ []string) { ts.Fatalf("no disk can be made here") }
