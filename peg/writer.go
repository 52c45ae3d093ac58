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
	path    string   // the file, which no other process writes
	scratch string   // the file's name until it is complete
	stream  *os.File // an inherited descriptor in place of the file
	refused bool     // nothing is written; stream must be kept nevertheless, see inherited
	hits    uint64   // number of hits in the last document
}

// newWriter returns the writer for a value of Variable. Child processes inherit the
// variable, so each process writes its own file, named after its id and the start time,
// since ids are used again.
func newWriter(target string) (*writer, error) {
	if number, ok := strings.CutPrefix(target, "fd:"); ok {
		stream, err := inherited(number)
		return &writer{stream: stream}, err
	}
	if whole, err := filepath.Abs(target); err == nil && !os.IsPathSeparator(target[len(target)-1]) {
		target = whole // the program may change its folder; a target that ends in a separator stays an error
	}
	own := fmt.Sprintf("%d-%s", os.Getpid(), strconv.FormatInt(time.Now().UnixNano(), 36))
	return &writer{path: target + "." + own, scratch: target + "~" + own}, nil
}

// inherited opens a descriptor that can be written to. A child process has the variable
// too, but often nothing at that number, or something else.
//
// Keep the file for ever, even after an error: if the garbage collector closed it, it
// would close whatever the program has opened at that number since.
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

// keep replaces the file at each tick if there are new hits. Documents on a stream add
// up, so a stream gets one from Flush only.
func (w *writer) keep(tick <-chan time.Time) {
	for range tick {
		if w.stream == nil && w.flush(false) != nil {
			return // Flush will meet the same error, and returns it
		}
	}
}

// flush writes a snapshot. Before the end it does so only if there are new hits.
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
	doc.Protocol = pegfile.Protocol
	doc.End = end
	w.hits = hits
	return w.write(doc)
}

// snapshot returns the next document: all hits so far for a file, which is replaced, or
// the hits since the last document for a stream.
func (w *writer) snapshot() *pegfile.Document {
	if w.stream != nil {
		return SnapshotAndReset()
	}
	return Snapshot()
}

// write writes a document. The file is replaced in one step, so that readers find a whole
// document or none.
func (w *writer) write(doc *pegfile.Document) error {
	text, err := json.Marshal(doc)
	if err != nil {
		return err
	}
	text = append(text, '\n')
	if w.stream != nil {
		if len(doc.Points) == 0 && !doc.End {
			return nil // the empty document of start: on a stream nothing would replace it
		}
		_, err = w.stream.Write(text)
		return err
	}
	err = os.WriteFile(w.scratch, text, 0o666)
	if err != nil {
		return err
	}
	return os.Rename(w.scratch, w.path)
}
