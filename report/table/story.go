package table

import "example.com/suite/result"

// Story is what suite explain prints about one case.
type Story struct {
	Title string
	Parts []Part
}

// Part is a section of a story.
type Part struct {
	Head  string
	Lines []Line
}

// Line is a paragraph, which is wrapped, or one line of a drawing, which is not.
type Line struct {
	Text  string
	Class Class
	Drawn bool
	Item  bool // set off from the paragraph before it
	Typed bool // a command to copy: it stays on one line, however long
}

// LastWords are the lines of a failed program that show the cause: the last ones, or
// a panic with the frames of the measured code.
func LastWords(f *result.Failure) []string { return detail(f.Detail) }
