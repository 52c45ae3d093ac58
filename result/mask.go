package result

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Secret is an environment variable whose value no report may contain.
type Secret struct{ Name, Value string }

// Mask replaces each secret by $NAME in failures, warnings, command lines and the texts of
// suite files: programs wrote them, or environment variables were inserted. It also finds
// single lines of a secret, its spelling within quotes, and pieces of at least 8 bytes at
// the end of a shortened quotation. Names, words of the format and numbers stay as they
// are, because other parts of the document refer to them.
func (d *Document) Mask(secrets []Secret) {
	m := newMasker(secrets)
	if m == nil {
		return
	}
	for i := range d.Suites {
		m.suite(&d.Suites[i])
	}
	for i := range d.Cases {
		m.oneCase(&d.Cases[i])
	}
	m.warnings(d.Warnings)
}

// Masker returns a function that replaces the secrets in a text as Mask does.
func Masker(secrets []Secret) func(text string) string {
	m := newMasker(secrets)
	if m == nil {
		return func(text string) string { return text }
	}
	return m.text
}

func (m *masker) suite(s *Suite) {
	s.Sources = slices.Clone(s.Sources) // the plan shares Sources and Against
	for i := range s.Sources {
		s.Sources[i].Text = m.text(s.Sources[i].Text)
	}
	if s.Against != nil {
		against := *s.Against
		against.Notes = m.texts(against.Notes)
		against.Gates = slices.Clone(against.Gates)
		for i := range against.Gates {
			g := &against.Gates[i]
			g.Was, g.Now = m.text(g.Was), m.text(g.Now)
		}
		s.Against = &against
	}
	for _, n := range s.AllSentinels() {
		m.oneCase(&n.Case)
	}
}

func (m *masker) oneCase(c *Case) {
	m.identity(&c.Identity)
	if c.Pairs != nil && c.Pairs.Identity != nil {
		m.identity(c.Pairs.Identity)
	}
	if f := c.Failure; f != nil {
		f.Message = m.text(f.Message)
		f.Detail = m.text(f.Detail)
		f.Hint = m.text(f.Hint)
	}
	if c.Counterpart != nil {
		c.Counterpart.Reason = m.text(c.Counterpart.Reason)
	}
	m.warnings(c.Warnings)
}

func (m *masker) identity(id *Identity) {
	id.Argv = m.texts(id.Argv)
	id.Shell = m.text(id.Shell)
	id.Program = m.text(id.Program)
	id.Files = slices.Clone(id.Files)
	for i := range id.Files {
		id.Files[i].Path = m.text(id.Files[i].Path)
	}
}

func (m *masker) warnings(ws []Warning) {
	for i := range ws {
		ws[i].Message, ws[i].Hint = m.text(ws[i].Message), m.text(ws[i].Hint)
		ws[i].Pattern = m.text(ws[i].Pattern)
	}
}

func (m *masker) texts(list []string) []string {
	list = slices.Clone(list)
	for i := range list {
		list[i] = m.text(list[i])
	}
	return list
}

// leastPiece is the length in bytes from which a line or piece of a secret is masked:
// shorter ones occur by chance in other texts.
const leastPiece = 8

// masker replaces secrets in texts.
type masker struct {
	whole  *strings.Replacer
	pieces []Secret // and lines of secrets, to find parts of them in shortened texts
}

func newMasker(secrets []Secret) *masker {
	var all []Secret
	for _, s := range secrets {
		if s.Value == "" {
			continue
		}
		all = append(all, s)
		for line := range strings.Lines(s.Value) {
			line = strings.TrimSpace(line)
			if len(line) >= leastPiece && line != s.Value {
				all = append(all, Secret{s.Name, line})
			}
		}
	}
	if len(all) == 0 {
		return nil
	}
	// Longest value first: a shorter one may be a part of it.
	slices.SortStableFunc(all, func(a, b Secret) int { return cmp.Compare(len(b.Value), len(a.Value)) })
	var pairs []string
	for _, s := range all {
		for _, spelling := range spellings(s.Value) {
			pairs = append(pairs, spelling, "$"+s.Name)
		}
	}
	return &masker{strings.NewReplacer(pairs...), all}
}

// spellings are the forms in which a text may occur: as it is, in a Go string, and in
// a shell's single quotes.
func spellings(text string) []string {
	quoted := strconv.Quote(text)
	return slices.Compact([]string{text, quoted[1 : len(quoted)-1], strings.ReplaceAll(text, "'", `'\''`)})
}

func (m *masker) text(text string) string {
	text = m.whole.Replace(text)
	if len(text) >= longText { // it may be the end of a longer output, whose beginning was cut without a mark
		text = strings.TrimPrefix(m.cutIn(cut+text), cut)
	} else if strings.Contains(text, cut) {
		text = m.cutIn(text)
	}
	return text
}

// longText is the length in bytes from which a text may be a part of a longer output.
const longText = 1000

func (m *masker) cutIn(text string) string {
	for _, s := range m.pieces {
		text = s.cutIn(text)
	}
	return text
}

// cut marks a shortened end of a quotation.
const cut = "…"

// cutIn replaces the pieces of a secret next to a cut mark, with or without a quote
// between them and the mark.
func (s Secret) cutIn(text string) string {
	parts := strings.Split(text, cut)
	for i, part := range parts {
		if i+1 < len(parts) {
			body := strings.TrimSuffix(part, `"`)
			if n := s.endIn(body); n >= leastPiece {
				part = body[:len(body)-n] + "$" + s.Name + part[len(body):]
			}
		}
		if i > 0 {
			body := strings.TrimPrefix(part, `"`)
			if n := s.beginIn(body); n >= leastPiece {
				part = part[:len(part)-len(body)] + "$" + s.Name + body[n:]
			}
		}
		parts[i] = part
	}
	return strings.Join(parts, cut)
}

// endIn is the length of the longest end of text that is a piece of the secret.
func (s Secret) endIn(text string) (n int) {
	for n < len(text) && strings.Contains(s.Value, text[len(text)-n-1:]) {
		n++
	}
	for n > 0 && !utf8.RuneStart(text[len(text)-n]) { // not within a character
		n--
	}
	return n
}

// beginIn is the length of the longest beginning of text that is a piece of the
// secret.
func (s Secret) beginIn(text string) (n int) {
	for n < len(text) && strings.Contains(s.Value, text[:n+1]) {
		n++
	}
	for n > 0 && n < len(text) && !utf8.RuneStart(text[n]) {
		n--
	}
	return n
}
