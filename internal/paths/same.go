package paths

import (
	"bytes"
	"io"
	"os"
)

// SameFiles reports whether two regular files have the same content and permissions. Links are followed.
// Two files that are not there are the same; a file that cannot be read differs.
func SameFiles(a, b string) bool {
	x, err1 := os.Stat(a)
	y, err2 := os.Stat(b)
	if os.IsNotExist(err1) && os.IsNotExist(err2) {
		return true
	}
	return err1 == nil && err2 == nil && x.Mode() == y.Mode() && SameContent(a, b)
}

// SameContent reports whether two regular files can be read and are equal. Links are followed.
func SameContent(a, b string) bool {
	one, err1 := OpenRegular(a)
	if err1 != nil {
		return false
	}
	defer one.Close()
	two, err2 := OpenRegular(b)
	if err2 != nil {
		return false
	}
	defer two.Close()
	x, err1 := one.Stat()
	y, err2 := two.Stat()
	if err1 != nil || err2 != nil || x.Size() != y.Size() {
		return false
	}
	const chunk = 64 << 10
	p, q := make([]byte, chunk), make([]byte, chunk)
	for {
		n, err1 := io.ReadFull(one, p)
		m, err2 := io.ReadFull(two, q)
		if !bytes.Equal(p[:n], q[:m]) {
			return false
		}
		if err1 != nil || err2 != nil {
			return isEnd(err1) && isEnd(err2)
		}
	}
}

func isEnd(err error) bool { return err == io.EOF || err == io.ErrUnexpectedEOF }
