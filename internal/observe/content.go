package observe

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// Content returns what Compare looks at of a path that was used in a tree, as text: if it is the same in two trees,
// Compare finds no difference. root is the folder of the tree, without links. The error is about a path that cannot be
// read. What a command has written has no content: Compare needs both trees for that.
func Content(root, path string, use Use) (string, error) {
	info, err := os.Lstat(path)
	switch {
	case isGone(err):
		return "absent", nil
	case err != nil:
		return "", err
	}
	mode := info.Mode() & (fs.ModeType | special)
	text := mode.String()
	switch {
	case mode&fs.ModeSymlink != 0 && use&Link == 0: // not followed
		return "link", nil
	case mode&fs.ModeSymlink != 0:
		target, err := os.Readlink(path)
		if rest, ok := strings.CutPrefix(target, root+string(filepath.Separator)); ok {
			return "link into the tree " + rest, err
		}
		return "link " + target, err
	case mode.IsDir() && use&List != 0:
		names, err := namesIn(path, func(name string) bool { return path == root && name == repository })
		if err != nil {
			return "", err
		}
		text += " " + sumOf(strings.NewReader(strings.Join(names, "\n")))
	case mode.IsRegular() && use&(Read|Exec|Stat) != 0:
		f, err := os.Open(path)
		if err != nil {
			return "", err
		}
		defer f.Close()
		text += " " + sumOf(f)
	}
	if more := attributes(path, use); more != "" {
		text += " " + sumOf(strings.NewReader(more))
	}
	return text, nil
}

// sumOf returns a hash of a content, of what could be read of it and the error if it ends with one.
func sumOf(content io.Reader) string {
	hash := sha256.New()
	if _, err := io.Copy(hash, content); err != nil {
		return err.Error()
	}
	return hex.EncodeToString(hash.Sum(nil))
}

// isGone reports whether an error means that there is no file.
func isGone(err error) bool { return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) }
