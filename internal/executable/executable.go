// Package executable finds out why the system would not start a program that exists. It reads
// the first line of scripts and starts nothing.
package executable

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/shellword"
)

// Fault is why a program cannot be started, and what to do.
type Fault struct{ Message, Hint string }

// Check looks at the program that a command in a folder would start by this name. It returns
// nil if there is no such program, and if nothing is wrong with it.
func Check(name, dir string) *Fault {
	path := name
	if strings.ContainsRune(name, filepath.Separator) && !filepath.IsAbs(name) {
		path = filepath.Join(dir, name)
		if !filepath.IsAbs(path) {
			path = "." + string(filepath.Separator) + path // Join drops the ./, and PATH would be searched
		}
	}
	found, err := exec.LookPath(path)
	switch {
	case errors.Is(err, syscall.EISDIR):
		return &Fault{fmt.Sprintf("program %s is a folder", diag.Quote(name)), "name a program in it"}
	case errors.Is(err, fs.ErrPermission) && isFile(path):
		hint := "chmod +x " + shellword.Quote(name)
		if script, line := firstLine(path); script {
			hint += ", or " + runner(line) + " " + shellword.Quote(name)
		}
		return &Fault{fmt.Sprintf("program %s is not executable", diag.Quote(name)), hint}
	case err != nil && !errors.Is(err, exec.ErrDot):
		return nil
	}
	return withoutInterpreter(name, found)
}

// withoutInterpreter finds a script whose interpreter does not exist. The system reports it
// as if the script did not exist.
func withoutInterpreter(name, path string) *Fault {
	_, line := firstLine(path)
	interpreter := word(line)
	if interpreter == "" {
		return nil
	}
	if _, err := os.Stat(interpreter); !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if strings.ContainsRune(name, filepath.Separator) {
		path = name // found without PATH: as the user wrote it
	}
	f := &Fault{Message: fmt.Sprintf("the interpreter %s of %s does not exist",
		diag.Quote(interpreter), diag.Quote(name)),
		Hint: "install it, or correct the first line of " + shellword.Quote(path)}
	if strings.HasSuffix(interpreter, "\r") {
		f.Hint = `its lines end in CR LF, and the CR became part of the name: sed -i 's/\r$//' ` + shellword.Quote(path)
	}
	return f
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// longestLine is how much of a first line Linux reads, bytes.
const longestLine = 256

// firstLine returns the line after #!, empty if there is none, and whether a file is text.
func firstLine(path string) (isText bool, line string) {
	if !isFile(path) {
		return false, "" // a FIFO has no end
	}
	file, err := os.Open(path)
	if err != nil {
		return false, ""
	}
	defer file.Close()
	head := make([]byte, longestLine)
	n, _ := file.Read(head) // an empty file is fine
	first, _, _ := bytes.Cut(head[:n], []byte("\n"))
	after, isScript := strings.CutPrefix(string(first), "#!")
	if !isScript {
		return bytes.IndexByte(head[:n], 0) < 0, ""
	}
	return true, after
}

// word returns the first word of a line. The system separates words by spaces and tabs, and
// by nothing else.
func word(line string) string {
	words := strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == '\t' })
	if len(words) == 0 {
		return ""
	}
	return words[0]
}

// runner returns the command that runs a script with this first line.
func runner(line string) string {
	switch words := strings.Fields(line); {
	case len(words) == 0:
		return "sh"
	case filepath.Base(words[0]) == "env" && len(words) == 2:
		return words[1]
	default:
		if dir := filepath.Dir(words[0]); dir == "/bin" || dir == "/usr/bin" {
			words[0] = filepath.Base(words[0])
		}
		return strings.Join(words, " ")
	}
}
