//go:build amd64 || arm64

package observe

import (
	"debug/elf"
	"io"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// leave notes what a call has done, now that its result is known.
func (t *tracer) leave(at *task, p *pending, result int64) {
	switch errno := unix.Errno(-result); {
	case result >= 0:
	case errno == unix.EFAULT, errno == unix.EINTR, errno >= 512 && errno <= 516: // the call is made again
		return
	case p.op == opHandle:
		return
	default:
		t.notes.failed(p)
		return
	}
	t.notes.links(&p.first)
	t.notes.links(&p.second)
	first := p.first.path
	switch p.op {
	case opOpen, opOpen2, opCreate, opHandle:
		t.opened(at, p, result)
	case opChange:
		t.notes.look(&p.first, Stat|Written)
	case opMake:
		t.notes.look(&p.first, Stat)
		t.notes.make(first)
	case opRemove:
		t.notes.look(&p.first, Stat)
		t.notes.make(first)
		t.paths.forget()
	case opRename:
		t.moved(p)
	case opHard:
		t.notes.look(&p.first, Read)
		t.notes.look(&p.second, Stat)
		t.notes.make(p.second.path)
	}
}

// opened notes a file that was opened. What the kernel has opened counts, if a link was
// changed since the walk, or the call has rules of its own.
func (t *tracer) opened(at *task, p *pending, fd int64) {
	f := p.first
	whole, how := t.descriptor(at, int32(fd))
	if how == named && whole != f.path && p.flags&unix.O_TMPFILE != unix.O_TMPFILE {
		f = t.paths.walk(whole, true, at.thread)
		if f.mode == 0 {
			return
		}
		f.links = nil
		if p.first.mode == 0 && p.op != opHandle {
			t.notes.look(&p.first, Stat)
		}
	}
	var use Use
	switch p.flags & unix.O_ACCMODE {
	case unix.O_RDONLY:
		use = Read
	case unix.O_WRONLY:
		use = Stat | Written
	default:
		use = Read | Written
	}
	if p.flags&unix.O_TRUNC != 0 { // with O_RDONLY too
		use |= Written
	}
	writes := use&Written != 0
	switch {
	case f.is(unix.S_IFIFO) && !t.notes.isMade(f.path): // another process may write to it
		t.notes.socket(f.path)
	case p.flags&unix.O_PATH != 0, p.flags&unix.O_TMPFILE == unix.O_TMPFILE, f.is(unix.S_IFDIR):
		t.notes.look(&f, Stat)
	case p.flags&unix.O_CREAT != 0 && f.mode == 0, p.flags&unix.O_TRUNC != 0 && writes && f.is(unix.S_IFREG):
		if p.flags&(unix.O_CREAT|unix.O_TRUNC|unix.O_EXCL) != unix.O_CREAT|unix.O_TRUNC {
			// else it is the same whether the file was there
			t.notes.look(&f, Stat)
		}
		t.notes.make(f.path)
	default:
		t.notes.look(&f, use)
	}
	if p.flags&unix.O_PATH != 0 {
		t.notes.lastLink(&f)
	}
}

// moved notes a rename. The content at the new name was the input, if the command has not
// made it.
func (t *tracer) moved(p *pending) {
	use := Read
	switch p.first.mode & unix.S_IFMT {
	case unix.S_IFDIR:
		use = List
	case unix.S_IFLNK:
		use = Stat
		if target, err := os.Readlink(p.second.path); err == nil {
			t.notes.link(Access{Path: p.first.path, Target: target})
		}
	}
	t.notes.look(&p.first, use)
	t.notes.look(&p.second, Stat)
	t.notes.make(p.first.path)
	t.notes.make(p.second.path)
	t.paths.forget()
}

// ran notes a program that was executed, and those that the kernel loads to execute it.
func (t *tracer) ran(at *task, p *pending) {
	f := p.first
	if p.by == t.self {
		t.started[f.path] = true
	} else if t.started[f.path] {
		t.notes.look(&f, Again)
	}
	// A script may name a script, four times as the kernel counts.
	for range 5 {
		t.notes.links(&f)
		t.notes.look(&f, Exec)
		t.privileged(&f)
		loader := t.loader(f.path)
		if loader == "" {
			return
		}
		loader, known := t.absolute(at, loader)
		if !known {
			return
		}
		f = t.paths.walk(loader, true, at.thread)
	}
}

// loader returns the interpreter of a script, or of a program with dynamic libraries.
func (t *tracer) loader(path string) string {
	f, err := os.Open(path)
	if err != nil { // it may be executed and not read
		t.notes.doubt(Memory, path)
		return ""
	}
	defer f.Close()
	head := make([]byte, 256)
	n, err := f.ReadAt(head, 0)
	if err != nil && err != io.EOF {
		return ""
	}
	head = head[:n]
	if line, ok := strings.CutPrefix(string(head), "#!"); ok {
		line, _, _ = strings.Cut(line, "\n")
		if fields := strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == '\t' }); len(fields) > 0 {
			return fields[0]
		}
		return ""
	}
	program, err := elf.NewFile(f)
	if err != nil { // another kind, which binfmt_misc knows
		return ""
	}
	for _, part := range program.Progs {
		if part.Type == elf.PT_INTERP && part.Filesz < unix.PathMax {
			name, _ := io.ReadAll(part.Open())
			return strings.TrimRight(string(name), "\x00")
		}
	}
	return ""
}

// privileged looks for rights that the program would have had without the filter.
func (t *tracer) privileged(f *found) {
	var s unix.Stat_t
	if unix.Lstat(f.path, &s) != nil {
		return
	}
	_, err := unix.Getxattr(f.path, capability, nil)
	if s.Mode&unix.S_ISUID != 0 && int(s.Uid) != os.Geteuid() ||
		s.Mode&unix.S_ISGID != 0 && int(s.Gid) != os.Getegid() || err == nil && os.Geteuid() != 0 {
		t.notes.doubt(Privilege, f.path)
	}
}
