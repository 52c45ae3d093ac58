package observed

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// changed returns when a file, or what the file system knows of it, has changed last. Unlike the
// time of its content, this one cannot be set by install -p or cp -p.
func changed(path string) (at time.Time, known bool) {
	var s unix.Stat_t
	if unix.Stat(path, &s) != nil {
		return time.Time{}, false
	}
	return time.Unix(s.Ctim.Unix()), true
}

// state returns what tells a file from what it was, and when it has changed last. The time is 0 if
// a change does not count: in a folder that was not listed. Links are not followed.
func state(path string, listed bool) (now string, at time.Time) {
	var s unix.Stat_t
	err := unix.Lstat(path, &s)
	switch {
	case errors.Is(err, unix.ENOENT), errors.Is(err, unix.ENOTDIR):
		return absent, time.Time{}
	case err != nil:
		return err.Error(), time.Now()
	}
	at, folder := time.Unix(s.Ctim.Unix()), s.Mode&unix.S_IFMT == unix.S_IFDIR
	now = stateOf(s.Mode, folder, listed, s.Size, s.Ino, at)
	if folder && !listed {
		return now, time.Time{}
	}
	return now, at
}

// surroundings is what a program sees of its user, its limits and its machine without looking at a
// file, as text: it decides what the program does in the same way as an argument. A part that
// cannot be read is missing each time.
func surroundings() string {
	var parts []string
	limits, _ := exec.Command("sh", "-c", "ulimit -S -n").Output() // the Go runtime raises this one for itself
	text, _ := os.ReadFile("/proc/self/limits")
	parts = append(parts, string(limits), string(text))
	status, _ := os.ReadFile("/proc/self/status")
	for line := range strings.Lines(string(status)) {
		name, _, _ := strings.Cut(line, ":")
		switch name {
		case "Umask", "Uid", "Gid", "Groups", "SigIgn", "CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb", "NoNewPrivs",
			"Seccomp", "THP_enabled", "Cpus_allowed", "Mems_allowed":
			parts = append(parts, line)
		}
	}
	for _, name := range []string{"/proc/self/personality", "/proc/sys/kernel/random/boot_id"} {
		text, _ := os.ReadFile(name)
		parts = append(parts, string(text))
	}
	var name unix.Utsname
	_ = unix.Uname(&name)
	nice, _ := unix.Getpriority(unix.PRIO_PROCESS, 0)
	return strings.Join(append(parts, fmt.Sprint(name, nice)), "\n")
}
