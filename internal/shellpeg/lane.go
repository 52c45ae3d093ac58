package shellpeg

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

// since is the time from a departure to now, less the time inside of suite peg.
func (s *laneState) since(from departure, now int64) int64 {
	return now - from.At - (s.Own - from.Own)
}

func (s *laneState) enter(d Deed, now int64) string {
	switch {
	case d.Start:
		return pegLine("", d.Name, "-", d.Lane, pegfile.KindNext)
	case d.Begin:
		return pegLine("", d.Name, "-", d.Lane, pegfile.KindSpan)
	case d.End:
		return s.closeSpan(d, now)
	}
	from, kind := s.Last, pegfile.KindNext
	if d.From != "" {
		from, kind = d.From, pegfile.KindDirected
	}
	begun, known := s.Starts[from]
	switch {
	case known:
		return pegLine(from, d.Name, strconv.FormatInt(s.since(begun, now), 10), d.Lane, kind)
	case d.Stop || d.From != "":
		return pegLine("", d.Name, "?", d.Lane, kind)
	}
	return pegLine("", d.Name, "-", d.Lane, kind)
}

// closeSpan closes the innermost span of the name, and those inside it that were left
// open.
func (s *laneState) closeSpan(d Deed, now int64) (lines string) {
	at := len(s.Spans) - 1
	for at >= 0 && s.Spans[at].Name != d.Name {
		at--
	}
	if at < 0 {
		return pegLine("", d.Name, "?", d.Lane, pegfile.KindSpan)
	}
	for _, open := range slices.Backward(s.Spans[at+1:]) {
		lines += pegLine("", open.Name, "?", d.Lane, pegfile.KindSpan)
	}
	around := ""
	if at > 0 {
		around = s.Spans[at-1].Name
	}
	took := s.since(s.Spans[at].From, now)
	s.Spans = s.Spans[:at]
	return lines + pegLine(around, d.Name, strconv.FormatInt(took, 10), d.Lane, pegfile.KindSpan)
}

// leave records the end of a call that was entered at one time and is left at another.
func (s *laneState) leave(d Deed, entered, left int64) {
	s.Own += left - entered
	if d.Stop || d.End {
		return
	}
	now := departure{left, s.Own}
	if s.Starts == nil {
		s.Starts = map[string]departure{}
	}
	s.Starts[d.Name] = now
	if d.Begin {
		s.Spans = append(s.Spans, openSpan{d.Name, now})
	} else {
		s.Last = d.Name
	}
}

// pegLine is a line of the protocol.
func pegLine(from, to, ns, lane string, kind pegfile.Kind) string {
	return strings.TrimRight(strings.Join([]string{from, to, ns, lane, string(kind)}, "\t"), "\t") + "\n"
}
