//go:build !nopeg

package peg

import (
	"fmt"
	"path"
	"runtime"
	"strings"
)

// callerOf returns the place that is skip calls away, as runtime.Callers counts them
// from its own caller. Inlined functions are places of their own.
func callerOf(skip int) uintptr {
	var pc [1]uintptr
	runtime.Callers(skip+1, pc[:])
	return pc[0]
}

// placeOf returns file and line of a place.
func placeOf(pc uintptr) (file string, line int) {
	frame, _ := runtime.CallersFrames([]uintptr{pc}).Next()
	return frame.File, frame.Line
}

// here returns the point of a place. Of one line there may be many places: a function is
// inlined wherever it is called.
func (r *registry) here(pc uintptr) *Point {
	if p, known := r.places.Load(pc); known {
		return p.(*Point)
	}
	file, line := placeOf(pc)
	r.mu.Lock()
	defer r.mu.Unlock()
	p := r.at(file, line)
	if p == nil {
		p = r.addPoint(r.placeName(file, line), "", file, line)
	}
	r.places.Store(pc, p)
	return p
}

// at finds the point that Here has made of a line.
func (r *registry) at(file string, line int) (found *Point) {
	r.places.Range(func(_, p any) bool {
		if p := p.(*Point); p.file == file && p.line == line {
			found = p
		}
		return found == nil
	})
	return found
}

// placeName returns file and line with as many folders as make the name unique.
func (r *registry) placeName(file string, line int) string {
	folders := strings.Split(path.Clean(file), "/")
	for i := len(folders) - 1; i > 0; i-- {
		name := fmt.Sprintf("%s:%d", path.Join(folders[i:]...), line)
		if r.names[name] == nil {
			return name
		}
	}
	return fmt.Sprintf("%s:%d", file, line)
}
