package result

// MostSource bounds the suite files in a document, in bytes for all files of a suite
// together. A file that lists 10,000 cases one by one is larger, and would be in
// every result.
const MostSource = 256 << 10

// Source is the text of a suite file at the time of the run. The first is the file
// that the user named; the files that it includes follow, in the order in which they
// were read.
type Source struct {
	File string `json:"file"` // path, as in the places of declarations
	Text string `json:"text,omitempty"`
	Left int64  `json:"left,omitempty"` // bytes of a text that was left out, because all together exceeded MostSource
}

// sources checks the texts of a suite.
func (v *validator) sources(s *Suite) {
	kept := 0
	for _, f := range s.Sources {
		kept += len(f.Text)
		v.check(f.File != "", "suite %q: a source has no file", s.Name)
		v.check(v.fresh("source", s.Name, f.File), "suite %q: source %q is there twice", s.Name, f.File)
		v.check((f.Text == "") == (f.Left > 0) && f.Left >= 0, "suite %q: source %q needs either a text or the size of the text that was left out", s.Name, f.File)
	}
	v.check(kept <= 2*MostSource, "suite %q: its sources are larger than %d bytes", s.Name, 2*MostSource) // masking can make a text longer
}
