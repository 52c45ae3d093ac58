package service

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"

	"example.com/suite/internal/lazy"
	"example.com/suite/internal/scratch"
)

// outputLog is the file in which a service's output is kept. On Unix the file has no name,
// so that nothing is left of it if the run is killed.
type outputLog struct {
	file *os.File
	seen int64 // bytes that were searched, whole lines
	kept string
}

func newLog() (*outputLog, error) {
	named, err := os.CreateTemp("", "suite-service-*")
	if err != nil {
		return nil, err
	}
	// What several processes write goes after each other's.
	f, err := os.OpenFile(named.Name(), os.O_RDWR|os.O_APPEND, 0)
	named.Close()
	if err != nil || runtime.GOOS != "windows" {
		os.Remove(named.Name())
	}
	if err != nil {
		return nil, err
	}
	return &outputLog{file: f}, nil
}

func (l *outputLog) close() {
	l.file.Close()
	if runtime.GOOS == "windows" {
		os.Remove(l.file.Name())
	}
}

// matches reports whether one of the new lines matches. Each line is looked at once, when
// it is whole.
func (l *outputLog) matches(line *regexp.Regexp) bool {
	text, _ := io.ReadAll(io.NewSectionReader(l.file, l.seen, keptLog)) // what cannot be read is no line
	for {
		first, rest, whole := bytes.Cut(text, []byte("\n"))
		switch {
		case !whole && len(text) < keptLog:
			return false
		case line.Match(bytes.TrimSuffix(first, []byte("\r"))):
			return true
		}
		l.seen += int64(len(text) - len(rest))
		text = rest
	}
}

// unfinished reports whether the last line matches although its end is missing.
func (l *outputLog) unfinished(line *regexp.Regexp) bool {
	text, _ := io.ReadAll(io.NewSectionReader(l.file, l.seen, keptLog))
	return len(text) > 0 && line.Match(text)
}

func (l *outputLog) last() string { return strings.TrimSpace(scratch.Tail(l.file)) }

// keptLog is how much of the end of a log is kept, bytes.
const keptLog = 16 << 20

// keep copies the log into a file with a name, and returns where that is; empty if
// nothing was printed.
func (l *outputLog) keep(name string) string {
	size, err := l.file.Seek(0, io.SeekEnd)
	if l.kept != "" || err != nil || size == 0 {
		return l.kept
	}
	path, err := l.copy(name, size)
	l.kept = "is in " + path
	if err != nil {
		l.kept = "could not be kept: " + err.Error()
	}
	return l.kept
}

func (l *outputLog) copy(name string, size int64) (path string, err error) {
	f, err := scratch.Named("suite-" + plainName(name) + "-*.log")
	if err != nil {
		return "", err
	}
	from := max(size-keptLog, 0)
	_, err = io.Copy(f, io.NewSectionReader(l.file, from, size-from))
	if late := f.Close(); err == nil {
		err = late
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return f.Name(), err
}

var notPlain = lazy.Regexp(`[^A-Za-z0-9_.-]+`)

// plainName makes the name of a program fit for a part of a file name.
func plainName(path string) string {
	name := notPlain().ReplaceAllString(filepath.Base(path), "_")
	return name[:min(len(name), 40)]
}
