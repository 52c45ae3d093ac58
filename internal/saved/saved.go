// Package saved reads results that earlier runs have written, and compares the cases of a
// run with the cases of one.
package saved

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"example.com/suite/gate"
	"example.com/suite/internal/diag"
	"example.com/suite/internal/paths"
	"example.com/suite/report/hyperfine"
	"example.com/suite/result"
)

// ReadAll reads results, each of them once. hint explains why reading one twice makes no
// sense.
func ReadAll(files []string, hint string) (docs []*result.Document, err error) {
	for i, path := range files {
		if slices.ContainsFunc(files[:i], func(p string) bool { return filepath.Clean(p) == filepath.Clean(path) }) {
			return nil, diag.Hinted(fmt.Sprintf("%q is there twice", path), hint)
		}
		doc, err := Read(path)
		if err != nil {
			return nil, err
		}
		docs = append(docs, doc)
	}
	return docs, nil
}

// Join makes one document of several, as result.Join does. It is sealed if all of them are: otherwise its digest would
// confirm contents that somebody has changed.
func Join(docs []*result.Document) (*result.Document, error) {
	doc, err := result.Join(docs)
	if err != nil {
		return nil, diag.Hinted(err.Error(), "suite compare shows results of the same cases side by side")
	}
	if len(docs) == 1 {
		return doc, nil
	}
	doc.Orders = gate.Orders(doc.Cases) // the sizes of one function may be in different results
	if slices.ContainsFunc(docs, func(d *result.Document) bool { return !d.Sealed() }) {
		return doc, nil
	}
	return doc, doc.Seal()
}

// Read reads a result document, or what hyperfine has written.
func Read(path string) (*result.Document, error) {
	f, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.Read(nil)
}

// File is a file that should contain a result, open at its beginning.
type File struct {
	file *os.File
	path string
	text *bufio.Reader
}

const howWritten = "suite run --out json=FILE writes such files"

// Open opens a file that should contain a result. It refuses a file that is too large
// before reading it.
func Open(path string) (*File, error) {
	f, err := os.Open(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, diag.Hinted(fmt.Sprintf("no file %q", path), cmp.Or(paths.DidYouMean(path), howWritten))
	case err != nil:
		return nil, err
	}
	info, err := f.Stat()
	switch {
	case err != nil:
	case info.IsDir():
		err = diag.Hinted(fmt.Sprintf("%q is a folder, and a result is a file", path), howWritten)
	case info.Mode().IsRegular() && info.Size() > result.MaxSize:
		err = diag.Hinted(fmt.Sprintf("%s: the result document is larger than %d bytes", path, result.MaxSize),
			howWritten)
	default:
		return &File{f, path, bufio.NewReaderSize(f, result.HeadSize)}, nil
	}
	f.Close()
	return nil, err
}

// Close closes the file.
func (f *File) Close() error { return f.file.Close() }

// Stat describes the file.
func (f *File) Stat() (fs.FileInfo, error) { return f.file.Stat() }

// Bytes reads the text of the file, which is cut if it is longer than a result can be.
func (f *File) Bytes() ([]byte, error) { return io.ReadAll(io.LimitReader(f.text, result.MaxSize+1)) }

// Read reads the document. What suite has written is read as a stream, since a document of
// 10,000 cases has 100 MB. The file of another program is read whole, and other is the first
// that may turn it into a document; it may be nil, and it returns nil for a text that it does
// not know.
func (f *File) Read(other func(text []byte) (*result.Document, error)) (*result.Document, error) {
	head, _ := f.text.Peek(result.HeadSize)
	if result.Begins(head) {
		return f.parse(f.text)
	}
	text, err := f.Bytes()
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
		return nil, diag.Hinted(fmt.Sprintf("%s: %v", f.path, err), "hyperfine --export-json FILE writes such files")
	}
	return doc, nil
}

// parse reads a document from a text, or from the file itself if that can be read again,
// so that a problem has its line.
func (f *File) parse(text io.Reader) (*result.Document, error) {
	if _, err := f.file.Seek(0, io.SeekStart); err == nil {
		text = f.file
	}
	return Parse(f.path, text)
}

// Parse reads a document that suite has written. path is named in the error.
func Parse(path string, text io.Reader) (*result.Document, error) {
	doc, err := result.Read(text)
	if err != nil {
		return nil, diag.Hinted(fmt.Sprintf("%s: %v", path, err), howWritten)
	}
	return doc, nil
}
