package result

import (
	"cmp"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Secret is an environment variable whose value no report may hold.
type Secret struct{ Name, Value string }

// Mask puts $NAME in place of each secret in every text of the document: argv,
// messages, what programs wrote before they failed. Each line of a secret counts
// by itself, so does a piece of it that a quotation was cut to, and it is found
// within the quotes of messages and of command lines too. Numbers, and the words
// of the format, are left alone.
func (d *Document) Mask(secrets []Secret) {
	if m := newMasker(secrets); m != nil {
		m.mask(reflect.ValueOf(d).Elem())
	}
}

// MaskSources is Mask for the texts of suite files alone: for what such a file itself
// says, names of cases among it, which has to stay as it is everywhere else.
func (d *Document) MaskSources(secrets []Secret) {
	m := newMasker(secrets)
	if m == nil {
		return
	}
	for i := range d.Suites {
		d.Suites[i].Sources = slices.Clone(d.Suites[i].Sources) // plans share them
		for k := range d.Suites[i].Sources {
			f := &d.Suites[i].Sources[k]
			f.Text = m.text(f.Text)
		}
	}
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

// vocabulary are fields that hold words of the format, or names that others
// refer to: a password that is such a word would make the document unreadable.
var vocabulary = map[string]bool{
	"Schema": true, "Seed": true, "Hash": true, "Binary": true, "Output": true, "Stop": true, "Loop": true, "Clock": true, "Counter": true,
	"Thread": true, "GC": true, "Sampling": true, "Keep": true, "Pin": true, "Counters": true, "Phase": true, "Cause": true, "Metric": true,
	"AtLeast": true, "AtMost": true, "Code": true, "Digest": true, "Revision": true, "Severity": true, "OnInconclusive": true, "Report": true, "OS": true, "Arch": true, "Host": true,
}

// isVocabulary says that a field of a struct is left alone.
func isVocabulary(of reflect.Type, field reflect.StructField) bool {
	named := field.Type.Kind() == reflect.String && field.Type != reflect.TypeFor[string]()
	text := field.Type == reflect.TypeFor[string]() || field.Type == reflect.TypeFor[[]string]()
	return named || text && vocabulary[field.Name] || of == reflect.TypeFor[Declared]() && field.Name == "Name"
}

// mask changes the texts that a value holds, keys of maps aside: those are
// names of metrics.
func (m *masker) mask(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		if text := v.String(); v.CanSet() {
			if masked := m.text(text); masked != text {
				v.SetString(masked)
			}
		}
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			m.mask(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if !isVocabulary(v.Type(), v.Type().Field(i)) {
				m.mask(v.Field(i))
			}
		}
	case reflect.Slice:
		if !numeric(v.Type().Elem().Kind()) {
			for i := range v.Len() {
				m.mask(v.Index(i))
			}
		}
	}
}

// numeric kinds fill the columns of samples, which are long.
func numeric(k reflect.Kind) bool { return k >= reflect.Bool && k <= reflect.Complex128 }
