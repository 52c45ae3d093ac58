package main

import (
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
	"example.com/suite/hyperfine"
	"example.com/suite/report"
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
	var docs []*result.Document
	for i, path := range paths {
		if slices.ContainsFunc(paths[:i], func(p string) bool { return filepath.Clean(p) == filepath.Clean(path) }) {
			return hinted{fmt.Sprintf("%q is there twice", path), ""}
		}
		doc, err := readResult(path)
		if err != nil {
			return err
		}
		docs = append(docs, doc)
	}
	doc, err := result.Join(docs)
	if err != nil {
		return hinted{err.Error(), "suite compare shows results of the same cases side by side"}
	}
	if doc.Orders == nil && len(docs) > 1 {
		doc.Orders = gate.Orders(doc.Cases) // of sizes that were measured apart
	}
	if err := o.checkView(report.NamesOf(doc)); err != nil {
		return err
	}
	_, err = e.writeAll(doc, o)
	return err
}

// spareResults refuses targets that would replace a result that is read.
func (o *outputs) spareResults(paths []string) error { return o.spareFiles("result", paths) }

// readResult reads a result document, or what hyperfine has written.
func readResult(path string) (*result.Document, error) {
	f, err := os.Open(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, noFile(path)
	case err != nil:
		return nil, err
	}
	defer f.Close()
	data, err := readAll(f, result.MaxSize+1)
	if err != nil {
		return nil, err
	}
	if hyperfine.Is(data) {
		doc, err := hyperfine.Read(data, path, modified(f))
		if err != nil {
			return nil, hinted{fmt.Sprintf("%s: %v", path, err), "hyperfine --export-json FILE writes such files"}
		}
		return doc, nil
	}
	doc, err := result.Read(bytes.NewReader(data))
	if err != nil {
		return nil, hinted{fmt.Sprintf("%s: %v", path, err), "suite run --out json=FILE writes such files"}
	}
	return doc, nil
}

// readAll reads a file that should be a result, up to most bytes of it.
func readAll(f *os.File, most int64) ([]byte, error) {
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return nil, hinted{fmt.Sprintf("%q is a folder, and a result is a file", f.Name()), "suite run --out json=FILE writes such files"}
	}
	return io.ReadAll(io.LimitReader(f, most))
}

func modified(f *os.File) time.Time {
	info, err := f.Stat()
	if err != nil {
		return time.Time{}
	}
	return info.ModTime().Truncate(time.Second)
}
