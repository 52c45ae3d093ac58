//go:build !nopeg

package peg

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"example.com/suite/peg/pegfile"
)

// writer writes the documents of this process.
type writer struct {
	mu      sync.Mutex
	path    string   // of the file, of this process alone
	scratch string   // what it is called until it is whole
	stream  *os.File // in place of them, a descriptor
	refused bool     // nothing is written; the stream is kept all the same, see inherited
	hits    uint64   // that the last document had
}

// newWriter takes the value of Variable. A process that starts others passes the variable
// on to them, so each has a file of its own, named after its id and the time at which it
// began: ids come round again.
func newWriter(target string) (*writer, error) {
	if number, ok := strings.CutPrefix(target, "fd:"); ok {
		stream, err := inherited(number)
		return &writer{stream: stream}, err
	}
	if whole, err := filepath.Abs(target); err == nil && !os.IsPathSeparator(target[len(target)-1]) {
		target = whole // the program may change its folder; one that is named in place of a file stays a fault
	}
	own := fmt.Sprintf("%d-%s", os.Getpid(), strconv.FormatInt(time.Now().UnixNano(), 36))
	return &writer{path: target + "." + own, scratch: target + "~" + own}, nil
}

// inherited opens a descriptor. A child has the variable too, and often something else
// at that number, or nothing: only what can be written to is taken. Also with an
// error the file has to be kept for ever: the collector would close it, and with it what
// the program has opened at that number meanwhile.
func inherited(number string) (*os.File, error) {
	fd, err := strconv.ParseUint(number, 10, 31)
	if err != nil {
		return nil, errors.New("want the number of an inherited descriptor, as in fd:3")
	}
	f := os.NewFile(uintptr(fd), "fd:"+number)
	if f == nil {
		return nil, errors.New("there is no such descriptor")
	}
	about, err := f.Stat()
	if err == nil && about.Mode()&(os.ModeDir|os.ModeIrregular) != 0 {
		err = errors.New("this descriptor is neither a file nor a pipe")
	}
	return f, err
}

// keep writes at each tick what has come since the last one. A stream takes documents
// that add up, and gets one from Flush only.
func (w *writer) keep(tick <-chan time.Time) {
	for range tick {
		if w.stream == nil && w.flush(false) != nil {
			return // Flush will meet the error again, and has somebody to tell
		}
	}
}

// flush writes a snapshot: always at the end, and before it where there are new hits.
func (w *writer) flush(end bool) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	doc := w.snapshot()
	hits := uint64(0)
	for _, p := range doc.Points {
		hits += p.Count
	}
	if !end && hits == w.hits {
		return nil
	}
	doc.Protocol, doc.End, w.hits = pegfile.Protocol, end, hits
	return w.write(doc)
}

// snapshot returns what a document contains: all so far in a file, which is replaced, and what
// has come since the last one in a stream.
func (w *writer) snapshot() *pegfile.Document {
	if w.stream != nil {
		return SnapshotAndReset()
	}
	return Snapshot()
}

// write puts a document where readers find it, whole or not at all.
func (w *writer) write(doc *pegfile.Document) error {
	text, err := json.Marshal(doc)
	if err != nil {
		return err
	}
	text = append(text, '\n')
	if w.stream != nil {
		if len(doc.Points) == 0 && !doc.End {
			return nil // the first one of a program: a stream keeps what it gets
		}
		_, err = w.stream.Write(text)
		return err
	}
	if err = os.WriteFile(w.scratch, text, 0o666); err != nil {
		return err
	}
	return os.Rename(w.scratch, w.path)
}
