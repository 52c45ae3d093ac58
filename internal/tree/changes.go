package tree

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// hashChanges identifies the changes of a work tree by the names, the modes and the contents
// of the files that differ from its commit. names are slash-separated and relative to the top;
// one that ends in a slash is a folder that git does not know, whose files of suite's own are
// left out. The hash is empty if there are no names.
func hashChanges(mine own, names []string) string {
	if len(names) == 0 {
		return ""
	}
	sum := sha256.New()
	names = slices.Clone(names)
	slices.Sort(names)
	for _, name := range names {
		_ = filepath.WalkDir(filepath.Join(mine.top, filepath.FromSlash(name)),
			func(file string, d fs.DirEntry, err error) error {
				rel, _ := filepath.Rel(mine.top, file) // cannot fail: file is below top
				switch {
				case err != nil: // it was deleted, or cannot be read
					fmt.Fprintf(sum, "%q gone\n", filepath.ToSlash(rel))
				case !d.IsDir() && !(strings.HasSuffix(name, "/") && mine.hasUnknown(filepath.ToSlash(rel))):
					fmt.Fprintf(sum, "%q %s\n", filepath.ToSlash(rel), hashFile(file, d))
				}
				return nil
			})
	}
	return "sha256:" + hex.EncodeToString(sum.Sum(nil))
}

// hashFile identifies a file by its mode and contents, and a link by where it leads.
func hashFile(file string, d fs.DirEntry) string {
	if d.Type()&fs.ModeSymlink != 0 {
		to, _ := os.Readlink(file)
		return fmt.Sprintf("%s %q", d.Type(), to)
	}
	info, err := d.Info()
	if err != nil || !info.Mode().IsRegular() {
		return d.Type().String()
	}
	f, err := os.Open(file)
	if err != nil {
		return info.Mode().String()
	}
	defer f.Close()
	sum := sha256.New()
	_, _ = io.Copy(sum, io.LimitReader(f, mostHashed)) // a part of a file that cannot be read identifies it too
	return fmt.Sprintf("%s %d %x", info.Mode()&0o111, info.Size(), sum.Sum(nil))
}

// mostHashed is the part of a file that is read, in bytes. The size of a larger file and its
// beginning identify it: it is data, and reading all of it would delay the run.
const mostHashed = 64 << 20
