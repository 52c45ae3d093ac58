package figure

import (
	"testing"

	"example.com/suite/report/page/drawing"
	"github.com/google/go-cmp/cmp"
)

func TestSheetWithoutEmptyColumns(t *testing.T) {
	s := &drawing.Sheet{Head: []string{"a", "b", "c", "d"}, Rows: [][]string{{"1", "", "", "4"}, {"2", "", "3", ""}}}
	want := &drawing.Sheet{Head: []string{"a", "c", "d"}, Rows: [][]string{{"1", "", "4"}, {"2", "3", ""}}}
	if got := s.WithoutEmpty(); !cmp.Equal(got, want) {
		t.Errorf("got %v", got)
	}
}
