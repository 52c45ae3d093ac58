package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"example.com/suite/gate"
	"example.com/suite/report"
	"example.com/suite/report/hyperfine"
	"example.com/suite/result"
)

const reportHelp = `Render results that suite run wrote with --out json=FILE, in any format. The exit
status is 0 where that worked, whatever the verdicts in them are.

Several results become one report: those of the parts of a suite that was
measured in pieces, or of several suites. No case may be in two of them; suite
compare lays such results side by side. What hyperfine wrote with --export-json
can be read, too, as a suite of that name.`

func (e env) report(paths []string, o *outputs) error {
	if err := o.check(); err != nil {
		return err
	}
	if err := o.spareResults(paths); err != nil {
		return err
	}
	docs, err := readResults(paths, "")
	if err != nil {
		return err
	}
	doc, err := result.Join(docs)
	if err != nil {
		return hinted{err.Error(), "suite compare shows results of the same cases side by side"}
	}
	if len(docs) > 1 {
		doc.Orders = gate.Orders(doc.Cases) // of sizes that were measured apart
		if err := sealAll(doc, docs); err != nil {
			return err
		}
	}
	if err := o.checkView(report.NamesOf(doc)); err != nil {
		return err
	}
	_, err = e.writeAll(doc, o)
	return err
}

// sealAll gives a document that was joined a digest if those that it was joined from have
// one that fits them.
func sealAll(doc *result.Document, from []*result.Document) error {
	for _, d := range from {
		if !d.Sealed() {
			return nil
		}
	}
	return doc.Seal()
}

// spareResults refuses targets that would replace a result that is read.
func (o *outputs) spareResults(paths []string) error { return o.spareFiles("result", paths) }

// readResults reads results, each of them once. hint says why twice makes no sense.
func readResults(paths []string, hint string) (docs []*result.Document, err error) {
	for i, path := range paths {
		if slices.ContainsFunc(paths[:i], func(p string) bool { return filepath.Clean(p) == filepath.Clean(path) }) {
			return nil, hinted{fmt.Sprintf("%q is there twice", path), hint}
		}
		doc, err := readResult(path)
		if err != nil {
			return nil, err
		}
		docs = append(docs, doc)
	}
	return docs, nil
}

// readResult reads a result document, or what hyperfine has written.
func readResult(path string) (*result.Document, error) {
	f, err := openResult(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.read(nil)
}

// resultFile is a file that should hold a result, open at its beginning.
type resultFile struct {
	*os.File
	path string
	text *bufio.Reader
}

const howResultsAreWritten = "suite run --out json=FILE writes such files"

// openResult opens a file that should hold a result. One that is too large is refused
// before it is read.
func openResult(path string) (*resultFile, error) {
	f, err := os.Open(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, noFile(path)
	case err != nil:
		return nil, err
	}
	info, err := f.Stat()
	switch {
	case err != nil:
	case info.IsDir():
		err = hinted{fmt.Sprintf("%q is a folder, and a result is a file", path), howResultsAreWritten}
	case info.Mode().IsRegular() && info.Size() > result.MaxSize:
		err = hinted{fmt.Sprintf("%s: the result document is larger than %d bytes", path, int64(result.MaxSize)), howResultsAreWritten}
	default:
		return &resultFile{f, path, bufio.NewReaderSize(f, result.HeadSize)}, nil
	}
	f.Close()
	return nil, err
}

// read reads the document. What suite has written is read as a stream, since one of
// 10,000 cases has 100 MB; the file of another program is read whole, and other is asked
// first what it is. other may be nil.
func (f *resultFile) read(other func(text []byte) (*result.Document, error)) (*result.Document, error) {
	head, _ := f.text.Peek(result.HeadSize)
	if result.Begins(head) {
		return f.parse(f.text)
	}
	text, err := io.ReadAll(io.LimitReader(f.text, result.MaxSize+1))
	if err != nil {
		return nil, err
	}
	if other != nil {
		if doc, err := other(text); doc != nil || err != nil {
			return doc, err
		}
	}
	if !hyperfine.Is(text) {
		return f.parse(bytes.NewReader(text))
	}
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	doc, err := hyperfine.Read(text, f.path, info.ModTime().Truncate(time.Second))
	if err != nil {
		return nil, hinted{fmt.Sprintf("%s: %v", f.path, err), "hyperfine --export-json FILE writes such files"}
	}
	return doc, nil
}

// parse reads a document from a text, or from the file itself if that can be read again,
// so that a problem has its line.
func (f *resultFile) parse(text io.Reader) (*result.Document, error) {
	if _, err := f.Seek(0, io.SeekStart); err == nil {
		text = f.File
	}
	return parsedResult(f.path, text)
}

func parsedResult(path string, text io.Reader) (*result.Document, error) {
	doc, err := result.Read(text)
	if err != nil {
		return nil, hinted{fmt.Sprintf("%s: %v", path, err), howResultsAreWritten}
	}
	return doc, nil
}
