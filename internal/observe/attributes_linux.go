package observe

import (
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// attributes returns the extended attributes of a file, names and values: those that users set (user.*)
// and the capabilities of a program, and, if the command has asked for attributes, all others, such as
// access lists. Labels of SELinux are left out: they depend on the folder that a tree is in. It is
// empty if the file system has none.
func attributes(path string, use Use) string {
	const most = 64 << 10 // bytes that Linux returns of names, and of a value
	if n, err := unix.Llistxattr(path, nil); err != nil || n == 0 {
		return "" // nearly all files
	}
	names := make([]byte, most)
	n, err := unix.Llistxattr(path, names)
	if err != nil {
		return ""
	}
	var all []string
	for name := range strings.SplitSeq(strings.TrimRight(string(names[:n]), "\x00"), "\x00") {
		if strings.HasPrefix(name, "user.") || name == capability || use&Attributes != 0 && name != "security.selinux" {
			value := make([]byte, most)
			n, err := unix.Lgetxattr(path, name, value)
			if err != nil {
				n = 0
			}
			all = append(all, name+"="+string(value[:n]))
		}
	}
	slices.Sort(all)
	return strings.Join(all, "\x00")
}

// capability is the attribute with the rights that a program gets when it is executed.
const capability = "security.capability"
