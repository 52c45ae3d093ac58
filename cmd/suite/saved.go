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
	docs, err := readResults(paths, "")
	if err != nil {
		return err
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
	data, modified, err := readWhole(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, noFile(path)
	case err != nil:
		return nil, err
	}
	return parseResult(path, data, modified)
}

func parseResult(path string, data []byte, modified time.Time) (*result.Document, error) {
	if hyperfine.Is(data) {
		doc, err := hyperfine.Read(data, path, modified)
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

// readWhole reads a file that should be a result, so much of it as one may have and a
// byte more, and says when it was written, in whole seconds.
func readWhole(path string) (data []byte, modified time.Time, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, modified, err
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil {
		if info.IsDir() {
			return nil, modified, hinted{fmt.Sprintf("%q is a folder, and a result is a file", path), "suite run --out json=FILE writes such files"}
		}
		modified = info.ModTime().Truncate(time.Second)
	}
	data, err = io.ReadAll(io.LimitReader(f, result.MaxSize+1))
	return data, modified, err
}
