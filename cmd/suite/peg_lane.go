package main

import (
	"slices"
	"strconv"
	"strings"

	"example.com/suite/peg/pegfile"
)

// laneState is what suite peg has to know of its last calls on a lane. Times are
// nanoseconds.
type laneState struct {
	Last   string               `json:"last"`
	Own    int64                `json:"own"` // spent inside of suite peg so far
	Starts map[string]departure `json:"starts"`
	Spans  []openSpan           `json:"spans"` // the innermost at the end
}

// departure is when a point was left, and how much of the time before was suite peg's.
type departure struct {
	At  int64 `json:"at"`
	Own int64 `json:"own"`
}

type openSpan struct {
	Name string    `json:"name"`
	From departure `json:"from"`
}

// since gives the time from a departure to now less that inside of suite peg: formula
// 5.4 of the ancestors.
func (s *laneState) since(from departure, now int64) int64 {
	return now - from.At - (s.Own - from.Own)
}

// enter gives the lines that a deed makes at a time.
func (s *laneState) enter(d deed, now int64) string {
	switch {
	case d.start:
		return pegLine("", d.name, "-", d.lane, pegfile.KindNext)
	case d.begin:
		return pegLine("", d.name, "-", d.lane, pegfile.KindSpan)
	case d.end:
		return s.closeSpan(d, now)
	}
	from, kind := s.Last, pegfile.KindNext
	if d.from != "" {
		from, kind = d.from, pegfile.KindDirected
	}
	begun, known := s.Starts[from]
	switch {
	case known:
		return pegLine(from, d.name, strconv.FormatInt(s.since(begun, now), 10), d.lane, kind)
	case d.stop || d.from != "":
		return pegLine("", d.name, "?", d.lane, kind)
	}
	return pegLine("", d.name, "-", d.lane, kind)
}

// closeSpan closes the innermost span of the name, and those inside it that were left
// open.
func (s *laneState) closeSpan(d deed, now int64) (lines string) {
	at := len(s.Spans) - 1
	for at >= 0 && s.Spans[at].Name != d.name {
		at--
	}
	if at < 0 {
		return pegLine("", d.name, "?", d.lane, pegfile.KindSpan)
	}
	for _, open := range slices.Backward(s.Spans[at+1:]) {
		lines += pegLine("", open.Name, "?", d.lane, pegfile.KindSpan)
	}
	around := ""
	if at > 0 {
		around = s.Spans[at-1].Name
	}
	took := s.since(s.Spans[at].From, now)
	s.Spans = s.Spans[:at]
	return lines + pegLine(around, d.name, strconv.FormatInt(took, 10), d.lane, pegfile.KindSpan)
}

// leave notes the end of a call that was entered at one time and is left at another.
func (s *laneState) leave(d deed, entered, left int64) {
	s.Own += left - entered
	if d.stop || d.end {
		return
	}
	now := departure{left, s.Own}
	if s.Starts == nil {
		s.Starts = map[string]departure{}
	}
	s.Starts[d.name] = now
	if d.begin {
		s.Spans = append(s.Spans, openSpan{d.name, now})
	} else {
		s.Last = d.name
	}
}

// pegLine is a line of the protocol.
func pegLine(from, to, ns, lane string, kind pegfile.Kind) string {
	return strings.TrimRight(strings.Join([]string{from, to, ns, lane, string(kind)}, "\t"), "\t") + "\n"
}
