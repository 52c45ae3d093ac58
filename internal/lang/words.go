package lang

// opaque stands for a character of suite's own language in Mask: no other
// language gives it a meaning.
const opaque = '\ue000'

// Mask gives the text, as many characters, with every ${…} and $${ in it made
// unreadable, so that a parser of another language finds nothing in them. The
// text is that of a template which ParseTemplate has accepted.
func (t Text) Mask() string {
	rs := []rune(t.Value)
	for i := 0; i < len(rs); {
		end := i + 1
		switch {
		case prefix(rs, i, "$${"):
			end = i + 3
		case prefix(rs, i, "${"):
			if end = expressionEnd(rs, i+2) + 1; end == 0 {
				end = len(rs)
			}
		default:
			i = end
			continue
		}
		for ; i < end; i++ {
			rs[i] = opaque
		}
	}
	return string(rs)
}

// IsOpaque says whether Mask has put a character in the place of another.
func IsOpaque(r rune) bool { return r == opaque }

// Span is a range of characters of a text: from, up to to.
type Span struct{ From, To int }

// Pick gives a template of the characters of each of some words, in ascending
// order, none of which cuts an expression. They speak of the same text: problems
// have the same places, and show the whole line.
func (t *Template) Pick(words [][]Span) (picked []*Template) {
	texts := make([][]rune, len(t.parts))
	for i, p := range t.parts {
		texts[i] = []rune(p.literal)
	}
	first := 0 // of the parts that may reach into the next span
	for _, spans := range words {
		word := &Template{Text: t.Text}
		for _, s := range spans {
			for first+1 < len(t.parts) && t.parts[first+1].offset <= s.From {
				first++
			}
			for i := first; i < len(t.parts) && t.parts[i].offset < s.To; i++ {
				word.parts = append(word.parts, t.parts[i].within(texts[i], s)...)
			}
		}
		if len(word.parts) == 0 {
			word.parts = []part{{}}
		}
		picked = append(picked, word)
	}
	return picked
}

// within is what of a part lies in a span: all of an expression, or a piece of
// literal text, whose characters are given.
func (p part) within(literal []rune, s Span) []part {
	if p.name != "" || p.program != nil {
		if p.offset >= s.From && p.offset < s.To {
			return []part{p}
		}
		return nil
	}
	from, to := max(s.From-p.offset, 0), min(s.To-p.offset, len(literal))
	if from >= to {
		return nil
	}
	return []part{{offset: p.offset + from, literal: string(literal[from:to])}}
}
