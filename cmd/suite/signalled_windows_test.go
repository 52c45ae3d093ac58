package main

import (
	"os"
	"os/exec"
)

// Windows can only kill a process. Scripts that send other signals are skipped.
func apart(*exec.Cmd)                    {}
func signalNamed(string) os.Signal       { return os.Kill }
func isBlocked(int) bool                 { return false }
func isStopped(int) bool                 { return false }
func endedBy(state *os.ProcessState) int { return state.ExitCode() }
