package main

import (
	"os"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"testing"

	"example.com/suite/runner/binary"
)

// The program is a pipe, whose hash is known when its writer has closed it.
func TestHashOfOwnProgramIsAwaited(t *testing.T) {
	program := filepath.Join(t.TempDir(), "program")
	if err := syscall.Mkfifo(program, 0o600); err != nil {
		t.Fatal(err)
	}
	e := env{host: []string{program}, lookup: func(name string) (string, bool) { return t.TempDir(), name == cacheVariable }}
	wait := hashOwnProgram(e, new(binary.Hashes))
	var closed atomic.Bool
	go func() {
		w, err := os.OpenFile(program, os.O_WRONLY, 0)
		if err != nil {
			t.Error(err)
			return
		}
		closed.Store(true)
		w.Close()
	}()
	wait()
	if !closed.Load() {
		t.Error("hashOwnProgram was not awaited")
	}
}
