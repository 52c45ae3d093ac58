package callgrind

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"example.com/suite/runner/host/wire"
)

// prefix begins the names of files that callgrind writes: prefix and the id of a process, and a number for each time
// that it has written before its end.
const prefix = "count."

// Count is what was counted.
type Count struct {
	Instructions float64
	Parts        int                // times that callgrind has written
	Functions    map[string]float64 // instructions by the function that executed them, without what it called
}

// Without is what c has more than another count, 0 at least.
func (c Count) Without(other Count) Count {
	more := Count{Instructions: max(c.Instructions-other.Instructions, 0), Parts: max(c.Parts-other.Parts, 0),
		Functions: map[string]float64{}}
	for name, n := range c.Functions {
		if n > other.Functions[name] {
			more.Functions[name] = n - other.Functions[name]
		}
	}
	return more
}

// errNothing is the error of a program that callgrind has not counted.
var errNothing = errors.New("callgrind has counted nothing: is the program one that changes its user, is written for " +
	"another processor, or was linked without the names of its functions (-ldflags=-s)?")

// Take returns what callgrind has written into a folder since the last call, and removes it. The instructions of
// runtime.sysmon are left out: it is a thread of each Go program that looks after the others every few milliseconds, so
// it executes more if the machine is busy.
func Take(folder string, scope Scope) (Count, error) {
	parts, err := list(folder)
	if err != nil {
		return Count{}, err
	}
	all := Count{Functions: map[string]float64{}}
	marked := false
	for _, p := range parts {
		if scope.goesOn(p) { // and the file is empty
			continue
		}
		one, err := read(p.path)
		if err != nil {
			return Count{}, err
		}
		if err := os.Remove(p.path); err != nil {
			return Count{}, err
		}
		all.Parts++
		switch {
		case scope == Processes, one.reached(wire.CountEnds):
			all.Instructions += one.total
			for name, cost := range one.functions {
				all.Functions[name] += cost
			}
			marked = true
		case one.reached(wire.CountResets):
			all.Instructions = 0
			clear(all.Functions)
		}
	}
	if !marked || scope == Processes && all.Instructions <= 0 {
		return Count{}, errNothing
	}
	return all, nil
}

// Discard removes what callgrind has written since the last call of Take. A run that was killed has written it, perhaps
// half of it, and it must not count for the run after that.
func Discard(folder string, scope Scope) error {
	parts, err := list(folder)
	for _, p := range parts {
		if scope.goesOn(p) { // and may need it
			continue
		}
		err = cmp.Or(err, os.Remove(p.path))
	}
	return err
}

// goesOn reports whether a part is what a process that answers again and again writes at its end.
func (s Scope) goesOn(p part) bool { return (s == Marked || s == Requested) && p.number == atEnd }

type part struct {
	path            string
	process, number int
}

// atEnd is the number of what callgrind writes at the end of a process.
const atEnd = 1 << 30

// list returns the files of a folder in the order in which each process wrote them.
func list(folder string) (parts []part, err error) {
	files, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		rest, ok := strings.CutPrefix(file.Name(), prefix)
		if !ok {
			continue
		}
		process, number, numbered := strings.Cut(rest, ".")
		p := part{path: filepath.Join(folder, file.Name()), number: atEnd}
		if p.process, err = strconv.Atoi(process); err != nil {
			continue
		}
		if numbered {
			if p.number, err = strconv.Atoi(number); err != nil {
				continue
			}
		}
		parts = append(parts, p)
	}
	slices.SortFunc(parts, func(a, b part) int {
		return cmp.Or(cmp.Compare(a.process, b.process), cmp.Compare(a.number, b.number))
	})
	return parts, nil
}

// output is what is read of a file.
type output struct {
	trigger   string
	total     float64 // without what runtime.sysmon has executed
	functions map[string]float64
}

// reached reports whether the file was written because the program asked for it with this reason, or because a function
// of this name was called.
func (o *output) reached(mark string) bool {
	return o.trigger == "Client Request: "+mark ||
		strings.HasPrefix(o.trigger, "--dump-before=") && strings.HasSuffix(o.trigger, "."+mark)
}

// watcher is the function of the Go runtime whose instructions do not count.
const watcher = "runtime.sysmon"

// read reads a file in the format of callgrind: a header, then for each function its name (once; afterwards a number in
// parentheses), lines with a position and a cost, and for each call a line with calls= and one with the cost of the
// called function and all that it called.
func read(path string) (output, error) {
	file, err := os.Open(path)
	if err != nil {
		return output{}, fmt.Errorf("callgrind has not written what it counted: %w", err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 16<<20)
	o := output{functions: map[string]float64{}}
	names := map[string]string{} // by their numbers
	total, function, called, watched := "", "", false, 0.0
	for lines.Scan() {
		line := lines.Text()
		switch key, value, _ := strings.Cut(line, "="); {
		case line == "":
		case isCost(line):
			cost, err := strconv.ParseFloat(line[strings.LastIndexByte(line, ' ')+1:], 64)
			if err != nil {
				return output{}, errors.New("callgrind has written a cost that is no number")
			}
			if function == watcher {
				watched += cost
			} else if !called && isName(function) {
				o.functions[function] += cost
			}
			called = false
		case key == "fn":
			function = withoutLevel(named(names, value))
		case key == "cfn":
			named(names, value)
		case key == "calls":
			called = true
		case strings.HasPrefix(line, "desc: Trigger: "):
			o.trigger = strings.TrimPrefix(line, "desc: Trigger: ")
		case strings.HasPrefix(line, "summary:"), strings.HasPrefix(line, "totals:"):
			_, text, _ := strings.Cut(line, ":")
			total = cmp.Or(strings.TrimSpace(text), total)
		}
	}
	first, _, _ := strings.Cut(total, " ") // of several events, Ir comes first
	o.total, err = strconv.ParseFloat(first, 64)
	if err != nil || lines.Err() != nil {
		return output{}, errors.New("callgrind has written no total")
	}
	o.total = max(o.total-watched, 0)
	return o, nil
}

// isName reports whether a function has a name. In programs without symbols it is an address.
func isName(function string) bool { return function != "" && !strings.HasPrefix(function, "0x") }

// named returns the name of a function: (12) runtime.memmove the first time, and (12) afterwards.
func named(names map[string]string, value string) string {
	number, name, first := strings.Cut(value, " ")
	if !strings.HasPrefix(number, "(") {
		return value
	}
	if first {
		names[number] = name
	}
	return names[number]
}

// withoutLevel returns the name of a function without the level of recursion that callgrind appends: walk of walk'2.
func withoutLevel(function string) string {
	at := strings.LastIndexByte(function, '\'')
	if at < 0 {
		return function
	}
	if _, err := strconv.Atoi(function[at+1:]); err != nil {
		return function
	}
	return function[:at]
}

// isCost reports whether a line is a position, which may be relative to the one before, and a cost.
func isCost(line string) bool {
	return strings.IndexByte("0123456789+-*", line[0]) >= 0 && strings.IndexByte(line, ' ') > 0
}
