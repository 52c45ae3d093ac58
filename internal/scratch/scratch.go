// Package scratch makes the temporary files in which hosts, hooks and services keep what
// a program writes, and reads the end of them for failures. Hosts are built from it as
// well, so it imports the standard library only.
package scratch

import (
	"embed"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// Source contains the files of this package, so that hosts of other modules are built
// from the same code.
//
//go:embed *.go
var Source embed.FS

// New makes a temporary file that no other program opens. On Unix its name is removed
// at once, so that a process that is killed leaves nothing. Close it with Discard.
func New(pattern string) (*os.File, error) {
	f, err := Named(pattern)
	if err == nil && runtime.GOOS != "windows" {
		err = os.Remove(f.Name())
	}
	return f, err
}

// Discard closes a file that New has made, and removes it if it still has a name.
func Discard(f *os.File) {
	f.Close()
	if runtime.GOOS == "windows" {
		os.Remove(f.Name())
	}
}

// NoFile begins the message of an error of Named.
const NoFile = "no temporary file can be made in "

// Named makes a file in the folder of temporary files, with a name as os.CreateTemp
// makes it from pattern. Its error names the folder.
func Named(pattern string) (*os.File, error) {
	f, err := os.CreateTemp("", pattern)
	if failed := (*os.PathError)(nil); errors.As(err, &failed) {
		err = failed.Err
	}
	if err != nil {
		return nil, fmt.Errorf("%s%s: %w", NoFile, os.TempDir(), err)
	}
	return f, nil
}

// Hint suggests what to do if temporary files cannot be made.
func Hint() string {
	if runtime.GOOS == "windows" {
		return "set TMP to a folder that can be written to"
	}
	return "set TMPDIR to a folder that can be written to"
}

// missingRoom explains why the end of what a program wrote to a file may be missing,
// nil if the file can still grow. The disk may have filled up while the program ran,
// and many programs do not report that.
func missingRoom(f *os.File) error {
	end, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return nil // the disk may still have room
	}
	_, err = f.WriteAt(make([]byte, 64<<10), end)
	_ = f.Truncate(end) // after an error zeros follow the text
	var failed *os.PathError
	if errors.As(err, &failed) {
		return failed.Err
	}
	return err
}

// Lost is the end of a message: that the end of what a program wrote to a temporary
// file may be missing. It is empty if nothing is missing.
func Lost(f *os.File) string {
	err := missingRoom(f)
	if err == nil {
		return ""
	}
	return fmt.Sprintf("; what it printed may be lost: %s has no room: %v", filepath.Dir(f.Name()), err)
}

// MostTail is how much of the end of an output is shown in a report, bytes.
const MostTail = 4 << 10

// Tail reads the end of a file that a program wrote, at most MostTail bytes, without
// the newlines at its end. What cannot be read is left out.
func Tail(f *os.File) string {
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return ""
	}
	from := max(size-MostTail, 0)
	text := make([]byte, size-from)
	n, _ := f.ReadAt(text, from) // a short read only shortens the explanation
	return TailOf(text[:n])
}

// TailOf cuts a text as Tail cuts a file.
func TailOf(text []byte) string {
	text = text[max(len(text)-MostTail, 0):]
	return strings.ToValidUTF8(strings.TrimRight(string(text), "\n"), "\uFFFD")
}
