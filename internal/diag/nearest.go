package diag

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// longestWord is the length of the longest word that is compared. The cost of a comparison
// grows with the product of the lengths, and nobody misspells longer words.
const longestWord = 64

// Nearest returns the known word that a misspelt word most likely means, and whether there
// is one. At most a third of the letters may differ, and at least one in words of two
// letters or more. Two letters that are swapped count as one difference; upper and lower
// case are the same. Of words that are equally near, Nearest returns the first.
func Nearest(word string, known []string) (string, bool) {
	n := utf8.RuneCountInString(word)
	if n < 2 || n > longestWord {
		return "", false
	}
	best, at := max(1, n/3)+1, ""
	for _, k := range known {
		if d := distance(word, k, best); d < best {
			best, at = d, k
		}
	}
	return at, at != ""
}

// distance returns the optimal string alignment distance of two words (insert, delete,
// replace, swap neighbours), ignoring case, or limit if it is not smaller.
//
// Source: F. J. Damerau, A technique for computer detection and correction of spelling
// errors, CACM 7(3), 1964, in its restricted form.
func distance(a, b string, limit int) int {
	s, t := []rune(strings.ToLower(a)), []rune(strings.ToLower(b))
	if len(s)-len(t) >= limit || len(t)-len(s) >= limit {
		return limit
	}
	rows := [3][]int{make([]int, len(t)+1), make([]int, len(t)+1), make([]int, len(t)+1)}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(s); i++ {
		before := rows[(i+1)%3]
		last := rows[(i+2)%3]
		row := rows[i%3]
		row[0] = i
		for j := 1; j <= len(t); j++ {
			change := 1
			if s[i-1] == t[j-1] {
				change = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+change)
			if i > 1 && j > 1 && s[i-1] == t[j-2] && s[i-2] == t[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
	}
	return min(rows[len(s)%3][len(t)], limit)
}

// Unknown is an error about a word that is not known. Its hint is the known word nearest to
// the word or, if none is near, all known words.
func Unknown(what, word string, known []string) error {
	hint := what + "s are " + strings.Join(known, ", ")
	if near, ok := Nearest(word, known); ok {
		hint = fmt.Sprintf("did you mean %q?", near)
	}
	return Hinted(fmt.Sprintf("unknown %s %q", what, word), hint)
}

// OneOf is nil if a word is known, and otherwise the error of Unknown.
func OneOf(what, word string, known []string) error {
	if slices.Contains(known, word) {
		return nil
	}
	return Unknown(what, word, known)
}
