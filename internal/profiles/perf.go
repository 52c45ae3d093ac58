package profiles

import (
	"bufio"
	"bytes"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/google/pprof/profile"
)

// OfCommands is for profiles of commands: if they are no Go programs, what is in libraries
// and in the kernel counts for the function that called it.
func (m Modules) OfCommands() Modules {
	m.files = true
	return m
}

// ReadPerf reads what perf script prints with the fields period, ip, sym and dso: for each
// reading a line with its period, which is in nanoseconds because the event is a clock, then
// a line for each call from the inside to the outside, then an empty line.
func ReadPerf(script []byte) (*profile.Profile, error) {
	b := &perfBuilder{functions: map[[2]string]*profile.Function{}, locations: map[[2]string]*profile.Location{}, out: &profile.Profile{
		SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"}, {Type: "cpu", Unit: "nanoseconds"}},
		PeriodType: &profile.ValueType{Type: "cpu", Unit: "nanoseconds"},
	}}
	lines := bufio.NewScanner(bytes.NewReader(script))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if err := b.line(lines.Text()); err != nil {
			return nil, err
		}
	}
	b.end()
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("perf script: %w", err)
	}
	return b.out, nil
}

type perfBuilder struct {
	out       *profile.Profile
	functions map[[2]string]*profile.Function
	locations map[[2]string]*profile.Location
	period    int64
	stack     []*profile.Location
}

func (b *perfBuilder) line(text string) error {
	fields := strings.Fields(text)
	switch {
	case len(fields) == 0:
		b.end()
	case len(fields) == 1: // the period of the next reading
		period, err := strconv.ParseInt(strings.TrimSuffix(fields[0], ":"), 10, 64)
		if err != nil {
			return fmt.Errorf("perf script: %q is no period", text)
		}
		b.end()
		b.period = period
	default:
		b.call(fields)
	}
	return nil
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
