// Package pagecache draws anew where the kernel keeps files in memory. The pages of a file stay
// where they are until nobody needs them, and make whatever reads the file faster or slower by
// several percent for hours: of two equal files of 2 MB, md5sum read one 1.3 to 9.5 % slower in
// the median of each of 14 blocks of 100 pairs.
package pagecache

import (
	"context"
	"os"
)

// Place drops files from the memory of the kernel and reads them again, both in the order given.
// Nothing is written to them. It returns the files that stayed where they were, for one of these
// reasons: a process has mapped them, their file system lives in memory, or this system is not Linux.
// A context that has ended cuts it short. A file that cannot be opened, or is empty, is left alone.
func Place(ctx context.Context, paths []string) (stayed []string) {
	dropped := make([]*os.File, 0, len(paths))
	for _, path := range paths {
		if ctx.Err() != nil {
			break
		}
		info, err := os.Stat(path)
		if err != nil || !info.Mode().IsRegular() || info.Size() == 0 { // to open a FIFO would wait
			continue
		}
		file, err := os.Open(path)
		if err != nil {
			continue
		}
		defer file.Close()
		if !drop(file) {
			stayed = append(stayed, path)
		}
		dropped = append(dropped, file)
	}
	for _, file := range dropped {
		if ctx.Err() == nil {
			load(file)
		}
	}
	return stayed
}
