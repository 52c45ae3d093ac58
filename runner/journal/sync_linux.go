package journal

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// SyncData puts what was written on the disk, without the times of the file.
func SyncData(f *os.File) error {
	for {
		if err := unix.Fdatasync(int(f.Fd())); !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}
