package client

import (
	"strings"
	"testing"

	"example.com/suite/runner/host/wire"
)

// Each row of the list is id, n and nanoseconds.
func rows(list ...[3]int64) *wire.Readings {
	r := &wire.Readings{Columns: map[string][]int64{}}
	for _, row := range list {
		r.ID, r.N = append(r.ID, int(row[0])), append(r.N, int(row[1]))
		for _, name := range []string{"time", "wall"} {
			r.Columns[name] = append(r.Columns[name], row[2])
		}
		r.Elapsed += row[2]
	}
	return r
}

func TestReadingsOfKilledRunsHaveTheirRows(t *testing.T) {
	for _, killed := range [][]int{{-1}, {2}, {1, 0}, {1, 1}} {
		r := rows([3]int64{1, 1, 1}, [3]int64{1, 1, 1})
		if r.Killed = killed; rectangular(r) {
			t.Errorf("killed %v of two rows is taken", killed)
		}
	}
	if r := (&wire.Readings{Columns: map[string][]int64{"time": {}, "wall": {}}}); !rectangular(r) {
		t.Error("no rows are refused")
	}
}

func TestReadingsThatAreNoTableAreABreach(t *testing.T) {
	good := func() *wire.Readings { return rows([3]int64{1, 10, 100}, [3]int64{1, 10, 100}) }
	for what, spoil := range map[string]func(r *wire.Readings){
		"no n":         func(r *wire.Readings) { r.N = nil },
		"n of 0":       func(r *wire.Readings) { r.N[1] = 0 },
		"a column cut": func(r *wire.Readings) { r.Columns["cpu"] = []int64{1} },
		"no time":      func(r *wire.Readings) { delete(r.Columns, "time") },
		"no wall":      func(r *wire.Readings) { delete(r.Columns, "wall") },
	} {
		r := good()
		if spoil(r); whole("run", &wire.Response{Readings: r}) {
			t.Errorf("%s is accepted", what)
		}
	}
	if !whole("run", &wire.Response{Readings: good()}) || !whole("run", &wire.Response{Readings: rows()}) {
		t.Error("a whole answer is refused")
	}
	for _, op := range []string{"hello", "calibrate", "prepare", "size", "run", "allocs"} {
		if whole(op, &wire.Response{}) {
			t.Errorf("an empty answer to %s is accepted", op)
		}
	}
}

func TestTheTailKeepsBothEnds(t *testing.T) {
	var kept tail
	for range 10 {
		kept.Write([]byte("panic: first\n" + strings.Repeat("x", tailBytes/2) + "\nlast"))
	}
	if text := kept.String(); !strings.HasPrefix(text, "panic: first\n") || !strings.Contains(text, "\n[…]\n") || !strings.HasSuffix(text, "last") || len(text) > 2*tailBytes+20 {
		t.Errorf("%d bytes: %.40q", len(text), text)
	}
	if kept.forget(); kept.String() != "" {
		t.Error("something was not forgotten")
	}
	kept.Write([]byte("a\xffb"))
	if got := kept.String(); got != "a\uFFFDb" {
		t.Errorf("%q", got)
	}
}

func TestTheStackThatHangsIsPicked(t *testing.T) {
	body := "goroutine 7 [chan receive]:\nmain.body()\nexample.com/suite/runner/host.(*meter).batch()"
	other := "goroutine 1 [select]:\nexample.com/suite/runner/host.Main.func1()"
	if got := stuck("SIGQUIT: quit\n\n" + other + "\n\n" + body); got != body {
		t.Errorf("%q", got)
	}
	if got := stuck("no Go program"); got != "no Go program" {
		t.Errorf("%q", got)
	}
}
