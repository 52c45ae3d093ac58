package timer

import (
	"io/fs"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

// instructions of an assembly function, including the one after the last fence.
func instructions(t *testing.T, name string) string {
	t.Helper()
	files, err := fs.Glob(Source, "*_amd64.s")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := fs.ReadFile(Source, file)
		if err != nil {
			t.Fatal(err)
		}
		_, body, found := strings.Cut(string(text), "TEXT ·"+name+"(SB)")
		if !found {
			continue
		}
		body, _, _ = strings.Cut(body, "\tRET")
		return strings.Join(regexp.MustCompile(`(?m)^\s+(MFENCE|LFENCE|RDTSCP|RDTSC)\b`).FindAllString(body, -1), " ")
	}
	t.Fatalf("no function %s", name)
	return ""
}

// What a missing fence does shows on no clock, so the fences are looked at.
func TestTheEdgesOfRDTSCAreFencedEachItsOwnWay(t *testing.T) {
	for name, want := range map[string]string{
		"tscBegin": "LFENCE RDTSC LFENCE",        // neither the harness nor the body in the ticks
		"tscEnd":   "MFENCE LFENCE RDTSC LFENCE", // the body's stores too
		"rdtscp":   "RDTSCP LFENCE",              // by itself it waits for all earlier instructions
	} {
		if got := strings.Join(strings.Fields(instructions(t, name)), " "); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
	c, err := openRDTSC()
	if err != nil {
		t.Skip(err)
	}
	code := func(f any) uintptr { return reflect.ValueOf(f).Pointer() }
	if r := c.(*tickCounter); code(r.begin) != code(tscBegin) || code(r.end) != code(tscEnd) || code(r.begin) == code(r.end) {
		t.Error("T0 and T1 are not read by the code of their own")
	}
}
