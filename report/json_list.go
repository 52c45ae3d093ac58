package report

import "bufio"

// jsonList writes a JSON list or object to w, one item a line.
type jsonList struct {
	w      *bufio.Writer
	closer string
	items  int
}

// newJSONList begins a list with open, [ or {. The caller ends it with end.
func newJSONList(w *bufio.Writer, open, closer string) *jsonList {
	w.WriteString(open)
	return &jsonList{w: w, closer: closer}
}

// next begins the next item, which the caller writes after it.
func (l *jsonList) next() {
	if l.items > 0 {
		l.w.WriteByte(',')
	}
	l.w.WriteString("\n  ")
	l.items++
}

// end ends the list and writes what is left in the buffer.
func (l *jsonList) end() error {
	l.w.WriteString("\n" + l.closer + "\n")
	return l.w.Flush()
}
