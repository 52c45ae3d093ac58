package observe

import (
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// attributes returns the extended attributes of a file that users set (user.*), names and values.
// Those of the system, such as labels of SELinux, depend on the folder that a tree is in. It is
// empty if the file system has none.
func attributes(path string) string {
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
		if strings.HasPrefix(name, "user.") {
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
