package result

// MostSource is how many bytes of suite files a document keeps at most, all files of a
// suite together: a file of 10,000 cases written out one by one is larger, and would be
// in every result.
const MostSource = 256 << 10

// Source is the text of a suite file as it was when the suite ran. The first is the file
// that the run was asked for; the files that it includes follow, in the order in which
// they were read.
type Source struct {
	File string `json:"file"` // path, as in the places of what the file declares
	Text string `json:"text,omitempty"`
	Left int64  `json:"left,omitempty"` // bytes of a text that is left out, for all were larger than MostSource
}

// sources checks the texts of a suite.
func (v *validator) sources(s *Suite) {
	kept := 0
	for _, f := range s.Sources {
		kept += len(f.Text)
		v.check(f.File != "", "suite %q: a source has no file", s.Name)
		v.check(v.fresh("source", s.Name, f.File), "suite %q: source %q is there twice", s.Name, f.File)
		v.check((f.Text == "") == (f.Left > 0) && f.Left >= 0, "suite %q: source %q has to have a text, or to say how much is left out", s.Name, f.File)
	}
	v.check(kept <= 2*MostSource, "suite %q: its sources are larger than %d bytes", s.Name, 2*MostSource) // masked secrets may be longer than they were
}
