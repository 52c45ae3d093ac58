package result

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Secret is an environment variable whose value no report may hold.
type Secret struct{ Name, Value string }

// Mask puts $NAME in place of each secret in what programs wrote and in what the
// environment may have been put into: failures, warnings, command lines, the texts of
// suite files. Each line of a secret counts by itself, so does a piece of it that a
// quotation was cut to, and it is found within the quotes of messages and of command
// lines too. Names, words of the format and numbers are left alone, whatever they hold:
// others refer to them, and a password may be called as a suite is.
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

// Masker returns what Mask does to a single text.
func Masker(secrets []Secret) func(text string) string {
	m := newMasker(secrets)
	if m == nil {
		return func(text string) string { return text }
	}
	return m.text
}

func (m *masker) suite(s *Suite) {
	s.Sources = slices.Clone(s.Sources) // plans share them, and what follows
	for i := range s.Sources {
		s.Sources[i].Text = m.text(s.Sources[i].Text)
	}
	if s.Against != nil {
		against := *s.Against
		against.Notes = m.texts(against.Notes)
		s.Against = &against
	}
	if s.Sentinel != nil {
		m.oneCase(&s.Sentinel.Case)
	}
}

func (m *masker) oneCase(c *Case) {
	m.identity(&c.Identity)
	if c.Pairs != nil && c.Pairs.Identity != nil {
		m.identity(c.Pairs.Identity)
	}
	if f := c.Failure; f != nil {
		f.Message, f.Detail, f.Hint = m.text(f.Message), m.text(f.Detail), m.text(f.Hint)
	}
	if c.Counterpart != nil {
		c.Counterpart.Reason = m.text(c.Counterpart.Reason)
	}
	m.warnings(c.Warnings)
}

func (m *masker) identity(id *Identity) {
	id.Argv, id.Shell, id.Program = m.texts(id.Argv), m.text(id.Shell), m.text(id.Program)
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

// leastPiece of a secret is masked, bytes: shorter ones stand in texts that have
// nothing to do with it.
const leastPiece = 8

// masker replaces secrets in texts.
type masker struct {
	whole  *strings.Replacer
	pieces []Secret // in what is cut
}

func newMasker(secrets []Secret) *masker {
	var all []Secret
	for _, s := range secrets {
		if s.Value == "" {
			continue
		}
		all = append(all, s)
		for line := range strings.Lines(s.Value) {
			if line = strings.TrimSpace(line); len(line) >= leastPiece && line != s.Value {
				all = append(all, Secret{s.Name, line})
			}
		}
	}
	if len(all) == 0 {
		return nil
	}
	// A longer value first: a shorter one may be a part of it.
	slices.SortStableFunc(all, func(a, b Secret) int { return cmp.Compare(len(b.Value), len(a.Value)) })
	var pairs []string
	for _, s := range all {
		for _, spelling := range spellings(s.Value) {
			pairs = append(pairs, spelling, "$"+s.Name)
		}
	}
	return &masker{strings.NewReplacer(pairs...), all}
}

// spellings of a text: as it is, in the quotes of Go and in those of a shell.
func spellings(text string) []string {
	quoted := strconv.Quote(text)
	return slices.Compact([]string{text, quoted[1 : len(quoted)-1], strings.ReplaceAll(text, "'", `'\''`)})
}

// text gives a text without secrets.
func (m *masker) text(text string) string {
	text = m.whole.Replace(text)
	if len(text) >= longText { // the end of what was printed: its beginning is cut without a mark
		text = strings.TrimPrefix(m.cutIn(cut+text), cut)
	} else if strings.Contains(text, cut) {
		text = m.cutIn(text)
	}
	return text
}

// longText may be all that is kept of a longer one, bytes.
const longText = 1000

func (m *masker) cutIn(text string) string {
	for _, s := range m.pieces {
		text = s.cutIn(text)
	}
	return text
}

// cut marks the place where a quotation was cut.
const cut = "…"

// cutIn replaces the pieces of a secret that end or begin where a text is cut,
// within quotes or behind them.
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

// endIn is the length of the longest end of a text that is a piece of the secret.
func (s Secret) endIn(text string) (n int) {
	for n < len(text) && strings.Contains(s.Value, text[len(text)-n-1:]) {
		n++
	}
	for n > 0 && !utf8.RuneStart(text[len(text)-n]) { // not within a character
		n--
	}
	return n
}

// beginIn is that of the longest beginning.
func (s Secret) beginIn(text string) (n int) {
	for n < len(text) && strings.Contains(s.Value, text[:n+1]) {
		n++
	}
	for n > 0 && n < len(text) && !utf8.RuneStart(text[n]) {
		n--
	}
	return n
}
