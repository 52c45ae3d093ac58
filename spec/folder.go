package spec

// source is a file that is read, with the folder that its relative paths start
// from.
func (r *reader) source(name, text string) *source {
	src := newSource(name, text)
	if r.folder != nil {
		src.dir = r.folder(src.dir)
	}
	return src
}
