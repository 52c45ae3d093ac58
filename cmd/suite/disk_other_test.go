//go:build !linux

package main

import "github.com/rogpeppe/go-internal/testscript"

// hasDisk is the condition [disk]. Only Linux can mount a small disk.
func hasDisk() bool { return false }

func disk(ts *testscript.TestScript, _ bool, _ []string) { ts.Fatalf("no disk can be made here") }
