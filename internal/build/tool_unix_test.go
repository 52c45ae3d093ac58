//go:build unix

package build

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A script in the place of go records the commands that go runs.
func TestNothingIsLinkedTwice(t *testing.T) {
	dir := tree(t, twoFunctions)
	real, err := exec.LookPath("go")
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	script := "#!/bin/sh\ncase $1 in build|test) GOFLAGS=\"-x $GOFLAGS\" exec " + real + " \"$@\" 2>\"${0%/*}/log\";; esac\nexec " + real + " \"$@\"\n"
	if err := os.WriteFile(filepath.Join(bin, "go"), []byte(script), 0o777); err != nil {
		t.Fatal(err)
	}
	for _, packages := range []string{"./bench", "./tested"} {
		for _, linked := range []bool{true, false} {
			r := offline(dir, packages)
			r.Env = append(r.Env, "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
			if packages == "./bench" {
				built(t, r)
			} else {
				tests(t, r)
			}
			log, err := os.ReadFile(filepath.Join(bin, "log"))
			if err != nil || len(log) == 0 || strings.Contains(string(log), "/link -o ") != linked {
				t.Errorf("%s: linked: want %v, %v, ran\n%s", packages, linked, err, log)
			}
		}
	}
}

// sleeper is a program that stands before a compiler and waits for a child that
// sleeps. The number of the child is in a file asleep beside it.
func sleeper(t *testing.T) string {
	file := filepath.Join(t.TempDir(), "sleeper")
	text := "#!/bin/sh\ncase \"$*\" in *-V=full*) exec \"$@\";; esac\nsleep 600 & echo $! > \"${0%/*}/asleep\"; wait\n"
	if err := os.WriteFile(file, []byte(text), 0o777); err != nil {
		t.Fatal(err)
	}
	return file
}

// pidIn waits for a file that holds the number of a process, at most a minute.
func pidIn(t *testing.T, file string) int {
	t.Helper()
	for range 6000 {
		text, _ := os.ReadFile(file)
		if pid, err := strconv.Atoi(strings.TrimSuffix(string(text), "\n")); err == nil && strings.HasSuffix(string(text), "\n") {
			return pid
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("%s never came", file)
	return 0
}

// dies waits for the end of a process, at most a minute.
func dies(t *testing.T, pid int) {
	t.Helper()
	for range 6000 {
		if !running(pid) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("process %d, which the build has started, lives on", pid)
}

// running reports whether a process is there and no zombie, which it may stay
// where nobody reaps orphans.
func running(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, state, _ := strings.Cut(string(stat), ") ")
	return err != nil || !strings.HasPrefix(state, "Z")
}

// A benchmark that leaves a process running makes the listing of a binary leave one
// for each time that it is asked.
func TestNothingATestBinaryStartsOutlivesItsRun(t *testing.T) {
	dir := tree(t, `
-- m_test.go --
package m

import (
	"os/exec"
	"testing"
)

func BenchmarkX(b *testing.B) {
	if err := exec.Command("sh", "-c", "sh -c 'echo $$ >new; mv new asleep; exec sleep 600' >/dev/null 2>&1 & until [ -e asleep ]; do sleep 0.01; done").Run(); err != nil {
		b.Fatal(err)
	}
}
`)
	one := tests(t, offline(dir, "."))[0]
	pid := filepath.Join(one.Dir, "asleep")
	out, err := one.Run(context.Background(), time.Minute, nil, "-test.bench=X", "-test.benchtime=1x")
	if err != nil || out.Err != nil {
		t.Fatal(err, out)
	}
	dies(t, pidIn(t, pid))
}

// A program that is linked again may differ in its build IDs, and in nothing else.
func TestBuildIDsMayDiffer(t *testing.T) {
	dir := t.TempDir()
	program, again := filepath.Join(dir, "program"), filepath.Join(dir, "again")
	write := func(path, own, gnu, code string) {
		if err := os.WriteFile(path, []byte("\x7fELF "+own+" "+gnuBuildID+gnu+code), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(program, "hash-of-go", "01234567890123456789", "the code")
	r := &relink{argv: []string{"sh", "-c", `cp "$0" "$2"`, again, "-buildid=not-hashed", targetWord}}
	for _, c := range []struct {
		own, gnu, code string
		want           bool
	}{
		{"hash-of-go", "01234567890123456789", "the code", true},
		{"not-hashed", "98765432109876543210", "the code", true},
		{"not-hashed", "98765432109876543210", "the cods", false},
		{"is-another", "01234567890123456789", "the code", false},
		{"not-hashed", "98765432109876543210", "the code.", false},
	} {
		write(again, c.own, c.gnu, c.code)
		if got := r.makes(t.Context(), 7, program); got != c.want {
			t.Errorf("%+v: the same program: %v", c, got)
		}
	}
}
