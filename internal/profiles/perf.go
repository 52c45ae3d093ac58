package profiles

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"example.com/suite/internal/lazy"
	"github.com/google/pprof/profile"
)

// OfCommands is for profiles of commands: if they are no Go programs, what is in libraries
// and in the kernel counts for the function that called it.
func (m Modules) OfCommands() Modules {
	m.files = true
	return m
}

// Span is a stretch of CLOCK_MONOTONIC, ns. Both ends belong to it.
type Span struct{ From, To int64 }

// ReadPerf reads what perf script prints of a program that runs others, with --show-task-events, --ns
// and the fields pid, time, period, ip, sym and dso. It returns a profile for each span: of the
// readings of processes that the program has started, and of their descendants. The program
// itself, and what it does between fork and exec, is left out.
//
// A reading is a line with its process, its time and its period, which is in nanoseconds because
// the event is a clock, then a line for each call from the inside to the outside, then an
// empty line.
func ReadPerf(script []byte, spans []Span) ([]*profile.Profile, error) {
	r := &perfReader{started: map[string]bool{}}
	for _, span := range spans {
		r.all = append(r.all, newPerfBuilder(span))
	}
	lines := bufio.NewScanner(bytes.NewReader(script))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if err := r.line(lines.Text()); err != nil {
			return nil, err
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("perf script: %w", err)
	}
	out := make([]*profile.Profile, len(r.all))
	for i, b := range r.all {
		b.end()
		out[i] = b.out
	}
	return out, nil
}

type perfReader struct {
	all     []*perfBuilder
	first   string          // the process that starts the others
	started map[string]bool // processes that it has started, and theirs
	open    bool            // a reading was begun
	current *perfBuilder    // of the reading, nil if it is in no profile
}

// forked matches the event of a new process or thread.
var forked = lazy.Regexp(`PERF_RECORD_FORK\(([0-9]+):[0-9]+\):\(([0-9]+):`)

func (r *perfReader) line(text string) error {
	fields := strings.Fields(text)
	switch {
	case len(fields) == 0:
		r.open = false
	case strings.Contains(text, ": PERF_RECORD_"):
		r.event(fields[0], text)
	case !r.open:
		return r.begin(fields, text)
	case r.current != nil:
		r.current.call(fields)
	}
	return nil
}

// event keeps track of processes. The program that the others descend from is the first to exec.
func (r *perfReader) event(pid, text string) {
	if strings.Contains(text, "PERF_RECORD_COMM exec") {
		r.first = cmp.Or(r.first, pid)
		r.started[pid] = pid != r.first
	} else if m := forked().FindStringSubmatch(text); m != nil && m[1] != m[2] {
		r.started[m[1]] = r.started[m[2]]
	}
}

// begin begins a reading.
func (r *perfReader) begin(fields []string, text string) error {
	if len(fields) != 3 {
		return fmt.Errorf("perf script: %q is no reading", text)
	}
	seconds, fraction, _ := strings.Cut(strings.TrimSuffix(fields[1], ":"), ".")
	s, err := strconv.ParseInt(seconds, 10, 64)
	ns, errFraction := strconv.ParseInt((fraction + "000000000")[:9], 10, 64)
	period, errPeriod := strconv.ParseInt(strings.TrimSuffix(fields[2], ":"), 10, 64)
	if err := cmp.Or(err, errFraction, errPeriod); err != nil {
		return fmt.Errorf("perf script: %q is no reading", text)
	}
	r.open, r.current = true, nil
	at := s*1e9 + ns
	for _, b := range r.all {
		if r.started[fields[0]] && b.span.From <= at && at <= b.span.To {
			b.end()
			b.period = period
			r.current = b
		}
	}
	return nil
}

type perfBuilder struct {
	span      Span
	out       *profile.Profile
	functions map[[2]string]*profile.Function
	locations map[[2]string]*profile.Location
	period    int64
	stack     []*profile.Location
}

func newPerfBuilder(span Span) *perfBuilder {
	return &perfBuilder{span: span, functions: map[[2]string]*profile.Function{},
		locations: map[[2]string]*profile.Location{}, out: &profile.Profile{
			SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"}, {Type: "cpu", Unit: "nanoseconds"}},
			PeriodType: &profile.ValueType{Type: "cpu", Unit: "nanoseconds"},
		}}
}

// call adds a call: its address, its symbol and, in brackets, the file of the symbol.
func (b *perfBuilder) call(fields []string) {
	file := strings.Trim(fields[len(fields)-1], "()")
	name := strings.Join(fields[1:len(fields)-1], " ")
	if name == "" || name == "[unknown]" {
		name = filepath.Base(file) + ": no symbols"
	}
	key := [2]string{name, file}
	if b.locations[key] == nil {
		f := &profile.Function{ID: uint64(len(b.functions) + 1), Name: name, SystemName: name, Filename: file}
		b.functions[key] = f
		b.out.Function = append(b.out.Function, f)
		l := &profile.Location{ID: uint64(len(b.locations) + 1), Line: []profile.Line{{Function: f}}}
		b.locations[key] = l
		b.out.Location = append(b.out.Location, l)
	}
	b.stack = append(b.stack, b.locations[key])
}

// end adds the reading that was begun.
func (b *perfBuilder) end() {
	if len(b.stack) > 0 {
		b.out.Sample = append(b.out.Sample, &profile.Sample{Location: b.stack, Value: []int64{1, b.period}})
	}
	b.stack, b.period = nil, 0
}
