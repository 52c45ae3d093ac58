//go:build amd64 || arm64

package observe

import (
	"encoding/binary"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"
)

// enter looks at a call before the kernel executes it. It returns nil if the result of the
// call does not matter.
func (t *tracer) enter(at *task, c call, args *[6]uint64) *pending {
	p := &pending{call: c}
	if c.flags != no {
		p.flags = args[c.flags]
	}
	switch c.op {
	case opDoubt:
		if c.harmless == nil || !c.harmless(args) {
			t.notes.doubt(c.cause, c.name)
		}
		return nil
	case opClone, opClone3:
		t.clone(at, c.op, args)
		return nil
	case opSocket:
		t.notes.connection("datagrams")
		return nil
	case opConnect, opBind:
		t.address(at, c.op, args[1], args[2])
		return nil
	case opList:
		if path, how := t.descriptor(at, int32(args[0])); how == named { // a folder that was removed has no names
			t.notes.use(path, List)
		}
		return nil
	case opDescriptor:
		if path, how := t.descriptor(at, int32(args[0])); how == named { // else the file is the command's own
			t.notes.use(path, c.use)
		}
		return nil
	case opHandle:
		p.flags = args[2]
		return p
	case opCreate:
		p.flags = unix.O_CREAT | unix.O_WRONLY | unix.O_TRUNC
	case opOpen2:
		how := make([]byte, unsafe.Sizeof(unix.OpenHow{}))
		if _, err := peek(at.id, args[2], how); err != nil {
			return nil
		}
		p.flags = binary.LittleEndian.Uint64(how)
		p.inRoot = binary.LittleEndian.Uint64(how[unsafe.Offsetof(unix.OpenHow{}.Resolve):])&unix.RESOLVE_IN_ROOT != 0
	}
	follow := false
	switch c.op {
	case opOpen, opOpen2, opCreate:
		follow = p.flags&unix.O_NOFOLLOW == 0 && p.flags&(unix.O_CREAT|unix.O_EXCL) != unix.O_CREAT|unix.O_EXCL
	case opStat, opChange, opExec:
		follow = p.flags&c.nofollow == 0
	}
	if c.follow != 0 {
		follow = p.flags&c.follow != 0
	}
	ok := false
	if p.first, ok = t.lookup(at, p, c.at, c.path, args, follow); !ok {
		return nil
	}
	switch c.op {
	case opStat, opLstat, opLink:
		t.notes.looked(p)
		return nil
	}
	if c.path2 != no {
		if p.second, ok = t.lookup(at, p, c.at2, c.path2, args, false); !ok {
			return nil
		}
	}
	return p
}

// lookup walks a path of a call. It reports false if the call has no path, because it is
// about a descriptor or will fail.
func (t *tracer) lookup(at *task, p *pending, fd, path int, args *[6]uint64, follow bool) (found, bool) {
	if args[path] == 0 { // utimensat, statx: the descriptor
		return found{}, false
	}
	text, err := at.text(args[path])
	switch {
	case err == unix.EFAULT, err == unix.ENAMETOOLONG, err == unix.ESRCH:
		return found{}, false // the call fails for the same reason
	case err != nil:
		t.notes.doubt(Memory, err.Error())
		return found{}, false
	case text == "" && fd != no && (p.op == opExec || p.op == opChange || p.op == opHard):
		// with AT_EMPTY_PATH the descriptor itself
		whole, how := t.descriptor(at, int32(args[fd]))
		if how == nameless {
			t.notes.doubt(Nameless, whole)
		}
		return found{path: whole, mode: unix.S_IFREG}, how == named
	case text == "":
		return found{}, false
	case strings.HasPrefix(text, "/") && !p.inRoot:
		return t.paths.walk(text, follow, at.thread), true
	}
	folder, how := "", unnamed
	if fd == no || int32(args[fd]) == unix.AT_FDCWD {
		folder, how = t.procLink(at, "cwd")
	} else {
		folder, how = t.descriptor(at, int32(args[fd]))
	}
	switch {
	case how == nameless: // the path may begin with ..
		t.notes.doubt(Nameless, folder)
		return found{}, false
	case how == unnamed:
		return found{}, false
	case p.inRoot:
		return t.paths.walkIn(folder, text, follow, at.thread), true
	}
	return t.paths.walk(folder+"/"+text, follow, at.thread), true
}

// naming is what the kernel says about the name of a file that is open.
type naming int

const (
	unnamed  naming = iota // no such descriptor, or not of a file
	named                  // a path
	nameless               // it was removed, or never had a name, or the name is too long
)

// descriptor returns the path of what a descriptor refers to.
func (t *tracer) descriptor(at *task, fd int32) (string, naming) {
	return t.procLink(at, fmt.Sprintf("fd/%d", fd))
}

// absolute returns a path from the working folder of a task. It returns false if the name of the folder is not known.
func (t *tracer) absolute(at *task, path string) (string, bool) {
	if strings.HasPrefix(path, "/") {
		return path, true
	}
	folder, how := t.procLink(at, "cwd")
	if how == nameless {
		t.notes.doubt(Nameless, folder)
	}
	return folder + "/" + path, how == named
}

// procLink returns the path of a file that a link in /proc names.
func (t *tracer) procLink(at *task, name string) (string, naming) {
	link := "/proc/" + at.thread + "/" + name
	path, err := os.Readlink(link)
	switch {
	case os.IsPermission(err): // the program may be executed and not read
		t.notes.doubt(Memory, "/proc/PID/"+name)
		return "", unnamed
	case errors.Is(err, unix.ENAMETOOLONG):
		return "/proc/PID/" + name, nameless
	case err != nil, !strings.HasPrefix(path, "/"):
		return "", unnamed
	case isRemoved(link, path):
		return path, nameless
	}
	return path, named
}

// isRemoved reports whether the target of a link in /proc is a name that is no longer there. A
// file may have a name that ends as the kernel marks those that were removed.
func isRemoved(link, target string) bool {
	if !strings.HasSuffix(target, " (deleted)") {
		return false
	}
	opened, err := os.Stat(link)
	if err != nil {
		return true
	}
	there, err := os.Lstat(target)
	return err != nil || !os.SameFile(opened, there)
}

// clone looks for children that would escape the tracer.
func (t *tracer) clone(at *task, op op, args *[6]uint64) {
	flags := args[0]
	if op == opClone3 {
		first := make([]byte, 8)
		if _, err := peek(at.id, args[0], first); err != nil {
			return // the call fails
		}
		flags = binary.LittleEndian.Uint64(first)
	}
	if flags&unix.CLONE_NEWNS != 0 {
		t.notes.doubt(Mounts, "clone")
	}
	if flags&unix.CLONE_UNTRACED != 0 {
		t.notes.doubt(Untraced, at.program())
		t.kill()
	}
}

// address notes a connection, or the name of a socket.
func (t *tracer) address(at *task, op op, address, length uint64) {
	bytes := make([]byte, min(length, unix.SizeofSockaddrUnix))
	if len(bytes) < 2 {
		return
	}
	if n, err := peek(at.id, address, bytes); err != nil || n < len(bytes) {
		return // the call fails
	}
	port := binary.BigEndian.Uint16(append(bytes[2:min(4, len(bytes)):4], 0, 0))
	switch family := binary.LittleEndian.Uint16(bytes); {
	case family == unix.AF_UNIX:
		t.unixAddress(at, op, bytes[2:])
	case op == opBind, family == unix.AF_UNSPEC: // the latter ends a connection
	case family == unix.AF_INET && len(bytes) >= 8:
		t.connect(at, netip.AddrPortFrom(netip.AddrFrom4([4]byte(bytes[4:8])), port))
	case family == unix.AF_INET6 && len(bytes) >= 24:
		t.connect(at, netip.AddrPortFrom(netip.AddrFrom16([16]byte(bytes[8:24])), port))
	case family != unix.AF_NETLINK:
		t.notes.connection(fmt.Sprintf("family %d", family))
	}
}

// connect notes a connection, but for one within what is traced. Sockets that are not of TCP have been noted before.
func (t *tracer) connect(at *task, to netip.AddrPort) {
	host := to.Addr().Unmap()
	if (host.IsLoopback() || host.IsUnspecified()) && t.listens(at, to.Port()) {
		return
	}
	t.notes.connection(to.String())
}

func (t *tracer) unixAddress(at *task, op op, name []byte) {
	switch {
	case len(name) == 0:
	case name[0] == 0 && op == opConnect:
		t.notes.socket("@" + string(name[1:]))
	case name[0] != 0:
		path, _, _ := strings.Cut(string(name), "\x00")
		path, known := t.absolute(at, path)
		if !known {
			return
		}
		f := t.paths.walk(path, true, at.thread)
		t.notes.links(&f)
		switch {
		case op == opBind:
			t.notes.make(f.path)
		case f.mode == 0:
			t.notes.look(&f, Stat)
		default:
			t.notes.socket(f.path)
		}
	}
}
