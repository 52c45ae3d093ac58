package benchname

import "strings"

// Identifier makes the name of a metric of a unit as a benchmark prints it:
// p99-ns/op becomes p99_ns_op. It has letters, digits and single underscores
// only, and begins with a letter; empty where the unit has none of them.
func Identifier(unit string) string {
	var b strings.Builder
	gap := false
	for _, r := range unit {
		switch letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'; {
		case letter || r >= '0' && r <= '9':
			if gap && b.Len() > 0 {
				b.WriteByte('_')
			}
			if b.Len() == 0 && !letter {
				b.WriteString("m_") // a name cannot begin with a digit
			}
			b.WriteRune(r)
			gap = false
		case r == '%':
			if b.Len() > 0 {
				b.WriteByte('_')
			}
			b.WriteString("percent")
			gap = true
		default:
			gap = true
		}
	}
	return b.String()
}

// HigherIsBetter says which way a unit gets better: rates get better upwards,
// all else downwards. benchstat knows the direction of MB/s and B/s alone.
func HigherIsBetter(unit string) bool {
	return strings.HasSuffix(unit, "/s") || strings.HasSuffix(unit, "/sec")
}
