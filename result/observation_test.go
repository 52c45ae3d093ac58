package result_test

import (
	"testing"

	"example.com/suite/result"
	"github.com/google/go-cmp/cmp"
)

func TestLooks(t *testing.T) {
	var looks []int
	for n := range 10_001 {
		if result.IsLook(n) {
			looks = append(looks, n)
		}
	}
	want := []int{10, 20, 30, 50, 100, 200, 300, 500, 1000, 2000, 3000, 5000, 10_000}
	if diff := cmp.Diff(want, looks); diff != "" {
		t.Error(diff)
	}
}
