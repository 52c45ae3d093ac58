package pegfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// ReadAll returns the sum of the documents of all processes that ran with path in
// Variable: the file path and all files path.ANYTHING in its folder, with points in the
// order of the file names. If points are given, it applies Only to the sum. The error is
// fs.ErrNotExist if no process has written anything, a *Problem with the name of the
// file, or an error of the system.
func ReadAll(path string, points ...string) (*Document, error) {
	files, err := writtenTo(path)
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, &fs.PathError{Op: "read", Path: path, Err: fs.ErrNotExist}
	}
	var docs []*Document
	for _, file := range files {
		doc, err := readFile(file)
		if err != nil {
			return nil, err
		}
		docs = append(docs, doc)
	}
	return Merge(docs...).Only(points...), nil
}

// writtenTo are the files of a variable, by name.
func writtenTo(path string) (files []string, err error) {
	dir, name := filepath.Split(path)
	entries, err := os.ReadDir(filepath.Clean(dir + "."))
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if (e.Name() == name || strings.HasPrefix(e.Name(), name+".")) && !e.IsDir() {
			files = append(files, dir+e.Name())
		}
	}
	return files, nil
}

func readFile(path string) (*Document, error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() { // a pipe would be waited for
		return nil, &Problem{File: path, Message: "this is no file", Hint: "write a plain file: a document, or lines"}
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	doc, err := Read(f)
	var p *Problem
	if errors.As(err, &p) {
		p.File = path
	} else if err != nil {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return doc, err
}

// Only returns the document with the points of these names, and the arcs both ends of
// which are among them; spans may lie in none. Without names it is the document itself.
// A program that heeds PointsVariable reports more: arcs from one of them to the next,
// whatever other points lie between.
func (d *Document) Only(names ...string) *Document {
	if len(names) == 0 {
		return d
	}
	of := *d
	of.Points = slices.DeleteFunc(slices.Clone(d.Points), func(p Hits) bool { return !slices.Contains(names, p.Name) })
	of.Arcs = slices.DeleteFunc(slices.Clone(d.Arcs), func(a Arc) bool {
		from := a.From == Other || a.From == "" || slices.Contains(names, a.From)
		return !from || !slices.Contains(names, a.To)
	})
	return &of
}
