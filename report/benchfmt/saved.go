package benchfmt

import (
	"bufio"
	"io"

	"example.com/suite/report/table"
	"example.com/suite/result"
)

// RenderSaved writes several results in the Go benchmark format, one after the other. The key
// "result" distinguishes them: benchstat -col result compares them with the first. Samples of bases
// are left out. Facts that differ between the results are comments: benchstat makes a separate table
// for each value of a key, and would compare nothing.
func RenderSaved(w io.Writer, saved []table.Saved) error {
	b := &benchWriter{
		w:     bufio.NewWriter(w),
		names: map[string]int{},
		given: map[string]string{},
		units: map[string]result.Direction{},
		set:   map[string]string{},
	}
	for i := range saved {
		b.saved(&saved[i], saved)
	}
	return b.w.Flush()
}

func (b *benchWriter) saved(s *table.Saved, all []table.Saved) {
	b.doc = s.Doc
	d := s.Doc
	b.comment("%s: %s %s, %s, %s, seed %s",
		s.Name, d.Tool.Name, d.Tool.Version, d.Tool.Go, d.Started.UTC().Format("2006-01-02 15:04"), d.Seed)
	b.shared("goos", d.Machine.OS, all, func(m *result.Machine) string { return m.OS })
	b.shared("goarch", d.Machine.Arch, all, func(m *result.Machine) string { return m.Arch })
	b.shared("cpu", d.Machine.CPU, all, func(m *result.Machine) string { return m.CPU })
	b.key("result", s.Name)
	for i := range d.Cases {
		b.candidate(b.name(&d.Cases[i]), &d.Cases[i])
	}
}

// shared sets a key if its value is the same for all results. Otherwise it writes a comment.
func (b *benchWriter) shared(name, value string, all []table.Saved, of func(m *result.Machine) string) {
	for i := range all {
		if of(&all[i].Doc.Machine) != value {
			b.comment("%s: %s", name, value)
			return
		}
	}
	b.key(name, value)
}
