package main

import (
	"os"
	"os/exec"
)

// The system has no signals but one: the scripts that send others are skipped.
func apart(*exec.Cmd)                    {}
func signalNamed(string) os.Signal       { return os.Kill }
func isBlocked(int) bool                 { return false }
func isStopped(int) bool                 { return false }
func endedBy(state *os.ProcessState) int { return state.ExitCode() }
