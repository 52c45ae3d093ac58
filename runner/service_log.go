package runner

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

// serviceLog is what a service prints. On Unix its file has no name, so that nothing
// is left of it if the run is killed.
type serviceLog struct {
	file *os.File
	seen int64 // bytes that were searched, whole lines
	kept string
}

func newServiceLog() (*serviceLog, error) {
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
	return &serviceLog{file: f}, nil
}

func (l *serviceLog) close() {
	l.file.Close()
	if runtime.GOOS == "windows" {
		os.Remove(l.file.Name())
	}
}

// matches looks for a line that matches among those that are new, each once and
// when it is whole.
func (l *serviceLog) matches(line *regexp.Regexp) bool {
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

// unfinished reports whether a line matches whose end is missing: there may be more of it.
func (l *serviceLog) unfinished(line *regexp.Regexp) bool {
	text, _ := io.ReadAll(io.NewSectionReader(l.file, l.seen, keptLog))
	return len(text) > 0 && line.Match(text)
}

// last returns the last lines.
func (l *serviceLog) last() string { return strings.TrimSpace(scratch.Tail(l.file)) }

// keptLog of a log, from its end, are kept, bytes.
const keptLog = 16 << 20

// keep copies the log into a file with a name, and returns where that is; empty if
// nothing was printed.
func (l *serviceLog) keep(name string) string {
	size, err := l.file.Seek(0, io.SeekEnd)
	if l.kept != "" || err != nil || size == 0 {
		return l.kept
	}
	path, err := l.copy(name, size)
	if l.kept = "is in " + path; err != nil {
		l.kept = "could not be kept: " + err.Error()
	}
	return l.kept
}

func (l *serviceLog) copy(name string, size int64) (path string, err error) {
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

// plainName returns the name of a program as a part of a file name.
func plainName(path string) string {
	name := notPlain().ReplaceAllString(filepath.Base(path), "_")
	return name[:min(len(name), 40)]
}
