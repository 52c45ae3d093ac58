// Package observe runs one command and records what it looks at: files that it opens,
// programs and libraries that it executes, links that it follows, folders that it lists,
// names that it looks up and does not find, and connections.
//
// On Linux a seccomp filter stops the command and its descendants only in calls that take
// paths, and a tracer reads the paths by ptrace. The tracer is a process of its own: this
// program starts itself again, and the package takes over while it is initialised, because
// other packages of the program have no part in it. So the tracer can wait for everything
// below it without taking the exit status of a child from another goroutine.
//
// The record is about names, not about bytes: it does not contain which part of a file was
// read, the time, random numbers, or what was received from other processes. Times of files
// are not compared either. Files of another tree are never as old as the files of this one.
package observe

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// Command is what is run. Path is passed to execve as it is: nothing is searched for.
type Command struct {
	Path   string
	Args   []string // with the name of the program
	Dir    string   // "" is the working folder
	Env    []string // nil is the environment of this process
	Stdin  io.Reader
	Stdout io.Writer
	Stderr io.Writer
	Files  []*os.File // descriptors 3 and up

	limits limits
}

// limits bound what a record and its tracer need.
type limits struct {
	Paths int // different paths
	Bytes int // of all paths
	Tasks int // threads and processes at a time; more are killed
}

// A go build of a large program looks at 15,000 paths of 80 bytes each.
var defaults = limits{Paths: 50_000, Bytes: 8 << 20, Tasks: 2048}

// Record is what a command has looked at.
type Record struct {
	Files []Access `json:"files,omitempty"` // by path, each path once
	// Unix sockets that were connected to; an abstract name begins with @
	Sockets []string `json:"sockets,omitempty"`
	// "127.0.0.1:80"; "datagrams" if a socket may send to any address
	Connections []string `json:"connections,omitempty"`
	Doubts      []Doubt  `json:"doubts,omitempty"` // by cause, each cause once
	Exit        Exit     `json:"exit"`
}

// Exit is how the command ended.
type Exit struct {
	Status int `json:"status,omitempty"`
	Signal int `json:"signal,omitempty"` // that killed it, or 0
}

// Access is how a path was used. No folder in the path is a link: links that were followed
// have an access of their own.
type Access struct {
	Path   string `json:"path"`
	Use    Use    `json:"use"`
	Target string `json:"target,omitempty"` // of a link
}

// Use is a set of ways to use a path. Each describes the path as it was before the command
// changed it: a file that the command has made itself and then reads is only Written.
type Use uint16

const (
	Read       Use = 1 << iota // the content of a file
	Written                    // made, changed, renamed or removed
	Exec                       // executed, or loaded by the kernel to execute another file
	Stat                       // whether there is such a file, and its mode and size
	List                       // the names in a folder
	Link                       // the target of a link
	Missing                    // looked up and not found
	Made                       // and Written: its content is not what it was, or it is gone
	Attributes                 // extended attributes and access lists
	Again                      // and Exec: by a program that was executed, though suite had executed it itself
)

var useNames = []string{"read", "written", "exec", "stat", "list", "link", "missing", "made", "attributes",
	"again"}

// String returns the names of the ways: "read+stat".
func (u Use) String() string {
	var names []string
	for i, name := range useNames {
		if u>>i&1 != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, "+")
}

// MarshalText returns the set as String does.
func (u Use) MarshalText() ([]byte, error) { return []byte(u.String()), nil }

// UnmarshalText takes what MarshalText returns.
func (u *Use) UnmarshalText(text []byte) error {
	*u = 0
	if len(text) == 0 {
		return nil
	}
	for name := range strings.SplitSeq(string(text), "+") {
		i := slices.Index(useNames, name)
		if i < 0 {
			return fmt.Errorf("unknown use of a path %q", name)
		}
		*u |= 1 << i
	}
	return nil
}

// answer is what a tracer leaves: a record or a cause.
type answer struct {
	Record *Record
	Cause  Cause
	Errno  syscall.Errno
}

// Names of files of records, complete and not.
const (
	recordName = ".record"
	partName   = ".part"
)

// Records reads what programs of Wrap have written to a folder. The error is an *Error if one
// of them could not be traced, and if there is none.
func Records(dir string) (all []*Record, err error) {
	names, err := filepath.Glob(filepath.Join(dir, "*"+recordName))
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		var a answer
		if err == nil {
			err = json.Unmarshal(text, &a)
		}
		switch {
		case err != nil:
			return nil, &Error{Tracer, err}
		case a.Record == nil:
			return nil, &Error{a.Cause, a.Errno}
		}
		all = append(all, a.Record)
	}
	if part, _ := filepath.Glob(filepath.Join(dir, "*"+partName)); len(all) == 0 || len(part) > 0 {
		return nil, &Error{Tracer, fmt.Errorf("%d records, %d of them without an end", len(all)+len(part), len(part))}
	}
	return all, nil
}

// Join returns one record of commands that ran one after another: what one of them has made, or
// removed, is no input of the next.
func Join(records ...*Record) *Record {
	all, at, made := new(Record), map[string]int{}, map[string]bool{}
	for _, r := range records {
		for _, a := range r.Files {
			i, known := at[a.Path]
			if isMade(a.Path, made) {
				a.Use, a.Target = a.Use&(Written|Made), ""
			}
			switch {
			case known:
				all.Files[i].Use |= a.Use
				all.Files[i].Target = cmp.Or(all.Files[i].Target, a.Target)
			case a.Use != 0:
				at[a.Path], all.Files = len(all.Files), append(all.Files, a)
			}
		}
		for _, a := range r.Files {
			made[a.Path] = made[a.Path] || a.Use&Made != 0
		}
		all.Sockets = append(all.Sockets, r.Sockets...)
		all.Connections = append(all.Connections, r.Connections...)
		all.Doubts = append(all.Doubts, r.Doubts...)
	}
	slices.SortFunc(all.Files, func(a, b Access) int { return strings.Compare(a.Path, b.Path) })
	return all
}

// isMade reports whether a path, or a folder above it, was made.
func isMade(path string, made map[string]bool) bool {
	for ; len(path) > 1; path = filepath.Dir(path) {
		if made[path] {
			return true
		}
		if filepath.Dir(path) == path {
			return false
		}
	}
	return false
}

// Doubt is a reason why the record may lack something, or why the command may have behaved
// in another way than without a tracer. A record with a doubt is no evidence.
type Doubt struct {
	Cause  Cause  `json:"cause"`
	Detail string `json:"detail,omitempty"` // of the first time: a path or the name of a call
}

// Cause of a doubt, or of an error.
type Cause string

// Causes of doubts.
const (
	Cut       Cause = "cut"       // more paths than a record has room for
	Tasks     Cause = "tasks"     // more processes than the tracer follows; all were killed
	Untraced  Cause = "untraced"  // a process asked for a child that is not traced; all were killed
	Left      Cause = "left"      // processes outlived the command and were killed
	IOUring   Cause = "io_uring"  // opens files without calls
	Foreign   Cause = "foreign"   // calls of another architecture, such as 32-bit programs
	Privilege Cause = "privilege" // a program with setuid, setgid or capabilities ran without them
	Mounts    Cause = "mounts"    // the meaning of paths was changed
	Debugger  Cause = "debugger"  // the command uses ptrace itself, or takes descriptors of other processes
	Memory    Cause = "memory"    // a path could not be read
	Name      Cause = "name"      // a path is not UTF-8
	Nameless  Cause = "nameless"  // a path begins in a folder that was removed, or a file without a name is executed
	Filter    Cause = "filter"    // another process handles the calls of a seccomp filter, before the tracer sees them
	IPC       Cause = "ipc"       // shared memory, semaphores or message queues
)

// Causes of errors.
const (
	System  Cause = "system"  // this system has no tracer
	Ptrace  Cause = "ptrace"  // the kernel refuses to trace: a container, or a debugger traces this program
	Seccomp Cause = "seccomp" // the kernel refuses the filter
	Start   Cause = "start"   // the command could not be started
	Tracer  Cause = "tracer"  // the tracer could not be started, or ended without a record
)

// Error is the error of Run if there is no record.
type Error struct {
	Cause Cause
	Err   error
}

var errorTexts = map[Cause]string{
	System:  "files that a command reads can be recorded on Linux only (amd64 and arm64)",
	Ptrace:  "the kernel does not allow to trace a command; in a container, allow ptrace",
	Seccomp: "the kernel does not allow a seccomp filter",
	Start:   "the command cannot be started",
	Tracer:  "the process that traces the command has failed",
}

func (e *Error) Error() string {
	if e.Err == nil {
		return errorTexts[e.Cause]
	}
	return fmt.Sprintf("%s: %v", errorTexts[e.Cause], e.Err)
}

func (e *Error) Unwrap() error { return e.Err }
