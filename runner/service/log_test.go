//go:build unix

package service

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func TestALineIsSeenOnceAndWhole(t *testing.T) {
	log, err := newLog()
	if err != nil {
		t.Fatal(err)
	}
	defer log.close()
	line := regexp.MustCompile("^ready$")
	for i, step := range []struct {
		text string
		want bool
	}{
		{"", false}, {"starting\nready", false}, {" soon\nrea", false}, {"dy\r\nlater", true},
	} {
		if _, err := log.file.WriteString(step.text); err != nil {
			t.Fatal(err)
		}
		if got := log.matches(line); got != step.want {
			t.Errorf("step %d: %v", i, got)
		}
	}
	if log.last() != "starting\nready soon\nready\r\nlater" {
		t.Errorf("last lines %q", log.last())
	}
}

func TestALogThatCannotBeKeptIsNotAnEmptyOne(t *testing.T) {
	log, err := newLog()
	if err != nil {
		t.Fatal(err)
	}
	defer log.close()
	if got := log.keep("server"); got != "" {
		t.Errorf("of an empty one: %q", got)
	}
	for _, name := range []string{"TMPDIR", "TMP", "TEMP"} {
		t.Setenv(name, filepath.Join(t.TempDir(), "gone"))
	}
	if _, err := log.file.WriteString("cannot bind\n"); err != nil {
		t.Fatal(err)
	}
	if got := log.keep("server"); !strings.HasPrefix(got, "could not be kept: no temporary file can be made in ") {
		t.Errorf("without a folder: %q", got)
	}
}

func TestLogsAreNamedAfterTheProgram(t *testing.T) {
	for path, want := range map[string]string{"/usr/bin/python3": "python3", "./a b/../x y*": "x_y_", "..": "..", strings.Repeat("x", 99): strings.Repeat("x", 40)} {
		if got := plainName(path); got != want {
			t.Errorf("%s is named %q", path, got)
		}
	}
}
