package result

import (
	"reflect"
	"testing"
)

func partsOf(launch, block []int, xs ...float64) *Samples {
	return &Samples{Launch: launch, Block: block, At: make([]float64, len(xs)), Columns: map[string]Column{"time": xs}}
}

// A part is a block, and a launch where there are at least six.
func TestPartsAreBlocksOrLaunches(t *testing.T) {
	s := partsOf([]int{0, 0, 0, 0, 1}, []int{0, 0, 0, 1, 2}, 3, 1, 2, 7, 9)
	if got, want := s.Parts("time"), []Part{{0, 3, 2}, {1, 1, 7}, {2, 1, 9}}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	s = partsOf([]int{0, 0, 1, 2, 3, 4, 5}, []int{0, 1, 2, 3, 4, 5, 6}, 1, 3, 4, 5, 6, 7, 8)
	if got, want := s.Parts("time"), []Part{{0, 2, 2}, {1, 1, 4}, {2, 1, 5}, {3, 1, 6}, {4, 1, 7}, {5, 1, 8}}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := s.Parts("rss"); got != nil {
		t.Errorf("a metric that is not there has the parts %v", got)
	}
}

// Disturbed samples are left out where the others are at least half, as of the
// headline.
func TestPartsLeaveOutTheDisturbed(t *testing.T) {
	s := partsOf([]int{0, 0, 0, 0}, []int{0, 0, 1, 1}, 1, 50, 3, 5)
	s.Disturbed = []Disturbed{{Index: 1}}
	if got, want := s.Parts("time"), []Part{{0, 1, 1}, {1, 2, 4}}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got, want := s.HeadlineRows("time"), []int{0, 2, 3}; !reflect.DeepEqual(got, want) {
		t.Errorf("rows %v, want %v", got, want)
	}
	s.Disturbed = []Disturbed{{Index: 0}, {Index: 1}, {Index: 2}}
	if got, want := s.HeadlineRows("time"), []int{0, 1, 2, 3}; !reflect.DeepEqual(got, want) {
		t.Errorf("rows %v, want %v", got, want)
	}
}
