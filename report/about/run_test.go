package about

import (
	"fmt"
	"strings"
	"testing"

	"example.com/suite/report/page"
	"example.com/suite/report/page/text"
	"example.com/suite/result"
)

// What failed is the answer, however narrow the terminal is.
func TestAFindingIsNeverDropped(t *testing.T) {
	o := result.Outcome{Word: "FAIL", Text: "2 of 2 gates failed", Culprits: []string{"parse +241.6% (5% allowed)", "b +3.1% (3% allowed)"}, CauseFirst: true}
	for w, want := range map[int]string{
		24:  "parse +241.6% (5% allowed); and 1 more; 2 of 2 gates failed",
		40:  "parse +241.6% (5% allowed); and 1 more; 2 of 2 gates failed",
		100: "parse +241.6% (5% allowed); b +3.1% (3% allowed); 2 of 2 gates failed",
	} {
		if got := answer(t, o, w); got != want {
			t.Errorf("in %d columns: %q, want %q", w, got, want)
		}
	}
}

// answer is what a terminal shows that has so many columns after the first word.
func answer(t *testing.T, o result.Outcome, room int) string {
	var b strings.Builder
	if err := text.Write(&b, []page.Block{page.List{Outcome(o)}}, text.Options{Width: room + len(o.Head()+": ")}); err != nil {
		t.Fatal(err)
	}
	_, line, _ := strings.Cut(strings.Join(strings.Fields(b.String()), " "), ": ")
	return line
}

// A line names as many of them as fit, and counts the others, however many there are.
func TestOfManyCulpritsALineIsNamed(t *testing.T) {
	o := result.Outcome{Text: "all failed"}
	for i := range 13000 {
		o.Culprits = append(o.Culprits, fmt.Sprint(i%10))
	}
	for w, named := range map[int]int{-1: 0, 25: 0, 31: 1, 34: 2, 100: 24} {
		want := o.Text
		if named > 0 {
			want += fmt.Sprintf(" (%s; and %d more)", strings.Join(o.Culprits[:named], "; "), len(o.Culprits)-named)
		}
		if got := answer(t, o, w); got != want {
			t.Errorf("in %d columns: %q, want %q", w, got, want)
		}
	}
}
