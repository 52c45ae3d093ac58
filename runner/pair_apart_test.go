package runner

import (
	"slices"
	"testing"
	"time"

	"example.com/suite/runner/host/wire"
	"example.com/suite/runner/sample"
	"example.com/suite/timer"
)

func readingsOf(id int, elapsed int64, columns map[string][]int64) *wire.Readings {
	r := &wire.Readings{Elapsed: elapsed, Columns: columns}
	for range columns["time"] {
		r.ID, r.N = append(r.ID, id), append(r.N, 1)
	}
	return r
}

// Readings of two hosts are joined: a column that one of them lacks is absent in its
// rows, a stop belongs to the rows of the stopped host, and times add up.
func TestReadingsOfTwoHostsAreJoined(t *testing.T) {
	all := &wire.Readings{Columns: map[string][]int64{}}
	half, more := 0.5, int64(7)
	first := readingsOf(1, 100, map[string][]int64{"time": {10}, "wall": {10}, "ticks": {5}})
	first.Waited, first.Leaked, first.Left = &more, 1, []string{"sleep 1"}
	sample.Join(all, first, 0)
	second := readingsOf(2, 50, map[string][]int64{"time": {20}, "wall": {20}, "gcs": {1}})
	second.Waited, second.Share, second.Retried = &more, &half, 3
	sample.Join(all, second, 3*time.Second)
	sample.Join(all, readingsOf(1, 1, map[string][]int64{"time": {30}, "wall": {30}, "ticks": {6}}), 0)
	for name, want := range map[string][]int64{"time": {10, 20, 30}, "ticks": {5, timer.Absent, 6}, "gcs": {timer.Absent, 1, timer.Absent}} {
		if got := all.Columns[name]; !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	if !slices.Equal(all.ID, []int{1, 2, 1}) || !slices.Equal(all.Stops, []int64{0, 3e9, 0}) || len(all.N) != 3 || len(all.Columns["wall"]) != 3 {
		t.Errorf("ids %v, stops %v", all.ID, all.Stops)
	}
	if all.Elapsed != 151 || *all.Waited != 14 || *all.Share != 0.5 || all.Retried != 3 || all.Leaked != 1 || len(all.Left) != 1 || more != 7 {
		t.Errorf("joined %+v", all)
	}
}
