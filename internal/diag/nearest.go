package diag

import (
	"strings"
	"unicode/utf8"
)

// Longer words are not compared: nobody misspells them, and the cost of a
// comparison grows with the product of the lengths.
const longestWord = 64

// Nearest returns the known word that word most likely stands for, and whether
// there is one: at most a third of the letters may differ (at least one, in
// words of two letters or more). A swap of two neighbours is one difference,
// the case of letters is none. Of equally near words the first is given.
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

// distance is the optimal string alignment distance (insert, delete, replace,
// swap neighbours) without regard to case, or limit where it is at least that.
//
// Source: F. J. Damerau, A technique for computer detection and correction of
// spelling errors, CACM 7(3), 1964, in its restricted form.
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
		before, last, row := rows[(i+1)%3], rows[(i+2)%3], rows[i%3]
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
